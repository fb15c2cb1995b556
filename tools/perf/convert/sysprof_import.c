// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a capture twice. A perf.data file states its events before its records, but whether a capture has samples of
 * both kinds is known only at its end. A pipe is copied to a temporary file for that.
 */
#include "convert/sysprof_import.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "convert/from_sysprof.h"
#include "pass/output.h"
#include "perfdata/write/encode.h"
#include "sysprof/reader.h"

struct import {
	int fd;
	const char *name;
	bool has[FROM_SYSPROF_EVSELS]; /* there are samples of this kind */
	struct sysprof_import_counts *counts;
	struct from_sysprof *from;
	struct pass *output;
	GByteArray *record;
};

/* Copies all of @from, which messages call @name, to a file without a name; -1 with @error. */
static int keep(int from, const char *name, GError **error)
{
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "perf-sysprof-XXXXXX", NULL);
	int to = g_mkstemp(path);
	u8 buffer[65536];
	ssize_t n = 1;

	if (to < 0) {
		error_set_errno(error, errno, "%s: create", path);
		return -1;
	}
	unlink(path);
	while (n) {
		n = read(from, buffer, sizeof(buffer));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			error_set_errno(error, errno, "%s", name);
			break;
		}
		if (!file_write_fd(to, buffer, (size_t)n)) {
			error_set_errno(error, errno, "%s: write", path);
			break;
		}
	}
	if (n) {
		close(to);
		return -1;
	}
	lseek(to, 0, SEEK_SET);
	return to;
}

static bool open_input(struct import *im, const char *path, GError **error)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	im->name = path;
	if (fd < 0)
		return error_set_errno(error, errno, "%s", path);
	im->fd = fd;
	if (lseek(fd, 0, SEEK_CUR) >= 0)
		return true;
	im->fd = keep(fd, path, error);
	if (!is_stdin)
		close(fd);
	return im->fd >= 0;
}

typedef bool import_frame_fn(struct import *im, const struct sysprof_frame *frame, GError **error);

static bool each_frame(struct import *im, import_frame_fn *fn, GError **error)
{
	struct sysprof_reader *r;
	struct sysprof_frame frame;
	bool good = true;
	int got = 1;

	lseek(im->fd, 0, SEEK_SET);
	r = sysprof_open_fd(im->fd, im->name, error);
	if (!r)
		return false;
	while (good && (got = sysprof_next(r, &frame, error)) > 0)
		good = fn(im, &frame, error);
	sysprof_close(r);
	return good && got == 0;
}

static bool look(struct import *im, const struct sysprof_frame *frame, GError **error)
{
	im->has[FROM_SYSPROF_CHAINS] |= frame->type == SYSPROF_SAMPLE;
	im->has[FROM_SYSPROF_STACKS] |= frame->type == SYSPROF_STACK_USER;
	return true;
}

static bool write_event(struct import *im, struct event *ev, GError **error)
{
	g_byte_array_set_size(im->record, 0);
	if (!event_encode(ev, ev->evsel, im->record, error))
		return false;
	ev->raw = (const void *)im->record->data;
	ev->size = (u16)im->record->len;
	im->counts->samples += ev->type == PERF_RECORD_SAMPLE;
	return im->output->ops->take(im->output, ev, error);
}

static bool convert(struct import *im, const struct sysprof_frame *frame, GError **error)
{
	struct event events[FROM_SYSPROF_MOST];
	u32 nr = from_sysprof_events(im->from, frame, events);
	bool good = true;

	for (u32 i = 0; good && i < nr; i++)
		good = write_event(im, &events[i], error);
	return good;
}

static void add_event(const struct import *im, u32 which, GPtrArray *out)
{
	struct evsel *evsel = evsel_copy(from_sysprof_evsels(im->from)[which]);

	evsel->idx = evsel->leader = out->len;
	g_ptr_array_add(out, evsel);
}

/* The events that have samples. If there are no samples at all: the event of chains. */
static GPtrArray *events_of(const struct import *im)
{
	GPtrArray *out = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free);

	if (im->has[FROM_SYSPROF_CHAINS] || !im->has[FROM_SYSPROF_STACKS])
		add_event(im, FROM_SYSPROF_CHAINS, out);
	if (im->has[FROM_SYSPROF_STACKS])
		add_event(im, FROM_SYSPROF_STACKS, out);
	return out;
}

static bool write_all(struct import *im, struct perfdata_info *info, GError **error)
{
	g_autoptr(GPtrArray) evsels = events_of(im);

	return im->output->ops->begin(im->output, evsels, error) &&
	       each_frame(im, convert, error) && output_pass_finish(im->output, info, error);
}

static bool import(struct import *im, const char *output, GError **error)
{
	struct perfdata_info *info = perfdata_info_new();
	bool good;

	perfdata_info_add_note(info, "converted.from", "sysprof");
	im->from = from_sysprof_new();
	im->output = output_pass_new(output, info);
	im->record = g_byte_array_new();
	good = write_all(im, info, error);
	im->counts->passed_over = from_sysprof_passed_over(im->from);
	g_byte_array_unref(im->record);
	pass_free(im->output);
	from_sysprof_free(im->from);
	perfdata_info_free(info);
	return good;
}

bool sysprof_import(const char *input, const char *output, struct sysprof_import_counts *counts,
		    GError **error)
{
	struct import im = { .fd = -1, .counts = counts };
	bool good;

	*counts = (struct sysprof_import_counts){ 0 };
	good = open_input(&im, input, error) && each_frame(&im, look, error) &&
	       import(&im, output, error);
	if (im.fd > STDIN_FILENO)
		close(im.fd);
	return good;
}
