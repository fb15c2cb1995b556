// SPDX-License-Identifier: GPL-2.0-or-later
/* A store of keys and values: a B-tree, tagged values, a log with va_list, a table of states. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
#include <string.h>
#include "truth.h"
#define NOINLINE __attribute__((noinline))

/* B-tree */
#define ORDER 7

struct bnode {
	short n;
	char leaf;
	long keys[ORDER];
	void *vals[ORDER];
	struct bnode *kids[ORDER + 1];
};

struct btree {
	struct bnode *root;
	size_t count;
	int height;
};

NOINLINE static int locate(const struct bnode *b, long key)
{
	int lo = 0, hi = b->n;
	while (lo < hi) {
		int m = (lo + hi) / 2;
		if (b->keys[m] < key)
			lo = m + 1;
		else
			hi = m;
	}
	return lo;
}

NOINLINE static struct bnode *new_node(int leaf)
{
	struct bnode *b = create(struct bnode);
	memset(b, 0, sizeof(*b));
	b->leaf = (char)leaf;
	return b;
}

NOINLINE static void split(struct bnode *p, int i)
{
	struct bnode *c = p->kids[i], *r = new_node(c->leaf);
	r->n = ORDER / 2;
	c->n = ORDER / 2;
	memcpy(r->keys, c->keys + ORDER / 2 + 1, (ORDER / 2) * sizeof(long));
	memcpy(r->vals, c->vals + ORDER / 2 + 1, (ORDER / 2) * sizeof(void *));
	if (!c->leaf)
		memcpy(r->kids, c->kids + ORDER / 2 + 1, (ORDER / 2 + 1) * sizeof(void *));
	memmove(p->kids + i + 2, p->kids + i + 1, (size_t)(p->n - i) * sizeof(void *));
	memmove(p->keys + i + 1, p->keys + i, (size_t)(p->n - i) * sizeof(long));
	memmove(p->vals + i + 1, p->vals + i, (size_t)(p->n - i) * sizeof(void *));
	p->kids[i + 1] = r;
	p->keys[i] = c->keys[ORDER / 2];
	p->vals[i] = c->vals[ORDER / 2];
	p->n++;
}

NOINLINE static void insert(struct btree *t, long key, void *val)
{
	struct bnode *b;
	if (t->root->n == ORDER) {
		struct bnode *top = new_node(0);
		top->kids[0] = t->root;
		t->root = top;
		t->height++;
		split(top, 0);
	}
	for (b = t->root; !b->leaf;) {
		int i = locate(b, key);
		if (b->kids[i]->n == ORDER) {
			split(b, i);
			if (b->keys[i] < key)
				i++;
		}
		b = b->kids[i];
	}
	int i = b->n++;
	for (; i > 0 && b->keys[i - 1] > key; i--) {
		b->keys[i] = b->keys[i - 1];
		b->vals[i] = b->vals[i - 1];
	}
	b->keys[i] = key;
	b->vals[i] = val;
	t->count++;
}

NOINLINE static void *find(const struct btree *t, long key)
{
	for (struct bnode *b = t->root; b;) {
		int i = locate(b, key);
		if (i < b->n && b->keys[i] == key)
			return b->vals[i];
		b = b->kids[i];
	}
	return NULL;
}

NOINLINE static long total(const struct bnode *b)
{
	long s = 0;
	if (!b)
		return 0;
	for (int i = 0; i <= b->n; i++) {
		s += total(b->kids[i]);
		if (i < b->n)
			s += b->keys[i];
	}
	return s;
}

/* tagged values */
enum tag { NIL, NUM, INT, STR, LIST, PAIR };
struct value;
struct str {
	uint32_t len, hash;
	char text[];
};

struct list {
	size_t nr, room;
	struct value *at;
};

struct value {
	uint8_t tag;
	uint8_t mark : 1, frozen : 1;
	union {
		double num;
		int64_t i;
		struct str *str;
		struct list *list;
		struct {
			struct value *car, *cdr;
		} pair;
	} u;
};

NOINLINE static struct value *make(enum tag tag)
{
	struct value *v = create(struct value);
	memset(v, 0, sizeof(*v));
	v->tag = (uint8_t)tag;
	return v;
}

NOINLINE static struct value *of_text(const char *s)
{
	size_t n = strlen(s);
	struct value *v = make(STR);
	v->u.str = new_flexible(struct str, n + 1);
	v->u.str->len = (uint32_t)n;
	v->u.str->hash = 5381;
	memcpy(v->u.str->text, s, n + 1);
	for (size_t i = 0; i < n; i++)
		v->u.str->hash = v->u.str->hash * 33 ^ (uint8_t)v->u.str->text[i];
	return v;
}

NOINLINE static void append(struct value *l, const struct value *x)
{
	struct list *p = l->u.list;
	if (p->nr == p->room) {
		p->room = p->room ? p->room * 2 : 2;
		p->at = truth_realloc(p->at, p->room * sizeof(*p->at), "struct value", p->room);
	}
	p->at[p->nr++] = *x;
}

NOINLINE static double weigh(const struct value *v)
{
	double s = 0;
	switch (v->tag) {
	case NUM:
		return v->u.num;
	case INT:
		return (double)v->u.i;
	case STR:
		return v->u.str->len + v->u.str->text[0] + (v->u.str->hash & 15);
	case LIST:
		for (size_t i = 0; i < v->u.list->nr; i++)
			s += weigh(&v->u.list->at[i]);
		return s;
	case PAIR:
		for (; v && v->tag == PAIR; v = v->u.pair.cdr)
			s += weigh(v->u.pair.car);
		return s + (v ? weigh(v) : 0);
	default:
		return v->mark ? 1 : 0;
	}
}

NOINLINE static void mark(struct value *v)
{
	if (!v || v->mark)
		return;
	v->mark = 1;
	if (v->tag == PAIR) {
		mark(v->u.pair.car);
		mark(v->u.pair.cdr);
	} else if (v->tag == LIST)
		for (struct value *p = v->u.list->at, *e = p + v->u.list->nr; p < e; p++)
			mark(p);
}

/* logging with va_list */
struct log {
	unsigned n, lost;
	char lines[8][32];
	long stamps[8];
};

NOINLINE static void vsay(struct log *l, const char *f, va_list ap)
{
	unsigned i = l->n++ % 8;
	char *out = l->lines[i], *end = out + sizeof(l->lines[0]) - 1;
	for (; *f && out < end; f++) {
		if (*f != '%') {
			*out++ = *f;
			continue;
		}
		switch (*++f) {
		case 'd': {
			int d = va_arg(ap, int);
			*out++ = (char)('0' + d % 10);
			break;
		}
		case 'l': {
			long d = va_arg(ap, long);
			l->stamps[i] = d;
			break;
		}
		case 'v': {
			struct value *v = va_arg(ap, struct value *);
			*out++ = (char)('a' + v->tag);
			break;
		}
		case 's': {
			const char *s = va_arg(ap, const char *);
			while (*s && out < end)
				*out++ = *s++;
			break;
		}
		}
	}
	*out = 0;
}

NOINLINE static void say(struct log *l, const char *f, ...)
{
	va_list ap;
	va_start(ap, f);
	vsay(l, f, ap);
	va_end(ap);
	if (l->n > 8)
		l->lost++;
}

/* state machine by table */
struct ctx {
	int state, depth;
	long out[4];
	const unsigned char *p;
};

typedef int (*step_fn)(struct ctx *, int);
NOINLINE static int s_num(struct ctx *c, int ch)
{
	c->out[0] = c->out[0] * 10 + ch - '0';
	return 1;
}

NOINLINE static int s_sep(struct ctx *c, int ch)
{
	c->out[1]++;
	c->out[3 - (ch & 1)] += c->out[0];
	c->out[0] = 0;
	return 0;
}

NOINLINE static int s_par(struct ctx *c, int ch)
{
	c->depth += ch == '(' ? 1 : -1;
	return c->depth > 3 ? 2 : c->state;
}

static const struct {
	unsigned char lo, hi;
	step_fn f;
} rules[] = { { '0', '9', s_num }, { ',', ';', s_sep }, { '(', ')', s_par } };

NOINLINE static long runm(struct ctx *c, const char *s)
{
	for (c->p = (const unsigned char *)s; *c->p; c->p++)
		for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
			if (*c->p >= rules[i].lo && *c->p <= rules[i].hi) {
				c->state = rules[i].f(c, *c->p);
				break;
			}
	return c->out[2] * 3 + c->out[3] + c->depth;
}

int main(void)
{
	struct btree *t = create(struct btree);
	long s = 0;
	double d = 0;
	struct log *l = create(struct log);
	struct ctx *c = create(struct ctx);
	memset(l, 0, sizeof(*l));
	memset(c, 0, sizeof(*c));
	t->count = 0;
	t->height = 1;
	t->root = new_node(1);
	for (long i = 0; i < 20; i++)
		insert(t, i * 73 % 211, (void *)(i + 1));
	for (long i = 0; i < 20; i++)
		s += (long)find(t, i);
	s += total(t->root) + t->height;
	struct value *list = make(LIST), *head = NULL;
	list->u.list = create(struct list);
	memset(list->u.list, 0, sizeof(*list->u.list));
	for (int i = 0; i < 9; i++) {
		struct value *v = i % 3 == 0   ? make(NUM)
				  : i % 3 == 1 ? make(INT)
					       : of_text("hello");
		if (i % 3 == 0)
			v->u.num = i * 1.5;
		else if (i % 3 == 1)
			v->u.i = i;
		append(list, v);
		struct value *p = make(PAIR);
		p->u.pair.car = v;
		p->u.pair.cdr = head;
		head = p;
		say(l, "%d x %v %s%l", i, v, "abc", (long)i);
	}
	d += weigh(list) + weigh(head);
	mark(head);
	mark(list);
	d += weigh(make(NIL));
	s += runm(c, "12,34;(5,6),((7))");
	printf("%ld %.2f %s %u\n", s, d, l->lines[2], l->lost);
	return 0;
}
