// SPDX-License-Identifier: GPL-2.0-or-later
/* The tree is made by the callbacks of yajl, which checks that texts are UTF-8. */
#include "mcp/value.h"

#include <string.h>
#include <yajl/yajl_parse.h>

/* The value that is open, and where the next one is linked. */
struct making {
	struct json_value *whole, *open;
	struct json_value **next;
	char *key; /* of the next value */
	u32 nr, depth;
	const char *refused;
};

static int refuse(struct making *m, const char *why)
{
	m->refused = why;
	return 0;
}

static struct json_value *add(struct making *m, enum json_kind kind, const char *text, size_t size)
{
	struct json_value *value;

	if (m->nr++ == VALUE_MAX_NR) {
		refuse(m, "too many values");
		return NULL;
	}
	value = g_new0(struct json_value, 1);
	value->kind = kind;
	value->text = g_malloc(size + 1);
	memcpy(value->text, text, size);
	value->text[size] = '\0';
	value->size = size;
	value->key = g_steal_pointer(&m->key);
	value->parent = m->open;
	*m->next = value;
	m->next = &value->next;
	return value;
}

static int on_null(void *ctx)
{
	return add(ctx, VALUE_NULL, "null", 4) != NULL;
}

static int on_bool(void *ctx, int value)
{
	return add(ctx, VALUE_BOOL, value ? "true" : "false", value ? 4 : 5) != NULL;
}

static int on_number(void *ctx, const char *text, size_t size)
{
	return add(ctx, VALUE_NUMBER, text, size) != NULL;
}

static int on_string(void *ctx, const unsigned char *text, size_t size)
{
	return add(ctx, VALUE_STRING, (const char *)text, size) != NULL;
}

static int on_key(void *ctx, const unsigned char *text, size_t size)
{
	struct making *m = ctx;

	g_free(m->key);
	m->key = g_strndup((const char *)text, size);
	return 1;
}

static int begin(struct making *m, enum json_kind kind)
{
	struct json_value *value;

	if (m->depth == VALUE_MAX_DEPTH)
		return refuse(m, "nested too deeply");
	value = add(m, kind, "", 0);
	if (!value)
		return 0;
	m->depth++;
	m->open = value;
	m->next = &value->first;
	return 1;
}

static int on_object(void *ctx)
{
	return begin(ctx, VALUE_OBJECT);
}

static int on_array(void *ctx)
{
	return begin(ctx, VALUE_ARRAY);
}

static int on_end(void *ctx)
{
	struct making *m = ctx;

	m->depth--;
	m->next = &m->open->next;
	m->open = m->open->parent;
	return 1;
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_bool,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_object,
	.yajl_map_key = on_key,
	.yajl_end_map = on_end,
	.yajl_start_array = on_array,
	.yajl_end_array = on_end,
};

static bool run(struct making *m, const char *text, size_t size)
{
	yajl_handle parser = yajl_alloc(&callbacks, NULL, m);
	bool ok = yajl_parse(parser, (const unsigned char *)text, size) == yajl_status_ok &&
		  yajl_complete_parse(parser) == yajl_status_ok;

	yajl_free(parser);
	return ok && m->whole;
}

struct json_value *value_parse(const char *text, size_t size, GError **error)
{
	struct making m = { .next = NULL };

	m.next = &m.whole;
	if (size > VALUE_MAX_SIZE)
		m.refused = "too long";
	if (!m.refused && run(&m, text, size)) {
		g_free(m.key);
		return m.whole;
	}
	error_set(error, PERF_ERROR_FORMAT, "no JSON that is read here: %s",
		  m.refused ?: "not JSON, or not UTF-8");
	g_free(m.key);
	value_free(m.whole);
	return NULL;
}
