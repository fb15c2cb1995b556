/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which object that the program has named lies at this address now? The innermost one, where
 * one has been placed inside another.
 */
#ifndef ORACLE_OBJECTS_H
#define ORACLE_OBJECTS_H

#include "base/types.h"
#include "log.h"

struct object {
	u64 address, size;
	const char *
		type; /* as the source says it; "": not known; "&HEX": what the marker there points to */
	u64 count; /* of @type in @size */
};

struct objects;

/* Sets ORACLE_LOG_ENV for the program, which is to be started next. Ends the program on failure. */
struct objects *objects_new(void);
void objects_free(struct objects *objects);

/* NULL: none. @mem: a file descriptor of the program's memory, to read names from. */
const struct object *objects_find(struct objects *objects, int mem, u64 address);

/* What was allocated there, where objects_find() found one that has been placed in it; or NULL. */
const struct object *objects_around(struct objects *objects, const struct object *placed,
				    u64 address);

/* As if the program had said so itself: @count objects of @type fill @size bytes. @type is copied. */
void objects_add(struct objects *objects, u64 address, u64 size, const char *type, u64 count);

/* A function has returned: what was placed in [@low, @high) of the stack is no more. */
void objects_forget(struct objects *objects, int mem, u64 low, u64 high);

#endif
