/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where are a user's detached recordings? Each is a file in memory, with owner and mode as any file has them:
 *
 *   $PERF_DETACHED_DIR/NAME, else $XDG_RUNTIME_DIR/perf/NAME, else /dev/shm/perf-UID/NAME
 *
 * A worker process writes while it lives; the file outlives it, however it ends. To remove the file ends the
 * recording.
 */
#ifndef DETACHED_SHELF_H
#define DETACHED_SHELF_H

#include "perfdata/image/image.h"
#include "perfdata/image/image_store.h"

/* The directory of @uid, whether it exists or not; g_free(). Another user's needs no environment. */
char *shelf_dir(u32 uid);
/* The same, made where it is missing, and found to be this user's own. NULL with @error. */
char *shelf_dir_made(GError **error);

/* Letters, digits, and -_.@+ behind the first; 1 to 63 of them. */
bool shelf_is_name(const char *name);
/* A name's path, or @name itself where it has a slash; g_free(). */
char *shelf_path(const char *name);

/*
 * Makes the file, of @size zeros, which must not exist; mode 0600 less the umask. Returns its mapping, to be
 * unmapped by the caller. NULL with @error. *@fd is its descriptor.
 */
void *shelf_create(const char *name, u64 size, int *fd, GError **error);

/* One recording, mapped. */
struct shelf_image {
	char *path;
	const void *data; /* shared with who writes */
	u64 size;
	struct image_header header; /* as it was when opened */
	u64 resident;		    /* bytes of memory that it takes now */
};
struct shelf_image *shelf_open(const char *path, GError **error);
void shelf_close(struct shelf_image *image);

/* Does the process that writes still live? */
bool shelf_is_written(const struct image_header *header);
/* Was this machine started anew since? */
bool shelf_is_of_earlier_boot(const struct image_header *header);

/*
 * Waits until the writer has put all into the image that the kernel has, at most two seconds. False: there is no
 * writer, it is not ours to ask, or it did not answer.
 */
bool shelf_flush(const char *path);

/* A signal to the process that writes, if that still is the one. False with @error. */
bool shelf_signal(const struct image_header *header, int signal, GError **error);

/* What is on a shelf: char * paths, by name. Empty where there is no directory; NULL with @error. */
GPtrArray *shelf_list(const char *dir, GError **error);

/* What one user may have at once. */
struct shelf_limits {
	u64 bytes; /* of all files */
	u32 count;
};
struct shelf_limits shelf_limits(void);
/* What a user has that is not in the directory: pinned_taken() of pinned.h. */
struct shelf_taken {
	u64 bytes;
	u32 count;
};
/* May another recording of @size bytes be made in @dir? False with @error, which says the sums. */
bool shelf_has_room(const char *dir, struct shelf_taken besides, u64 size, GError **error);

/* What identifies this process and this start of the machine. */
void shelf_sign(struct image_header *header);

#endif
