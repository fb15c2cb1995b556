/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stack of a thread that sleeps, read without waking it. */
#ifndef RECORD_WALL_STACK_H
#define RECORD_WALL_STACK_H

#include "record/wall.h"

struct wall_stack;

/* A sample has at most 64 KiB, with all that is in it. */
#define WALL_STACK_MAX 49152u

/* @size: bytes at most, a multiple of 8. */
struct wall_stack *wall_stack_new(u32 size);
void wall_stack_free(struct wall_stack *s);

/*
 * What is at @sp and above in process @pid, as far as it can be read; valid until the next call. Empty: nothing. Whether
 * the thread slept all the while is the caller's to find out.
 */
struct wall_bytes wall_stack_read(struct wall_stack *s, u32 pid, u64 sp);

#endif
