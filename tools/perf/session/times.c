// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* "12.5" -> 12500000000; digits after the ninth decimal are ignored. */
static bool parse_seconds(const char *text, u64 *ns)
{
	u64 unit = NS_PER_S / 10, whole;
	char *end;

	if (!g_ascii_isdigit(*text))
		return false;
	whole = g_ascii_strtoull(text, &end, 10);
	if (whole > UINT64_MAX / NS_PER_S - 1)
		return false;
	*ns = whole * NS_PER_S;
	if (*end == '.') {
		for (end++; g_ascii_isdigit(*end); end++, unit /= 10)
			*ns += (u64)(*end - '0') * unit;
	}
	return !*end;
}

static bool parse_absolute(const char *text, struct time_span *out)
{
	g_autofree char *copy = g_strdup(text);
	char *comma = strchr(copy, ',');

	if (!comma)
		return false;
	*comma++ = '\0';
	*out = (struct time_span){ 0, UINT64_MAX };
	return (!*copy || parse_seconds(copy, &out->from)) &&
	       (!*comma || parse_seconds(comma, &out->to)) && out->from <= out->to;
}

/* "10%": the number, *end after the sign; false if not in 0..100. */
static bool parse_percent(const char *text, double *percent, char **end)
{
	*percent = g_ascii_strtod(text, end);
	if (*end == text || **end != '%' || !(*percent >= 0 && *percent <= 100))
		return false;
	(*end)++;
	return true;
}

static bool parse_relative(const char *text, const struct time_span *span, struct time_span *out)
{
	double total = (double)(span->to - span->from), from, to;
	char *end;

	if (!parse_percent(text, &from, &end))
		return false;
	if (*end == '/') {
		u64 nth = g_ascii_strtoull(end + 1, &end, 10);

		if (*end || !nth || from * (double)nth > 100)
			return false;
		to = from * (double)nth;
		from = to - from;
	} else if (*end == '-') {
		if (!parse_percent(end + 1, &to, &end) || *end || to < from)
			return false;
	} else {
		if (*end)
			return false;
		to = from;
		from = 0;
	}
	out->from = span->from + (u64)round(total * from / 100);
	out->to = span->from + (u64)round(total * to / 100);
	/* The next part starts at the end of this one. */
	if (out->to > out->from && out->to != span->to)
		out->to--;
	return true;
}

static gint by_start(gconstpointer a, gconstpointer b)
{
	const struct time_span *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Overlapping ranges become one. */
static GArray *times_ordered(GArray *times)
{
	GArray *ordered = g_array_new(FALSE, FALSE, sizeof(struct time_span));

	g_array_sort(times, by_start);
	for (u32 i = 0; i < times->len; i++) {
		const struct time_span *one = &g_array_index(times, struct time_span, i);
		struct time_span *last = NULL;

		if (ordered->len)
			last = &g_array_index(ordered, struct time_span, ordered->len - 1);
		if (last && one->from <= last->to)
			last->to = MAX(last->to, one->to);
		else
			g_array_append_val(ordered, *one);
	}
	return ordered;
}

GArray *times_parse(const char *text, const struct time_span *span, GError **error)
{
	bool relative = strpbrk(text, "%/");
	g_auto(GStrv) parts = g_strsplit_set(text, relative ? ", " : " ", -1);
	g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(struct time_span));

	for (char **part = parts; *part; part++) {
		struct time_span one;

		if (!**part)
			continue;
		if (!(relative ? parse_relative(*part, span, &one) : parse_absolute(*part, &one))) {
			error_set(error, PERF_ERROR_USAGE,
				  "--time: '%s' is not a range: give START,STOP in seconds, "
				  "A%%-B%% or A%%/N",
				  *part);
			return NULL;
		}
		g_array_append_val(times, one);
	}
	if (!times->len) {
		error_set(error, PERF_ERROR_USAGE, "--time: no range given");
		return NULL;
	}
	return times_ordered(times);
}

GArray *times_both(const GArray *a, const GArray *b)
{
	GArray *both = g_array_new(FALSE, FALSE, sizeof(struct time_span));

	for (u32 i = 0, j = 0; i < a->len && j < b->len;) {
		const struct time_span *x = &g_array_index(a, struct time_span, i);
		const struct time_span *y = &g_array_index(b, struct time_span, j);
		struct time_span one = { MAX(x->from, y->from), MIN(x->to, y->to) };

		if (one.from <= one.to)
			g_array_append_val(both, one);
		if (x->to < y->to)
			i++;
		else
			j++;
	}
	return both;
}

u32 times_from(const GArray *times, u64 time)
{
	u32 from = 0, to = times->len;

	while (from < to) {
		u32 middle = from + (to - from) / 2;

		if (g_array_index(times, struct time_span, middle).to < time)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

bool times_have(const GArray *times, u64 time)
{
	u32 i = times_from(times, time);

	return i < times->len && g_array_index(times, struct time_span, i).from <= time;
}
