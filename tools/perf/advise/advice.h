/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other layouts of a type, from how it is used: what each would save, and what it may break. Nothing is proposed without
 * evidence: a saving is an interval of confidence, and one that may be nothing is no proposal.
 *
 * What a use's time depends on. The first line of an object is waited for. Further lines are loaded at the same time, as far as the processor
 * knows their addresses: a quarter of their time is counted. Where the use follows a pointer in the object, the next object is waited for
 * anyway, and further lines of this one count nothing. These are rough; perf advise try measures.
 */
#ifndef ADVISE_ADVICE_H
#define ADVISE_ADVICE_H

#include "advise/layouts.h"
#include "advise/values.h"
#include "base/intern.h"
#include "sharing/sharing.h"

enum advice_kind {
	ADVICE_REORDER, /* members that are used together, side by side */
	ADVICE_CLOSE,	/* fewer bytes: holes closed */
	ADVICE_ALIGN,	/* members that different threads write, on lines of their own */
	ADVICE_SPLIT,	/* members that are not used behind a pointer */
	ADVICE_ARRAYS,	/* an array for each member that loops use */
	NR_ADVICE_KINDS,
};

/* "reorder", "close", ...: for options and programs. */
const char *advice_kind_word(enum advice_kind kind);
/* False: no such word. */
bool advice_kind_parse(const char *word, enum advice_kind *kind);
/* The declaration alone changes: no code that uses the type does. */
bool advice_applies(enum advice_kind kind);

/* What samples of an event count, as far as a layout changes it. */
enum advice_unit {
	ADVICE_TIME,	/* time on a CPU, in ns or cycles */
	ADVICE_MISSES,	/* accesses whose cache line was not there: each line counts the same */
	ADVICE_NEITHER, /* page faults, instructions, ...: only fewer bytes are proposed */
};

struct advice {
	enum advice_kind kind;
	struct advise_layout after;
	double lines; /* cache lines that a use touches in one object; ADVICE_ALIGN: not told, 0 */
	double most; /* saved of all samples, 0 to 1, if all of their time is that of loading lines one by one */
	double saved; /* what is expected: lines of one object are partly loaded at the same time */
	double low, high; /* its interval of 95 %, from the number of samples */
	u32 moved;	  /* parts */
};

struct advice_list {
	struct advise_parts parts;
	struct advise_uses uses;
	struct advise_layout before;
	double lines; /* as it is now */
	struct type_declaration declared;
	const struct type
		*like; /* begins with the same members, which stay; NULL: no type of samples does */
	enum advice_unit unit;
	const char *event; /* its name */
	u32 line_size;
	struct advise_begins begins; /* no samples: not known */
	struct type_count total;     /* all samples of the event */
	GArray *list;		     /* struct advice, the largest saving first */
	GPtrArray *risks;	     /* char *: of all that change offsets */
	GPtrArray *narrower;	     /* char *: members whose sampled values need fewer bytes */
	char *nothing;		     /* why there is none; NULL: there is some */
};

struct advice_question {
	const struct type_profile *profile;
	u32 event;
	enum advice_unit unit;	 /* what the event counts */
	const char *event_name;	 /* must outlive the list */
	struct type_count total; /* all samples of the event */
	const GPtrArray *
		others; /* struct type_profile *: of all types, to find the same one in other files */
	struct typeflow *types;
	struct insn_decoder *decoder;	    /* NULL: code cannot be read */
	const struct sharing *sharing;	    /* of the event; NULL: there are no data addresses */
	const struct advise_values *values; /* NULL: samples have no registers */
	u32 line_size;
};

struct advice_list *advice_list_new(const struct advice_question *q);
void advice_list_free(struct advice_list *list);

static inline const struct advice *advice_at(const struct advice_list *list, u32 i)
{
	return &g_array_index(list->list, struct advice, i);
}

/* The declaration of a part in C or C++: "unsigned long id;", "u32 a : 3, b : 5;". */
void advice_declare(const struct advice_list *list, u32 part, GString *out);

#endif
