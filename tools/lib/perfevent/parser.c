// SPDX-License-Identifier: GPL-2.0-or-later
/* Error messages of the parser: the text, a mark under the error, and an explanation. */
#include "perfevent/parser.h"

#include <stdarg.h>
#include <string.h>

#include "perfevent/names.h"

#define MOST_SHOWN 60 /* characters of a text in a message */

/* The text for the message. A long one is cut before @at and starts with "..". out: *column, the column of @at. */
static char *shown_text(const struct parser *p, const char *at, u32 *column)
{
	size_t len = strlen(p->text), pos = at - p->text;
	size_t from = pos > MOST_SHOWN / 2 && len > MOST_SHOWN ? pos - MOST_SHOWN / 2 : 0;
	size_t n = MIN(len - from, MOST_SHOWN);
	g_autofree char *part = g_strndup(p->text + from, n);

	for (char *c = part; *c; c++)
		if (g_ascii_iscntrl(*c))
			*c = '?';
	*column = pos - from + (from ? 2 : 0);
	return g_strdup_printf("%s%s%s", from ? ".." : "", part, from + n < len ? ".." : "");
}

bool parser_fail(struct parser *p, const char *at, enum perf_error code, const char *fmt, ...)
{
	static const char head[] = "event syntax error: '";
	g_autofree char *what = NULL, *shown = NULL;
	va_list ap;
	u32 column;

	va_start(ap, fmt);
	what = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	shown = shown_text(p, at, &column);
	return error_set(p->error, code, "%s%s'\n%*s\\___ %s", head, shown,
			 (int)(strlen(head) + column), "", what);
}

bool parser_fail_word(struct parser *p, const char *at, const char *what, const char *word,
		      const GPtrArray *names)
{
	const char *near = nearest_name(word, names);

	if (near)
		return parser_fail(p, at, PERF_ERROR_ABSENT, "%s '%s'; did you mean '%s'?", what,
				   word, near);
	return parser_fail(p, at, PERF_ERROR_ABSENT, "%s '%s'", what, word);
}
