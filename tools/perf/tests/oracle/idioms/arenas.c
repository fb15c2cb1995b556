// SPDX-License-Identifier: GPL-2.0-or-later
/* A calculator's parser and evaluator, whose nodes, scopes and names come from arenas. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct region {
	struct region *prev;
	char *cur, *end;
};

struct pool {
	struct region *last;
	size_t asked;
	unsigned int nr_regions;
};

#define ALIGN_UP(n) (((n) + 7) & ~(size_t)7)

static struct region *region_add(struct pool *pool, size_t size)
{
	size_t room = size > 960 ? size : 960;
	struct region *r = new_flexible(struct region, room);

	r->cur = (char *)(r + 1);
	r->end = r->cur + room;
	r->prev = pool->last;
	pool->last = r;
	pool->nr_regions++;
	return r;
}

static inline void *pool_alloc(struct pool *pool, size_t size)
{
	struct region *r = pool->last;
	char *at;

	size = ALIGN_UP(size);
	if (!r || (size_t)(r->end - r->cur) < size)
		r = region_add(pool, size);
	at = r->cur;
	r->cur += size;
	pool->asked += size;
	return at;
}

enum node_kind { NODE_NUMBER, NODE_NAME, NODE_BINARY, NODE_LET, NODE_CALL };

struct name {
	struct name *next;
	uint32_t hash, length;
	char text[];
};

struct node {
	enum node_kind kind;
	uint32_t line;
	union {
		long number;
		struct name *name;
		struct {
			struct node *left, *right;
			char op;
		} binary;
		struct {
			struct name *name;
			struct node *value, *body;
		} let;
		struct {
			struct name *function;
			struct node **args;
			int nr_args;
		} call;
	};
};

struct binding {
	struct binding *outer;
	struct name *name;
	long value;
};

struct parser {
	struct pool *pool;
	const char *at;
	uint32_t line;
	struct name *names[16];
};

static struct name *intern(struct parser *p, const char *text, size_t length)
{
	uint32_t hash = 5381;
	struct name *n;

	for (size_t i = 0; i < length; i++)
		hash = hash * 33 + (unsigned char)text[i];
	for (n = p->names[hash % 16]; n; n = n->next)
		if (n->hash == hash && n->length == length && !memcmp(n->text, text, length))
			return n;
	n = pool_alloc(p->pool, sizeof(*n) + length + 1);
	truth_object(n, sizeof(*n) + length + 1, "struct name", 11, 1);
	n->hash = hash;
	n->length = (uint32_t)length;
	memcpy(n->text, text, length);
	n->text[length] = '\0';
	n->next = p->names[hash % 16];
	p->names[hash % 16] = n;
	return n;
}

static struct node *node_new(struct parser *p, enum node_kind kind)
{
	struct node *n = pool_alloc(p->pool, sizeof(struct node));

	placed(n, struct node);
	memset(n, 0, sizeof(*n));
	n->kind = kind;
	n->line = p->line;
	return n;
}

static struct node *parse_sum(struct parser *p);

static void skip(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\n')
		p->line += *p->at++ == '\n';
}

static struct name *parse_name(struct parser *p)
{
	const char *start = p->at;

	while (*p->at >= 'a' && *p->at <= 'z')
		p->at++;
	return intern(p, start, (size_t)(p->at - start));
}

static struct node *parse_call(struct parser *p, struct name *function)
{
	struct node *call = node_new(p, NODE_CALL), *args[8];
	int nr = 0;

	do {
		p->at++;
		args[nr++] = parse_sum(p);
		skip(p);
	} while (*p->at == ',' && nr < 8);
	p->at++;
	call->call.function = function;
	call->call.nr_args = nr;
	call->call.args = pool_alloc(p->pool, nr * sizeof(*args));
	truth_object(call->call.args, nr * sizeof(*args), "struct node *", 13, (size_t)nr);
	for (int i = 0; i < nr; i++)
		call->call.args[i] = args[i];
	return call;
}

static struct node *parse_primary(struct parser *p)
{
	struct node *n;

	skip(p);
	if (*p->at >= '0' && *p->at <= '9') {
		n = node_new(p, NODE_NUMBER);
		while (*p->at >= '0' && *p->at <= '9')
			n->number = n->number * 10 + (*p->at++ - '0');
		return n;
	}
	if (*p->at == '(') {
		p->at++;
		n = parse_sum(p);
		skip(p);
		p->at++;
		return n;
	}
	if (*p->at == '$') {
		p->at++;
		n = node_new(p, NODE_LET);
		n->let.name = parse_name(p);
		skip(p);
		p->at++;
		n->let.value = parse_sum(p);
		skip(p);
		p->at++;
		n->let.body = parse_sum(p);
		return n;
	}
	{
		struct name *name = parse_name(p);

		if (*p->at == '(')
			return parse_call(p, name);
		n = node_new(p, NODE_NAME);
		n->name = name;
	}
	return n;
}

static struct node *parse_binary(struct parser *p, struct node *left,
				 struct node *(*next)(struct parser *))
{
	struct node *n = node_new(p, NODE_BINARY);

	n->binary.op = *p->at++;
	n->binary.left = left;
	n->binary.right = next(p);
	return n;
}

static struct node *parse_product(struct parser *p)
{
	struct node *left = parse_primary(p);

	for (skip(p); *p->at == '*' || *p->at == '/'; skip(p))
		left = parse_binary(p, left, parse_primary);
	return left;
}

static struct node *parse_sum(struct parser *p)
{
	struct node *left = parse_product(p);

	for (skip(p); *p->at == '+' || *p->at == '-'; skip(p))
		left = parse_binary(p, left, parse_product);
	return left;
}

static long evaluate(struct pool *scratch, const struct node *n, struct binding *scope);

static long call_function(struct pool *scratch, const struct node *n, struct binding *scope)
{
	long *values = pool_alloc(scratch, (size_t)n->call.nr_args * sizeof(long)), best;

	truth_object(values, (size_t)n->call.nr_args * sizeof(long), "long int", 8,
		     (size_t)n->call.nr_args);
	for (int i = 0; i < n->call.nr_args; i++)
		values[i] = evaluate(scratch, n->call.args[i], scope);
	best = values[0];
	for (int i = 1; i < n->call.nr_args; i++)
		if (n->call.function->text[1] == 'a' ? values[i] > best : values[i] < best)
			best = values[i];
	return best;
}

static long evaluate(struct pool *scratch, const struct node *n, struct binding *scope)
{
	struct binding *b;
	long left, right;

	switch (n->kind) {
	case NODE_NUMBER:
		return n->number;
	case NODE_NAME:
		for (b = scope; b; b = b->outer)
			if (b->name == n->name)
				return b->value;
		return 0;
	case NODE_LET:
		b = pool_alloc(scratch, sizeof(*b));
		placed(b, struct binding);
		b->outer = scope;
		b->name = n->let.name;
		b->value = evaluate(scratch, n->let.value, scope);
		return evaluate(scratch, n->let.body, b);
	case NODE_CALL:
		return call_function(scratch, n, scope);
	default:
		left = evaluate(scratch, n->binary.left, scope);
		right = evaluate(scratch, n->binary.right, scope);
		switch (n->binary.op) {
		case '+':
			return left + right;
		case '-':
			return left - right;
		case '*':
			return left * right;
		default:
			return right ? left / right : 0;
		}
	}
}

/* A stack of objects in one block: obstack's way. */
struct event {
	uint16_t type, length;
	uint32_t when;
};

struct key_event {
	struct event head;
	uint32_t code;
	bool down;
};

struct move_event {
	struct event head;
	short dx, dy;
	double pressure;
};

struct ring {
	char *base;
	size_t head, tail, size;
};

static void *ring_reserve(struct ring *ring, uint16_t type, size_t length, uint32_t when)
{
	struct event *e;

	if (ring->head + length > ring->size)
		ring->head = 0;
	e = (struct event *)(ring->base + ring->head);
	if (type == 1)
		placed(e, struct key_event);
	else
		placed(e, struct move_event);
	e->type = type;
	e->length = (uint16_t)length;
	e->when = when;
	ring->head += length;
	return e;
}

static void ring_key(struct ring *ring, uint32_t code, uint32_t when)
{
	struct key_event *k = ring_reserve(ring, 1, sizeof(*k), when);

	k->code = code;
	k->down = code & 1;
}

static void ring_move(struct ring *ring, short dx, short dy, uint32_t when)
{
	struct move_event *m = ring_reserve(ring, 2, sizeof(*m), when);

	m->dx = dx;
	m->dy = dy;
	m->pressure = dx * 0.25;
}

static double ring_drain(struct ring *ring)
{
	double sum = 0;

	while (ring->tail < ring->head) {
		struct event *e = (struct event *)(ring->base + ring->tail);

		switch (e->type) {
		case 1: {
			struct key_event *k = (struct key_event *)e;

			sum += k->down ? k->code : -1.0;
			break;
		}
		case 2: {
			struct move_event *m = (struct move_event *)e;

			sum += m->dx * m->dy + m->pressure;
			break;
		}
		}
		sum += e->when;
		ring->tail += e->length;
	}
	return sum;
}

int main(void)
{
	struct pool trees = { 0 }, scratch = { 0 };
	struct parser *p = create(struct parser);
	struct ring *ring = create(struct ring);
	static const char *const texts[] = { "1 + 2 * (3 - x)",
					     "$a = 5 ; $b = a * a ; max(a, b, 7) - min(3, a)",
					     "$n = 10 / 3 ; n + n * n\n - max(n, n, min(n, 2))",
					     "7 * 8 - 9 / (4 - 2 * 2)" };
	long sum = 0;

	p->pool = &trees;
	for (int i = 0; i < 4; i++) {
		struct node *n;

		p->at = texts[i];
		n = parse_sum(p);
		for (int k = 0; k < 5; k++)
			sum += evaluate(&scratch, n, NULL) + n->line;
	}
	ring->size = 2048;
	ring->base = new_array(char, 2048);
	for (uint32_t i = 0; i < 12; i++) {
		ring_key(ring, i * 3, i);
		ring_move(ring, (short)i, (short)(i * 2), i + 1);
	}
	printf("%ld %.2f %u %zu\n", sum, ring_drain(ring), trees.nr_regions, scratch.asked);
	return 0;
}
