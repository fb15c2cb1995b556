/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files of a folder are copied for a trial. The folder may be no tree of sources at all (a home folder), or one with much else in
 * it (results of builds, data): what is too much is not copied unasked.
 *
 *	up to @most bytes			all files: a build may need ignored ones, such as config.h
 *	more, in a work tree of git		files that git tracks, and those that it neither tracks nor ignores
 *	more, and no work tree of git		an error, with the size
 */
#ifndef TRIAL_TREE_FILES_H
#define TRIAL_TREE_FILES_H

#include "base/error.h"
#include "base/types.h"

struct tree_files {
	u64 bytes, nr; /* of the files that are copied; folders count as files */
	bool listed;   /* only those of the list; else all of the folder */
};

/*
 * @most: bytes, UINT64_MAX if the user named the folder. @list: a file that is written if not all files are copied: their paths, relative
 * to the folder, a NUL behind each. False with @error.
 */
bool tree_files_find(const char *folder, u64 most, const char *list, struct tree_files *files,
		     GError **error);

#endif
