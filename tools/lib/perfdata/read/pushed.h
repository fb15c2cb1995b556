/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records that another thread of this process pushes, as one that records does: an input without a
 * file. One thread puts, one reads. What was put is kept until it is read, up to 64 MiB: who puts more
 * waits for the reader. It lives on until both have let go of it.
 */
#ifndef PERFDATA_PUSHED_H
#define PERFDATA_PUSHED_H

#include "base/turns.h"
#include "perfdata/evsel.h"
#include "perfdata/info.h"

struct perfdata;
struct pushed;

/* Held twice: for who puts and for who reads. */
struct pushed *pushed_new(void);

/*
 * For a thread that reads in a turn of @turns: the turn is over while it waits for records, so that others can
 * look at what was read. Before the first read; @turns outlives it.
 */
void pushed_take_turns(struct pushed *p, struct turns *turns);

/* @size bytes of whole records, which are copied. Dropped when nobody reads any more. */
void pushed_put(struct pushed *p, const void *records, size_t size);

/* Nothing more comes; lets go of it for who put. */
void pushed_end(struct pushed *p);

/*
 * Reads what is pushed as if it came through a pipe (perfdata_is_pipe()). @evsels, @nr of them, are
 * copied, @info is taken over. The close lets go of @p, as does a failure.
 */
struct perfdata *perfdata_open_pushed(const char *name, struct pushed *p,
				      struct evsel *const *evsels, u32 nr,
				      struct perfdata_info *info, GError **error);

#endif
