/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the event parser share: the text with a mark under the bad place, one
 * event's modifiers, the terms between the slashes. For parse.c, terms.c and modifiers.c only.
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

/* The same with the nearest of @names to @word at its end. */
bool parser_fail_word(struct parser *p, const char *at, const char *what, const char *word,
		      const GPtrArray *names);

/* A whole number by C's prefixes that is all of @text. */
bool number_parse(const char *text, u64 *value);

/* How often each letter stands in a run of modifiers. */
struct modifiers {
	const char *text;
	size_t len;
};

/* Are these all letters of modifiers, none too often? *bad is the first that is not. */
bool modifiers_check(const char *text, size_t len, const char **bad);
void modifiers_apply(const struct modifiers *m, struct event_spec *spec, bool to_group);

/* The end of the terms that start at @at: the closing slash, or NULL. */
const char *terms_end(const char *at);

/* Applies the terms in [@from, @to): @pmu NULL for an event that a plain name gave. */
bool terms_apply(struct parser *p, const char *from, const char *to, const struct pmu *pmu,
		 bool hybrid, struct event_spec *spec);

#endif
