// SPDX-License-Identifier: GPL-2.0-or-later
/* The tool about: what a recording has, and what it cannot tell. */
#include <string.h>

#include "ask/ask_private.h"
#include "base/percent.h"
#include "machine/machine.h"
#include "pages/lists/header.h"
#include "perfdata/info.h"
#include "perfdata/read/reader.h"

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

/* The answer to the keys. NULL with @error. */
static struct explorer_answer *ask_keys(const struct asking *a, const char *keys, GError **error)
{
	struct explorer_question q;
	struct explorer_answer *answer;

	explorer_question_init(&q, explorer_options(a->file->explorer));
	explorer_question_set_sort(&q, keys);
	q.no_children = true;
	q.least = 0;
	answer = explorer_ask(a->file->explorer, &q, error);
	explorer_question_release(&q);
	return answer;
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
static void write_events(struct asking *a, struct pages *pages, struct coverage *c)
{
	struct json_out *j = &a->answer.facts;
	u64 named = 0, all = 0;

	json_out_key(j, "events");
	json_out_begin(j, '[');
	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);

		if (!page)
			continue;
		json_out_begin(j, '{');
		json_out_key(j, "event");
		json_out_text(j, page->title);
		answer_facts(&a->answer, &page->notes);
		json_out_end(j, '}');
		add_named(page, &named, &all);
		page_free(page);
	}
	json_out_end(j, ']');
	c->symbol = all ? percent_of(named, all) : -1;
}

static void write_machine(struct asking *a)
{
	static const char *const names[] = { "hostname",
					     "os_release",
					     "arch",
					     "cpu",
					     "cpus_online",
					     "command_line",
					     "first_sample_time",
					     "last_sample_time",
					     "detached.reason",
					     NULL };
	struct pages *pages = header_pages_new(a->file->session, "about");
	struct json_out *j = &a->answer.facts;

	json_out_key(j, "machines");
	json_out_begin(j, '[');
	for (u32 i = 0; i < pages->headers->len; i++) {
		struct notes some;

		notes_init(&some);
		for (const char *const *name = names; *name; name++) {
			const struct note *note = notes_find(pages->headers->pdata[i], *name);

			if (note && note->words)
				notes_add_words(&some, *name, note->words);
			else if (note)
				notes_add_number(&some, *name, note->value.kind,
						 note->value.number);
		}
		json_out_begin(j, '{');
		answer_facts(&a->answer, &some);
		json_out_end(j, '}');
		notes_release(&some);
	}
	json_out_end(j, ']');
	pages_free(pages);
}

static void write_files(struct asking *a)
{
	const GPtrArray *files = ask_files(a->ask);
	struct json_out *j = &a->answer.facts;

	json_out_key(j, "file");
	json_out_text(j, a->file->path);
	if (files->len < 2)
		return;
	json_out_key(j, "other_files");
	json_out_begin(j, '[');
	for (u32 i = 0; i < files->len; i++)
		if (files->pdata[i] != a->file)
			json_out_text(j, ((const struct ask_file *)files->pdata[i])->path);
	json_out_end(j, ']');
}

static void write_share(struct json_out *j, const char *name, double percent)
{
	json_out_key(j, name);
	if (percent < 0)
		json_out_null(j);
	else
		json_out_real(j, (double)(s64)(percent * 100 + 0.5) / 100);
}

static void write_coverage(struct asking *a, const struct coverage *c)
{
	struct json_out *j = &a->answer.facts;

	json_out_key(j, "percent_of_samples_with");
	json_out_begin(j, '{');
	write_share(j, "activity", c->activity);
	write_share(j, "type", c->type);
	write_share(j, "symbol", c->symbol);
	json_out_end(j, '}');
}

static void write_cannot(struct asking *a, const struct coverage *c)
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
	struct json_out *j = &a->answer.facts;

	json_out_key(j, "cannot_answer");
	json_out_begin(j, '[');
	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		if (!all[i].absent)
			continue;
		json_out_begin(j, '{');
		json_out_key(j, "what");
		json_out_text(j, all[i].what);
		json_out_key(j, "why");
		json_out_text(j, all[i].why);
		json_out_key(j, "record");
		json_out_text(j, all[i].try);
		json_out_end(j, '}');
	}
	json_out_end(j, ']');
}

/* Losses and remarks. */
static void add_notes(struct asking *a, struct pages *pages)
{
	const struct note *lost = notes_find(&pages->notes, "lost_samples");
	struct notes remarks;

	json_out_key(&a->answer.facts, "lost_samples");
	json_out_u64(&a->answer.facts, lost ? lost->value.number : 0);
	notes_init(&remarks);
	pages_remark(pages, &remarks);
	answer_notes(&a->answer, &remarks);
	notes_release(&remarks);
}

bool tool_about(struct asking *a, GError **error)
{
	struct coverage c = { .activity = -1, .type = -1, .symbol = -1 };
	struct explorer_answer *answer = ask_keys(a, "tls_state,type,symbol_size", error);
	struct explorer_status status;
	struct pages *pages;

	if (!answer)
		return false;
	pages = explorer_pages(answer);
	look_at_events(a, &c);
	write_files(a);
	write_events(a, pages, &c);
	if (pages->nr) {
		status = explorer_status(answer, 0);
		c.activity = status.activity;
		c.type = status.type;
	}
	write_coverage(a, &c);
	add_notes(a, pages);
	write_machine(a);
	write_cannot(a, &c);
	answer_next(&a->answer, "top", "keys",
		    c.activity > 0 && c.type > 0 ? "span,type"
		    : c.activity > 0		 ? "span,symbol"
		    : c.type > 0		 ? "symbol,type"
						 : "comm,symbol");
	explorer_answer_free(answer);
	return true;
}
