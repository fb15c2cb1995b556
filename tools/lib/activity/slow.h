/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slow paths of activity.h's functions: a thread's first change, changes of an activity with attributes, and
 * functions that are not called for every span. They are in the library, or in each program that uses only the header.
 * inline.h has the rules for changes.
 *
 * Attributes are in a second record, of OTEP 4947, which repeats the ids. As long as there are attributes,
 * otel_thread_ctx_v1 points to this record. Both records are marked while one of them changes.
 */
#ifndef ACTIVITY_SLOW_H
#define ACTIVITY_SLOW_H

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "activity/inline.h"

#ifdef __cplusplus
extern "C" {
#endif

struct activity_wide_record {
	uint64_t trace[2], span;
	uint8_t valid, flags;
	uint16_t size;
	uint8_t attributes[ACTIVITY_ATTRIBUTES_SIZE];
};

/* The generator of the thread's ids. @process is activity_process_seed() of the process in which it was seeded. */
struct activity_sequence {
	uint64_t seed, counter, process;
};

/* Not initialized, so that they are in .tbss, which is closer to the thread pointer than .tdata. */
ACTIVITY_DATA ACTIVITY_THREAD_LOCAL struct activity_record activity_record
	__attribute__((aligned(ACTIVITY_RECORD_SIZE)));
ACTIVITY_DATA ACTIVITY_THREAD_LOCAL void *volatile otel_thread_ctx_v1;
extern ACTIVITY_PRIVATE ACTIVITY_THREAD_LOCAL volatile struct activity_wide_record activity_wide;
ACTIVITY_PRIVATE ACTIVITY_THREAD_LOCAL volatile struct activity_wide_record activity_wide;
extern ACTIVITY_PRIVATE ACTIVITY_THREAD_LOCAL struct activity_sequence activity_sequence;
ACTIVITY_PRIVATE ACTIVITY_THREAD_LOCAL struct activity_sequence activity_sequence;

ACTIVITY_DATA uint32_t activity_flat_at_once;

#ifdef __x86_64__
__attribute__((constructor)) static void activity_look_at_cpu(void)
{
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512vl"))
		activity_flat_at_once = ACTIVITY_FLAT;
}
#endif

static inline bool activity_is_wide(void)
{
	return otel_thread_ctx_v1 == (const volatile void *)activity_wide.trace;
}

/*
 * Copies the activity of the marked record to @ids. The mark has overwritten the state, so the state is derived from
 * the other fields. @updating: a handler has interrupted the change that set the mark, so the mark is the saved state.
 */
static inline void activity_take(struct activity_whole *ids, bool updating)
{
	volatile struct activity_record *r = &activity_record;
	uint64_t state = ACTIVITY_RECORD_SET;
	uint32_t depth = ACTIVITY_TAIL_DEPTH(r->tail);

	ids->root = r->root;
	ids->parent = r->parent;
	ids->trace[0] = r->trace[0];
	ids->trace[1] = r->trace[1];
	ids->span = r->span;
	if (updating)
		state = ACTIVITY_RECORD_UPDATING;
	else if (!(r->trace[0] | r->trace[1] | r->span))
		state = ACTIVITY_RECORD_NONE;
	else if (activity_is_wide())
		state = ACTIVITY_RECORD_WIDE;
	ids->tail = ACTIVITY_TAIL(state, ACTIVITY_TAIL_FLAGS(r->tail), depth ? depth : 1);
	if (activity_is_wide())
		ids->tail |= ACTIVITY_TAIL_ELSEWHERE;
}

/* Marks the record. False: it is marked already, by a change that this handler has interrupted. */
static inline bool activity_begin(void)
{
	if (ACTIVITY_STATE == ACTIVITY_RECORD_UPDATING)
		return false;
	ACTIVITY_MARK;
	return true;
}

/* Writes new contents with @size bytes of attributes to the marked record. @attributes may be the record's own. */
static inline void activity_put(const struct activity_whole *to, const volatile uint8_t *attributes,
				size_t size)
{
	volatile struct activity_record *r = &activity_record;
	volatile struct activity_wide_record *wide = &activity_wide;
	uint64_t tail = to->tail, state = ACTIVITY_TAIL_STATE(tail);

	if (size > ACTIVITY_ATTRIBUTES_SIZE)
		size = 0;
	if (state != ACTIVITY_RECORD_UPDATING) {
		if (!(to->trace[0] | to->trace[1] | to->span)) {
			state = ACTIVITY_RECORD_NONE;
			tail = ACTIVITY_TAIL(state, 0, 1);
			size = 0;
		} else {
			state = size ? ACTIVITY_RECORD_WIDE : ACTIVITY_RECORD_SET;
		}
	}
	wide->valid = 0;
	ACTIVITY_ORDER;
	if (size)
		otel_thread_ctx_v1 = (void *)wide->trace;
	else
		otel_thread_ctx_v1 = (void *)r->trace;
	ACTIVITY_ORDER;
	if (size) {
		wide->trace[0] = to->trace[0];
		wide->trace[1] = to->trace[1];
		wide->span = to->span;
		wide->flags = ACTIVITY_TAIL_FLAGS(tail);
		for (size_t i = 0; attributes != wide->attributes && i < size; i++)
			wide->attributes[i] = attributes[i];
		wide->size = (uint16_t)size;
	}
	r->root = to->root;
	r->parent = to->parent;
	r->trace[0] = to->trace[0];
	r->trace[1] = to->trace[1];
	r->span = to->span;
	ACTIVITY_ORDER;
	r->tail = ACTIVITY_TAIL(state, ACTIVITY_TAIL_FLAGS(tail), ACTIVITY_TAIL_DEPTH(tail)) |
		  (size ? ACTIVITY_TAIL_ELSEWHERE : 0);
	ACTIVITY_ORDER;
	/* Set last: if it were set before the tail, a handler that swaps in between would clear it. */
	if (state == ACTIVITY_RECORD_WIDE)
		wide->valid = ACTIVITY_RECORD_SET;
	ACTIVITY_ORDER;
}

ACTIVITY_SLOW void activity_slow_change(const struct activity_whole *to, bool marked)
{
	if (marked || activity_begin())
		activity_put(to, NULL, 0);
}

static inline uint64_t activity_root(uint64_t root, uint64_t parent, uint64_t span, uint64_t tail)
{
	uint32_t depth = ACTIVITY_TAIL_DEPTH(tail);

	return depth <= 1 ? span : depth == 2 ? parent : root;
}

ACTIVITY_SLOW struct activity_span activity_slow_push(const uint8_t span_id[8], bool marked)
{
	struct activity_span before = { 0, 0, 0, 0 };
	struct activity_whole now;
	size_t size = 0;

	if (!marked && !activity_begin())
		return before;
	activity_take(&now, false);
	if (ACTIVITY_TAIL_STATE(now.tail) != ACTIVITY_RECORD_NONE) {
		before.root = now.root;
		before.parent = now.parent;
		before.span = now.span;
		before.tail = now.tail;
		now.root = activity_root(now.root, now.parent, now.span, now.tail);
		now.parent = now.span;
		memcpy(&now.span, span_id, sizeof(now.span));
		now.tail += ACTIVITY_TAIL_ONE_DEEPER;
		if (activity_is_wide())
			size = activity_wide.size;
	}
	activity_put(&now, activity_wide.attributes, size);
	return before;
}

ACTIVITY_SLOW void activity_slow_pop(uint64_t root, uint64_t parent, uint64_t span, uint64_t tail,
				     bool marked)
{
	uint8_t state = ACTIVITY_TAIL_STATE(tail);
	struct activity_whole now;
	size_t size = 0;

	/* Otherwise it was a push without an activity. */
	if (state != ACTIVITY_RECORD_SET && state != ACTIVITY_RECORD_WIDE)
		return;
	if (!marked && !activity_begin())
		return;
	activity_take(&now, false);
	if (ACTIVITY_TAIL_STATE(now.tail) != ACTIVITY_RECORD_NONE &&
	    activity_root(now.root, now.parent, now.span, now.tail) ==
		    activity_root(root, parent, span, tail)) {
		now.root = root;
		now.parent = parent;
		now.span = span;
		now.tail = tail;
	}
	if (activity_is_wide())
		size = activity_wide.size;
	activity_put(&now, activity_wide.attributes, size);
}

/* Copies the present activity to @context. Afterwards the record is marked, in any case. */
static inline void activity_take_all(struct activity_context *context, bool marked)
{
	bool mine = marked || activity_begin();
	size_t size = 0;

	activity_take(&context->ids, !mine);
	if (activity_is_wide())
		size = activity_wide.size;
	context->size = (uint16_t)(size <= ACTIVITY_ATTRIBUTES_SIZE ? size : 0);
	for (size_t i = 0; i < context->size; i++)
		context->attributes[i] = activity_wide.attributes[i];
}

static inline size_t activity_context_size(const struct activity_context *context)
{
	uint8_t state = ACTIVITY_TAIL_STATE(context->ids.tail);

	if (state == ACTIVITY_RECORD_WIDE || state == ACTIVITY_RECORD_UPDATING)
		return context->size;
	return 0;
}

ACTIVITY_SLOW void activity_slow_swap(struct activity_context *save,
				      const struct activity_context *next, bool marked)
{
	struct activity_context before;

	/* A handler that swaps during a change saves the half-done change, and restores it later. */
	activity_take_all(&before, marked);
	ACTIVITY_MARK;
	activity_put(&next->ids, next->attributes, activity_context_size(next));
	*save = before;
}

ACTIVITY_SLOW void activity_save(struct activity_context *context)
{
	activity_take_all(context, false);
	if (ACTIVITY_TAIL_STATE(context->ids.tail) != ACTIVITY_RECORD_UPDATING)
		activity_put(&context->ids, activity_wide.attributes, context->size);
}

ACTIVITY_SLOW void activity_restore(const struct activity_context *context)
{
	ACTIVITY_MARK;
	activity_put(&context->ids, context->attributes, activity_context_size(context));
}

ACTIVITY_SLOW void activity_detach(struct activity_context *context)
{
	static const struct activity_whole none = { 0, 0, { 0, 0 }, 0, 0 };

	activity_take_all(context, false);
	if (ACTIVITY_TAIL_STATE(context->ids.tail) != ACTIVITY_RECORD_UPDATING)
		activity_put(&none, NULL, 0);
}

ACTIVITY_SLOW void activity_attach(const struct activity_context *context)
{
	if (ACTIVITY_TAIL_STATE(context->ids.tail) != ACTIVITY_RECORD_UPDATING && activity_begin())
		activity_put(&context->ids, context->attributes, activity_context_size(context));
}

ACTIVITY_SLOW bool activity_look(struct activity_ids *ids)
{
	struct activity_context now;
	uint8_t state;

	activity_save(&now);
	memset(ids, 0, sizeof(*ids));
	state = ACTIVITY_TAIL_STATE(now.ids.tail);
	if (state != ACTIVITY_RECORD_SET && state != ACTIVITY_RECORD_WIDE)
		return false;
	memcpy(ids->trace_id, now.ids.trace, sizeof(ids->trace_id));
	memcpy(ids->span_id, &now.ids.span, sizeof(ids->span_id));
	memcpy(ids->root_id, ids->span_id, sizeof(ids->root_id));
	ids->depth = ACTIVITY_TAIL_DEPTH(now.ids.tail);
	ids->flags = ACTIVITY_TAIL_FLAGS(now.ids.tail);
	if (ids->depth >= 2) {
		memcpy(ids->parent_id, &now.ids.parent, sizeof(ids->parent_id));
		memcpy(ids->root_id, ids->parent_id, sizeof(ids->root_id));
	}
	if (ids->depth >= 3)
		memcpy(ids->root_id, &now.ids.root, sizeof(ids->root_id));
	return true;
}

ACTIVITY_SLOW bool activity_get(uint8_t trace_id[16], uint8_t span_id[8])
{
	struct activity_ids ids;
	bool found = activity_look(&ids);

	memcpy(trace_id, ids.trace_id, sizeof(ids.trace_id));
	memcpy(span_id, ids.span_id, sizeof(ids.span_id));
	return found;
}

ACTIVITY_SLOW void activity_flags(uint8_t flags)
{
	struct activity_context now;
	uint64_t *tail = &now.ids.tail;

	if (!activity_begin())
		return;
	activity_take_all(&now, true);
	*tail = ACTIVITY_TAIL(ACTIVITY_TAIL_STATE(*tail), flags, ACTIVITY_TAIL_DEPTH(*tail));
	activity_put(&now.ids, activity_wide.attributes, now.size);
}

/*
 * The offset of @key's attribute in the first @size bytes, and its length, with key and size; length 0: there is none.
 */
static inline size_t activity_find_attribute(uint8_t key, size_t size, size_t *own)
{
	const volatile uint8_t *bytes = activity_wide.attributes;
	size_t at = 0;

	while (at + 2 <= size && at + 2 + bytes[at + 1] <= size) {
		*own = 2 + (size_t)bytes[at + 1];
		if (bytes[at] == key)
			return at;
		at += *own;
	}
	*own = 0;
	return size;
}

/*
 * Prepares the second record for @has bytes of attributes: sets pointer, size and ids. The record is marked. A handler
 * that swaps here saves and restores as many bytes as the size states. So the size is written before the attributes.
 * Before the pointer is set, the handler may also leave another size, but never 0, so the size is written again after
 * it.
 */
static inline void activity_widen(const struct activity_whole *now, size_t has)
{
	volatile struct activity_wide_record *wide = &activity_wide;

	wide->size = (uint16_t)has;
	ACTIVITY_ORDER;
	if (activity_is_wide())
		return;
	otel_thread_ctx_v1 = (void *)wide->trace;
	ACTIVITY_ORDER;
	wide->size = (uint16_t)has;
	wide->trace[0] = now->trace[0];
	wide->trace[1] = now->trace[1];
	wide->span = now->span;
	wide->flags = ACTIVITY_TAIL_FLAGS(now->tail);
	ACTIVITY_ORDER;
}

/* The number of keys; publish.h defines it. */
int activity_nr_keys(void);

/* The change is in place: only changed bytes are copied. */
ACTIVITY_SLOW bool activity_attribute(int key, const char *value, size_t size)
{
	volatile struct activity_wide_record *wide = &activity_wide;
	uint8_t *bytes = (uint8_t *)wide->attributes;
	size_t had = 0, has, at, own;
	struct activity_whole now;

	if (key < 0 || key >= activity_nr_keys() || !activity_begin())
		return false;
	activity_take(&now, false);
	if (activity_is_wide() && wide->size <= ACTIVITY_ATTRIBUTES_SIZE)
		had = wide->size;
	at = activity_find_attribute((uint8_t)key, had, &own);
	has = had - own + (size && size <= UINT8_MAX ? 2 + size : 0);
	if (ACTIVITY_TAIL_STATE(now.tail) == ACTIVITY_RECORD_NONE || size > UINT8_MAX ||
	    has > ACTIVITY_ATTRIBUTES_SIZE) {
		activity_record.tail = now.tail;
		ACTIVITY_ORDER;
		return false;
	}
	if (!has) {
		activity_put(&now, NULL, 0);
		return true;
	}
	wide->valid = 0;
	ACTIVITY_ORDER;
	if (has > had)
		activity_widen(&now, has);
	if (has != had && own) {
		memmove(bytes + at, bytes + at + own, had - at - own);
		at = had - own;
	}
	if (size) {
		bytes[at] = (uint8_t)key;
		bytes[at + 1] = (uint8_t)size;
		memcpy(bytes + at + 2, value, size);
	}
	ACTIVITY_ORDER;
	wide->size = (uint16_t)has;
	ACTIVITY_ORDER;
	activity_record.tail = ACTIVITY_TAIL(ACTIVITY_RECORD_WIDE, ACTIVITY_TAIL_FLAGS(now.tail),
					     ACTIVITY_TAIL_DEPTH(now.tail)) |
			       ACTIVITY_TAIL_ELSEWHERE;
	ACTIVITY_ORDER;
	wide->valid = ACTIVITY_RECORD_SET;
	ACTIVITY_ORDER;
	return true;
}

/*
 * Ids are a counter mixed with a seed of the thread. A child of fork() needs a new seed. It is detected by a page that
 * the kernel clears in the child.
 */
extern ACTIVITY_PRIVATE uint64_t *activity_process_word;
ACTIVITY_PRIVATE uint64_t *activity_process_word;

static inline uint64_t activity_random(void)
{
	uint64_t value = 0;

	/* Without the system call, the ids of threads that run on one machine at the same time are still different. */
	if (syscall(SYS_getrandom, &value, sizeof(value), 0) != (long)sizeof(value)) {
		struct timespec now;

		clock_gettime(CLOCK_BOOTTIME, &now);
		value = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
		value = (value << 22 ^ (uint64_t)syscall(SYS_gettid)) * 0x9e3779b97f4a7c15u;
	}
	return value ? value : 1;
}

/* The word of this process in the page; 0: there is no such page. */
static inline uint64_t activity_process_seed(void)
{
	uint64_t *word = __atomic_load_n(&activity_process_word, __ATOMIC_ACQUIRE), *other = NULL;
	uint64_t none = 0;

	if (!word) {
		void *page = mmap(NULL, sizeof(*word), PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (page == MAP_FAILED)
			return 0;
		if (madvise(page, sizeof(*word), MADV_WIPEONFORK)) {
			munmap(page, sizeof(*word));
			return 0;
		}
		word = (uint64_t *)page;
		if (!__atomic_compare_exchange_n(&activity_process_word, &other, word, false,
						 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			munmap(page, sizeof(*word));
			word = other;
		}
	}
	if (!__atomic_load_n(word, __ATOMIC_ACQUIRE))
		__atomic_compare_exchange_n(word, &none, activity_random(), false, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE);
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline uint64_t activity_mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static inline uint64_t activity_new_id(void)
{
	struct activity_sequence *s = &activity_sequence;
	const uint64_t *word = __atomic_load_n(&activity_process_word, __ATOMIC_ACQUIRE);
	uint64_t step = 0x9e3779b97f4a7c15u, id;

	if (!word || !s->process || *word != s->process) {
		s->counter = activity_random();
		s->seed = activity_random();
		s->process = activity_process_seed();
	}
	do {
		/* A single instruction: between two, a signal handler could take the same number. */
#ifdef __x86_64__
		id = step;
		__asm__ volatile("xaddq %0, %1" : "+r"(id), "+m"(s->counter)::"cc");
#else
		id = __atomic_fetch_add(&s->counter, step, __ATOMIC_RELAXED);
#endif
		id = activity_mix(activity_mix(id) ^ s->seed);
	} while (!id);
	return id;
}

ACTIVITY_SLOW void activity_new_span_id(uint8_t span_id[8])
{
	uint64_t id = activity_new_id();

	memcpy(span_id, &id, sizeof(id));
}

ACTIVITY_SLOW void activity_new_trace_id(uint8_t trace_id[16])
{
	uint64_t id[2] = { activity_new_id(), activity_new_id() };

	memcpy(trace_id, id, sizeof(id));
}

#ifdef __cplusplus
}
#endif

#endif
