/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are kept open, by build-id. A recorder opens the files of the programs that it records while these run. Later
 * the name may lead nowhere: the program was in a container, or was removed or built again. An open file stays readable.
 *
 * Threads: any thread may call any function here, until open_files_free().
 */
#ifndef DSO_OPEN_FILES_H
#define DSO_OPEN_FILES_H

#include "base/types.h"
#include "dso/buildid.h"

struct open_files;

struct open_files *open_files_new(void);
/* Closes the files. */
void open_files_free(struct open_files *held);

/*
 * Keeps a duplicate of @fd open, if there is no file with this build-id yet. At most half of the descriptors that this
 * process may have are used (RLIMIT_NOFILE); a file beyond that is not held.
 */
void open_files_add(struct open_files *held, const struct build_id *id, int fd);

/* May this process keep @fd open for long? It is one of the first half of the descriptors that it may have. */
bool open_files_may_keep(int fd);

/* A path that opens the file ("/proc/self/fd/7"), until open_files_free(). The caller frees it. NULL: it is not held. */
char *open_files_path(struct open_files *held, const struct build_id *id);

#endif
