/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers of earlier runs in files. One file per object, found by its build-id (dso/kept.h, which checks that a file
 * is complete). Every index in a file is checked when it is used, so a damaged file costs time only. The caller
 * resolves types: a file has only their places in the debug information.
 *
 * Contents, in this machine's byte order: the numbers of pieces, functions, rows, types, waits and ways, then an array
 * of the structs below, or of waits.h's, for each.
 */
#ifndef TYPEFLOW_STORE_H
#define TYPEFLOW_STORE_H

#include <glib.h>

#include "base/types.h"
#include "dso/buildid.h"
#include "typeflow/code/waits.h"

struct store_piece {
	u64 start, end;
	u64 function;
};

struct store_function {
	u64 low; /* rows count from here */
	u32 first, nr;
	u32 why;  /* enum access_why: of addresses without a row */
	u32 more; /* enum store_more: where a full analysis may find more */
	u32 first_wait, nr_waits;
};

enum store_more {
	STORE_MORE_ROWS = 1 << 0,    /* for addresses without a row */
	STORE_MORE_ANSWERS = 1 << 1, /* for rows without an answer */
};

struct store_row {
	u32 at;
	u32 type; /* index of a store_type plus 1; 0: none */
	s32 offset;
	u8 width, how;
	u8 why : 7, settled : 1; /* settled: STORE_MORE_ANSWERS does not mean this row */
	u8 roles : 4, numbers : 4;
};

/* A type: @place is its type_number(); size and name are compared to detect that it is another type now. */
struct store_type {
	u64 place;
	u32 size, name_hash;
};

struct store_key {
	const char *folder;
	struct build_id object;
	u32 variant;  /* enum insn_fusion: answers depend on it */
	u64 contents; /* object_identity(): two objects may have one build-id */
};

struct store;

/* NULL: there is no file, or it is damaged. */
struct store *store_open(const struct store_key *key);
void store_close(struct store *store);

/*
 * The function that contains @vaddr, NULL: none is kept. out: *@row: its row for @vaddr, NULL: there is none. @row is NULL if
 * nobody needs it.
 */
const struct store_function *store_find(const struct store *store, u64 vaddr,
					const struct store_row **row);

/* The ways into the instruction at @vaddr of @function, *@nr of them; NULL: not kept. */
const struct wait_way *store_ways(const struct store *store, const struct store_function *function,
				  u64 vaddr, u32 *nr);

u32 store_nr_types(const struct store *store);
const struct store_type *store_type(const struct store *store, u32 index);

/* The contents of a new store. */
struct store_parts {
	GArray *pieces;	   /* struct store_piece, sorted here */
	GArray *functions; /* struct store_function */
	GArray *rows;
	GArray *types;
	GArray *waits; /* struct wait_row: @first is an index in @ways */
	GArray *ways;  /* struct wait_way */
};

/* The parts as a store in memory; NULL: they are too large. */
struct store *store_new(struct store_parts *parts);

/* Copies the functions of @store that @parts does not have. @types: index in @parts + 1, by index in @store. */
void store_merge(const struct store *store, struct store_parts *parts, const u32 *types);

/*
 * Replaces the object's file. If all files together are too large, removes the least recently used ones. A
 * failure leaves no file: it is a cache.
 */
void store_write(const struct store_key *key, struct store_parts *parts);

#endif
