/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A part of a thread's stack that the kernel's copy lacks. The copy begins at the stack pointer, and ends at the first page
 * that cannot be read. So it lacks the stack that a signal interrupted, if the handler has a stack of its own; and after a
 * stack overflow, it is empty, because the stack pointer is in the guard page.
 *
 * The part is at the end of a sample's raw data, behind the fields of its tracepoint, which other readers print:
 *
 *	the tracepoint's fields | bytes[size] | u64 address; u64 size; u64 magic
 *
 * Documentation/formats/perf-data-extensions.md.
 */
#ifndef PERFDATA_MORE_STACK_H
#define PERFDATA_MORE_STACK_H

#include <glib.h>

#include "perfdata/event.h"

/* Sets sample->more_stack by its raw data. */
void more_stack_take(struct sample *sample);

/* Raw data: @sample's, and @more behind it, whose size is a multiple of 8. To free. */
GByteArray *more_stack_raw(const struct sample *sample, const struct sample_more_stack *more);

#endif
