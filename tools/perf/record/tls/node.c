// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When the walk to a Node.js thread's context may begin. A process maps its library before it
 * publishes its context:
 *
 *	t=0.0 s	the variable is found		waiting until 1.0 s: the program reads nothing by it
 *	t=0.3 s	the process context is read: js_map_table_offset = 24	the walk begins with this number
 *	or
 *	t=1.0 s	nothing was stated		the walk begins with the defaults of bpf/node.h
 *
 * waiting has an entry for each process with the variable: the end of the wait, or 0 if it is over.
 * walks has only those that stated something. A child gets its parent's facts (tls_facts_fork()),
 * and these numbers with them.
 */
#include "record/tls/node.h"

#include <glib.h>
#include <stddef.h>
#include <linux/types.h>
#include <string.h>

#include "bpf/sample_tls.h"
#include "record/tls/facts.h"

#define TAGGED_SIZE "threadlocal.tagged_size"
#define WORD_SIZE   8	 /* size of V8's words without pointer compression */
#define MOST	    4096 /* a larger offset is not in an object */
#define WAIT_NS	    1000000000ull

struct node_walk {
	u16 table, header, record, wrapped, fields;
	bool foreign;
};

/*
 * Attributes of the process context. Newer publishers state the first three, older ones all except
 * the third.
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
	GHashTable *walks;   /* pid -> struct node_walk: processes that stated how they publish */
	GHashTable *waiting; /* pid -> u64: CLOCK_MONOTONIC when the wait ends; 0: it has ended */
};

struct tls_node *tls_node_new(void)
{
	struct tls_node *n = g_new0(struct tls_node, 1);

	n->walks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	n->waiting = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return n;
}

void tls_node_free(struct tls_node *n)
{
	if (!n)
		return;
	g_hash_table_destroy(n->walks);
	g_hash_table_destroy(n->waiting);
	g_free(n);
}

static bool is_waiting(const struct tls_node *n, u32 pid)
{
	const u64 *until = g_hash_table_lookup(n->waiting, GUINT_TO_POINTER(pid));

	return until && *until;
}

void tls_node_found(struct tls_node *n, u32 pid, u32 parent, u64 now_ns)
{
	gpointer key = GUINT_TO_POINTER(pid);
	u64 until = now_ns + WAIT_NS;

	/* The child inherits what its parent stated. */
	if (g_hash_table_contains(n->walks, key) || g_hash_table_contains(n->waiting, key) ||
	    (parent && !is_waiting(n, parent)))
		return;
	g_hash_table_insert(n->waiting, key, g_memdup2(&until, sizeof(until)));
}

void tls_node_gone(struct tls_node *n, u32 pid)
{
	g_hash_table_remove(n->walks, GUINT_TO_POINTER(pid));
	g_hash_table_remove(n->waiting, GUINT_TO_POINTER(pid));
}

void tls_node_due(struct tls_node *n, u64 now_ns, tls_node_fn fn, void *arg)
{
	GHashTableIter it;
	gpointer pid, value;

	g_hash_table_iter_init(&it, n->waiting);
	while (g_hash_table_iter_next(&it, &pid, &value)) {
		u64 *until = value;

		if (!*until || *until > now_ns)
			continue;
		*until = 0;
		fn(GPOINTER_TO_UINT(pid), arg);
	}
}

/* True: the attribute is about thread contexts. */
static bool take_attribute(const struct activity_attribute *a, struct node_walk *walk)
{
	guint64 number;

	if (!g_str_has_prefix(a->key, "threadlocal."))
		return false;
	if (!g_ascii_string_to_unsigned(a->value, 10, 0, MOST, &number, NULL))
		return true;
	if (strcmp(a->key, TAGGED_SIZE) == 0)
		walk->foreign = number != WORD_SIZE;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		u16 word = (u16)number;

		if (strcmp(a->key, words[i].key) == 0)
			memcpy((u8 *)walk + words[i].at, &word, sizeof(word));
	}
	return true;
}

/* False: the context states nothing about thread contexts. */
static bool read_walk(const struct tls_facts_news *news, struct node_walk *walk)
{
	struct activity_process *process =
		news->form == ACTIVITY_PROCESS_OTEL
			? activity_process_new(news->form, news->data, news->size)
			: NULL;
	bool stated = process && process->keys.nr;

	for (u32 i = 0; process && i < process->nr_attributes; i++)
		stated |= take_attribute(&process->attributes[i], walk);
	activity_process_free(process);
	return stated;
}

bool tls_node_take(struct tls_node *n, const struct tls_facts_news *news)
{
	static const struct node_walk standard;
	gpointer pid = GUINT_TO_POINTER(news->pid);
	const struct node_walk *old = g_hash_table_lookup(n->walks, pid) ?: &standard;
	u64 *until = g_hash_table_lookup(n->waiting, pid);
	struct node_walk walk;
	bool stated, changed;

	memset(&walk, 0, sizeof(walk));
	stated = read_walk(news, &walk);
	changed = memcmp(&walk, old, sizeof(walk)) != 0 || (stated && is_waiting(n, news->pid));
	if (stated && until)
		*until = 0;
	if (stated)
		g_hash_table_insert(n->walks, pid, g_memdup2(&walk, sizeof(walk)));
	else
		g_hash_table_remove(n->walks, pid);
	return changed;
}

void tls_node_fill(const struct tls_node *n, u32 pid, struct sample_tls_source *source)
{
	const struct node_walk *walk = g_hash_table_lookup(n->walks, GUINT_TO_POINTER(pid));

	if (source->what != SAMPLE_TLS_NODE)
		return;
	source->node_waits = !pid || is_waiting(n, pid);
	if (!walk)
		return;
	source->node_table = walk->table;
	source->node_header = walk->header;
	source->node_record = walk->record;
	source->node_wrapped = walk->wrapped;
	source->node_fields = walk->fields;
	source->node_foreign = walk->foreign;
}
