/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first source: the kernel's rings of all open events. One ring per CPU (or per thread,
 * with --per-thread) takes the records of every event there, so that what happened on a CPU
 * stays in its order; events that overwrite have a second one, which is read only where a file
 * ends.
 */
#ifndef RECORD_RINGS_H
#define RECORD_RINGS_H

#include "record/source.h"

/* The rings of rec->set and rec->more_events, @pages data pages each. open() maps them and lists them in rec->rings. */
struct source *rings_source_new(u32 pages);

#endif
