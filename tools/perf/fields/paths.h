/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Below which spans did a span's time fall? A path is a span's name with those of the spans around
 * it; spans of one name below one parent are one node, so a million requests become one tree.
 *
 * Parents come from the files of spans, which know them at once, or from the samples themselves,
 * which know their own parent only: whose parent that is another sample may tell later. So a key is a
 * node, or a span that becomes one when all samples are in: path_node().
 */
#ifndef FIELDS_PATHS_H
#define FIELDS_PATHS_H

#include "base/types.h"
#include "fields/fields.h"

/* The node of what has no node of its own; FIELD_OTHERS. */
#define PATH_OTHERS 0

#define PATH_NONE UINT32_MAX

/* The key of --activity-tree, which is in no list. */
extern const struct field field_activity_path;

/* Nodes for all keys that @lexicon gave: to be asked for when all samples are in. */
u32 path_node(struct lexicon *lexicon, u64 key);
u32 path_parent(const struct lexicon *lexicon, u32 node); /* PATH_NONE: outermost */
u32 path_nr(const struct lexicon *lexicon);

/*
 * The field that has the last span of a node's path as its key: "span" where it has a name, "activity"
 * where only its ids are known.
 */
const struct field *path_span(const struct lexicon *lexicon, u32 node, u64 *key);

/* Whether the path of @key is @above, a key too, or below it. */
bool path_is_below(struct lexicon *lexicon, u64 key, u64 above);

/* A node as a key of field_activity_path. */
u64 path_key(u32 node);

#endif
