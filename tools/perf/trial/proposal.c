// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/proposal.h"

#include <string.h>
#include <sys/stat.h>

#include "trial/declaration.h"

#define MOST_DEPTH 16u

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

char *proposal_file(const char *tree, const char *path)
{
	size_t size = strlen(tree);

	if (!strncmp(path, tree, size) && path[size] == '/' && is_file(path))
		return g_strdup(path + size + 1);
	for (const char *at = path; at; at = strchr(at, '/')) {
		g_autofree char *full = NULL;

		at += *at == '/';
		full = g_build_filename(tree, at, NULL);
		if (*at && is_file(full))
			return g_strdup(at);
	}
	return NULL;
}

/* A name within a member that has none itself. */
static const char *name_inside(const struct member *m)
{
	for (u32 depth = 0; !m->name && depth < MOST_DEPTH; depth++) {
		u32 nr;
		const struct member *members = type_members(type_strip(m->type), &nr);

		if (!nr)
			return NULL;
		m = members;
	}
	return m->name;
}

/* Base classes and tables of functions have no declaration among the members. */
static bool is_declared(const struct member *m)
{
	return !m->base && !(m->name && g_str_has_prefix(m->name, "_vptr"));
}

static bool add_part(GArray *parts, const struct advice_list *list, const struct advice *advice,
		     u32 number, GError **error)
{
	const struct advise_part *p = advise_part(&list->parts, number);
	const struct member *m = advise_part_member(&list->parts, number);
	u32 align = advice->after.align[number];
	struct declared_part part = { .names = g_ptr_array_new(),
				      .inside = !m->name,
				      .align = align > p->align ? align : 0,
				      .was = number };

	for (u32 i = 0; i < p->nr; i++) {
		const char *name = m[i].name ?: name_inside(&m[i]);

		if (!name) {
			g_ptr_array_unref(part.names);
			return error_set(error, PERF_ERROR_UNSUPPORTED, "a member has no name");
		}
		g_ptr_array_add(part.names, (void *)name);
	}
	/* The alignment of the whole type is that of its first member. */
	if (!parts->len && advice->after.least > list->before.least)
		part.align = MAX(part.align, advice->after.least);
	g_array_append_val(parts, part);
	return true;
}

static void clear_part(void *arg)
{
	g_ptr_array_unref(((struct declared_part *)arg)->names);
}

char *proposal_text(const char *tree, const char *file, const struct advice_list *list,
		    const struct advice *advice, GError **error)
{
	g_autofree char *path = g_build_filename(tree, file, NULL), *source = NULL;
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct declared_part));
	char *text;

	g_array_set_clear_func(parts, clear_part);
	for (u32 i = 0; i < advice->after.nr; i++) {
		u32 part = advice->after.order[i];

		if (is_declared(advise_part_member(&list->parts, part)) &&
		    !add_part(parts, list, advice, part, error))
			return NULL;
	}
	if (!g_file_get_contents(path, &source, NULL, error))
		return NULL;
	text = declaration_change(source, list->declared.line, parts, error);
	if (!text)
		g_prefix_error(error, "%s: ", path);
	return text;
}
