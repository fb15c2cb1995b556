/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of a comparison, and the groups that the profiles of its recordings need for it. */
#ifndef COMPARE_KEYS_H
#define COMPARE_KEYS_H

#include "fields/columns.h"

/*
 * The keys of @sort ("dso,symbol") as const struct field *: copies of names and titles, which outlive @lexicon, but can no
 * longer make or print a key. With @chains, the key of call chains is the last one. To be unreffed. NULL with @error.
 */
GPtrArray *compare_keys_new(const char *sort, bool chains, struct lexicon *lexicon, GError **error);

/* The columns of a profile for comparison_take(). NULL with @error. */
struct columns *compare_columns_new(const char *sort, struct lexicon *lexicon, GError **error);

/*
 * The keys of such a profile: those of @sort, and those by which recordings are described or samples split. @split_key may be
 * NULL. To be freed.
 */
char *compare_keys_with(const char *sort, const char *split_key);

/* *@at: the place of @split_key in the groups of @columns. False with @error: there is no such key. */
bool compare_find_split(const char *split_key, const struct columns *columns, s32 *at,
			GError **error);

#endif
