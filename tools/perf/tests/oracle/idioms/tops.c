// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks whose top is a pointer in a variable: a parser's values, an evaluator's cells, the scopes of a checker. The
 * elements below the top are at constant negative distances.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

/* As yacc makes it: a union of a word for what the rules give each other. */
union semantic {
	struct node *node;
	const char *name;
	int number;
	unsigned short flags;
};

struct node {
	struct node *left, *right;
	const char *name;
	int op, number;
};

struct values {
	long depth;
	short *states;
	union semantic *base, *top, *last;
};

static struct values values;
static int depth_seen;

__attribute__((noinline)) static struct node *node(int op, struct node *left, struct node *right)
{
	struct node *n = create(struct node);

	n->op = op;
	n->left = left;
	n->right = right;
	return n;
}

enum rule { NUMBER, NAME, SUM, PRODUCT, CHOICE, CALL, FLAGS, NR_RULES };

/* One rule: takes @n values from the top, and puts what it makes of them there. */
__attribute__((noinline)) static void reduce(enum rule rule, int n)
{
	union semantic made = { .node = NULL };

	switch (rule) {
	case NUMBER:
		made.node = node('n', NULL, NULL);
		made.node->number = values.top[0].number + 1;
		break;
	case NAME:
		made.node = node('v', NULL, NULL);
		made.node->name = values.top[0].name;
		break;
	case SUM:
		made.node = node('+', values.top[-2].node, values.top[0].node);
		made.node->number = values.top[-1].number;
		break;
	case PRODUCT:
		made.node = node('*', values.top[-2].node, values.top[0].node);
		made.node->number = values.top[-1].number;
		break;
	case CHOICE:
		made.node = node('?', values.top[-4].node, values.top[-2].node);
		made.node->number = values.top[-3].number + values.top[-1].number;
		made.node->right->left = values.top[0].node;
		break;
	case CALL:
		made.node = node('(', values.top[-3].node, values.top[-1].node);
		made.node->number = values.top[-2].flags;
		break;
	default:
		made.number = values.top[-1].number + values.top[0].flags;
	}
	values.top -= n;
	*++values.top = made;
}

__attribute__((noinline)) static void shift_number(int number)
{
	union semantic v = { .number = number };

	if (values.top == values.last)
		abort();
	*++values.top = v;
	if (values.top - values.base > depth_seen)
		depth_seen = (int)(values.top - values.base);
}

__attribute__((noinline)) static void shift_name(const char *name)
{
	*++values.top = (union semantic){ .name = name };
}

/* An evaluator's cells: its top is in an object, and each instruction changes it. */
struct cell {
	unsigned char kind, used;
	int length;
	union {
		long i;
		double d;
		const char *text;
	} as;
	struct cell *origin;
};

struct machine {
	struct cell *cells, *top;
	long steps;
	double total;
};

__attribute__((noinline)) static void push(struct machine *m, long i)
{
	struct cell *c = ++m->top;

	c->kind = 'i';
	c->length = 8;
	c->as.i = i;
	c->origin = NULL;
}

__attribute__((noinline)) static void add(struct machine *m)
{
	if (m->top[-1].kind == 'i' && m->top->kind == 'i') {
		m->top[-1].as.i += m->top->as.i;
	} else {
		m->top[-1].as.d = (double)m->top[-1].length + m->top->as.d;
		m->top[-1].kind = 'd';
	}
	m->top[-1].used++;
	m->top--;
	m->steps++;
}

/* Takes three, leaves one. */
__attribute__((noinline)) static void choose(struct machine *m)
{
	if (m->top[-2].as.i)
		m->top[-2].as = m->top[-1].as;
	else
		m->top[-2].as = m->top[0].as;
	m->top[-2].origin = m->cells;
	m->top[-2].length = m->top[-1].length;
	m->total += m->top[-1].length;
	m->top -= 2;
	m->steps++;
}

/* A checker's types: the top is a static variable, the elements are long. */
struct kind {
	int base, qualifiers;
	struct kind *of;
};

struct operand {
	struct kind kind;
	unsigned short reg, reg2;
	long value;
	struct node *symbol;
	char note[16];
};

static struct operand operands[32], *vtop = operands;

__attribute__((noinline)) static void load(int base, long value)
{
	vtop++;
	memset(vtop, 0, sizeof(*vtop));
	vtop->kind.base = base;
	vtop->value = value;
	vtop->reg = 1;
}

__attribute__((noinline)) static int combine(int op)
{
	int base = vtop[-1].kind.base > vtop[0].kind.base ? vtop[-1].kind.base : vtop[0].kind.base;

	if (vtop[-1].symbol)
		vtop[-1].note[0] = (char)op;
	if (vtop[-1].reg == vtop->reg)
		vtop[-1].reg2 = vtop->reg;
	vtop[-1].value = op == '+' ? vtop[-1].value + vtop->value : vtop[-1].value * vtop->value;
	vtop[-1].kind.base = base;
	vtop--;
	return base;
}

/* The two on the top change places, and a copy of the lower one is put above them. */
__attribute__((noinline)) static void over(void)
{
	struct operand t = vtop[0];

	vtop[0] = vtop[-1];
	vtop[-1] = t;
	vtop++;
	vtop->value = vtop[-2].value;
	vtop->kind.base = vtop[-2].kind.base;
}

int main(void)
{
	struct machine *m = create(struct machine);
	union semantic *row = new_array(union semantic, 64);
	long sum = 0;

	values.base = values.top = row;
	values.last = row + 63;
	for (int i = 0; i < 6; i++) {
		shift_number(i);
		reduce(NUMBER, 1);
		shift_number(i + 10);
		if (i & 1)
			shift_name("x");
		else
			shift_number(3);
		reduce(i & 1 ? NAME : NUMBER, 1);
		reduce(i & 1 ? SUM : PRODUCT, 3);
	}
	shift_number(7);
	reduce(FLAGS, 2);
	shift_name("f");
	reduce(NAME, 1);
	shift_number(5);
	shift_name("y");
	reduce(NAME, 1);
	shift_number(6);
	reduce(CALL, 4);
	shift_number(1);
	shift_name("a");
	reduce(NAME, 1);
	shift_number(2);
	shift_number(4);
	reduce(NUMBER, 1);
	reduce(CHOICE, 5);

	m->cells = m->top = new_array(struct cell, 16);
	for (int i = 0; i < 5; i++)
		push(m, i * 3);
	add(m);
	choose(m);
	m->top->kind = 'd';
	push(m, 8);
	add(m);
	for (int i = 0; i < 4; i++)
		load(i, i + 2);
	over();
	while (vtop > operands + 1)
		sum = sum * 31 + combine(vtop->value & 1 ? '+' : '*') + vtop->value;
	printf("%d %ld %ld %g %ld %d\n", depth_seen, (long)(values.top - values.base), m->steps,
	       m->total, sum, values.top->node->number);
	return 0;
}
