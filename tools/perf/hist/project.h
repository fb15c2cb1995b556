/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A part of a profile, under fewer keys: what a person sees who looks closer, sorts by other keys
 * or comes back, without the file being read again.
 *
 *	wide profile: comm, dso, symbol, type		projected on symbol, where type is "struct order"
 *	 srv  libc    memcpy  struct order   30		 memcpy         30
 *	 srv  srv     match   struct order   50		 match          55
 *	 srv  srv     match   struct level   10
 *	 cli  srv     match   struct order    5
 *
 * A wide profile (profile_options.wide) has all keys that may be asked for, its rows are the
 * distinct tuples of them.
 */
#ifndef HIST_PROJECT_H
#define HIST_PROJECT_H

#include "fields/term.h"
#include "hist/profile.h"

/* True if @wide has all keys of @columns and of the terms. */
bool profile_can_project(const struct profile *wide, const struct columns *columns,
			 const GArray *terms);

/*
 * The samples of @wide that match all terms, grouped by the columns of @options; all other options must be those of
 * @wide. Free it before @wide. Totals are those of all of @wide, only the shown rows are filtered. NULL with @error
 * if the session's watcher stopped it.
 */
struct profile *profile_project(const struct profile *wide, const struct profile_options *options,
				const GArray *terms, GError **error);

/* The key of @entry, of @wide or another profile with @columns, for @field; false: it has none. */
bool profile_entry_key(const struct columns *columns, const struct hist_entry *entry,
		       const struct field *field, u64 *key);

#endif
