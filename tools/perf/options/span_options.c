// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/span_options.h"

#include <glob.h>
#include <string.h>

#include "fields/fields.h"

/*
 * Expands a pattern that the shell did not expand: `--spans=traces/\*.json`. Without a match it stays unchanged.
 */
static void add_path(GPtrArray *paths, const char *word)
{
	glob_t found;

	if (!strpbrk(word, "*?[") || glob(word, 0, NULL, &found)) {
		g_ptr_array_add(paths, g_strdup(word));
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		g_ptr_array_add(paths, g_strdup(found.gl_pathv[i]));
	globfree(&found);
}

static void add_paths(GPtrArray *paths, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, ",", -1);

	if (!words[0])
		add_path(paths, text); /* --spans=, which loading refuses */
	for (char **word = words; *word; word++)
		if (**word)
			add_path(paths, *word);
}

static void add_keys(GPtrArray *keys, const char *columns)
{
	g_auto(GStrv) names = g_strsplit_set(columns, "+{}, ", -1);

	for (char **name = names; *name; name++)
		if (field_label_key(*name))
			g_ptr_array_add(keys, g_strdup(field_label_key(*name)));
}

void span_options_apply(struct span_options *o, struct session_options *session,
			const char *const *columns, u32 nr_columns)
{
	o->paths = g_ptr_array_new_with_free_func(g_free);
	o->keys = g_ptr_array_new_with_free_func(g_free);
	for (u32 i = 0; o->files && i < o->files->len; i++)
		add_paths(o->paths, o->files->pdata[i]);
	for (u32 i = 0; i < nr_columns; i++)
		if (columns[i])
			add_keys(o->keys, columns[i]);
	for (u32 i = 0; o->labels && i < o->labels->len; i++) {
		const char *label = o->labels->pdata[i], *equals = strchr(label, '=');

		if (equals)
			g_ptr_array_add(o->keys, g_strndup(label, (gsize)(equals - label)));
	}
	session->span_files = o->paths;
	session->span_labels = o->keys;
	session->trace_names = o->trace_names;
	session->span_names = o->span_names;
	session->charge_interrupts = o->charge_interrupts;
	session->filter.traces = o->traces;
	session->filter.spans = o->spans;
	session->filter.labels = o->labels;
}

void span_options_release(struct span_options *o)
{
	GPtrArray **all[] = { &o->files,      &o->spans, &o->labels, &o->trace_names,
			      &o->span_names, &o->paths, &o->keys };

	for (u32 i = 0; i < ARRAY_SIZE(all); i++)
		g_clear_pointer(all[i], g_ptr_array_unref);
}
