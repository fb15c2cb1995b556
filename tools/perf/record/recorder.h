/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One recording, from the options to the closing lines. recorder_run() does it whole, by parts that can
 * also be used one by one:
 *
 *   open      events, rings and sources are opened; nothing counts     opening.c
 *   attach    consumers and threads take what comes                    attaching.c
 *   collect   counting begins, what ends the recording is waited for   collecting.c
 *   detach    what waits is taken, threads and consumers end           attaching.c
 *   close     everything is released                                   recorder.c
 *
 * Between open and close, attach and detach may follow each other several times, with other consumers
 * each time: records that were not taken wait in the rings, or are overwritten there with
 * --overwrite. recorder_enable() and recorder_disable() are collect without the waiting.
 *
 * All functions are for one thread, and all but recorder_new() and recorder_close() return false with
 * @error. recorder_close() is always right, whatever failed before.
 */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include "record/base/consumer.h"
#include "record/base/options.h"
#include "record/base/stage.h"

struct record_result {
	int status;  /* to exit with */
	int signal;  /* to die of after that, 0: none. The command's, or what ended the recording */
	bool narrow; /* 32-bit processes were recorded */
};

struct recorder;

/* @argv: the whole command line, for the file. All three must outlive the recorder. */
struct recorder *recorder_new(const struct record_options *opts, int argc, char *const *argv);
void recorder_close(struct recorder *r);

/*
 * Besides what the options ask for: a source behind theirs, a stage behind those of all sources; before
 * recorder_open(). Sources are closed by recorder_close(), stages stay the caller's.
 */
void recorder_add_source(struct recorder *r, struct source *src);
void recorder_add_stage(struct recorder *r, struct stage *st);
/* Before recorder_attach(); recorder_detach() closes it. The file is one where opts->output names it. */
void recorder_add_consumer(struct recorder *r, struct consumer *c);

bool recorder_open(struct recorder *r, GError **error);
bool recorder_attach(struct recorder *r, GError **error);
/* Ends with counting stopped: begin, then wait. */
bool recorder_collect(struct recorder *r, GError **error);
bool recorder_begin(struct recorder *r, GError **error);
bool recorder_wait(struct recorder *r, GError **error);
bool recorder_detach(struct recorder *r, GError **error);

/* The signal that ended what was collected; 0: none did. */
int recorder_ended_by(const struct recorder *r);

bool recorder_enable(struct recorder *r, GError **error);
void recorder_disable(struct recorder *r);

/* After recorder_begin(): false with @error where the command could not be executed. */
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
