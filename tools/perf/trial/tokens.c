// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/tokens.h"

#include <glib.h>
#include <string.h>

static u32 end_of_line(const char *s, u32 at)
{
	while (s[at] && s[at] != '\n')
		at += s[at] == '\\' && s[at + 1] ? 2 : 1;
	return at;
}

static u32 end_of_comment(const char *s, u32 at)
{
	const char *end;

	if (s[at + 1] == '/')
		return end_of_line(s, at);
	end = strstr(s + at + 2, "*/");
	return end ? (u32)(end - s) + 2 : at + (u32)strlen(s + at);
}

static u32 end_of_text(const char *s, u32 at)
{
	char quote = s[at++];

	while (s[at] && s[at] != quote)
		at += s[at] == '\\' && s[at + 1] ? 2 : 1;
	return s[at] ? at + 1 : at;
}

static bool is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '$' || (c & 0x80);
}

struct token token_next(const char *s, u32 at)
{
	bool fresh = !at || s[at - 1] == '\n'; /* only blanks since the line began */
	struct token t;

	while (g_ascii_isspace(s[at]) || s[at] == '\\')
		fresh |= s[at++] == '\n';
	t = (struct token){ TOKEN_SIGN, at, at + 1 };
	if (!s[at])
		return (struct token){ TOKEN_END, at, at };
	if (s[at] == '#' && fresh) {
		t.kind = TOKEN_DIRECTIVE;
		t.to = end_of_line(s, at);
	} else if (s[at] == '/' && (s[at + 1] == '/' || s[at + 1] == '*')) {
		t.kind = TOKEN_COMMENT;
		t.to = end_of_comment(s, at);
	} else if (s[at] == '"' || s[at] == '\'') {
		t.kind = TOKEN_TEXT;
		t.to = end_of_text(s, at);
	} else if (is_word(s[at])) {
		t.kind = TOKEN_WORD;
		while (is_word(s[t.to]))
			t.to++;
	}
	return t;
}

bool token_is_word(const char *s, const struct token *t, const char *word)
{
	size_t size = strlen(word);

	return t->kind == TOKEN_WORD && t->to - t->from == size && !memcmp(s + t->from, word, size);
}
