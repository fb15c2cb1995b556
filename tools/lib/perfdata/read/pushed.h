/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An input without a file: another thread of this process, such as a recorder, pushes the records. One thread puts, one
 * reads. Up to 64 MiB of unread records are queued; then putting waits for the reader. The queue is reference-counted:
 * it is freed when both threads have released it.
 */
#ifndef PERFDATA_PUSHED_H
#define PERFDATA_PUSHED_H

#include "base/turns.h"
#include "perfdata/evsel.h"
#include "perfdata/info.h"

struct perfdata;
struct pushed;

/* Has two references: one for the thread that puts and one for the reader. */
struct pushed *pushed_new(void);

/*
 * For a reader that holds @turns (base/turns.h): it releases @turns while it waits for records, so that other threads
 * can use the data. Call it before the first read. @turns must outlive @p.
 */
void pushed_take_turns(struct pushed *p, struct turns *turns);

/* Queues a copy of @size bytes of whole records. If the reader has gone, they are dropped. */
void pushed_put(struct pushed *p, const void *records, size_t size);

/* States the end of the records, and releases the putting thread's reference. */
void pushed_end(struct pushed *p);

/* For the reader's thread: another reference, which may outlive the opened queue. */
struct pushed *pushed_hold(struct pushed *p);

/*
 * Nothing more will be read: records are dropped from now on, and putting never waits. Releases pushed_hold()'s
 * reference.
 */
void pushed_stop_reading(struct pushed *p);

/*
 * Opens the queue as a pipe (perfdata_is_pipe()). Copies the @nr @evsels and takes ownership of @info. The close, or a
 * failure, releases the reader's reference to @p.
 */
struct perfdata *perfdata_open_pushed(const char *name, struct pushed *p,
				      struct evsel *const *evsels, u32 nr,
				      struct perfdata_info *info, GError **error);

#endif
