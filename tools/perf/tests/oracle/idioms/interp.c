// SPDX-License-Identifier: GPL-2.0-or-later
/* A small language's virtual machine: computed gotos, a big switch, values with tags, frames, tables. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

enum tag { TAG_NIL, TAG_INT, TAG_REAL, TAG_STRING, TAG_TABLE };

struct gc_head {
	struct gc_head *next;
	uint8_t tag, marked;
};

typedef struct {
	union {
		struct gc_head *gc;
		int64_t i;
		double r;
	} u;
	uint8_t tag;
} value_t;

typedef struct string_object {
	struct gc_head head;
	uint32_t hash;
	uint32_t length;
	char text[24];
} string_object;

typedef struct entry {
	value_t key, value;
	int32_t next;
} entry;

typedef struct table_object {
	struct gc_head head;
	uint32_t used, mask;
	entry *entries;
} table_object;

typedef struct proto {
	const uint32_t *code;
	value_t *constants;
	uint16_t nr_regs, nr_params;
	struct proto **protos;
} proto;

typedef struct frame {
	const proto *p;
	const uint32_t *pc;
	value_t *base;
	int result;
} frame;

typedef struct vm {
	value_t *stack;
	frame *frames;
	int depth;
	uint64_t executed;
	struct gc_head *all;
	table_object *globals;
} vm;

enum op {
	OP_MOVE,
	OP_LOADK,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_LT,
	OP_JUMP,
	OP_GETG,
	OP_SETG,
	OP_GETT,
	OP_SETT,
	OP_NEWT,
	OP_CALL,
	OP_RETURN,
	OP_HALT
};

#define CODE(op, a, b, c)                                                                          \
	((uint32_t)(op) | (uint32_t)(a) << 8 | (uint32_t)(b) << 16 | (uint32_t)(c) << 24)
#define A(i)  ((i) >> 8 & 0xff)
#define B(i)  ((i) >> 16 & 0xff)
#define C(i)  ((i) >> 24)
#define SB(i) ((int8_t)B(i))

static value_t *table_find(table_object *t, const value_t *key)
{
	uint32_t h = key->tag == TAG_STRING ? ((string_object *)key->u.gc)->hash
					    : (uint32_t)key->u.i * 2654435761u;
	entry *e = &t->entries[h & t->mask];

	for (;;) {
		if (e->key.tag == key->tag && e->key.u.i == key->u.i)
			return &e->value;
		if (e->key.tag == TAG_NIL) {
			e->key = *key;
			t->used++;
			return &e->value;
		}
		e = &t->entries[(size_t)(e - t->entries + 1) & t->mask];
	}
}

static table_object *table_new(vm *m)
{
	table_object *t = create(table_object);

	t->head.tag = TAG_TABLE;
	t->head.marked = 0;
	t->head.next = m->all;
	m->all = &t->head;
	t->used = 0;
	t->mask = 15;
	t->entries = new_array(entry, 16);
	memset(t->entries, 0, 16 * sizeof(entry));
	return t;
}

static string_object *string_new(vm *m, const char *text)
{
	string_object *s = create(string_object);

	s->head.tag = TAG_STRING;
	s->head.marked = 0;
	s->head.next = m->all;
	m->all = (struct gc_head *)s;
	s->length = (uint32_t)strlen(text);
	strcpy(s->text, text);
	s->hash = 0;
	for (uint32_t i = 0; i < s->length; i++)
		s->hash = s->hash * 31 + (uint8_t)s->text[i];
	return s;
}

static int64_t run_threaded(vm *m, const proto *p)
{
	static const void *const labels[] = { &&move, &&loadk, &&add,  &&sub,  &&mul,
					      &&lt,   &&jump,  &&getg, &&setg, &&gett,
					      &&sett, &&newt,  &&call, &&ret,  &&halt };
	frame *f = &m->frames[0];
	const uint32_t *pc = p->code;
	value_t *base = m->stack, *k = p->constants;
	uint32_t i;

	f->p = p;
	f->base = base;
	m->depth = 0;
#define NEXT                                                                                       \
	do {                                                                                       \
		i = *pc++;                                                                         \
		m->executed++;                                                                     \
		goto *labels[i & 0xff];                                                            \
	} while (0)
	NEXT;
move:
	base[A(i)] = base[B(i)];
	NEXT;
loadk:
	base[A(i)] = k[B(i)];
	NEXT;
add : {
	value_t *b = &base[B(i)], *c = &base[C(i)];

	if (b->tag == TAG_INT && c->tag == TAG_INT) {
		base[A(i)].u.i = b->u.i + c->u.i;
		base[A(i)].tag = TAG_INT;
	} else {
		base[A(i)].u.r = (b->tag == TAG_INT ? (double)b->u.i : b->u.r) +
				 (c->tag == TAG_INT ? (double)c->u.i : c->u.r);
		base[A(i)].tag = TAG_REAL;
	}
	NEXT;
}
sub:
	base[A(i)].u.i = base[B(i)].u.i - base[C(i)].u.i;
	base[A(i)].tag = TAG_INT;
	NEXT;
mul:
	base[A(i)].u.i = base[B(i)].u.i * base[C(i)].u.i;
	base[A(i)].tag = TAG_INT;
	NEXT;
lt:
	if (!(base[A(i)].u.i < base[B(i)].u.i))
		pc++;
	NEXT;
jump:
	pc += SB(i);
	NEXT;
getg:
	base[A(i)] = *table_find(m->globals, &k[B(i)]);
	NEXT;
setg:
	*table_find(m->globals, &k[B(i)]) = base[A(i)];
	NEXT;
gett:
	base[A(i)] = *table_find((table_object *)base[B(i)].u.gc, &base[C(i)]);
	NEXT;
sett : {
	table_object *t = (table_object *)base[A(i)].u.gc;

	if (t->head.marked)
		t->head.marked = 0;
	*table_find(t, &base[B(i)]) = base[C(i)];
	NEXT;
}
newt:
	base[A(i)].u.gc = &table_new(m)->head;
	base[A(i)].tag = TAG_TABLE;
	NEXT;
call:
	f->pc = pc;
	f->result = (int)A(i);
	m->depth++;
	f++;
	p = p->protos[B(i)];
	base += C(i);
	f->p = p;
	f->base = base;
	pc = p->code;
	k = p->constants;
	NEXT;
ret : {
	value_t v = base[A(i)];

	f--;
	m->depth--;
	p = f->p;
	base = f->base;
	pc = f->pc;
	k = p->constants;
	base[f->result] = v;
	NEXT;
}
halt:
	return base[A(i)].u.i;
}

static int64_t run_switched(vm *m, const proto *p)
{
	frame *f = &m->frames[0];
	const uint32_t *pc = p->code;
	value_t *base = m->stack;

	f->p = p;
	f->base = base;
	for (;;) {
		uint32_t i = *pc++;
		value_t *ra = base + A(i);

		m->executed++;
		switch (i & 0xff) {
		case OP_MOVE:
			*ra = base[B(i)];
			break;
		case OP_LOADK:
			*ra = f->p->constants[B(i)];
			break;
		case OP_ADD: {
			value_t *b = base + B(i), *c = base + C(i);

			if (b->tag == TAG_REAL || c->tag == TAG_REAL) {
				ra->u.r = (b->tag == TAG_INT ? (double)b->u.i : b->u.r) +
					  (c->tag == TAG_INT ? (double)c->u.i : c->u.r);
				ra->tag = TAG_REAL;
			} else {
				ra->u.i = b->u.i + c->u.i;
				ra->tag = TAG_INT;
			}
			break;
		}
		case OP_SUB:
			ra->u.i = base[B(i)].u.i - base[C(i)].u.i;
			ra->tag = TAG_INT;
			break;
		case OP_MUL:
			ra->u.i = base[B(i)].u.i * base[C(i)].u.i;
			ra->tag = TAG_INT;
			break;
		case OP_LT:
			pc += !(ra->u.i < base[B(i)].u.i);
			break;
		case OP_JUMP:
			pc += SB(i);
			break;
		case OP_GETG:
			*ra = *table_find(m->globals, &f->p->constants[B(i)]);
			break;
		case OP_SETG:
			*table_find(m->globals, &f->p->constants[B(i)]) = *ra;
			break;
		case OP_GETT:
			*ra = *table_find((table_object *)base[B(i)].u.gc, &base[C(i)]);
			break;
		case OP_SETT:
			*table_find((table_object *)ra->u.gc, &base[B(i)]) = base[C(i)];
			break;
		case OP_NEWT:
			ra->u.gc = (struct gc_head *)table_new(m);
			ra->tag = TAG_TABLE;
			break;
		case OP_CALL:
			f->pc = pc;
			f->result = (int)A(i);
			f[1].p = f->p->protos[B(i)];
			f++;
			base = f->base = base + C(i);
			pc = f->p->code;
			break;
		case OP_RETURN: {
			frame *up = f - 1;

			up->base[up->result] = *ra;
			f = up;
			base = f->base;
			pc = f->pc;
			break;
		}
		case OP_HALT:
			return ra->u.i;
		}
	}
}

static uint64_t mark_all(vm *m)
{
	uint64_t n = 0;

	for (struct gc_head *h = m->all; h; h = h->next) {
		h->marked = 1;
		switch (h->tag) {
		case TAG_STRING:
			n += ((string_object *)h)->length;
			break;
		case TAG_TABLE: {
			table_object *t = (table_object *)h;

			for (uint32_t i = 0; i <= t->mask; i++)
				if (t->entries[i].key.tag >= TAG_STRING)
					n += t->entries[i].key.u.gc->marked;
			break;
		}
		}
	}
	return n;
}

int main(void)
{
	static const uint32_t twice[] = { CODE(OP_ADD, 0, 0, 0), CODE(OP_RETURN, 0, 0, 0) };
	static const uint32_t code[] = { CODE(OP_LOADK, 0, 0, 0),
					 CODE(OP_LOADK, 1, 1, 0),
					 CODE(OP_LOADK, 2, 2, 0),
					 CODE(OP_NEWT, 3, 0, 0),
					 CODE(OP_LOADK, 4, 5, 0),
					 /* 5: */ CODE(OP_LT, 0, 1, 0),
					 CODE(OP_JUMP, 0, 2, 0),
					 CODE(OP_JUMP, 0, 11, 0),
					 /* skipped or not */ CODE(OP_JUMP, 0, 0, 0),
					 CODE(OP_SETT, 3, 0, 4),
					 CODE(OP_GETT, 5, 3, 0),
					 CODE(OP_MUL, 6, 0, 2),
					 CODE(OP_MOVE, 8, 6, 0),
					 CODE(OP_CALL, 7, 0, 8),
					 CODE(OP_ADD, 4, 7, 5),
					 CODE(OP_SETG, 4, 3, 0),
					 CODE(OP_ADD, 0, 0, 2),
					 CODE(OP_JUMP, 0, -13, 0),
					 CODE(OP_HALT, 4, 0, 0),
					 CODE(OP_GETG, 4, 3, 0),
					 CODE(OP_SUB, 4, 4, 2),
					 CODE(OP_HALT, 4, 0, 0) };
	vm *m = create(vm);
	proto *main_proto = create(proto), *other = create(proto);
	value_t *k = new_array(value_t, 6);
	int64_t a, b;

	m->all = NULL;
	m->executed = 0;
	m->stack = new_array(value_t, 64);
	m->frames = new_array(frame, 8);
	m->globals = table_new(m);
	memset(m->stack, 0, 64 * sizeof(value_t));
	k[0].u.i = 0;
	k[1].u.i = 6;
	k[2].u.i = 1;
	k[0].tag = k[1].tag = k[2].tag = TAG_INT;
	k[3].u.gc = &string_new(m, "total")->head;
	k[3].tag = TAG_STRING;
	k[4].u.r = 0.5;
	k[4].tag = TAG_REAL;
	k[5] = k[4];
	*other = (proto){ .code = twice, .constants = k, .nr_regs = 2, .nr_params = 1 };
	*main_proto = (proto){ .code = code, .constants = k, .nr_regs = 8 };
	main_proto->protos = new_array(proto *, 1);
	main_proto->protos[0] = other;
	a = run_threaded(m, main_proto);
	b = run_switched(m, main_proto);
	printf("%ld %ld %lu %lu\n", (long)a, (long)b, (unsigned long)mark_all(m),
	       (unsigned long)m->executed);
	return 0;
}
