/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries of perf report's browser, one after the other: a profile under other keys, sorted by another column, for a
 * part of the samples. They return the pages of perf report without reading the file each time.
 *
 * A zoom is a list of terms. A term is a field of the vocabulary and the key that samples must have: span = cancel,
 * dso = libc.so.6, type = struct order. The explorer keeps one wide profile whose rows have all keys used so far, and
 * projects it for each answer (hist/project.h). If a query needs a new key, the samples are read again, once, with
 * this key added. The same terms are passed to the annotator (annotator.h) for pages of code and types.
 *
 * There are two kinds: of a profile, as above (explorer_new()), and of a comparison, which asks an explorer of each of its
 * recordings (compared.h). The browser asks both in the same way.
 */
#ifndef PAGES_EXPLORER_H
#define PAGES_EXPLORER_H

#include "fields/columns.h"
#include "pages/code/annotator.h"
#include "pages/report/report_pages.h"

struct progress_watch;

struct explorer_options {
	struct session *session;
	struct lexicon *lexicon;
	struct columns_options columns;	   /* of the first question */
	struct profile_options profile;	   /* without columns */
	struct report_pages_options pages; /* likewise */
	/*
	 * Fills a profile with the samples of a running recording so far; new ones go to explorer_profile(). NULL:
	 * use all samples of the session.
	 */
	bool (*read)(void *arg, struct profile *profile, GError **error);
	void *read_arg;
};

struct explorer_question {
	GArray *terms;	  /* struct term: all must match */
	char *sort;	  /* keys in the form of -s; NULL: the initial ones */
	char *first;	  /* name of the column to sort by; NULL: the initial one */
	bool no_children; /* --no-children, whatever the command line says */
	bool tree;	  /* spans below the spans around them */
	bool hierarchy, relative;
	double least;
	u32 member; /* event of the group to sort by */
};

/* The initial query of the command line, and a copy of @from. */
void explorer_question_init(struct explorer_question *q, const struct explorer_options *options);
void explorer_question_copy(struct explorer_question *q, const struct explorer_question *from);
void explorer_question_release(struct explorer_question *q);
/* Takes over the texts of @term. */
void explorer_question_add(struct explorer_question *q, const struct term *term);
/* True if @q has an equal term already. */
bool explorer_question_has(const struct explorer_question *q, const struct term *term);
void explorer_question_set_sort(struct explorer_question *q, const char *sort);

struct explorer;
struct explorer_answer;

/* Reads nothing. The objects in @options are copied, or must outlive the explorer. */
struct explorer *explorer_new(const struct explorer_options *options);
/* When all answers have been freed. */
void explorer_free(struct explorer *e);

/* The explorers of the recordings of a comparison, the old side first; 0 and none: it is of a profile. */
u32 explorer_nr_parts(const struct explorer *e);
struct explorer *explorer_part(const struct explorer *e, u32 i);

const struct explorer_options *explorer_options(const struct explorer *e);
/* Gets the progress of reading, and may stop it: the query fails with PERF_ERROR_STOPPED. */
void explorer_set_watch(struct explorer *e, const struct progress_watch *watch);

/* The profile behind the answers, to be fed with new samples; NULL: no query yet. Not of a comparison. */
struct profile *explorer_profile(const struct explorer *e);

/* Adds the key to the next reading, for later queries. */
void explorer_want(struct explorer *e, const char *key);

/* NULL with @error: invalid keys, the samples cannot be read (again), or it was stopped. */
struct explorer_answer *explorer_ask(struct explorer *e, const struct explorer_question *q,
				     GError **error);
void explorer_answer_free(struct explorer_answer *a);

/* The answer's pages, one per event. Free opened pages before the answer. */
struct pages *explorer_pages(const struct explorer_answer *a);
/* The column by which the rows of an opened page are sorted. */
s32 explorer_sorted_column(const struct explorer_answer *a, const struct page *page);

/*
 * Changes the page to what a query with these would return, without summing or sorting again. @page is one of @a's.
 * False: the explorer must be asked again.
 */
bool explorer_look(struct explorer_answer *a, struct page *page, bool relative, double least);

/*
 * Number of samples of page @i, and of all; those with an activity and a type; -1: no column needs it.
 */
struct explorer_status {
	u64 shown, all;
	double activity, type;
	u64 old;	 /* of a comparison: samples of the old side; @all is of the new sides */
	u32 certain, nr; /* ... rows with a difference that is certain, of all rows */
};
struct explorer_status explorer_status(const struct explorer_answer *a, u32 page);

/*
 * The row, an entry of @page, as a term of @field ("dso", "span", "type") for explorer_question_add(); false: the row
 * has no such value.
 */
bool explorer_term_of(const struct explorer_answer *a, const struct page *page, struct row row,
		      const char *field, struct term *out);

/* Names of the keys of @a's rows, also hidden ones: const char *, to be unreffed. */
GPtrArray *explorer_keys(const struct explorer_answer *a);

/* The same for a row of an activity tree: its span and all spans below it. */
bool explorer_path_of(const struct explorer_answer *a, const struct page *page, struct row row,
		      struct term *out);

#endif
