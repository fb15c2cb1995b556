/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which parts of a type are used together. Samples say where a program waits for a type; they cannot say which other members it
 * touches there, since what lies in the same cache line never waits. The code says that: all accesses to the type in the innermost loop
 * around a sampled instruction, or in its function if it is in no loop, are one use.
 *
 *	for (o = first; o; o = o->next)		one use of struct order: next, state, price,
 *		if (o->state == OPEN)		with all samples on them in this loop
 *			sum += o->price;
 */
#ifndef ADVISE_USES_H
#define ADVISE_USES_H

#include "advise/parts.h"
#include "annotate/type.h"
#include "insn/insn.h"
#include "typeflow/typeflow.h"

/* The bytes of a part that a use touches, relative to the part. */
struct use_part {
	u32 part;
	u64 from, to; /* @to: one past the last byte */
	u8 roles;     /* enum insn_access bits */
};

struct advise_use {
	struct dso *dso;
	const struct symbol *symbol; /* NULL: unknown */
	u64 from, to;		     /* vaddr of the first and last instruction */
	bool loop;		     /* else a whole function */
	bool steps;		     /* it goes from object to object by the type's size */
	bool follows;		     /* it goes by a pointer in the object: a list, a tree */
	GArray *parts;		     /* struct use_part, by part */
	struct type_count count;     /* samples on the type there */
};

struct advise_uses {
	GPtrArray *uses; /* struct advise_use *, the most time first */
	u64 period;	 /* of all samples on the type, with or without a use */
	u64 samples;
};

/*
 * The uses of @profile's type in the samples of @event. The functions' code is analysed by @types. Samples whose code cannot be read
 * have no use.
 */
void advise_uses_init(struct advise_uses *uses, const struct type_profile *profile, u32 event,
		      const struct advise_parts *parts, struct typeflow *types,
		      struct insn_decoder *decoder);
void advise_uses_release(struct advise_uses *uses);

static inline const struct advise_use *advise_use(const struct advise_uses *uses, u32 i)
{
	return g_ptr_array_index(uses->uses, i);
}

/* What a use touches of a part; NULL: nothing. */
const struct use_part *advise_use_part(const struct advise_use *use, u32 part);

/* A part that no use touches and on which there are no samples is cold. */
bool advise_is_touched(const struct advise_uses *uses, u32 part);

#endif
