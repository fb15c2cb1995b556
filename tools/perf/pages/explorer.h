/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can a person ask of a recording, one question after the other? A profile under other keys,
 * sorted by another column, of a part of the samples: the pages of perf report again and again,
 * without the file being read each time.
 *
 * A zoom is a list of terms, each of which is a field of the vocabulary and the key that samples must
 * have: span = cancel, dso = libc.so.6, type = struct order. The explorer keeps one wide profile, whose
 * rows have all keys that were asked for so far, and answers by projecting it (hist/project.h). If a
 * question needs a key that it lacks, the samples are read again, once, with that key added. The same
 * terms go to the annotator (annotator.h) for pages of code and types.
 */
#ifndef PAGES_EXPLORER_H
#define PAGES_EXPLORER_H

#include "fields/columns.h"
#include "pages/annotator.h"
#include "pages/report_pages.h"

struct progress_watch;

struct explorer_options {
	struct session *session;
	struct lexicon *lexicon;
	struct columns_options columns;	   /* of the first question */
	struct profile_options profile;	   /* without columns */
	struct report_pages_options pages; /* likewise */
	/*
	 * Fills a profile with the samples so far of a recording that goes on; those that come are for
	 * explorer_profile(). NULL: with all samples of the session.
	 */
	bool (*read)(void *arg, struct profile *profile, GError **error);
	void *read_arg;
};

struct explorer_term {
	const struct field *field;
	u64 key;
	char *part; /* text that the key contains, instead of the key; NULL: the key */
	bool below; /* a path of spans, and all below it */
	char *text; /* what it is called: "span cancel" */
};

struct explorer_question {
	GArray *terms;	  /* struct explorer_term: all must hold */
	char *sort;	  /* keys, as -s has them; NULL: those of the start */
	char *first;	  /* the column to sort by, by its name; NULL: as -s and the start say */
	bool no_children; /* callers are not charged, whatever the command line says */
	bool tree;	  /* spans below the spans around them */
	bool hierarchy, relative;
	double least;
	u32 member; /* event of the group to sort by */
};

/* That of the command line, and one like @from. */
void explorer_question_init(struct explorer_question *q, const struct explorer_options *options);
void explorer_question_copy(struct explorer_question *q, const struct explorer_question *from);
void explorer_question_release(struct explorer_question *q);
/* Takes over the texts of @term. */
void explorer_question_add(struct explorer_question *q, const struct explorer_term *term);
void explorer_question_set_sort(struct explorer_question *q, const char *sort);

struct explorer;
struct explorer_answer;

/* Reads nothing. What @options points to is copied or stays the caller's. */
struct explorer *explorer_new(const struct explorer_options *options);
/* When all answers have been freed. */
void explorer_free(struct explorer *e);

const struct explorer_options *explorer_options(const struct explorer *e);
/* Is told how far reading is, and may end it: the question fails with PERF_ERROR_STOPPED. */
void explorer_set_watch(struct explorer *e, const struct progress_watch *watch);

/* What answers are made of, to be fed with samples that come; NULL: nothing has been asked yet. */
struct profile *explorer_profile(const struct explorer *e);

/* The next reading brings that key, too: for questions that will follow. */
void explorer_want(struct explorer *e, const char *key);

/* NULL with @error: the keys are none, the samples cannot be read (again), it was stopped. */
struct explorer_answer *explorer_ask(struct explorer *e, const struct explorer_question *q,
				     GError **error);
void explorer_answer_free(struct explorer_answer *a);

/* The answer's, one per event; a page that was opened is to be freed before the answer. */
struct pages *explorer_pages(const struct explorer_answer *a);
/* The column that rows are sorted by, of an opened page. */
s32 explorer_sorted_column(const struct explorer_answer *a, const struct page *page);

/* As a question with these would be answered: nothing is added up or sorted again. @page is one of @a's. */
void explorer_look(struct explorer_answer *a, struct page *page, bool relative, double least);

/* Samples that page @i shows, of how many; how many have an activity and a type, -1: not asked. */
struct explorer_status {
	u64 shown, all;
	double activity, type;
};
struct explorer_status explorer_status(const struct explorer_answer *a, u32 page);

/*
 * The term that the row, an entry of @page, stands for in @field ("dso", "span", "type"); false: the row
 * says nothing of it. To be given to explorer_question_add().
 */
bool explorer_term_of(const struct explorer_answer *a, const struct page *page, struct row row,
		      const char *field, struct explorer_term *out);
void explorer_term_release(struct explorer_term *term);

/* Names of the keys of @a's rows, whether shown or not: const char *, to be unreffed. */
GPtrArray *explorer_keys(const struct explorer_answer *a);

/* The same for a row of an activity tree: its span, and all below it. */
bool explorer_path_of(const struct explorer_answer *a, const struct page *page, struct row row,
		      struct explorer_term *out);

/* What @q asks about as an annotator takes it. */
struct annotation_key *explorer_annotation_keys(const struct explorer_question *q, u32 *nr);
void explorer_annotation_keys_free(struct annotation_key *keys, u32 nr);

#endif
