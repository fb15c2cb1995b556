/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CSV files by the hour, as xcapture 3 (0x.tools) names them: xcapture_samples_2026-11-22.09.csv and so on, each with
 * its line of titles.
 */
#ifndef EXPORT_XCAPTURE_FILES_H
#define EXPORT_XCAPTURE_FILES_H

#include <stdio.h>

#include "base/error.h"
#include "base/types.h"

enum xcapture_file {
	XCAPTURE_SAMPLES,
	XCAPTURE_SYSCEND, /* system calls that ended */
	XCAPTURE_IORQEND, /* requests to block devices that ended */
	XCAPTURE_KSTACKS, /* stacks, each once in an hour */
	XCAPTURE_USTACKS,
	XCAPTURE_CGROUPS,
	XCAPTURE_NR_FILES,
};

struct xcapture_files;

/* @folder is made where there is none. */
struct xcapture_files *xcapture_files_new(const char *folder, GError **error);
/* False with @error: something could not be written. */
bool xcapture_files_close(struct xcapture_files *files, GError **error);

/*
 * The file of the hour, in local time, that @wall_ns is in. NULL with @error: it is there already, or cannot be made.
 */
FILE *xcapture_files_at(struct xcapture_files *files, enum xcapture_file which, u64 wall_ns,
			GError **error);

/* Whether @id has been noted before for that file and hour; it has been now. */
bool xcapture_files_has(struct xcapture_files *files, enum xcapture_file which, u64 wall_ns,
			u64 id);

/* "2026-11-22T09:00:01.250000": local time. */
void xcapture_append_time(GString *out, u64 wall_ns);

#endif
