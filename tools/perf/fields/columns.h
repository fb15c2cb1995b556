/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns, grouping and sort order of a report. The module turns -s, -F and the options that add columns into three
 * lists, by upstream's rules:
 *
 *  - groups:  the keys, each once; a hist's tuple. level counts the groups of --hierarchy:
 *	       every key of -s is a level of its own unless braces join some.
 *  - output:  the columns shown, left to right
 *  - order:   the fields that rows are sorted by; the first difference decides
 */
#ifndef FIELDS_COLUMNS_H
#define FIELDS_COLUMNS_H

#include <glib.h>

#include "fields/fields.h"

struct column {
	const struct field *field;
	s32 key;   /* index into groups, -1 for a value */
	u32 level; /* of its group */
};

struct columns {
	GPtrArray *groups; /* const struct field * */
	GPtrArray *labels; /* struct field *: those of label:KEY */
	GArray *levels;	   /* u32 per group */
	GArray *output;	   /* struct column */
	GArray *order;	   /* struct column */
	u32 nr_levels;
	u32 needs;     /* enum place_need of all groups */
	bool tree;     /* the first group is field_activity_path, whose rows are below each other */
	bool has_self; /* "Overhead" is called "Self", beside Children */
};

struct columns_options {
	const char *sort;	  /* -s, or NULL: @sort_default */
	const char *fields;	  /* -F, or NULL */
	const char *sort_default; /* by the kind of samples: a COLUMNS_..._SORT */
	const char *last_key;	  /* behind those of -s or -F; NULL: none */
	u32 families;		  /* enum field_family bits that may be named */
	struct lexicon *lexicon;  /* of the file, whose tracepoints' fields are keys too, or NULL */
	bool memory;		  /* -F mem,snoop: where accesses ended, instead of these keys */
	bool latency;		  /* Latency columns, too */
	bool latency_first;	  /* in front of Overhead's, and sorted by first */
	bool tree;		  /* --activity-tree: other keys stand below its rows */
	bool children;		  /* Children column, and Self instead of Overhead */
	bool no_filler;		  /* without upstream's empty column beside symbols */
	const struct field *hidden; /* rows are told apart by it, and do not show it; NULL: none */
	const char *show_value;	    /* a column of that value, too; NULL: none */
	bool show_samples, show_period, show_modes, show_guest_modes;
};

#define COLUMNS_DEFAULT_SORT "comm,dso,symbol"
#define COLUMNS_BRANCH_SORT  "comm,dso_from,symbol_from,symbol_to,cycles"
#define COLUMNS_MEMORY_SORT                                                                        \
	"local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,"  \
	"local_p_stage_cyc"
/* Memory profiles without an event that states more than addresses. */
#define COLUMNS_COMPUTED_SORT  "sym,dso,symbol_daddr,dso_daddr,segment,daddr_how"
#define COLUMNS_WAIT_SORT      "comm,state,syscall"
#define COLUMNS_TRACE_SORT     "trace"
#define COLUMNS_RAW_TRACE_SORT "trace_fields" /* with --raw-trace */

/* NULL with @error for a key that is not known, or that the recording has nothing for (request_keys_prepare()). */
struct columns *columns_new(const struct columns_options *options, GError **error);
void columns_free(struct columns *columns);

/*
 * Takes the columns of @names out of the output, since all their cells would say the same;
 * none of them when no key would be left.
 */
void columns_hide(struct columns *columns, const char *const *names, u32 nr_names);

const char *columns_title(const struct columns *columns, const struct column *column);

static inline const struct column *columns_output(const struct columns *columns, u32 i)
{
	return &g_array_index(columns->output, struct column, i);
}

static inline const struct column *columns_order(const struct columns *columns, u32 i)
{
	return &g_array_index(columns->order, struct column, i);
}

/* Shows of the columns about where accesses ended only those whose class (enum access_class) is a bit of @classes. */
void columns_keep_accesses(struct columns *columns, u32 classes);

#endif
