/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The carrier of detached recordings that needs no process: a BPF program on perf events writes the image (bpf/pinned.bpf.c)
 * into an array. Links and array are pinned in bpffs, in a directory of the recording's name:
 *
 *	BPFFS/perf/NAME/image     the array; mapped, it is an image like any other (perfdata/image/image.h)
 *	BPFFS/perf/NAME/linkN     without them nothing is recorded any more
 *
 * What was mapped when it began is in the image; what came later is beside it (processes.h). A reader adds what processes
 * that still live have mapped, in case that it was more than there was room for.
 */
#ifndef DETACHED_PINNED_H
#define DETACHED_PINNED_H

#include <glib.h>

#include "detached/shelf.h"
#include "detached/worker.h"
#include "perfdata/image/image.h"

/* Where they are, whether that exists or not; NULL: no bpffs is mounted. g_free(). */
char *pinned_dir(void);
/* The directory of the recording @name; NULL: there is none. */
char *pinned_path(const char *name);

/*
 * May it be the carrier of what is asked for? It records one event, of what runs, with call chains by frame pointers. False with @error
 * (PERF_ERROR_USAGE), which names what only the keeper's recordings know.
 */
bool pinned_can_carry(const struct detached_options *detached, const struct record_options *opts,
		      GError **error);

/*
 * The carrier where nobody has chosen one: root's recording of whole CPUs, of what can be carried. See
 * Documentation/decisions/0014-carrier-of-whole-cpus.md.
 */
bool pinned_is_chosen(const struct detached_options *detached, const struct record_options *opts);

/*
 * Makes it and returns; the recording goes on. @argc, @argv: the command line. False with @error: no permission, no bpffs, a
 * kernel or a build without BPF, or options that only the keeper's recordings know.
 */
bool pinned_record(const struct detached_options *detached, struct record_options *opts, int argc,
		   char *const *argv, GError **error);

struct pinned_image {
	void *data; /* shared with the program */
	u64 size;
	u64 memory; /* bytes that the recording takes, with what is beside the image */
	struct image_header header;
	bool is_recording; /* its links are there */
};
struct pinned_image *pinned_open(const char *path, GError **error);
void pinned_close(struct pinned_image *p);

/* As an ordinary file at @to, with what processes that live have mapped now; "-" is standard output. */
bool pinned_save(const char *path, const char *to, GError **error);

bool pinned_has_links(const char *path);

/* Follows it as tail_image() (tail.h) does. */
bool pinned_tail(const char *path, int fd, GError **error);

/* A recording that has samples of the process @pid; NULL: there is none. g_free(). */
char *pinned_find(u32 pid);
/* What root's pinned recordings take; another user sees none. */
struct shelf_taken pinned_taken(void);
/* Everything as a file in memory; NULL: it is not to be had. */
struct image_choice;
GByteArray *pinned_to_perfdata(const char *path, const struct image_choice *choice);

/* Unpins the links: the last samples stay. */
bool pinned_stop(const char *path, GError **error);
bool pinned_remove(const char *path, GError **error);
/* The half of pinned_stop() that ends the recording. */
bool pinned_unlink_links(const char *path, GError **error);

#endif
