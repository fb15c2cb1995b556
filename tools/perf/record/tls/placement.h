/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads from a running process where the dynamic linker has placed a library's thread-local block.
 * The process keeps running, so each value read is checked for plausibility, and "not yet" is a
 * possible answer.
 */
#ifndef RECORD_TLS_PLACEMENT_H
#define RECORD_TLS_PLACEMENT_H

#include <glib.h>

#include "base/types.h"
#include "dso/tls.h"
#include "perfevent/paths.h"

enum tls_placement {
	TLS_PLACEMENT_KNOWN,
	TLS_PLACEMENT_PROVISIONAL, /* known, but may change once: ask again for some time */
	TLS_PLACEMENT_NOT_YET, /* the linker has not placed it yet, or cannot be read: try again */
};

/* How a thread finds its instance of a variable. */
enum tls_reach {
	TLS_STATIC, /* at a fixed distance from the thread pointer */
	TLS_GLIBC,  /* in the block of a module, through glibc's vector at TP + 8 */
	TLS_MUSL,   /* in the block of a module, through musl's vector */
};

struct tls_place {
	enum tls_reach reach;
	s64 offset;	/* from the thread pointer, or from the block's start */
	u32 module;	/* the module's index in the vector */
	u64 generation; /* generation in which the module got the index; 0: not known */
};

/* Hash of a place, from 1 to 65535. Two places can have the same hash. */
u16 tls_place_mark(const struct tls_place *place);

/* An object with load @bias that defines the variable or has GOT slots for it. */
struct tls_mapped {
	u64 bias;
	const GArray *slots; /* struct tls_slot, or NULL */
	bool defines;
	struct tls_symbol symbol;   /* of the defining object */
	struct tls_segment segment; /* of the defining object */
};

/*
 * Copies @size bytes at @va of process @pid, or fails with errno. ESRCH: the process has no memory.
 */
bool tls_peek(u32 pid, u64 va, void *to, size_t size);

/*
 * Finds the place of a variable. @objects: the @nr objects of the process that define or use it,
 * without the main program. It reads glibc's list of loaded objects first, then the slots.
 * @libraries is a cache of facts about C libraries: strings to g_free()d structs; the caller owns
 * it.
 */
enum tls_placement tls_placement_find(const struct kernel_paths *paths, u32 pid,
				      const struct tls_mapped *objects, u32 nr,
				      GHashTable *libraries, struct tls_place *place);

#endif
