/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a command answer? Pages: each has a title, notes and rows. A command makes them once
 * (report_pages.h, annotate_pages.h, ...), and every view draws the same: stdio prints them, tui
 * shows one at a time, json and csv write them. So a heading, a warning and a hint what to do next are
 * said in one place, and a view adds no facts of its own.
 *
 * Pages are opened one by one, since the rows of one may be many; notes are there from the start,
 * remarks when all has been drawn.
 */
#ifndef PAGES_PAGE_H
#define PAGES_PAGE_H

#include "pages/rows.h"

enum note_kind {
	NOTE_FACT,    /* about what is shown: "Total Lost Samples: 0" */
	NOTE_HINT,    /* what to try next */
	NOTE_REMARK,  /* why there is less than hoped, and what to do */
	NOTE_WARNING, /* why there is nothing */
	NOTE_ERROR,   /* the same, in upstream's words */
	NOTE_NR_KINDS,
};

/* Which empty lines set it off where notes are printed. */
enum note_gap { GAP_NONE, GAP_BELOW, GAP_AROUND };

struct note {
	enum note_kind kind;
	enum note_gap gap;
	const char *name;  /* for machines, of a fact: "lost_samples"; NULL: it is text alone */
	struct cell value; /* of the fact; CELL_TEXT: its words are */
	char *words;
	char *text; /* for people; a fact without is for machines alone */
};

struct notes {
	GPtrArray *list; /* struct note * */
};

struct about;

struct page {
	char *title;	  /* "cpu-clock", "struct order": a word or two */
	const char *kind; /* of its rows; NULL: what all pages are */
	GPtrArray *parts; /* const char *: of columns with several parts, the events */
	struct notes notes;
	struct rows *rows;
	void *own; /* the provider's, freed by free_own() */
	void (*free_own)(void *own);
	/* What an entry is about (about.h); false: nothing. NULL: rows of this page never are. */
	bool (*about)(const struct page *page, struct row row, struct about *out);
};

struct pages;

struct pages_ops {
	/* Page @i, to be freed; NULL: there is none to show, as notes or remarks say. */
	struct page *(*open)(struct pages *pages, u32 i);
	/* Adds what is to be said when all pages have been drawn; may be NULL. */
	void (*remark)(struct pages *pages, struct notes *remarks);
	void (*free)(struct pages *pages);
};

struct pages {
	const struct pages_ops *ops;
	const char *command; /* "report" */
	const char *kind;    /* of all pages: "profile", "type", "code", ... */
	struct notes notes;  /* above the pages */
	struct notes closing;
	GPtrArray *headers; /* struct notes *: what the files' headers say, where it is wanted */
	u32 nr;
};

void notes_init(struct notes *notes);
void notes_release(struct notes *notes);

/* A note of words for people. */
struct note *notes_add(struct notes *notes, enum note_kind kind, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* A fact of that @name, for machines; its text may be set, for people too. */
struct note *notes_add_number(struct notes *notes, const char *name, enum cell_kind kind,
			      u64 number);
struct note *notes_add_words(struct notes *notes, const char *name, const char *words);
/* Other words for the fact of that name, which is there. */
void notes_set_words(struct notes *notes, const char *name, const char *words);
/* Sets what people read of it. */
void note_set_text(struct note *note, enum note_gap gap, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* The fact of that name, or NULL. */
const struct note *notes_find(const struct notes *notes, const char *name);

static inline const struct note *notes_at(const struct notes *notes, u32 i)
{
	return g_ptr_array_index(notes->list, i);
}

/* "fact", "hint", ... */
const char *note_kind_name(enum note_kind kind);

/* With empty notes and parts. */
struct page *page_new(char *title);
void page_free(struct page *page);

/* Sets up what all pages have; pages_release() is for pages_ops.free. */
void pages_init(struct pages *pages, const struct pages_ops *ops, const char *command,
		const char *kind);
void pages_release(struct pages *pages);
void pages_free(struct pages *pages);

/* Facts of one more file's header, to be added to. */
struct notes *pages_add_header(struct pages *pages);

/* Adds what is to be said when all pages have been drawn. */
void pages_remark(struct pages *pages, struct notes *remarks);

#endif
