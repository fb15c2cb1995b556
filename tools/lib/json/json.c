// SPDX-License-Identifier: GPL-2.0-or-later
/* Uses yajl, which parses text in pieces. Documentation/decisions/0006 has the reasons. */
#include "json/json.h"

#include <string.h>
#include <yajl/yajl_parse.h>

struct json {
	char *name;
	json_fn *fn;
	void *arg;
	yajl_handle parser;
	u64 fed;   /* bytes of earlier calls */
	u64 quiet; /* bytes since the last event, updated at the end of a call */
	u32 depth;
	bool event, too_deep;
	bool begun; /* a byte that is no blank was fed */
};

static int give(void *ctx, enum json_event event, const char *text, size_t size)
{
	struct json *j = ctx;

	j->event = true;
	j->fn(j->arg, event, text, size);
	return 1;
}

static int give_begin(void *ctx, enum json_event event)
{
	struct json *j = ctx;

	if (j->depth == JSON_MAX_DEPTH) {
		j->too_deep = true;
		return 0;
	}
	j->depth++;
	return give(ctx, event, NULL, 0);
}

static int give_end(void *ctx, enum json_event event)
{
	struct json *j = ctx;

	j->depth--;
	return give(ctx, event, NULL, 0);
}

static int on_null(void *ctx)
{
	return give(ctx, JSON_WORD, "null", 4);
}

static int on_boolean(void *ctx, int value)
{
	return give(ctx, JSON_WORD, value ? "true" : "false", value ? 4 : 5);
}

static int on_number(void *ctx, const char *text, size_t size)
{
	return give(ctx, JSON_WORD, text, size);
}

static int on_string(void *ctx, const unsigned char *text, size_t size)
{
	return give(ctx, JSON_STRING, (const char *)text, size);
}

static int on_key(void *ctx, const unsigned char *text, size_t size)
{
	return give(ctx, JSON_KEY, (const char *)text, size);
}

static int on_object(void *ctx)
{
	return give_begin(ctx, JSON_OBJECT);
}

static int on_object_end(void *ctx)
{
	return give_end(ctx, JSON_OBJECT_END);
}

static int on_array(void *ctx)
{
	return give_begin(ctx, JSON_ARRAY);
}

static int on_array_end(void *ctx)
{
	return give_end(ctx, JSON_ARRAY_END);
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_object,
	.yajl_map_key = on_key,
	.yajl_end_map = on_object_end,
	.yajl_start_array = on_array,
	.yajl_end_array = on_array_end,
};

struct json *json_new(const char *name, json_fn *fn, void *arg, GError **error)
{
	struct json *j = g_new0(struct json, 1);

	j->name = g_strdup(name);
	j->fn = fn;
	j->arg = arg;
	j->parser = yajl_alloc(&callbacks, NULL, j);
	yajl_config(j->parser, yajl_allow_multiple_values, 1);
	yajl_config(j->parser, yajl_dont_validate_strings, 1);
	return j;
}

void json_free(struct json *j)
{
	if (!j)
		return;
	yajl_free(j->parser);
	g_free(j->name);
	g_free(j);
}

static bool fail(const struct json *j, u64 at, const char *what, GError **error)
{
	return error_set(error, PERF_ERROR_FORMAT, "%s: offset %" G_GUINT64_FORMAT ": %s", j->name,
			 at, what);
}

/* Reports yajl's message without its line end. */
static bool fail_as_said(const struct json *j, u64 at, GError **error)
{
	unsigned char *said = yajl_get_error(j->parser, 0, NULL, 0);
	g_autofree char *what = g_strdup_printf("no JSON: %s", said ? (const char *)said : "");

	if (said)
		yajl_free_error(j->parser, said);
	return fail(j, at, g_strchomp(what), error);
}

static bool feed(struct json *j, const char *bytes, size_t size, GError **error)
{
	yajl_status status;

	j->event = false;
	status = yajl_parse(j->parser, (const unsigned char *)bytes, size);
	if (j->too_deep)
		return fail(j, j->fed + yajl_get_bytes_consumed(j->parser), "nested too deep",
			    error);
	if (status != yajl_status_ok)
		return fail_as_said(j, j->fed + yajl_get_bytes_consumed(j->parser), error);
	j->fed += size;
	j->quiet = j->event ? 0 : j->quiet + size;
	if (j->quiet > JSON_MAX_VALUE)
		return fail(j, j->fed - j->quiet, "a value is larger than 8 MiB", error);
	return true;
}

/* The number of bytes at the start to skip: a byte order mark, then blanks. */
static size_t blank(const char *bytes, size_t size)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t n = size >= 3 && !memcmp(bytes, mark, 3) ? 3 : 0;

	while (n < size && memchr(" \t\r\n", bytes[n], 4))
		n++;
	return n;
}

bool json_feed(struct json *j, const char *bytes, size_t size, GError **error)
{
	/* Feed small steps: so a long value is noticed before yajl has buffered all of it. */
	const size_t step = 64u << 10;
	size_t at = 0;

	if (!j->begun) {
		at = blank(bytes, size);
		j->fed += at;
		j->begun = at < size;
	}
	for (; at < size; at += step)
		if (!feed(j, bytes + at, MIN(step, size - at), error))
			return false;
	return true;
}

bool json_is_open(const struct json *j)
{
	return j->depth > 0;
}

bool json_end(struct json *j, GError **error)
{
	if (!j->begun || yajl_complete_parse(j->parser) == yajl_status_ok)
		return true;
	if (j->depth)
		return fail(j, j->fed, "it ends inside a value", error);
	return fail_as_said(j, j->fed, error);
}
