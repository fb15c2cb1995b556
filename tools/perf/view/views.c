// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/view.h"

#include <string.h>

#include "view/csv/csv.h"
#include "view/html/html.h"
#include "view/json/json.h"
#include "view/json/rows.h"
#include "view/stdio/pages.h"

const struct view view_stdio = { "stdio", true, stdio_print_pages, NULL };
static const struct view json = { "json", false, json_print_pages, &json_stream };
static const struct view csv = { "csv", false, csv_print_pages, &csv_stream };

static const struct view html = { "html", false, html_print_pages, NULL };

static const struct view *const views[] = { &view_stdio, &json, &csv, &html };

char *view_names(void)
{
	GString *names = g_string_new(NULL);

	for (u32 i = 0; i < ARRAY_SIZE(views); i++)
		g_string_append_printf(names, "%s%s", i ? " " : "", views[i]->name);
	return g_string_free(names, FALSE);
}

const struct view *view_find(const char *name, GError **error)
{
	g_autofree char *names = NULL;

	for (u32 i = 0; i < ARRAY_SIZE(views); i++)
		if (!strcmp(name, views[i]->name))
			return views[i];
	names = view_names();
	error_set(error, PERF_ERROR_USAGE, "--format: '%s': expected one of: %s", name, names);
	return NULL;
}
