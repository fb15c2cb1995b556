/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One recording, from the options to the closing lines. recorder_run() does all steps. They can also be called one by
 * one:
 *
 *   open      events, rings and sources are opened; nothing counts     opening.c
 *   attach    consumers and threads start                              attaching.c
 *   collect   counting begins; waits for the end of the recording      collecting.c
 *   detach    rings are drained; threads and consumers end             attaching.c
 *   close     everything is released                                   recorder.c
 *
 * Between open and close, attach and detach may be called several times, each time with other consumers. In between,
 * records wait in the rings, or are overwritten there with --overwrite. recorder_enable() and recorder_disable() do
 * what collect does, without waiting.
 *
 * All functions are for one thread. All except recorder_new() and recorder_close() return false with @error.
 * recorder_close() may be called after any failure.
 */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include <signal.h>

#include "record/base/consumer.h"
#include "record/base/options.h"
#include "record/base/stage.h"

struct record_result {
	int status; /* exit status for perf */
	/* The signal by which perf shall end then: the command's, or the one that ended the recording; 0: none. */
	int signal;
	bool narrow; /* 32-bit processes were recorded */
};

struct recorder;
struct open_files; /* "dso/open_files.h" */

/* @argv: the whole command line, for the file. All three must outlive the recorder. */
struct recorder *recorder_new(const struct record_options *opts, int argc, char *const *argv);
void recorder_close(struct recorder *r);

/*
 * Adds a source after those of the options, or a stage after those of all sources. To be called before recorder_open().
 * recorder_close() closes the source; the caller keeps the stage.
 */
void recorder_add_source(struct recorder *r, struct source *src);
void recorder_add_stage(struct recorder *r, struct stage *st);
/* To be called before recorder_attach(). recorder_detach() closes @c. The file is added by opts->output. */
void recorder_add_consumer(struct recorder *r, struct consumer *c);

/*
 * Keeps the files that the recorded processes map open in @held. To be called once, before recorder_open(). The caller
 * frees @held after recorder_close().
 */
void recorder_hold_files(struct recorder *r, struct open_files *held);

bool recorder_open(struct recorder *r, GError **error);
/*
 * After recorder_open(): what is missing because the kernel permits no events (--wall only); NULL: nothing. The caller
 * frees it.
 */
char *recorder_missing(const struct recorder *r);
/* Before the first recorder_attach(), which reads the existing processes: from here on no change of them is missed. */
bool recorder_enable_side_records(struct recorder *r, GError **error);
bool recorder_attach(struct recorder *r, GError **error);
/* recorder_begin(), then recorder_wait(). Counting is stopped at the end. */
bool recorder_collect(struct recorder *r, GError **error);
bool recorder_begin(struct recorder *r, GError **error);
bool recorder_wait(struct recorder *r, GError **error);
bool recorder_detach(struct recorder *r, GError **error);

/*
 * Other processes add to *@asked, and then send RECORDER_ASK to this process. When everything that was recorded until
 * then has been given to the consumers, their answer() is called. To be called before recorder_attach().
 */
void recorder_answer(struct recorder *r, const u64 *asked);
/* A signal that is ignored by processes that do not take it: a recorder that is about to begin or to end. */
#define RECORDER_ASK SIGURG

/* The signal that ended the collecting; 0: no signal. */
int recorder_ended_by(const struct recorder *r);

bool recorder_enable(struct recorder *r, GError **error);
/* False with @error: a source has failed since it was enabled. */
bool recorder_disable(struct recorder *r, GError **error);

/* After recorder_begin(). False with @error: the command could not be executed. */
bool recorder_has_started(struct recorder *r, GError **error);
/* The command's process, or -1; after recorder_wait() its wait status, if it has ended. */
pid_t recorder_command(const struct recorder *r);
bool recorder_command_status(const struct recorder *r, int *status);

/*
 * All steps in order. Messages go to stderr, fewer with opts->quiet. After a failure, the file (if
 * any) holds what was recorded until then.
 */
bool recorder_run(struct recorder *r, struct record_result *result, GError **error);

#endif
