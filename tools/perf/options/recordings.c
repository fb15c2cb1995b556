// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/recordings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "options/recording.h"

#define MOST_TRIES 8 /* while files come and go */

#define LONGEST_STRETCH_NS (61 * NS_PER_S) /* of a thread state, by perf record --wall */

/* A candidate recording; times are times of day. */
struct dated_part {
	char *path;
	u64 from, to;
	s64 to_wall; /* from its own clock */
};

bool recordings_is_folder(const char *path)
{
	g_autofree char *data = g_build_filename(path, "data", NULL);
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode) && access(data, F_OK);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* False without @why: this is another file. */
static bool can_read(const char *path, bool force, GError **why)
{
	char start[8];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool other = fd < 0 ? errno == ENOENT
			    : read(fd, start, sizeof(start)) != sizeof(start) ||
				      memcmp(start, "PERFILE2", sizeof(start));
	struct perfdata *pd;

	if (fd >= 0)
		close(fd);
	pd = other ? NULL : recording_open(path, force, why);
	if (!pd)
		return false;
	perfdata_close(pd);
	return true;
}

/* The regular files in @folder, by name. */
static GPtrArray *files_in(const char *folder, GError **error)
{
	GDir *dir = g_dir_open(folder, 0, error);
	GPtrArray *files;
	const char *name;

	if (!dir)
		return NULL;
	files = g_ptr_array_new_with_free_func(g_free);
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		struct stat st;

		if (!stat(path, &st) && S_ISREG(st.st_mode))
			g_ptr_array_add(files, g_steal_pointer(&path));
	}
	g_dir_close(dir);
	g_ptr_array_sort(files, by_name);
	return files;
}

/* One damaged part does not keep the others from being read: a note names it. */
static bool add_folder(GPtrArray *paths, const char *folder, bool force, GError **error)
{
	g_autoptr(GPtrArray) files = files_in(folder, error);
	g_autoptr(GError) first = NULL;
	u32 before = paths->len, left_out = 0;

	if (!files)
		return false;
	for (u32 i = 0; i < files->len; i++) {
		GError *why = NULL;

		if (can_read(files->pdata[i], force, &why))
			g_ptr_array_add(paths, g_strdup(files->pdata[i]));
		left_out += !!why;
		if (first)
			g_clear_error(&why);
		else
			first = why;
	}
	if (paths->len == before && first) {
		g_propagate_error(error, g_steal_pointer(&first));
		return false;
	}
	if (paths->len == before)
		return error_set(error, PERF_ERROR_ABSENT, "%s: no recording in this directory",
				 folder);
	if (first)
		fprintf(stderr,
			"note: files in %s that cannot be read and are left out: %u; the first: "
			"%s\n",
			folder, left_out, first->message);
	return true;
}

/*
 * The time of its last write, because a killed recorder cannot store the time of the last sample.
 */
static u64 last_write(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return UINT64_MAX;
	return timespec_ns(&st.st_mtim);
}

/* From the header alone. */
static bool look_at(struct dated_part *p, bool force, GError **error)
{
	const struct perfdata_info *info;
	struct perfdata *pd;

	if (!strcmp(p->path, "-"))
		return error_set(error, PERF_ERROR_USAGE,
				 "--time: a time of day cannot be used with a pipe: save the "
				 "recording to a file first");
	pd = recording_open(p->path, force, error);
	if (!pd)
		return false;
	info = perfdata_info(pd);
	if (!perfdata_info_has(info, FEAT_CLOCK_DATA)) {
		error_set(error, PERF_ERROR_ABSENT,
			  "%s does not record the time of day of its clock: record with --keep or "
			  "'-k monotonic'",
			  p->path);
		perfdata_close(pd);
		return false;
	}
	p->to_wall = (s64)(info->clock_data_wall_ns - info->clock_data_clock_ns);
	p->from = info->clock_data_wall_ns;
	p->to = last_write(p->path);
	if (perfdata_info_has(info, FEAT_SAMPLE_TIME)) {
		p->from = info->first_sample_time + (u64)p->to_wall;
		p->to = info->last_sample_time + (u64)p->to_wall;
	}
	perfdata_close(pd);
	return true;
}

static void part_clear(void *arg)
{
	g_free(((struct dated_part *)arg)->path);
}

static gint earliest_first(gconstpointer a, gconstpointer b)
{
	const struct dated_part *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

static bool look_at_all(GArray *parts, const GPtrArray *paths, bool force, GError **error)
{
	for (u32 i = 0; i < paths->len; i++) {
		struct dated_part p = { .path = g_strdup(paths->pdata[i]) };

		if (!look_at(&p, force, error)) {
			part_clear(&p);
			return false;
		}
		g_array_append_val(parts, p);
	}
	g_array_sort(parts, earliest_first);
	return true;
}

/* An instant as people write it. */
struct instant {
	int year, month, day; /* 0: not said */
	int hour, minute;
	double second;
};

/* "9:05", "09:05:30.5", "2026-11-22 09:05", "2026-11-22T09:05:30". */
static bool parse_instant(const char *text, struct instant *out)
{
	int used = 0, more = 0;

	*out = (struct instant){ 0 };
	if (sscanf(text, "%4d-%2d-%2d%*1[ T]%n", &out->year, &out->month, &out->day, &used) < 3 ||
	    !used) {
		out->year = out->month = out->day = 0;
		used = 0;
	}
	text += used;
	if (sscanf(text, "%2d:%2d%n", &out->hour, &out->minute, &more) < 2)
		return false;
	text += more;
	if (*text == ':') {
		char *end;

		out->second = g_ascii_strtod(text + 1, &end);
		if (end == text + 1)
			return false;
		text = end;
	}
	return !*text && out->hour >= 0 && out->hour < 24 && out->minute >= 0 && out->minute < 60 &&
	       out->second >= 0 && out->second < 60;
}

/* @days after the given day, or after the day of @near. */
static u64 wall_of(const struct instant *i, u64 near, int days)
{
	g_autoptr(GDateTime) day = g_date_time_new_from_unix_local((gint64)(near / NS_PER_S));
	g_autoptr(GDateTime) at = NULL, moved = NULL;

	at = g_date_time_new_local(i->day ? i->year : g_date_time_get_year(day),
				   i->day ? i->month : g_date_time_get_month(day),
				   i->day ? i->day : g_date_time_get_day_of_month(day), i->hour,
				   i->minute, 0);
	moved = at ? g_date_time_add_days(at, days) : NULL;
	if (!moved)
		return 0;
	return (u64)g_date_time_to_unix(moved) * NS_PER_S + (u64)(i->second * 1e9);
}

/*
 * A time without a date means the last day on which something can have been recorded at this time.
 */
static bool parse_times(const char *text, u64 last, u64 *from, u64 *to)
{
	const char *comma = strchr(text, ',');
	g_autofree char *first = comma ? g_strndup(text, (gsize)(comma - text)) : NULL;
	struct instant a, b;

	*from = 0;
	*to = UINT64_MAX;
	if (!comma || (*first && !parse_instant(first, &a)) ||
	    (comma[1] && !parse_instant(comma + 1, &b)))
		return false;
	if (*first) {
		*from = wall_of(&a, last, 0);
		if (!a.day && *from > last)
			*from = wall_of(&a, last, -1);
	}
	if (comma[1]) {
		*to = wall_of(&b, *first ? *from : last, 0);
		if (!b.day && *first && *to < *from)
			*to = wall_of(&b, *from, 1);
	}
	return *from <= *to;
}

static char *seconds_text(u64 ns)
{
	return g_strdup_printf("%llu.%09llu", ns / NS_PER_S, ns % NS_PER_S);
}

/* The text for --time, by a clock that is @to_wall behind the time of day. */
static char *time_text(u64 from, u64 to, s64 to_wall)
{
	g_autofree char *a = seconds_text(from - MIN(from, (u64)MAX(to_wall, 0)));
	g_autofree char *b = to == UINT64_MAX ? g_strdup("")
					      : seconds_text(to - MIN(to, (u64)MAX(to_wall, 0)));

	return g_strconcat(a, ",", b, NULL);
}

static bool choose(struct recordings *r, const GArray *parts, const char *time, GError **error)
{
	u64 last = 0, from, to;

	for (u32 i = 0; i < parts->len; i++)
		last = MAX(last, g_array_index(parts, struct dated_part, i).to);
	if (!parse_times(time, last, &from, &to))
		return error_set(error, PERF_ERROR_USAGE,
				 "--time: '%s' is not a time of day: expected '09:00,09:05' or "
				 "'2026-11-22 09:00,2026-11-22 09:05'",
				 time);
	r->times = g_ptr_array_new_with_free_func(g_free);
	for (u32 i = 0; i < parts->len; i++) {
		const struct dated_part *p = &g_array_index(parts, struct dated_part, i);

		/* The sample of a period is at its end. */
		if (p->from > to + MIN(LONGEST_STRETCH_NS, UINT64_MAX - to) || p->to < from)
			continue;
		g_ptr_array_add(r->paths, g_strdup(p->path));
		g_ptr_array_add(r->times, time_text(from, to, p->to_wall));
	}
	if (!r->paths->len)
		return error_set(error, PERF_ERROR_ABSENT, "--time: nothing was recorded in '%s'",
				 time);
	/* A single file uses its own clock, several use the time of day. */
	r->time = r->paths->len == 1 ? g_strdup(r->times->pdata[0]) : time_text(from, to, 0);
	return true;
}

/* The names of the files in the folders among @inputs, and which files these are. Empty: there are no folders. */
static char *contents_of(const GPtrArray *inputs)
{
	GString *all = g_string_new(NULL);

	for (u32 i = 0; i < inputs->len; i++) {
		g_autoptr(GPtrArray) files = recordings_is_folder(inputs->pdata[i])
						     ? files_in(inputs->pdata[i], NULL)
						     : NULL;

		for (u32 k = 0; files && k < files->len; k++) {
			struct stat st;

			if (!stat(files->pdata[k], &st))
				g_string_append_printf(all, "%ju %s\n", (uintmax_t)st.st_ino,
						       (char *)files->pdata[k]);
		}
	}
	return g_string_free(all, FALSE);
}

static bool choose_now(struct recordings *r, const GPtrArray *inputs, const char *time, bool force,
		       GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct dated_part));
	bool by_clock = time && strchr(time, ':'), folders = false;

	*r = (struct recordings){ .paths = g_ptr_array_new_with_free_func(g_free) };
	g_array_set_clear_func(parts, part_clear);
	for (u32 i = 0; i < inputs->len; i++) {
		const char *input = inputs->pdata[i];

		if (!recordings_is_folder(input))
			g_ptr_array_add(paths, g_strdup(input));
		else if (!add_folder(paths, input, force, error))
			return false;
		else
			folders = true;
	}
	if (by_clock)
		return look_at_all(parts, paths, force, error) && choose(r, parts, time, error);
	/* Names of parts are times. */
	if (folders)
		g_ptr_array_sort(paths, by_name);
	g_ptr_array_unref(r->paths);
	r->paths = g_steal_pointer(&paths);
	return true;
}

/* A recorder may rename its file, start another one, and delete the oldest one meanwhile: then, again. */
bool recordings_choose(struct recordings *r, const GPtrArray *inputs, const char *time, bool force,
		       GError **error)
{
	g_autofree char *before = contents_of(inputs);

	for (u32 tries = 1;; tries++) {
		g_autoptr(GError) wrong = NULL;
		bool ok = choose_now(r, inputs, time, force, &wrong);
		char *after = contents_of(inputs);
		bool same = !strcmp(before, after);

		g_free(before);
		before = after;
		if (same || tries == MOST_TRIES) {
			if (wrong)
				g_propagate_error(error, g_steal_pointer(&wrong));
			return ok;
		}
		recordings_release(r);
	}
}

void recordings_release(struct recordings *r)
{
	g_clear_pointer(&r->paths, g_ptr_array_unref);
	g_clear_pointer(&r->times, g_ptr_array_unref);
	g_clear_pointer(&r->time, g_free);
}
