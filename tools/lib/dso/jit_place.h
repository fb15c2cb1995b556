/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a running process lists the functions that it generates: /tmp/perf-PID.map, with its pid and its /tmp. In a container
 * both are others than here.
 *
 * The process chooses what is there, and may want to show this user a file that is not its own. So links are not
 * followed, only regular files are opened, and they must belong to the user of the process, to this user, or to root.
 */
#ifndef DSO_JIT_PLACE_H
#define DSO_JIT_PLACE_H

#include <sys/types.h>

#include "base/types.h"

/* The largest map that is read or kept. */
#define JIT_MAP_MAX (256 << 20)

struct jit_place {
	int folder; /* its /tmp: a descriptor of O_PATH, which stays valid after the end of the process; -1: not known */
	u32 inner;  /* its pid there */
	uid_t owner;
};

/* False: process @pid has ended, its /tmp is no folder, or it may not be looked at. Then @place->folder is -1. */
bool jit_place_open(struct jit_place *place, u32 pid);
/*
 * Opens the map for reading. @any_owner: trust each owner. The caller closes the result. -1: there is none, or it is not one
 * that may be read.
 */
int jit_place_file(const struct jit_place *place, bool any_owner);
void jit_place_close(struct jit_place *place);

#endif
