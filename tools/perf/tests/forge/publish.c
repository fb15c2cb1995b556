// SPDX-License-Identifier: GPL-2.0-or-later
#include "publish.h"

#include <stdlib.h>
#include <string.h>

#include "activity/layout.h"

static bool append_hex(const char *text, GByteArray *out)
{
	for (; *text; text += 2) {
		int high = g_ascii_xdigit_value(text[0]), low = g_ascii_xdigit_value(text[1]);
		u8 byte = (u8)(high << 4 | low);

		if (high < 0 || low < 0)
			return false;
		g_byte_array_append(out, &byte, 1);
	}
	return true;
}

static bool append_entry(const char *text, GByteArray *out)
{
	static const u8 zeros[8];
	g_auto(GStrv) cells = g_strsplit(text, ":", -1);
	guint nr = g_strv_length(cells), start = out->len;
	struct activity_entry entry = { .state = ACTIVITY_OK };

	if (nr < 3)
		return false;
	entry.publisher = (u8)atoi(cells[0]);
	entry.format = (u8)atoi(cells[1]);
	if (nr > 3)
		entry.state = (u8)atoi(cells[3]);
	if (nr > 4)
		entry.cut = (u8)atoi(cells[4]);
	if (nr > 5)
		entry.cut = (u8)(entry.cut + atoi(cells[5]));
	g_byte_array_append(out, (const u8 *)&entry, sizeof(entry));
	if (!append_hex(cells[2], out))
		return false;
	entry.size = (u16)(out->len - start - sizeof(entry));
	memcpy(out->data + start, &entry, sizeof(entry));
	g_byte_array_append(out, zeros, (8 - entry.size % 8) % 8);
	return true;
}

bool publish_frame(const char *text, u8 context, GByteArray *out)
{
	g_auto(GStrv) entries = g_strsplit(text, ",", -1);
	struct activity_frame frame = { .version = ACTIVITY_FRAME_VERSION, .context = context };
	guint start = out->len;

	frame.nr = (u8)g_strv_length(entries);
	g_byte_array_append(out, (const u8 *)&frame, sizeof(frame));
	for (guint i = 0; i < frame.nr; i++)
		if (!append_entry(entries[i], out))
			return false;
	frame.size = (u16)(out->len - start);
	memcpy(out->data + start, &frame, sizeof(frame));
	return true;
}

/* A field of protobuf that has a length: sizes take two bytes, so that they need not be known. */
static guint begin_field(u32 number, GByteArray *out)
{
	u8 head[] = { (u8)(number << 3 | 2), 0x80, 0 };

	g_byte_array_append(out, head, sizeof(head));
	return out->len;
}

static void end_field(guint start, GByteArray *out)
{
	guint size = out->len - start;

	out->data[start - 2] = (u8)(0x80 | (size & 0x7f));
	out->data[start - 1] = (u8)(size >> 7 & 0x7f);
}

static void put_text(u32 number, const char *text, gsize size, GByteArray *out)
{
	guint field = begin_field(number, out);

	g_byte_array_append(out, (const u8 *)text, (guint)size);
	end_field(field, out);
}

/* KeyValue{key=1, value=2: AnyValue{string_value=1}} as field @number. */
static void put_attribute(u32 number, const char *pair, GByteArray *out)
{
	const char *equals = strchr(pair, '=') ?: pair + strlen(pair);
	const char *value = *equals ? equals + 1 : equals;
	guint field = begin_field(number, out), any;

	put_text(1, pair, (gsize)(equals - pair), out);
	any = begin_field(2, out);
	put_text(1, value, strlen(value), out);
	end_field(any, out);
	end_field(field, out);
}

/* The attribute of the context that names key indexes: AnyValue{array_value=5: {values=1}}. */
static void put_keys(const char *keys, GByteArray *out)
{
	static const char name[] = "threadlocal.attribute_key_map";
	g_auto(GStrv) names = g_strsplit(keys, ",", -1);
	guint field = begin_field(2, out), any, array;

	put_text(1, name, strlen(name), out);
	any = begin_field(2, out);
	array = begin_field(5, out);
	for (char **key = names; *key; key++) {
		guint value = begin_field(1, out);

		put_text(1, *key, strlen(*key), out);
		end_field(value, out);
	}
	end_field(array, out);
	end_field(any, out);
	end_field(field, out);
}

void publish_otel(const char *attributes, const char *keys, GByteArray *out)
{
	g_auto(GStrv) pairs = g_strsplit(attributes ?: "", ",", -1);
	guint resource = begin_field(1, out);

	for (char **pair = pairs; *pair; pair++)
		put_attribute(1, *pair, out);
	end_field(resource, out);
	if (keys)
		put_keys(keys, out);
}

void publish_elastic(const char *service, const char *environment, GByteArray *out)
{
	const char *const texts[] = { service ?: "", environment ?: "", "" };
	u16 minor = 1;

	g_byte_array_append(out, (const u8 *)&minor, sizeof(minor));
	for (u32 i = 0; i < ARRAY_SIZE(texts); i++) {
		u32 size = (u32)strlen(texts[i]);

		g_byte_array_append(out, (const u8 *)&size, sizeof(size));
		g_byte_array_append(out, (const u8 *)texts[i], size);
	}
}
