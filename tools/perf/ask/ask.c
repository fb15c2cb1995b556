// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "ask/ask_private.h"
#include "ask/handle.h"
#include "cli/options.h"

static bool take_number(const struct asking *a, const char *name, u64 least, u64 most, u32 *out,
			GError **error)
{
	const char *text = asking_argument(a, name);
	u64 number;

	if (!text)
		return true;
	if (!options_parse_size(text, false, &number) || number < least || number > most)
		return error_set(error, PERF_ERROR_USAGE,
				 "%s: '%s': expected a number from %" G_GUINT64_FORMAT
				 " to %" G_GUINT64_FORMAT,
				 name, text, least, most);
	*out = (u32)number;
	return true;
}

static bool has_argument(const struct ask_tool *tool, const char *name)
{
	const struct ask_argument *argument;

	for (u32 i = 0; (argument = ask_tool_argument(tool, i)); i++)
		if (!strcmp(argument->name, name))
			return true;
	return false;
}

static bool knows_all(const struct ask_tool *tool, GHashTable *arguments, GError **error)
{
	const struct ask_argument *argument;
	g_autoptr(GString) names = g_string_new(NULL);
	GHashTableIter at;
	void *name;

	g_hash_table_iter_init(&at, arguments);
	while (g_hash_table_iter_next(&at, &name, NULL)) {
		if (has_argument(tool, name))
			continue;
		for (u32 i = 0; (argument = ask_tool_argument(tool, i)); i++)
			g_string_append_printf(names, "%s %s", i ? "," : "", argument->name);
		return error_set(error, PERF_ERROR_USAGE, "%s has no argument '%s': it has%s",
				 tool->name, (char *)name, names->str);
	}
	return true;
}

static bool run(struct asking *a, const struct ask_tool *tool, GError **error)
{
	a->file = ask_file_named(a->ask, asking_argument(a, "file"), error);
	if (!a->file)
		return false;
	a->within = asking_argument(a, "where") ?: asking_argument(a, "handle");
	return handle_parse(a->within, a->terms, error) && tool->run(a, error);
}

bool ask_run(struct ask *ask, const struct ask_tool *tool, GHashTable *arguments, GString *out,
	     GError **error)
{
	struct asking a = { .ask = ask, .arguments = arguments };
	struct budget budget = { BUDGET_ROWS, BUDGET_BYTES };
	bool ok;

	if (!knows_all(tool, arguments, error) ||
	    !take_number(&a, "rows", 0, BUDGET_MAX_ROWS, &budget.rows, error) ||
	    !take_number(&a, "bytes", BUDGET_MIN_BYTES, BUDGET_MAX_BYTES, &budget.bytes, error))
		return false;
	answer_init(&a.answer, tool->name, &budget);
	a.terms = terms_new();
	ok = run(&a, tool, error) && answer_end(&a.answer, out, error);
	answer_release(&a.answer);
	g_array_unref(a.terms);
	ask_close_if_large(ask);
	return ok;
}
