/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is there to show? Rows of cells under columns, each row with rows below it that a
 * view may unfold: the levels of a hierarchy, the call tree of an entry. A view walks them
 * with first and next and shows all (stdio), a window (tui) or writes them out (html); it
 * knows nothing of hists and fields, and whoever provides rows knows nothing of views.
 *
 * A struct row is a small value; it stays good as long as the rows do. Texts of calls
 * live until the next call.
 */
#ifndef VIEW_ROWS_H
#define VIEW_ROWS_H

#include <glib.h>

#include "base/types.h"

enum row_kind {
	ROW_NONE,  /* past the last one; as a parent: the rows of the first level */
	ROW_ENTRY, /* has cells */
	ROW_CALLS, /* a run of frames of a call tree */
	ROW_REST,  /* what was cut from a call tree: a value without frames */
};

struct row {
	enum row_kind kind;
	u32 level; /* of entries: depth in a hierarchy; of calls: depth in the tree */
	u32 entry; /* the provider's */
	u32 node;  /* the provider's */
};

struct rows_column {
	const char *title;
	u32 width;	  /* that all texts and the title fit in; of one part */
	u32 nr_parts;	  /* cells side by side under one title: the events of a group */
	u32 level;	  /* of a hierarchy whose cells it holds */
	bool value;	  /* numbers, right-aligned, a blank before each part; else a key */
	bool right;	  /* a key aligned to the right */
	bool right_title; /* so is its title */
	bool loose;	  /* not padded where it is the last of a line */
};

struct rows_calls {
	u32 nr_frames;
	u64 period; /* with all below */
	char value
		[32]; /* "12.34%", or the count, or the period; what it is of as the options say */
	double percent; /* for colours; -1 where the value is none */
	bool all;	/* it is the whole of what its parent has, so the value says nothing */
};

enum rows_calls_look { CALLS_GRAPH, CALLS_FLAT, CALLS_FOLDED };

struct rows {
	const struct rows_ops *ops;
	u32 nr_columns;
	u32 nr_levels; /* > 1: a hierarchy */
	enum rows_calls_look look;
	u32 max_calls;	  /* siblings of a call tree to print; 0 = all */
	bool nested;	  /* entries have entries below them, in columns of the same kind */
	bool skip_symbol; /* the row's own symbol is its first column: trees start behind it */
	double least;	  /* percent: entries below are left out */
};

struct rows_ops {
	void (*column)(const struct rows *rows, u32 column, struct rows_column *out);

	/* The first row below @parent, the row after @row: kind ROW_NONE when there is none. */
	struct row (*first)(struct rows *rows, struct row parent);
	struct row (*next)(struct rows *rows, struct row row);

	/*
	 * Appends a cell's text. Returns its percentage where it is one, for colours, else -1.
	 */
	double (*cell)(const struct rows *rows, struct row row, u32 column, u32 part, GString *out);
	void (*calls)(struct rows *rows, struct row row, struct rows_calls *out);
	/* The name of frame @i of a ROW_CALLS. */
	void (*frame)(struct rows *rows, struct row row, u32 i, GString *out);
};

#endif
