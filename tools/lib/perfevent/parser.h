/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of the event parser: error messages, modifiers, and terms. Only for parse.c, parser.c, terms.c
 * and modifiers.c.
 */
#ifndef PERFEVENT_PARSER_H
#define PERFEVENT_PARSER_H

#include "base/error.h"
#include "perfevent/paths.h"
#include "perfevent/pmu.h"
#include "perfevent/spec.h"

struct parser {
	const struct kernel_paths *paths;
	const char *text; /* all of -e's argument */
	const char *at;	  /* the next character */
	struct event_list *list;
	GError **error;
};

/* Sets the error with the text and a mark under @at; returns false. */
bool parser_fail(struct parser *p, const char *at, enum perf_error code, const char *fmt, ...)
	G_GNUC_PRINTF(4, 5);

/* The same, and the message ends with the one of @names that is most similar to @word. */
bool parser_fail_word(struct parser *p, const char *at, const char *what, const char *word,
		      const GPtrArray *names);

/* Parses all of @text as an integer with C's prefixes (0x, 0). */
bool number_parse(const char *text, u64 *value);

/* The number of times that each letter is in a string of modifiers. */
struct modifiers {
	const char *text;
	size_t len;
};

/* Are all letters modifiers, and none repeated too often? If not, *bad is the first wrong one. */
bool modifiers_check(const char *text, size_t len, const char **bad);
void modifiers_apply(const struct modifiers *m, struct event_spec *spec, bool to_group);

/* The end of the terms that start at @at: the closing slash, or NULL. */
const char *terms_end(const char *at);

/* Applies the terms in [@from, @to). @pmu is NULL for events with a plain name. */
bool terms_apply(struct parser *p, const char *from, const char *to, const struct pmu *pmu,
		 bool hybrid, struct event_spec *spec);

#endif
