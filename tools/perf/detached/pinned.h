/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detached recordings that need no process: a BPF program on perf events (bpf/pinned.bpf.c) writes
 * the image into an array. Links and array are pinned in bpffs, in a directory with the recording's
 * name:
 *
 *	BPFFS/perf/NAME/image     the array; mapped, it is an image like any other (perfdata/image/image.h)
 *	BPFFS/perf/NAME/linkN     the links; when they are removed, the recording ends
 *
 * The image has the mappings that existed at the start. Later mappings are in other arrays
 * (processes.h). A reader adds the present mappings of living processes, in case the arrays were
 * too small.
 */
#ifndef DETACHED_PINNED_H
#define DETACHED_PINNED_H

#include <glib.h>

#include "detached/shelf.h"
#include "detached/worker.h"
#include "perfdata/image/image.h"

/* The directory of pinned recordings, which may not exist. NULL: no bpffs is mounted. g_free(). */
char *pinned_dir(void);
/* The directory of the recording @name; NULL: there is none. */
char *pinned_path(const char *name);

/*
 * True if BPF can carry the requested recording: one event, of running code, with call chains by
 * frame pointers. False with @error (PERF_ERROR_USAGE), which names what only the keeper's
 * recordings support.
 */
bool pinned_can_carry(const struct detached_options *detached, const struct record_options *opts,
		      GError **error);

/*
 * True if BPF is the default carrier: for root's recordings of whole CPUs, if BPF can carry them.
 * See Documentation/decisions/0014-carrier-of-whole-cpus.md.
 */
bool pinned_is_chosen(const struct detached_options *detached, const struct record_options *opts);

/*
 * Starts the recording and returns; the recording continues. @argc, @argv: the command line. False
 * with @error: no permission, no bpffs, a kernel or a build without BPF, or options that only the
 * keeper's recordings support.
 */
bool pinned_record(const struct detached_options *detached, struct record_options *opts, int argc,
		   char *const *argv, GError **error);

struct pinned_image {
	void *data; /* shared with the program */
	u64 size;
	u64 memory; /* bytes of the recording: the image and the other arrays */
	struct image_header header;
	bool is_recording; /* its links exist */
};
struct pinned_image *pinned_open(const char *path, GError **error);
void pinned_close(struct pinned_image *p);

/*
 * Saves the recording as an ordinary file at @to, with the present mappings of living processes.
 * "-" is standard output.
 */
bool pinned_save(const char *path, const char *to, GError **error);

bool pinned_has_links(const char *path);

/* Follows the recording as tail_image() (tail.h) does. */
bool pinned_tail(const char *path, int fd, GError **error);

/* Finds a recording with samples of process @pid since @born, ns of CLOCK_MONOTONIC. NULL: none. g_free(). */
char *pinned_find(u32 pid, u64 born);
/* Size of root's pinned recordings; 0 for another user, who cannot see them. */
struct shelf_taken pinned_taken(void);
/* The whole recording as a file in memory; NULL: it cannot be read. */
struct image_choice;
GByteArray *pinned_to_perfdata(const char *path, const struct image_choice *choice);

/* Ends the recording by unpinning the links. The last samples stay. */
bool pinned_stop(const char *path, GError **error);
bool pinned_remove(const char *path, GError **error);
/* The part of pinned_stop() that removes the links. */
bool pinned_unlink_links(const char *path, GError **error);

#endif
