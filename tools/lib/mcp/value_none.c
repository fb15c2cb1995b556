// SPDX-License-Identifier: GPL-2.0-or-later
/* For builds without yajl. */
#include "mcp/value.h"

struct json_value *value_parse(const char *text, size_t size, GError **error)
{
	error_set(error, PERF_ERROR_UNSUPPORTED,
		  "this perf was built without yajl: it cannot read JSON");
	return NULL;
}
