/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answer of a command is pages: each has a title, notes and rows. A command makes them once (report_pages.h,
 * annotate_pages.h, ...), and all views show the same: stdio prints them, tui shows one at a time, json and csv write
 * them. So headings, warnings and hints are written in one place, and a view adds no facts of its own.
 *
 * Pages are opened one by one, because one may have many rows. Notes exist from the start, remarks after everything
 * was drawn.
 */
#ifndef PAGES_PAGE_H
#define PAGES_PAGE_H

#include "pages/base/rows.h"

enum note_kind {
	NOTE_FACT,    /* about the shown data: "Total Lost Samples: 0" */
	NOTE_HINT,    /* what to try next */
	NOTE_REMARK,  /* why there is less than expected, and what to do */
	NOTE_WARNING, /* why there is nothing */
	NOTE_ERROR,   /* the same, in upstream's words */
	NOTE_NR_KINDS,
};

/* Empty lines around it in printed notes. */
enum note_gap { GAP_NONE, GAP_BELOW, GAP_AROUND };

struct note {
	enum note_kind kind;
	enum note_gap gap;
	const char *name;  /* for programs: name of a fact: "lost_samples"; NULL: only text */
	struct cell value; /* value of the fact; CELL_TEXT: its text */
	char *words;
	char *text; /* for people; NULL: only for programs */
};

struct notes {
	GPtrArray *list; /* struct note * */
};

struct about;

struct page {
	char *title;	  /* "cpu-clock", "struct order": a word or two */
	const char *kind; /* kind of its rows; NULL: the kind of all pages */
	GPtrArray *parts; /* const char *: names of the parts of columns with several: the events */
	struct notes notes;
	struct rows *rows;
	void *own; /* the provider's, freed by free_own() */
	void (*free_own)(void *own);
	/* The subject of an entry (about.h); false: none. NULL: the page's rows have none. */
	bool (*about)(const struct page *page, struct row row, struct about *out);
};

struct pages;

struct pages_ops {
	/* Page @i, to be freed; NULL: none to show, notes or remarks say why. */
	struct page *(*open)(struct pages *pages, u32 i);
	/* Adds remarks after all pages were drawn; may be NULL. */
	void (*remark)(struct pages *pages, struct notes *remarks);
	void (*free)(struct pages *pages);
};

struct pages {
	const struct pages_ops *ops;
	const char *command; /* "report" */
	const char *kind;    /* of all pages: "profile", "type", "code", ... */
	struct notes notes;  /* above the pages */
	struct notes closing;
	GPtrArray *headers; /* struct notes *: the files' headers, if wanted */
	u32 nr;
};

void notes_init(struct notes *notes);
void notes_release(struct notes *notes);

/* A note of words for people. */
struct note *notes_add(struct notes *notes, enum note_kind kind, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Adds a fact @name for programs; its text may be set for people, too. */
struct note *notes_add_number(struct notes *notes, const char *name, enum cell_kind kind,
			      u64 number);
struct note *notes_add_words(struct notes *notes, const char *name, const char *words);
/* Changes the text of the fact of this name, which must exist. */
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

/* Initializes the common parts of pages; pages_release() is for pages_ops.free. */
void pages_init(struct pages *pages, const struct pages_ops *ops, const char *command,
		const char *kind);
void pages_release(struct pages *pages);
void pages_free(struct pages *pages);

/* Notes for one more file's header. */
struct notes *pages_add_header(struct pages *pages);

/* Adds what is to be said when all pages have been drawn. */
void pages_remark(struct pages *pages, struct notes *remarks);
/* The same, without those that @remarks has already: several pages may be of the same recording. */
void pages_remark_new(struct pages *pages, struct notes *remarks);

#endif
