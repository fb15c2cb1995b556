/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debuginfod: servers that have programs and their debug information, by build-id. Nothing is asked of the servers of
 * $DEBUGINFOD_URLS without the user's consent, because many distributions set this variable for everybody:
 *
 *	PERF_DEBUGINFOD=yes	dsos may fetch what they miss
 *	PERF_DEBUGINFOD=ask	a command may ask for sizes, and then the user (options/debug_files.h)
 *
 * "perf config debuginfod.fetch=..." sets it for all commands.
 */
#ifndef DSO_DEBUGINFOD_H
#define DSO_DEBUGINFOD_H

#include "base/types.h"
#include "dso/buildid.h"

enum debuginfod_consent { DEBUGINFOD_NO, DEBUGINFOD_ASK, DEBUGINFOD_YES };

/* The servers, as the user wrote them. NULL: there are none, or this build does not know debuginfod. */
const char *debuginfod_servers(void);
enum debuginfod_consent debuginfod_consent(void);
/* Changes it for this process: only while there is one thread. */
void debuginfod_set_consent(enum debuginfod_consent consent);

/* Sees the bytes that have come, of @total (0: not known). False stops the transfer. */
typedef bool debuginfod_step_fn(void *arg, u64 done, u64 total);
/*
 * Fetches the debug information of @id into the client's cache, where dsos find it. @step may be NULL. False: no server has it, or it was
 * stopped.
 */
bool debuginfod_fetch(const struct build_id *id, debuginfod_step_fn *step, void *arg);
/* The size of that file in bytes; 0: no server has it. Nothing stays in the client's cache. Only while there is one thread. */
u64 debuginfod_size(const struct build_id *id);

#endif
