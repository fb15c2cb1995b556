// SPDX-License-Identifier: GPL-2.0-or-later
/* A job queue that copies, clears and compares whole structs. */
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct stamp {
	long seconds;
	int nanos, zone;
};

struct job {
	unsigned int id;
	unsigned short priority, retries;
	struct stamp created, due;
	double cost;
	char name[32];
	struct job *parent;
};

struct ring {
	struct job slots[8];
	unsigned int head, tail;
	struct stamp last;
};

struct pair {
	long a, b;
};

static int ring_put(struct ring *ring, const struct job *job)
{
	if (ring->tail - ring->head == 8)
		return 0;
	ring->slots[ring->tail++ % 8] = *job;
	ring->last = job->created;
	return 1;
}

static int ring_get(struct ring *ring, struct job *job)
{
	if (ring->tail == ring->head)
		return 0;
	*job = ring->slots[ring->head % 8];
	memset(&ring->slots[ring->head % 8], 0, sizeof(struct job));
	ring->head++;
	return 1;
}

static struct stamp later(struct stamp s, int by)
{
	s.seconds += by;
	s.nanos ^= 1;
	return s;
}

static void job_init(struct job *job, unsigned int id, const struct stamp *now)
{
	memset(job, 0, sizeof(*job));
	job->id = id;
	job->priority = (unsigned short)(id % 5);
	job->created = *now;
	job->due = later(*now, (int)id);
	memcpy(job->name, "job number one", 15);
}

static void swap_jobs(struct job *a, struct job *b)
{
	struct job tmp = *a;

	*a = *b;
	*b = tmp;
}

static void sort_jobs(struct job *jobs, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			if (jobs[j].priority < jobs[i].priority)
				swap_jobs(&jobs[i], &jobs[j]);
}

static struct pair swapped(struct pair p)
{
	struct pair q = { p.b, p.a };

	return q;
}

static void shift(struct stamp *stamps, int n)
{
	for (int i = n - 1; i > 0; i--)
		stamps[i] = stamps[i - 1];
	stamps[0].seconds = 0;
}

static int same_stamp(const struct stamp *a, const struct stamp *b)
{
	return a->seconds == b->seconds && a->nanos == b->nanos && a->zone == b->zone;
}

int main(void)
{
	struct ring *ring = create(struct ring);
	struct job *jobs = new_array(struct job, 12);
	struct stamp *stamps = new_array(struct stamp, 10);
	struct pair *pairs = new_array(struct pair, 6);
	struct stamp now = { 1000, 5, 2 };
	struct job *got = create(struct job);
	long sum = 0;

	for (unsigned int i = 0; i < 12; i++) {
		now = later(now, 2);
		job_init(&jobs[i], i * 7, &now);
		if (i)
			jobs[i].parent = &jobs[i / 2];
		while (!ring_put(ring, &jobs[i]))
			if (ring_get(ring, got))
				sum += got->id + (long)got->due.seconds;
	}
	sort_jobs(jobs, 12);
	for (int i = 0; i < 10; i++) {
		stamps[i] = jobs[i].due;
		shift(stamps, 10);
	}
	for (int i = 0; i < 6; i++) {
		struct pair p = { i, sum };

		pairs[i] = swapped(p);
	}
	for (int i = 0; i < 6; i++)
		sum += pairs[i].a - pairs[i].b + same_stamp(&stamps[i], &ring->last);
	printf("%ld %u %ld %s\n", sum, jobs[3].id, stamps[4].seconds, got->name);
	return 0;
}
