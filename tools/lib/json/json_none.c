// SPDX-License-Identifier: GPL-2.0-or-later
/* For builds without yajl: JSON cannot be read. */
#include "json/json.h"

struct json *json_new(const char *name, json_fn *fn, void *arg, GError **error)
{
	error_set(error, PERF_ERROR_UNSUPPORTED,
		  "%s cannot be read: this perf was built without yajl", name);
	return NULL;
}

void json_free(struct json *json)
{
}

bool json_feed(struct json *json, const char *bytes, size_t size, GError **error)
{
	return error_set(error, PERF_ERROR_UNSUPPORTED, "no JSON library");
}

bool json_is_open(const struct json *json)
{
	return false;
}

bool json_end(struct json *json, GError **error)
{
	return error_set(error, PERF_ERROR_UNSUPPORTED, "no JSON library");
}
