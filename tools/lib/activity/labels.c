// SPDX-License-Identifier: GPL-2.0-or-later
/* The labels of an activity, in any format. */
#include <string.h>

#include "activity/decoders.h"

/* The end of a value that is too long: "..#" and a hash of eight digits. */
#define TAIL_SIZE 11

/* A bit in a size of a pair: the text was longer. */

#define CUT_MARK ".."

struct encoded_label {
	const char *key, *value;
	u8 key_size, size;
	bool key_cut, value_cut;
};

/* Reads the label at @at and moves @at behind it. False: the end, or the rest is cut off. */
static bool next_label(const struct activity_labels *labels, u32 *at, struct encoded_label *label)
{
	bool indexed = labels->form == ACTIVITY_LABELS_OTEP;
	u32 left = labels->size - *at, size;
	const u8 *bytes;

	if (left < 2 || labels->form == ACTIVITY_LABELS_NONE)
		return false;
	bytes = labels->data + *at;
	label->key_size = indexed ? 0 : bytes[0] & ~ACTIVITY_TEXT_CUT;
	label->size = indexed ? bytes[1] : bytes[1] & ~ACTIVITY_TEXT_CUT;
	label->key_cut = !indexed && bytes[0] & ACTIVITY_TEXT_CUT;
	label->value_cut = !indexed && bytes[1] & ACTIVITY_TEXT_CUT;
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

/* Cut keys may be different keys. */
static bool same_key(const struct encoded_label *a, const struct encoded_label *b)
{
	return a->key && b->key && a->key_size == b->key_size && !a->key_cut && !b->key_cut &&
	       memcmp(a->key, b->key, a->key_size) == 0;
}

/* Is another label of the same key valid instead: a later one, or for pairs an earlier one? */
static bool is_hidden(const struct activity_labels *labels, u32 start, u32 end,
		      const struct encoded_label *label)
{
	bool last_counts = labels->form == ACTIVITY_LABELS_OTEP;
	u32 at = last_counts ? end : 0;
	struct encoded_label other;

	while ((last_counts || at < start) && next_label(labels, &at, &other)) {
		if (same_key(&other, label))
			return true;
	}
	return false;
}

typedef void (*each_fn)(const struct encoded_label *label, void *arg);

/* Visits each valid label. */
static void each_label(const struct activity_labels *labels, each_fn fn, void *arg)
{
	struct encoded_label label;
	u32 at = 0, start = 0;

	for (; next_label(labels, &at, &label); start = at) {
		if (label.key && !is_hidden(labels, start, at, &label))
			fn(&label, arg);
	}
}

struct teller {
	activity_label_fn fn;
	void *arg;
};

static void tell_label(const struct encoded_label *label, void *arg)
{
	const struct teller *t = arg;

	t->fn(label->key, label->key_size, label->value, label->size, t->arg);
}

void activity_each_label(const struct activity *activity, activity_label_fn fn, void *arg)
{
	struct teller t = { fn, arg };

	each_label(&activity->labels, tell_label, &t);
}

/* Finds the valid label of @key. */
static bool find_label(const struct activity_labels *labels, const char *key,
		       struct encoded_label *found)
{
	size_t key_size = strlen(key);
	struct encoded_label label;
	bool any = false;
	u32 at = 0;

	while (next_label(labels, &at, &label)) {
		if (!label.key || label.key_cut || label.key_size != key_size ||
		    memcmp(label.key, key, key_size) != 0)
			continue;
		*found = label;
		any = true;
		if (labels->form == ACTIVITY_LABELS_PAIRS)
			break;
	}
	return any;
}

bool activity_label(const struct activity *activity, const char *key, const char **value,
		    size_t *size)
{
	struct encoded_label label;

	if (!find_label(&activity->labels, key, &label))
		return false;
	*value = label.value;
	*size = label.size;
	return true;
}

bool activity_label_is_cut(const struct activity *activity, const char *key)
{
	struct encoded_label label;

	return find_label(&activity->labels, key, &label) && label.value_cut;
}

static void take_label(const struct encoded_label *label, void *arg)
{
	g_array_append_val((GArray *)arg, *label);
}

static int order_labels(const void *a, const void *b)
{
	const struct encoded_label *x = a, *y = b;
	int order = memcmp(x->key, y->key, MIN(x->key_size, y->key_size));

	return order ? order : x->key_size - y->key_size;
}

static void add_part(GString *text, const char *part, u8 size, bool cut)
{
	g_string_append_len(text, part, size);
	if (cut)
		g_string_append(text, CUT_MARK);
}

static void add_text(GString *text, const struct encoded_label *label)
{
	if (text->len)
		g_string_append_c(text, ' ');
	add_part(text, label->key, label->key_size, label->key_cut);
	g_string_append_c(text, '=');
	add_part(text, label->value, label->size, label->value_cut);
}

static void add_cut(const struct encoded_label *label, void *arg)
{
	GString *out = arg;

	if (!label->key_cut && !label->value_cut)
		return;
	g_string_append(out, out->len ? ", " : "");
	add_part(out, label->key, label->key_size, label->key_cut);
	if (label->value_cut)
		g_string_append(out, "=" CUT_MARK);
}

void activity_cut_labels(const struct activity *activity, GString *out)
{
	const struct activity_labels *labels = &activity->labels;

	each_label(labels, add_cut, out);
	if (labels->missing)
		g_string_append_printf(out, "%s+%u", out->len ? ", " : "", labels->missing);
	else if (labels->cut && !out->len) /* not even the number of missing labels is known */
		g_string_append(out, CUT_MARK);
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
	g_autoptr(GArray) labels = g_array_new(FALSE, FALSE, sizeof(struct encoded_label));
	GString *text = g_string_sized_new(256);
	bool marked = false;

	/* Sort by key: labels are a set, and the order of Go's maps varies. */
	each_label(&a->labels, take_label, labels);
	g_array_sort(labels, order_labels);
	for (guint i = 0; i < labels->len; i++) {
		const struct encoded_label *label = &g_array_index(labels, struct encoded_label, i);

		add_text(text, label);
		marked |= label->key_cut || label->value_cut;
	}
	if (a->labels.missing && text->len)
		g_string_append_printf(text, " +%u", a->labels.missing);
	else if (a->labels.cut && text->len && !marked)
		g_string_append(text, " " CUT_MARK);
	if (text->len > sizeof(a->value)) {
		u32 hash = hash_of(text);

		g_string_truncate(text, sizeof(a->value) - TAIL_SIZE);
		g_string_append_printf(text, "..#%08x", hash);
	}
	memcpy(a->value, text->str, text->len);
	a->value_size = (u8)text->len;
	g_string_free(text, TRUE);
}
