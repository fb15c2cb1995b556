// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/identity.h"

#include <string.h>

/* What gcc and clang add to the name of a function that they clone, split or rename. */
static const char *const clones[] = { ".isra", ".constprop", ".part",	   ".cold",
				      ".llvm", ".lto_priv",  ".localalias" };

/* The length of ".isra.0" or ".cold" at @at; 0: no such addition is there. */
static size_t clone_length(const char *at)
{
	for (u32 i = 0; i < ARRAY_SIZE(clones); i++) {
		size_t length = strlen(clones[i]);

		if (strncmp(at, clones[i], length))
			continue;
		if (at[length] == '.')
			length += 1 + strspn(at + length + 1, "0123456789");
		if (!at[length] || strchr(". (]", at[length]))
			return length;
	}
	return 0;
}

/* The length of " [clone .isra.0]", which demanglers make of it; 0: no such addition is there. */
static size_t demangled_length(const char *at)
{
	static const char before[] = " [clone ";
	size_t clone = g_str_has_prefix(at, before) ? clone_length(at + strlen(before)) : 0;

	return clone && at[strlen(before) + clone] == ']' ? strlen(before) + clone + 1 : 0;
}

/* Rust's older names end in "::h" and 16 hexadecimal digits, which change with each build. */
static bool is_rust_hash(const char *at)
{
	return !strncmp(at, "::h", 3) && strspn(at + 3, "0123456789abcdef") == 16 && !at[19];
}

char *identity_function(const char *text)
{
	GString *name = g_string_new(NULL);

	for (;;) {
		size_t plain = strcspn(text, ".: "), clone;

		g_string_append_len(name, text, (gssize)plain);
		text += plain;
		if (!*text || is_rust_hash(text))
			break;
		clone = *text == '.' ? clone_length(text) : demangled_length(text);
		if (!clone)
			g_string_append_c(name, *text++);
		text += clone;
	}
	return g_string_free(name, FALSE);
}

bool identity_offset(const char *text, u32 *at, u32 *length)
{
	const char *plus = strstr(text, " +"), *end;

	for (; plus; plus = strstr(plus + 1, " +")) {
		end = plus + 2;
		end += strncmp(end, "0x", 2) ? 0 : 2;
		end += strspn(end, "0123456789abcdef");
		if (end > plus + 2 && !strncmp(end, " (", 2) && g_str_has_suffix(end, ")"))
			break;
	}
	if (!plus || !strcmp(end, " (no field)") || !strcmp(end, " (padding)"))
		return false;
	*at = (u32)(plus + 1 - text);
	*length = (u32)(end - plus - 1);
	return true;
}

static char *member_name(const char *text)
{
	u32 at, length;

	if (!identity_offset(text, &at, &length))
		return g_strdup(text);
	return g_strdup_printf("%.*s%s", (int)at, text, text + at + length + 1);
}

char *identity_new(const struct field *field, const char *text)
{
	if (g_str_has_prefix(field->name, "symbol") && strcmp(field->name, "symbol_size"))
		return identity_function(text);
	if (!strcmp(field->name, "typeoff"))
		return member_name(text);
	return g_strdup(text);
}
