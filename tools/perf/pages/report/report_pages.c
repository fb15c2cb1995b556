// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/report/report_pages.h"

#include <string.h>

#include "activity/identity.h"
#include "base/percent.h"
#include "base/progress.h"
#include "base/text.h"
#include "dso/dso.h"
#include "hist/order.h"
#include "pages/base/about.h"
#include "pages/lists/end_page.h"
#include "pages/notes/deadlock_notes.h"
#include "pages/notes/jit_notes.h"
#include "pages/notes/notes.h"
#include "pages/notes/unit_notes.h"
#include "pages/report/hist_rows.h"
#include "perfdata/evsel.h"
#include "spans/spans.h"

struct report_pages {
	struct pages pages;
	const struct profile *profile;
	struct report_pages_options o;
	GArray *events; /* u32: the profile's events that have a page */
};

static const struct report_pages *of(const struct pages *pages)
{
	return container_of(pages, struct report_pages, pages);
}

static const struct evsel *evsel_at(const struct profile_event *e, u32 i)
{
	return g_ptr_array_index(e->evsels, i);
}

static const struct profile_totals *totals_at(const struct profile_event *e, u32 i)
{
	return &g_array_index(e->totals, struct profile_totals, i);
}

/* The number of samples; @shown: only those that pass the filters. */
static u64 nr_samples_of(const struct profile_event *e, bool shown)
{
	u64 nr = 0;

	for (u32 m = 0; m < e->totals->len; m++)
		nr += shown ? totals_at(e, m)->shown_samples : totals_at(e, m)->samples;
	return nr;
}

static u64 nr_samples(const struct profile *p, bool shown)
{
	u64 nr = 0;

	for (u32 i = 0; i < p->events->len; i++)
		nr += nr_samples_of(g_ptr_array_index(p->events, i), shown);
	return nr;
}

/* 3472 -> "3K", 978 -> "978 ". */
static char *with_unit(u64 number)
{
	static const char units[] = " KMG";
	u32 unit = 0;

	for (; number >= 1000 && units[unit + 1]; unit++)
		number /= 1000;
	return g_strdup_printf("%" G_GUINT64_FORMAT "%c", number, units[unit]);
}

static void add_heading(const struct report_pages *r, const struct profile_event *e,
			struct page *page)
{
	g_autofree char *samples_text = NULL;
	const char *time = r->o.session->filter.time;
	bool ordered = r->profile->options.memory && r->o.order;
	enum note_gap gap = ordered ? GAP_NONE : GAP_BELOW;
	u64 samples = 0, period = 0;
	struct note *note;

	for (u32 i = 0; i < e->evsels->len; i++) {
		const struct profile_totals *t = totals_at(e, i);

		samples += r->o.relative ? t->shown_samples : t->samples;
		period += r->o.relative ? t->shown_period : t->period;
	}
	samples_text = with_unit(samples);
	note = notes_add_number(&page->notes, "samples", CELL_COUNT, samples);
	note_set_text(note, GAP_NONE, "Samples: %s of event%s '%s'%s%s%s", samples_text,
		      evsel_at(e, 0)->nr_members > 1 ? "s" : "", page->title,
		      time ? " (time slices: " : "", time ?: "", time ? ")" : "");
	if (r->profile->options.memory && evsel_has_weight(evsel_at(e, 0))) {
		note = notes_add_number(&page->notes, "total_weight", CELL_COUNT, period);
		note_set_text(note, gap, "Total weight : %" G_GUINT64_FORMAT, period);
	} else {
		note = notes_add_number(&page->notes, "event_count", CELL_COUNT, period);
		note_set_text(note, gap, "Event count (approx.): %" G_GUINT64_FORMAT, period);
	}
	if (!ordered)
		return;
	note = notes_add_words(&page->notes, "sort_order", r->o.order);
	note_set_text(note, GAP_BELOW, "Sort order   : %s", r->o.order);
}

/* The parts that a page's rows are made of. */
struct made {
	const struct profile_event *event;
	struct hist_tree *tree;
	u64 *totals, *latency;
};

static void made_free(void *p)
{
	struct made *made = p;

	hist_tree_free(made->tree);
	g_free(made->totals);
	g_free(made->latency);
	g_free(made);
}

/* Sets what 100% is. A row of a caller has the time of what it calls, also if a filter keeps that out. */
static void set_totals(const struct report_pages *r, struct made *made)
{
	for (u32 i = 0; i < made->event->evsels->len; i++) {
		const struct profile_totals *t = totals_at(made->event, i);

		made->totals[i] = r->o.relative ? t->shown_period + t->called_period : t->period;
		made->latency[i] = r->o.relative ? t->shown_latency + t->called_latency
						 : t->latency;
	}
}

static u64 chain_total(const struct report_pages *r, const struct profile_event *e)
{
	return r->o.relative ? totals_at(e, 0)->shown_chain_period : totals_at(e, 0)->chain_period;
}

/* Are rows sorted by the leader's share, the one that --percent-limit applies to? */
static bool is_by_share(const struct report_pages *r, const struct profile *p)
{
	const struct column *first = r->o.columns->order->len ? columns_order(r->o.columns, 0)
							      : NULL;

	return first && first->key < 0 && !p->options.columns->tree && !r->o.top &&
	       !r->o.sort_member &&
	       first->field->value ==
		       (p->options.children ? VALUE_OVERHEAD_CHILDREN : VALUE_OVERHEAD);
}

static bool find_idle(const struct columns *columns, u32 *group)
{
	for (*group = 0; *group < columns->groups->len; (*group)++)
		if (!strcmp(((const struct field *)columns->groups->pdata[*group])->name, "idle"))
			return true;
	return false;
}

/* False: the user has stopped the work. */
static bool add_rows(const struct report_pages *r, const struct profile_event *e, struct page *page)
{
	const struct profile *p = r->profile;
	struct progress progress;
	struct hist_tree_options tree_options = {
		.columns = p->options.columns,
		.lexicon = p->lexicon,
		.nr_members = e->evsels->len,
		.sort_member = r->o.sort_member,
		.hierarchy = r->o.hierarchy,
		.top = r->o.top,
		.keep = field_busy_key(p->lexicon),
		.caller_order = p->options.chain.caller,
		.has_chains = e->has_chains && p->options.chains,
		.progress = &progress,
	};
	struct made *made = g_new0(struct made, 1);

	made->event = e;
	made->totals = g_new0(u64, e->evsels->len);
	made->latency = g_new0(u64, e->evsels->len);
	set_totals(r, made);
	tree_options.folds = r->o.fold_idle &&
			     find_idle(p->options.columns, &tree_options.fold_key);
	session_work(p->session, &progress, "Sorting", hist_order_steps(hist_nr(e->hist)));
	made->tree = p->options.columns->tree
			     ? hist_tree_new_paths(e->hist, &tree_options, p->lexicon)
			     : hist_tree_new(e->hist, &tree_options);
	progress_end(&progress);
	page->own = made;
	page->free_own = made_free;
	page->rows = hist_rows_new(&(struct hist_rows_options){
		.hist = e->hist,
		.tree = made->tree,
		.stacks = tree_options.has_chains ? p->stacks : NULL,
		.chain = &p->options.chain,
		.columns = p->options.columns,
		.evsels = e->evsels,
		.lexicon = p->lexicon,
		.nr_members = e->evsels->len,
		.totals = made->totals,
		.latency_totals = made->latency,
		.chain_whole = totals_at(e, 0)->period,
		.chain_total = chain_total(r, e),
		.children = p->options.children || p->options.columns->tree,
		.hierarchy = r->o.hierarchy,
		.least = r->o.least,
		.by_share = is_by_share(r, p),
	});
	page->rows->skip_symbol = r->o.symbol_first;
	return !progress.stopped;
}

void report_pages_look(struct pages *pages, struct page *page, bool relative, double least)
{
	struct report_pages *r = (struct report_pages *)of(pages);
	struct made *made = page->own;

	r->o.relative = relative;
	r->o.least = least;
	set_totals(r, made);
	hist_rows_look(page->rows, chain_total(r, made->event), least);
	notes_release(&page->notes);
	notes_init(&page->notes);
	add_heading(r, made->event, page);
}

static bool about_row(const struct page *page, struct row row, struct about *out)
{
	*out = (struct about){ 0 };
	if (!hist_rows_symbol(page->rows, row, &out->dso, &out->symbol))
		return false;
	out->vaddr = out->symbol->start;
	return true;
}

const struct profile_event *report_pages_event(const struct pages *pages, u32 i)
{
	const struct report_pages *r = of(pages);

	return g_ptr_array_index(r->profile->events, g_array_index(r->events, u32, i));
}

static struct page *open_page(struct pages *pages, u32 i)
{
	const struct report_pages *r = of(pages);
	const struct profile_event *e = report_pages_event(pages, i);
	struct page *page = page_new(evsel_group_title(e->evsels, 0, e->evsels->len));

	for (u32 m = 0; m < e->evsels->len; m++)
		g_ptr_array_add(page->parts, (void *)evsel_at(e, m)->name);
	add_heading(r, e, page);
	page->about = about_row;
	if (add_rows(r, e, page))
		return page;
	page_free(page);
	return NULL;
}

/*
 * A filter with a single name adds the line "# comm: cat" and hides the name's column. Exception: if the filter matches
 * parts of names, several names may remain, so the column stays.
 */
static void hide_single(struct report_pages *r)
{
	const struct session_filter *f = &r->o.session->filter;
	const struct {
		const char *field, *label, *filter;
	} filters[] = {
		{ "dso", "dso", f->dsos },
		{ "comm", "comm", f->comms },
		{ "symbol", "symbol", f->symbols },
	};
	const char *names[ARRAY_SIZE(filters)];
	u32 nr = 0;

	for (u32 i = 0; i < ARRAY_SIZE(filters); i++) {
		const char *text = filters[i].filter;

		if (!text || strchr(text, ',') || g_str_has_prefix(text, "file://"))
			continue;
		if (text != f->symbols || !session_found_by_part(r->profile->session))
			names[nr++] = filters[i].field;
		note_set_text(notes_add_words(&r->pages.notes, filters[i].label, text), GAP_NONE,
			      "%s: %s", filters[i].label, text);
	}
	columns_hide(r->o.columns, names, nr);
}

/* Adds how many samples have an activity, and why the others have none. Upstream has no such line. */
static void add_activity_states(const struct profile *p, struct notes *notes)
{
	const u64 *n = p->activity_states;
	g_autoptr(GString) text = NULL;

	if (!(p->options.columns->needs & NEED_ACTIVITY))
		return;
	text = g_string_new("Activity of samples:");
	for (u32 i = 0; i < NR_ACTIVITY_STATES; i++) {
		u32 state = i < 2 ? !i : i; /* samples with an activity come first */

		if (state >= ACTIVITY_NOT_YET && !n[state])
			continue;
		g_string_append_printf(text, "%s %s %" G_GUINT64_FORMAT, i ? "," : "",
				       activity_state_name(state), n[state]);
	}
	note_set_text(notes_add_words(notes, "activity_of_samples", strchr(text->str, ':') + 2),
		      GAP_BELOW, "%s", text->str);
}

/* Adds which instruction samples name, if a column needs data types. */
static void add_skid(const struct profile *p, struct notes *notes)
{
	if (!(p->options.columns->needs & NEED_DATA_TYPE))
		return;
	for (u32 i = 0; i < p->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(p->events, i);

		if (!nr_samples_of(e, false))
			continue;
		for (u32 m = 0; m < e->evsels->len; m++)
			for (u32 k = 0; k < session_nr_files(p->session); k++)
				notes_add_skid(notes, session_perfdata(session_file(p->session, k)),
					       evsel_at(e, m));
	}
}

/* Adds how many ids --max-ids merged. All rows are exact; the merged ids are one row. */
static void add_folded_ids(const struct profile *p, struct notes *notes)
{
	bool beyond;
	u32 nr = lexicon_nr_ids(p->lexicon, &beyond);

	if (!p->folded_samples)
		return;
	note_set_text(notes_add_number(notes, "samples_without_row_of_their_id", CELL_COUNT,
				       p->folded_samples),
		      GAP_BELOW,
		      "Ids: %s%u, of which %u with the most time have rows (--max-ids); "
		      "%" G_GUINT64_FORMAT " sample%s of the rest %s in (others)",
		      beyond ? "more than " : "", nr, MIN(nr, p->lexicon->max_ids),
		      p->folded_samples, text_plural(p->folded_samples),
		      p->folded_samples == 1 ? "is" : "are");
}

static void add_lost(const struct profile *p, struct notes *notes)
{
	u64 lost = 0;

	for (u32 i = 0; i < session_nr_files(p->session); i++)
		lost += session_counts(session_file(p->session, i))->lost_samples;
	note_set_text(notes_add_number(notes, "lost_samples", CELL_COUNT, lost), GAP_AROUND,
		      "Total Lost Samples: %" G_GUINT64_FORMAT, lost);
}

static const char *const tips[] = {
	"Name the columns yourself: perf report -F overhead,dso,sym",
	"See who calls a function: perf report --no-children -g caller",
	"Group by the structure that was touched: perf report -s type,typeoff",
	"Ask which request the time went to: perf report -s activity,sym",
	"Name the spans: perf report --spans=traces.json -s service,span",
	"Leave out what hardly counts: perf report --percent-limit 1",
	"Look at a part of the recording: perf report --time 10%-20%",
	"Fold keys into a tree: perf report --hierarchy -s comm,dso,sym",
	"Print one record after the other: perf script",
	"Feed another program: perf report -t, -F overhead,comm,sym",
};

/* Chosen by the recording, so two reports of one recording are equal. */
static const char *tip_for(u64 samples)
{
	return tips[samples % ARRAY_SIZE(tips)];
}

/* Says if the times of several files cannot be compared. Such files are read nevertheless. */
static void add_clocks(struct session *session, struct notes *notes)
{
	if (session_nr_files(session) > 1 && !session_has_wall(session))
		notes_add(notes, NOTE_REMARK,
			  "not all files record the time of day of their clock: times of different "
			  "files cannot be compared; record with -k CLOCK_MONOTONIC");
}

/* Says if a column shows activities, but no sample has one. */
static void add_activities(const struct profile *p, struct notes *notes)
{
	u64 nr = 0;

	for (u32 i = 0; i < NR_ACTIVITY_STATES; i++)
		nr += p->activity_states[i];
	if (nr && p->activity_states[ACTIVITY_NONE] == nr)
		notes_add(notes, NOTE_REMARK,
			  "no sample has an activity: record a program that publishes activities, "
			  "with --sample-tls (perf help record)");
	if (p->activity_states[ACTIVITY_NOT_READ])
		notes_add(notes, NOTE_REMARK,
			  "%" G_GUINT64_FORMAT
			  " samples have an activity that perf record does not read: of thread "
			  "states by /proc, of --latency-of, of crashes, and of wakers that are "
			  "not recorded themselves",
			  p->activity_states[ACTIVITY_NOT_READ]);
}

/* Sleeps that no look at the thread saw, which count for the place of the sleep before. */
static void add_estimated(const struct profile *p, struct notes *notes)
{
	u64 asleep = 0, estimated = 0;

	for (u32 i = 0; i < session_nr_files(p->session); i++) {
		const struct session_counts *c = session_counts(session_file(p->session, i));

		asleep += c->asleep;
		estimated += c->estimated;
	}
	if (estimated && estimated >= asleep / 100)
		notes_add(notes, NOTE_REMARK,
			  "up to %.0f %% of the time asleep may be of another place than is told: "
			  "these threads slept several times between two looks (perf record "
			  "--wall=1000 looks more often, --off-cpu has each sleep)",
			  percent_of(estimated, asleep));
}

static void add_spans(const struct profile *p, struct notes *notes)
{
	const struct spans *spans = session_spans(p->session);
	const struct spans_counts *counts = spans ? spans_counts(spans) : NULL;

	if (!counts)
		return;
	if (counts->nameless)
		notes_add(notes, NOTE_REMARK,
			  "spans left out because they have no trace id or no span id: "
			  "%" G_GUINT64_FORMAT,
			  counts->nameless);
	if (counts->cut)
		notes_add(
			notes, NOTE_REMARK,
			"incomplete files of spans (maybe still being written): %" G_GUINT64_FORMAT,
			counts->cut);
	if (p->with_span < p->with_ids)
		notes_add(notes, NOTE_REMARK,
			  "the files of spans know %" G_GUINT64_FORMAT " of the %" G_GUINT64_FORMAT
			  " samples that have ids",
			  p->with_span, p->with_ids);
}

/* Says if several machines have the same host name. Their rows are merged, which may be wanted or not. */
static void add_hosts(struct session *session, struct notes *notes)
{
	g_autoptr(GHashTable) hosts = g_hash_table_new(g_str_hash, g_str_equal);
	u32 nr = session_nr_files(session);

	for (u32 i = 0; i < nr; i++)
		g_hash_table_add(hosts, (char *)session_host(session_file(session, i)));
	if (g_hash_table_size(hosts) < nr)
		notes_add(notes, NOTE_REMARK,
			  "several files come from hosts of the same name: their rows are merged");
}

/* True if an event may state more of an access than its address. */
static bool has_memory_event(const struct profile *p)
{
	for (u32 i = 0; i < p->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(p->events, i);

		for (u32 m = 0; m < e->evsels->len; m++)
			if (evsel_may_state_access(evsel_at(e, m)))
				return true;
	}
	return false;
}

static void remark(struct pages *pages, struct notes *notes)
{
	const struct report_pages *r = of(pages);
	const struct profile *p = r->profile;
	struct dsos *dsos = session_dsos(p->session);
	u64 all = nr_samples(p, false);

	if (!all) {
		notes_add(notes, NOTE_ERROR, "The %s data has no samples!",
			  perfdata_path(session_perfdata(p->session)));
		notes_add_filter(notes, r->o.session);
		return;
	}
	for (u32 i = 0; i < session_nr_files(p->session); i++)
		notes_add_deadlocks(notes, session_file(p->session, i));
	for (u32 i = 0; i < session_nr_files(p->session); i++)
		notes_add_losses(notes, session_file(p->session, i));
	for (u32 i = 0; r->o.ends && i < session_nr_files(p->session); i++)
		notes_add_ends(notes, session_chain_ends(session_file(p->session, i)));
	add_clocks(p->session, notes);
	if (r->o.by_host)
		add_hosts(p->session, notes);
	add_activities(p, notes);
	add_estimated(p, notes);
	add_spans(p, notes);
	if (!nr_samples(p, true))
		notes_add_filter(notes, r->o.session);
	notes_add_absent(notes, dsos, p->without_symbol, all, "symbol", dso_no_symbols);
	notes_add_jit(notes, p->session, p->without_symbol, all);
	notes_add_absent(notes, dsos, p->without_debug, all, "data type", dso_no_debug_info);
	notes_add_by_btf(notes, p->by_btf, all);
	notes_add_no_memory(notes, p->without_memory, all);
	notes_add_charged(notes, p->moved, p->masked, all);
	notes_add_addresses(notes, p->addresses, all);
	if (p->options.memory && !has_memory_event(p))
		notes_add(notes, NOTE_REMARK,
			  "no cache level, TLB, snoop or latency is known: only events of hardware "
			  "state them, and this file has none");
	notes_add_unit_notes(notes, p->session, p->without_unit, all);
	notes_add_broken_chains(notes, p->broken_chains, p->with_chain);
}

static void report_pages_free(struct pages *pages)
{
	struct report_pages *r = (struct report_pages *)of(pages);

	pages_release(pages);
	g_array_unref(r->events);
	g_free(r);
}

static const struct pages_ops ops = { open_page, remark, report_pages_free };

/* If no event has samples, the last one gets a page. Events that exist only for their side records come first. */
static void add_last_event(struct report_pages *r)
{
	u32 last = r->profile->events->len - 1;

	if (r->profile->events->len)
		g_array_append_val(r->events, last);
}

struct pages *report_pages_new(const struct profile *p, const struct report_pages_options *o)
{
	struct report_pages *r = g_new0(struct report_pages, 1);
	u64 all = nr_samples(p, false);

	pages_init(&r->pages, &ops, "report", "profile");
	r->profile = p;
	r->o = *o;
	r->events = g_array_new(FALSE, FALSE, sizeof(u32));
	if (!o->with_header)
		notes_add_header_hint(&r->pages.notes);
	if (!all && !o->even_empty)
		return &r->pages;
	hide_single(r);
	add_lost(p, &r->pages.notes);
	add_activity_states(p, &r->pages.notes);
	add_skid(p, &r->pages.notes);
	add_folded_ids(p, &r->pages.notes);
	for (u32 i = 0; i < p->events->len; i++)
		if (o->all_events || nr_samples_of(g_ptr_array_index(p->events, i), false))
			g_array_append_val(r->events, i);
	if (!r->events->len)
		add_last_event(r);
	r->pages.nr = r->events->len;
	notes_add(&r->pages.closing, NOTE_HINT, "(Tip: %s)", tip_for(all))->gap = GAP_AROUND;
	return &r->pages;
}
