/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Backward inference: a value of unknown type that is later passed as a typed argument,
 * stored into a typed member, returned, compared with a typed pointer, or that a variable is
 * said to hold, has had that type since it was made.
 *
 * Uses are noted against makers, points of the function that make a value. Where paths meet
 * with different values there is a maker too, and what its uses tell goes on to the values
 * that came together there. Uses that contradict each other give no type at all.
 */
#ifndef TYPEFLOW_INFER_H
#define TYPEFLOW_INFER_H

#include <glib.h>

#include "typeflow/cfg.h"
#include "typeflow/state.h"
#include "typeflow/value.h"

struct guess {
	const struct type *type; /* what the value points to */
	s64 offset;		 /* where in it */
	u32 maker;
	u8 rank; /* enum use_rank */
	bool conflict;
};

/* Few makers have one: places in a list, by maker. */
struct guesses {
	u32 *at;      /* by maker: index in the list plus 1; 0: none */
	GArray *list; /* struct guess */
};

enum use_rank {
	USE_SOURCE,   /* one of the values that meet has the type */
	USE_ARGUMENT, /* passed to a function, compared */
	USE_STORED,   /* stored or returned where a type is declared */
	USE_VARIABLE, /* a variable holds it */
};

/* A pointer loaded from a union: what it may point to, and what its uses have ruled out. */
#define MAX_CHOICES 8

struct choice {
	const struct type *targets[MAX_CHOICES];
	u8 nr;
	u8 excluded; /* a bit each */
};

/* Where an object is touched that nothing is known of, or what is around a @part that is known. */
#define MAX_PLACES 16

struct shape_place {
	s64 offset;
	u16 width;
};

struct shape {
	struct shape_place places[MAX_PLACES]; /* each once */
	const struct type *part;	       /* NULL: nothing is known */
	u8 nr;
	bool spoiled; /* it is touched in other ways too */
};

/* An object that begins @offset + n * @stride bytes from a value, or from the @frame it points to. */
struct neighbour {
	const struct type *type;
	const struct type *frame; /* NULL: of what the value points to nothing is known */
	s64 offset;
	u16 stride;
};

/*
 * What else is known of a value that is said to be @said_offset bytes into a @said: as weaker facts
 * have it, it is @offset bytes into a @type.
 */
struct second_view {
	const struct type *said, *type;
	s64 said_offset, offset;
	u8 how; /* enum access_how */
};

struct infer {
	u32 nr_insns, nr_makers;
	struct guesses noted;	/* what this round has seen */
	struct guesses decided; /* what the rounds before have found */
	GArray *joins;		/* struct join_edge */
	u8 *rows;		/* by maker: enum row_bits */
	GArray *row_list;	/* u32 maker: those with a bit in @rows */
	GHashTable *choices;	/* maker -> struct choice *; NULL: none */
	GHashTable *second;	/* maker -> GArray of struct second_view; NULL: none */
	bool fresh_view;	/* this round has added to that */
	GHashTable *beside;	/* maker -> GArray of struct neighbour; NULL: none */
	GHashTable *shapes;	/* maker -> struct shape *; NULL: none */
	GHashTable *
		loaded; /* maker of a number -> the struct type that it was read from; NULL: none */
	GHashTable
		*moved; /* maker of a sum -> maker of the distance added to a pointer; NULL: none */
};

/* Makers: 0 is none; two per instruction, one per register at entry, one per block and register. */
#define MAKERS_PER_INSN 2
#define INFER_REGS	16 /* general registers: what meets in a vector register is not followed */

struct infer *infer_new(u32 nr_insns, u32 nr_blocks);
void infer_free(struct infer *infer);

/* Between rounds, to keep it for long: what can be made anew is freed, and made anew. */
void infer_pack(struct infer *infer);
void infer_unpack(struct infer *infer);

static inline u32 maker_insn(u32 insn, u32 nth)
{
	return 1 + insn * MAKERS_PER_INSN + nth;
}

static inline u32 maker_entry(const struct infer *infer, u8 reg)
{
	return 1 + infer->nr_insns * MAKERS_PER_INSN + reg;
}

static inline u32 maker_join(const struct infer *infer, u32 block, u8 reg)
{
	if (reg >= INFER_REGS)
		return 0;
	return 1 + infer->nr_insns * MAKERS_PER_INSN + STATE_REGS + INFER_REGS * block + reg;
}

/* The instruction that @maker stands for, or CFG_NONE. */
u32 maker_is_insn(const struct infer *infer, u32 maker);
/* The register that @maker stands for the value of at the function's entry, or INSN_NO_REG. */
u8 maker_is_entry(const struct infer *infer, u32 maker);
/* The block at whose start values met, or CFG_NONE. */
u32 maker_is_join(const struct infer *infer, u32 maker);

/* @value points @offset bytes into a @type. */
void infer_use(struct infer *infer, const struct value *value, const struct type *type, s64 offset,
	       enum use_rank rank);

/* @value is one of those that met at @join. */
void infer_source(struct infer *infer, u32 join, const struct value *value);

/* A variable points @variable->offset bytes before, or after, an object near @value. */
void infer_beside(struct infer *infer, const struct value *value, const struct value *variable);

/* The object near that @width bytes at @address lie in; false: none is known to. */
bool infer_find_beside(const struct infer *infer, const struct value *address, u16 width,
		       const struct type **type, s64 *offset);

/* distance.c */

/* @value was read from a @from. */
void infer_loaded(struct infer *infer, const struct value *value, const struct type *from);

/* @sum is the pointer @base and the distance @by, in bytes. */
void infer_moved(struct infer *infer, const struct value *base, const struct value *by,
		 const struct value *sum);

/* @address is a pointer to the start of an object and a distance that leads to one of its members. */
bool infer_stays_inside(const struct infer *infer, const struct value *address);

/* second.c */

/* Of one value @said beats @beaten, which is kept for accesses that do not fit @said. */
void infer_second(struct infer *infer, const struct value *said, const struct value *beaten);

/* The @nth weaker view of @address, as an address; false: there are no more. */
bool infer_find_second(const struct infer *infer, const struct value *address, u32 nth,
		       struct value *second);

/* infer.c */

/* The value made by @maker is one of the pointers at @offset of @type, which differ. */
void infer_choice(struct infer *infer, u32 maker, const struct type *type, u64 offset);

/*
 * @width bytes are touched at the address @value, of which the type is not known: rules out what has nothing
 * there, and adds to the shape that is known of the object.
 */
void infer_touched(struct infer *infer, const struct value *value, u16 width);

/* @address points to a part of an object; so much of that is touched @address->offset from the part's start. */
void infer_touched_around(struct infer *infer, const struct value *address, u16 width);

/* The pointer made by @maker is to several objects in a row, of which more than one is used. */
void infer_row(struct infer *infer, u32 maker);
bool infer_is_row(const struct infer *infer, u32 maker);

/* What uses tell of @maker's value is of an object some bytes behind it, not of what is there. */
bool infer_starts_before(const struct infer *infer, u32 maker);

/* Ends a round; true where something was decided that was not before. */
bool infer_decide(struct infer *infer);

/* Puts in what is decided of @value's maker. */
void infer_apply(const struct infer *infer, struct value *value);

#endif
