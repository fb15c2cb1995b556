/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and signs of C and C++ source text. Comments, strings and lines of the preprocessor are one token each. */
#ifndef TRIAL_TOKENS_H
#define TRIAL_TOKENS_H

#include "base/types.h"

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,    /* identifier, keyword, number */
	TOKEN_SIGN,    /* one character */
	TOKEN_TEXT,    /* a string or a character */
	TOKEN_COMMENT, /* without the newline behind it */
	TOKEN_DIRECTIVE,
};

struct token {
	enum token_kind kind;
	u32 from, to; /* bytes of the source; @to: one past the last */
};

/* The token at or behind @at; blanks are skipped. A comment or a string without an end goes up to the end of the source. */
struct token token_next(const char *source, u32 at);

static inline bool token_is(const char *source, const struct token *t, char sign)
{
	return t->kind == TOKEN_SIGN && source[t->from] == sign;
}

bool token_is_word(const char *source, const struct token *t, const char *word);

#endif
