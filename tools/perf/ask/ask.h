/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions of programs about recordings. A question is a tool with named arguments in words; an answer is one JSON object within a
 * budget (answer.h). perf mcp and perf query ask in this way.
 *
 * Recordings are opened at the first question and stay open. What was read under some keys answers later questions about
 * parts of it (pages/explorer.h).
 */
#ifndef ASK_ASK_H
#define ASK_ASK_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

struct config;
struct report_options;
struct asking;

struct ask_argument {
	const char *name;
	bool of_all, is_number;
	const char *help;
};

struct ask_tool {
	const char *name, *title;
	const char *help;      /* for people and models: when to use it, and what it answers */
	const char *arguments; /* names with blanks, but for those that all tools have */
	/* Adds to asking->answer. False with @error. */
	bool (*run)(struct asking *asking, GError **error);
};

/* The tools; NULL past the end, or for another name. */
const struct ask_tool *ask_tool_at(u32 i);
const struct ask_tool *ask_tool_find(const char *name);
/* Argument @i of the tool; NULL past the end. */
const struct ask_argument *ask_tool_argument(const struct ask_tool *tool, u32 i);

struct ask_options {
	const struct config *config;
	/* How recordings are read: its members session, spans, types and code are used. */
	const struct report_options *reading;
	const GPtrArray *paths; /* const char *: the recordings, at least one */
};

struct ask;

/* @options must outlive it. Opens nothing. */
struct ask *ask_new(const struct ask_options *options);
void ask_free(struct ask *ask);

/*
 * Appends the answer to @out. @arguments: const char * by name. False with @error: PERF_ERROR_USAGE, an argument is
 * wrong; or the recording cannot be read, or lacks what is needed.
 */
bool ask_run(struct ask *ask, const struct ask_tool *tool, GHashTable *arguments, GString *out,
	     GError **error);

#endif
