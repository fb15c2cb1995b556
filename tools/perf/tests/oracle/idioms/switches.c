// SPDX-License-Identifier: GPL-2.0-or-later
/* A byte-code interpreter: a switch table, a table of functions, rare branches put aside. */
#include <stdio.h>
#include <stdlib.h>

#include "truth.h"

enum op { LOAD, STORE, ADD, SUB, MUL, JUMP, BRANCH, CALL, RET, MAKE, FIELD, SET, HALT, NR_OPS };

struct insn {
	unsigned char op, a, b, c;
	int imm;
};

struct record {
	long fields[4];
	struct record *link;
};

struct frame {
	struct frame *caller;
	const struct insn *back;
	long regs[8];
	struct record *record;
};

struct fault {
	int code;
	const struct insn *at;
	struct frame *frame;
};

struct vm {
	const struct insn *code;
	struct frame *frame;
	struct fault *fault;
	unsigned long counts[NR_OPS];
	long globals[4];
};

__attribute__((cold, noinline)) static void fail(struct vm *vm, int code, const struct insn *at)
{
	struct fault *f = create(struct fault);

	f->code = code;
	f->at = at;
	f->frame = vm->frame;
	vm->fault = f;
}

static struct frame *enter(struct vm *vm, const struct insn *back)
{
	struct frame *f = create(struct frame);

	f->caller = vm->frame;
	f->back = back;
	if (f->caller)
		f->regs[0] = f->caller->regs[1];
	return f;
}

__attribute__((noinline)) static long run(struct vm *vm, const struct insn *pc)
{
	vm->frame = enter(vm, NULL);
	for (;; pc++) {
		struct frame *f = vm->frame;

		vm->counts[pc->op]++;
		switch ((enum op)pc->op) {
		case LOAD:
			f->regs[pc->a] = pc->b ? vm->globals[pc->b & 3] : pc->imm;
			break;
		case STORE:
			vm->globals[pc->b & 3] = f->regs[pc->a];
			break;
		case ADD:
			f->regs[pc->a] = f->regs[pc->b] + f->regs[pc->c];
			break;
		case SUB:
			f->regs[pc->a] = f->regs[pc->b] - f->regs[pc->c];
			break;
		case MUL:
			f->regs[pc->a] *= f->regs[pc->b];
			break;
		case JUMP:
			pc += pc->imm;
			break;
		case BRANCH:
			if (f->regs[pc->a])
				pc += pc->imm;
			break;
		case CALL:
			vm->frame = enter(vm, pc);
			pc = vm->code + pc->imm - 1;
			break;
		case RET:
			if (!f->caller)
				return f->regs[0];
			f->caller->regs[1] = f->regs[0];
			pc = f->back;
			vm->frame = f->caller;
			truth_free(f);
			break;
		case MAKE: {
			struct record *r = create(struct record);

			r->fields[0] = f->regs[pc->a];
			r->link = f->record;
			f->record = r;
			break;
		}
		case FIELD:
			if (!f->record || !f->record->link) {
				fail(vm, 2, pc);
				f->regs[pc->a] = vm->fault->code;
				break;
			}
			f->regs[pc->a] = f->record->link->fields[pc->b & 3];
			break;
		case SET:
			f->record->fields[pc->b & 3] = f->regs[pc->a];
			break;
		case HALT:
			return f->regs[0] + (vm->fault ? vm->fault->at->imm : 0);
		default:
			abort();
		}
	}
}

static long square(const struct record *r)
{
	return r->fields[1] * r->fields[1];
}
static long linked(const struct record *r)
{
	return r->link ? r->link->fields[0] : -1;
}
static long sum(const struct record *r)
{
	return r->fields[0] + r->fields[2];
}
static long (*const views[])(const struct record *) = { square, linked, sum };

int main(void)
{
	static const struct insn code[] = {
		{ LOAD, 0, 0, 0, 5 }, { LOAD, 2, 0, 0, 1 },    { LOAD, 3, 0, 0, 0 },
		{ MAKE, 0, 0, 0, 0 }, { FIELD, 4, 0, 0, 9 },   { MAKE, 0, 0, 0, 0 },
		{ SET, 0, 1, 0, 0 },  { FIELD, 4, 0, 0, 0 },   { ADD, 3, 3, 4, 0 },
		{ ADD, 1, 3, 2, 0 },  { CALL, 0, 0, 0, 15 },   { STORE, 1, 1, 0, 0 },
		{ SUB, 0, 0, 2, 0 },  { BRANCH, 0, 0, 0, -9 }, { HALT, 0, 0, 0, 0 },
		{ LOAD, 1, 1, 0, 0 }, { ADD, 0, 0, 1, 0 },     { LOAD, 5, 0, 0, 3 },
		{ MUL, 0, 5, 0, 0 },  { JUMP, 0, 0, 0, 0 },    { RET, 0, 0, 0, 0 },
	};
	struct vm *vm = create(struct vm);
	long result, seen = 0;

	vm->code = code;
	result = run(vm, code);
	for (struct record *r = vm->frame->record; r; r = r->link)
		for (int i = 0; i < 3; i++)
			seen += views[i](r);
	printf("%ld %ld %lu %d %ld\n", result, seen, vm->counts[ADD], vm->fault->code,
	       vm->globals[1]);
	return 0;
}
