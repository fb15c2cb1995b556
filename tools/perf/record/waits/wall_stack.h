/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the stack of a sleeping thread, without waking it. */
#ifndef RECORD_WALL_STACK_H
#define RECORD_WALL_STACK_H

#include "record/waits/wall.h"

struct wall_stack;

/* A sample has at most 64 KiB, including all other fields. */
#define WALL_STACK_MAX 49152u

/* @size: maximum number of bytes, a multiple of 8. */
struct wall_stack *wall_stack_new(u32 size);
void wall_stack_free(struct wall_stack *s);

/*
 * The readable bytes from @sp upwards in process @pid, valid until the next call. Empty: nothing is readable. The
 * caller must check that the thread slept meanwhile.
 */
struct wall_bytes wall_stack_read(struct wall_stack *s, u32 pid, u64 sp);

#endif
