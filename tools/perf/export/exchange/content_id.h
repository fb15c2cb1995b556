/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of places that are the same in all recordings of all hosts, so that hosts need no common numbering: 64 bits of a
 * SHA-256. The chance that any two of 10^8 different stacks have one number is 0.03 percent.
 *
 * What is hashed is a recipe, and its name is part of it: files of another recipe never have these numbers.
 *
 *	location	"perf location 1", the build-id in hex (without one the path), '\n', address, inline depth; and
 *			the symbol, if the address is not one of a file: kernel code by kallsyms, and code without a file, are at
 *			other addresses after each start
 *	stack		"perf stack 1", the numbers of its locations, innermost first
 *
 * A text is hashed with its final NUL. Numbers are of 8 bytes, the lowest one first. The result is the first 8 bytes of the hash,
 * the lowest one first. 0 is never a result: it means that there is none.
 */
#ifndef EXPORT_EXCHANGE_CONTENT_ID_H
#define EXPORT_EXCHANGE_CONTENT_ID_H

#include <glib.h>

#include "base/types.h"

struct content_id {
	GChecksum *sha;
};

/* @recipe: "perf stack 1". */
void content_id_begin(struct content_id *c, const char *recipe);
void content_id_text(struct content_id *c, const char *text);
void content_id_number(struct content_id *c, u64 number);
u64 content_id_end(struct content_id *c);

#endif
