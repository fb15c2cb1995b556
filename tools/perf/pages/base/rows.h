/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows to display: typed cells in columns. A row may have child rows, which a view can unfold: the levels of a
 * hierarchy, the call tree of an entry, the instructions of a source line. A provider (hist_rows, code_rows, ...) makes
 * the rows and does not depend on views. A view (stdio, tui, json, ...) shows or writes all rows or a window of them,
 * and does not depend on providers.
 *
 * Everything is computed on demand: opening rows formats and measures nothing, foldable() does not make the child
 * rows, and texts are made only for the cells that are shown.
 *
 * A struct row is a small value, valid as long as the rows. Its key identifies it, also after the rows were sorted or
 * made again from the same data. So a view remembers the cursor and the unfolded rows by key.
 */
#ifndef PAGES_ROWS_H
#define PAGES_ROWS_H

#include <glib.h>

#include "base/types.h"
#include "fields/cell.h"

enum row_kind {
	ROW_NONE,  /* after the last one; as a parent: the rows of the first level */
	ROW_ENTRY, /* has cells */
	ROW_CALLS, /* a run of frames of a call tree */
	ROW_REST,  /* the part that was cut from a call tree: a value without frames */
};

struct row {
	enum row_kind kind;
	u32 level; /* of entries: depth in a hierarchy; of calls: depth in the tree */
	u32 entry; /* the provider's index */
	u32 node;  /* the provider's index */
};

struct rows_column {
	const char *name;  /* for machines: "overhead", "symbol" */
	const char *title; /* for people: "Overhead", "Symbol" */
	const char *unit;  /* of a count: "samples"; NULL: the kind's own, or none */
	enum cell_kind kind;
	u32 width;	  /* minimum width for a text of one part; the title may need more */
	u32 nr_parts;	  /* cells side by side under one title: one for each event of a group */
	u32 level;	  /* level of the hierarchy, for columns of only one level */
	bool value;	  /* numbers, right-aligned, a blank before each part; else a key */
	bool right;	  /* a key aligned to the right */
	bool right_title; /* the title is also aligned to the right */
	bool cut;	  /* texts end at the column's width */
	bool loose;	  /* not padded if it is the last one of a line */
	bool tree;	  /* names of nested rows: four columns per level in front, for lines */
};

struct rows_calls {
	u32 nr_frames;
	u64 period;  /* including all child rows */
	u64 samples; /* including all child rows */
	char value
		[32]; /* "12.34%", or the count, or the period; the base of percentages is an option */
	double percent; /* for colours; -1 if the value is not a percentage */
	bool all;	/* it is all of the parent's value, so it need not be shown */
};

enum rows_calls_look { CALLS_GRAPH, CALLS_FLAT, CALLS_FOLDED };

struct rows {
	const struct rows_ops *ops;
	u32 nr_columns;
	u32 nr_levels; /* > 1: a hierarchy */
	enum rows_calls_look look;
	u32 max_calls;	    /* siblings of a call tree to print; 0 = all */
	bool sparse;	    /* rows are of several kinds, each with its own columns */
	bool nested;	    /* entries have child entries in columns of the same kind */
	bool callers_first; /* order of frames in a call tree */
	bool skip_symbol;   /* the first column has the row's own symbol: trees start after it */
	double least;	    /* percent: smaller entries are left out */
};

/* The functions of a provider. All must be set, unless NULL is described. */
struct rows_ops {
	void (*column)(const struct rows *rows, u32 column, struct rows_column *out);
	void (*free)(struct rows *rows);

	/* The first child row of @parent; the row after @row. Kind ROW_NONE: there is none. */
	struct row (*first)(struct rows *rows, struct row parent);
	struct row (*next)(struct rows *rows, struct row row);

	/*
	 * The number of child rows of @parent. Writes the child rows from index @from on to @out; returns their number.
	 */
	u32 (*nr)(struct rows *rows, struct row parent);
	u32 (*window)(struct rows *rows, struct row parent, u32 from, struct row *out, u32 nr);

	/* Are there child rows? Answers without making them. */
	bool (*foldable)(const struct rows *rows, struct row row);
	u64 (*key)(struct rows *rows, struct row row);

	void (*cell)(const struct rows *rows, struct row row, u32 column, u32 part,
		     struct cell *out);
	void (*text)(const struct rows *rows, struct row row, u32 column, u32 part, GString *out);

	/*
	 * The width in terminal columns of the widest text of a key column, over all rows, including the indentation of
	 * nested rows. It makes every text once, so it is for views that print all rows. NULL: no text is wider than
	 * the column's width.
	 */
	u32 (*widest)(const struct rows *rows, u32 column);

	/*
	 * The same rows for another thread, which may use them at the same time. The twin must be freed before @rows.
	 * NULL: only one thread may use the rows.
	 */
	struct rows *(*twin)(const struct rows *rows);

	/* For rows of kind ROW_CALLS and ROW_REST. NULL: there are no such rows. */
	void (*calls)(struct rows *rows, struct row row, struct rows_calls *out);
	/* The name of frame @i of a ROW_CALLS. */
	void (*frame)(struct rows *rows, struct row row, u32 i, GString *out);
};

/* @rows may be NULL. */
void rows_free(struct rows *rows);

/* The index of the column named @name, or -1. */
s32 rows_find_column(const struct rows *rows, const char *name);

#endif
