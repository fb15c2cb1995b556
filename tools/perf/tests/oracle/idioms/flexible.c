// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A query's clauses: a header with a tail of elements behind it, declared as a flexible array, as
 * one of a single element and as none. Walked up, down, from the end, and shifted in place, so that
 * compilers move the start of the walk into the header or before it.
 */
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct source {
	char *name;
	int cursor;
	unsigned char kind, joined;
	unsigned short flags;
	long cost;
	struct clauses *of;
};

struct sources {
	int nr, room;
	struct source at[];
};

struct level {
	int op, reg;
	long address;
	struct source *in;
	unsigned char nested, sorted;
};

struct plan {
	int nr;
	long spent[6];
	unsigned char once, empty;
	struct level levels[1];
};

struct clauses {
	short nr;
	unsigned char kind;
	struct clause {
		int op;
		short left, right;
		struct clause *parent;
	} at[4];
};

static struct sources *sources_of(char **names, int nr)
{
	struct sources *sources =
		new_flexible(struct sources, (size_t)(nr + 4) * sizeof(struct source));

	sources->nr = nr;
	sources->room = nr + 4;
	for (int i = 0; i < nr; i++) {
		struct source *source = &sources->at[i];

		source->name = names[i];
		source->cursor = i * 3;
		source->kind = (unsigned char)(i & 3);
		source->flags = (unsigned short)(i << 4);
		source->cost = 100 - i;
		source->of = NULL;
	}
	return sources;
}

static int cursor_of(const struct sources *sources, const char *name)
{
	for (int i = 0; i < sources->nr; i++)
		if (sources->at[i].name == name)
			return sources->at[i].cursor;
	return -1;
}

static long cost_of_last(const struct sources *sources)
{
	return sources->nr ? sources->at[sources->nr - 1].cost : 0;
}

/* What stands at @to and behind it moves up by @nr. */
static void make_room(struct sources *sources, int to, int nr)
{
	for (int i = sources->nr - 1; i >= to; i--)
		sources->at[i + nr] = sources->at[i];
	sources->nr += nr;
	memset(&sources->at[to], 0, sizeof(sources->at[0]) * nr);
	for (int i = to; i < to + nr; i++)
		sources->at[i].cursor = -1;
}

static unsigned int join(struct sources *sources)
{
	unsigned int flags = 0;

	/* From the last but one: each looks at the one behind it. */
	for (int i = sources->nr - 1; i > 0; i--) {
		sources->at[i].joined = sources->at[i - 1].kind;
		flags |= sources->at[i].flags;
	}
	sources->at[0].joined = 0;
	return flags;
}

static void own(struct sources *sources, struct clauses *clauses)
{
	struct source *source = sources->at;

	for (int i = 0; i < sources->nr; i++, source++) {
		source->of = clauses;
		source->cost += source->kind;
	}
}

static struct plan *plan_of(struct sources *sources)
{
	struct plan *plan = new_flexible(struct plan, (size_t)sources->nr * sizeof(struct level));

	memset(plan, 0, sizeof(*plan));
	plan->nr = sources->nr;
	for (int i = 0; i < plan->nr; i++) {
		struct level *level = &plan->levels[i];

		level->op = i ^ 5;
		level->reg = i * 2;
		level->address = i * 64;
		level->in = &sources->at[i];
		level->nested = i > 0;
		level->sorted = 0;
	}
	return plan;
}

static long finish(struct plan *plan)
{
	long sum = 0;

	for (int i = plan->nr - 1; i >= 0; i--) {
		struct level *level = &plan->levels[i];

		if (level->nested)
			sum += level->address + level->reg;
		level->sorted = 1;
		sum += level->in->cursor;
	}
	for (int i = 1; i < plan->nr; i++)
		sum += plan->levels[i].op - plan->levels[i - 1].op;
	plan->spent[plan->nr % 6] = sum;
	return sum;
}

static struct clauses *clauses_of(int nr)
{
	struct clauses *clauses = create(struct clauses);

	clauses->nr = 0;
	clauses->kind = (unsigned char)nr;
	while (clauses->nr < nr) {
		struct clause *clause = &clauses->at[clauses->nr++];

		clause->op = nr;
		clause->left = (short)(nr * clauses->nr);
		clause->right = -1;
		clause->parent = clause - (clauses->nr > 1);
	}
	return clauses;
}

static int weigh(const struct clauses *clauses)
{
	const struct clause *clause, *end = clauses->at + clauses->nr;
	int sum = 0;

	for (clause = clauses->at; clause < end; clause++)
		sum += clause->left + clause->parent->right;
	for (int i = clauses->nr; i-- > 0;)
		sum ^= clauses->at[i].op;
	return sum;
}

int main(void)
{
	static char *names[] = { "orders", "items", "people", "places", "prices" };
	struct sources *sources = sources_of(names, 5);
	struct clauses *clauses = clauses_of(4);
	struct plan *plan;
	long sum;

	own(sources, clauses);
	make_room(sources, 2, 3);
	sum = cursor_of(sources, names[3]) + cost_of_last(sources) + join(sources);
	plan = plan_of(sources);
	sum += finish(plan) + weigh(clauses);
	printf("%ld\n", sum);
	truth_free(plan);
	truth_free(clauses);
	truth_free(sources);
	return 0;
}
