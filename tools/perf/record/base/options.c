// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/base/options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/options.h"

bool switch_output_parse(const char *text, struct switch_output *out, GError **error)
{
	struct switch_output parsed = { .given = true };
	u64 number;

	if (!strcmp(text, "signal"))
		parsed.on_signal = true;
	else if (options_parse_seconds(text, &number)) /* before sizes: 5m means minutes */
		parsed.seconds = number;
	else if (options_parse_size(text, true, &number))
		parsed.size = number;
	else
		return error_set(error, PERF_ERROR_USAGE,
				 "'%s' is neither \"signal\" nor a size (with B, K, M or G) nor a "
				 "time (with s, m, h or d)",
				 text);
	if (!parsed.on_signal && !parsed.size && !parsed.seconds)
		return error_set(error, PERF_ERROR_USAGE, "'%s' must be above 0", text);
	*out = parsed;
	return true;
}

static const struct {
	const char *name, *alias;
	int id;
} clocks[] = {
	{ "monotonic", "mono", CLOCK_MONOTONIC }, { "monotonic_raw", "raw", CLOCK_MONOTONIC_RAW },
	{ "realtime", "real", CLOCK_REALTIME },	  { "boottime", "boot", CLOCK_BOOTTIME },
	{ "CLOCK_TAI", "tai", CLOCK_TAI },
};

const char *clockid_name(int clockid)
{
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (clocks[i].id == clockid)
			return clocks[i].name;
	return NULL;
}

bool clockid_parse(const char *text, int *clockid, GError **error)
{
	const char *name = g_ascii_strncasecmp(text, "CLOCK_", 6) ? text : text + 6;
	char *end;
	long number = strtol(text, &end, 10);

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!g_ascii_strcasecmp(name, clocks[i].name) ||
		    !g_ascii_strcasecmp(name, clocks[i].alias)) {
			*clockid = clocks[i].id;
			return true;
		}
	}
	if (end == text || *end || !clockid_name((int)number))
		return error_set(error, PERF_ERROR_USAGE,
				 "unknown clockid %s: expected monotonic, monotonic_raw, realtime, "
				 "boottime or tai",
				 text);
	*clockid = (int)number;
	return true;
}

bool synth_parse(const char *text, u32 *kinds, GError **error)
{
	static const struct {
		const char *name;
		u32 kinds;
	} words[] = {
		{ "no", 0 },
		{ "task", SYNTH_TASKS },
		{ "mmap", SYNTH_TASKS | SYNTH_MAPS },
		{ "cgroup", SYNTH_CGROUPS },
		{ "all", SYNTH_ALL },
	};
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);

	*kinds = 0;
	if (!*text)
		return error_set(error, PERF_ERROR_USAGE, "needs a kind, such as task or no");
	for (char **part = parts; *part; part++) {
		size_t i = 0;

		while (i < ARRAY_SIZE(words) && strcmp(*part, words[i].name))
			i++;
		if (i == ARRAY_SIZE(words))
			return error_set(error, PERF_ERROR_USAGE,
					 "'%s': expected task, mmap, cgroup, all or no", *part);
		*kinds |= words[i].kinds;
	}
	return true;
}

static bool parse_int(const char *text, int low, int high, int *out)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < low || value > high)
		return false;
	*out = (int)value;
	return true;
}

/* The number at *@text, which is moved behind it. */
static bool read_ms(const char **text, u32 *ms)
{
	char *end;
	u64 number = g_ascii_strtoull(*text, &end, 10);

	if (!g_ascii_isdigit(**text) || number > INT_MAX)
		return false;
	*ms = (u32)number;
	*text = end;
	return true;
}

/* "10-20,50-60" */
static bool read_ranges(const char *text, GArray *times)
{
	for (s64 last = -1;; text++) {
		u32 range[2];

		if (!read_ms(&text, &range[0]) || *text++ != '-' || !read_ms(&text, &range[1]) ||
		    range[0] <= last || range[1] <= range[0])
			return false;
		g_array_append_vals(times, range, 2);
		last = range[1];
		if (*text != ',')
			return !*text;
	}
}

bool delay_parse(const char *text, GArray **times, GError **error)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(u32));
	int ms;

	*times = NULL;
	if (strchr(*text ? text + 1 : text, '-')) {
		if (!read_ranges(text, all))
			return error_set(error, PERF_ERROR_USAGE,
					 "'%s' are not ranges of milliseconds, each after the one "
					 "before, such as 10-20,50-60",
					 text);
	} else if (!parse_int(text, -1, INT_MAX, &ms)) {
		return error_set(error, PERF_ERROR_USAGE,
				 "'%s' is neither a number of milliseconds nor -1", text);
	} else if (ms > 0) {
		g_array_append_val(all, ms);
	}
	if (*text != '-')
		*times = g_steal_pointer(&all);
	return true;
}

bool zstd_level_parse(const char *text, int *level, GError **error)
{
	if (parse_int(text, 1, 22, level))
		return true;
	return error_set(error, PERF_ERROR_USAGE, "'%s' is not a level from 1 to 22", text);
}
