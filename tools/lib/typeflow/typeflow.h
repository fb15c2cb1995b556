/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The type of the data that an instruction accesses, and the offset in it.
 *
 * A function is analysed at its first look-up; later look-ups are a binary search in its table. Every answer rests on
 * the debug information. An operand without an answer has a reason instead.
 *
 * Threads: one thread at a time may call functions with one typeflow: the caller has the lock (resolve/data.h). Several
 * typeflows may analyse one dso at the same time, each by its own thread. The fields of an access and of its struct type
 * are read without a lock; for functions of dwarf/types.h, which read parts at the first question, hold type_lock().
 */
#ifndef TYPEFLOW_TYPEFLOW_H
#define TYPEFLOW_TYPEFLOW_H

#include <glib.h>

#include "dso/dso.h"
#include "dwarf/types.h"
#include "insn/fusion.h"
#include "typeflow/code/waited.h"
#include "typeflow/layout/access.h"

struct typeflow;

/*
 * @fusion: of the processor that took the samples. @folder: keeps the answers of objects with a build-id for later
 * runs (store.h); NULL: they are not kept.
 */
struct typeflow *typeflow_new(enum insn_fusion fusion, const char *folder);
void typeflow_free(struct typeflow *flow);

/*
 * Before the first look-up: announces that @vaddr will be looked up for @nr samples, or if @before, that typeflow_waited()
 * will be called for it and what comes before it looked up. Then only the part of its function that leads to announced addresses may be
 * analysed. Other addresses can be looked up too.
 */
void typeflow_expect(struct typeflow *flow, struct dso *dso, u64 vaddr, bool before, u32 nr);

/*
 * Before the first look-up: announces that typeflow_waited() will be called, so that the instructions before the
 * announced ones are analysed too.
 */
void typeflow_expect_waited(struct typeflow *flow);

/* For how many samples addresses from @low to @high, both included, were announced. */
u32 typeflow_expected(struct typeflow *flow, struct dso *dso, u64 low, u64 high);

/*
 * After all announcements and before the first look-up: analyses the announced addresses with up to @nr_threads
 * threads. One thread for each @lane_code bytes of code in their functions; 0: a default size. The answers do not
 * depend on it.
 */
void typeflow_prepare(struct typeflow *flow, u32 nr_threads, u32 lane_code);

/*
 * Fills @out (struct waited_way) with all ways by which control comes to the instruction at @vaddr of @dso: at least
 * one. @data: typeflow_lookup() will be called for one of them, so the function is analysed; otherwise it is only decoded.
 * One thread at a time.
 */
void typeflow_waited(struct typeflow *flow, struct dso *dso, u64 vaddr, bool data, GArray *out);

/*
 * The data that the instruction at @vaddr of @dso accesses. Always fills @out. True if it has a type or a pseudo
 * type.
 */
bool typeflow_lookup(struct typeflow *flow, struct dso *dso, u64 vaddr, struct access *out);

/*
 * Explains the answer for the instruction at @vaddr: the steps from the value's source to the operand, each with the
 * address of its instruction. The last step is the answer, or the reason why there is none. Returns the same as
 * typeflow_lookup().
 */
bool typeflow_explain(struct typeflow *flow, struct dso *dso, u64 vaddr,
		      const struct explain_sink *sink);

/* The object that a pointer points into. */
struct pointee {
	const struct type *type;
	s64 offset; /* bytes into it */
	const char
		*variable; /* its name: a static variable, or one of the frame; NULL: no variable */
	u8 how;		   /* enum access_how */
	u8 parameter; /* the function's argument that is the pointer; TYPEFLOW_ARGUMENTS: none is known to be */
};

#define TYPEFLOW_ARGUMENTS 6 /* those in registers */

/*
 * Where the @nth argument, from 0, points to in the call instruction with a byte at @vaddr. False: not known. Not remembered: each
 * question costs an analysis of the calling function.
 */
bool typeflow_argument(struct typeflow *flow, struct dso *dso, u64 vaddr, u32 nth,
		       struct pointee *out);

/* The variable with static storage at the data address @vaddr; @from: an address in the code that uses it, or 0. */
bool typeflow_variable(struct typeflow *flow, struct dso *dso, u64 vaddr, u64 from,
		       struct pointee *out);

struct typeflow_counts {
	u32 functions;	  /* analysed */
	u64 instructions; /* decoded for that */
	u64 walked;	  /* the same, once for each time that the flow goes over them */
	u64 lookups;
};

void typeflow_counts(const struct typeflow *flow, struct typeflow_counts *out);

#endif
