/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies and comparisons of looks (record/waits/wall.h) and of their bytes. */
#ifndef RECORD_WALL_LOOK_H
#define RECORD_WALL_LOOK_H

#include "record/waits/wall.h"

/* Copies the bytes. To be freed with g_free(). */
struct wall_bytes wall_bytes_copy(const struct wall_bytes *b);
bool wall_bytes_equal(const struct wall_bytes *x, const struct wall_bytes *y);

/* True if bytes were requested, and all were read. */
bool wall_bytes_are_whole(const struct wall_bytes *b);

/* Deep copy, but without look->unknown. To be released with wall_look_release(). */
void wall_look_copy(struct wall_look *to, const struct wall_look *from);
void wall_look_release(struct wall_look *look);

/* False also for an unknown state. */
bool wall_look_is_asleep(const struct wall_look *look);

/*
 * Equal in everything that a sample contains, except time. If the thread is awake, its position is not compared: it
 * differs in each look, and says little about the stretch.
 */
bool wall_look_is_of_kind(const struct wall_look *x, const struct wall_look *y);

/* @look with another state, and without the members that only sleeps have. Shallow copy. */
struct wall_look wall_look_without_wait(const struct wall_look *look, enum wall_state state);

/* @look is of the same sleep as @before: copies the members that @look does not set. */
void wall_look_complete(struct wall_look *look, const struct wall_look *before);

#endif
