// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/annotate.h"

#include <string.h>

#include "view/tui/annotate_private.h"

static annotate_open_fn *const openers[OPEN_NR] = {
	[OPEN_TYPES] = annotate_open_types,
	[OPEN_LAYOUT] = annotate_open_layout,
	[OPEN_FIELD] = annotate_open_field,
	[OPEN_USERS] = annotate_open_users,
	[OPEN_CODE] = annotate_open_code,
	[OPEN_WHY] = annotate_open_why,
	[OPEN_WHY_OF_DATA] = annotate_open_why_of_data,
	[OPEN_ADVICE] = annotate_open_advice,
};

struct tui_annotate *tui_annotate_new(struct annotator *annotator,
				      const struct tui_annotate_look *look)
{
	struct tui_annotate *a = g_new0(struct tui_annotate, 1);

	a->open = openers;
	a->annotator = annotator;
	annotator_look(annotator)->layout = true;
	annotator_look(annotator)->type_stat = false;
	a->look = *look;
	a->key = g_strdup(look->key ?: "span");
	a->source = !look->no_source;
	a->types = !look->no_types;
	a->sampled = look->sampled;
	a->arrows = a->simple = a->line_numbers = true;
	return a;
}

/* A pattern that matches only @name. */
static char *pattern_of(const char *name)
{
	GString *pattern = g_string_new(NULL);

	for (; *name; name++) {
		if (strchr("*?[]\\", *name))
			g_string_append_c(pattern, '\\');
		g_string_append_c(pattern, *name);
	}
	return g_string_free(pattern, FALSE);
}

static bool opened(struct tui_annotate *a, bool ok)
{
	if (!ok)
		tui_annotate_free(a);
	return ok;
}

/* Sets the type and the field for the next view. */
static void ask_for(struct tui_annotate *a, const char *type, const char *field)
{
	a->field = g_strdup(field);
	if (!type)
		return;
	a->pattern = pattern_of(type);
	annotator_look(a->annotator)->pattern = a->pattern;
}

bool tui_open_types(struct tui *tui, struct tui_annotate *a)
{
	return opened(a, annotate_open_types(tui, a, true, NULL));
}

bool tui_open_layout(struct tui *tui, struct tui_annotate *a, const char *type)
{
	a->pattern = type ? pattern_of(type) : NULL;
	return opened(a, annotate_open_layout(tui, a, true, NULL));
}

bool tui_open_field(struct tui *tui, struct tui_annotate *a, const char *type, const char *field)
{
	ask_for(a, type, field);
	return opened(a, annotate_open_field(tui, a, true, NULL));
}

bool tui_open_users(struct tui *tui, struct tui_annotate *a, const char *type, const char *field)
{
	ask_for(a, type, field);
	return opened(a, annotate_open_users(tui, a, true, NULL));
}

bool tui_open_code(struct tui *tui, struct tui_annotate *a, struct dso *dso,
		   const struct symbol *symbol, u64 vaddr)
{
	struct about about = { .dso = dso, .symbol = symbol, .vaddr = vaddr };

	return opened(a, annotate_open_code(tui, a, true, &about));
}

bool tui_open_why_of_data(struct tui *tui, struct tui_annotate *a, const char *type,
			  const char *field)
{
	ask_for(a, type, field);
	return opened(a, annotate_open_why_of_data(tui, a, true, NULL));
}
