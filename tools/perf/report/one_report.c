// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/one_report.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "critical/asked.h"
#include "fields/idle.h"
#include "fields/waits.h"
#include "pages/lists/header.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"

/* The kinds of samples that the file's events have. */
struct contents {
	u64 sample_types;      /* of all events together */
	bool may_state_access; /* some event: evsel_may_state_access() */
	bool groups, branches, only_tracepoints, switches;
	bool waits, only_waits; /* thread states and waits, besides dummies */
};

static void look_at_file(struct session *session, struct contents *c)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(session));

	c->only_tracepoints &= evsels->len > 0;
	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		c->sample_types |= evsel->attr.sample_type;
		c->may_state_access |= evsel_may_state_access(evsel);
		/* Recorded calls for call chains are not branches to sort by. */
		c->branches |= evsel->attr.sample_type & PERF_SAMPLE_BRANCH_STACK &&
			       !(evsel->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
		c->groups |= evsel->nr_members > 1;
		c->switches |= evsel->attr.context_switch;
		if (evsel->attr.type != PERF_TYPE_TRACEPOINT)
			c->only_tracepoints = false;
		c->waits |= wait_is_event(evsel);
		c->only_waits &= wait_is_event(evsel) || evsel_is_dummy(evsel);
	}
}

static void look_at_contents(struct session *session, struct contents *c)
{
	*c = (struct contents){ .only_tracepoints = true, .only_waits = true };
	for (u32 i = 0; i < session_nr_files(session); i++)
		look_at_file(session_file(session, i), c);
	c->only_waits &= c->waits;
}

static bool is_about_latency(const struct report_options *o)
{
	return o->latency || o->session.filter.parallelism ||
	       report_options_ask_for(o, "latency") || report_options_ask_for(o, "parallelism");
}

/* True if -s has the key parent, which is not parent_span. */
static bool sorts_by_parent(const struct report_options *o)
{
	g_auto(GStrv) keys = o->sort ? g_strsplit_set(o->sort, "+{}, ", -1) : NULL;

	return keys && g_strv_contains((const char *const *)keys, "parent");
}

/* Options that need data which the file does not have are an error. */
static bool has_wanted_data(const struct report_options *o, const struct contents *c,
			    GError **error)
{
	bool chains = c->sample_types & PERF_SAMPLE_CALLCHAIN;
	const struct {
		bool absent;
		const char *message;
	} wanted[] = {
		{ !chains && o->chain_given,
		  "Selected -g or --branch-history but no callchain data.\n"
		  "Did you call 'perf record' without -g?" },
		{ !chains && (o->session.resolver.parent || sorts_by_parent(o)),
		  "Selected --sort parent but no callchain data. Did you call "
		  "'perf record' without -g?" },
		{ !c->switches && is_about_latency(o),
		  "Latency and parallelism need to know when threads ran.\n"
		  "Did you call 'perf record' without --latency?" },
		{ o->branches_given && o->branches && !c->branches,
		  "Selected -b but no branch data. Did you call perf record without -b?" },
		{ o->memory && !(c->sample_types &
				 (PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_INTR)),
		  "Selected --mem-mode but no mem data. Did you call perf record without -d?" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(wanted); i++)
		if (wanted[i].absent)
			return error_set(error, PERF_ERROR_ABSENT, "%s", wanted[i].message);
	return true;
}

/* Checks the options against the file, and chooses those that were not given. */
static bool settle(struct report_options *o, const struct contents *c, GError **error)
{
	bool chains = c->sample_types & PERF_SAMPLE_CALLCHAIN;

	if (!has_wanted_data(o, c, error))
		return false;
	if (!o->branches_given)
		o->branches = c->branches && !o->memory;
	if (o->tree && (o->hierarchy || o->fields || o->branches))
		return error_set(
			error, PERF_ERROR_USAGE,
			"--activity-tree cannot be used together with --hierarchy, --fields "
			"or branch stacks");
	if (o->tree)
		chains = false; /* a span's share does not include shares of callers */
	if (o->hierarchy && o->fields)
		return error_set(error, PERF_ERROR_USAGE,
				 "--hierarchy and --fields options cannot be used together");
	if (!o->children_given)
		o->children = o->cumulating && !o->panels.wanted && !c->only_waits &&
			      !report_options_ask_for(o, "type");
	/* Thread states always have the kernel's stack, even if no call chains were wanted. */
	if (c->only_waits && !o->chain_given && !o->browses && o->view->is_text)
		o->chain.mode = CHAIN_NONE;
	if (o->children && !o->chain.order_given)
		o->chain.caller = true;
	o->children = o->children && chains && !o->hierarchy && !o->branches && !o->memory;
	if (!o->group_given)
		o->group = c->groups && o->grouping;
	if (!o->fold_given)
		o->fold_idle = c->only_waits && !o->sort && !o->fields && !o->browses &&
			       !o->panels.wanted;
	o->fold_idle = o->fold_idle && !o->tree && !o->hierarchy;
	o->pages.fold_idle = o->fold_idle;
	if (o->inverted)
		o->chain.caller = true;
	if (o->least_given)
		o->chain.threshold = o->least; /* of branches too */
	return true;
}

/* The keys of panels, if none are given; of thread states. */
#define PANELS_SORT	 "span,typeoff,symbol"
#define PANELS_WAIT_SORT "span,state,syscall,symbol"

static void choose_columns(struct report *r, const struct contents *c)
{
	const struct report_options *o = r->options;
	struct columns_options co = {
		.sort = o->sort,
		.fields = o->fields,
		.sort_default = o->sort_default,
		.families = FIELD_NORMAL | FIELD_MEMORY,
		.lexicon = r->lexicon,
		.memory = o->memory,
		.latency = c->switches,
		.latency_first = o->latency,
		.tree = o->tree,
		.children = o->children,
		.hidden = o->fold_idle ? fields_find("idle", FIELD_NORMAL, NULL) : NULL,
		.show_value = o->show_value,
		.show_samples = o->show_samples,
		.show_period = o->show_period,
		.show_modes = o->show_modes,
	};

	if (o->panels.wanted && !strcmp(co.sort_default, COLUMNS_DEFAULT_SORT))
		co.sort_default = c->only_waits ? PANELS_WAIT_SORT : PANELS_SORT;
	if (o->memory)
		co.sort_default = c->may_state_access ? COLUMNS_MEMORY_SORT : COLUMNS_COMPUTED_SORT;
	else if (o->branches)
		co.sort_default = COLUMNS_BRANCH_SORT;
	else if (c->only_tracepoints)
		co.sort_default = o->raw_trace ? COLUMNS_RAW_TRACE_SORT : COLUMNS_TRACE_SORT;
	else if (c->only_waits && !strcmp(co.sort_default, COLUMNS_DEFAULT_SORT))
		co.sort_default = COLUMNS_WAIT_SORT;
	if (o->branches)
		co.families |= FIELD_BRANCH;
	if (o->session.resolver.parent && !sorts_by_parent(o))
		co.last_key = "parent";
	r->columns_options = co;
}

/* Panels have their own call tree. */
static bool keeps_chains(const struct report_options *o)
{
	return o->chain.mode != CHAIN_NONE && !o->tree && (!o->panels.wanted || o->chain_given);
}

static void choose_profile(struct report *r, const struct contents *c)
{
	const struct report_options *o = r->options;

	r->profile_options = (struct profile_options){
		.chain = o->chain,
		.chains = keeps_chains(o),
		.children = o->children,
		.group = o->group,
		.group_all = o->group && o->group_given && !c->groups,
		.branches = o->branches,
		.memory = o->memory,
		.no_inline = o->inline_off,
		.latency = c->switches,
		.no_unresolved = o->no_unresolved,
	};
}

void report_print_header(const struct report_options *o, struct session *session)
{
	if (o->view->is_text && (o->header || o->header_only || o->header_full))
		for (u32 i = 0; i < session_nr_files(session); i++)
			perfdata_print_header(session_perfdata(session_file(session, i)),
					      o->header_full, stdout);
}

static u64 nr_samples(const struct profile *profile)
{
	u64 nr = 0;

	for (u32 i = 0; i < profile->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(profile->events, i);

		for (u32 m = 0; m < e->totals->len; m++) {
			const struct profile_totals *totals =
				&g_array_index(e->totals, struct profile_totals, m);

			nr += totals->samples;
		}
	}
	return nr;
}

/* If almost nothing ran in parallel, latency shares equal overhead. */
static void hide_latency(const struct report_options *o, const struct profile *profile,
			 struct columns *columns)
{
	static const char *const names[] = { "latency", "latency_children" };
	u64 all = nr_samples(profile);

	if (o->latency || o->fields || !all || (o->sort && strstr(o->sort, "latency")) ||
	    profile->serial_samples * 100 / all < PROFILE_SERIAL_PERCENT)
		return;
	columns_hide(columns, names, ARRAY_SIZE(names));
}

/* Leaves the columns out in which no row has anything. */
static void hide_absent_accesses(const struct profile *profile, struct columns *columns)
{
	u32 classes = 0;

	for (u32 i = 0; i < profile->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(profile->events, i);

		for (u32 k = 0; k < hist_nr(e->hist); k++)
			for (u32 class = 0; class < NR_ACCESS_CLASSES; class ++)
				if (hist_accesses_of(e->hist, hist_at(e->hist, k), class))
					classes |= 1u << class;
	}
	columns_keep_accesses(columns, classes);
}

/* With --children, an id has a row for each function on its samples' call chains. */
static u32 max_ids(const struct report_options *o)
{
	if (o->max_ids)
		return (u32)MIN(o->max_ids, UINT32_MAX);
	return o->children ? 10000 : 100000;
}

struct report_pages_options report_pages_options(const struct report *r)
{
	struct report_pages_options po = r->options->pages;

	po.session = &r->options->session;
	po.columns = r->columns;
	po.order = r->options->sort	? r->options->sort
		   : r->options->fields ? NULL
					: r->columns_options.sort_default;
	po.by_host = report_options_ask_for(r->options, "host");
	return po;
}

/* Writes the page to a file and prints its name, with any error at the end or before. */
static bool write_page(const struct report_options *o, struct pages *pages, GError **error)
{
	const char *path = o->panels.html;
	FILE *out = strcmp(path, "-") ? file_create_stream(path) : stdout;
	bool ok = out && o->view->print(pages, &o->look, out, error);
	long size = out ? ftell(out) : -1;

	if (ok && out == stdout)
		return true;
	if (!out || (ok && (ferror(out) | fclose(out))))
		return error_set(error, PERF_ERROR_SYSTEM, "%s: %s", path, g_strerror(errno));
	if (!ok)
		fclose(out);
	else if (!o->quiet && size > 0)
		printf("Wrote %s (%ld kB): open it in a browser.\n", path, (size + 999) / 1000);
	return ok;
}

struct pages *report_pages(const struct report *r)
{
	const struct report_options *o = r->options;
	struct report_pages_options po = report_pages_options(r);
	struct pages *pages;

	hide_latency(o, r->profile, r->columns);
	hide_absent_accesses(r->profile, r->columns);
	pages = report_pages_new(r->profile, &po);
	if (r->panels)
		pages = panels_join(r->panels, pages);
	if (!o->view->is_text && (o->header || o->header_full || o->panels.wanted))
		pages_add_headers(pages, r->session);
	return pages;
}

bool report_settle(struct report *r, GError **error)
{
	struct report_options *o = r->options;
	const struct perfdata_info *info = perfdata_info(session_perfdata(r->session));
	struct lexicon *lexicon = r->lexicon = lexicon_new(r->session);
	struct contents contents;

	lexicon->verbose = o->verbose > 0 && !o->quiet;
	lexicon->full_source_path = o->full_source_path;
	lexicon->short_types = o->types.short_names;
	lexicon->cut_types = o->types.for_terminal && !lexicon->verbose && !o->panels.wanted;
	lexicon->ns = o->ns;
	lexicon->raw_trace = o->raw_trace;
	if (info->cache_line_size)
		lexicon->cache_line_size = info->cache_line_size;
	if (o->quantum && !report_time_parse(o->quantum, &lexicon->time_quantum))
		return error_set(error, PERF_ERROR_USAGE, "--time-quantum: '%s' is not a time",
				 o->quantum);
	if (o->idle_rules) {
		r->idle_rules = idle_rules_new(o->idle_rules, error);
		if (!r->idle_rules)
			return false;
		lexicon->idle_rules = r->idle_rules;
	}
	look_at_contents(r->session, &contents);
	if (!settle(o, &contents, error))
		return false;
	if (o->chain.caller)
		session_take_outermost_parent(r->session);
	lexicon->max_ids = max_ids(o);
	lexicon->request_keys = r->request_keys = asked_new(r->session, o->critical, o->slowest);
	choose_columns(r, &contents);
	choose_profile(r, &contents);
	return true;
}

static bool shows_threads(const struct columns *columns)
{
	for (u32 i = 0; i < columns->output->len; i++)
		if (columns_output(columns, i)->field->value == VALUE_THREADS)
			return true;
	return false;
}

bool report_begin(struct report *r, GError **error)
{
	if (!report_settle(r, error))
		return false;
	r->columns = columns_new(&r->columns_options, error);
	if (!r->columns || (shows_threads(r->columns) &&
			    !timeline_elapsed(r->session, &r->lexicon->elapsed, error)))
		return false;
	r->profile_options.columns = r->columns;
	r->profile = profile_new(r->session, r->lexicon, &r->profile_options);
	if (!r->options->panels.wanted)
		return true;
	r->panels = panels_new(&(struct panels_input){
		.session = r->session,
		.session_options = &r->options->session,
		.profile = r->profile,
		.columns = r->columns,
		.baseline = r->options->panels.baseline,
	});
	return true;
}

bool report_read(struct report *r, GError **error)
{
	return report_begin(r, error) &&
	       (r->panels ? panels_read(r->panels, error) : profile_read(r->profile, error));
}

bool report_print_pages(const struct report *r, struct pages *pages, GError **error)
{
	bool ok;

	report_print_header(r->options, r->session);
	ok = r->options->panels.html
		     ? write_page(r->options, pages, error)
		     : r->options->view->print(pages, &r->options->look, stdout, error);
	pages_free(pages);
	return ok;
}

bool report_print(const struct report *r, GError **error)
{
	return report_print_pages(r, report_pages(r), error);
}

void report_release(struct report *r)
{
	panels_free(r->panels);
	profile_free(r->profile);
	columns_free(r->columns);
	lexicon_free(r->lexicon);
	asked_free(r->request_keys);
	idle_rules_free(r->idle_rules);
}
