/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields: the keys that rows can be grouped by, and how keys are printed. They are the words of -s and -F. Each key has
 * one const table row with its name, column title, help, needs, and the functions that take a key from a place, order
 * two keys and print one.
 *
 * A key has 64 bits: a number itself, or the id of a text or of code that the lexicon
 * interned. So grouping compares tuples of numbers. Values (overhead, period,
 * sample counts) are rows here too, without a key function: hist/ holds their sums.
 * Sources of names, titles and prefix rules: perf-report(1) of Linux 6.1 and 7.x.
 */
#ifndef FIELDS_FIELDS_H
#define FIELDS_FIELDS_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"
#include "fields/cell.h"
#include "resolve/place.h"

struct evsel;
struct idle_rules;
struct intern;
struct request_keys;
struct session;

/* The objects that keys refer to, and the options for printing. Free it with lexicon_free(). */
struct lexicon {
	struct session *session;
	bool verbose; /* -v: addresses with symbols, long names of dsos */
	bool full_source_path;
	bool raw_trace;	     /* fields of tracepoints as numbers, not in the tracepoint's format */
	bool short_types;    /* types without template and generic arguments: one row each */
	bool cut_types;	     /* group by whole types, but print them shortened, for a terminal */
	bool ns;	     /* times with nine decimals */
	u64 time_quantum;    /* ns that the time key is rounded down to */
	u32 cache_line_size; /* bytes, for typecln and dcacheline */
	const struct idle_rules *idle_rules; /* NULL: those that are built in */
	u64 elapsed;	 /* ns that samples are of, for VALUE_THREADS; 0: not known */
	u32 max_ids;	 /* 0: the number of ids of activities is unlimited */
	bool unresolved; /* a key was made of code without a symbol */
	struct request_keys
		*request_keys; /* who compares requests (request_keys.h), borrowed; NULL: nobody */
	struct intern *texts;  /* keys that are ids of texts */
	struct lexicon_own *own;
};

/* With upstream's defaults in the options. */
struct lexicon *lexicon_new(struct session *session);
void lexicon_free(struct lexicon *lexicon);

/* The key of the field "idle" for a thread that is not idle. */
u64 field_busy_key(struct lexicon *lexicon);

/* Source line as text, "file.c:12" or upstream's stand-ins: an id in texts. */
u32 lexicon_line(struct lexicon *lexicon, const struct code *code);
/* Where a source line is. */
struct line_place {
	const char *path; /* as debug information has it */
	u32 line;
	struct dso *dso; /* one that has code of it */
};
/*
 * The place of the line with id @text, which lexicon_line() returned. False: it is none, or lines of two files have this text.
 */
bool lexicon_line_place(const struct lexicon *lexicon, u32 text, struct line_place *out);
/*
 * The same as perf script prints it: without a line never "symbol+offset" but "object[address]"; 0: it has no object.
 */
u32 lexicon_line_or_address(struct lexicon *lexicon, const struct code *code);

/* The code that a key of the field "symbol" stands for; NULL: no function. */
const struct code *lexicon_function(const struct lexicon *lexicon, u64 key);

enum field_family {
	FIELD_NORMAL = 1 << 0, /* any sample */
	FIELD_BRANCH = 1 << 1, /* samples with a branch stack, one row per branch */
	FIELD_MEMORY = 1 << 2, /* samples with a data source or address */
	FIELD_VALUE = 1 << 3,  /* sums of a group: overhead, period, sample, weight1 ... */
};

/* The key of all values of an `id` field that have no row of their own. */
#define FIELD_OTHERS 0

/* The value that a FIELD_VALUE row shows for a group. */
enum field_value {
	VALUE_NONE,
	VALUE_OVERHEAD,
	VALUE_OVERHEAD_SYS,
	VALUE_OVERHEAD_US,
	VALUE_OVERHEAD_GUEST_SYS,
	VALUE_OVERHEAD_GUEST_US,
	VALUE_OVERHEAD_CHILDREN,
	VALUE_LATENCY,
	VALUE_LATENCY_CHILDREN,
	VALUE_SAMPLES,
	VALUE_PERIOD,
	VALUE_WEIGHT1,
	VALUE_WEIGHT2,
	VALUE_WEIGHT3,
	VALUE_SECONDS,	 /* the period of what lasts: a time */
	VALUE_THREADS,	 /* the same by the time that samples are of: how many at a time */
	VALUE_PREDICTED, /* of the branches on the way to its samples: percent, ... */
	VALUE_ABORTS,	 /* ... a number, ... */
	VALUE_CYCLES,	 /* ... the average */
	VALUE_ACCESS,	 /* of the period: what is of accesses of the class field->access */
};

/* Numbers of a key that decide most comparisons: to be taken once per row, not once per pair of rows. */
struct field_rank {
	u64 order;  /* the smaller stands before by order(); where equal, order() is asked... */
	bool whole; /* ...unless both are whole: then it says 0 */
	const void *group; /* of two in one group, tie() has the one with the smaller... */
	u64 tie;	   /* ...number before */
};

/*
 * An order() as numbers, for fields that may have millions of keys. Keys are ordered by their majors first: @order
 * compares majors, and there are fewer of them than keys. Among keys with the same major, the smaller @number comes
 * first.
 */
struct field_split {
	u64 (*major)(const struct lexicon *lexicon, u64 key); /* NULL: all have one */
	int (*order)(const struct lexicon *lexicon, u64 a, u64 b);
	u64 (*number)(const struct lexicon *lexicon, u64 key);
};

struct field {
	const char *name;
	const char *header; /* column title */
	enum field_family family;
	enum field_value value;
	enum cell_kind kind; /* of its cells; unless they are CELL_TEXT, a key is the number */
	bool zero_is_none;   /* the key 0 stands for no number */
	const char *unit;    /* of what it counts: "samples"; NULL: the kind says it */
	u32 needs; /* enum place_need: key() reads nothing else of a place, as samples that agree in
		    * this are given to it once (session_feed()) */
	u8 width;  /* least width of the column; the title's counts besides */
	u8 access; /* VALUE_ACCESS: enum access_class (accesses.h) */
	u8 width_ns;	     /* least width with --ns */
	u8 width_unresolved; /* least width when some row's code has no symbol */
	bool fixed;	     /* the column does not grow with its cells */
	bool cut;	     /* text output cuts its texts at the column's width */
	bool right;	     /* aligned to the right */
	bool loose;	     /* not padded at the end of a line */
	bool id;	/* may take millions of values, all but some of which can be FIELD_OTHERS */
	bool per_frame; /* depends on place->ip alone: --children reads it for each frame */
	const struct evsel *evsel; /* whose column it is, and no other event's; NULL: all have it */
	const void *data;	   /* for the functions of a field made at run time */

	/* Called for each sample, whatever rows it makes; may be NULL. */
	void (*take)(struct lexicon *lexicon, const struct place *place);
	u64 (*key)(const struct field *field, struct lexicon *lexicon, const struct place *place);
	/* For an id whose key is something else: its number for lexicon_weigh_id(). */
	u32 (*id_of)(const struct field *field, struct lexicon *lexicon, const struct place *place);
	/* < 0: a stands before b. NULL: the smaller number does. */
	int (*order)(const struct lexicon *lexicon, u64 a, u64 b);
	/* The order of distinct keys that order() calls equal; may be NULL. */
	int (*tie)(const struct lexicon *lexicon, u64 a, u64 b);
	void (*rank)(const struct lexicon *lexicon, u64 key, struct field_rank *out); /* or NULL */
	const struct field_split
		*split; /* NULL: order() alone knows, or without one the key itself */
	void (*print)(const struct field *field, const struct lexicon *lexicon, u64 key,
		      GString *out);
};

/* Appends @key's text, safe for a terminal: every cell of every view is made here. */
void field_print(const struct field *field, const struct lexicon *lexicon, u64 key, GString *out);

/* True if this text contains @part, which is casefolded; case is ignored. */
bool field_has_part(const struct field *field, const struct lexicon *lexicon, u64 key,
		    const char *part);

/* The number of @key, if the field has numbers; CELL_TEXT if only field_print() has the value. */
struct cell field_cell(const struct field *field, u64 key);

/* True if it shows sums of branches. */
static inline bool field_is_of_branches(const struct field *field)
{
	return field->value >= VALUE_PREDICTED && field->value <= VALUE_CYCLES;
}

/* The rows in upstream's order, ours last; NULL past the end. */
const struct field *fields_at(u32 i);

/*
 * The field that @name names: whole or, by upstream's rule, as a prefix, in either case; the
 * first of the rows wins. NULL with an error that lists the keys of @families, the nearest ones first.
 */
const struct field *fields_find(const char *name, u32 families, GError **error);

/*
 * Adds to @out the keys (const struct field *) of the fields of tracepoints in @lexicon's file that
 * @text names: FIELD for all events that have it, EVENT.FIELD, EVENT.* for all of an
 * event, trace_fields for all of all; "/raw" after it for values as numbers. Adds none where
 * it names none. They live as long as @lexicon.
 */
void fields_of_traces(struct lexicon *lexicon, const char *text, GPtrArray *out);

/*
 * "label:KEY": a key made for one label of activities, to be freed. field_label_key() gives the KEY,
 * or NULL where @name is none of these.
 */
#define FIELD_LABEL "label:"
const char *field_label_key(const char *name);
struct field *field_label_new(const char *name);
void field_label_free(struct field *field);

/*
 * Limit the number of ids. field_id() is the number of @place's id for a field of ids; lexicon_weigh_id() adds to the
 * weight of an id. lexicon_nr_ids() is the number of distinct ids met; @beyond: there are more, which have no number.
 * After lexicon_keep_ids() only the @nr heaviest ids are told apart, and keys given before are invalid.
 */
u32 field_id(const struct field *field, struct lexicon *lexicon, const struct place *place);
void lexicon_weigh_id(struct lexicon *lexicon, u32 id, u64 weight);
u32 lexicon_nr_ids(const struct lexicon *lexicon, bool *beyond);
void lexicon_keep_ids(struct lexicon *lexicon, u32 nr);

/* Every name of @families, wrapped words apart: for -h. g_free(). */
char *fields_names(u32 families);

#endif
