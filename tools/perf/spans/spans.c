// SPDX-License-Identifier: GPL-2.0-or-later
#include "spans/spans.h"

#include <string.h>

#include "base/intern.h"
#include "base/table.h"
#include "base/text.h"

#define TEXT_MAX  200u
#define NR_OWNERS (1u << 24)
#define SEVERAL	  UINT32_MAX /* several services have spans of this name */

/* A list of labels. Lists share their tails: a thousand equal lists need the memory of one. */
struct span_label {
	u32 next; /* index + 1; 0: end */
	u32 key, value;
};

struct spans {
	struct intern *texts;
	GHashTable *kept;     /* keys of attributes to keep: set of texts */
	GHashTable *services; /* name -> the service with spans of that name, or SEVERAL; +1 */
	GArray *spans;	      /* struct span; replaced spans have id 0 */
	struct table index;   /* by trace and id */
	struct table alone;   /* by id: the first nr_alone spans */
	u32 nr_alone;
	GByteArray *traces; /* SPAN_TRACE_ID_SIZE bytes each */
	struct table trace_index;
	GArray *labels; /* struct span_label */
	struct table label_index;
	GArray *owners; /* struct span_owner */
	struct table owner_index;
	u32 batch; /* first span of the present batch */
	struct spans_counts counts;
};

u64 span_number(const u8 *id)
{
	u64 number = 0;

	for (u32 i = 0; i < sizeof(number); i++)
		number = number << 8 | id[i];
	return number;
}

void span_bytes(u64 number, u8 *id)
{
	for (u32 i = 0; i < sizeof(number); i++)
		id[i] = (u8)(number >> (56 - 8 * i));
}

bool span_id_parse(const char *text, size_t length, u8 *id, u32 size)
{
	memset(id, 0, size);
	if (!length || length > 2 * (size_t)size)
		return false;
	for (size_t i = 0; i < length; i++) {
		size_t from_end = length - 1 - i;
		int digit = g_ascii_xdigit_value(text[i]);

		if (digit < 0)
			return false;
		id[size - 1 - from_end / 2] |= (u8)(from_end & 1 ? digit << 4 : digit);
	}
	return true;
}

struct spans *spans_new(void)
{
	struct spans *s = g_new0(struct spans, 1);
	struct span_owner nobody = { 0, 0 };

	s->texts = intern_new();
	s->kept = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->services = g_hash_table_new(NULL, NULL);
	s->spans = g_array_new(FALSE, FALSE, sizeof(struct span));
	s->traces = g_byte_array_new();
	s->labels = g_array_new(FALSE, FALSE, sizeof(struct span_label));
	s->owners = g_array_new(FALSE, FALSE, sizeof(struct span_owner));
	g_array_append_val(s->owners, nobody);
	table_init(&s->index);
	table_init(&s->alone);
	table_init(&s->trace_index);
	table_init(&s->label_index);
	table_init(&s->owner_index);
	return s;
}

void spans_free(struct spans *s)
{
	if (!s)
		return;
	intern_free(s->texts);
	g_hash_table_destroy(s->kept);
	g_hash_table_destroy(s->services);
	g_array_unref(s->spans);
	g_byte_array_unref(s->traces);
	g_array_unref(s->labels);
	g_array_unref(s->owners);
	table_release(&s->index);
	table_release(&s->alone);
	table_release(&s->trace_index);
	table_release(&s->label_index);
	table_release(&s->owner_index);
	g_free(s);
}

void spans_keep(struct spans *s, const char *key)
{
	g_hash_table_add(s->kept, g_strdup(key));
}

u32 spans_nr(const struct spans *s)
{
	return (u32)s->counts.spans;
}

const struct span *spans_at(const struct spans *s, u32 i)
{
	return &g_array_index(s->spans, struct span, i);
}

const struct spans_counts *spans_counts(const struct spans *s)
{
	return &s->counts;
}

static struct span *span_at(const struct spans *s, u32 i)
{
	return &g_array_index(s->spans, struct span, i);
}

static u32 trace_hash(const u8 *id)
{
	u64 words[2];

	memcpy(words, id, sizeof(words));
	return table_fold(table_mix(table_mix(0, words[0]), words[1]));
}

static s64 find_trace(const struct spans *s, const u8 *id)
{
	u32 hash = trace_hash(id), at = hash;
	s64 i;

	while ((i = table_next(&s->trace_index, hash, &at)) >= 0)
		if (!memcmp(s->traces->data + i * SPAN_TRACE_ID_SIZE, id, SPAN_TRACE_ID_SIZE))
			return i;
	return -1;
}

static u32 get_trace(struct spans *s, const u8 *id)
{
	s64 known = find_trace(s, id);
	u32 nr = s->traces->len / SPAN_TRACE_ID_SIZE;

	if (known >= 0)
		return (u32)known;
	g_byte_array_append(s->traces, id, SPAN_TRACE_ID_SIZE);
	table_add(&s->trace_index, trace_hash(id), nr);
	return nr;
}

static u32 span_hash(u32 trace, u64 id)
{
	return table_fold(table_mix(table_mix(0, trace), id));
}

static struct span *find(const struct spans *s, u32 trace, u64 id)
{
	u32 hash = span_hash(trace, id), at = hash;
	s64 i;

	while (id && (i = table_next(&s->index, hash, &at)) >= 0)
		if (span_at(s, (u32)i)->id == id && span_at(s, (u32)i)->trace == trace)
			return span_at(s, (u32)i);
	return NULL;
}

const struct span *spans_find(const struct spans *s, const u8 *trace_id, u64 id)
{
	s64 trace = s->counts.spans ? find_trace(s, trace_id) : -1;

	return trace >= 0 ? find(s, (u32)trace, id) : NULL;
}

const u8 *spans_trace_id(const struct spans *s, const struct span *span)
{
	return s->traces->data + (size_t)span->trace * SPAN_TRACE_ID_SIZE;
}

static u32 alone_hash(u64 id)
{
	return table_fold(table_mix(0, id));
}

void spans_settle(struct spans *s)
{
	for (; s->nr_alone < s->spans->len; s->nr_alone++)
		table_add(&s->alone, alone_hash(span_at(s, s->nr_alone)->id), s->nr_alone);
}

const struct span *spans_find_alone(struct spans *s, const u8 *trace_low, u64 id)
{
	const size_t half = SPAN_TRACE_ID_SIZE / 2;
	const struct span *found = NULL;
	u32 hash = alone_hash(id), at = hash;
	s64 i;

	spans_settle(s);
	while (id && (i = table_next(&s->alone, hash, &at)) >= 0) {
		const struct span *span = span_at(s, (u32)i);

		if (span->id != id ||
		    (trace_low && memcmp(spans_trace_id(s, span) + half, trace_low, half)))
			continue;
		if (found)
			return NULL;
		found = span;
	}
	return found;
}

const struct span *spans_parent(const struct spans *s, const struct span *span)
{
	return find(s, span->trace, span->parent);
}

const char *spans_name(const struct spans *s, const struct span *span)
{
	return intern_text(s->texts, span->name);
}

static const struct span_owner *owner_of(const struct spans *s, const struct span *span)
{
	return &g_array_index(s->owners, struct span_owner, span->owner);
}

const char *spans_service(const struct spans *s, const struct span *span)
{
	return intern_text(s->texts, owner_of(s, span)->service);
}

static const char *label_in(const struct spans *s, u32 labels, const char *key)
{
	while (labels) {
		const struct span_label *l =
			&g_array_index(s->labels, struct span_label, labels - 1);

		if (!strcmp(intern_text(s->texts, l->key), key))
			return intern_text(s->texts, l->value);
		labels = l->next;
	}
	return NULL;
}

const char *spans_label(const struct spans *s, const struct span *span, const char *key)
{
	const struct span *at = span;
	const char *value = NULL;

	for (u32 up = 0; at && !value && up < SPANS_MAX_DEPTH; up++) {
		value = label_in(s, at->labels, key);
		at = spans_parent(s, at);
	}
	return value ?: label_in(s, owner_of(s, span)->labels, key);
}

const struct span *spans_root(const struct spans *s, const struct span *span)
{
	for (u32 up = 0; up < SPANS_MAX_DEPTH; up++) {
		const struct span *parent = spans_parent(s, span);

		if (!parent || owner_of(s, parent)->service != owner_of(s, span)->service)
			break;
		span = parent;
	}
	return span;
}

bool spans_is_ambiguous(const struct spans *s, const struct span *span)
{
	gpointer user = g_hash_table_lookup(s->services, GUINT_TO_POINTER(span->name));

	return GPOINTER_TO_SIZE(user) == (size_t)SEVERAL + 1;
}

u32 spans_text_id(struct spans *s, const char *text, size_t size)
{
	g_autofree char *clean = text_clean(text, size, TEXT_MAX);

	return intern_id(s->texts, g_strstrip(clean));
}

bool spans_is_kept(const struct spans *s, const char *key, size_t size)
{
	char text[TEXT_MAX + 1];

	if (size > TEXT_MAX || !g_hash_table_size(s->kept))
		return false;
	memcpy(text, key, size);
	text[size] = '\0';
	return g_hash_table_contains(s->kept, text);
}

u32 spans_add_label(struct spans *s, u32 labels, const char *key, size_t key_size,
		    const char *value, size_t value_size)
{
	struct span_label new = { labels, spans_text_id(s, key, key_size),
				  spans_text_id(s, value, value_size) };
	u64 mixed = table_mix(table_mix(labels, new.key), new.value);
	u32 hash = table_fold(mixed), at = hash;
	s64 i;

	while ((i = table_next(&s->label_index, hash, &at)) >= 0) {
		const struct span_label *l = &g_array_index(s->labels, struct span_label, i);

		if (l->next == new.next && l->key == new.key && l->value == new.value)
			return (u32)i + 1;
	}
	g_array_append_val(s->labels, new);
	table_add(&s->label_index, hash, s->labels->len - 1);
	return s->labels->len;
}

/*
 * Client and server can both export a span with the same id. Prefer the server's: it tells where the time was spent.
 */
static bool replaces(const struct span_facts *new, const struct span *old)
{
	return new->kind == SPAN_SERVER &&new->shared && old->kind != SPAN_SERVER;
}

void spans_add(struct spans *s, const struct span_facts *f, u32 owner)
{
	static const u8 none[SPAN_TRACE_ID_SIZE];
	struct span *known, new = {
		.id = f->id,
		.parent = f->parent == f->id ? 0 : f->parent,
		.start_ns = f->start_ns,
		.duration_ns = f->duration_ns,
		.name = f->name,
		.labels = f->labels,
		.owner = MIN(owner, NR_OWNERS - 1),
		.status = f->status,
		.kind = f->kind,
	};

	if (!f->id || !memcmp(f->trace_id, none, sizeof(none))) {
		s->counts.nameless++;
		return;
	}
	new.trace = get_trace(s, f->trace_id);
	known = find(s, new.trace, new.id);
	if (known) {
		s->counts.repeated++;
		if (!replaces(f, known))
			return;
		new.parent = known->parent;
		known->id = 0;
		s->counts.spans--;
	}
	s->counts.spans++;
	g_array_append_val(s->spans, new);
	table_add(&s->index, span_hash(new.trace, new.id), s->spans->len - 1);
}

static u32 owner_id(struct spans *s, const struct span_owner *owner)
{
	u32 hash = table_fold(table_mix(owner->service, owner->labels)), at = hash;
	s64 i;

	if (!owner->service && !owner->labels)
		return 0;
	while ((i = table_next(&s->owner_index, hash, &at)) >= 0) {
		const struct span_owner *o = &g_array_index(s->owners, struct span_owner, i);

		if (o->service == owner->service && o->labels == owner->labels)
			return (u32)i;
	}
	if (s->owners->len == NR_OWNERS)
		return 0;
	g_array_append_vals(s->owners, owner, 1);
	table_add(&s->owner_index, hash, s->owners->len - 1);
	return s->owners->len - 1;
}

static void note_service(struct spans *s, const struct span *span)
{
	gpointer name = GUINT_TO_POINTER(span->name);
	size_t service = (size_t)owner_of(s, span)->service + 1;
	size_t known = GPOINTER_TO_SIZE(g_hash_table_lookup(s->services, name));

	if (known == service || known == (size_t)SEVERAL + 1)
		return;
	g_hash_table_insert(s->services, name,
			    GSIZE_TO_POINTER(known ? (size_t)SEVERAL + 1 : service));
}

void spans_end_batch(struct spans *s, const struct span_owner *owners, u32 nr)
{
	g_autofree u32 *ids = g_new0(u32, nr + 1);

	if (s->batch == s->spans->len)
		return;
	for (u32 i = 0; i < nr; i++)
		ids[i] = owner_id(s, &owners[i]);
	for (; s->batch < s->spans->len; s->batch++) {
		struct span *span = span_at(s, s->batch);

		span->owner = span->owner < nr ? ids[span->owner] : 0;
		note_service(s, span);
	}
}

void spans_note_cut(struct spans *s)
{
	s->counts.cut++;
}

const char *span_status_name(enum span_status status)
{
	static const char *const names[] = { "unset", "ok", "error" };

	return names[status];
}

const char *span_kind_name(enum span_kind kind)
{
	static const char *const names[] = { "unspecified", "internal", "server",
					     "client",	    "producer", "consumer" };

	return names[kind];
}
