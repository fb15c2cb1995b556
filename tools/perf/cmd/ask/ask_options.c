// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/ask/ask_options.h"

bool ask_reading_complete(struct report_options *reading, GError **error)
{
	if (!type_options_parse(&reading->types, false, error))
		return false;
	span_options_apply(&reading->spans, &reading->session, NULL, 0);
	return true;
}

char *ask_tools_help(void)
{
	GString *text = g_string_new(NULL);

	for (u32 i = 0; ask_tool_at(i); i++)
		g_string_append_printf(text, "%s%s", i ? " " : "", ask_tool_at(i)->name);
	return g_string_free(text, FALSE);
}
