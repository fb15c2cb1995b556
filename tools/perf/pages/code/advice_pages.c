// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/code/advice_pages.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/text.h"
#include "pages/base/about.h"
#include "pages/base/list_rows.h"
#include "pages/code/annotate_private.h"
#include "perfdata/evsel.h"

#define MOST_TYPES 20u /* that are asked without a name */

static const struct rows_column columns[ADVICE_NR_COLUMNS] = {
	[ADVICE_OFFSET] = { "offset", "Offset", .kind = CELL_BYTES, .right = true },
	[ADVICE_WAS] = { "was", "Was", .kind = CELL_BYTES, .right = true },
	[ADVICE_SIZE] = { "size", "Size", .kind = CELL_BYTES, .right = true },
	[ADVICE_LINE] = { "cache_line", "Line", .kind = CELL_ID, .right = true },
	[ADVICE_SHARE] = { "overhead", "Percent", .kind = CELL_SHARE, .right = true },
	[ADVICE_DECLARATION] = { "declaration", "Declaration", .kind = CELL_TEXT },
	[ADVICE_MARK] = { "mark", "Mark", .kind = CELL_TEXT },
};

/* A type with its proposals. */
struct advised {
	struct advice_list *list;
	const struct type_profile *profile;
	u32 event;
};

struct advice_entry {
	u32 advised;
	s32 at; /* of its proposals, or -1 */
};

struct advice_pages {
	struct pages pages;
	struct annotate_pages_options o;
	GArray *advised; /* struct advised */
	GArray *entries; /* struct advice_entry, by page */
};

/* A part, or bytes without one. */
struct line {
	s32 part; /* -1: a hole */
	u64 offset, size;
	bool last;
};

struct advice_page {
	const struct advice_pages *pages;
	const struct advised *of;
	const struct advice *advice;
	GArray *lines; /* struct line */
};

static const struct line *line_at(const struct advice_page *p, u32 i)
{
	return &g_array_index(p->lines, struct line, i);
}

static void share_cell(const struct advice_page *p, const struct line *line, struct cell *out)
{
	const struct advise_part *part = advise_part(&p->of->list->parts, (u32)line->part);
	struct access_count count =
		type_profile_sum(p->of->profile, p->of->event, part->offset,
				 part->place == PART_LAST ? UINT64_MAX : part->size);
	u64 whole = p->of->profile->total[p->of->event].all.period;

	out->number = count.all.period;
	out->real = whole ? 100.0 * (double)count.all.period / (double)whole : -1;
}

static void cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	const struct advice_page *p = arg;
	const struct line *line = line_at(p, i);
	bool absent = line->offset == ADVISE_ABSENT, hole = line->part < 0;

	if (column == ADVICE_SIZE)
		out->number = line->size;
	else if (column == ADVICE_OFFSET && !absent)
		out->number = line->offset;
	else if (column == ADVICE_LINE && !absent)
		out->number = line->offset / p->of->list->line_size;
	else if (column == ADVICE_WAS && !hole)
		out->number = advise_part(&p->of->list->parts, (u32)line->part)->offset;
	else if (column == ADVICE_SHARE && !hole)
		share_cell(p, line, out);
	else if (out->kind != CELL_TEXT)
		out->kind = CELL_NONE;
}

static void number(const void *arg, u32 i, u32 column, const struct cell *cell, GString *out)
{
	if (cell->kind == CELL_SHARE)
		g_string_append_printf(out, "%.2f%%", cell->real);
	else if (cell->kind != CELL_NONE)
		g_string_append_printf(out, "%" PRIu64, cell->number);
}

static void text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
	const struct advice_page *p = arg;
	const struct line *line = line_at(p, i);

	if (column == ADVICE_DECLARATION && line->part >= 0)
		advice_declare(p->of->list, (u32)line->part, out);
	else if (column == ADVICE_MARK && line->part < 0)
		g_string_append(out, line->last ? "padding" : "hole");
	else if (column == ADVICE_MARK && line->offset == ADVISE_ABSENT)
		g_string_append(out, "apart");
	else if (column == ADVICE_MARK &&
		 line->offset != advise_part(&p->of->list->parts, (u32)line->part)->offset)
		g_string_append(out, "moved");
}

static u64 key(const void *arg, u32 i)
{
	const struct line *line = line_at(arg, i);

	return (u64)(line->part + 1) << 32 | (u32)line->offset;
}

static bool about_line(const struct page *page, struct row row, struct about *out)
{
	const struct advice_page *p = page->own;
	const struct line *line = line_at(p, list_rows_line(row));
	const struct advise_part *part;

	if (line->part < 0)
		return false;
	part = advise_part(&p->of->list->parts, (u32)line->part);
	*out = (struct about){ .type = p->of->profile->type,
			       .offset = part->offset,
			       .size = part->place == PART_LAST ? UINT64_MAX : MAX(part->size, 1) };
	return true;
}

static void add_line(struct advice_page *p, struct rows *rows, struct line line)
{
	if (line.part < 0 && !line.size)
		return;
	g_array_append_val(p->lines, line);
	list_rows_add(rows, LIST_TOP);
}

/* Parts by their new offsets, with holes, then those that are elsewhere. */
static void add_lines(struct advice_page *p, struct rows *rows)
{
	const struct advise_layout *l = &p->advice->after;
	u64 end = 0;

	for (u32 i = 0; i < l->nr; i++) {
		u32 part = l->order[i];
		u64 size = advise_part(&p->of->list->parts, part)->size;

		if (l->offset[part] == ADVISE_ABSENT)
			continue;
		add_line(p, rows, (struct line){ -1, end, l->offset[part] - end, false });
		add_line(p, rows, (struct line){ (s32)part, l->offset[part], size, false });
		end = l->offset[part] + size;
	}
	if (p->advice->kind != ADVICE_SPLIT)
		add_line(p, rows, (struct line){ -1, end, l->size - end, true });
	for (u32 i = 0; i < l->nr; i++)
		if (l->offset[i] == ADVISE_ABSENT)
			add_line(p, rows,
				 (struct line){ (s32)i, ADVISE_ABSENT,
						advise_part(&p->of->list->parts, i)->size, false });
}

static const char *const what[NR_ADVICE_KINDS] = {
	[ADVICE_REORDER] = "members that are used together lie side by side",
	[ADVICE_CLOSE] = "no holes: fewer bytes for each object",
	[ADVICE_ALIGN] = "members that threads write have cache lines of their own",
	[ADVICE_SPLIT] = "members that are not used here move behind a pointer",
	[ADVICE_ARRAYS] = "an array for each member that loops use, instead of one of structures",
};

static const char *const counts_words[] = {
	[ADVICE_TIME] = "time",
	[ADVICE_MISSES] = "misses",
	[ADVICE_NEITHER] = "neither",
};

/* Savings are shares of what the event counts. */
static void add_saving(struct notes *notes, const struct advice_list *l, const struct advice *a)
{
	const char *of = l->unit == ADVICE_TIME ? "the time of all samples" : l->event;

	notes_add_words(notes, "counts", counts_words[l->unit]);
	notes_add_number(notes, "saved_low", CELL_AVERAGE, 0)->value.real = 100 * MAX(a->low, 0);
	notes_add_number(notes, "saved_high", CELL_AVERAGE, 0)->value.real = 100 * a->high;
	notes_add_number(notes, "saved", CELL_AVERAGE, 0)->value.real = 100 * a->saved;
	notes_add_number(notes, "saved_most", CELL_AVERAGE, 0)->value.real = 100 * a->most;
	if (l->unit == ADVICE_NEITHER)
		notes_add(notes, NOTE_FACT, "Saves memory; whether there are fewer %s is not known",
			  of);
	else if (a->low <= 0)
		notes_add(notes, NOTE_FACT, "Saves memory; no %s is certain to be saved",
			  l->unit == ADVICE_TIME ? "time" : of);
	else if (l->unit == ADVICE_TIME)
		notes_add(notes, NOTE_FACT,
			  "May save %.1f %% of %s (%.1f to %.1f by their number), or %.1f %% if "
			  "each line took as long as the first",
			  100 * a->saved, of, 100 * a->low, 100 * a->high, 100 * a->most);
	else
		notes_add(notes, NOTE_FACT,
			  "May save %.1f %% of all %s (%.1f to %.1f by the number of samples)",
			  100 * a->saved, of, 100 * a->low, 100 * a->high);
}

static void add_effect(struct notes *notes, const struct advice_page *p)
{
	const struct advice_list *l = p->of->list;
	const struct advice *a = p->advice;

	notes_add_number(notes, "size", CELL_BYTES, l->before.size);
	note_set_text(notes_add_number(notes, "size_then", CELL_BYTES, a->after.size), GAP_NONE,
		      "Bytes: %" PRIu64 ", then %" PRIu64, l->before.size, a->after.size);
	if (l->before.begins)
		note_set_text(notes_add_number(notes, "addresses", CELL_COUNT, l->begins.samples),
			      GAP_NONE,
			      "Where in a line objects begin is known from %" PRIu64 " addresses",
			      l->begins.samples);
	notes_add_number(notes, "line_size", CELL_BYTES, l->line_size);
	notes_add_number(notes, "lines_per_use", CELL_AVERAGE, 0)->value.real = l->lines;
	notes_add_number(notes, "lines_per_use_then", CELL_AVERAGE, 0)->value.real = a->lines;
	if (a->kind != ADVICE_ALIGN)
		note_set_text(
			notes_add_number(notes, "uses", CELL_COUNT, l->uses.uses->len), GAP_NONE,
			"Cache lines that a loop or function touches of an object: %.2f, then "
			"%.2f",
			l->lines, a->lines);
	add_saving(notes, l, a);
}

static void add_place(struct notes *notes, const struct advice_list *l)
{
	const struct type_declaration *d = &l->declared;

	if (!d->file)
		return;
	note_set_text(notes_add_words(notes, "file", d->file), GAP_NONE, "Declared at %s:%u",
		      d->file, d->line);
	notes_add_number(notes, "line", CELL_ID, d->line);
}

/* For programs they are one text, a line each. */
static void add_risks(struct notes *notes, const struct advice_list *l)
{
	g_autoptr(GString) all = g_string_new(NULL);

	for (u32 i = 0; i < l->risks->len; i++) {
		const char *risk = l->risks->pdata[i];

		g_string_append_printf(all, "%s%s", i ? "\n" : "", risk);
		notes_add(notes, NOTE_FACT, "Risk: %s", risk);
	}
	notes_add_words(notes, "risks", all->str);
}

/* Likewise. */
static void add_narrower(struct notes *notes, const struct advice_list *l)
{
	g_autoptr(GString) all = g_string_new(NULL);

	if (!l->narrower->len)
		return;
	for (u32 i = 0; i < l->narrower->len; i++) {
		const char *member = l->narrower->pdata[i];

		g_string_append_printf(all, "%s%s", i ? "\n" : "", member);
		notes_add(notes, NOTE_FACT, "Narrower: %s", member);
	}
	notes_add_words(notes, "narrower", all->str);
}

static void add_notes(struct notes *notes, const struct advice_page *p, const char *type)
{
	const struct advice_list *l = p->of->list;

	notes_add_words(notes, "type", type);
	note_set_text(notes_add_number(notes, "samples", CELL_COUNT, l->uses.samples), GAP_NONE,
		      "%s: %" PRIu64 " sample%s", type, l->uses.samples,
		      text_plural(l->uses.samples));
	add_place(notes, l);
	add_narrower(notes, l);
	if (!p->advice) {
		note_set_text(notes_add_words(notes, "nothing", l->nothing), GAP_BELOW,
			      "No proposal: %s", l->nothing);
		return;
	}
	note_set_text(notes_add_words(notes, "proposal", advice_kind_word(p->advice->kind)),
		      GAP_NONE, "%s: %s", advice_kind_word(p->advice->kind), what[p->advice->kind]);
	add_effect(notes, p);
	add_risks(notes, l);
	if (!advice_applies(p->advice->kind))
		notes_add(notes, NOTE_FACT, "Code that uses the members must change, too");
}

static void advice_page_free(void *arg)
{
	struct advice_page *p = arg;

	g_array_unref(p->lines);
	g_free(p);
}

static struct page *open_page(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { cell, text, key, number };
	const struct advice_pages *all = container_of(pages, struct advice_pages, pages);
	const struct advice_entry *entry = &g_array_index(all->entries, struct advice_entry, i);
	g_autoptr(GString) title = g_string_new(NULL);
	struct advice_page *p = g_new0(struct advice_page, 1);
	struct page *page;

	p->pages = all;
	p->of = &g_array_index(all->advised, struct advised, entry->advised);
	p->advice = entry->at < 0 ? NULL : advice_at(p->of->list, (u32)entry->at);
	p->lines = g_array_new(FALSE, FALSE, sizeof(struct line));
	annotated_type(&all->o, type_shown_name(p->of->profile->type), title);
	page = page_new(g_strdup(title->str));
	notes_add_words(&page->notes, "event",
			((const struct evsel *)all->o.evsels->pdata[p->of->event])->name);
	add_notes(&page->notes, p, title->str);
	page->rows = list_rows_new(columns, ADVICE_NR_COLUMNS, &ops, p);
	page->own = p;
	page->free_own = advice_page_free;
	page->about = about_line;
	if (p->advice)
		add_lines(p, page->rows);
	return page;
}

static void remark(struct pages *pages, struct notes *notes)
{
	annotated_remark(&container_of(pages, struct advice_pages, pages)->o, notes);
}

static void advice_pages_free(struct pages *pages)
{
	struct advice_pages *p = container_of(pages, struct advice_pages, pages);

	for (u32 i = 0; i < p->advised->len; i++)
		advice_list_free(g_array_index(p->advised, struct advised, i).list);
	g_array_unref(p->advised);
	g_array_unref(p->entries);
	pages_release(pages);
	g_free(p);
}

/* Only misses of data depend on a layout; those of the TLB are by page, those of the other caches by code. */
static enum advice_unit of_cache(u64 config)
{
	u32 cache = config & 0xff, result = config >> 16 & 0xff;
	bool data = cache == PERF_COUNT_HW_CACHE_L1D || cache == PERF_COUNT_HW_CACHE_LL ||
		    cache == PERF_COUNT_HW_CACHE_NODE;

	return data && result == PERF_COUNT_HW_CACHE_RESULT_MISS ? ADVICE_MISSES : ADVICE_NEITHER;
}

static enum advice_unit of_hardware(u64 config)
{
	switch (config) {
	case PERF_COUNT_HW_CPU_CYCLES:
	case PERF_COUNT_HW_REF_CPU_CYCLES:
	case PERF_COUNT_HW_STALLED_CYCLES_BACKEND:
		return ADVICE_TIME;
	case PERF_COUNT_HW_CACHE_MISSES:
		return ADVICE_MISSES;
	default:
		return ADVICE_NEITHER;
	}
}

/* Events of one processor have only names: ibs_op//, cycle_activity.stalls_l3_miss, mem_load_retired.l2_miss. */
static enum advice_unit by_name(const char *name)
{
	static const struct {
		const char *part;
		enum advice_unit unit;
	} names[] = {
		{ "tlb", ADVICE_NEITHER },	{ "cycle", ADVICE_TIME },
		{ "stall", ADVICE_TIME },	{ "ibs_op", ADVICE_TIME },
		{ "mem-loads", ADVICE_MISSES }, { "cache_miss", ADVICE_MISSES },
		{ "l1_miss", ADVICE_MISSES },	{ "l2_miss", ADVICE_MISSES },
		{ "l3_miss", ADVICE_MISSES },	{ "l1d.replacement", ADVICE_MISSES },
	};
	g_autofree char *lower = g_ascii_strdown(name, -1);

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (strstr(lower, names[i].part))
			return names[i].unit;
	return ADVICE_NEITHER;
}

static enum advice_unit unit_of(const struct evsel *evsel)
{
	switch (evsel->attr.type) {
	case PERF_TYPE_SOFTWARE:
		return evsel_is_timer(evsel) ? ADVICE_TIME : ADVICE_NEITHER;
	case PERF_TYPE_HARDWARE:
		return of_hardware(evsel->attr.config);
	case PERF_TYPE_HW_CACHE:
		return of_cache(evsel->attr.config);
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return ADVICE_NEITHER;
	default:
		return by_name(evsel->name);
	}
}

static const struct sharing *sharing_of(const GPtrArray *sharing, const char *name)
{
	for (u32 i = 0; i < sharing->len; i++)
		if (!strcmp(((const struct sharing *)sharing->pdata[i])->event, name))
			return sharing->pdata[i];
	return NULL;
}

/* Without a name, types without a proposal are left out. */
static void add_type(struct advice_pages *p, struct type_profiles *profiles,
		     const struct type_profile *profile, u32 event, struct typeflow *types,
		     const struct advice_evidence *evidence)
{
	const struct evsel *evsel = p->o.evsels->pdata[event];
	const struct advice_question question = {
		.profile = profile,
		.event = event,
		.unit = unit_of(evsel),
		.event_name = evsel->name,
		.total = profiles->total[event],
		.others = profiles->profiles,
		.types = types,
		.decoder = p->o.decoder,
		.sharing = sharing_of(evidence->sharing, evsel->name),
		.values = evidence->values,
		.line_size = p->o.cache_line_size,
	};
	struct advised advised = { advice_list_new(&question), profile, event };
	struct advice_entry entry = { p->advised->len, -1 };

	if (!advised.list->list->len && !p->o.pattern && !p->o.type) {
		advice_list_free(advised.list);
		return;
	}
	g_array_append_val(p->advised, advised);
	if (!advised.list->list->len)
		g_array_append_val(p->entries, entry);
	for (u32 i = 0; i < advised.list->list->len; i++) {
		entry.at = (s32)i;
		g_array_append_val(p->entries, entry);
	}
}

static void add_event(struct advice_pages *p, struct type_profiles *profiles, u32 event,
		      struct typeflow *types, const struct advice_evidence *evidence)
{
	u32 asked = 0;

	type_profiles_sort(profiles, event, 1);
	for (u32 i = 0; i < profiles->profiles->len && asked < MOST_TYPES; i++) {
		const struct type_profile *profile = profiles->profiles->pdata[i];

		if (!type_profile_samples(profile, event, 1) ||
		    !annotated_is_wanted(&p->o, profile) ||
		    (!p->o.pattern && !p->o.type && !type_is_compound(type_strip(profile->type))))
			continue;
		add_type(p, profiles, profile, event, types, evidence);
		asked++;
	}
}

struct pages *advice_pages_new(struct type_profiles *profiles,
			       const struct annotate_pages_options *options, struct typeflow *types,
			       const struct advice_evidence *evidence)
{
	static const struct pages_ops ops = { open_page, remark, advice_pages_free };
	struct advice_pages *p = g_new0(struct advice_pages, 1);

	pages_init(&p->pages, &ops, "annotate", "advice");
	p->o = *options;
	p->o.cache_line_size = options->cache_line_size ?: ANNOTATED_LINE_SIZE;
	p->advised = g_array_new(FALSE, FALSE, sizeof(struct advised));
	p->entries = g_array_new(FALSE, FALSE, sizeof(struct advice_entry));
	for (u32 i = 0; i < profiles->nr_events; i++)
		add_event(p, profiles, i, types, evidence);
	p->pages.nr = p->entries->len;
	return &p->pages;
}

const struct advice_list *advice_pages_list(const struct pages *pages, u32 i, s32 *at)
{
	const struct advice_pages *p = container_of(pages, struct advice_pages, pages);
	const struct advice_entry *entry = &g_array_index(p->entries, struct advice_entry, i);

	*at = entry->at;
	return g_array_index(p->advised, struct advised, entry->advised).list;
}
