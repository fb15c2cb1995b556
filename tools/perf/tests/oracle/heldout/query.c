// SPDX-License-Identifier: GPL-2.0-or-later
/* A query planner in the small: nodes that begin with a tag, lists with a header before the cells, memory contexts. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

#define NOINLINE __attribute__((noinline))

typedef enum NodeTag {
	T_Invalid,
	T_Const,
	T_Column,
	T_OpExpr,
	T_BoolExpr,
	T_FuncCall,
	T_Scan,
	T_Join,
	T_Sort,
	T_List
} NodeTag;

typedef struct Node {
	NodeTag type;
} Node;

typedef uintptr_t Datum;

typedef struct Const {
	NodeTag type;
	bool isnull;
	unsigned char typlen;
	double selectivity;
	Datum value;
} Const;

typedef struct Column {
	NodeTag type;
	uint16_t relation, attno;
	uint32_t flags;
	const char *name;
} Column;

typedef union Cell {
	void *ptr;
	int64_t integer;
	uint32_t oid;
} Cell;

typedef struct List {
	NodeTag type;
	int length, max;
	Cell *cells;
	Cell initial[3];
} List;

typedef struct OpExpr {
	NodeTag type;
	int opno;
	List *args;
	double cost;
} OpExpr;

typedef struct BoolExpr {
	NodeTag type;
	char kind;
	List *args;
} BoolExpr;

typedef struct FuncCall {
	NodeTag type;
	short funcid, nargs;
	double (*call)(double, double);
	List *args;
	double cost;
} FuncCall;

typedef struct Plan {
	NodeTag type;
	double startup, total;
	uint64_t rows;
	int width;
	struct Plan *outer, *inner;
	List *quals;
} Plan;

typedef struct Scan {
	Plan plan;
	unsigned int relid;
	double pages;
} Scan;

typedef struct Join {
	Plan plan;
	int kind;
	bool unique;
	List *clauses;
} Join;

typedef struct Sort {
	Plan plan;
	short ncols;
	uint16_t cols[4];
	double memory;
} Sort;

typedef struct Relation {
	uint32_t id;
	uint16_t natts;
	uint64_t tuples;
	float density;
	struct {
		const char *name;
		double distinct;
		uint8_t align, len;
	} atts[4];
} Relation;

#define IsA(n, T)   (((const Node *)(n))->type == T_##T)
#define makeNode(T) ((T *)tagged(create(T), T_##T))

static Relation relations[4];
static uint64_t seed = 88172645463325252ull;

NOINLINE void *tagged(void *p, NodeTag tag)
{
	((Node *)p)->type = tag;
	return p;
}

static uint32_t rnd(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 11) % n;
}

NOINLINE List *lappend(List *l, void *datum)
{
	if (!l) {
		l = makeNode(List);
		l->max = 3;
		l->cells = l->initial;
	}
	if (l->length == l->max) {
		Cell *cells = new_array(Cell, l->max * 2);
		memcpy(cells, l->cells, (size_t)l->length * sizeof(Cell));
		if (l->cells != l->initial)
			truth_free(l->cells);
		l->cells = cells;
		l->max *= 2;
	}
	l->cells[l->length++].ptr = datum;
	return l;
}

NOINLINE Node *make_const(double s, Datum value)
{
	Const *c = makeNode(Const);
	c->selectivity = s;
	c->value = value;
	c->typlen = value > 255 ? 8 : 4;
	c->isnull = value == 7;
	return (Node *)c;
}

NOINLINE Node *make_column(int relation, int attno)
{
	Column *v = makeNode(Column);
	v->relation = (uint16_t)relation;
	v->attno = (uint16_t)attno;
	v->name = relations[relation].atts[attno].name;
	return (Node *)v;
}

static double add(double a, double b)
{
	return a + b * 0.5;
}

NOINLINE Node *make_expr(int depth)
{
	switch (depth ? rnd(5) : rnd(2)) {
	case 0:
		return make_const(rnd(100) / 100.0, rnd(1000));
	case 1:
		return make_column((int)rnd(4), (int)rnd(4));
	case 2: {
		OpExpr *op = makeNode(OpExpr);
		op->opno = (int)rnd(16);
		op->args = lappend(lappend(NULL, make_expr(depth - 1)), make_expr(depth - 1));
		return (Node *)op;
	}
	case 3: {
		BoolExpr *b = makeNode(BoolExpr);
		b->kind = (char)rnd(3);
		for (int i = 0; i < 4; i++)
			b->args = lappend(b->args, make_expr(depth - 1));
		return (Node *)b;
	}
	default: {
		FuncCall *f = makeNode(FuncCall);
		f->funcid = (short)rnd(30);
		f->call = add;
		f->nargs = 2;
		f->args = lappend(lappend(NULL, make_expr(depth - 1)), make_expr(depth - 1));
		return (Node *)f;
	}
	}
}

NOINLINE double clause_selectivity(const Node *n)
{
	double s = 1;
	if (n == NULL)
		return s;
	switch (n->type) {
	case T_Const:
		return ((const Const *)n)->isnull ? 0 : ((const Const *)n)->selectivity;
	case T_Column: {
		const Column *v = (const Column *)n;
		return 1 / (1 + relations[v->relation].atts[v->attno].distinct);
	}
	case T_OpExpr:
		for (int i = 0; i < ((const OpExpr *)n)->args->length; i++)
			s *= clause_selectivity(((const OpExpr *)n)->args->cells[i].ptr);
		return s;
	case T_BoolExpr: {
		const BoolExpr *b = (const BoolExpr *)n;
		for (int i = 0; i < b->args->length; i++) {
			double t = clause_selectivity(b->args->cells[i].ptr);
			s = b->kind == 0 ? s * t : b->kind == 1 ? s + t - s * t : 1 - t;
		}
		return s;
	}
	case T_FuncCall: {
		const FuncCall *f = (const FuncCall *)n;
		return f->call(clause_selectivity(f->args->cells[0].ptr),
			       clause_selectivity(f->args->cells[1].ptr));
	}
	default:
		return 0.5;
	}
}

/* The walker of a planner: casts in each expression, one callback. */
typedef bool (*walker)(Node *, void *);
NOINLINE bool expression_walk(Node *n, walker walk, void *context)
{
	List *args = NULL;
	if (!n)
		return false;
	if (IsA(n, OpExpr))
		args = ((OpExpr *)n)->args;
	else if (IsA(n, BoolExpr))
		args = ((BoolExpr *)n)->args;
	else if (IsA(n, FuncCall))
		args = ((FuncCall *)n)->args;
	if (args)
		for (Cell *c = args->cells; c < args->cells + args->length; c++)
			if (walk(c->ptr, context))
				return true;
	return false;
}

struct counts {
	int columns, nulls;
	uint32_t attributes;
	double cost;
};

NOINLINE bool count_walker(Node *n, void *context)
{
	struct counts *c = context;
	if (IsA(n, Column)) {
		c->columns++;
		c->attributes |= 1u << ((Column *)n)->attno;
		((Column *)n)->flags |= 1;
	} else if (IsA(n, Const)) {
		c->nulls += ((Const *)n)->isnull;
	} else if (IsA(n, OpExpr)) {
		c->cost += (((OpExpr *)n)->cost = ((OpExpr *)n)->opno * 0.25);
	} else if (IsA(n, FuncCall)) {
		((FuncCall *)n)->cost = ((FuncCall *)n)->funcid;
		c->cost += ((FuncCall *)n)->cost;
	}
	return expression_walk(n, count_walker, context);
}

NOINLINE bool equal(const Node *a, const Node *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->type != b->type)
		return false;
	if (a->type == T_Const)
		return ((const Const *)a)->value == ((const Const *)b)->value;
	if (a->type == T_Column)
		return ((const Column *)a)->relation == ((const Column *)b)->relation &&
		       ((const Column *)a)->attno == ((const Column *)b)->attno;
	if (a->type == T_OpExpr && ((const OpExpr *)a)->opno != ((const OpExpr *)b)->opno)
		return false;
	return a->type == T_OpExpr && equal(((const OpExpr *)a)->args->cells[1].ptr,
					    ((const OpExpr *)b)->args->cells[1].ptr);
}

NOINLINE Plan *make_scan(unsigned int relid)
{
	Scan *s = makeNode(Scan);
	s->relid = relid;
	s->pages = (double)relations[relid].tuples / 100;
	s->plan.rows = relations[relid].tuples;
	s->plan.width = relations[relid].natts * 8;
	s->plan.total = s->pages + (double)s->plan.rows * 0.01;
	for (int i = 0; i < 2; i++)
		s->plan.quals = lappend(s->plan.quals, make_expr(3));
	return &s->plan;
}

NOINLINE Plan *make_join(Plan *outer, Plan *inner)
{
	Join *j = makeNode(Join);
	j->plan.outer = outer;
	j->plan.inner = inner;
	j->kind = (int)rnd(3);
	j->unique = outer->rows < inner->rows;
	j->clauses = lappend(NULL, make_expr(2));
	j->plan.startup = outer->startup + inner->total;
	j->plan.total = j->plan.startup + outer->total * (double)inner->rows * 0.001;
	return (Plan *)j;
}

NOINLINE void set_costs(Plan *p)
{
	List *quals = p->quals;
	double s = 1;
	if (p->outer)
		set_costs(p->outer);
	if (p->inner)
		set_costs(p->inner);
	if (p->type == T_Join && ((Join *)p)->unique)
		quals = ((Join *)p)->clauses;
	for (int i = 0; quals && i < quals->length; i++)
		s *= clause_selectivity(quals->cells[i].ptr);
	if (p->type == T_Scan)
		p->total += ((Scan *)p)->pages * s;
	else if (p->type == T_Sort)
		p->startup = p->total +=
			(((Sort *)p)->memory = (double)p->rows * p->width) * ((Sort *)p)->ncols;
	p->rows = (uint64_t)((double)p->rows * s) + 1;
}

NOINLINE Plan *make_sort(Plan *child)
{
	Sort *s = makeNode(Sort);
	s->plan.outer = child;
	s->plan.rows = child->rows;
	s->plan.width = child->width;
	for (int i = 0; i < 3; i++)
		s->cols[s->ncols++] = (uint16_t)rnd(9);
	return (Plan *)s;
}

int main(void)
{
	struct counts counts = { 0 };
	double sum = 0;
	static const char *const names[] = { "id", "owner", "size", "when" };

	for (int i = 0; i < 4; i++) {
		relations[i].id = (uint32_t)i + 1;
		relations[i].natts = (uint16_t)(i + 4);
		relations[i].tuples = 1000u * (unsigned)(i + 1);
		relations[i].density = 0.5f * (float)i;
		for (int a = 0; a < 4; a++) {
			relations[i].atts[a].name = names[a];
			relations[i].atts[a].distinct = a * 3;
			relations[i].atts[a].len = (uint8_t)(4 << (a & 1));
		}
	}
	for (int round = 0; round < 12; round++) {
		Plan *p = make_sort(make_join(make_scan(rnd(4)), make_scan(rnd(4))));
		set_costs(p);
		sum += p->total;
		for (int i = 0; i < p->outer->outer->quals->length; i++) {
			Node *q = p->outer->outer->quals->cells[i].ptr;
			count_walker(q, &counts);
			sum += equal(q, p->outer->inner->quals->cells[i].ptr);
		}
	}
	printf("%.3f %d %d %x %.2f\n", sum, counts.columns, counts.nulls, counts.attributes,
	       counts.cost);
	return 0;
}
