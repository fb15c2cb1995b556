/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper is the parent process of a user's detached recordings. It makes them independent of
 * the caller's shell, session and control group.
 *
 * The first call creates the listening socket and starts the keeper with it. The socket is passed
 * as systemd does, so a systemd unit can start the keeper, too. The keeper ends with its last
 * recording. A call sends its words, environment, directory, limits and standard streams. The
 * keeper starts `perf record` with them, as the worker of one recording.
 */
#ifndef DETACHED_KEEPER_H
#define DETACHED_KEEPER_H

#include "base/error.h"
#include "base/types.h"

/*
 * Environment variable of a worker: the descriptor on which it reports whether the recording
 * started.
 */
#define KEEPER_WORKER_VARIABLE "PERF_DETACHED_WORKER"

/*
 * Asks the keeper to run these words of perf, and starts the keeper if there is none. Waits until
 * the recording runs or has failed. out: *@status, the exit status; the worker's messages are
 * printed. False with @error: no keeper could be reached.
 */
bool keeper_call(int argc, char *const *argv, int *status, GError **error);

/* Called by the worker. @message NULL: success. */
void keeper_report(int fd, int status, const char *message);

/*
 * Runs the keeper until its last recording has ended. False with @error: there is a keeper already,
 * or no socket.
 */
bool keeper_run(GError **error);

#endif
