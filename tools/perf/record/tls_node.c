// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/tls_node.h"

#include <glib.h>
#include <stddef.h>
#include <linux/types.h>
#include <string.h>

#include "bpf/sample_tls.h"
#include "record/tls_facts.h"

#define TAGGED_SIZE "threadlocal.tagged_size"
#define WORD_SIZE   8	 /* of V8's words where pointers are not compressed */
#define MOST	    4096 /* a larger offset is none of an object's */

struct node_walk {
	u16 table, header, record, wrapped, fields;
	bool foreign;
};

/*
 * Attributes of the process context. Newer publishers state the first three; older ones all but the
 * third.
 */
static const struct {
	const char *key;
	size_t at;
} words[] = {
	{ "threadlocal.js_map_table_offset", offsetof(struct node_walk, table) },
	{ "threadlocal.ordered_hash_map_header_size", offsetof(struct node_walk, header) },
	{ "threadlocal.js_object_record_offset", offsetof(struct node_walk, record) },
	{ "threadlocal.wrapped_object_offset", offsetof(struct node_walk, wrapped) },
	{ "threadlocal.native_wrap_fields_offset", offsetof(struct node_walk, fields) },
};

struct tls_node {
	GHashTable *walks; /* pid -> struct node_walk; not those that are as the defaults */
};

struct tls_node *tls_node_new(void)
{
	struct tls_node *n = g_new0(struct tls_node, 1);

	n->walks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return n;
}

void tls_node_free(struct tls_node *n)
{
	if (!n)
		return;
	g_hash_table_destroy(n->walks);
	g_free(n);
}

static void take_attribute(const struct activity_attribute *a, struct node_walk *walk)
{
	guint64 number;

	if (!g_str_has_prefix(a->key, "threadlocal.") ||
	    !g_ascii_string_to_unsigned(a->value, 10, 0, MOST, &number, NULL))
		return;
	if (strcmp(a->key, TAGGED_SIZE) == 0)
		walk->foreign = number != WORD_SIZE;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		u16 word = (u16)number;

		if (strcmp(a->key, words[i].key) == 0)
			memcpy((u8 *)walk + words[i].at, &word, sizeof(word));
	}
}

static void read_walk(const struct tls_facts_news *news, struct node_walk *walk)
{
	struct activity_process *process =
		news->form == ACTIVITY_PROCESS_OTEL
			? activity_process_new(news->form, news->data, news->size)
			: NULL;

	for (u32 i = 0; process && i < process->nr_attributes; i++)
		take_attribute(&process->attributes[i], walk);
	activity_process_free(process);
}

bool tls_node_take(struct tls_node *n, const struct tls_facts_news *news)
{
	static const struct node_walk standard;
	gpointer pid = GUINT_TO_POINTER(news->pid);
	const struct node_walk *old = g_hash_table_lookup(n->walks, pid) ?: &standard;
	struct node_walk walk;
	bool changed;

	memset(&walk, 0, sizeof(walk));
	read_walk(news, &walk);
	changed = memcmp(&walk, old, sizeof(walk)) != 0;
	if (changed && memcmp(&walk, &standard, sizeof(walk)) == 0)
		g_hash_table_remove(n->walks, pid);
	else if (changed)
		g_hash_table_insert(n->walks, pid, g_memdup2(&walk, sizeof(walk)));
	return changed;
}

void tls_node_fill(const struct tls_node *n, u32 pid, struct sample_tls_source *source)
{
	const struct node_walk *walk = g_hash_table_lookup(n->walks, GUINT_TO_POINTER(pid));

	if (!walk || source->what != SAMPLE_TLS_NODE)
		return;
	source->node_table = walk->table;
	source->node_header = walk->header;
	source->node_record = walk->record;
	source->node_wrapped = walk->wrapped;
	source->node_fields = walk->fields;
	source->node_foreign = walk->foreign;
}
