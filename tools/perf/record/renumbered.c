// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/renumbered.h"

#include <string.h>

#include "perfdata/decoder.h"
#include "perfdata/evsel.h"

struct renumbered {
	struct perfdata_decoder *decoder;
	GMutex lock;
	GHashTable *first; /* u64 -> u64: an id, and the one that its event had first */
	u64 copy[(UINT16_MAX + 1) / sizeof(u64)];
};

static void add_evsels(const struct event_list *list, GPtrArray *evsels)
{
	for (u32 i = 0; i < list->specs->len; i++)
		g_ptr_array_add(evsels, event_list_at(list, i)->evsel);
}

struct renumbered *renumbered_new(const struct recording *rec)
{
	g_autoptr(GPtrArray) evsels = g_ptr_array_new();
	struct perfdata_decoder *decoder;
	struct renumbered *n;

	add_evsels(rec->events, evsels);
	for (u32 i = 0; i < rec->more_events->len; i++)
		add_evsels(&((struct event_set *)g_ptr_array_index(rec->more_events, i))->list,
			   evsels);
	for (u32 i = 0; i < evsels->len; i++)
		if (((struct evsel *)g_ptr_array_index(evsels, i))->attr.sample_type &
		    PERF_SAMPLE_READ)
			return NULL;
	decoder = perfdata_decoder_new((struct evsel *const *)evsels->pdata, evsels->len, NULL);
	if (!decoder)
		return NULL;
	n = g_new0(struct renumbered, 1);
	n->decoder = decoder;
	g_mutex_init(&n->lock);
	n->first = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return n;
}

void renumbered_free(struct renumbered *n)
{
	if (!n)
		return;
	perfdata_decoder_free(n->decoder);
	g_hash_table_unref(n->first);
	g_mutex_clear(&n->lock);
	g_free(n);
}

void renumbered_add(struct renumbered *n, u64 id, u64 before)
{
	const u64 *first;

	g_mutex_lock(&n->lock);
	first = g_hash_table_lookup(n->first, &before);
	g_hash_table_insert(n->first, g_memdup2(&id, sizeof(id)),
			    g_memdup2(first ?: &before, sizeof(before)));
	g_mutex_unlock(&n->lock);
}

const struct perf_event_header *renumbered_record(struct renumbered *n,
						  const struct perf_event_header *record)
{
	u32 at[DECODER_MOST_IDS], nr = perfdata_decoder_ids(n->decoder, record, at);

	memcpy(n->copy, record, record->size);
	g_mutex_lock(&n->lock);
	for (u32 i = 0; i < nr; i++) {
		u64 *id = n->copy + at[i] / sizeof(u64);
		const u64 *first = g_hash_table_lookup(n->first, id);

		if (first)
			*id = *first;
	}
	g_mutex_unlock(&n->lock);
	return (const struct perf_event_header *)n->copy;
}
