/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libactivity: a thread says what it is working for, so that a profiler's samples say it too.
 *
 * An activity is a 16-byte trace id and an 8-byte span id, both in the byte order of the W3C
 * trace context. A thread sets it when it takes up a request and clears it when it puts the
 * request down; `perf record --sample-tls` then stores it with each of that thread's samples,
 * and `perf report -s activity` adds the samples up by it.
 *
 *	activity_set(request->trace_id, request->span_id);
 *	handle(request);
 *	activity_clear();
 *
 * Every function here concerns the calling thread only, takes a few nanoseconds, makes no
 * system call, allocates nothing, takes no lock, and may be called from a signal handler, also
 * from one that interrupted any of these functions. A new thread has no activity. The child of
 * a fork keeps that of the thread which forked; after an exec there is none.
 *
 * A sample that hits the middle of a change reads as "being updated", never as a mix of two
 * ids. What lies in memory, and how it is found from outside, is written down in
 * Documentation/formats/activity-record.md.
 *
 * Link with -lactivity: the static library keeps the record within the 64 bytes below the
 * thread pointer that a sample looks at by default; with the shared one, or where the program's
 * own thread-local variables push it further away, perf takes a larger window for the process.
 * A program that is stripped should keep the symbol `activity_record`, for instance by linking
 * with -Wl,--export-dynamic-symbol=activity_record.
 */
#ifndef ACTIVITY_H
#define ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACTIVITY_TRACE_ID_SIZE 16
#define ACTIVITY_SPAN_ID_SIZE  8

/*
 * Makes (@trace_id, @span_id) the calling thread's activity; both are copied. Two ids that are
 * all zero mean the same as activity_clear().
 *
 * A signal handler that calls this in the middle of another call of it sets its own activity for
 * the time being; the interrupted call then goes on to set its own.
 */
void activity_set(const uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE],
		  const uint8_t span_id[ACTIVITY_SPAN_ID_SIZE]);

/* The calling thread works for no activity from here on. */
void activity_clear(void);

/*
 * Copies the calling thread's activity to @trace_id and @span_id and returns true. Without one,
 * and in a signal handler that interrupted a change of it, both are zeroed and the result is
 * false. What was got can be set again later, on any thread: that is how work takes its
 * activity along through a queue.
 */
bool activity_get(uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE], uint8_t span_id[ACTIVITY_SPAN_ID_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
