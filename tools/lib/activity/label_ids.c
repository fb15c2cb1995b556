// SPDX-License-Identifier: GPL-2.0-or-later
#include "activity/label_ids.h"

#include <string.h>

#include "activity/identity.h"

#define TRACE_SIZE    16
#define SPAN_SIZE     8
#define UUID_DIGITS   36
#define NUMBER_DIGITS 20 /* of the largest one of 64 bits */

struct name {
	const char *key;
	bool datadog; /* a number of 16 digits is decimal */
};

static const struct name traces[] = {
	{ "trace_id" }, { "traceId" },	      { "traceid" },
	{ "trace.id" }, { "trace id", true }, { "dd.trace_id", true },
};

static const struct name spans[] = {
	{ "span_id" },	     { "spanId" },	     { "spanid" },     { "span.id" },
	{ "span id", true }, { "dd.span_id", true }, { "profile_id" },
};

static const struct name roots[] = {
	{ "local root span id", true },
	{ "dd.local_root_span_id", true },
};

/* @size bytes of digits without the dashes of a UUID, into the end of @id. */
static bool parse_hex(const char *text, size_t size, bool uuid, u8 *id, size_t id_size)
{
	size_t digits = 0, all = uuid ? TRACE_SIZE * 2 : size, skip = 2 * id_size - all;

	for (size_t i = 0; i < size; i++) {
		int digit = g_ascii_xdigit_value(text[i]);
		size_t at = (skip + digits) / 2;

		if (uuid && (i == 8 || i == 13 || i == 18 || i == 23)) {
			if (text[i] != '-')
				return false;
			continue;
		}
		if (digit < 0)
			return false;
		id[at] = (u8)(id[at] << 4 | digit);
		digits++;
	}
	return digits == all;
}

static bool parse_decimal(const char *text, size_t size, u8 *id, size_t id_size)
{
	char digits[NUMBER_DIGITS + 1] = "";
	guint64 number;

	if (size == 0 || size > NUMBER_DIGITS)
		return false;
	memcpy(digits, text, size);
	if (strlen(digits) != size ||
	    !g_ascii_string_to_unsigned(digits, 10, 0, G_MAXUINT64, &number, NULL))
		return false;
	for (size_t i = 0; i < sizeof(number); i++)
		id[id_size - 1 - i] = (u8)(number >> 8 * i);
	return true;
}

static bool parse_id(const char *text, size_t size, bool datadog, u8 *id, size_t id_size)
{
	u8 read[TRACE_SIZE] = { 0 };
	bool hex = size == 2 * id_size || size == 2 * SPAN_SIZE;
	bool ok = datadog && parse_decimal(text, size, read, id_size);

	if (!ok && (hex || (size == UUID_DIGITS && id_size == TRACE_SIZE))) {
		memset(read, 0, sizeof(read));
		ok = parse_hex(text, size, !hex, read, id_size);
	}
	if (!ok && !hex)
		ok = parse_decimal(text, size, read, id_size);
	memcpy(id, read, id_size);
	for (size_t i = 0; ok && i < id_size; i++)
		if (id[i])
			return true;
	return false;
}

static bool take(const struct activity *a, const char *key, bool datadog, u8 *id, size_t id_size)
{
	const char *text;
	size_t size;

	return activity_label(a, key, &text, &size) && !activity_label_is_cut(a, key) &&
	       parse_id(text, size, datadog, id, id_size);
}

static bool find_id(const struct activity *a, const GPtrArray *asked, const struct name *known,
		    size_t nr, u8 *id, size_t id_size)
{
	for (guint i = 0; asked && i < asked->len; i++)
		if (take(a, asked->pdata[i], false, id, id_size))
			return true;
	for (size_t i = 0; i < nr; i++)
		if (take(a, known[i].key, known[i].datadog, id, id_size))
			return true;
	return false;
}

void activity_take_label_ids(struct activity *a, const struct activity_id_names *names)
{
	u8 trace[TRACE_SIZE] = { 0 }, span[SPAN_SIZE] = { 0 }, root[SPAN_SIZE] = { 0 };
	bool has_trace, has_span, has_root;

	if (a->labels.form != ACTIVITY_LABELS_PAIRS || !activity_has_value(a))
		return;
	has_trace = find_id(a, names->trace, traces, ARRAY_SIZE(traces), trace, sizeof(trace));
	has_span = find_id(a, names->span, spans, ARRAY_SIZE(spans), span, sizeof(span));
	if (!has_trace && !has_span)
		return;
	has_root = find_id(a, NULL, roots, ARRAY_SIZE(roots), root, sizeof(root));
	memset(a->value, 0, sizeof(a->value));
	a->value_size = 0;
	memcpy(a->trace_id, trace, sizeof(trace));
	memcpy(a->span_id, span, sizeof(span));
	memcpy(a->root_span, root, sizeof(root));
	a->has = ACTIVITY_HAS_IDS | (has_root ? ACTIVITY_HAS_ROOT : 0);
	a->state = ACTIVITY_OK;
}
