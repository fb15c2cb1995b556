// SPDX-License-Identifier: GPL-2.0-or-later
/* Dynamic values: numbers and pointers in one word (NaN boxing), strings with their length in front, open tables. */
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

#define NOINLINE __attribute__((noinline))

typedef uint64_t val;
#define BOX_TAG	   0xfffc000000000000ull
#define BOX_MASK   0x0003ffffffffffffull
#define V_NIL	   (0x7ffcull << 48 | 1)
#define V_TRUE	   (0x7ffcull << 48 | 2)
#define V_FALSE	   (0x7ffcull << 48 | 3)
#define is_obj(v)  (((v)&BOX_TAG) == BOX_TAG)
#define as_obj(v)  ((struct obj *)(uintptr_t)((v)&BOX_MASK))
#define obj_val(o) (BOX_TAG | (uint64_t)(uintptr_t)(o))
#define is_num(v)  (((v)&0x7ffc000000000000ull) != 0x7ffc000000000000ull)

enum kind { O_STRING, O_ARRAY, O_TABLE, O_CLOSURE };

struct obj {
	uint8_t kind, mark;
	uint16_t flags;
	struct obj *next;
};

/* A string's characters; its header is in front of them. */
struct strhdr {
	uint32_t len, cap;
	uint32_t hash;
	uint8_t kind;
	char text[];
};
typedef char *str;

struct ostring {
	struct obj head;
	str chars;
};

struct oarray {
	struct obj head;
	uint32_t nr, room;
	val *items;
};

struct entry {
	val key, value;
};

struct otable {
	struct obj head;
	uint32_t count, mask;
	struct entry *entries;
	struct otable *proto;
};

struct closure {
	struct obj head;
	val (*call)(struct closure *, val);
	int arity;
	val captured[2];
};

struct machine {
	val stack[64], *top;
	struct obj *all;
	size_t nr_objects;
	jmp_buf on_error;
	const char *error;
	struct otable *globals;
};

static inline double as_num(val v)
{
	double d;
	memcpy(&d, &v, sizeof(d));
	return d;
}

static inline val num_val(double d)
{
	val v;
	memcpy(&v, &d, sizeof(v));
	return v;
}

#define STR_HDR(s) ((struct strhdr *)((s)-offsetof(struct strhdr, text)))

NOINLINE str str_new(const char *text, uint32_t len)
{
	struct strhdr *h = new_flexible(struct strhdr, len + 1);
	h->len = h->cap = len;
	h->hash = 2166136261u;
	for (uint32_t i = 0; i < len; i++) {
		h->text[i] = text[i];
		h->hash = (h->hash ^ (uint8_t)text[i]) * 16777619u;
	}
	h->text[len] = 0;
	return h->text;
}

NOINLINE uint32_t str_len(const char *s)
{
	return ((const struct strhdr *)(s - offsetof(struct strhdr, text)))->len;
}

NOINLINE str str_cat(str a, const char *b)
{
	uint32_t n = str_len(a), m = (uint32_t)strlen(b);
	struct strhdr *h = STR_HDR(a);
	if (h->cap < n + m) {
		h = truth_realloc(h, sizeof(*h) + 2 * (n + m) + 1, "struct strhdr", 1);
		h->cap = 2 * (n + m);
	}
	memcpy(h->text + n, b, m + 1);
	h->len = n + m;
	h->hash ^= m;
	return h->text;
}

NOINLINE void *obj_init(struct machine *m, void *p, enum kind kind)
{
	struct obj *o = p;
	o->kind = (uint8_t)kind;
	o->next = m->all;
	m->all = o;
	m->nr_objects++;
	return o;
}

NOINLINE val new_string(struct machine *m, const char *text)
{
	struct ostring *s = obj_init(m, create(struct ostring), O_STRING);
	s->chars = str_new(text, (uint32_t)strlen(text));
	return obj_val(s);
}

NOINLINE void throw(struct machine * m, const char *why)
{
	m->error = why;
	longjmp(m->on_error, 1);
}

NOINLINE uint32_t hash_of(val v)
{
	if (is_obj(v) && as_obj(v)->kind == O_STRING)
		return STR_HDR(((struct ostring *)as_obj(v))->chars)->hash;
	return (uint32_t)(v ^ v >> 32) * 2654435761u;
}

NOINLINE bool same(val a, val b)
{
	if (a == b)
		return true;
	if (!is_obj(a) || !is_obj(b) || as_obj(a)->kind != O_STRING || as_obj(b)->kind != O_STRING)
		return false;
	return str_len(((struct ostring *)as_obj(a))->chars) ==
		       str_len(((struct ostring *)as_obj(b))->chars) &&
	       !strcmp(((struct ostring *)as_obj(a))->chars, ((struct ostring *)as_obj(b))->chars);
}

NOINLINE struct entry *find_slot(struct entry *entries, uint32_t mask, val key)
{
	uint32_t i = hash_of(key) & mask;
	while (entries[i].key != V_NIL && !same(entries[i].key, key))
		i = (i + 1) & mask;
	return &entries[i];
}

NOINLINE struct otable *new_table(struct machine *m, struct otable *proto)
{
	struct otable *t = obj_init(m, create(struct otable), O_TABLE);
	t->mask = 3;
	t->entries = new_array(struct entry, 4);
	for (uint32_t i = 0; i < 4; i++)
		t->entries[i].key = V_NIL;
	t->proto = proto;
	return t;
}

NOINLINE void table_set(struct otable *t, val key, val value)
{
	struct entry *e;
	if ((t->count + 1) * 4 > (t->mask + 1) * 3) {
		uint32_t mask = t->mask * 2 + 1;
		struct entry *fresh = new_array(struct entry, mask + 1);
		for (uint32_t i = 0; i <= mask; i++)
			fresh[i].key = V_NIL;
		for (uint32_t i = 0; i <= t->mask; i++)
			if (t->entries[i].key != V_NIL)
				*find_slot(fresh, mask, t->entries[i].key) = t->entries[i];
		truth_free(t->entries);
		t->entries = fresh;
		t->mask = mask;
	}
	e = find_slot(t->entries, t->mask, key);
	t->count += e->key == V_NIL;
	e->key = key;
	e->value = value;
}

NOINLINE val table_get(const struct otable *t, val key)
{
	for (; t; t = t->proto) {
		const struct entry *e = find_slot(t->entries, t->mask, key);
		if (e->key != V_NIL)
			return e->value;
	}
	return V_NIL;
}

NOINLINE val get(struct machine *m, val object, val key)
{
	if (!is_obj(object))
		throw(m, "not an object");
	switch (as_obj(object)->kind) {
	case O_TABLE:
		return table_get((struct otable *)as_obj(object), key);
	case O_ARRAY: {
		struct oarray *a = (struct oarray *)as_obj(object);
		uint32_t i = (uint32_t)as_num(key);
		if (i >= a->nr)
			throw(m, "out of range");
		return a->items[i];
	}
	case O_STRING:
		return num_val(((struct ostring *)as_obj(object))->chars[(int)as_num(key)]);
	default:
		return V_NIL;
	}
}

NOINLINE void push(struct machine *m, val v)
{
	*m->top++ = v;
}
NOINLINE val pop(struct machine *m)
{
	return *--m->top;
}

NOINLINE void array_add(struct oarray *a, val v)
{
	if (a->nr == a->room) {
		a->room = a->room ? a->room * 2 : 4;
		a->items = truth_realloc(a->items, a->room * sizeof(val), "val", a->room);
	}
	a->items[a->nr++] = v;
}

NOINLINE val sum_call(struct closure *c, val argument)
{
	if (is_num(argument))
		c->captured[0] = num_val(as_num(c->captured[0]) + as_num(argument));
	else
		c->captured[1] = argument;
	c->head.flags++;
	return c->captured[0];
}

NOINLINE double attempt(struct machine *m, val object, int nr)
{
	volatile int done = 0;
	double sum = 0;
	struct obj *before = m->all;
	if (setjmp(m->on_error)) {
		m->top = m->stack;
		return -done - (double)before->flags;
	}
	for (int i = 0; i < nr; i++) {
		push(m, get(m, object, num_val(i)));
		done++;
		if (is_num(m->top[-1]))
			sum += as_num(pop(m));
	}
	return sum;
}

NOINLINE void mark(struct obj *o)
{
	if (o->mark)
		return;
	o->mark = 1;
	if (o->kind == O_ARRAY) {
		struct oarray *a = (struct oarray *)o;
		for (uint32_t i = 0; i < a->nr; i++)
			if (is_obj(a->items[i]))
				mark(as_obj(a->items[i]));
	} else if (o->kind == O_TABLE) {
		struct otable *t = (struct otable *)o;
		for (struct entry *e = t->entries; e <= t->entries + t->mask; e++) {
			if (is_obj(e->key))
				mark(as_obj(e->key));
			if (is_obj(e->value))
				mark(as_obj(e->value));
		}
		if (t->proto)
			mark(&t->proto->head);
	} else if (o->kind == O_CLOSURE && is_obj(((struct closure *)o)->captured[1])) {
		mark(as_obj(((struct closure *)o)->captured[1]));
	}
}

NOINLINE size_t sweep(struct machine *m)
{
	size_t freed = 0;
	for (struct obj **p = &m->all; *p;) {
		struct obj *o = *p;
		if (o->mark) {
			o->mark = 0;
			p = &o->next;
			continue;
		}
		*p = o->next;
		if (o->kind == O_STRING)
			truth_free(STR_HDR(((struct ostring *)o)->chars));
		truth_free(o);
		freed++;
	}
	return freed;
}

int main(void)
{
	struct machine *m = create(struct machine);
	double sum = 0;
	struct oarray *a;
	struct closure *c;

	m->top = m->stack;
	m->globals = new_table(m, new_table(m, NULL));
	a = obj_init(m, create(struct oarray), O_ARRAY);
	c = obj_init(m, create(struct closure), O_CLOSURE);
	c->call = sum_call;
	c->captured[0] = num_val(0);
	table_set(m->globals, new_string(m, "items"), obj_val(a));
	for (int i = 0; i < 24; i++) {
		char name[16];
		snprintf(name, sizeof(name), "name%d", i);
		array_add(a, i % 3 ? num_val(i * 1.5) : new_string(m, name));
		table_set(i & 1 ? m->globals : m->globals->proto, new_string(m, name), num_val(i));
		sum += as_num(c->call(c, a->items[i]));
	}
	((struct ostring *)as_obj(a->items[3]))->chars =
		str_cat(((struct ostring *)as_obj(a->items[3]))->chars, "-and-more");
	sum += str_len(((struct ostring *)as_obj(a->items[3]))->chars);
	sum += attempt(m, obj_val(a), 24) + attempt(m, obj_val(a), 30) + attempt(m, a->items[3], 4);
	sum += as_num(get(m, obj_val(m->globals), new_string(m, "name6")));
	m->top = m->stack;
	mark(&m->globals->head);
	mark(&c->head);
	printf("%.2f %zu of %zu %s\n", sum, sweep(m), m->nr_objects, m->error);
	return 0;
}
