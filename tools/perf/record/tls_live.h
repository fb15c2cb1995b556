/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has the dynamic linker decided about a library's thread-local block in a running
 * process? Reads the process's memory from outside while that goes on running, so whatever is
 * read is checked for being what it should be, and "not yet" is an answer.
 */
#ifndef RECORD_TLS_LIVE_H
#define RECORD_TLS_LIVE_H

#include <glib.h>

#include "base/types.h"
#include "dso/tls.h"
#include "perfevent/paths.h"

enum tls_live {
	TLS_LIVE_KNOWN,
	TLS_LIVE_PROVISIONAL, /* known, and may change once more: ask again for some time */
	TLS_LIVE_NOT_YET,     /* the linker has not got there, or cannot be asked: try again */
};

/* How each thread of a process gets at its instance of a variable. */
enum tls_reach {
	TLS_STATIC, /* at a distance from the thread pointer */
	TLS_GLIBC,  /* in a module's block, which glibc's vector at TP + 8 names */
	TLS_MUSL,   /* likewise by musl's */
};

struct tls_place {
	enum tls_reach reach;
	s64 offset;	/* from the thread pointer, or in the block */
	u32 module;	/* its number in the vector */
	u64 generation; /* since which of the vector it is that one; 0: not known */
};

/* A number from 1 to 65535 that tells places from one another as far as such numbers can. */
u16 tls_place_mark(const struct tls_place *place);

/* An object with load @bias that defines the variable or has slots for it. */
struct tls_mapped {
	u64 bias;
	const GArray *slots; /* struct tls_slot, or NULL */
	bool defines;
	struct tls_symbol symbol;   /* where it defines */
	struct tls_segment segment; /* likewise */
};

/* @size bytes at @va of process @pid; all or nothing, with errno: ESRCH where it has no memory. */
bool tls_live_peek(u32 pid, u64 va, void *to, size_t size);

/*
 * Where the variable is that @nr objects of the process (not its main program) have to do with:
 * by glibc's list of loaded objects, else by the slots. @libraries remembers what was learnt of
 * C libraries (a GHashTable of strings to g_free()d structs, owned by the caller).
 */
enum tls_live tls_live_find(const struct kernel_paths *paths, u32 pid,
			    const struct tls_mapped *objects, u32 nr, GHashTable *libraries,
			    struct tls_place *place);

#endif
