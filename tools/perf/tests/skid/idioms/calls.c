// SPDX-License-Identifier: GPL-2.0-or-later
/* A cold access beside calls: before one, behind one, first or last in a function. */
#include "slow.h"

struct item;
typedef long visit_fn(struct item *item, long sum);

struct item {
	struct item *next;
	visit_fn *visit;
	long id, value, hot;
	char rest[LINE - 5 * sizeof(long)];
};

TESTED long visit_value(struct item *item, long sum)
{
	return item->value + sum;
}

TESTED long visit_hot(struct item *item, long sum)
{
	item->hot = sum;
	return sum ^ 1;
}

static void *items(void)
{
	uint32_t nr = COLD / sizeof(struct item);
	struct item *all = cold(COLD);

	link_all(all, nr, sizeof(*all), offsetof(struct item, next));
	for (uint32_t i = 0; i < nr; i++) {
		all[i].visit = i & 1 ? visit_value : visit_hot;
		all[i].id = i;
	}
	return all;
}

/* The call waits for its own target. truth call_memory call_memory visit_value visit_hot: struct item +0x8 (visit) 100 */
TESTED struct item *call_memory(struct item *at, long steps)
{
	long sum = 0;

	for (; steps; steps--) {
		sum = at->visit(at, sum);
		at = at->next;
	}
	return at;
}

/* Like a return's value. truth last_in_function last_in_function id_of: struct item +0x10 (id) 100 */
TESTED long id_of(const struct item *item)
{
	return item->id;
}

TESTED struct item *last_in_function(struct item *at, long steps)
{
	long sum = 0;

	for (; steps; steps--) {
		sum += id_of(at);
		KEEP(sum);
		at->hot = sum;
		at = at->next;
	}
	return at;
}

/* truth first_in_function first_in_function note: struct item +0x18 (value) 100 */
TESTED void note(struct item *item, long v)
{
	item->value += v;
	asm volatile("" : : : "memory");
	item->hot = v;
}

TESTED struct item *first_in_function(struct item *at, long steps)
{
	for (; steps; steps--) {
		note(at, steps);
		at = at->next;
	}
	return at;
}

/* An argument waits, and behind it is the call. truth before_call before_call mix: struct item +0x10 (id) 100 */
TESTED long mix(long a, long b)
{
	KEEP(a);
	return (a ^ (b << 3)) + 1;
}

TESTED struct item *before_call(struct item *at, long steps)
{
	long sum = 0;

	for (; steps; steps--) {
		sum = mix(sum, at->id);
		at->hot = sum;
		at = at->next;
	}
	return at;
}

/* truth behind_call behind_call mix: struct item +0x10 (id) 100 */
TESTED struct item *behind_call(struct item *at, long steps)
{
	long sum = 0;

	for (; steps; steps--) {
		sum = mix(sum, steps);
		sum += at->id;
		KEEP(sum);
		at->hot = sum;
		at = at->next;
	}
	return at;
}

/* The wait is behind the return, by a pointer that comes from the call. truth use_of_result use_of_result next_of: struct item +0x10 (id) 100 */
TESTED struct item *next_of(struct item *item)
{
	struct item *next = item->next;

	KEEP(next);
	return next;
}

TESTED struct item *use_of_result(struct item *at, long steps)
{
	for (; steps; steps--) {
		at = next_of(at);
		USE(at->id);
		USE(at->value);
	}
	return at;
}

/* truth tail_call tail_call through mix: struct item +0x10 (id) 100 */
TESTED long through(struct item *item, long sum)
{
	return mix(sum, item->id);
}

TESTED struct item *tail_call(struct item *at, long steps)
{
	long sum = 0;

	for (; steps; steps--) {
		sum = through(at, sum);
		at->hot = sum;
		at = at->next;
	}
	return at;
}

/* A jump to a function from memory. truth tail_jump tail_jump forward visit_value visit_hot: struct item +0x8 (visit) 100 */
TESTED long forward(struct item *item, long sum)
{
	return item->visit(item, sum);
}

TESTED struct item *tail_jump(struct item *at, long steps)
{
	long sum = 0;

	for (; steps; steps--) {
		sum = forward(at, sum);
		KEEP(sum);
		at = at->next;
	}
	return at;
}

/* truth recursion recursion deeper: struct item +0x10 (id) 100 */
TESTED long deeper(struct item **at, int depth)
{
	struct item *item = *at;
	long id = item->id;

	KEEP(id);
	item->hot = depth;
	*at = item->next;
	if (depth)
		id += deeper(at, depth - 1);
	KEEP(id);
	return id;
}

TESTED struct item *recursion(struct item *at, long steps)
{
	for (steps /= 10; steps; steps--)
		deeper(&at, 9);
	return at;
}

/* truth argument_pushed argument_pushed seventh: struct item +0x10 (id) 100 */
TESTED long seventh(long a, long b, long c, long d, long e, long f, long g)
{
	KEEP(a);
	return a + b + c + d + e + f + g;
}

TESTED struct item *argument_pushed(struct item *at, long steps)
{
	long sum = 0;

	for (; steps; steps--) {
		sum = seventh(sum, 1, 2, 3, 4, 5, at->id);
		at->hot = sum;
		at = at->next;
	}
	return at;
}

#define WALK(name)                                                                                 \
	{                                                                                          \
#name, (walk_fn *)(void *)name, items                                              \
	}
static const struct idiom idioms[] = {
	WALK(call_memory), WALK(last_in_function), WALK(first_in_function), WALK(before_call),
	WALK(behind_call), WALK(use_of_result),	   WALK(tail_call),	    WALK(tail_jump),
	WALK(recursion),   WALK(argument_pushed),
};

int main(int argc, char **argv)
{
	return run_idiom(idioms, sizeof(idioms) / sizeof(*idioms), argc, argv);
}
