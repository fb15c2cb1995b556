// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/critical/critical_pages.h"

#include <inttypes.h>

#include "base/append.h"
#include "base/digits.h"
#include "base/intern.h"
#include "base/percent.h"
#include "base/table.h"
#include "base/text.h"
#include "critical/collect.h"
#include "pages/base/list_rows.h"
#include "pages/critical/critical_words.h"
#include "pages/critical/name_page.h"
#include "pages/critical/point_page.h"
#include "pages/critical/sum_page.h"
#include "pages/critical/thread_page.h"
#include "pages/notes/deadlock_notes.h"
#include "pages/notes/notes.h"

#define MOST_SHOWN_STEPS 100000u

struct critical_pages {
	struct pages pages;
	const struct critical_answer *answer;
	struct critical_pages_options o;
};

/* One page; lines are nodes, or steps. */
struct critical_page {
	const struct critical_answer *answer;
	const GArray *steps; /* struct critical_step, of a page of steps */
	const struct critical_point
		*points; /* whose steps they are; NULL: of the single instance */
	GArray *owners;	 /* u32: by line, the index of its point */
	const u8 *ids;	 /* enum tree_column or step_column, by column */
	struct rows_column columns[16];
	GArray *lines; /* u32 */
};

enum tree_column {
	TREE_SLOW,
	TREE_REST,
	TREE_DIFFERENCE,
	TREE_TIME,
	TREE_WHAT,
	TREE_KIND,
	TREE_NAME,
	TREE_THREAD,
	TREE_SAMPLES,
};

static const struct rows_column tree_columns[] = {
	[TREE_SLOW] = { "slow", "Slow", .kind = CELL_SHARE, .value = true, .nr_parts = 1,
			.width = 8 },
	[TREE_REST] = { "rest", "Rest", .kind = CELL_SHARE, .value = true, .nr_parts = 1,
			.width = 8 },
	[TREE_DIFFERENCE] = { "difference", "Differs", "percent", .kind = CELL_AVERAGE,
			      .value = true, .nr_parts = 1, .width = 8 },
	[TREE_TIME] = { "time", "Each", .kind = CELL_TIME, .value = true, .nr_parts = 1,
			.width = 10 },
	[TREE_WHAT] = { CRITICAL_LAST_SHOWN, "What the slow ones did", .kind = CELL_TEXT,
			.nr_parts = 1, .tree = true, .loose = true },
	[TREE_KIND] = { "kind", "Kind", .kind = CELL_TEXT, .nr_parts = 1 },
	[TREE_NAME] = { "name", "Name", .kind = CELL_TEXT, .nr_parts = 1 },
	[TREE_THREAD] = { "thread", "Thread", .kind = CELL_TEXT, .nr_parts = 1 },
	[TREE_SAMPLES] = { "samples", "Samples", "samples", CELL_COUNT, .nr_parts = 1 },
};

static const u8 columns_of_several[] = { TREE_SLOW, TREE_REST,	 TREE_DIFFERENCE,
					 TREE_TIME, TREE_WHAT,	 TREE_KIND,
					 TREE_NAME, TREE_THREAD, TREE_SAMPLES };
static const u8 columns_of_one[] = { TREE_SLOW, TREE_TIME,   TREE_WHAT,	  TREE_KIND,
				     TREE_NAME, TREE_THREAD, TREE_SAMPLES };

enum step_column {
	STEP_BEGIN,
	STEP_TIME,
	STEP_SHARE,
	STEP_THREAD,
	STEP_WHAT,
	STEP_THROUGH,
	STEP_TID,
	STEP_DEPTH,
	STEP_OBJECT,
	STEP_OWNER_TID,
	STEP_SPAN,
	STEP_CODE,
	STEP_DATA,
	STEP_CPU_OWNER,
	STEP_CPU_SPAN,
	STEP_INSTANCE,
	STEP_STATE,
	STEP_KEY,
};

static const struct rows_column step_columns[] = {
	[STEP_BEGIN] = { "begin", "Begin", .kind = CELL_TIME, .value = true, .nr_parts = 1,
			 .width = 10 },
	[STEP_TIME] = { "duration", "Duration", .kind = CELL_TIME, .value = true, .nr_parts = 1,
			.width = 10 },
	[STEP_SHARE] = { "share", "Share", .kind = CELL_SHARE, .value = true, .nr_parts = 1,
			 .width = 8 },
	[STEP_THREAD] = { "thread", "Thread", .kind = CELL_TEXT, .nr_parts = 1 },
	[STEP_THROUGH] = { "through", "Through", .kind = CELL_TEXT, .nr_parts = 1 },
	[STEP_WHAT] = { CRITICAL_LAST_SHOWN, "What", .kind = CELL_TEXT, .nr_parts = 1,
			.loose = true },
	[STEP_TID] = { "tid", "Tid", .kind = CELL_ID, .nr_parts = 1 },
	[STEP_DEPTH] = { "depth", "Depth", "waits", CELL_COUNT, .nr_parts = 1 },
	[STEP_OBJECT] = { "object", "Object", .kind = CELL_TEXT, .nr_parts = 1 },
	[STEP_OWNER_TID] = { "owner_tid", "Owner", .kind = CELL_ID, .nr_parts = 1 },
	[STEP_SPAN] = { "span", "Span", .kind = CELL_TEXT, .nr_parts = 1 },
	[STEP_CODE] = { "symbol", "Symbol", .kind = CELL_TEXT, .nr_parts = 1 },
	[STEP_DATA] = { "data", "Data", .kind = CELL_TEXT, .nr_parts = 1 },
	[STEP_CPU_OWNER] = { "cpu_owner_tid", "CPU's Owner", .kind = CELL_ID, .nr_parts = 1 },
	[STEP_CPU_SPAN] = { "cpu_span", "CPU's Span", .kind = CELL_TEXT, .nr_parts = 1 },
	[STEP_INSTANCE] = { "instance", "Instance", .kind = CELL_ID, .nr_parts = 1 },
	[STEP_STATE] = { "state", "State", .kind = CELL_TEXT, .nr_parts = 1 },
	[STEP_KEY] = { "key", "Tid:Command", .kind = CELL_TEXT, .nr_parts = 1 },
};

static const u8 columns_of_steps[] = { STEP_BEGIN,   STEP_TIME,	     STEP_SHARE,   STEP_THREAD,
				       STEP_THROUGH, STEP_WHAT,	     STEP_TID,	   STEP_DEPTH,
				       STEP_OBJECT,  STEP_OWNER_TID, STEP_SPAN,	   STEP_CODE,
				       STEP_DATA,    STEP_CPU_OWNER, STEP_CPU_SPAN };

/* Of the paths of several instances; those of a panel. */
static const u8 columns_of_paths[] = { STEP_INSTANCE, STEP_BEGIN,     STEP_TIME,    STEP_KEY,
				       STEP_WHAT,     STEP_STATE,     STEP_THROUGH, STEP_DEPTH,
				       STEP_OBJECT,   STEP_OWNER_TID, STEP_SPAN,    STEP_CODE,
				       STEP_DATA };

static u32 line_at(const struct critical_page *p, u32 line)
{
	return g_array_index(p->lines, u32, line);
}

static const struct path_tree_node *node_at(const struct critical_page *p, u32 line)
{
	return path_tree_at(p->answer->tree, line_at(p, line));
}

static double share_of(const struct critical_page *p, const struct path_tree_node *n,
		       enum path_class class)
{
	return percent_of(n->ns[class], p->answer->classes[class].ns);
}

static void tree_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct critical_page *p = arg;
	const struct path_tree_node *n = node_at(p, line);

	switch (p->ids[column]) {
	case TREE_SLOW:
		out->number = n->ns[CLASS_SLOW];
		out->real = share_of(p, n, CLASS_SLOW);
		break;
	case TREE_REST:
		out->number = n->ns[CLASS_REST];
		out->real = share_of(p, n, CLASS_REST);
		break;
	case TREE_DIFFERENCE:
		out->real = share_of(p, n, CLASS_SLOW) - share_of(p, n, CLASS_REST);
		break;
	case TREE_TIME:
		out->number = n->ns[CLASS_SLOW] / MAX(p->answer->classes[CLASS_SLOW].walked, 1);
		break;
	case TREE_SAMPLES:
		out->number = n->samples;
		break;
	default:
		break;
	}
}

static void tree_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	const struct critical_page *p = arg;
	const struct path_tree_node *n = node_at(p, line);
	const struct intern *texts = p->answer->lexicon->texts;

	if (p->ids[column] == TREE_WHAT)
		critical_append_node(p->answer, line_at(p, line), out);
	else if (p->ids[column] == TREE_KIND)
		g_string_append(out, critical_kind_name(n->kind));
	else if (p->ids[column] == TREE_NAME)
		g_string_append(out, intern_text(texts, n->text));
	else if (p->ids[column] == TREE_THREAD)
		g_string_append(out, intern_text(texts, n->name));
}

static u64 tree_key(const void *arg, u32 line)
{
	const struct path_tree_node *n = node_at(arg, line);

	return table_mix((u64)n->kind << 40 | (u64)n->how << 32 | n->name, n->text);
}

static void number_text(u8 is_difference, const struct cell *cell, GString *out)
{
	if (cell->kind == CELL_TIME) {
		critical_append_time(out, cell->number);
	} else if (cell->kind == CELL_SHARE) {
		digits_fixed(out, MAX(cell->real, 0), 1);
		append_bytes(out, " %", 2);
	} else if (is_difference) {
		g_string_append_printf(out, "%+.1f", cell->real);
	} else if (cell->kind != CELL_NONE) {
		digits_dec(out, cell->number, 0);
	}
}

static void tree_number(const void *arg, u32 line, u32 column, const struct cell *cell,
			GString *out)
{
	number_text(((const struct critical_page *)arg)->ids[column] == TREE_DIFFERENCE, cell, out);
}

/* Who had the CPU, while the thread was in its run queue; HISTORY_NOBODY: it was not, or that is not known. */
static u32 cpu_owner_of(const struct critical_step *s)
{
	return s->why == WHY_QUEUED && s->stay ? s->stay->owner : HISTORY_NOBODY;
}

static const struct critical_step *step_at(const struct critical_page *p, u32 line)
{
	return &g_array_index(p->steps, struct critical_step, line_at(p, line));
}

/* Where the instance begins that the step is of. */
static u64 start_of(const struct critical_page *p, u32 line)
{
	return p->points ? p->points[g_array_index(p->owners, u32, line)].from : p->answer->from;
}

static void step_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct critical_page *p = arg;
	const struct critical_step *s = step_at(p, line);

	switch (p->ids[column]) {
	case STEP_BEGIN:
		out->number = s->from - start_of(p, line);
		break;
	case STEP_TIME:
		out->number = s->to - s->from;
		break;
	case STEP_SHARE:
		out->number = s->to - s->from;
		out->real = percent_of(out->number, p->answer->max);
		break;
	case STEP_TID:
		out->number = history_thread_at(p->answer->history, s->thread)->tid;
		break;
	case STEP_INSTANCE:
		out->number = g_array_index(p->owners, u32, line);
		break;
	case STEP_DEPTH:
		out->number = s->depth;
		break;
	case STEP_OWNER_TID:
		if (s->through && walk_next(s->through) != HISTORY_NOBODY)
			out->number =
				history_thread_at(p->answer->history, walk_next(s->through))->tid;
		else
			out->kind = CELL_NONE;
		break;
	case STEP_CPU_OWNER:
		if (cpu_owner_of(s) != HISTORY_NOBODY)
			out->number = history_thread_at(p->answer->history, cpu_owner_of(s))->tid;
		else
			out->kind = CELL_NONE;
		break;
	default:
		break;
	}
}

/* "  worker (42)" */
static void append_thread(u32 depth, const char *name, u32 tid, GString *out)
{
	append_many(out, depth * 2, ' ');
	append_text(out, name);
	append_bytes(out, " (", 2);
	digits_dec(out, tid, 0);
	append_char(out, ')');
}

static void step_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	const struct critical_page *p = arg;
	const struct critical_step *s = step_at(p, line);
	const struct history_thread *t = history_thread_at(p->answer->history, s->thread);
	const struct intern *texts = p->answer->lexicon->texts;
	const struct stay *through = s->through;

	if (p->ids[column] == STEP_THREAD)
		append_thread(s->depth, intern_text(texts, t->name), t->tid, out);
	else if (p->ids[column] == STEP_WHAT)
		critical_append_step(p->answer, s, out);
	else if (p->ids[column] == STEP_THROUGH && through)
		g_string_append_printf(out, "%s%s", intern_text(texts, through->object),
				       through->end == END_CHILD ? ", by the parent span" : "");
	else if (p->ids[column] == STEP_OBJECT && s->stay)
		g_string_append(out, intern_text(texts, s->stay->object));
	else if (p->ids[column] == STEP_SPAN)
		g_string_append(
			out, intern_text(texts, doings_exact_span(p->answer->doings, s->activity)));
	else if (p->ids[column] == STEP_CPU_SPAN && cpu_owner_of(s) != HISTORY_NOBODY)
		g_string_append(out,
				intern_text(texts, doings_exact_span(p->answer->doings,
								     s->stay->owner_activity)));
	else if (p->ids[column] == STEP_CODE)
		g_string_append(out, intern_text(texts, s->code));
	else if (p->ids[column] == STEP_DATA)
		g_string_append(out, intern_text(texts, s->data));
	else if (p->ids[column] == STEP_STATE)
		g_string_append(out, critical_state_name(s->why));
	else if (p->ids[column] == STEP_KEY)
		g_string_append_printf(out, "%u:%s", t->tid, intern_text(texts, t->name));
}

static u64 step_key(const void *arg, u32 line)
{
	return line;
}

static void step_number(const void *arg, u32 line, u32 column, const struct cell *cell,
			GString *out)
{
	number_text(false, cell, out);
}

static void free_page(void *arg)
{
	struct critical_page *p = arg;

	g_array_unref(p->lines);
	g_clear_pointer(&p->owners, g_array_unref);
	g_free(p);
}

static struct page *new_page(const struct critical_pages *c, const char *title, const u8 *ids,
			     u32 nr, const struct rows_column *from, const struct list_ops *ops)
{
	struct critical_page *p = g_new0(struct critical_page, 1);
	struct page *page = page_new(g_strdup(title));

	p->answer = c->answer;
	p->ids = ids;
	p->lines = g_array_new(FALSE, FALSE, sizeof(u32));
	for (u32 i = 0; i < nr; i++)
		p->columns[i] = from[ids[i]];
	page->own = p;
	page->free_own = free_page;
	page->rows = list_rows_new(p->columns, nr, ops, p);
	return page;
}

/* Adds the nodes below @node that are large enough in one of the classes. */
static void add_nodes(const struct critical_pages *c, struct page *page, u32 node, u32 parent)
{
	struct critical_page *p = page->own;

	for (u32 i = path_tree_at(c->answer->tree, node)->first; i != PATH_NO_NODE;
	     i = path_tree_at(c->answer->tree, i)->next) {
		const struct path_tree_node *n = path_tree_at(c->answer->tree, i);
		u32 line;

		if (share_of(p, n, CLASS_SLOW) < c->o.least &&
		    share_of(p, n, CLASS_REST) < c->o.least)
			continue;
		line = list_rows_add(page->rows, parent);
		g_array_append_val(p->lines, i);
		add_nodes(c, page, i, line);
	}
}

static struct page *open_tree(const struct critical_pages *c)
{
	static const struct list_ops ops = { tree_cell, tree_text, tree_key, tree_number };
	bool one = !c->answer->classes[CLASS_REST].nr;
	struct page *page = one ? new_page(c, "Paths", columns_of_one, ARRAY_SIZE(columns_of_one),
					   tree_columns, &ops)
				: new_page(c, "Paths", columns_of_several,
					   ARRAY_SIZE(columns_of_several), tree_columns, &ops);
	struct critical_page *p = page->own;

	if (one) {
		p->columns[0].title = "Share";
		p->columns[1].title = "Time";
		p->columns[2].title = "What it did";
	}
	add_nodes(c, page, 0, LIST_TOP);
	return page;
}

static struct page *open_steps(const struct critical_pages *c)
{
	static const struct list_ops ops = { step_cell, step_text, step_key, step_number };
	struct page *page = new_page(c, "Path", columns_of_steps, ARRAY_SIZE(columns_of_steps),
				     step_columns, &ops);
	struct critical_page *p = page->own;

	page->kind = "critical-path";
	p->steps = c->answer->steps;
	for (u32 i = 0; i < c->answer->steps->len && i < MOST_SHOWN_STEPS; i++) {
		list_rows_add(page->rows, LIST_TOP);
		g_array_append_val(p->lines, i);
	}
	return page;
}

/* The paths of all points that have one. */
static struct page *open_paths(const struct critical_pages *c)
{
	static const struct list_ops ops = { step_cell, step_text, step_key, step_number };
	const struct points *points = c->answer->points;
	struct page *page = new_page(c, "Paths of instances", columns_of_paths,
				     ARRAY_SIZE(columns_of_paths), step_columns, &ops);
	struct critical_page *p = page->own;

	page->kind = "critical-paths";
	p->steps = points->steps;
	p->points = (const struct critical_point *)points->list->data;
	p->owners = g_array_new(FALSE, FALSE, sizeof(u32));
	for (u32 i = 0; i < points->list->len; i++)
		for (u32 k = 0; k < p->points[i].nr; k++) {
			u32 step = p->points[i].first + k;

			list_rows_add(page->rows, LIST_TOP);
			g_array_append_val(p->lines, step);
			g_array_append_val(p->owners, i);
		}
	return page;
}

static struct page *open_page(struct pages *pages, u32 i)
{
	const struct critical_pages *c = container_of(pages, struct critical_pages, pages);

	switch (i) {
	case 0:
		return critical_names_page(c->answer);
	case 1:
		return open_tree(c);
	case 2:
		return critical_lost_page(c->answer, c->o.least);
	case 3:
		return critical_bounds_page(c->answer, c->o.least);
	case 4:
		/* Panels have points, which have the single instance's steps, too. */
		return c->answer->points ? critical_points_page(c->answer, &c->pages.notes)
					 : critical_threads_page(c->answer);
	default:
		return c->answer->points ? open_paths(c) : open_steps(c);
	}
}

static void add_length(struct notes *notes, const char *name, u64 ns)
{
	notes_add_number(notes, name, CELL_TIME, ns);
}

static void add_facts(struct critical_pages *c)
{
	const struct critical_answer *a = c->answer;
	struct notes *notes = &c->pages.notes;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *sentence = critical_sentence(a, c->o.slowest);
	g_autofree char *lost = critical_lost_sentence(a);
	struct note *note;

	if (*sentence)
		note_set_text(notes_add_words(notes, "answer", sentence), GAP_BELOW, "%s",
			      sentence);
	if (*lost)
		note_set_text(notes_add_words(notes, "lost", lost), GAP_BELOW, "%s", lost);
	g_string_append_printf(text, "%s: %u instance%s", a->title, a->nr, text_plural(a->nr));
	if (a->nr > 1) {
		static const char *const names[] = { ", p50 ", ", p90 ", ", p99 ", ", max " };
		const u64 values[] = { a->p50, a->p90, a->p99, a->max };

		for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
			g_string_append(text, names[i]);
			critical_append_time(text, values[i]);
		}
	} else {
		g_string_append(text, ", ");
		critical_append_time(text, a->max);
	}
	note = notes_add_number(notes, "instances", CELL_COUNT, a->nr);
	note_set_text(note, GAP_BELOW, "%s", text->str);
	notes_add_words(notes, "of", a->title);
	if (a->steps)
		add_length(notes, "begin", a->from);
	add_length(notes, "p50", a->p50);
	add_length(notes, "p90", a->p90);
	add_length(notes, "p99", a->p99);
	add_length(notes, "max", a->max);
	add_length(notes, "least_slow", a->least_slow);
	notes_add_number(notes, "slow", CELL_COUNT, a->classes[CLASS_SLOW].nr);
	notes_add_number(notes, "rest", CELL_COUNT, a->classes[CLASS_REST].nr);
	add_length(notes, "slow_time", a->classes[CLASS_SLOW].ns);
	add_length(notes, "rest_time", a->classes[CLASS_REST].ns);
}

static void remark_short(const struct critical_answer *a, struct notes *notes)
{
	const struct history_counts *counts = history_counts(a->history);
	g_autoptr(GString) text = g_string_new(NULL);

	if (!counts->short_ns)
		return;
	critical_append_time(text, counts->short_ns);
	notes_add(notes, NOTE_REMARK,
		  "%s of all threads' waits were shorter than the recorder's threshold and were "
		  "only added up: here they count as running. A lower threshold has them: perf "
		  "record --off-cpu=10us",
		  text->str);
}

/* The recording does not tell who had the CPU, so samples do. */
static bool divides_queues(const struct critical_answer *a)
{
	for (u32 i = 0; i < path_tree_nr(a->tree); i++)
		if (path_tree_at(a->tree, i)->kind == NODE_MEANWHILE)
			return true;
	return false;
}

static void append_ahead(s64 ahead, GString *out)
{
	if (!ahead) {
		g_string_append(out, "agrees with");
		return;
	}
	g_string_append_printf(out, "is %.6f s %s", (double)llabs(ahead) / 1e9,
			       ahead > 0 ? "ahead of" : "behind");
}

/* "the clock of b is 0.001130 s ahead of that of a, give or take 15 us, by 12 messages there and 9 back: its times are corrected" */
static void remark_clocks(const struct critical_answer *a, struct notes *notes)
{
	for (u32 i = 0; i < a->clocks->len; i++) {
		const struct collected_clock *c =
			&g_array_index(a->clocks, struct collected_clock, i);
		g_autoptr(GString) text = g_string_new(NULL);

		if (!c->with) {
			notes_add(notes, NOTE_REMARK,
				  "the clock of %s is taken as it is: no messages both ways "
				  "between it and "
				  "a host whose clock is known are recorded%s",
				  c->host,
				  c->clock.no_fit ? ", and no difference of the clocks lets each "
						    "child span be in a wait of its parent"
						  : "");
			continue;
		}
		append_ahead(c->clock.ahead, text);
		g_string_append_printf(text, " that of %s, give or take ", c->with);
		critical_append_time(text, c->clock.error);
		if (c->clock.by_calls)
			g_string_append_printf(text,
					       ", if each of %u child spans on one of them is in a "
					       "wait of its parent on the other one",
					       MAX(c->clock.there, c->clock.back));
		else
			g_string_append_printf(text, ", by %u messages there and %u back",
					       c->clock.there, c->clock.back);
		notes_add(notes, NOTE_REMARK, "the clock of %s %s%s", c->host, text->str,
			  c->clock.correction ? ": its times are corrected" : "");
	}
}

static void remark(struct pages *pages, struct notes *notes)
{
	const struct critical_pages *c = container_of(pages, struct critical_pages, pages);
	const struct critical_answer *a = c->answer;
	const struct critical_class *saved = critical_savings(a)->classes;
	u32 left = a->nr - a->classes[CLASS_SLOW].walked - a->classes[CLASS_REST].walked;

	notes_add(notes, NOTE_REMARK,
		  "what could be saved is an upper bound: the requests walked again without that "
		  "lock or "
		  "function, but dependencies without a wait are not recorded");
	if (saved[CLASS_SLOW].walked < a->classes[CLASS_SLOW].walked)
		notes_add(notes, NOTE_REMARK,
			  "what could be saved is of the %u slowest instances only: there are too "
			  "many "
			  "waits",
			  saved[CLASS_SLOW].walked);
	else if (saved[CLASS_REST].walked < a->classes[CLASS_REST].walked)
		notes_add(notes, NOTE_REMARK,
			  "what could be saved is of %u of the %u instances of the rest, evenly "
			  "chosen",
			  saved[CLASS_REST].walked, a->classes[CLASS_REST].nr);
	if (a->has_ticks)
		notes_add(notes, NOTE_REMARK,
			  "times below 'running'%s are divided by samples; all others are measured",
			  divides_queues(a) ? " and 'run queue'" : "");
	else
		notes_add(notes, NOTE_REMARK,
			  "there are no samples of running threads, so what they ran is not "
			  "known: perf record -e cpu-clock -g --off-cpu --sample-tls");
	if (!a->is_thread && a->nr_stated < a->nr)
		notes_add(notes, NOTE_REMARK,
			  "%u of %u instances last from the first to the last sight of their id; "
			  "files of spans (--spans) have the exact times",
			  a->nr - a->nr_stated, a->nr);
	if (left)
		notes_add(notes, NOTE_REMARK,
			  "the tree has %u of the %u instances of the rest, evenly chosen; all of "
			  "the "
			  "slowest ones",
			  a->classes[CLASS_REST].walked, a->classes[CLASS_REST].nr);
	if (a->beyond)
		notes_add(notes, NOTE_REMARK,
			  "%" PRIu64 " samples are of instances beyond the first %u, which are "
			  "not counted",
			  a->beyond, DOINGS_MOST);
	if (history_counts(a->history)->dropped)
		notes_add(notes, NOTE_REMARK,
			  "%" PRIu64 " waits or samples beyond the first %u are not counted",
			  history_counts(a->history)->dropped, HISTORY_MOST);
	remark_short(a, notes);
	remark_clocks(a, notes);
	for (u32 i = 0; i < session_nr_files(c->o.session); i++) {
		notes_add_deadlocks(notes, session_file(c->o.session, i));
		notes_add_losses(notes, session_file(c->o.session, i));
	}
}

static void free_pages(struct pages *pages)
{
	pages_release(pages);
	g_free(container_of(pages, struct critical_pages, pages));
}

struct pages *critical_pages_new(const struct critical_answer *answer,
				 const struct critical_pages_options *options)
{
	static const struct pages_ops ops = { open_page, remark, free_pages };
	struct critical_pages *c = g_new0(struct critical_pages, 1);

	pages_init(&c->pages, &ops, "report", "critical");
	c->answer = answer;
	c->o = *options;
	c->pages.nr = answer->points || answer->steps ? 6 : 4;
	add_facts(c);
	return &c->pages;
}
