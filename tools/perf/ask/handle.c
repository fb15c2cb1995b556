// SPDX-License-Identifier: GPL-2.0-or-later
#include "ask/handle.h"

#include <string.h>

#include "base/error.h"

#define MAX_TERMS 16

void handle_append(GString *out, const char *key, const char *text)
{
	g_autoptr(GString) condition = g_string_new(";");
	g_autofree char *all = g_strdup_printf(";%s;", out->str);

	g_string_append_printf(condition, "%s=", key);
	for (; *text; text++) {
		if (*text == ';' || *text == '\\')
			g_string_append_c(condition, '\\');
		g_string_append_c(condition, *text);
	}
	g_string_append_c(condition, ';');
	if (strstr(all, condition->str))
		return;
	g_string_truncate(condition, condition->len - 1);
	g_string_append(out, condition->str + (out->len ? 0 : 1));
}

/* The conditions without escapes, to be freed with g_strfreev(). */
static char **split(const char *handle)
{
	g_autoptr(GPtrArray) parts = g_ptr_array_new();
	GString *part = g_string_new(NULL);

	for (; handle && *handle; handle++) {
		if (*handle == ';') {
			g_ptr_array_add(parts, g_string_free(part, FALSE));
			part = g_string_new(NULL);
			continue;
		}
		if (*handle == '\\' && handle[1])
			handle++;
		g_string_append_c(part, *handle);
	}
	g_ptr_array_add(parts, g_string_free(part, FALSE));
	g_ptr_array_add(parts, NULL);
	return (char **)g_ptr_array_steal(parts, NULL);
}

static bool add_term(const char *part, GArray *terms, GError **error)
{
	const char *sign = strpbrk(part, "=~");
	g_autofree char *key = sign ? g_strndup(part, (gsize)(sign - part)) : NULL;
	const struct field *field;
	struct term term;

	if (!sign || !*key || !sign[1])
		return error_set(error, PERF_ERROR_USAGE,
				 "'%s': expected KEY=TEXT, such as span=checkout, or KEY~PART",
				 part);
	field = fields_find(g_strstrip(key), FIELD_NORMAL | FIELD_MEMORY, error);
	if (!field)
		return false;
	if (!field->key)
		return error_set(error, PERF_ERROR_USAGE, "'%s' is a value, not a sort key", key);
	term = *sign == '~' ? term_of_part(field, sign + 1) : term_of_text(field, sign + 1);
	terms_add(terms, &term);
	return true;
}

bool handle_parse(const char *handle, GArray *terms, GError **error)
{
	g_auto(GStrv) parts = split(handle);

	for (char **part = parts; *part; part++) {
		if (!*g_strstrip(*part))
			continue;
		if (terms->len == MAX_TERMS)
			return error_set(error, PERF_ERROR_USAGE, "more than %d conditions",
					 MAX_TERMS);
		if (!add_term(*part, terms, error))
			return false;
	}
	return true;
}

char *handle_last_key(const char *handle)
{
	g_auto(GStrv) parts = split(handle);
	u32 nr = g_strv_length(parts);
	const char *last = nr ? parts[nr - 1] : "";
	const char *sign = strpbrk(last, "=~");

	return sign ? g_strstrip(g_strndup(last, (gsize)(sign - last))) : NULL;
}
