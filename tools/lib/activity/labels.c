// SPDX-License-Identifier: GPL-2.0-or-later
/* The labels of an activity, whichever way they were written. */
#include <string.h>

#include "activity/decoders.h"

/* The hash of a value that does not fit: "..#" and eight digits. */
#define TAIL_SIZE 11

struct label {
	const char *key, *value;
	u8 key_size, size;
};

/* The next label at @at, which moves behind it; false at the end, and where the rest is cut off. */
static bool next_label(const struct activity_labels *labels, u32 *at, struct label *label)
{
	bool indexed = labels->form == ACTIVITY_LABELS_OTEP;
	u32 left = labels->size - *at, size;
	const u8 *bytes;

	if (left < 2 || labels->form == ACTIVITY_LABELS_NONE)
		return false;
	bytes = labels->data + *at;
	label->key_size = indexed ? 0 : bytes[0];
	label->size = bytes[1];
	size = 2u + label->key_size + label->size;
	if (size > left)
		return false;
	*at += size;
	label->key = (const char *)bytes + 2;
	label->value = label->key + label->key_size;
	if (indexed) {
		label->key = labels->keys && bytes[0] < labels->keys->nr
				     ? labels->keys->names[bytes[0]]
				     : NULL;
		label->key_size = label->key ? (u8)MIN(strlen(label->key), G_MAXUINT8) : 0;
	}
	return true;
}

static bool same_key(const struct label *a, const struct label *b)
{
	return a->key && b->key && a->key_size == b->key_size &&
	       memcmp(a->key, b->key, a->key_size) == 0;
}

/* Is there another of that key which counts instead: a later one, or for pairs an earlier? */
static bool is_hidden(const struct activity_labels *labels, u32 start, u32 end,
		      const struct label *label)
{
	bool last_counts = labels->form == ACTIVITY_LABELS_OTEP;
	u32 at = last_counts ? end : 0;
	struct label other;

	while ((last_counts || at < start) && next_label(labels, &at, &other)) {
		if (same_key(&other, label))
			return true;
	}
	return false;
}

void activity_each_label(const struct activity *activity, activity_label_fn fn, void *arg)
{
	const struct activity_labels *labels = &activity->labels;
	struct label label;
	u32 at = 0, start = 0;

	for (; next_label(labels, &at, &label); start = at) {
		if (label.key && !is_hidden(labels, start, at, &label))
			fn(label.key, label.key_size, label.value, label.size, arg);
	}
}

bool activity_label(const struct activity *activity, const char *key, const char **value,
		    size_t *size)
{
	const struct activity_labels *labels = &activity->labels;
	size_t key_size = strlen(key);
	struct label label;
	bool found = false;
	u32 at = 0;

	while (next_label(labels, &at, &label)) {
		if (!label.key || label.key_size != key_size ||
		    memcmp(label.key, key, key_size) != 0)
			continue;
		*value = label.value;
		*size = label.size;
		found = true;
		if (labels->form == ACTIVITY_LABELS_PAIRS)
			break;
	}
	return found;
}

static void take_label(const char *key, size_t key_size, const char *value, size_t size, void *arg)
{
	struct label label = { key, value, (u8)key_size, (u8)size };

	g_array_append_val((GArray *)arg, label);
}

static int order_labels(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int order = memcmp(x->key, y->key, MIN(x->key_size, y->key_size));

	return order ? order : x->key_size - y->key_size;
}

static void add_text(GString *text, const struct label *label)
{
	if (text->len)
		g_string_append_c(text, ' ');
	g_string_append_len(text, label->key, label->key_size);
	g_string_append_c(text, '=');
	g_string_append_len(text, label->value, label->size);
}

static u32 hash_of(const GString *text)
{
	u64 hash = 0xcbf29ce484222325u;

	for (gsize i = 0; i < text->len; i++)
		hash = (hash ^ (u8)text->str[i]) * 0x100000001b3u;
	return (u32)(hash ^ hash >> 32);
}

void activity_value_of_labels(struct activity *a)
{
	g_autoptr(GArray) labels = g_array_new(FALSE, FALSE, sizeof(struct label));
	GString *text = g_string_sized_new(256);

	/* By key: a set has no order, and Go's maps none that would be the same twice. */
	activity_each_label(a, take_label, labels);
	g_array_sort(labels, order_labels);
	for (guint i = 0; i < labels->len; i++)
		add_text(text, &g_array_index(labels, struct label, i));
	if (text->len > sizeof(a->value)) {
		u32 hash = hash_of(text);

		g_string_truncate(text, sizeof(a->value) - TAIL_SIZE);
		g_string_append_printf(text, "..#%08x", hash);
	}
	memcpy(a->value, text->str, text->len);
	a->value_size = (u8)text->len;
	g_string_free(text, TRUE);
}
