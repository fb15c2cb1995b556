/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which form do people and programs get pages? One row per view in views.c: its word for --format and
 * the function that draws pages. A command that takes --format has every view at once.
 */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include <stdio.h>

#include "base/error.h"
#include "pages/page.h"

/* The form of values in layouts that show only one. */
enum view_values { VIEW_PERCENT, VIEW_PERIOD, VIEW_SAMPLES };

/* For text; views for programs ignore these. */
struct view_options {
	const char *separator; /* -t: between cells, and nothing aligned; NULL = columns */
	const char *widths;    /* -w: "5,,10", column by column */
	bool colour;
	bool quiet; /* no titles, no notes, no remarks */
	/* Of pages of annotate. */
	enum view_values values;
	bool no_source, full_paths, print_lines, raw_bytes;
	bool layout;  /* show types with reads, writes and cache lines */
	FILE *beside; /* stream for remarks outside of the output */
	u32 threads;  /* that print rows; 0: one */
	u32 columns;  /* width of the terminal, for fitting; 0: unknown */
};

/* Writes rows one by one into text that the caller writes. */
struct view_stream {
	void *(*open)(struct rows *rows);
	/* What stands before the first row. */
	void (*begin)(void *stream, const char *command, const char *kind, GString *out);
	void (*row)(void *stream, struct row row, GString *out);
	void (*close)(void *stream);
};

struct view {
	const char *name;
	bool is_text; /* for people: a file's header and other output may come before it */
	/*
	 * Draws all pages and remarks to @out. False with @error for options that it cannot satisfy.
	 */
	bool (*print)(struct pages *pages, const struct view_options *options, FILE *out,
		      GError **error);
	const struct view_stream *stream; /* NULL: none */
};

/* Finds a view by its name; NULL with an error that lists them. */
const struct view *view_find(const char *name, GError **error);

/* "stdio json csv". g_free(). */
char *view_names(void);

/* The one for people. */
extern const struct view view_stdio;

#endif
