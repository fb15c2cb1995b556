// SPDX-License-Identifier: GPL-2.0-or-later
/* A log in one buffer, an arena and objects with headers: bytes that become structs by a cast. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct chunk {
	struct chunk *next;
	size_t used, size;
	char bytes[];
};

struct arena {
	struct chunk *chunks;
	size_t total;
};

struct record {
	uint32_t size;
	uint16_t type, flags;
};

struct open_record {
	struct record head;
	uint64_t handle;
	char path[];
};

struct write_record {
	struct record head;
	uint64_t handle, offset;
	uint32_t nr;
	uint32_t pages[];
};

struct log {
	unsigned char *buffer;
	size_t used, size;
	unsigned int nr[4];
};

struct object {
	const struct kind *kind;
	unsigned int refs;
};

struct kind {
	const char *name;
	long (*value)(const struct object *self);
};

struct number {
	struct object object;
	long n;
};

struct sum {
	struct object object;
	struct object *left, *right;
};

typedef struct {
	double x, y;
} vec_t;

typedef struct item {
	vec_t at;
	void *owner;
	uintptr_t tagged;
} item_t;

static void *arena_get(struct arena *arena, size_t size)
{
	struct chunk *c = arena->chunks;
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (!c || c->size - c->used < size) {
		c = new_flexible(struct chunk, 512);
		c->size = 512;
		c->next = arena->chunks;
		arena->chunks = c;
	}
	p = c->bytes + c->used;
	c->used += size;
	arena->total += size;
	return p;
}

static struct open_record *log_open(struct log *log, uint64_t handle, const char *path)
{
	size_t size = (sizeof(struct open_record) + strlen(path) + 8) & ~(size_t)7;
	struct open_record *r = (struct open_record *)(log->buffer + log->used);

	truth_object(r, size, "struct open_record", 18, 1);
	r->head.size = (uint32_t)size;
	r->head.type = 1;
	r->handle = handle;
	strcpy(r->path, path);
	log->used += size;
	return r;
}

static void log_write(struct log *log, uint64_t handle, uint32_t nr)
{
	size_t size = (sizeof(struct write_record) + nr * sizeof(uint32_t) + 7) & ~(size_t)7;
	struct write_record *r = (void *)(log->buffer + log->used);

	truth_object(r, size, "struct write_record", 19, 1);
	r->head.size = (uint32_t)size;
	r->head.type = 2;
	r->head.flags = (uint16_t)nr;
	r->handle = handle;
	r->offset = handle * 4096;
	r->nr = nr;
	for (uint32_t i = 0; i < nr; i++)
		r->pages[i] = (uint32_t)handle + i * i;
	log->used += size;
}

static uint64_t replay(struct log *log)
{
	uint64_t sum = 0;

	for (size_t at = 0; at < log->used;) {
		const struct record *r = (const struct record *)&log->buffer[at];

		log->nr[r->type & 3]++;
		if (r->type == 1) {
			const struct open_record *o = (const struct open_record *)r;

			sum += o->handle + (unsigned char)o->path[1];
		} else {
			const struct write_record *w = (const void *)r;

			for (uint32_t i = 0; i < w->nr; i++)
				sum += w->pages[i] ^ w->offset;
		}
		at += r->size;
	}
	return sum;
}

static long number_value(const struct object *self)
{
	return ((const struct number *)self)->n;
}

static long sum_value(const struct object *self)
{
	const struct sum *sum = (const struct sum *)self;

	return sum->left->kind->value(sum->left) + sum->right->kind->value(sum->right);
}

static const struct kind number_kind = { "number", number_value }, sum_kind = { "sum", sum_value };

static struct object *make_number(struct arena *arena, long n)
{
	struct number *number = arena_get(arena, sizeof(*number));

	placed(number, struct number);
	number->object.kind = &number_kind;
	number->object.refs = 1;
	number->n = n;
	return &number->object;
}

static struct object *make_sum(struct arena *arena, struct object *left, struct object *right)
{
	struct sum *sum = arena_get(arena, sizeof(*sum));

	placed(sum, struct sum);
	sum->object.kind = &sum_kind;
	sum->object.refs = 1;
	sum->left = left;
	sum->right = right;
	left->refs++;
	right->refs++;
	return (struct object *)sum;
}

static double use_items(struct arena *arena)
{
	item_t *first = NULL;
	double sum = 0;

	for (int i = 0; i < 9; i++) {
		item_t *item = arena_get(arena, sizeof(item_t));

		placed(item, item_t);
		item->at.x = i;
		item->at.y = i * 0.5;
		item->owner = first;
		item->tagged = (uintptr_t)item | (i & 1);
		first = item;
	}
	for (item_t *i = first; i; i = i->owner) {
		const vec_t *v = &((item_t *)(i->tagged & ~(uintptr_t)7))->at;

		if (i->tagged & 1)
			sum += v->x * v->y;
	}
	return sum;
}

int main(void)
{
	struct arena *arena = create(struct arena);
	struct log *log = create(struct log);
	struct object *o;

	log->size = 2048;
	log->buffer = new_array(unsigned char, 2048);
	for (uint32_t i = 0; i < 9; i++) {
		if (i % 3 == 0)
			log_open(log, i, i % 2 ? "/etc/hosts" : "/tmp")->head.flags = 7;
		log_write(log, i, i % 5 + 1);
	}
	o = make_number(arena, 1);
	for (long i = 2; i < 12; i++)
		o = make_sum(arena, make_number(arena, i), o);
	printf("%lu %ld %s %u %.1f %lu %u\n", (unsigned long)replay(log), o->kind->value(o),
	       o->kind->name, o->refs, use_items(arena), (unsigned long)arena->total, log->nr[2]);
	return 0;
}
