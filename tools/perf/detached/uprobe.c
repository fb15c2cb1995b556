// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/uprobe.h"

#include <stdlib.h>
#include <string.h>

#include "dso/dso.h"
#include "dso/dsos.h"

static bool find_place(const char *file, const char *name, u64 *foff, GError **error)
{
	struct dsos *dsos = dsos_new(&(struct dso_options){ 0 });
	struct dso *dso = dsos_get(dsos, file, NULL, 0, DSO_USER);
	const struct symbol *symbol = dso_symbol_named(dso, name);
	bool found = symbol && dso_vaddr_to_foff(dso, symbol->start, foff);

	dsos_free(dsos);
	return found || error_set(error, PERF_ERROR_ABSENT, "%s has no function %s", file, name);
}

bool uprobe_add(struct event_list *list, const struct kernel_paths *paths, const char *text,
		char **path, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, ":", 3);
	g_autofree char *type_path =
		g_build_filename(paths->sys, "bus/event_source/devices/uprobe/type", NULL);
	g_autofree char *type = NULL;
	struct event_spec *spec;
	u64 foff;

	if (g_strv_length(parts) != 3 || !*parts[1] || !*parts[2])
		return error_set(error, PERF_ERROR_USAGE, "expected uprobe:FILE:FUNCTION");
	if (!g_file_get_contents(type_path, &type, NULL, NULL))
		return error_set(error, PERF_ERROR_UNSUPPORTED, "this kernel has no uprobes");
	if (!find_place(parts[1], parts[2], &foff, error))
		return false;
	*path = realpath(parts[1], NULL);
	if (!*path)
		return error_set(error, PERF_ERROR_ABSENT, "%s: there is no such file", parts[1]);
	spec = event_list_add(list, (u32)strtoul(type, NULL, 10), 0);
	g_free(spec->evsel->name);
	spec->evsel->name = g_strdup_printf("uprobe:%s", parts[2]);
	spec->evsel->attr.config1 = (u64)(uintptr_t)*path;
	spec->evsel->attr.config2 = foff;
	spec->evsel->attr.sample_period = 1;
	return true;
}
