// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * LAYOUT texts, and windows under layouts as a file may state them: five words (format, tpoff,
 * offset, size, dyn_size), then the window; or a text when the first byte is a letter. The words'
 * upper bytes state whether there is a frame and whose entry is wanted.
 */
#include <stdlib.h>
#include <string.h>

#include "activity/identity.h"
#include "activity/label_ids.h"
#include "activity/layout.h"
#include "activity/process.h"
#include "base/cursor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count_label(const char *key, size_t key_size, const char *value, size_t size, void *arg)
{
	char *text = arg;

	for (size_t i = 0; i < key_size; i++)
		text[0] ^= key[i];
	for (size_t i = 0; i < size; i++)
		text[0] ^= value[i];
}

static void use(const struct activity *activity)
{
	char text[ACTIVITY_TEXT_MAX];
	GString *cut = g_string_new("");
	const char *value;
	size_t value_size;

	memset(text, 'x', sizeof(text));
	activity_print(activity, text);
	if (!memchr(text, '\0', sizeof(text)) || !g_utf8_validate(text, -1, NULL))
		abort();
	if (!activity_equal(activity, activity))
		abort();
	activity_hash(activity);
	activity_each_label(activity, count_label, text);
	activity_label(activity, "a", &value, &value_size);
	activity_label_is_cut(activity, "a");
	activity_cut_labels(activity, cut);
	g_string_free(cut, TRUE);
}

/* Ids from labels are ids: not zero, and of no other state. */
static void use_label_ids(struct activity activity)
{
	static const struct activity_id_names names;
	static const u8 none[24];
	bool had = activity.has & ACTIVITY_HAS_IDS;

	activity_take_label_ids(&activity, &names);
	if (!had && activity.has & ACTIVITY_HAS_IDS &&
	    (activity.state != ACTIVITY_OK || !memcmp(activity.trace_id, none, sizeof(none))))
		abort();
	use(&activity);
	activity_interrupt(&activity);
	use(&activity);
}

static void try_text(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	struct activity_layout asked, placed;

	if (!activity_layout_parse(text, &asked, NULL))
		return;
	for (u64 symbol_size = 0; symbol_size < 300; symbol_size += 7) {
		if (!activity_layout_place(&asked, -(s64)symbol_size - 1, symbol_size, &placed,
					   NULL))
			continue;
		if (!activity_layout_valid(&placed))
			abort();
		activity_layout_window(&placed);
	}
	g_free((char *)asked.symbol);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_of(data, size);
	struct activity_layout layout = { .symbol = "" };
	static const char *const names[] = { "a", "b", "c" };
	static const struct activity_process process = { .keys = { names, ARRAY_SIZE(names) } };
	struct activity activity;
	u64 dyn_size;
	u32 format;

	if (size && g_ascii_isalpha(data[0])) {
		try_text(data, size);
		return 0;
	}
	format = cursor_u32(&c);
	layout.format = format & 0xff;
	layout.where = format >> 8 & 1;
	layout.framed = format >> 9 & 1;
	layout.publisher = (u8)(format >> 16);
	layout.tpoff = (s64)cursor_u64(&c);
	layout.offset = cursor_u32(&c);
	layout.size = cursor_u32(&c);
	dyn_size = cursor_u64(&c);
	if (activity_layout_valid(&layout))
		activity_layout_window(&layout);
	activity_decode(&layout, c.pos, cursor_left(&c), dyn_size, &process, &activity);
	use(&activity);
	use_label_ids(activity);
	if ((u32)activity_cpu_context(c.pos, cursor_left(&c), dyn_size) >= CPU_NR_CONTEXTS)
		abort();
	return 0;
}
