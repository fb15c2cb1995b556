// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/content_id.h"

#include <string.h>

void content_id_begin(struct content_id *c, const char *recipe)
{
	c->sha = g_checksum_new(G_CHECKSUM_SHA256);
	content_id_text(c, recipe);
}

void content_id_text(struct content_id *c, const char *text)
{
	g_checksum_update(c->sha, (const guchar *)text, (gssize)strlen(text) + 1);
}

void content_id_number(struct content_id *c, u64 number)
{
	u8 bytes[8];

	for (u32 i = 0; i < 8; i++)
		bytes[i] = (u8)(number >> 8 * i);
	g_checksum_update(c->sha, bytes, sizeof(bytes));
}

u64 content_id_end(struct content_id *c)
{
	u8 hash[32];
	gsize size = sizeof(hash);
	u64 id = 0;

	g_checksum_get_digest(c->sha, hash, &size);
	g_checksum_free(c->sha);
	for (u32 i = 0; i < 8; i++)
		id |= (u64)hash[i] << 8 * i;
	return id ?: 1;
}
