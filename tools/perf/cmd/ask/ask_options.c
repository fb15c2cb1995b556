// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/ask/ask_options.h"

bool ask_reading_complete(struct report_options *reading, GError **error)
{
	if (!type_options_parse(&reading->types, false, error))
		return false;
	span_options_apply(&reading->spans, &reading->session, NULL, 0);
	return true;
}
