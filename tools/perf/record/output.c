// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of the output over time.
 *
 *	perf record			perf.data; the one before becomes perf.data.old
 *	perf record --switch-output	perf.data while it is written; then perf.data.2026112107585560, a part
 *	perf record -o -		a pipe: nothing is renamed
 *
 * A part is renamed when it is complete. So a file with the name of a part is never half-written,
 * and a killed recorder leaves perf.data, which the next recording with --keep makes a part, too
 * (keep_as_part()).
 *
 * The directory may be renamed, or the file removed, while it is written. So
 * perfdata_present_name() asks the kernel for the present name of the open file; a removed file is
 * an error, as all its data are lost.
 */
#include "record/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static void output_put(struct outlet *outlet, const void *records, size_t size)
{
	struct output *out = container_of(outlet, struct output, outlet);

	if (out->file && !out->error)
		perfdata_write(out->file, records, size, &out->error);
}

/* As upstream: keeps one earlier recording, but no device and no empty file. */
static bool keep_old(const char *path, GError **error)
{
	struct stat st;
	g_autofree char *old = g_strconcat(path, ".old", NULL);

	if (file_is_open_file(path) || stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return true;
	if (rename(path, old))
		return error_set_errno(error, errno, "rename of %s to %s", path, old);
	return true;
}

/* "2026112107585560": local time in hundredths of a second. The caller frees it. */
static char *output_timestamp(s64 realtime_us)
{
	g_autoptr(GDateTime) when = g_date_time_new_from_unix_local(realtime_us / G_USEC_PER_SEC);
	g_autofree char *seconds = g_date_time_format(when, "%Y%m%d%H%M%S");

	return g_strdup_printf("%s%02d", seconds, (int)(realtime_us % G_USEC_PER_SEC / 10000));
}

/*
 * Two parts may end within the same hundredth of a second: then the later name is moved a little
 * into the future.
 */
static char *part_name(const char *path, s64 now)
{
	for (;; now += 10000) {
		g_autofree char *when = output_timestamp(now);
		g_autofree char *name = g_strconcat(path, ".", when, NULL);

		if (access(name, F_OK))
			return g_steal_pointer(&name);
	}
}

/* A killed recorder left a file: it becomes a part. Its time is that of the last write. */
static bool keep_as_part(const char *path, GError **error)
{
	g_autofree char *name = NULL;
	struct stat st;

	if (lstat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return true;
	name = part_name(path, (s64)st.st_mtim.tv_sec * G_USEC_PER_SEC + st.st_mtim.tv_nsec / 1000);
	if (rename(path, name))
		return error_set_errno(error, errno, "rename of %s to %s", path, name);
	return true;
}

static bool is_kept(const struct output *out)
{
	return out->keep.files || out->keep.bytes;
}

static bool create(struct output *out, GError **error)
{
	if (is_kept(out) && !keep_as_part(out->path, error))
		return false;
	if (!out->form.pipe && !is_kept(out) && !keep_old(out->path, error))
		return false;
	out->file = perfdata_create(out->path, &out->form, out->evsels, out->nr_evsels, out->info,
				    error);
	return out->file;
}

bool output_open(struct output *out, const struct record_options *opts, struct evsel *const *evsels,
		 u32 nr_evsels, const struct perfdata_info *info, GError **error)
{
	*out = (struct output){
		.outlet = { output_put, OUTLET_NO_RING },
		.path = opts->output,
		.form = { .pipe = !strcmp(opts->output, "-"), .zstd_level = opts->zstd_level },
		.evsels = evsels,
		.nr_evsels = nr_evsels,
		.info = info,
		.max_parts = opts->switch_max_files,
		.keep = opts->keep,
		.ratio = 1,
	};
	g_queue_init(&out->parts);
	return create(out, error);
}

u64 output_bytes(const struct output *out)
{
	return out->past_bytes + (out->file ? perfdata_written(out->file) : 0);
}

void output_flush(struct output *out)
{
	if (out->file && !out->error)
		perfdata_flush(out->file, &out->error);
}

/*
 * The name is asked for while the file is still open. An earlier error is kept, and the file is
 * ended all the same, so that it can be read up to there.
 */
bool output_finish(struct output *out)
{
	struct perfdata_writer *file = g_steal_pointer(&out->file);
	u64 bytes;

	if (!file)
		return false;
	out->ratio = perfdata_ratio(file);
	bytes = perfdata_written(file);
	g_free(out->present_name);
	out->present_name = perfdata_present_name(file);
	perfdata_finish(file, out->info, out->error ? NULL : &out->error);
	if (!out->present_name && !out->error)
		error_set(&out->error, PERF_ERROR_SYSTEM,
			  "%s was removed while recording: its %.3f MB are lost", out->path,
			  (double)bytes / 1024 / 1024);
	out->past_bytes += bytes;
	return !out->error;
}

/*
 * Two limits: --switch-max-files counts the parts of this recording, --keep looks at the folder,
 * with parts of earlier ones.
 */
const char *output_set_aside(struct output *out)
{
	char *name = part_name(out->path, g_get_real_time());

	if (!out->present_name || rename(out->present_name, name)) {
		if (!out->error)
			error_set_errno(&out->error, errno, "rename of %s to %s", out->path, name);
		g_free(name);
		return NULL;
	}
	g_queue_push_tail(&out->parts, name);
	if (out->max_parts && g_queue_get_length(&out->parts) > (u32)out->max_parts) {
		g_autofree char *oldest = g_queue_pop_head(&out->parts);

		unlink(oldest);
	}
	if (is_kept(out))
		keep_remove_old(out->path, &out->keep);
	return name;
}

bool output_begin_part(struct output *out)
{
	return !out->error && create(out, &out->error);
}

void output_release(struct output *out)
{
	if (out->file)
		perfdata_abandon(out->file);
	g_queue_clear_full(&out->parts, g_free);
	g_clear_pointer(&out->present_name, g_free);
	g_clear_error(&out->error);
}
