// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/detached/detached_list.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "detached/pinned.h"
#include "detached/shelf.h"
#include "perfdata/image/image_read.h"
#include "perfevent/proc.h"

static char *size_text(u64 bytes)
{
	return g_strdup_printf("%.1f MB", (double)bytes / (1 << 20));
}

static char *since_text(u64 ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;
	char text[32];

	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%F %T", &tm);
	return g_strdup(text);
}

/* How a recording ended whose writer does not live. */
static char *end_text(const struct image_header *h)
{
	g_autofree char *reason = image_reason_text(h);

	if (h->state == IMAGE_ENDED)
		return g_strdup_printf("ended: %s", reason ? reason : "no reason told");
	return g_strdup(shelf_is_of_earlier_boot(h) ? "ended: the machine was restarted"
						    : "ended: its process was killed");
}

/* Further facts about a recording, each on its own line. */
static void print_remarks(const struct image_header *h)
{
	g_autofree char *why = text_shown(h->save_error);

	if (h->lost)
		printf("    lost %" PRIu64 " samples\n", h->lost);
	if (h->rings_lost)
		printf("    %" PRIu64 " ring buffers of running processes were reused for newer "
		       "samples: choose a larger --keep\n",
		       h->rings_lost);
	if (h->side_lost)
		printf("    %" PRIu64
		       " descriptions of processes were dropped for lack of space%s\n",
		       h->side_lost, h->worker_pid ? ": choose a larger --keep" : "");
	if (h->saved)
		printf("    saved %" PRIu64 " time%s\n", h->saved, text_plural(h->saved));
	if (*why)
		printf("    %s\n", why);
}

static void print_row(const struct image_header *h, u64 bytes, s32 pid, const char *state)
{
	g_autofree char *size = size_text(bytes), *since = since_text(h->created_ns),
			*target = text_shown(h->target), *name = text_shown(h->name);

	printf("%-16s  %9s  %10" PRIu64 "  %6u  %8d  %-19s  %-30s  %s\n", name, size, h->samples,
	       h->rings, pid, since, state, target);
}

/*
 * out: *@written, whether the recording is being written; *@pid, by whom; 0: nobody of this pid namespace. The writer
 * stores its last words before it ends: image->header, which is read after that question, has them if the answer was no.
 */
static bool look_again(struct shelf_image *image, bool *written, s32 *pid, GError **error)
{
	*pid = shelf_writer(image);
	*written = *pid || shelf_is_written(image);
	return image_header_read(image->path, image->data, image->size, &image->header, error);
}

/* Returns its bytes. A recording that was removed meanwhile is left out of *@nr. */
static u64 print_one(const char *path, u32 *nr)
{
	g_autoptr(GError) error = NULL;
	struct shelf_image *image = shelf_open(path, &error);
	const struct image_header *h;
	g_autofree char *end = NULL;
	u64 resident = 0;
	bool written;
	s32 pid;

	if (!image && access(path, F_OK) && errno == ENOENT)
		return 0;
	++*nr;

	if (image && look_again(image, &written, &pid, &error)) {
		h = &image->header;
		resident = image->resident;
		end = end_text(h);
		print_row(h, resident, pid,
			  !written		    ? end
			  : h->state == IMAGE_EMPTY ? "starting"
			  : pid			    ? "recording"
						    : "recording (other namespace)");
		print_remarks(h);
	} else {
		printf("%s\n", error->message);
	}
	if (image)
		shelf_close(image);
	return resident;
}

/* A pinned recording does not end with its processes. */
static bool has_target(const struct image_header *h)
{
	g_autoptr(GArray) pids = pid_list_parse(h->target, NULL);

	for (u32 i = 0; pids && i < pids->len; i++)
		if (!kill(g_array_index(pids, int, i), 0) || errno != ESRCH)
			return true;
	return !pids;
}

static const char *pinned_state(const struct pinned_image *p)
{
	if (!p->is_recording)
		return "ended: stopped (pinned)";
	return has_target(&p->header) ? "recording (pinned)" : "its target ended (pinned)";
}

/* Lists recordings without a process; they belong to root. Returns their bytes. */
static u64 print_pinned(u32 *nr)
{
	u64 sum = 0;
	g_autofree char *dir = pinned_dir();
	g_autoptr(GPtrArray) paths = dir ? shelf_list(dir, NULL) : NULL;

	for (u32 i = 0; paths && i < paths->len; i++) {
		g_autoptr(GError) error = NULL;
		struct pinned_image *p = pinned_open(g_ptr_array_index(paths, i), &error);

		if (!p) {
			printf("%s\n", error->message);
			continue;
		}
		print_row(&p->header, p->memory, 0, pinned_state(p));
		print_remarks(&p->header);
		sum += p->memory;
		++*nr;
		pinned_close(p);
	}
	return sum;
}

/* PERF_DETACHED_DIR may be on a disk. A directory that does not exist yet is where the nearest existing one is. */
static bool is_in_memory(const char *dir)
{
	g_autofree char *parent = NULL;
	struct statfs fs;

	if (!statfs(dir, &fs))
		return (u32)fs.f_type == TMPFS_MAGIC || (u32)fs.f_type == RAMFS_MAGIC;
	parent = g_path_get_dirname(dir);
	return strcmp(parent, dir) != 0 && is_in_memory(parent);
}

static void print_place(const char *dir)
{
	printf("# %s: %s\n", dir,
	       is_in_memory(dir) ? "in memory; a restart of the machine removes them"
				 : "on a disk; they stay after a restart of the machine");
}

int detached_list_print(void)
{
	g_autofree char *dir = shelf_dir(geteuid()), *sum_text = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) paths = shelf_list(dir, &error);
	struct shelf_limits limits = shelf_limits();
	u64 sum = 0;
	u32 nr = 0;

	if (!paths) {
		fprintf(stderr, "perf: %s\n", error->message);
		return 1;
	}
	print_place(dir);
	printf("# %-14s  %9s  %10s  %6s  %8s  %-19s  %-30s  %s\n", "Name", "Memory", "Samples",
	       "Rings", "PID", "Since", "State", "Target");
	for (u32 i = 0; i < paths->len; i++)
		sum += print_one(g_ptr_array_index(paths, i), &nr);
	sum += print_pinned(&nr);
	sum_text = size_text(sum);
	printf("# %u of %u recordings, %s of %" PRIu64 " MB\n", nr, limits.count, sum_text,
	       limits.bytes >> 20);
	return 0;
}
