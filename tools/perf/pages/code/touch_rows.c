// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/code/touch_rows.h"

#include <string.h>

#include "annotate/layout.h"
#include "base/table.h"

struct touch_rows {
	enum touches_by by;
	const struct annotated_events *events;
	GPtrArray *rows;    /* struct touch_row * */
	GHashTable *groups; /* struct touch_group -> struct touch_row */
};

/* Touches with equal values here are one row. */
struct touch_group {
	u64 a, b, c;
};

static struct touch_group group_of(enum touches_by by, const struct touch *touch)
{
	if (by == TOUCHES_BY_TYPE)
		return (struct touch_group){ GPOINTER_TO_SIZE(touch->profile), 0, 0 };
	if (by == TOUCHES_BY_KEY)
		return (struct touch_group){ touch->by, 0, 0 };
	return (struct touch_group){ GPOINTER_TO_SIZE(touch->dso), touch->vaddr,
				     (u64)touch->offset << 2 | touch->roles };
}

bool touch_select(const struct touch_pages_options *o, const struct type_profile *profile,
		  struct touch_selection *out)
{
	const char *field = o->field;
	struct type_line line;

	*out = (struct touch_selection){ o->offset, o->size, NULL };
	if (!field)
		return true;
	out->path = field;
	if (!type_find_line(profile->type, field, &line))
		return *field != '+' && !g_ascii_isdigit(*field);
	*out = (struct touch_selection){ line.offset, line.size ?: UINT64_MAX, NULL };
	return true;
}

bool touch_is_selected(const struct touch_selection *s, const struct touch *touch)
{
	char path[256];
	size_t size;

	if (!s->path)
		return !s->size || (touch->offset >= (s64)s->offset &&
				    (u64)touch->offset - s->offset < s->size);
	size = strlen(s->path);
	return touch->offset >= 0 &&
	       type_member_path(touch->profile->type, (u64)touch->offset, path, sizeof(path)) &&
	       !strncmp(path, s->path, size) && (!path[size] || path[size] == '.');
}

static guint group_hash(const void *p)
{
	const struct touch_group *g = p;

	return table_fold(table_mix(table_mix(g->a, g->b), g->c));
}

static int group_equal(const void *a, const void *b)
{
	return !memcmp(a, b, sizeof(struct touch_group));
}

static void row_free(void *arg)
{
	struct touch_row *row = arg;

	g_ptr_array_unref(row->touches);
	g_free(row->counts);
	g_free(row);
}

struct touch_rows *touch_rows_new(enum touches_by by, const struct annotated_events *events)
{
	struct touch_rows *r = g_new(struct touch_rows, 1);

	r->by = by;
	r->events = events;
	r->rows = g_ptr_array_new_with_free_func(row_free);
	r->groups = g_hash_table_new_full(group_hash, group_equal, g_free, NULL);
	return r;
}

void touch_rows_free(struct touch_rows *r)
{
	g_hash_table_unref(r->groups);
	g_ptr_array_unref(r->rows);
	g_free(r);
}

u32 touch_rows_nr(const struct touch_rows *r)
{
	return r->rows->len;
}

const struct touch_row *touch_rows_at(const struct touch_rows *r, u32 i)
{
	return g_ptr_array_index(r->rows, i);
}

static void add_touch(struct touch_rows *r, const struct touch *touch)
{
	struct touch_group group = group_of(r->by, touch);
	struct touch_row *row = g_hash_table_lookup(r->groups, &group);

	if (!row) {
		row = g_new0(struct touch_row, 1);
		row->touches = g_ptr_array_new();
		row->counts = g_new0(struct access_count, MAX(r->events->nr, 1));
		g_ptr_array_add(r->rows, row);
		g_hash_table_insert(r->groups, g_memdup2(&group, sizeof(group)), row);
	}
	g_ptr_array_add(row->touches, (void *)touch);
	for (u32 i = 0; i < r->events->nr; i++) {
		const struct type_count *count = &touch->counts[r->events->events[i]];

		access_count_add(&row->counts[i], count, touch->roles);
		row->period += count->period;
	}
}

void touch_rows_add(struct touch_rows *r, const struct type_profile *profile,
		    const struct touch_pages_options *o)
{
	struct touch_selection selection;

	if (!touch_select(o, profile, &selection))
		return;
	for (u32 i = 0; i < profile->touches->len; i++) {
		const struct touch *touch = g_ptr_array_index(profile->touches, i);
		bool counts = false;

		for (u32 e = 0; e < r->events->nr; e++)
			counts |= touch->counts[r->events->events[e]].samples != 0;
		if (counts && touch_is_selected(&selection, touch))
			add_touch(r, touch);
	}
}

static int compare_names(const struct touch *a, const struct touch *b)
{
	int by_name = strcmp(type_shown_name(a->profile->type), type_shown_name(b->profile->type));

	if (!by_name && a->symbol && b->symbol)
		by_name = strcmp(a->symbol->raw, b->symbol->raw);
	return by_name;
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct touch_row *a = *(struct touch_row *const *)pa;
	const struct touch_row *b = *(struct touch_row *const *)pb;
	const struct touch *ta = a->touches->pdata[0], *tb = b->touches->pdata[0];
	int by_name;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	by_name = compare_names(ta, tb);
	if (by_name)
		return by_name;
	if (ta->vaddr != tb->vaddr)
		return ta->vaddr < tb->vaddr ? -1 : 1;
	return ta->offset < tb->offset ? -1 : ta->offset > tb->offset;
}

void touch_rows_sort(struct touch_rows *r)
{
	g_ptr_array_sort(r->rows, compare_rows);
}
