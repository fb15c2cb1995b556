// SPDX-License-Identifier: GPL-2.0-or-later
/* A stack machine over tagged values and a packet header: unions, bit-fields, anonymous members. */
#include <stdio.h>
#include <string.h>

#include "truth.h"

enum tag { NIL, INTEGER, REAL, TEXT, PAIR };

struct text {
	unsigned int length;
	char bytes[];
};

struct value {
	enum tag tag;
	union {
		long integer;
		double real;
		struct text *text;
		struct pair *pair;
	};
};

struct pair {
	struct value head, tail;
};

struct machine {
	struct value stack[32];
	struct value *top;
	unsigned long executed;
};

struct header {
	unsigned int version : 4, length : 4;
	unsigned int urgent : 1, more : 1, offset : 13;
	unsigned short checksum;
	union {
		struct {
			unsigned short port, window;
		} tcp;
		unsigned int spi;
		unsigned char raw[4];
	} u;
	unsigned long long sequence : 48, spare : 16;
};

static void push(struct machine *m, struct value v)
{
	*m->top++ = v;
}

static struct value pop(struct machine *m)
{
	return *--m->top;
}

static void push_integer(struct machine *m, long i)
{
	m->top->tag = INTEGER;
	m->top->integer = i;
	m->top++;
}

static void push_text(struct machine *m, const char *text)
{
	size_t length = strlen(text);
	struct text *t = new_flexible(struct text, length);

	t->length = (unsigned int)length;
	memcpy(t->bytes, text, length);
	m->top->tag = TEXT;
	m->top->text = t;
	m->top++;
}

static void add(struct machine *m)
{
	struct value b = pop(m), a = pop(m), sum = { NIL, { 0 } };

	if (a.tag == INTEGER && b.tag == INTEGER) {
		sum.tag = INTEGER;
		sum.integer = a.integer + b.integer;
	} else {
		sum.tag = REAL;
		sum.real = (a.tag == REAL ? a.real : (double)a.integer) +
			   (b.tag == REAL ? b.real : (double)b.integer);
	}
	push(m, sum);
	m->executed++;
}

static void cons(struct machine *m)
{
	struct pair *pair = create(struct pair);

	pair->tail = pop(m);
	pair->head = pop(m);
	m->top->tag = PAIR;
	m->top->pair = pair;
	m->top++;
	m->executed++;
}

static long weight(const struct value *v)
{
	long sum = 0;

	switch (v->tag) {
	case NIL:
		return 0;
	case INTEGER:
		return v->integer;
	case REAL:
		return (long)(v->real * 10);
	case TEXT:
		for (unsigned int i = 0; i < v->text->length; i++)
			sum += v->text->bytes[i];
		return sum;
	case PAIR:
		return weight(&v->pair->head) + weight(&v->pair->tail);
	}
	return -1;
}

static unsigned int parse(const struct header *h)
{
	unsigned int sum = h->version + h->length * 4;

	if (h->more)
		sum += h->offset;
	if (h->urgent)
		sum += h->u.raw[1];
	else if (h->version == 4)
		sum += h->u.tcp.port ^ h->u.tcp.window;
	else
		sum += h->u.spi;
	return sum + (unsigned int)h->sequence + h->checksum;
}

static void make(struct header *h, unsigned int i)
{
	h->version = i % 2 ? 4 : 6;
	h->length = i & 7;
	h->urgent = i % 5 == 0;
	h->more = i % 3 == 0;
	h->offset = i * 11;
	h->checksum = (unsigned short)(i * 257);
	if (i % 2) {
		h->u.tcp.port = 80;
		h->u.tcp.window = (unsigned short)(i << 4);
	} else {
		h->u.spi = i;
	}
	h->sequence += i * 1000ull;
	h->spare = i;
}

int main(void)
{
	struct machine *m = create(struct machine);
	struct header *headers = new_array(struct header, 16);
	struct value nil = { NIL, { 0 } };
	unsigned int sum = 0;

	m->top = m->stack;
	push(m, nil);
	for (int i = 0; i < 8; i++) {
		push_integer(m, i);
		push_integer(m, i * i);
		add(m);
		if (i % 3 == 0) {
			struct value half = { REAL, { .real = 0.5 } };

			push(m, half);
			add(m);
		}
		if (i % 4 == 1)
			push_text(m, "some text");
		cons(m);
	}
	for (unsigned int i = 0; i < 16; i++)
		make(&headers[i], i);
	for (unsigned int i = 0; i < 16; i++)
		sum += parse(&headers[i]);
	printf("%ld %ld %lu %u\n", (long)(m->top - m->stack), weight(m->top - 1) + weight(m->stack),
	       m->executed, sum);
	return 0;
}
