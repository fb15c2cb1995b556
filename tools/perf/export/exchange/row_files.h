/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of the tables. In a folder, each table has a folder of its own, in which each conversion adds a file:
 *
 *	DIR/samples/1f0a94c2d3b17e58.parquet	named by the number of the push
 *	DIR/stacks/1f0a94c2d3b17e58.parquet
 *
 * A file is written under another name and renamed at the end. So readers see whole files only, and converting a recording
 * again replaces what it has there.
 */
#ifndef EXPORT_EXCHANGE_ROW_FILES_H
#define EXPORT_EXCHANGE_ROW_FILES_H

#include <stdio.h>

#include "base/error.h"
#include "export/exchange/row_tables.h"

struct crew;
struct intern;

/* A columnar format. */
struct row_writer {
	const char *suffix; /* ".parquet" */
	/* @arg: that of the output. */
	void *(*open)(FILE *out, struct crew *crew, const struct row_table_spec *table, void *arg);
	/* May change @rows, which are removed afterwards. */
	void (*write)(void *writer, struct rowset *rows);
	void (*finish)(void *writer);
	void (*free)(void *writer);
};

/* Where rows go. */
struct row_output {
	const struct row_writer *writer;
	void *arg;	     /* of the writer */
	enum row_table only; /* the one table that is written; NR_ROW_TABLES: all */
	FILE *out;	     /* all of them are written there; NULL: below @folder, which is made */
	const char *folder;
};

struct row_files;

/* NULL with @error: a file cannot be made. */
struct row_files *row_files_new(const struct row_output *output, const struct intern *texts,
				GError **error);
/* Removes files that were not finished. */
void row_files_free(struct row_files *files);

/* The rows of a table that are not written yet. NULL: the table is not wanted. */
struct rowset *row_files_rows(struct row_files *files, enum row_table table);

/* Ends the row that is being filled, and writes the rows if they are as many as a row group has. */
void row_files_end_row(struct row_files *files, enum row_table table);

/* Writes the rows of a table that are not written yet. */
void row_files_flush(struct row_files *files, enum row_table table);

/* Writes what is left. @name: of the files, without suffix. False with @error: they could not be written. */
bool row_files_finish(struct row_files *files, const char *name, GError **error);

#endif
