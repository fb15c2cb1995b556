// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/report/cross_pages.h"

#include "base/intern.h"
#include "base/table.h"
#include "dso/dso.h"
#include "fields/identity.h"
#include "insn/insn.h"
#include "pages/base/list_rows.h"
#include "pages/report/site_rows.h"
#include "session/session.h"

/* The pages, in order. There can be several pages of keys. */
enum { PAGE_FRAMES, PAGE_SITES, PAGE_KEYS };

struct cross_pages {
	struct pages pages;
	const struct cross *cross;
	const char *baseline; /* NULL: none */
	struct insn_decoder *decoder;
};

static const struct cross_pages *of(const struct pages *pages)
{
	return container_of(pages, struct cross_pages, pages);
}

/* The argument of a page's row functions. */
struct cross_part {
	const struct cross_pages *pages;
	const struct cross_times *times; /* of a timeline */
	u32 key;			 /* the key that the rows' values belong to */
	struct rows_column *columns;
	u8 which[8]; /* KEY_... by column, for a page of keys */
};

static void cross_part_free(void *arg)
{
	struct cross_part *part = arg;

	g_free(part->columns);
	g_free(part);
}

static const struct cross_frame *frame_at(const struct cross *c, u32 i)
{
	return &g_array_index(c->frames, struct cross_frame, i);
}

enum {
	FRAME_ID,
	FRAME_NAME,
	FRAME_DSO,
	FRAME_INLINED,
	FRAME_SAMPLES,
	FRAME_PERIOD,
	FRAME_IDENTITY,
	NR_FRAME_COLUMNS
};

static const struct rows_column frame_columns[] = {
	[FRAME_ID] = { "id", "Id", .kind = CELL_ID, .right = true },
	[FRAME_NAME] = { "name", "Frame", .kind = CELL_TEXT, .tree = true },
	[FRAME_DSO] = { "dso", "Shared Object", .kind = CELL_TEXT },
	[FRAME_INLINED] = { "inlined", "Inlined", .kind = CELL_TEXT },
	[FRAME_SAMPLES] = { "samples", "Samples", "samples", CELL_COUNT, .value = true },
	[FRAME_PERIOD] = { "period", "Period", "events", CELL_COUNT, .value = true },
	[FRAME_IDENTITY] = { "identity", "Identity", .kind = CELL_TEXT },
};

/* Node 0 is the root and no row: line n is frame n, from 1. */
static void frame_cell(const void *arg, u32 line, u32 column, u32 nr, struct cell *out)
{
	const struct cross_part *part = arg;
	const struct cross_frame *frame = frame_at(part->pages->cross, line + 1);

	if (column == FRAME_ID)
		out->number = line + 1;
	else if (column == FRAME_SAMPLES)
		out->number = frame->now.samples;
	else if (column == FRAME_PERIOD)
		out->number = frame->now.period;
	else if ((column == FRAME_INLINED && !(frame->code && frame->code->inlined)) ||
		 (column == FRAME_DSO && !(frame->code && frame->code->dso)))
		out->kind = CELL_NONE;
}

static void frame_text(const void *arg, u32 line, u32 column, u32 nr, GString *out)
{
	const struct cross_part *part = arg;
	const struct cross_frame *frame = frame_at(part->pages->cross, line + 1);
	const struct code *code = frame->code;
	g_autofree char *identity = NULL;

	if (frame->state)
		g_string_append_printf(out, "%s, no call chain", frame->state);
	else if (column == FRAME_INLINED)
		g_string_append(out, "inlined");
	else if (column == FRAME_DSO)
		g_string_append(out, dso_short_name(code->dso));
	else if (code_name(code) && column == FRAME_IDENTITY)
		g_string_append(out, identity = identity_function(code_name(code)));
	else if (code_name(code))
		g_string_append(out, code_name(code));
	else
		g_string_append_printf(out, "[%s]",
				       code->dso ? dso_short_name(code->dso) : "unknown");
}

static u64 number_key(const void *arg, u32 line)
{
	return line;
}

/* Without a baseline, its columns are left out. */
static u32 nr_columns(const struct cross_part *part, u32 nr, u32 of_baseline)
{
	return part->pages->baseline ? nr : nr - of_baseline;
}

static struct rows *open_frames(struct cross_part *part)
{
	static const struct list_ops ops = { frame_cell, frame_text, number_key };
	const struct cross *c = part->pages->cross;
	struct rows *rows =
		list_rows_new(frame_columns, nr_columns(part, NR_FRAME_COLUMNS, 1), &ops, part);

	for (u32 i = 1; i < c->frames->len; i++)
		list_rows_add(rows, frame_at(c, i)->parent ? frame_at(c, i)->parent - 1 : LIST_TOP);
	return rows;
}

enum {
	KEY_ID,
	KEY_NAME,
	KEY_VALUE,
	KEY_SAMPLES,
	KEY_PERIOD,
	KEY_SAMPLES_BEFORE,
	KEY_PERIOD_BEFORE,
	KEY_IDENTITY,
	NR_KEY_COLUMNS
};

static const struct rows_column key_columns[] = {
	[KEY_ID] = { "id", "Id", .kind = CELL_ID, .right = true },
	[KEY_NAME] = { "name", "Name", .kind = CELL_TEXT },
	[KEY_VALUE] = { "value", "Value", .right = true },
	[KEY_SAMPLES] = { "samples", "Samples", "samples", CELL_COUNT, .value = true },
	[KEY_PERIOD] = { "period", "Period", "events", CELL_COUNT, .value = true },
	[KEY_SAMPLES_BEFORE] = { "samples_before", "Before", "samples", CELL_COUNT, .value = true },
	[KEY_PERIOD_BEFORE] = { "period_before", "Before", "events", CELL_COUNT, .value = true },
	[KEY_IDENTITY] = { "identity", "Identity", .kind = CELL_TEXT },
};

static const struct cross_value *value_at(const struct cross_part *part, u32 i)
{
	return &g_array_index((const GArray *)part->pages->cross->values->pdata[part->key],
			      struct cross_value, i);
}

static const struct field *field_of(const struct cross_part *part)
{
	return part->pages->cross->options.fields->pdata[part->key];
}

static u64 sum_number(const struct cross_sum *sum, bool samples)
{
	return samples ? sum->samples : sum->period;
}

static void key_cell(const void *arg, u32 line, u32 column, u32 nr, struct cell *out)
{
	const struct cross_value *value = value_at(arg, line);

	column = ((const struct cross_part *)arg)->which[column];
	if (column == KEY_ID)
		out->number = line;
	else if (column == KEY_VALUE && line)
		*out = field_cell(field_of(arg), value->key);
	else if (column == KEY_VALUE)
		out->kind = CELL_NONE;
	else if (column == KEY_SAMPLES || column == KEY_PERIOD)
		out->number = sum_number(&value->now, column == KEY_SAMPLES);
	else if (column == KEY_SAMPLES_BEFORE || column == KEY_PERIOD_BEFORE)
		out->number = sum_number(&value->before, column == KEY_SAMPLES_BEFORE);
}

static void key_text(const void *arg, u32 line, u32 column, u32 nr, GString *out)
{
	const struct cross_part *part = arg;
	const struct field *field = field_of(part);
	g_autofree char *identity = NULL;

	if (line)
		field_print(field, part->pages->cross->options.lexicon, value_at(part, line)->key,
			    out);
	else
		g_string_append(out, "(others)");
	if (part->which[column] == KEY_IDENTITY) {
		identity = identity_new(field, g_strchomp(out->str));
		g_string_assign(out, identity);
	}
}

static struct rows *open_values(struct cross_part *part)
{
	static const struct list_ops ops = { key_cell, key_text, number_key };
	const GArray *values = part->pages->cross->values->pdata[part->key];
	const struct field *field = field_of(part);
	struct rows *rows;
	u32 nr = 0;

	part->columns = g_new0(struct rows_column, NR_KEY_COLUMNS);
	for (u32 i = 0; i < nr_columns(part, NR_KEY_COLUMNS, 3); i++) {
		if (i == KEY_VALUE && field->kind == CELL_TEXT)
			continue; /* the name is the value */
		part->which[nr] = (u8)i;
		part->columns[nr] = key_columns[i];
		if (i == KEY_VALUE) {
			part->columns[nr].kind = field->kind;
			part->columns[nr].unit = field->unit;
		}
		nr++;
	}
	rows = list_rows_new(part->columns, nr, &ops, part);
	for (u32 i = 0; i < values->len; i++)
		list_rows_add(rows, LIST_TOP);
	return rows;
}

/* Columns of groups: these, then for each key the value's number, then the sums. */
enum { GROUP_ID, GROUP_EVENT, GROUP_FRAME, GROUP_SITE, GROUP_KEYS };
enum { SUM_SAMPLES, SUM_PERIOD, SUM_SAMPLES_BEFORE, SUM_PERIOD_BEFORE, NR_SUMS };

static const struct rows_column group_columns[] = {
	[GROUP_ID] = { "id", "Id", .kind = CELL_ID, .right = true },
	[GROUP_EVENT] = { "event", "Event", .kind = CELL_TEXT },
	[GROUP_FRAME] = { "frame", "Frame", .kind = CELL_ID, .right = true },
	[GROUP_SITE] = { "site", "Site", .kind = CELL_ID, .right = true },
};

static void group_cell(const void *arg, u32 line, u32 column, u32 nr, struct cell *out)
{
	const struct cross_part *part = arg;
	const struct cross *c = part->pages->cross;
	const struct cross_group *group = &g_array_index(c->groups, struct cross_group, line);
	u32 nr_keys = c->options.fields->len, sum = column - GROUP_KEYS - nr_keys;

	if (column == GROUP_ID)
		out->number = line;
	else if (column == GROUP_FRAME)
		out->number = group->frame;
	else if (column == GROUP_SITE)
		out->number = group->site;
	else if (column == GROUP_EVENT)
		return;
	else if (column < GROUP_KEYS + nr_keys)
		out->number =
			g_array_index(c->group_values, u32, line * nr_keys + column - GROUP_KEYS);
	else if (sum <= SUM_PERIOD)
		out->number = sum_number(&group->now, sum == SUM_SAMPLES);
	else
		out->number = sum_number(&group->before, sum == SUM_SAMPLES_BEFORE);
}

static void group_text(const void *arg, u32 line, u32 column, u32 nr, GString *out)
{
	const struct cross_part *part = arg;
	const struct cross *c = part->pages->cross;

	g_string_append(out, intern_text(c->options.lexicon->texts,
					 g_array_index(c->groups, struct cross_group, line).event));
}

static struct rows *open_groups(struct cross_part *part)
{
	static const struct list_ops ops = { group_cell, group_text, number_key };
	const struct cross *c = part->pages->cross;
	u32 nr_keys = c->options.fields->len, nr = GROUP_KEYS + nr_keys + NR_SUMS;
	struct rows *rows;

	part->columns = g_new0(struct rows_column, nr);
	for (u32 i = 0; i < GROUP_KEYS; i++)
		part->columns[i] = group_columns[i];
	for (u32 i = 0; i < nr_keys; i++) {
		const struct field *field = c->options.fields->pdata[i];

		part->columns[GROUP_KEYS + i] = (struct rows_column){ field->name, field->header,
								      .kind = CELL_ID,
								      .right = true };
	}
	for (u32 i = 0; i < NR_SUMS; i++)
		part->columns[GROUP_KEYS + nr_keys + i] = key_columns[KEY_SAMPLES + i];
	rows = list_rows_new(part->columns, nr_columns(part, nr, 2), &ops, part);
	for (u32 i = 0; i < c->groups->len; i++)
		list_rows_add(rows, LIST_TOP);
	return rows;
}

enum { MOMENT_GROUP, MOMENT_SLICE, MOMENT_SAMPLES, MOMENT_PERIOD };

static const struct rows_column moment_columns[] = {
	[MOMENT_GROUP] = { "group", "Group", .kind = CELL_ID, .right = true },
	[MOMENT_SLICE] = { "slice", "Slice", .kind = CELL_ID, .right = true },
	[MOMENT_SAMPLES] = { "samples", "Samples", "samples", CELL_COUNT, .value = true },
	[MOMENT_PERIOD] = { "period", "Period", "events", CELL_COUNT, .value = true },
};

static void moment_cell(const void *arg, u32 line, u32 column, u32 nr, struct cell *out)
{
	const struct cross_part *part = arg;
	const struct cross_moment *moment =
		&g_array_index(part->times->moments, struct cross_moment, line);

	if (column == MOMENT_GROUP)
		out->number = moment->group;
	else if (column == MOMENT_SLICE)
		out->number = moment->slice;
	else
		out->number = sum_number(&moment->sum, column == MOMENT_SAMPLES);
}

static u64 moment_key(const void *arg, u32 line)
{
	const struct cross_part *part = arg;
	const struct cross_moment *moment =
		&g_array_index(part->times->moments, struct cross_moment, line);

	return (u64)moment->group << 32 | moment->slice;
}

static struct rows *open_moments(struct cross_part *part)
{
	static const struct list_ops ops = { moment_cell, NULL, moment_key };
	struct rows *rows = list_rows_new(moment_columns, ARRAY_SIZE(moment_columns), &ops, part);

	for (u32 i = 0; i < part->times->moments->len; i++)
		list_rows_add(rows, LIST_TOP);
	return rows;
}

/* Is the page the timeline of the baseline, the last one? */
static bool is_before(const struct cross_pages *p, u32 i)
{
	return p->baseline && i == p->pages.nr - 1;
}

static void open_times(struct cross_part *part, struct page *page, bool before)
{
	const struct cross *c = part->pages->cross;

	part->times = before ? &c->before : &c->now;
	page->title = g_strdup(before ? "Timeline before" : "Timeline");
	page->kind = "timeline";
	notes_add_number(&page->notes, "first_ns", CELL_TIME, part->times->first_ns);
	notes_add_number(&page->notes, "slice_ns", CELL_TIME, c->slice_ns);
	notes_add_number(&page->notes, "slices", CELL_COUNT, part->times->nr_slices);
	if (before)
		notes_add_words(&page->notes, "baseline", part->pages->baseline);
	page->rows = open_moments(part);
}

static struct page *open_sites(const struct cross_pages *pages)
{
	struct page *page = page_new(g_strdup("Instructions"));
	struct site_rows_arg *arg;

	page->kind = "sites";
	page->rows = site_rows_new(pages->cross, pages->decoder, &arg);
	page->own = arg;
	page->free_own = site_rows_arg_free;
	return page;
}

static struct page *open_page(struct pages *pages, u32 i)
{
	const struct cross_pages *p = of(pages);
	u32 nr_keys = p->cross->options.fields->len;
	struct page *page;
	struct cross_part *part;

	if (i == PAGE_SITES)
		return open_sites(p);
	page = page_new(NULL);
	part = g_new0(struct cross_part, 1);
	part->pages = p;
	page->own = part;
	page->free_own = cross_part_free;
	if (i == PAGE_FRAMES) {
		page->title = g_strdup("Call tree");
		page->kind = "frames";
		page->rows = open_frames(part);
	} else if (i < PAGE_KEYS + nr_keys) {
		part->key = i - PAGE_KEYS;
		page->title = g_strstrip(g_strdup(field_of(part)->header));
		page->kind = "keys";
		notes_add_words(&page->notes, "key", field_of(part)->name);
		page->rows = open_values(part);
	} else if (i == PAGE_KEYS + nr_keys) {
		page->title = g_strdup("Samples by all keys");
		page->kind = "samples";
		notes_add_number(&page->notes, "folded_samples", CELL_COUNT, p->cross->folded);
		if (p->baseline)
			notes_add_words(&page->notes, "baseline", p->baseline);
		page->rows = open_groups(part);
	} else {
		open_times(part, page, is_before(p, i));
	}
	return page;
}

static void remark(struct pages *pages, struct notes *notes)
{
	const struct cross *c = of(pages)->cross;

	if (c->folded)
		notes_add(notes, NOTE_REMARK,
			  "%" G_GUINT64_FORMAT
			  " samples are partly counted in (others) or in a caller, because the "
			  "page keeps only the largest rows",
			  c->folded);
}

static void cross_pages_free(struct pages *pages)
{
	struct cross_pages *p = (struct cross_pages *)of(pages);

	pages_release(pages);
	insn_decoder_free(p->decoder);
	g_free(p);
}

struct pages *cross_pages_new(const struct cross *cross, const char *baseline)
{
	static const struct pages_ops ops = { open_page, remark, cross_pages_free };
	struct cross_pages *p = g_new0(struct cross_pages, 1);

	pages_init(&p->pages, &ops, "report", "samples");
	p->cross = cross;
	p->baseline = baseline;
	p->decoder = insn_decoder_new(INSN_X86_64, NULL);
	p->pages.nr = PAGE_KEYS + cross->options.fields->len + 2 + (baseline ? 1 : 0);
	return &p->pages;
}
