/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory of a user's detached recordings. Each recording is a file in memory, with the usual
 * owner and mode:
 *
 *	$PERF_DETACHED_DIR/NAME, else $XDG_RUNTIME_DIR/perf/NAME, else /dev/shm/perf-UID/NAME
 *
 * A worker process writes the file while it lives. The file stays after the worker's end, whatever
 * the cause. Removing the file ends the recording.
 */
#ifndef DETACHED_SHELF_H
#define DETACHED_SHELF_H

#include "perfdata/image/image.h"
#include "perfdata/image/image_store.h"

/*
 * The directory of @uid, which may not exist; g_free(). For another user the environment is not
 * used.
 */
char *shelf_dir(u32 uid);
/*
 * As shelf_dir() of this user. Creates the directory if it is missing, and checks its owner. NULL
 * with @error.
 */
char *shelf_dir_made(GError **error);

/* True if @name is valid: 1 to 63 letters, digits and -_.@+, the first one a letter or digit. */
bool shelf_is_name(const char *name);
/* The path of @name, or @name itself if it has a slash; g_free(). */
char *shelf_path(const char *name);

/*
 * Creates a file with @size zero bytes and mode 0600 less the umask, under a name that is no recording's. Returns its
 * mapping, which the caller unmaps. out: *@fd, its descriptor. NULL with @error. The caller holds a lock of the
 * directory until shelf_show().
 */
void *shelf_create(const char *dir, u64 size, int *fd, GError **error);
/*
 * Gives this file its name, when others may see it: its header is complete. False with @error: the name is taken, and
 * the file is removed.
 */
bool shelf_show(const char *dir, const char *name, GError **error);

/* One recording, mapped. */
struct shelf_image {
	char *path;
	const void *data; /* shared with the writer */
	u64 size;
	struct image_header header; /* copied when opened */
	u64 resident;		    /* bytes of memory used now */
	int fd;
};
struct shelf_image *shelf_open(const char *path, GError **error);
void shelf_close(struct shelf_image *image);

/* True if the writing process still lives, in whatever pid namespace. */
bool shelf_is_written(const struct shelf_image *image);
/* Its pid; 0: it does not live, or has no number in this pid namespace. */
s32 shelf_writer(const struct shelf_image *image);
/* True if the machine was rebooted since. */
bool shelf_is_of_earlier_boot(const struct image_header *header);

/*
 * Waits at most two seconds until the writer has stored all records of the kernel's rings in the
 * image. False: there is no writer, no permission to signal it, or no answer.
 */
bool shelf_flush(const char *path);

/* Sends a signal to the writing process, if the pid is still of that process. False with @error. */
bool shelf_signal(const struct shelf_image *image, int signal, GError **error);

/*
 * Paths of the recordings in a directory: char *, by name. Empty if the directory does not exist;
 * NULL with @error.
 */
GPtrArray *shelf_list(const char *dir, GError **error);

/* Limits per user. */
struct shelf_limits {
	u64 bytes; /* total size of all files */
	u32 count;
};
struct shelf_limits shelf_limits(void);
/* Recordings of a user outside the directory: pinned_taken() of pinned.h. */
struct shelf_taken {
	u64 bytes;
	u32 count;
};
/*
 * True if another recording of @size bytes may be created in @dir. False with @error, which has the
 * sums.
 */
bool shelf_has_room(const char *dir, struct shelf_taken besides, u64 size, GError **error);

/* Writes the identity of this process and this boot. */
void shelf_sign(struct image_header *header);

#endif
