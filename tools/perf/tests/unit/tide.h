/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sort key for tests, by the time of the sample; perf does not have it. And a recording with both of its values. */
#ifndef UNIT_TIDE_H
#define UNIT_TIDE_H

#include "fields/fields.h"
#include "resolve/place.h"

static const char *const tides[] = { "low tide", "high tide" };

#define TIDE_RECORDING                                                                             \
	"event cpu-clock\n"                                                                        \
	"comm pid=7 text=gull\n"                                                                   \
	"sample pid=7 ip=0x1000 time=2000 period=30\n"                                             \
	"sample pid=7 ip=0x1000 time=3000 period=70\n"

static inline u64 key_tide(const struct field *field, struct lexicon *lexicon,
			   const struct place *place)
{
	return place->time / 1000 % ARRAY_SIZE(tides);
}

static inline void print_tide(const struct field *field, const struct lexicon *lexicon, u64 key,
			      GString *out)
{
	g_string_append(out, tides[key]);
}

static const struct field field_tide = {
	.name = "tide",
	.header = "Tide",
	.family = FIELD_NORMAL,
	.needs = NEED_SAMPLE,
	.key = key_tide,
	.print = print_tide,
};

#endif
