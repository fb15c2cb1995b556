/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug information that a report lacks, and that debuginfod's servers have: offered on a terminal, then fetched. */
#ifndef OPTIONS_DEBUG_FILES_H
#define OPTIONS_DEBUG_FILES_H

#include "session/session.h"

/*
 * For commands that are about to read @options' recording. If the user has set debuginfod.fetch (dso/debuginfod.h) to "ask", and
 * standard input and error are a terminal: names the files with a large share of the samples and no debug information here,
 * with the sizes that the servers state, and asks. After "y" they are fetched, with progress, and from then on dsos may
 * fetch what else they miss. With "yes", the same without the question. Otherwise nothing happens.
 */
void debug_files_offer(const struct session_options *options);

#endif
