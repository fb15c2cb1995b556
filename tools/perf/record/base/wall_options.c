// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/base/wall_options.h"

#include <glib.h>
#include <string.h>

/* A whole number from @low to @high. */
static bool parse_whole(const char *text, guint64 low, guint64 high, guint64 *out)
{
	return g_ascii_string_to_unsigned(text, 10, low, high, out, NULL);
}

bool wall_source_parse(const char *text, enum wall_source *out, GError **error)
{
	static const char *const names[] = { "auto",	 "bpf",	     "bpf-list",
					     "bpf-loop", "bpf-iter", "proc" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(text, names[i])) {
			*out = (enum wall_source)i;
			return true;
		}
	}
	return error_set(error, PERF_ERROR_USAGE,
			 "'%s': expected auto, bpf, bpf-list, bpf-loop, bpf-iter or proc", text);
}

bool wall_hz_parse(const char *text, u32 *hz, GError **error)
{
	guint64 value;

	if (!parse_whole(text, 1, 1000, &value))
		return error_set(error, PERF_ERROR_USAGE,
				 "'%s' is not a number of passes per second, from 1 to 1000", text);
	*hz = (u32)value;
	return true;
}

bool latency_of_parse(const char *text, u32 *of, GError **error)
{
	static const char *const names[] = { NULL, "syscall", "block-io" };

	for (u32 i = 1; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(text, names[i])) {
			*of = i;
			return true;
		}
	}
	return error_set(error, PERF_ERROR_USAGE, "'%s': expected syscall or block-io", text);
}

bool off_cpu_threshold_parse(const char *text, u64 *ns, GError **error)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = {
		{ "", 1000000 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }
	};
	char *end;
	u64 value = g_ascii_strtoull(text, &end, 10);

	for (size_t i = 0; end != text && g_ascii_isdigit(*text) && i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].name) || value > UINT64_MAX / 2 / units[i].ns)
			continue;
		*ns = value * units[i].ns;
		return true;
	}
	return error_set(error, PERF_ERROR_USAGE,
			 "'%s' is not a time: expected a number of milliseconds, or one with ns, "
			 "us, ms or s",
			 text);
}

bool wall_merge_parse(const char *text, u64 *ns, GError **error)
{
	guint64 ms;

	if (!parse_whole(text, 0, 60000, &ms))
		return error_set(error, PERF_ERROR_USAGE,
				 "'%s' is not a number of milliseconds, from 0 to 60000", text);
	*ns = ms * 1000000;
	return true;
}

static bool take_one(struct wall_options *w, const char *name, const char *arg, GError **error)
{
	if (!strcmp(name, "wall"))
		return wall_hz_parse(arg, &w->hz, error);
	if (!strcmp(name, "wall-source"))
		return wall_source_parse(arg, &w->source, error);
	if (!strcmp(name, "latency-of"))
		return latency_of_parse(arg, &w->latency_of, error);
	return wall_merge_parse(arg, &w->merge, error);
}

/* What --no-X stores. */
static void reset_one(struct wall_options *w, const char *name)
{
	if (!strcmp(name, "wall"))
		w->hz = 0;
	else if (!strcmp(name, "wall-source"))
		w->source = WALL_SOURCE_AUTO;
	else if (!strcmp(name, "latency-of"))
		w->latency_of = 0;
	else
		w->merge = WALL_MERGE_DEFAULT;
}

bool wall_take(const struct option_row *row, const char *arg, bool unset, void *opts,
	       GError **error)
{
	struct wall_options *w = (void *)((char *)opts + row->offset);

	reset_one(w, row->name);
	if (strcmp(row->name, "wall"))
		w->needs_wall = unset ? NULL : row->name;
	return unset || take_one(w, row->name, arg, error);
}

bool off_cpu_take(const struct option_row *row, const char *arg, bool unset, void *opts,
		  GError **error)
{
	struct off_cpu_options *o = (void *)((char *)opts + row->offset);

	o->given = !unset;
	return unset || off_cpu_threshold_parse(arg, &o->threshold, error);
}
