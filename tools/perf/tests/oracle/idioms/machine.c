// SPDX-License-Identifier: GPL-2.0-or-later
/* A stack machine: frames behind its stack, counters that move before or after they index. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

enum { HALT, PUSH, ADD, SUB, LOAD, STORE, JUMP, JZ, CALL, RET, PRINT, DUP };

struct frame {
	const uint8_t *ip;
	int base, locals;
	long slots[2];
};

struct vm {
	long stack[32];
	struct frame frames[8];
	int sp, nf;
	const uint8_t *code;
	unsigned long steps;
	long out[4];
	unsigned short nr_out;
	int fault;
};

static int push(struct vm *v, long x)
{
	if (v->sp == 32)
		return -1;
	v->stack[v->sp++] = x;
	return 0;
}

static long pop(struct vm *v)
{
	return v->stack[--v->sp];
}

__attribute__((noinline)) static void enter(struct vm *v, const uint8_t *back, int locals)
{
	struct frame *f = &v->frames[v->nf++];

	f->ip = back;
	f->base = v->sp;
	f->locals = locals;
	for (int i = 0; i < locals; i++)
		f->slots[i] = 0;
}

__attribute__((noinline)) static int leave(struct vm *v, const uint8_t **ip)
{
	if (!v->nf)
		return -1;
	v->nf--;
	if (!v->nf)
		return 1;
	*ip = v->frames[v->nf - 1].ip;
	return 0;
}

__attribute__((noinline)) static long *local(struct vm *v, unsigned int i)
{
	return &v->frames[v->nf - 1].slots[i & 1];
}

/* What each frame still has on the stack, innermost first. */
__attribute__((noinline)) static long trace(const struct vm *v, int *bases, int n)
{
	long sum = 0;
	int got = 0;

	for (int i = v->nf; i-- > 0 && got < n;) {
		bases[got++] = v->frames[i].base;
		sum += v->frames[i].slots[0] + v->frames[i].locals;
	}
	while (got)
		sum += bases[--got];
	return sum;
}

__attribute__((noinline)) static void swap_top(struct vm *v)
{
	long top = v->stack[v->sp - 1];

	v->stack[v->sp - 1] = v->stack[v->sp - 2];
	v->stack[v->sp - 2] = top;
}

__attribute__((noinline)) static void run(struct vm *v)
{
	const uint8_t *ip = v->code;

	enter(v, ip, 2);
	for (;;) {
		int op = *ip++;

		v->steps++;
		switch (op) {
		case PUSH:
			if (push(v, (int8_t)*ip++))
				v->fault = 1;
			break;
		case ADD:
			v->sp--;
			v->stack[v->sp - 1] += v->stack[v->sp];
			break;
		case SUB:
			swap_top(v);
			v->stack[v->sp - 2] = v->stack[v->sp - 1] - v->stack[v->sp - 2];
			v->sp--;
			break;
		case LOAD:
			push(v, *local(v, *ip++));
			break;
		case STORE:
			*local(v, *ip++) = pop(v);
			break;
		case JUMP:
			ip = v->code + *ip;
			break;
		case JZ:
			ip = pop(v) ? ip + 1 : v->code + *ip;
			break;
		case CALL:
			v->frames[v->nf - 1].ip = ip + 1;
			enter(v, ip + 1, 1);
			ip = v->code + *ip;
			break;
		case RET:
			if (leave(v, &ip))
				return;
			break;
		case PRINT:
			v->out[v->nr_out++ & 3] = pop(v);
			break;
		case DUP:
			push(v, v->stack[v->sp - 1]);
			break;
		default:
			return;
		}
	}
}

int main(void)
{
	/* for (i = 5; i; i--) print(i + i); */
	static const uint8_t code[] = {
		PUSH, 5, STORE, 0, LOAD, 0,	JZ, 19,	  LOAD, 0,   CALL,  20,
		LOAD, 0, PUSH,	1, SUB,	 STORE, 0,  HALT, DUP,	ADD, PRINT, RET,
	};
	struct vm *v = create(struct vm);
	int bases[8];
	long sum = 0;

	for (int round = 0; round < 3; round++) {
		v->code = code;
		v->sp = v->nf = 0;
		run(v);
		enter(v, code, 1);
		enter(v, code, 2);
		sum += trace(v, bases, 8);
		while (v->nf) {
			const uint8_t *ip;

			leave(v, &ip);
		}
	}
	printf("%ld %lu %ld %d\n", sum, v->steps, v->out[0], v->fault);
	truth_free(v);
	return 0;
}
