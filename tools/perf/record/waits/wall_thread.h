/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a thread's state from the BPF program's format (bpf/wall.h) to struct wall_look. */
#ifndef RECORD_WALL_THREAD_H
#define RECORD_WALL_THREAD_H

#include "record/waits/wall.h"

struct wall_bpf_thread; /* bpf/wall.h */
struct wall_files;

/* Owns the texts that a look points to. */
struct wall_texts {
	char *file, *connection;
};

void wall_texts_clear(struct wall_texts *texts);

/*
 * Copies a record from a BPF ring to @thread. The record may be shorter: only its used frames are sent. False: it is
 * malformed.
 */
bool wall_thread_read(const void *data, size_t size, struct wall_bpf_thread *thread);

/* out: @look, and @texts, which the caller clears when @look is no longer needed. */
void wall_thread_look(const struct wall_bpf_thread *thread, const struct wall_clock *clock,
		      struct wall_files *files, struct wall_texts *texts, struct wall_look *look);

#endif
