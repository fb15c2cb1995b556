/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the tools: one question while it is answered. */
#ifndef ASK_PRIVATE_H
#define ASK_PRIVATE_H

#include "ask/answer.h"
#include "ask/ask.h"
#include "fields/term.h"
#include "pages/explorer.h"
#include "report/one_report.h"

/* A recording, opened at the first question about it. */
struct ask_file {
	const char *path;
	bool is_open;
	struct report_options options;
	struct session *session;
	struct report report; /* settled */
	struct explorer *explorer;
};

struct asking {
	struct ask *ask;
	struct ask_file *file;
	GHashTable *arguments; /* const char * by name */
	GArray *terms;	       /* struct term: of the argument where, or of the handle */
	const char *within;    /* that text; NULL: all samples */
	struct answer answer;
};

/* NULL: not given, or empty. */
const char *asking_argument(const struct asking *a, const char *name);

/* The recording @name: a path of the command line, or the end of one; opened. NULL with @error. */
struct ask_file *ask_file_named(struct ask *ask, const char *name, GError **error);
const GPtrArray *ask_files(const struct ask *ask); /* struct ask_file * */
/* Closes recordings if perf has more memory than it should. */
void ask_close_if_large(struct ask *ask);

/* Page argument "part" of @pages, by its title; the first one. Adds its rows, the remarks, and the titles of the others. */
bool asking_add_pages(struct asking *a, struct pages *pages, const struct answer_look *look,
		      GError **error);

extern const struct ask_argument ask_arg_keys, ask_arg_where, ask_arg_handle, ask_arg_span,
	ask_arg_slowest, ask_arg_with, ask_arg_type, ask_arg_field, ask_arg_symbol, ask_arg_place,
	ask_arg_part;

bool tool_about(struct asking *a, GError **error);
bool tool_top(struct asking *a, GError **error);
bool tool_drill(struct asking *a, GError **error);
bool tool_why(struct asking *a, GError **error);
bool tool_compare(struct asking *a, GError **error);
bool tool_fields(struct asking *a, GError **error);
bool tool_code(struct asking *a, GError **error);
bool tool_derive(struct asking *a, GError **error);

#endif
