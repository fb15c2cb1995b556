/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An answer as one JSON object that fits a budget of rows and bytes. What does not fit is left out from its end, counted, and
 * its share is told:
 *
 *	{"tool":"top", FACTS, "rows":[...], "left_out":{"rows":12,"overhead":3.1}, "notes":[...], "next":[...]}
 *
 * The facts must fit. Notes get at most a quarter of what is left, and rows the rest.
 */
#ifndef ASK_ANSWER_H
#define ASK_ANSWER_H

#include "base/error.h"
#include "base/json_out.h"
#include "pages/base/page.h"

#define BUDGET_ROWS	 20
#define BUDGET_BYTES	 8192
#define BUDGET_MIN_BYTES 512
#define BUDGET_MAX_BYTES (1u << 20)
#define BUDGET_MAX_ROWS	 10000

struct budget {
	u32 rows, bytes;
};

struct answer {
	struct budget budget;
	struct json_out facts; /* members of the answer before its rows; the user adds to it */
	/* Of the rows. */
	bool has_rows;
	GPtrArray *rows; /* char *: those that may fit */
	size_t rows_size;
	u64 nr_rows;	  /* all */
	char *share_name; /* of the column whose sum is told; NULL: none */
	GArray *shares;	  /* double: of the rows that may fit; 0: it is part of another row's */
	double share;	  /* of all rows */
	GPtrArray *notes, *next; /* char *: JSON */
};

/* How rows are written. */
struct answer_look {
	const char *within; /* handle of all rows; NULL: all samples */
	const char *file;   /* the recording that handles are of; NULL: the first */
	const char *part;   /* the page that they are of; NULL: the first */
	/* const char *: columns whose texts are conditions of a row's handle. NULL: rows have no handle. */
	const GPtrArray *keys;
	bool skip_zero; /* leave out rows with a share of 0 */
	bool by_share;	/* the largest share first, and no levels */
	/* The percentages of rows that are certain, by handle, double *: the largest first, as "certain". NULL: all are. */
	GHashTable *certain;
};

void answer_init(struct answer *a, const char *tool, const struct budget *budget);
void answer_release(struct answer *a);

/* Adds the title, facts and rows of the page, and that its first row may be asked about next. */
void answer_page(struct answer *a, const struct page *page, const struct answer_look *look);
/* Adds notes for people: remarks, warnings and errors. */
void answer_notes(struct answer *a, const struct notes *notes);
void answer_note(struct answer *a, const char *text);
/* Adds what may be asked next: "drill", "handle", TEXT; of the recording and part of @look, which may be NULL. */
void answer_next(struct answer *a, const char *tool, const char *argument, const char *text,
		 const struct answer_look *look);

/* The handle of a row; NULL: it has none. To be freed. */
char *answer_handle(struct rows *rows, struct row row, const struct answer_look *look);
/* A percentage of the row in its first column of shares, in percent; 0: there is none. */
double answer_share(struct rows *rows, struct row row);

/* Writes the answer. False with @error: even the facts do not fit. */
bool answer_end(struct answer *a, GString *out, GError **error);

#endif
