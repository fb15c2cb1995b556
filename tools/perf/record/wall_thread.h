/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a BPF program saw of a thread (bpf/wall.h), in the words of record/wall.h. */
#ifndef RECORD_WALL_THREAD_H
#define RECORD_WALL_THREAD_H

#include "record/wall.h"

struct wall_bpf_thread; /* bpf/wall.h */
struct wall_files;

/* Texts that a look points to. */
struct wall_texts {
	char *file, *connection;
};

void wall_texts_clear(struct wall_texts *texts);

/*
 * A record of a BPF ring: its frames may be fewer than there is room for. False: it is none. @thread has
 * room for a whole one.
 */
bool wall_thread_read(const void *data, size_t size, struct wall_bpf_thread *thread);

/* @texts: to be cleared when @look is not needed any more. */
void wall_thread_look(const struct wall_bpf_thread *thread, const struct wall_clock *clock,
		      struct wall_files *files, struct wall_texts *texts, struct wall_look *look);

#endif
