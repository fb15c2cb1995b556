// SPDX-License-Identifier: GPL-2.0-or-later
#include "json/value.h"

#include <string.h>

/* The value that is open, and where the next one is linked. */
struct making {
	struct json_value *whole, *open;
	struct json_value **next;
	char *key; /* of the next value */
	bool again;
};

static struct json_value *add(struct making *m, enum json_kind kind, const char *text, size_t size)
{
	struct json_value *value;

	/* The parser permits values that follow each other. */
	if (!m->open && m->whole) {
		m->again = true;
		return NULL;
	}
	value = g_new0(struct json_value, 1);
	value->kind = kind;
	value->text = text ? g_string_new_len(text, (gssize)size) : NULL;
	value->key = g_steal_pointer(&m->key);
	value->parent = m->open;
	*m->next = value;
	m->next = &value->next;
	return value;
}

static void begin(struct making *m, enum json_kind kind)
{
	struct json_value *value = add(m, kind, NULL, 0);

	if (!value)
		return;
	m->open = value;
	m->next = &value->first;
}

static void end(struct making *m)
{
	if (!m->open)
		return;
	m->next = &m->open->next;
	m->open = m->open->parent;
}

static void take(void *arg, enum json_event event, const char *text, size_t size)
{
	struct making *m = arg;

	if (event == JSON_KEY) {
		g_free(m->key);
		m->key = g_strndup(text, size);
	} else if (event == JSON_OBJECT || event == JSON_ARRAY) {
		begin(m, event == JSON_OBJECT ? VALUE_OBJECT : VALUE_ARRAY);
	} else if (event == JSON_OBJECT_END || event == JSON_ARRAY_END) {
		end(m);
	} else {
		add(m, event == JSON_STRING ? VALUE_STRING : VALUE_WORD, text, size);
	}
}

static bool parse(struct making *m, const char *text, size_t size, GError **error)
{
	struct json *json;
	bool ok;

	if (size > VALUE_MAX_SIZE || !g_utf8_validate(text, (gssize)size, NULL))
		return error_set(error, PERF_ERROR_FORMAT, "the message is %s",
				 size > VALUE_MAX_SIZE ? "longer than 1 MiB" : "no UTF-8");
	json = json_new("the message", take, m, error);
	ok = json && json_feed(json, text, size, error) && json_end(json, error);
	json_free(json);
	if (!ok)
		return false;
	return (m->whole && !m->again) ||
	       error_set(error, PERF_ERROR_FORMAT, "the message is not one value of JSON");
}

struct json_value *value_parse(const char *text, size_t size, GError **error)
{
	struct making m = { .next = NULL };
	bool ok;

	m.next = &m.whole;
	ok = parse(&m, text, size, error);
	g_free(m.key);
	if (ok)
		return m.whole;
	value_free(m.whole);
	return NULL;
}

/* Recursion is as deep as JSON_MAX_DEPTH. */
void value_free(struct json_value *value)
{
	struct json_value *next;

	for (; value; value = next) {
		next = value->next;
		value_free(value->first);
		if (value->text)
			g_string_free(value->text, TRUE);
		g_free(value->key);
		g_free(value);
	}
}

const struct json_value *value_member(const struct json_value *object, const char *key)
{
	if (!object || object->kind != VALUE_OBJECT)
		return NULL;
	for (const struct json_value *v = object->first; v; v = v->next)
		if (!strcmp(v->key, key))
			return v;
	return NULL;
}

const char *value_string(const struct json_value *value)
{
	if (!value || value->kind != VALUE_STRING || strlen(value->text->str) != value->text->len)
		return NULL;
	return value->text->str;
}

bool value_is_number(const struct json_value *value, bool whole)
{
	return value && value->kind == VALUE_WORD && !g_ascii_isalpha(value->text->str[0]) &&
	       !(whole && strpbrk(value->text->str, ".eE"));
}
