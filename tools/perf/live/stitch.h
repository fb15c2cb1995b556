/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Continues a chain that ends because the copy of the stack ends. The callers come from the last complete chain of the
 * same thread, from a frame that both have: same return address and same stack pointer.
 *
 *	last complete chain:	read    parse  load  main
 *	cut chain:		lookup  parse			continued with: load  main
 *
 * The callers can be wrong only if all frames up to them returned since then, and others called to the same depth.
 */
#ifndef LIVE_STITCH_H
#define LIVE_STITCH_H

#include "chains/chainer.h"

struct stitcher;

struct stitcher *stitcher_new(void);
void stitcher_free(struct stitcher *s);

/*
 * Remembers @chain for @tid if it reached the root. If it was cut and can be continued, changes it and returns true. It
 * then points to memory that is valid until the next call.
 */
bool stitcher_take(struct stitcher *s, u32 tid, struct unwound_chain *chain);

#endif
