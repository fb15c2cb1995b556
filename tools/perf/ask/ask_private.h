/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the tools: one question while it is answered. */
#ifndef ASK_PRIVATE_H
#define ASK_PRIVATE_H

#include "ask/answer.h"
#include "ask/ask.h"
#include "fields/term.h"
#include "pages/explorer.h"
#include "report/one_report.h"

#define DEFAULT_KEYS "symbol"

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
/* Closes recordings if perf has more than a quarter of the machine's memory. */
void ask_close_if_large(struct ask *ask);

/* Samples that match @terms, which it takes over, by @keys. NULL with @error. */
struct explorer_answer *asking_explore(struct explorer *e, GArray *terms, const char *keys,
				       GError **error);
/* The page of argument "part" by its title, or the first one; -1: none. */
s32 asking_find_part(const struct asking *a, struct pages *pages);
/* Adds that page's rows, the remarks, and the titles of the others. Handles are of the recording that was asked about. */
bool asking_add_pages(struct asking *a, struct pages *pages, const struct answer_look *look,
		      GError **error);

bool tool_about(struct asking *a, GError **error);
bool tool_top(struct asking *a, GError **error);
bool tool_drill(struct asking *a, GError **error);
bool tool_why(struct asking *a, GError **error);
bool tool_compare(struct asking *a, GError **error);
bool tool_fields(struct asking *a, GError **error);
bool tool_code(struct asking *a, GError **error);
bool tool_derive(struct asking *a, GError **error);

#endif
