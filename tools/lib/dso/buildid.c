// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/buildid.h"

#include <elf.h>
#include <string.h>

#include "base/cursor.h"

struct build_id build_id_of(const void *bytes, size_t size)
{
	struct build_id id = { 0 };
	const u8 *at = bytes;
	bool any = false;

	if (size > BUILD_ID_MAX)
		return id;
	for (size_t i = 0; i < size; i++)
		any |= at[i] != 0;
	if (!any)
		return id;
	memcpy(id.bytes, bytes, size);
	id.size = size;
	return id;
}

struct build_id build_id_of_contents(const void *bytes, size_t size)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA1);
	struct build_id id = { 0 };
	gsize length = sizeof(id.bytes);

	g_checksum_update(sum, bytes, (gssize)size);
	g_checksum_get_digest(sum, id.bytes, &length);
	g_checksum_free(sum);
	id.size = (u8)length;
	return id;
}

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	/* Bytes past size are zero, so a padded id compares equal. */
	return a->size && b->size && !memcmp(a->bytes, b->bytes, BUILD_ID_MAX);
}

const char *build_id_hex(const struct build_id *id, char hex[static BUILD_ID_HEX])
{
	for (size_t i = 0; i < id->size; i++)
		g_snprintf(hex + 2 * i, 3, "%02x", id->bytes[i]);
	hex[2 * id->size] = 0;
	return hex;
}

bool build_id_parse(const char *hex, struct build_id *out)
{
	size_t len = strlen(hex);
	u8 bytes[BUILD_ID_MAX];

	*out = (struct build_id){ 0 };
	if (!len || len % 2 || len > 2 * BUILD_ID_MAX)
		return false;
	for (size_t i = 0; i < len; i += 2) {
		int high = g_ascii_xdigit_value(hex[i]), low = g_ascii_xdigit_value(hex[i + 1]);

		if (high < 0 || low < 0)
			return false;
		bytes[i / 2] = high << 4 | low;
	}
	*out = build_id_of(bytes, len / 2);
	return out->size;
}

bool build_id_from_notes(const void *notes, size_t size, struct build_id *out)
{
	struct cursor c = cursor_of(notes, size);

	*out = (struct build_id){ 0 };
	while (cursor_left(&c) >= 12) {
		u32 name_size = cursor_u32(&c), desc_size = cursor_u32(&c), type = cursor_u32(&c);
		const void *name = cursor_bytes(&c, ALIGN_UP((u64)name_size, 4));
		const void *desc = cursor_bytes(&c, desc_size);
		u64 pad = ALIGN_UP((u64)desc_size, 4) - desc_size;

		if (!name || !desc)
			return false;
		cursor_bytes(&c, MIN(pad, cursor_left(&c)));
		if (type != NT_GNU_BUILD_ID || name_size != 4 || memcmp(name, "GNU", 4))
			continue;
		*out = build_id_of(desc, desc_size);
		return out->size;
	}
	return false;
}

char *build_id_cache_folder(void)
{
	const char *home = g_getenv("HOME");

	return g_build_filename(home ?: "/", ".debug", NULL);
}
