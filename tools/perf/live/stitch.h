/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Continues a chain that the copy of the stack cuts off with what the same thread's last whole chain had above the same
 * frame. The same frame: same return address and same stack pointer. Its callers can then be others only if they have
 * returned and been called again in between, to the same depth.
 */
#ifndef LIVE_STITCH_H
#define LIVE_STITCH_H

#include "chains/chainer.h"

struct stitcher;

struct stitcher *stitcher_new(void);
void stitcher_free(struct stitcher *s);

/*
 * A @chain that reached the root is remembered for @tid. One that was cut is changed, if there is something to continue it
 * with: true. What it points to then is good until the next call.
 */
bool stitcher_take(struct stitcher *s, u32 tid, struct unwound_chain *chain);

#endif
