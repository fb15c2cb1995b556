/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Backward inference: the later uses of a value tell its type. The uses are: a typed argument, a store into a typed
 * member, a return, a comparison with a typed pointer, a variable that holds the value.
 *
 *	struct list *l = malloc(sizeof(*l));	call malloc		%rax: untyped; maker: the call
 *	l->head = NULL;				movq $0,(%rax)		no answer in the first round
 *	push(l);				mov %rax,%rdi
 *						call push		use: the parameter is a struct list *
 *
 * The second round starts with the use's type at the maker, so the store is to struct list +0.
 *
 * A use is recorded for the value's maker: the instruction, register at entry, or join (phi) that defines the value.
 * The uses of a join are passed on to the values that it merges. If two uses contradict each other, the value has
 * no type.
 */
#ifndef TYPEFLOW_INFER_H
#define TYPEFLOW_INFER_H

#include <glib.h>

#include "typeflow/code/cfg.h"
#include "typeflow/flow/state.h"
#include "typeflow/layout/value.h"

struct guess {
	const struct type *type; /* what the value points to */
	s64 offset;		 /* bytes into it */
	u32 maker;
	u16 stride; /* a loop moves the pointer by so many bytes, inside of the object; 0: it does not */
	u8 rank; /* enum use_rank */
	bool conflict;
};

/* Guesses by maker. Few makers have one, so they are in a list. */
struct guesses {
	u32 *at;      /* by maker: index in the list plus 1; 0: none */
	GArray *list; /* struct guess */
};

enum use_rank {
	USE_SOURCE,   /* another value of the same join has the type */
	USE_ARGUMENT, /* it is passed to a function, or compared */
	USE_STORED,   /* it is stored or returned, and the target has a declared type */
	USE_VARIABLE, /* a variable holds it */
};

/* A pointer loaded from a union: the types that it may point to, and those that its uses exclude. */
#define MAX_CHOICES 8

struct choice {
	const struct type *targets[MAX_CHOICES];
	u8 nr;
	u8 excluded;  /* one bit for each target */
	u8 inexact;   /* the same: an access is to a part of a member, or to several */
	bool several; /* accesses at more than one offset */
	s64 offset;   /* of the first access */
	bool touched;
};

/* The accessed offsets of an object of unknown type, or of the unknown structure around a known @part. */
#define MAX_PLACES 16

struct shape_place {
	s64 offset;
	u16 width;
};

struct shape {
	struct shape_place places[MAX_PLACES]; /* each once */
	const struct type *part;	       /* NULL: nothing is known */
	u8 nr;
	bool spoiled; /* there were other accesses, too: infer nothing */
};

/*
 * A known object at a fixed distance, @offset + n * @stride, from a value, or from the @frame that the value points to.
 */
struct neighbour {
	const struct type *type;
	const struct type *frame; /* NULL: the type that the value points to is unknown */
	s64 offset;
	u16 stride;
	u8 how; /* enum access_how: by a variable, or by a later use */
};

/*
 * A second, weaker fact about an address: it points @offset bytes into a @type. The first fact says @said_offset
 * bytes into a @said.
 */
struct second_view {
	const struct type *said, *type;
	s64 said_offset, offset;
	u8 how;	    /* enum access_how */
	bool other; /* not weaker: each of them is right on some path (code_facts.h) */
};

/* Something new is known of @maker's value, so the next round may find other values. */
struct infer_news {
	u32 maker;
	bool address; /* also while the value is an ADDRESS */
};

struct infer {
	u32 nr_insns, nr_makers;
	struct guesses noted;	/* uses of this round */
	struct guesses decided; /* types inferred by earlier rounds */
	GArray *joins;		/* struct join_edge */
	u8 *doubts;		/* by maker: 1: its uses in the last round contradict each other */
	u8 *rows;		/* by maker: enum row_bits */
	GArray *row_list;	/* struct array_pointer */
	u32 nr_rows;		/* those of @row_list that are decided */
	GHashTable *choices;	/* maker -> struct choice *; NULL: none */
	GHashTable *second;	/* maker -> GArray of struct second_view; NULL: none */
	bool fresh_view;	/* this round has added a second view */
	GArray *news;		/* struct infer_news: for the next round */
	bool callers_asked;	/* callers_decide() was called */
	GHashTable *beside;	/* maker -> GArray of struct neighbour; NULL: none */
	GHashTable *shapes;	/* maker -> struct shape *; NULL: none */
	GHashTable *
		loaded; /* maker of a number -> the struct type that it was read from; NULL: none */
	GHashTable
		*moved; /* maker of a sum -> maker of the distance added to a pointer; NULL: none */
	GArray *cursor_loads; /* cursors.c: pointers loaded in this round; NULL: none yet */
	GHashTable *cursors;  /* cursors.c: variables that move by whole elements; NULL: none */
};

/* Makers: 0 is none; two per instruction, one per register at entry, one per block and register. */
#define MAKERS_PER_INSN 2
#define INFER_REGS	16 /* general registers: joins of vector registers are not followed */

struct infer *infer_new(u32 nr_insns, u32 nr_blocks);
void infer_free(struct infer *infer);

/* infer_pack() frees all that infer_unpack() can build again. For flows that wait for the next question. */
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
/* The register whose value at the function's entry @maker stands for, or INSN_NO_REG. */
u8 maker_is_entry(const struct infer *infer, u32 maker);
/* The block whose join @maker stands for, or CFG_NONE. */
u32 maker_is_join(const struct infer *infer, u32 maker);

/* @value points @offset bytes into a @type. */
void infer_use(struct infer *infer, const struct value *value, const struct type *type, s64 offset,
	       enum use_rank rank);

/* @value is merged by the join of maker @join. */
void infer_source(struct infer *infer, u32 join, const struct value *value);

/* beside.c */

/* A variable points @variable->offset bytes before, or after, an object near @value. */
void infer_beside(struct infer *infer, const struct value *value, const struct value *variable);

/* The known object at a distance that contains the @width bytes at @address; false: none does. */
bool infer_find_beside(const struct infer *infer, const struct value *address, u16 width,
		       const struct type **type, s64 *offset, u8 *how);

/* distance.c */

/* @value was loaded from an object of type @from. */
void infer_loaded(struct infer *infer, const struct value *value, const struct type *from);

/* @sum is the pointer @base and the distance @by, in bytes. */
void infer_moved(struct infer *infer, const struct value *base, const struct value *by,
		 const struct value *sum);

/* @address is the start of an object plus a distance to one of its members. */
bool infer_stays_inside(const struct infer *infer, const struct value *address);

/* cursors.c */

/* The pointer @value was loaded from the variable at @address, which is at @access->offset of @access->type. */
void infer_cursor_loaded(struct infer *infer, const struct value *address,
			 const struct access *access, const struct value *value);

/* The same of a pointer that is stored there. */
void infer_cursor_stored(struct infer *infer, const struct value *address,
			 const struct access *access, const struct value *value);

/* Ends a round: the pointers loaded from a variable that moves are to arrays. */
void infer_cursors_decide(struct infer *infer);
void infer_cursors_free(struct infer *infer);

/* second.c */

/* Both are facts about one value. @said is stronger; @beaten is kept for accesses that do not fit @said. */
void infer_second(struct infer *infer, const struct value *said, const struct value *beaten);

/* The same for two variables at one address. Each of them is right on some path. */
void infer_other(struct infer *infer, const struct value *said, const struct value *other);

/* The @nth weaker fact about @address, or if @others the @nth of the other variables; false: there are no more. */
bool infer_find_second(const struct infer *infer, const struct value *address, bool others, u32 nth,
		       struct value *second);

/* choice.c */

/* @maker's value was loaded from the union at @offset of @type, whose members point to different types. */
void infer_choice(struct infer *infer, u32 maker, const struct type *type, u64 offset);

/*
 * An access of @width bytes at the untyped address @value. Excludes targets of a union that have no member there, and
 * adds the offset to the object's shape.
 */
void infer_touched(struct infer *infer, const struct value *value, u16 width);

/* An access of @width bytes at @address->offset from the start of a part of an unknown object. */
void infer_touched_around(struct infer *infer, const struct value *address, u16 width);

/* Records @said for the value of @maker. True if the recorded use changed. */
typedef bool infer_noter(struct infer *infer, u32 maker, const struct guess *said);

/* Calls @note for each pointer of a union that only one of the targets fits. */
void infer_choose(struct infer *infer, infer_noter *note);

/* rows.c */

/* Records news of @maker's value. */
void infer_add_news(struct infer *infer, u32 maker, bool address);

/* A maker of a pointer into an array; @back: to elements before the pointer, too. */
struct array_pointer {
	u32 maker;
	bool back;
};

/* In infer.rows, by maker. */
enum row_bits { ROW_NOTED = 1, ROW_NOTED_BACK = 2, ROW_DECIDED = 4, ROW_DECIDED_BACK = 8 };

/* @maker's pointer is to an array: more than one element is accessed; @back: also elements before that one. */
void infer_row(struct infer *infer, u32 maker, bool back);
/* If @from's pointer is known to be to an array, @to's is to the same array. */
void infer_same_row(struct infer *infer, u32 from, u32 to);
bool infer_is_row(const struct infer *infer, u32 maker, bool back);

/* infer.c */

/* The uses of @maker's value tell the type of an object some bytes behind it. */
bool infer_starts_before(const struct infer *infer, u32 maker);

/* Ends a round: turns uses into types. True if there is a new one. */
bool infer_decide(struct infer *infer);

/* Gives @value the type that was inferred for its maker. */
void infer_apply(const struct infer *infer, struct value *value);

#endif
