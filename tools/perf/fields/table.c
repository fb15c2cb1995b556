// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/private.h"

#include <string.h>

#include "base/edits.h"

#define REFER(name) &field_##name,
static const struct field *const table[] = { FIELDS(REFER) };

const struct field *fields_at(u32 i)
{
	return i < ARRAY_SIZE(table) ? table[i] : NULL;
}

char *fields_names(u32 wanted)
{
	GString *out = g_string_new(NULL);
	const struct field *field;

	for (u32 i = 0; (field = fields_at(i)); i++)
		if (field->family & wanted)
			g_string_append_printf(out, "%s%s", out->len ? " " : "", field->name);
	if (wanted & FIELD_NORMAL)
		g_string_append(out, " " FIELD_LABEL);
	return g_string_free(out, FALSE);
}

#define MAX_WORD   40 /* bytes of a wrong name that an error message shows */
#define LINE_WIDTH 64

struct near {
	const char *name;
	u32 distance;
	u32 at;
};

static int compare_near(const void *a, const void *b)
{
	const struct near *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void set_unknown(const char *name, u32 wanted, GError **error)
{
	g_autoptr(GArray) near = g_array_new(FALSE, FALSE, sizeof(struct near));
	g_autoptr(GString) list = g_string_new(NULL);
	g_autofree char *word = g_strndup(name, MAX_WORD);
	bool help = !strcmp(name, "help"); /* asks for the list */
	const struct field *field;
	size_t line = 0;

	for (u32 i = 0; (field = fields_at(i)); i++) {
		struct near n = { field->name, help ? 0 : edits_between(word, field->name), i };

		if (field->family & wanted)
			g_array_append_val(near, n);
	}
	g_array_sort(near, compare_near);
	for (u32 i = 0; i < near->len; i++) {
		if (list->len - line > LINE_WIDTH) {
			g_string_append(list, "\n ");
			line = list->len;
		}
		g_string_append_printf(list, " %s", g_array_index(near, struct near, i).name);
	}
	if (help)
		error_set(error, PERF_ERROR_USAGE, "Keys of --sort and --fields:\n %s", list->str);
	else
		error_set(error, PERF_ERROR_USAGE,
			  "Unknown --sort key: `%s'\n keys, nearest first:%s", name, list->str);
}

static bool is_name_of(u32 family, const char *name)
{
	const struct field *field;

	for (u32 i = 0; (field = fields_at(i)); i++)
		if (field->family & family && !g_ascii_strcasecmp(name, field->name))
			return true;
	return false;
}

static void set_wrong(const char *name, u32 wanted, GError **error)
{
	if (g_str_has_prefix(name, "label"))
		error_set(error, PERF_ERROR_USAGE,
			  "--sort key `%s': expected the name of a label, as in label:http.route",
			  name);
	else if (is_name_of(FIELD_BRANCH, name))
		error_set(error, PERF_ERROR_USAGE,
			  "Invalid --sort key: `%s' is for branches, and these are samples: record "
			  "branches with '-b'",
			  name);
	else
		set_unknown(name, wanted, error);
}

const struct field *fields_find(const char *name, u32 wanted, GError **error)
{
	size_t len = strlen(name);
	const struct field *field, *found = NULL;

	for (u32 i = 0; (field = fields_at(i)) && len; i++) {
		if (!(field->family & wanted) || g_ascii_strncasecmp(name, field->name, len))
			continue;
		if (!field->name[len])
			return field;
		if (!found)
			found = field;
	}
	if (!found)
		set_wrong(name, wanted, error);
	return found;
}
