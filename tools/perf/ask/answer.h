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
	GPtrArray *rows; /* char *: those that may fit */
	size_t rows_size;
	bool has_rows, full;
	u64 nr_rows;	  /* all */
	char *share_name; /* of the column whose sum is told; NULL: none */
	GArray *shares;	  /* double: of the rows that may fit; below 0: it is part of another row */
	double share;	  /* of all rows */
	GPtrArray *notes, *next; /* char *: JSON */
};

/* How rows are written. */
struct answer_look {
	const char *within; /* handle of all rows; NULL: all samples */
	/* Names of columns whose texts are conditions of a row's handle; ends in NULL. NULL: rows have no handle. */
	const char *const *keys;
	bool skip_zero; /* leave out rows with a share of 0 */
	bool by_share;	/* the largest share first, and no levels */
};

void answer_init(struct answer *a, const char *tool, const struct budget *budget);
void answer_release(struct answer *a);

/* Adds the title, facts and rows of the page. */
void answer_page(struct answer *a, const struct page *page, const struct answer_look *look);
/* Adds the facts as members. */
void answer_facts(struct answer *a, const struct notes *notes);
/* Adds notes for people: remarks, warnings and errors. */
void answer_notes(struct answer *a, const struct notes *notes);
void answer_note(struct answer *a, const char *text);
/* Adds what may be asked next: "drill", "handle", TEXT. */
void answer_next(struct answer *a, const char *tool, const char *argument, const char *text);
/* The handle of the first row, or NULL. */
char *answer_first_handle(const struct page *page, const struct answer_look *look);

/* Writes the answer. False with @error: even the facts do not fit. */
bool answer_end(struct answer *a, GString *out, GError **error);

#endif
