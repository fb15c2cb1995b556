// SPDX-License-Identifier: GPL-2.0-or-later
/* Heap objects with a union of pointer and number: a configuration, a list of attributes, a queue of jobs, a B-tree's slots. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

struct point {
	long x, y;
	struct point *next;
};

struct name {
	int length;
	char text[28];
};

enum kind { NUMBER, POINT, NAME, LIST };

struct attribute {
	struct attribute *next;
	enum kind kind;
	union {
		unsigned long number;
		struct point *point;
		struct name *name;
		struct attribute *list;
	} value;
};

/* As of epoll: the kernel does not look at it. */
union data {
	void *pointer;
	int fd;
	uint32_t word;
	uint64_t wide;
};

struct event {
	uint32_t events;
	union data data;
};

struct job {
	int (*run)(struct job *job);
	struct job *next;
	union {
		struct {
			struct name *name;
			size_t offset;
		} read;
		struct {
			long seconds, left;
		} timer;
	};
	int state;
};

struct slot {
	unsigned long key;
	union {
		struct slot *children; /* of inner nodes: a table of two */
		unsigned long weight;
	};
};

static struct attribute *attributes;
static struct job *jobs;

__attribute__((noinline)) static struct attribute *attribute(enum kind kind, unsigned long number,
							     void *p)
{
	struct attribute *a = create(struct attribute);

	a->kind = kind;
	if (kind == NUMBER)
		a->value.number = number;
	else
		a->value.point = p;
	a->next = attributes;
	attributes = a;
	return a;
}

__attribute__((noinline)) static struct name *name_of(const char *text)
{
	struct name *name = create(struct name);

	name->length = (int)strlen(text);
	strcpy(name->text, text);
	return name;
}

__attribute__((noinline)) static struct point *point_of(long x, long y, struct point *next)
{
	struct point *point = create(struct point);

	point->x = x;
	point->y = y;
	point->next = next;
	return point;
}

__attribute__((noinline)) static unsigned long weigh(const struct attribute *a)
{
	unsigned long sum = 0;

	for (; a; a = a->next)
		switch (a->kind) {
		case NUMBER:
			sum += a->value.number;
			break;
		case POINT:
			for (struct point *p = a->value.point; p; p = p->next)
				sum += (unsigned long)(p->x * p->y);
			break;
		case NAME:
			sum += (unsigned long)a->value.name->length +
			       (unsigned char)a->value.name->text[0];
			break;
		case LIST:
			sum += weigh(a->value.list) & 0xff;
			break;
		}
	return sum;
}

__attribute__((noinline)) static void add_to_numbers(struct attribute *a, unsigned long n)
{
	for (; a; a = a->next)
		if (a->kind == NUMBER)
			a->value.number += n;
}

__attribute__((noinline)) static long poll_events(struct event *events, int nr)
{
	long sum = 0;

	for (int i = 0; i < nr; i++) {
		if (events[i].events & 1) {
			struct job *job = events[i].data.pointer;

			sum += job->state++;
		} else {
			sum += events[i].data.fd;
		}
	}
	return sum;
}

static int run_read(struct job *job)
{
	const struct name *name = job->read.name;

	if (job->read.offset >= (size_t)name->length)
		return 0;
	job->state += name->text[job->read.offset++];
	return 1;
}

static int run_timer(struct job *job)
{
	if (!job->timer.left)
		return 0;
	job->timer.left--;
	job->state += (int)job->timer.seconds;
	return 1;
}

__attribute__((noinline)) static struct job *job_of(struct name *name, long seconds)
{
	struct job *job = create(struct job);

	job->state = 1;
	if (name) {
		job->run = run_read;
		job->read.name = name;
		job->read.offset = 0;
	} else {
		job->run = run_timer;
		job->timer.seconds = job->timer.left = seconds;
	}
	job->next = jobs;
	jobs = job;
	return job;
}

__attribute__((noinline)) static int run_jobs(void)
{
	int sum = 0, busy;

	do {
		busy = 0;
		for (struct job *job = jobs; job; job = job->next)
			busy += job->run(job);
	} while (busy);
	for (struct job *job = jobs; job; job = job->next)
		sum += job->state;
	return sum;
}

/* At depth 0, a slot has a weight. */
__attribute__((noinline)) static struct slot *tree(int depth, unsigned long key)
{
	struct slot *slots = new_array(struct slot, 2);

	for (unsigned long i = 0; i < 2; i++) {
		slots[i].key = key + i;
		if (depth)
			slots[i].children = tree(depth - 1, 2 * (key + i));
		else
			slots[i].weight = key ^ i;
	}
	return slots;
}

__attribute__((noinline)) static unsigned long find(const struct slot *slots, int depth,
						    unsigned long path)
{
	const struct slot *slot = &slots[path & 1];

	while (depth--) {
		path >>= 1;
		slot = &slot->children[path & 1];
	}
	return slot->weight + slot->key;
}

__attribute__((noinline)) static void raise_weights(struct slot *slots, int depth)
{
	for (int i = 0; i < 2; i++)
		if (depth)
			raise_weights(slots[i].children, depth - 1);
		else
			slots[i].weight++;
}

int main(void)
{
	struct event *events = new_array(struct event, 16);
	struct slot *root = tree(4, 1);
	struct point *points = NULL;
	unsigned long sum = 0;

	for (int i = 0; i < 10; i++) {
		points = point_of(i, 2 * i, points);
		attribute(NUMBER, (unsigned long)i, NULL);
		attribute(POINT, 0, points);
		attribute(NAME, 0, name_of("attribute"));
		if (i == 4)
			attribute(LIST, 0, attributes);
	}
	for (int i = 0; i < 16; i++) {
		events[i].events = (uint32_t)i;
		if (i & 1)
			events[i].data.pointer = job_of(i & 2 ? name_of("file") : NULL, i);
		else
			events[i].data.fd = i;
	}
	add_to_numbers(attributes, 7);
	raise_weights(root, 4);
	for (unsigned long i = 0; i < 32; i++)
		sum += find(root, 4, i);
	printf("%lu %ld %d %lu\n", weigh(attributes), poll_events(events, 16), run_jobs(), sum);
	return 0;
}
