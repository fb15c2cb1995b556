/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that has a user's detached recordings as its children: it makes them independent of the shell,
 * session and control group of who asked for them.
 *
 * The first call makes the listening socket and starts the keeper with it (as systemd passes sockets, so a unit may
 * do the same); the keeper ends with its last recording. A call sends its words, environment, directory,
 * limits and standard streams; the keeper starts `perf record` with them, as the worker of one recording.
 */
#ifndef DETACHED_KEEPER_H
#define DETACHED_KEEPER_H

#include "base/error.h"
#include "base/types.h"

/* In the environment of a worker: the descriptor on which it reports how the start went. */
#define KEEPER_WORKER_VARIABLE "PERF_DETACHED_WORKER"

/*
 * Asks the keeper, who is started where there is none, to run these words of perf; waits until the recording runs or has
 * failed. *@status is to exit with; what the worker had to say was printed. False with @error: there is no keeper.
 */
bool keeper_call(int argc, char *const *argv, int *status, GError **error);

/* The worker's end of it: @message NULL when all is well. */
void keeper_report(int fd, int status, const char *message);

/* Is the keeper until there is nothing left to keep. False with @error: there is one already, or no socket. */
bool keeper_run(GError **error);

#endif
