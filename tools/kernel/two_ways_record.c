// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See two_ways.h. One event and one ring per CPU: a sample and its record can be in two of them,
 * where the thread was moved in between.
 */
#define _GNU_SOURCE
#include "two_ways.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SAMPLE_TLS_USER		 (1u << 25)
#define DEFER_TLS		 (3ull << 40) /* defer_tls and defer_tls_output */
#define RECORD_TLS_USER_DEFERRED 23
#define MAX_CPUS		 8
#define RING_PAGES		 1024

const char *const way_names[] = { "at sample", "at return", "not at all" };

struct deferred {
	uint64_t cookie, id, size;
	bool complete;
};

struct recording {
	enum way way;
	uint16_t window;
	unsigned int nr_cpus;
	int fd[MAX_CPUS];
	struct perf_event_mmap_page *ring[MAX_CPUS];
	struct sample *samples;
	struct deferred *deferred;
	unsigned int nr_samples, nr_deferred;
	uint64_t bytes;
};

uintptr_t window_end(void)
{
	uintptr_t tp;

	__asm__("mov %%fs:0, %0" : "=r"(tp));
	return tp;
}

/* The flags are the word behind read_format: the system's header does not know the new ones. */
static void set_flags(struct perf_event_attr *attr, uint64_t flags)
{
	uint8_t *at = (uint8_t *)&attr->read_format + sizeof(attr->read_format);
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	word |= flags;
	memcpy(at, &word, sizeof(word));
}

uint16_t window_size(void)
{
	return (uint16_t)((window_end() - (uintptr_t)&id + 7) & ~(uintptr_t)7);
}

static struct perf_event_attr attr_of(enum way way, enum trigger trigger, uint16_t size)
{
	static const uint64_t configs[] = {
		[BY_TIME] = PERF_COUNT_SW_CPU_CLOCK,
		[AT_SWITCHES] = PERF_COUNT_SW_CONTEXT_SWITCHES,
		[AT_FAULTS] = PERF_COUNT_SW_PAGE_FAULTS,
	};
	struct perf_event_attr attr = { 0 };

	attr.config = configs[trigger];
	attr.sample_period = trigger == BY_TIME ? 200000 : 1;
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	attr.inherit = 1;
	attr.disabled = 1;
	if (way != NOT_AT_ALL) {
		attr.sample_type |= SAMPLE_TLS_USER;
		memcpy(&attr.__reserved_2, &size, sizeof(size));
	}
	if (way == AT_RETURN)
		set_flags(&attr, DEFER_TLS);
	return attr;
}

struct recording *recording_open(enum way way, enum trigger trigger, uint16_t size)
{
	struct perf_event_attr attr = attr_of(way, trigger, size);
	struct recording *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->way = way;
	r->window = size;
	for (long cpus = sysconf(_SC_NPROCESSORS_ONLN); r->nr_cpus < cpus && r->nr_cpus < MAX_CPUS;
	     r->nr_cpus++) {
		unsigned int i = r->nr_cpus;

		r->fd[i] = (int)syscall(SYS_perf_event_open, &attr, 0, i, -1, 0);
		if (r->fd[i] < 0)
			goto failed;
		r->ring[i] = mmap(NULL, (RING_PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
				  r->fd[i], 0);
		if (r->ring[i] == MAP_FAILED) {
			close(r->fd[i]);
			goto failed;
		}
	}
	for (unsigned int i = 0; i < r->nr_cpus; i++)
		ioctl(r->fd[i], PERF_EVENT_IOC_ENABLE, 0);
	return r;
failed:
	recording_free(r);
	return NULL;
}

void recording_stop(struct recording *r)
{
	for (unsigned int i = 0; i < r->nr_cpus; i++)
		ioctl(r->fd[i], PERF_EVENT_IOC_DISABLE, 0);
}

static uint64_t word_at(const uint8_t **at)
{
	uint64_t word;

	memcpy(&word, *at, sizeof(word));
	*at += sizeof(word);
	return word;
}

/* size; the bytes; how many were read. True where all were, and @value is the id then. */
static bool take_window(const uint8_t **at, uint64_t *size, uint64_t *value)
{
	const uint8_t *bytes;

	*size = word_at(at);
	*value = 0;
	if (!*size)
		return false;
	bytes = *at;
	*at += *size;
	memcpy(value, bytes + *size - (window_end() - (uintptr_t)&id), sizeof(*value));
	return word_at(at) == *size;
}

static void take_sample(struct recording *r, const struct perf_event_header *h, const uint8_t *at)
{
	struct sample *s = &r->samples[r->nr_samples++];
	uint64_t ids = word_at(&at);

	*s = (struct sample){ .pid = (uint32_t)ids, .tid = (uint32_t)(ids >> 32) };
	s->kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	s->time = word_at(&at);
	if (r->way == AT_RETURN)
		s->cookie = word_at(&at);
	else if (r->way == AT_SAMPLE)
		s->complete = take_window(&at, &s->size, &s->id);
}

static void take_record(struct recording *r, const uint8_t *record)
{
	const struct perf_event_header *h = (const void *)record;
	const uint8_t *at = record + sizeof(*h);
	struct deferred *d;

	r->bytes += h->size;
	if (h->type == PERF_RECORD_SAMPLE) {
		take_sample(r, h, at);
	} else if (h->type == RECORD_TLS_USER_DEFERRED) {
		d = &r->deferred[r->nr_deferred++];
		d->cookie = word_at(&at);
		d->complete = take_window(&at, &d->size, &d->id);
	}
}

/* A record of either kind has 24 bytes at least. */
static void read_rings(struct recording *r)
{
	static uint64_t copy[65536 / 8];
	const uint64_t size = RING_PAGES * PAGE;

	r->samples = calloc(r->nr_cpus * size / 24, sizeof(*r->samples));
	r->deferred = calloc(r->nr_cpus * size / 24, sizeof(*r->deferred));
	for (unsigned int i = 0; i < r->nr_cpus; i++) {
		const uint8_t *data = (const uint8_t *)r->ring[i] + PAGE;
		uint64_t head = r->ring[i]->data_head;

		__sync_synchronize();
		for (uint64_t at = r->ring[i]->data_tail; at < head;) {
			struct perf_event_header h;

			memcpy(&h, data + at % size, sizeof(h));
			for (unsigned int k = 0; k < h.size; k += 8)
				memcpy((uint8_t *)copy + k, data + (at + k) % size, 8);
			take_record(r, (const uint8_t *)copy);
			at += h.size;
		}
	}
}

static int by_cookie(const void *a, const void *b)
{
	const struct deferred *x = a, *y = b;

	return x->cookie < y->cookie ? -1 : x->cookie > y->cookie;
}

/* False where the sample's cookie has no record. */
static bool join(const struct recording *r, struct sample *s)
{
	struct deferred key = { .cookie = s->cookie };
	const struct deferred *d =
		bsearch(&key, r->deferred, r->nr_deferred, sizeof(*r->deferred), by_cookie);

	if (!d)
		return false;
	s->size = d->size;
	s->complete = d->complete;
	s->id = d->id;
	return true;
}

void recording_count(struct recording *r, enum verdict (*judge)(const struct sample *),
		     struct counts *c)
{
	read_rings(r);
	qsort(r->deferred, r->nr_deferred, sizeof(*r->deferred), by_cookie);
	c->bytes += r->bytes;
	c->records += r->nr_deferred;
	for (unsigned int i = 0; i < r->nr_samples; i++) {
		struct sample *s = &r->samples[i];
		bool lost = s->cookie && !join(r, s);
		unsigned int *what[] = { &c->right, &c->wrong, &c->unset };

		c->samples++;
		c->kernel += s->kernel;
		if (lost)
			c->lost++;
		else if (!s->size)
			c->none++;
		else if (!s->complete)
			c->partial++;
		else
			++*what[judge(s)];
	}
}

void recording_free(struct recording *r)
{
	for (unsigned int i = 0; i < r->nr_cpus; i++) {
		munmap(r->ring[i], (RING_PAGES + 1) * PAGE);
		close(r->fd[i]);
	}
	free(r->samples);
	free(r->deferred);
	free(r);
}
