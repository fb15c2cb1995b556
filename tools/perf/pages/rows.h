/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is there to show? Rows of typed cells under columns, each row with rows below it that a
 * view may unfold: the levels of a hierarchy, the call tree of an entry, the instructions of a
 * source line. A provider (hist_rows, code_rows, ...) makes rows and knows no view; a view
 * (stdio, tui, json, ...) shows all of them, a window, or writes them out, and knows no provider.
 *
 * Nothing is made before it is asked for: opening rows formats and measures nothing, row_foldable
 * does not make what is below, and texts are appended for the cells that are shown.
 *
 * A struct row is a small value; it stays good as long as the rows do. What a row *is* says its
 * key, which stays the same when the rows are sorted anew or made again from the same data: a view
 * keeps its cursor and what is unfolded by key.
 */
#ifndef PAGES_ROWS_H
#define PAGES_ROWS_H

#include <glib.h>

#include "base/types.h"
#include "fields/cell.h"

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
	const char *name;  /* for machines: "overhead", "symbol" */
	const char *title; /* for people: "Overhead", "Symbol" */
	const char *unit;  /* of a count: "samples"; NULL: the kind's own, or none */
	enum cell_kind kind;
	u32 width;	  /* least width for a text of one part; the title's counts besides */
	u32 nr_parts;	  /* cells side by side under one title: the events of a group */
	u32 level;	  /* of a hierarchy whose cells it holds */
	bool value;	  /* numbers, right-aligned, a blank before each part; else a key */
	bool right;	  /* a key aligned to the right */
	bool right_title; /* so is its title */
	bool loose;	  /* not padded where it is the last of a line */
	bool tree;	  /* names of nested rows: four columns a level in front, for lines */
};

struct rows_calls {
	u32 nr_frames;
	u64 period;  /* with all below */
	u64 samples; /* the same */
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
	u32 max_calls;	    /* siblings of a call tree to print; 0 = all */
	bool sparse;	    /* rows are of several kinds, each with columns of its own */
	bool nested;	    /* entries have entries below them, in columns of the same kind */
	bool callers_first; /* of the frames of a call tree */
	bool skip_symbol;   /* the row's own symbol is its first column: trees start behind it */
	double least;	    /* percent: entries below are left out */
};

/* What a provider fills in. All are there but those that say so. */
struct rows_ops {
	void (*column)(const struct rows *rows, u32 column, struct rows_column *out);
	void (*free)(struct rows *rows);

	/* The first row below @parent, the row after @row: kind ROW_NONE when there is none. */
	struct row (*first)(struct rows *rows, struct row parent);
	struct row (*next)(struct rows *rows, struct row row);

	/* How many rows are below @parent; rows @from on of them into @out, returns how many. */
	u32 (*nr)(struct rows *rows, struct row parent);
	u32 (*window)(struct rows *rows, struct row parent, u32 from, struct row *out, u32 nr);

	/* Whether there are rows below, found out without making them. */
	bool (*foldable)(const struct rows *rows, struct row row);
	u64 (*key)(struct rows *rows, struct row row);

	void (*cell)(const struct rows *rows, struct row row, u32 column, u32 part,
		     struct cell *out);
	void (*text)(const struct rows *rows, struct row row, u32 column, u32 part, GString *out);

	/*
	 * Columns of a terminal that the widest text of a key column takes, over all rows: makes
	 * every text once, so it is for views that print them all. With the columns in front of
	 * nested rows. NULL: no more than its width.
	 */
	u32 (*widest)(const struct rows *rows, u32 column);

	/*
	 * The same rows for one more thread, which may ask them while others ask these; to be freed
	 * first. NULL: they are one thread's alone.
	 */
	struct rows *(*twin)(const struct rows *rows);

	/* Of rows of kind ROW_CALLS and ROW_REST; NULL where there are none. */
	void (*calls)(struct rows *rows, struct row row, struct rows_calls *out);
	/* The name of frame @i of a ROW_CALLS. */
	void (*frame)(struct rows *rows, struct row row, u32 i, GString *out);
};

/* NULL is fine. */
void rows_free(struct rows *rows);

/* The index of the column of that name, or -1. */
s32 rows_find_column(const struct rows *rows, const char *name);

#endif
