// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a change of the activity costs its program, beside the same loop without one and beside
 * the store sequences of other publishers: OTEP 4947's two protocols, a pointer to a record that
 * is there, and a record of one's own that is edited. Each kind of loop is run many times in
 * short turns, so that a turn in which nobody else used the core is among them.
 *
 *	publish		a table: median and best time per turn, above the empty loop's
 *	publish KIND N	runs the loop N times; for counting instructions
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "activity/activity.h"

#define TURNS  1500
#define SWEEPS 30
#define ROUNDS 2000
#define NR     64

struct ids {
	uint8_t trace[16], span[8];
};

static struct ids many[NR];
static struct place {
	struct activity_context context __attribute__((aligned(256)));
} flat[NR], deep[NR];
static __thread void *volatile pointer;
static __thread volatile struct {
	uint64_t trace[2], span;
	uint8_t valid, flags;
	uint16_t size;
} fixed __attribute__((aligned(64)));

/* As a library's function that cannot be inlined. */
static void (*volatile call_set)(const uint8_t *, const uint8_t *) = activity_set;

#define LOOP(name, body)                                                                           \
	__attribute__((noinline, aligned(64))) static void name(long n)                            \
	{                                                                                          \
		for (long i = 0; i < n; i++) {                                                     \
			const struct ids *id = &many[i % NR];                                      \
                                                                                                   \
			__asm__ volatile("" ::"r"(id));                                            \
			body;                                                                      \
		}                                                                                  \
	}

/* From one context of a ring to the next one. */
#define RING(name, contexts, body)                                                                 \
	__attribute__((noinline, aligned(64))) static void name(long n)                            \
	{                                                                                          \
		for (long i = 0; i < n; i++) {                                                     \
			struct place *from = &contexts[i % NR];                                    \
			struct place *to = &contexts[(i + 1) % NR];                                \
                                                                                                   \
			__asm__ volatile("" : "+r"(from), "+r"(to));                               \
			body;                                                                      \
		}                                                                                  \
	}

static inline __attribute__((always_inline)) void edit(const struct ids *id)
{
	activity_pair trace;
	uint64_t span;

	memcpy(&trace, id->trace, sizeof(trace));
	memcpy(&span, id->span, sizeof(span));
	fixed.valid = 0;
	ACTIVITY_ORDER;
	*(volatile activity_pair *)fixed.trace = trace;
	fixed.span = span;
	ACTIVITY_ORDER;
	fixed.valid = 1;
}

/* The same for a scheduler: keeps what is there and puts the next one in, with no look at either. */
static inline __attribute__((always_inline)) void edit_swap(struct ids *save,
							    const struct ids *next)
{
	activity_pair trace = *(const activity_pair *)fixed.trace;
	uint64_t span = fixed.span;

	memcpy(save->trace, &trace, sizeof(trace));
	memcpy(save->span, &span, sizeof(span));
	edit(next);
}

static inline __attribute__((always_inline)) void push_pop(const struct ids *id)
{
	struct activity_span before;

	activity_push(&before, id->span);
	activity_pop(&before);
}

LOOP(loop_empty, )
LOOP(loop_set, activity_set(id->trace, id->span))
LOOP(loop_clear, activity_set(id->trace, id->span); activity_clear())
LOOP(loop_push, push_pop(id))
RING(ring_empty, flat, )
RING(ring_swap, flat, activity_swap(&from->context, &to->context))
RING(ring_swap_deep, deep, activity_swap(&from->context, &to->context))
RING(ring_edit, flat, edit_swap((struct ids *)from, (const struct ids *)to))
/* As on a CPU that has no registers of 32 bytes for everybody. */
static void ring_swap_parts(long n)
{
	uint32_t flat = activity_flat_at_once;

	activity_flat_at_once = 0;
	ring_swap(n);
	activity_flat_at_once = flat;
}

LOOP(loop_call, call_set(id->trace, id->span))
LOOP(loop_pointer, pointer = (void *)id)
LOOP(loop_fixed, edit(id))
static int key, other_key;

LOOP(loop_attribute, activity_attribute(key, (const char *)id->trace, 12))
/* A request with a route. */
LOOP(loop_route, activity_set(id->trace, id->span); activity_attribute(key, "/orders/cart", 12))
/* Longer and shorter in turns, so that what is behind it moves. */
LOOP(loop_resize, activity_attribute(key, (const char *)id->trace, 8 + i % 8);
     activity_attribute(other_key, (const char *)id->trace, 12))
LOOP(loop_id, uint8_t span[8]; activity_new_span_id(span))

static const struct kind {
	const char *name, *what;
	void (*run)(long);
	double limit;
	int empty; /* the kind whose cost is that of the loop alone */
} kinds[] = {
	{ "empty", "the loop alone", loop_empty, 0, 0 },
	{ "empty-ring", "the loop alone, for swap", ring_empty, 0, 1 },
	{ "set", "set", loop_set, 1.0, 0 },
	{ "push", "push and pop", loop_push, 2.5, 0 },
	{ "swap", "swap", ring_swap, 1.0, 1 },
	{ "swap-parts", "swap, without AVX-512", ring_swap_parts, 0, 1 },
	{ "swap-deep", "swap within child spans", ring_swap_deep, 0, 1 },
	{ "clear", "set and clear", loop_clear, 0, 0 },
	{ "call", "set, by a call into the library", loop_call, 0, 0 },
	{ "attribute", "an attribute, changed", loop_attribute, 15, 0 },
	{ "route", "set, and an attribute", loop_route, 0, 0 },
	{ "resize", "two attributes, of other sizes", loop_resize, 0, 0 },
	{ "id", "a new span id", loop_id, 0, 0 },
	{ "pointer", "OTEP 4947's pointer swap", loop_pointer, 0, 0 },
	{ "fixed", "OTEP 4947's edited record", loop_fixed, 0, 0 },
	{ "fixed-swap", "  put aside and edited", ring_edit, 0, 1 },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void prepare(void)
{
	struct activity_span before;

	for (int i = 0; i < NR; i++) {
		memset(&many[i], i + 1, sizeof(many[i]));
		activity_set(many[i].trace, many[i].span);
		activity_save(&flat[i].context);
		memset(many[i].span, 0x80 + i, sizeof(many[i].span));
		activity_push(&before, many[i].span);
		activity_save(&deep[i].context);
	}
	activity_set(many[0].trace, many[0].span);
	key = activity_key("route");
	other_key = activity_key("user");
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double turn_of(const struct kind *kind)
{
	double begin;

	activity_set(many[0].trace, many[0].span);
	begin = now_ns();
	kind->run(ROUNDS);
	return (now_ns() - begin) / ROUNDS;
}

int main(int argc, char **argv)
{
	static double time[NR_KINDS][TURNS];

	prepare();
	if (argc == 3) {
		for (size_t k = 0; k < NR_KINDS; k++) {
			if (strcmp(argv[1], kinds[k].name) == 0)
				kinds[k].run(atol(argv[2]));
		}
		return 0;
	}
	for (int turn = 0; turn < TURNS; turn += TURNS / SWEEPS) {
		for (size_t k = 0; k < NR_KINDS; k++) {
			for (int i = 0; i < TURNS / SWEEPS; i++)
				time[k][turn + i] = turn_of(&kinds[k]);
		}
	}
	for (size_t k = 0; k < NR_KINDS; k++)
		qsort(time[k], TURNS, sizeof(double), compare);
	for (size_t k = 0; k < NR_KINDS; k++) {
		const double *empty = time[kinds[k].empty];
		double less = (size_t)kinds[k].empty == k ? 0 : 1;

		printf("%s\t%s\t%.2f\t%.2f\t%.1f\n", kinds[k].name, kinds[k].what,
		       time[k][TURNS / 2] - less * empty[TURNS / 2], time[k][0] - less * empty[0],
		       kinds[k].limit);
	}
	return 0;
}
