/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A proposed layout as a changed source file. */
#ifndef TRIAL_PROPOSAL_H
#define TRIAL_PROPOSAL_H

#include "advise/advice.h"
#include "base/error.h"

/*
 * Where @path, as debug information has it, is in the folder @tree: the path behind @tree, or the longest end of it that is a file there,
 * since the program may have been built elsewhere. NULL: it is not there.
 */
char *proposal_file(const char *tree, const char *path);

/* The text of @file below @tree with the proposal applied. NULL with @error if the declaration is not understood. */
char *proposal_text(const char *tree, const char *file, const struct advice_list *list,
		    const struct advice *advice, GError **error);

#endif
