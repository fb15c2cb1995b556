/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output formats of pages. views.c has one row per format: its name for --format, and the function that prints
 * pages. Each command with --format has all of them.
 */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include <stdio.h>

#include "base/error.h"
#include "pages/base/page.h"

/* The form of values, if a layout shows only one. */
enum view_values { VIEW_PERCENT, VIEW_PERIOD, VIEW_SAMPLES };

/* For text formats; formats for programs ignore these. */
struct view_options {
	const char *separator; /* -t: between cells, which are not aligned; NULL: aligned */
	const char *widths;    /* -w: "5,,10", column by column */
	bool colour;
	bool quiet; /* no titles, notes or remarks */
	/* For pages of annotate. */
	enum view_values values;
	bool no_source, full_paths, print_lines, raw_bytes;
	bool sampled; /* code: also the samples that name each instruction */
	bool layout;  /* show types with reads, writes and cache lines */
	FILE *beside; /* stream for remarks that are not part of the output */
	u32 threads;  /* number of threads that print rows; 0: one */
	u32 columns;  /* width of the terminal, for fitting; 0: unknown */
};

/*
 * Writes rows one by one, as bytes that the caller writes out:
 *
 *	begin, row row row ..., end
 *
 * Several threads may write rows, each with a stream of its own; the caller puts their bytes in order. begin() and end() are
 * called once, with any of the streams.
 */
struct view_stream {
	void *(*open)(struct rows *rows);
	/* What stands before the first row. */
	void (*begin)(void *stream, const char *command, const char *kind, GString *out);
	void (*row)(void *stream, struct row row, GString *out);
	/* What stands behind @nr rows, the last one; NULL: nothing. */
	void (*end)(void *stream, u64 nr, GString *out);
	void (*close)(void *stream);
};

struct view {
	const char *name;
	bool is_text; /* for people: a file header and other text may come before it */
	/* Prints all pages and remarks to @out. False with @error: an option cannot be satisfied. */
	bool (*print)(struct pages *pages, const struct view_options *options, FILE *out,
		      GError **error);
	const struct view_stream *stream; /* NULL: none */
};

/* Finds a format by its name. NULL with an error that lists all names. */
const struct view *view_find(const char *name, GError **error);

/* "stdio json csv". Free with g_free(). */
char *view_names(void);

/* The format for people. */
extern const struct view view_stdio;

#endif
