// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/beside.h"

#include <glib.h>
#include <string.h>

#include "activity/layout.h"
#include "dso/dso.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/wall.h"
#include "resolve/place.h"

#define MOST 65536u /* a power of two */

struct beside_slot {
	u64 number;		  /* 0: empty */
	const struct code *code;  /* NULL: the sample has no addresses */
	struct activity activity; /* its labels are a copy */
};

struct beside {
	struct beside_slot *slots; /* number @n is in slot n % MOST; NULL: none has come */
};

struct beside *beside_new(void)
{
	return g_new0(struct beside, 1);
}

void beside_free(struct beside *b)
{
	beside_restart(b);
	g_free(b);
}

void beside_restart(struct beside *b)
{
	for (u32 i = 0; b && b->slots && i < MOST; i++)
		g_free((void *)b->slots[i].activity.labels.data);
	if (b)
		g_clear_pointer(&b->slots, g_free);
}

bool beside_takes(const struct event *event)
{
	const char *name = event->evsel ? event->evsel->name : NULL;

	return name && event->sample.type & PERF_SAMPLE_RAW &&
	       event->sample.raw_size >= sizeof(struct wall_beside) &&
	       (!strcmp(name, OFFCPU_WAKER_EVENT) || !strcmp(name, OFFCPU_OWNER_EVENT));
}

/* The C library and the dynamic linker: what they were called for is more than their own functions say. */
static bool is_library(const struct code *code)
{
	static const char *const names[] = { "libc.so",	 "libc-2.",	 "libpthread",
					     "ld-linux", "ld-musl",	 "libc.musl",
					     "[vdso]",	 "libstdc++.so", "libc++.so" };

	for (u32 i = 0; code->dso && i < ARRAY_SIZE(names); i++)
		if (g_str_has_prefix(dso_short_name(code->dso), names[i]))
			return true;
	return false;
}

/*
 * The innermost function that is the program's. Without any: the innermost one of user code; or what was sampled.
 *
 *	k futex_wake, . pthread_mutex_unlock (libc), . serve	serve
 */
static const struct code *own_code(const struct place *p)
{
	const struct code *user = NULL;

	for (u32 i = 0; i < p->nr_chain; i++) {
		const struct code *code = p->chain[i];

		if (code->level != '.')
			continue;
		user = user ?: code;
		if (code->dso && !is_library(code))
			return code;
	}
	return user ?: p->ip;
}

static void take_activity(struct activity *out, const struct activity *from)
{
	g_free((void *)out->labels.data);
	*out = *from;
	out->labels.data = g_memdup2(from->labels.data, from->labels.size);
}

void beside_take(struct beside *b, const struct place *place)
{
	struct beside_slot *slot;
	struct wall_beside is;

	memcpy(&is, place->sample->raw, sizeof(is));
	if (!is.number)
		return;
	if (!b->slots)
		b->slots = g_new0(struct beside_slot, MOST);
	slot = &b->slots[is.number % MOST];
	slot->number = is.number;
	slot->code = place->sample->nr_ips ? own_code(place) : NULL;
	take_activity(&slot->activity, place->activity);
}

static const struct beside_slot *find(const struct beside *b, u64 number)
{
	const struct beside_slot *slot = b && b->slots && number ? &b->slots[number % MOST] : NULL;

	return slot && slot->number == number ? slot : NULL;
}

const struct code *beside_code(const struct beside *b, u64 number)
{
	const struct beside_slot *slot = find(b, number);

	return slot ? slot->code : NULL;
}

const struct activity *beside_activity(const struct beside *b, u64 number)
{
	const struct beside_slot *slot = find(b, number);

	return slot ? &slot->activity : NULL;
}
