// SPDX-License-Identifier: GPL-2.0-or-later
/* The tool about: what a recording has, and what it cannot tell. */
#include <string.h>

#include "ask/ask_private.h"
#include "base/percent.h"
#include "machine/machine.h"
#include "pages/lists/header.h"
#include "perfdata/info.h"
#include "perfdata/read/reader.h"
#include "view/json/rows.h"

/* What decides which questions can be answered. Shares are percent, -1: not known. */
struct coverage {
	double activity, type, symbol;
	bool chains, waits, states, addresses, wall, spans;
};

static bool name_begins(const struct evsel *evsel, const char *name)
{
	return g_str_has_prefix(evsel->name, name);
}

static void look_at_events(const struct asking *a, struct coverage *c)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(a->file->session));

	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = evsels->pdata[i];

		c->chains |= evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
		c->addresses |= evsel->attr.sample_type &
				(PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_INTR);
		c->waits |= name_begins(evsel, "offcpu-time");
		c->states |= name_begins(evsel, "wall") || name_begins(evsel, "offcpu-time");
	}
	c->wall = session_has_wall(a->file->session);
	c->spans = session_spans(a->file->session);
}

/* The share of the page's samples with a function that has a name: others have no size of a symbol. */
static void add_named(const struct page *page, u64 *named, u64 *all)
{
	s32 size = rows_find_column(page->rows, "symbol_size"),
	    samples = rows_find_column(page->rows, "sample");
	struct row row = page->rows->ops->first(page->rows, (struct row){ ROW_NONE });
	struct cell cell;

	for (; row.kind == ROW_ENTRY && size >= 0 && samples >= 0;
	     row = page->rows->ops->next(page->rows, row)) {
		u64 nr;

		page->rows->ops->cell(page->rows, row, (u32)samples, 0, &cell);
		nr = cell.number;
		page->rows->ops->cell(page->rows, row, (u32)size, 0, &cell);
		*all += nr;
		*named += cell.kind == CELL_NONE ? 0 : nr;
	}
}

/* Writes the events with samples, and sums up how many have a symbol. */
static void write_events(struct json_out *j, struct pages *pages, struct coverage *c)
{
	u64 named = 0, all = 0;

	json_out_open(j, "events", '[');
	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);

		if (!page)
			continue;
		json_out_begin(j, '{');
		json_out_pair(j, "event", page->title);
		json_facts(j, &page->notes, true);
		json_out_end(j, '}');
		add_named(page, &named, &all);
		page_free(page);
	}
	json_out_end(j, ']');
	c->symbol = all ? percent_of(named, all) : -1;
}

static void write_machines(struct json_out *j, struct session *session)
{
	static const char *const names[] = { "hostname",
					     "os_release",
					     "arch",
					     "cpu",
					     "cpus_online",
					     "command_line",
					     "first_sample_time",
					     "last_sample_time",
					     "detached.reason" };
	struct pages *pages = header_pages_new(session, "about");

	json_out_open(j, "machines", '[');
	for (u32 i = 0; i < pages->headers->len; i++) {
		json_out_begin(j, '{');
		for (u32 k = 0; k < ARRAY_SIZE(names); k++) {
			const struct note *note = notes_find(pages->headers->pdata[i], names[k]);

			if (note)
				json_fact(j, note, true);
		}
		json_out_end(j, '}');
	}
	json_out_end(j, ']');
	pages_free(pages);
}

static void write_files(struct json_out *j, const struct asking *a)
{
	const GPtrArray *files = ask_files(a->ask);

	json_out_pair(j, "file", a->file->path);
	if (files->len < 2)
		return;
	json_out_open(j, "other_files", '[');
	for (u32 i = 0; i < files->len; i++)
		if (files->pdata[i] != a->file)
			json_out_text(j, ((const struct ask_file *)files->pdata[i])->path);
	json_out_end(j, ']');
}

static void write_coverage(struct json_out *j, const struct coverage *c)
{
	const struct {
		const char *name;
		double percent;
	} all[] = { { "activity", c->activity }, { "type", c->type }, { "symbol", c->symbol } };

	json_out_open(j, "percent_of_samples_with", '{');
	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		struct cell cell = { .kind = all[i].percent < 0 ? CELL_NONE : CELL_SHARE,
				     .real = all[i].percent };

		json_out_key(j, all[i].name);
		json_cell(j, &cell, NULL, true);
	}
	json_out_end(j, '}');
}

static void write_cannot(struct json_out *j, const struct coverage *c)
{
	const struct {
		bool absent;
		const char *what, *why, *try;
	} all[] = {
		{ c->activity <= 0, "which request or span", "no sample has an activity",
		  "perf record --sample-tls, of a program that publishes activities" },
		{ c->activity > 0 && !c->spans, "names and durations of spans: they read as ids",
		  "no file of spans was given", "--spans=FILE of the tracing system" },
		{ c->type <= 0, "which data type or field", "no sample has a data type",
		  "debug information (DWARF) of the programs, at their paths or below --symfs" },
		{ !c->waits, "why a request was slow (tool why), locks and their owners",
		  "waits were not recorded", "perf record --off-cpu" },
		{ !c->states, "where threads waited or slept", "only threads on a CPU were sampled",
		  "perf record --wall or --off-cpu" },
		{ !c->chains, "who called a function", "no call chains were recorded",
		  "perf record -g" },
		{ !c->addresses, "which objects and addresses", "samples have no data addresses",
		  "perf record -d" },
		{ !c->wall, "the time of day", "the clock's time of day was not recorded",
		  "perf record -k CLOCK_MONOTONIC" },
	};

	json_out_open(j, "cannot_answer", '[');
	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		if (!all[i].absent)
			continue;
		json_out_begin(j, '{');
		json_out_pair(j, "what", all[i].what);
		json_out_pair(j, "why", all[i].why);
		json_out_pair(j, "record", all[i].try);
		json_out_end(j, '}');
	}
	json_out_end(j, ']');
}

/* Losses and remarks. */
static void add_notes(struct answer *answer, struct pages *pages)
{
	const struct note *lost = notes_find(&pages->notes, "lost_samples");
	struct notes remarks;

	json_out_key(&answer->facts, "lost_samples");
	json_out_u64(&answer->facts, lost ? lost->value.number : 0);
	notes_init(&remarks);
	pages_remark(pages, &remarks);
	answer_notes(answer, &remarks);
	notes_release(&remarks);
}

static const char *first_keys(const struct coverage *c)
{
	if (c->activity > 0)
		return c->type > 0 ? "span,type" : "span,symbol";
	return c->type > 0 ? "symbol,type" : "comm,symbol";
}

bool tool_about(struct asking *a, GError **error)
{
	struct coverage c = { .activity = -1, .type = -1, .symbol = -1 };
	struct explorer_answer *answer =
		asking_explore(a->file->explorer, terms_new(), "tls_state,type,symbol_size", error);
	struct json_out *j = &a->answer.facts;
	struct pages *pages;

	if (!answer)
		return false;
	pages = explorer_pages(answer);
	if (pages->nr) {
		const struct explorer_status status = explorer_status(answer, 0);

		c.activity = status.activity;
		c.type = status.type;
	}
	look_at_events(a, &c);
	write_files(j, a);
	write_events(j, pages, &c);
	write_coverage(j, &c);
	add_notes(&a->answer, pages);
	write_machines(j, a->file->session);
	write_cannot(j, &c);
	answer_next(&a->answer, "top", "keys", first_keys(&c), NULL);
	explorer_answer_free(answer);
	return true;
}
