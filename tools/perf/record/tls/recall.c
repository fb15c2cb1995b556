// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The key of a place is the number of the variable and the addresses of the objects
 * (tls/objects.h), in the order of loading: an object lives as long as the recording, so its
 * address names the file.
 *
 *	{ 0, libc.so.6, libfoo.so, libotel.so } -> TP - 0x2f0
 *
 * A process that loaded the same three files in this order has the variable there.
 */
#include "record/tls/recall.h"

#include <glib.h>

#define MAX_PLACES 4096

struct tls_recall {
	GHashTable *places; /* GBytes of a struct tls_loaded -> struct tls_place */
};

struct tls_recall *tls_recall_new(void)
{
	struct tls_recall *r = g_new0(struct tls_recall, 1);

	r->places = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
					  (GDestroyNotify)g_bytes_unref, g_free);
	return r;
}

void tls_recall_free(struct tls_recall *r)
{
	if (!r)
		return;
	g_hash_table_destroy(r->places);
	g_free(r);
}

static GBytes *key_of(const struct tls_loaded *loaded)
{
	GByteArray *key = g_byte_array_new();

	g_byte_array_append(key, (const u8 *)&loaded->number, sizeof(loaded->number));
	if (loaded->nr)
		g_byte_array_append(key, (const u8 *)loaded->files,
				    (guint)(loaded->nr * sizeof(*loaded->files)));
	return g_byte_array_free_to_bytes(key);
}

void tls_recall_learn(struct tls_recall *r, const struct tls_loaded *loaded,
		      const struct tls_place *place)
{
	GBytes *key;

	if (place->reach != TLS_STATIC || g_hash_table_size(r->places) >= MAX_PLACES)
		return;
	key = key_of(loaded);
	if (g_hash_table_contains(r->places, key))
		g_bytes_unref(key);
	else
		g_hash_table_insert(r->places, key, g_memdup2(place, sizeof(*place)));
}

bool tls_recall_find(const struct tls_recall *r, const struct tls_loaded *loaded,
		     struct tls_place *place)
{
	g_autoptr(GBytes) key = key_of(loaded);
	const struct tls_place *found = g_hash_table_lookup(r->places, key);

	if (found)
		*place = *found;
	return found;
}
