/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts that /proc has for a thread. */
#ifndef RECORD_WALL_PROC_TEXT_H
#define RECORD_WALL_PROC_TEXT_H

#include "record/waits/wall.h"

/*
 * "4711 (a (name)) S 1 ...": takes state, name, flags (9th field) and creation time (22nd, in ticks since the boot).
 * Changes @text. False: it is no stat.
 */
bool wall_proc_parse_stat(char *text, u64 ns_per_tick, const struct wall_clock *clock,
			  struct wall_look *look);

/* "running", "-1 SP PC", or "NR ARG*6 SP PC". */
void wall_proc_parse_syscall(char *text, struct wall_look *look);

/* The last number of the line "NAME:\t4711\t7" of @status; 0: it has less than two. */
u32 wall_proc_inner_number(const char *status, const char *name);

#endif
