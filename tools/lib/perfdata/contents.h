/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes about mapped files that have no build-id (Go's linker makes none by default). The table of build-ids has nothing for
 * them, and must not: upstream perf refuses a file that does not have the build-id of the table. So a note of our own says
 * which contents a file had:
 *
 *	file.contents	9f3c...b2 /bin/app 0:52 17 4be1	SHA-1, name, device, inode and its generation
 *	file.contents	- /bin/app 0:52 17 4be1		the recorder did not read it: it keeps no copies
 *
 * Device, inode and generation are those of the MMAP2 records: one name may be two files in two containers.
 */
#ifndef PERFDATA_CONTENTS_H
#define PERFDATA_CONTENTS_H

#include "perfdata/event.h"

#define CONTENTS_NOTE "file.contents"

/* The file of @map in a note: "/bin/app 0:52 17 4be1". The caller frees it. */
char *contents_file(const struct event_mmap *map);

/* The value of a note, to free. @sha1: hexadecimal digits, or "-". */
char *contents_note(const char *sha1, const char *file);

/* out: *@sha1 (to free; "-": not known) and *@file, which is inside @note. False: it is no such note. */
bool contents_parse(const char *note, char **sha1, const char **file);

#endif
