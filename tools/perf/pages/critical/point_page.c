// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/critical/point_page.h"

#include "base/intern.h"
#include "pages/base/list_rows.h"

enum {
	POINT_INSTANCE,
	POINT_NAME,
	POINT_ID,
	POINT_THREAD,
	POINT_BEGIN,
	POINT_DURATION,
	POINT_CLASS,
	POINT_PATH,
	POINT_SEGMENTS
};

static const struct rows_column columns[] = {
	[POINT_INSTANCE] = { "instance", "Instance", .kind = CELL_ID },
	[POINT_NAME] = { "span", "Span", .kind = CELL_TEXT },
	[POINT_ID] = { "activity", "Activity", .kind = CELL_TEXT },
	[POINT_THREAD] = { "key", "Tid:Command", .kind = CELL_TEXT },
	[POINT_BEGIN] = { "begin", "Begin", .kind = CELL_TIME, .value = true },
	[POINT_DURATION] = { "duration", "Duration", .kind = CELL_TIME, .value = true },
	[POINT_CLASS] = { "class", "Class", .kind = CELL_TEXT },
	[POINT_PATH] = { "path", "Path", .kind = CELL_TEXT },
	[POINT_SEGMENTS] = { "segments", "Segments", "segments", CELL_COUNT, .value = true },
};

static const struct critical_point *point_at(const void *arg, u32 line)
{
	const struct critical_answer *a = arg;

	return &g_array_index(a->points->list, struct critical_point, line);
}

static void cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct critical_point *p = point_at(arg, line);

	if (column == POINT_INSTANCE)
		out->number = line;
	else if (column == POINT_BEGIN)
		out->number = p->from;
	else if (column == POINT_DURATION)
		out->number = p->to - p->from;
	else if (column == POINT_SEGMENTS && p->path == POINT_HAS_PATH)
		out->number = p->nr;
	else if (column == POINT_SEGMENTS)
		out->kind = CELL_NONE;
}

static void append_name(const struct critical_answer *a, const struct critical_point *p,
			GString *out)
{
	const struct critical_instance *instance;

	if (p->instance == UINT32_MAX) {
		g_string_append(out, a->title);
		return;
	}
	instance =
		&g_array_index(doings_instances(a->doings), struct critical_instance, p->instance);
	g_string_append(out, intern_text(a->lexicon->texts, instance->name));
}

static void text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	static const char *const paths[] = {
		[POINT_HAS_PATH] = "shown",
		[POINT_NOT_CHOSEN] = "left out",
		[POINT_TOO_LONG] = "too many segments",
	};
	const struct critical_answer *a = arg;
	const struct critical_point *p = point_at(arg, line);

	if (column == POINT_NAME) {
		append_name(a, p, out);
	} else if (column == POINT_ID && p->instance != UINT32_MAX) {
		doings_append_id(a->doings, p->instance, out);
	} else if (column == POINT_THREAD && p->thread != UINT32_MAX) {
		const struct history_thread *t = history_thread_at(a->history, p->thread);

		g_string_append_printf(out, "%u:%s", t->tid,
				       intern_text(a->lexicon->texts, t->name));
	} else if (column == POINT_CLASS) {
		g_string_append(out, p->slow ? "slow" : "rest");
	} else if (column == POINT_PATH) {
		g_string_append(out, paths[p->path]);
	}
}

static u64 key(const void *arg, u32 line)
{
	return line;
}

/* Facts of all pages: in a page of panels, others may be above them. */
static void copy_facts(struct notes *to, const struct notes *from)
{
	for (u32 i = 0; i < from->list->len; i++) {
		const struct note *note = notes_at(from, i);

		if (note->name && note->words)
			notes_add_words(to, note->name, note->words);
		else if (note->name)
			notes_add_number(to, note->name, note->value.kind, note->value.number);
	}
}

struct page *critical_points_page(const struct critical_answer *answer, const struct notes *notes)
{
	static const struct list_ops ops = { cell, text, key };
	struct page *page = page_new(g_strdup("Instances"));

	page->kind = "critical-instances";
	page->rows = list_rows_new(columns, ARRAY_SIZE(columns), &ops, answer);
	for (u32 i = 0; i < answer->points->list->len; i++)
		list_rows_add(page->rows, LIST_TOP);
	copy_facts(&page->notes, notes);
	notes_add_number(&page->notes, "shown", CELL_COUNT, answer->points->list->len);
	notes_add_number(&page->notes, "paths", CELL_COUNT, answer->points->nr_paths);
	return page;
}
