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
	TLS_LIVE_NOT_YET, /* the linker has not got there, or cannot be asked: try again */
	TLS_LIVE_NEVER,	  /* no static offset, or the process is gone */
};

/* @size bytes at @va of process @pid; all or nothing. */
bool tls_live_peek(u32 pid, u64 va, void *to, size_t size);

/*
 * How far below the thread pointer the block of the object with load @bias begins, by glibc's
 * list of loaded objects. @fields remembers what was learnt of C libraries: file -> where
 * its link_map has the distance (a GHashTable of strings to ints, owned by the caller).
 */
enum tls_live tls_live_block(const struct kernel_paths *paths, u32 pid, u64 bias,
			     GHashTable *fields, u64 *distance);

/* The variable's offset by the GOT slots (struct tls_slot) of the object with load @bias. */
enum tls_live tls_live_slots(u32 pid, u64 bias, const GArray *slots, s64 *tpoff);

#endif
