// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/critical/thread_page.h"

#include <string.h>

#include "base/intern.h"
#include "pages/base/list_rows.h"
#include "pages/critical/critical_words.h"

#define MOST_THREADS 16u
#define BINS	     60u

enum { THREAD_RAN, THREAD_BLOCKED, THREAD_QUEUED, THREAD_NAME, THREAD_PICTURE };

/* What a thread did in a bin of time. Of several, the one with most time is drawn; before equals, the first. */
enum deed { DEED_RAN, DEED_BLOCKED, DEED_QUEUED, DEED_WAITS, NR_DEEDS };

static const char letters[NR_DEEDS] = {
	[DEED_RAN] = '#', [DEED_BLOCKED] = '=', [DEED_QUEUED] = '~', [DEED_WAITS] = '.'
};

struct thread_lane {
	u32 thread;
	u32 bin; /* of the last part: parts come in the order of time */
	u64 ns[BINS][NR_DEEDS], all[NR_DEEDS];
};

struct thread_page {
	const struct critical_answer *answer;
	struct rows_column columns[THREAD_PICTURE + 1];
	char *title;	     /* of the picture */
	GArray *lanes;	     /* struct thread_lane, in the order in which the path comes to them */
	u8 *lane_of;	     /* by thread: 1 + the index of its lane; 0: it has none */
	u64 edges[BINS + 1]; /* of the bins, ns since the request's begin */
	u32 nr_threads;
};

#define TIME_COLUMN(name, title)                                                                   \
	{                                                                                          \
		name, title, .kind = CELL_TIME, .value = true, .nr_parts = 1, .width = 10          \
	}

static const struct rows_column all_columns[] = {
	[THREAD_RAN] = TIME_COLUMN("ran", "Ran"),
	[THREAD_BLOCKED] = TIME_COLUMN("blocked", "Blocked"),
	[THREAD_QUEUED] = TIME_COLUMN("queued", "Run queue"),
	[THREAD_NAME] = { "thread", "Thread", .kind = CELL_TEXT, .nr_parts = 1 },
	[THREAD_PICTURE] = { CRITICAL_LAST_SHOWN, NULL, .kind = CELL_TEXT, .nr_parts = 1,
			     .loose = true },
};

static struct thread_lane *lane_at(const struct thread_page *p, u32 i)
{
	return &g_array_index(p->lanes, struct thread_lane, i);
}

/* NULL: it is one of those that have no row. */
static struct thread_lane *lane_of(struct thread_page *p, u32 thread)
{
	struct thread_lane *new;

	if (p->lane_of[thread])
		return lane_at(p, p->lane_of[thread] - 1u);
	if (p->lanes->len == MOST_THREADS)
		return NULL;
	g_array_set_size(p->lanes, p->lanes->len + 1);
	p->lane_of[thread] = (u8)p->lanes->len;
	new = lane_at(p, p->lanes->len - 1);
	new->thread = thread;
	return new;
}

/* Adds [@from, @to), ns since the request's begin, to the bins. */
static void add(const struct thread_page *p, struct thread_lane *lane, enum deed deed, u64 from,
		u64 to)
{
	lane->all[deed] += to - from;
	while (lane->bin < BINS && p->edges[lane->bin + 1] <= from)
		lane->bin++;
	for (u32 bin = lane->bin; bin < BINS && p->edges[bin] < to; bin++) {
		u64 last = MIN(to, p->edges[bin + 1]);

		lane->ns[bin][deed] += last - MIN(MAX(from, p->edges[bin]), last);
	}
}

static enum deed deed_of(const struct critical_step *step)
{
	return step->why == WHY_RAN	 ? DEED_RAN
	       : step->why == WHY_QUEUED ? DEED_QUEUED
					 : DEED_BLOCKED;
}

/*
 * The threads on the way to a step wait for it: way[d] is the thread that was last seen at depth d. A thread through which the
 * path went without a step there is not known.
 */
static void add_steps(struct thread_page *p, u64 whole)
{
	const GArray *steps = p->answer->steps;
	u32 way[WALK_DEPTH + 1];
	g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);

	memset(way, 0xff, sizeof(way));
	for (u32 bin = 0; bin <= BINS; bin++)
		p->edges[bin] = whole * bin / BINS;
	for (u32 i = 0; i < steps->len; i++) {
		const struct critical_step *s = &g_array_index(steps, struct critical_step, i);
		u64 from = s->from - p->answer->from, to = s->to - p->answer->from;
		u32 depth = MIN(s->depth, (u32)WALK_DEPTH);
		struct thread_lane *lane = lane_of(p, s->thread);

		g_hash_table_add(seen, GUINT_TO_POINTER(s->thread));
		if (lane)
			add(p, lane, deed_of(s), from, to);
		for (u32 d = 0; d < depth; d++) {
			lane = way[d] == HISTORY_NOBODY || way[d] == s->thread ? NULL
									       : lane_of(p, way[d]);
			if (lane)
				add(p, lane, DEED_WAITS, from, to);
		}
		way[depth] = s->thread;
		for (u32 d = depth + 1; d <= WALK_DEPTH; d++)
			way[d] = HISTORY_NOBODY;
	}
	p->nr_threads = g_hash_table_size(seen);
}

static void cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct thread_lane *lane = lane_at(arg, line);

	if (column == THREAD_RAN)
		out->number = lane->all[DEED_RAN];
	else if (column == THREAD_BLOCKED)
		out->number = lane->all[DEED_BLOCKED];
	else if (column == THREAD_QUEUED)
		out->number = lane->all[DEED_QUEUED];
}

/* Between bars, because views cut blanks at the ends of texts. */
static void append_picture(const struct thread_lane *lane, GString *out)
{
	g_string_append_c(out, '|');
	for (u32 bin = 0; bin < BINS; bin++) {
		u32 best = 0;

		for (u32 deed = 1; deed < NR_DEEDS; deed++)
			if (lane->ns[bin][deed] > lane->ns[bin][best])
				best = deed;
		g_string_append_c(out, lane->ns[bin][best] ? letters[best] : ' ');
	}
	g_string_append_c(out, '|');
}

static void text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	const struct thread_page *p = arg;
	const struct thread_lane *lane = lane_at(p, line);
	const struct history_thread *t = history_thread_at(p->answer->history, lane->thread);

	if (column == THREAD_NAME)
		g_string_append_printf(out, "%s (%u)",
				       intern_text(p->answer->lexicon->texts, t->name), t->tid);
	else if (column == THREAD_PICTURE)
		append_picture(lane, out);
}

static u64 key(const void *arg, u32 line)
{
	return lane_at(arg, line)->thread;
}

static void number(const void *arg, u32 line, u32 column, const struct cell *c, GString *out)
{
	critical_append_time(out, c->number);
}

static void free_page(void *arg)
{
	struct thread_page *p = arg;

	g_array_unref(p->lanes);
	g_free(p->lane_of);
	g_free(p->title);
	g_free(p);
}

static char *title_of(u64 whole)
{
	GString *title = g_string_new("0 to ");

	critical_append_time(title, whole);
	g_string_append(title, ": # ran, = blocked, ~ run queue, . waits for another");
	return g_string_free(title, FALSE);
}

struct page *critical_threads_page(const struct critical_answer *answer)
{
	static const struct list_ops ops = { cell, text, key, number };
	struct thread_page *p = g_new0(struct thread_page, 1);
	struct page *page;

	p->answer = answer;
	p->lanes = g_array_new(FALSE, TRUE, sizeof(struct thread_lane));
	p->lane_of = g_new0(u8, history_nr_threads(answer->history));
	if (answer->max)
		add_steps(p, answer->max);
	if (p->nr_threads < 2) {
		free_page(p);
		return NULL;
	}
	memcpy(p->columns, all_columns, sizeof(p->columns));
	p->columns[THREAD_PICTURE].title = p->title = title_of(answer->max);
	page = page_new(g_strdup("Threads"));
	page->kind = "critical-threads";
	page->own = p;
	page->free_own = free_page;
	page->rows = list_rows_new(p->columns, ARRAY_SIZE(p->columns), &ops, p);
	for (u32 i = 0; i < p->lanes->len; i++)
		list_rows_add(page->rows, LIST_TOP);
	notes_add_number(&page->notes, "threads", CELL_COUNT, p->nr_threads);
	return page;
}
