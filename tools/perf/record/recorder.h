/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One recording from start to end: opens the events, starts the command and the two threads,
 * waits for what ends it (the command, the targets, a signal, a full file), and closes the
 * file. The stages are in the files that it wires: config, target, rings and other sources,
 * drainer, queue, writer, output.
 */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include "record/options.h"

struct record_result {
	int status; /* to exit with */
	int signal; /* to die of after that, 0: none. The command's, or what ended the recording */
};

/*
 * @argv: the whole command line, for the file. What there is to say besides a failure goes to stderr, less with
 * opts->quiet. On failure, what had been recorded by then is in the file, where there is one.
 */
bool record_run(const struct record_options *opts, int argc, char *const *argv,
		struct record_result *result, GError **error);

#endif
