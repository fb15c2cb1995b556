/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What are the files called that threads wait for? Asked from /proc once per file. */
#ifndef RECORD_WALL_FILES_H
#define RECORD_WALL_FILES_H

#include "base/types.h"

struct wall_files;

struct wall_files *wall_files_new(const char *proc);
void wall_files_free(struct wall_files *f);

/*
 * The file that is descriptor @fd in process @pid now: "/var/log/syslog", "pipe:[4711]", "socket:[815]",
 * "anon_inode:[eventpoll]". @dev and @inode say whether it is one that is known. NULL: it cannot be read. Stays
 * valid until the next call.
 */
const char *wall_files_name(struct wall_files *f, u32 pid, u64 fd, u64 dev, u64 inode);

/* The same, asked each time; NULL: it cannot be read. */
char *wall_files_ask(const char *proc, u32 pid, u64 fd);

#endif
