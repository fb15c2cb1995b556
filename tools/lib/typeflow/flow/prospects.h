/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which instructions without an answer may get one in a further round (prospects.c). The dependences between makers are
 * recorded in the last walk of a round, and used at its end.
 */
#ifndef TYPEFLOW_PROSPECTS_H
#define TYPEFLOW_PROSPECTS_H

#include <glib.h>

#include "base/types.h"

struct flow;
struct insn;
struct prospects;
struct value;

/* @nr_makers: as in struct infer. */
struct prospects *prospects_new(u32 nr_makers);
void prospects_free(struct prospects *p);

/* Forgets the dependences of the round before. */
void prospects_reset(struct prospects *p);

/* Before and after transfer() of the instruction. */
void prospects_before(struct flow *flow, const struct insn *insn);
void prospects_after(struct flow *flow, const struct insn *insn);

/* The join that has made @met merges @from. */
void prospects_join(struct prospects *p, const struct value *met, const struct value *from);

/* The present instruction, @insn, has no answer. */
void prospects_root(struct flow *flow, const struct insn *insn);

/*
 * At the end of a round: marks in flow->settled the instructions for which another round would find the same. False: all
 * without an answer are marked. @pending: callers and shapes will be asked at the end of a later round.
 */
bool prospects_settle(struct flow *flow, bool pending);

/*
 * After prospects_settle(): those of the @open instructions (by instruction) for which nothing is new but what one instruction has
 * made that computes their address, or what is found through it. Newly allocated.
 */
u8 *prospects_direct(const struct flow *flow, const u8 *open);

#endif
