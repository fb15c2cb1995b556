// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/intern.h"

#include <glib.h>
#include <string.h>

#define NR_RECENT 64

/* Callers ask for the same texts again, at the same place. To compare a long text is quicker than to hash it. */
struct recent_text {
	const char *text; /* of the caller; only to be compared with another one's address */
	u32 id;
};

struct intern {
	GStringChunk *bytes;
	GHashTable *ids;		      /* text -> id */
	GPtrArray *texts;		      /* id -> text */
	struct recent_text recent[NR_RECENT]; /* the address selects the place */
};

struct intern *intern_new(void)
{
	struct intern *in = g_new0(struct intern, 1);

	in->bytes = g_string_chunk_new(4096);
	in->ids = g_hash_table_new(g_str_hash, g_str_equal);
	in->texts = g_ptr_array_new();
	intern_id(in, "");
	return in;
}

void intern_free(struct intern *in)
{
	if (!in)
		return;
	g_hash_table_destroy(in->ids);
	g_ptr_array_free(in->texts, TRUE);
	g_string_chunk_free(in->bytes);
	g_free(in);
}

u32 intern_id(struct intern *in, const char *text)
{
	struct recent_text *recent;
	gpointer id;
	char *copy;

	if (!text)
		text = "";
	recent = &in->recent[((uintptr_t)text >> 3) % NR_RECENT];
	if (recent->text == text && !strcmp(intern_text(in, recent->id), text))
		return recent->id;
	if (!g_hash_table_lookup_extended(in->ids, text, NULL, &id)) {
		id = GUINT_TO_POINTER(in->texts->len);
		copy = g_string_chunk_insert(in->bytes, text);
		g_hash_table_insert(in->ids, copy, id);
		g_ptr_array_add(in->texts, copy);
	}
	*recent = (struct recent_text){ text, GPOINTER_TO_UINT(id) };
	return recent->id;
}

const char *intern_text(const struct intern *in, u32 id)
{
	return g_ptr_array_index(in->texts, id);
}
