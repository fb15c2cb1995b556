/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the files that threads wait for. /proc is read once per file. */
#ifndef RECORD_WALL_FILES_H
#define RECORD_WALL_FILES_H

#include "base/types.h"

struct wall_files;

struct wall_files *wall_files_new(const char *proc);
void wall_files_free(struct wall_files *f);

/*
 * Name of the file that @fd refers to in process @pid now: "/var/log/syslog", "pipe:[4711]", "socket:[815]",
 * "anon_inode:[eventpoll]". Names are cached by @dev and @inode. NULL: it cannot be read, or the descriptor is that of a pipe or
 * socket with another inode by now. Valid until the next call.
 */
const char *wall_files_name(struct wall_files *f, u32 pid, u64 fd, u64 dev, u64 inode);

/* The same without a cache; the caller frees it. NULL: it cannot be read. */
char *wall_files_ask(const char *proc, u32 pid, u64 fd);

#endif
