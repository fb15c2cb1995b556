// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/profile.h"

#include <linux/perf_event.h>
#include <string.h>

#include "hist/profile_private.h"
#include "perfdata/read/reader.h"
#include "session/named.h"
#include "typeflow/typeflow.h"

enum hist_mode profile_mode(u8 cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return HIST_SYS;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return HIST_GUEST_SYS;
	case PERF_RECORD_MISC_GUEST_USER:
		return HIST_GUEST_US;
	default:
		return HIST_US;
	}
}

u64 profile_period(const struct profile *p, const struct place *place)
{
	if (p->options.memory)
		return evsel_weight(place->evsel, place->sample);
	return evsel_period(place->evsel, place->sample);
}

static struct hist_weight weight_of(const struct profile *p, const struct place *place)
{
	const struct sample *s = place->sample;
	struct hist_weight w = {
		.samples = 1,
		.period = evsel_period(place->evsel, s),
		.weight = { s->weight, s->ins_lat, s->p_stage_cyc },
		.mode = profile_mode(place->cpumode),
	};

	/* The factor keeps what the division would cut off; only shares of it are shown. */
	if (place->parallelism)
		w.latency = w.period * 1000 / place->parallelism;
	w.period = profile_period(p, place);
	if (p->options.branches)
		w.period = 1;
	return w;
}

/* Frames with the same number are one frame in the call tree. */
static u64 same_of(const struct profile *p, const struct code *code)
{
	const char *file;
	u32 line;

	switch (p->options.chain.key) {
	case CHAIN_BY_ADDRESS:
		return code->id;
	case CHAIN_BY_SRCLINE:
		/* Frames without a line are told apart by function. */
		return code_line(code, &file, &line) ? lexicon_line(p->lexicon, code)
						     : (u64)code->function << 32;
	default:
		return code->function;
	}
}

static u32 number_stack(struct profile *p, const struct place *place)
{
	GArray *frames = p->own->frames;
	struct stack_frame *to;
	u32 nr = place->nr_chain;

	g_array_set_size(frames, nr);
	to = (struct stack_frame *)(void *)frames->data;
	for (u32 i = 0; i < nr; i++) {
		const struct code *code = place->chain[p->options.chain.caller ? nr - 1 - i : i];

		to[i] = (struct stack_frame){ code, same_of(p, code) };
	}
	return stacks_id(p->stacks, to, nr);
}

/* A chain that the session knows again is known here by its number. */
u32 profile_stack(struct profile *p, const struct place *place)
{
	GPtrArray *files = p->own->known_stacks;
	u32 file = session_index(place->session);
	u32 *known;

	if (!place->chain_id)
		return number_stack(p, place);
	while (files->len <= file)
		g_ptr_array_add(files, g_array_new(FALSE, TRUE, sizeof(u32)));
	if (((GArray *)files->pdata[file])->len <= place->chain_id)
		g_array_set_size(files->pdata[file], place->chain_id + 1);
	known = &g_array_index((GArray *)files->pdata[file], u32, place->chain_id);
	if (!*known)
		*known = number_stack(p, place);
	return *known;
}

void profile_set_hidden(const struct profile *p, u64 *keys, bool hidden)
{
	keys[p->options.columns->groups->len] = hidden;
}

static void make_keys(struct profile *p, const struct place *place, u64 *keys)
{
	const GPtrArray *groups = p->options.columns->groups;

	for (u32 i = 0; i < groups->len; i++) {
		const struct field *field = groups->pdata[i];

		keys[i] = field->key(field, p->lexicon, place);
	}
}

static void add_branch_to(struct hist_branches *sums, const struct perf_branch_entry *b)
{
	sums->nr++;
	sums->predicted += b->predicted;
	sums->aborts += b->abort;
	sums->cycles += b->cycles;
}

static void sum_branches(struct hist_branches *sums, const struct place *place)
{
	if (place->branch)
		add_branch_to(sums, place->branch->entry);
	for (u32 i = 0; !place->branch && i < place->nr_branches; i++)
		add_branch_to(sums, place->branches[i].entry);
}

static void sum_accesses(struct hist_accesses *sums, const struct place *place, u64 period)
{
	u8 classes[NR_ACCESS_NAMES];

	access_classes(place->sample->data_src, classes);
	for (u32 i = 0; i < NR_ACCESS_NAMES; i++)
		sums->period[classes[i]] += period;
}

bool profile_fold_ids(const struct profile *p, const struct hist *hist, u64 *keys)
{
	const GPtrArray *groups = p->options.columns->groups;
	bool full = hist_nr(hist) >= p->max_rows && !hist_has(hist, keys), folded = false;

	for (u32 i = 0; i < groups->len; i++) {
		if (!((const struct field *)groups->pdata[i])->id)
			continue;
		if (full)
			keys[i] = FIELD_OTHERS;
		folded |= keys[i] == FIELD_OTHERS;
	}
	return folded;
}

static void add_part(struct profile *p, struct hist *hist, const struct hist_entry *entry,
		     const struct place *place, const struct hist_row *row)
{
	s32 request = clusters_of_request(p->clusters, place);
	struct hist_part part = { .entry = entry->id,
				  .stack = row->stack,
				  .period = row->weight.period,
				  .samples = row->weight.samples };

	part.cluster = request >= 0 ? (u32)request : clusters_of_thread(p->clusters, place);
	hist_add_part(hist, &part);
}

/* Adds at once, for cases in which the next step depends on the entry or on the number of entries. */
static void add_now(struct profile *p, struct hist *hist, const struct place *place,
		    const struct hist_row *row)
{
	struct hist_entry *entry;

	if (p->max_rows)
		p->folded_samples += profile_fold_ids(p, hist, p->own->keys);
	entry = hist_add(hist, p->own->keys, row->member, &row->weight, row->thread);
	entry->shown |= row->shown;
	if (p->own->sums_branches)
		sum_branches(hist_branches(hist, entry), place);
	if (p->own->sums_accesses)
		sum_accesses(hist_accesses(hist, entry), place, row->weight.period);
	if (row->stack)
		hist_add_stack(hist, entry, row->member, row->stack, &row->weight);
	if (p->clusters && row->shown)
		add_part(p, hist, entry, place, row);
}

bool profile_is_chained(const struct profile *p, const struct evsel *evsel)
{
	return evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN &&
	       (p->options.chains || p->options.children);
}

/* With --children a caller may pass the filter that keeps its callee out. */
bool profile_has_row(const struct profile *p, u32 filtered)
{
	return !filtered || (p->options.children && !(filtered & ~(u32)FILTERED_CODE));
}

bool profile_is_called(const struct profile *p, const struct place *place, u32 filtered)
{
	if (!filtered || !profile_has_row(p, filtered))
		return false;
	for (u32 i = 0; i < place->nr_chain; i++)
		if (!session_filter_code(p->session, place->chain[i]))
			return true;
	return false;
}

static void add_row(struct profile *p, const struct slot *slot, const struct place *place,
		    const struct hist_weight *weight, u32 filtered)
{
	struct profile_totals *t = profile_totals_of(slot);
	struct hist_row row = { *weight, place->thread, slot->member, 0, !filtered };
	bool called = profile_is_called(p, place, filtered);

	t->period += weight->period;
	t->samples++;
	t->latency += weight->latency;
	if (!filtered) {
		t->shown_period += weight->period;
		t->shown_samples++;
		t->shown_latency += weight->latency;
	}
	if (called) {
		t->called_period += weight->period;
		t->called_latency += weight->latency;
	}
	/* Samples whose chain is garbled, or that a filter keeps out, count as upstream counts them. */
	if (profile_is_chained(p, place->evsel)) {
		t->chain_period += weight->period;
		t->shown_chain_period += filtered && !called ? 0 : weight->period;
	}
	if (!profile_has_row(p, filtered))
		return;
	make_keys(p, place, p->own->keys);
	profile_set_hidden(p, p->own->keys, filtered);
	if (place->nr_chain && (p->options.chains || p->options.children)) {
		row.stack = profile_stack(p, place);
		slot->event->has_chains = true;
	}
	if (p->max_rows || p->own->sums_branches || p->own->sums_accesses || p->clusters)
		add_now(p, slot->event->taken, place, &row);
	else
		hist_queue(slot->event->taken, p->own->keys, &row);
}

static void add_branches(struct profile *p, const struct slot *slot, struct place *place,
			 const struct hist_weight *weight, u32 filtered)
{
	for (u32 i = 0; i < place->nr_branches; i++) {
		const struct branch *b = &place->branches[i];

		if (p->options.no_unresolved && !(b->from->symbol && b->to->symbol))
			continue;
		place->branch = b;
		place->ip = b->to;
		add_row(p, slot, place, weight, filtered);
	}
}

static void count_for(GArray *counts, u32 id, u64 nr)
{
	if (id >= counts->len)
		g_array_set_size(counts, id + 1);
	g_array_index(counts, u64, id) += nr;
}

void profile_lacks(const struct profile *p, const struct place *place, struct lacks *out)
{
	const struct spans *spans = session_spans(p->session);
	const struct activity *a = place->activity;
	const struct dso *dso = place->ip->dso;

	memset(out, 0, sizeof(*out));
	if (a) {
		out->state = (u8)MIN(a->state, NR_ACTIVITY_STATES - 1) + 1;
		out->ids = spans && activity_has_ids(a);
		out->span = out->ids && named_span(spans, a, a->span_id);
	}
	if (p->own->needs & NEED_ADDR)
		out->address = place->addr_how + 1;
	out->memory = place->access && place->access->why == ACCESS_NO_MEMORY &&
		      session_names_later(place->session, place->evsel);
	out->moved = place->ip->function != place->sampled->function;
	out->masked = place->access && place->access->how == ACCESS_MASKED;
	out->by_btf = place->access && dso && dso_is_by_btf(place->ip->dso);
	if (place->access && place->access->why == ACCESS_NO_UNIT)
		out->function = place->ip->function;
	if (p->own->needs & NEED_CHAIN) {
		out->chain = place->nr_chain;
		out->broken = place->broken;
	}
	if (!dso)
		return;
	out->symbol = p->own->needs & NEED_SYMBOL &&
		      (!place->ip->symbol || symbol_is_unnamed(place->ip->symbol));
	out->debug = place->access && place->access->why == ACCESS_NO_DEBUGINFO;
	if (out->symbol || out->debug)
		out->dso = dso_id(dso);
}

void profile_count(struct profile *p, const struct lacks *lacks, u64 nr)
{
	if (lacks->state)
		p->activity_states[lacks->state - 1] += nr;
	if (lacks->address)
		p->addresses[lacks->address - 1] += nr;
	if (lacks->ids)
		p->with_ids += nr;
	if (lacks->span)
		p->with_span += nr;
	if (lacks->memory)
		p->without_memory += nr;
	if (lacks->moved)
		p->moved += nr;
	if (lacks->masked)
		p->masked += nr;
	if (lacks->by_btf)
		p->by_btf += nr;
	if (lacks->chain)
		p->with_chain += nr;
	if (lacks->broken)
		p->broken_chains += nr;
	if (lacks->function)
		count_for(p->without_unit, lacks->function, nr);
	if (lacks->symbol)
		count_for(p->without_symbol, lacks->dso, nr);
	if (lacks->debug)
		count_for(p->without_debug, lacks->dso, nr);
}

void profile_count_chain(struct profile *p, const struct place *place)
{
	struct lacks lacks = { .chain = place->nr_chain, .broken = place->broken };

	if (!(p->own->needs & NEED_CHAIN))
		profile_count(p, &lacks, 1);
}

static void show_to_fields(struct profile *p, const struct place *place)
{
	const GPtrArray *groups = p->options.columns->groups;

	for (u32 i = 0; i < groups->len; i++) {
		const struct field *field = groups->pdata[i];

		if (field->take)
			field->take(p->lexicon, place);
	}
}

void profile_take(struct profile *p, const struct place *place, u32 filtered)
{
	struct hist_weight weight = weight_of(p, place);
	const struct slot *slot = profile_slot_at(p, profile_slot(p, place->session, place->evsel));
	struct lacks lacks;

	if (!filtered) {
		profile_lacks(p, place, &lacks);
		profile_count(p, &lacks, 1);
	}
	p->serial_samples += place->parallelism == 1;
	show_to_fields(p, place);
	if (p->options.branches) {
		struct place one = *place;

		add_branches(p, slot, &one, &weight, filtered);
	} else if (place->ip->symbol || !p->options.no_unresolved) {
		add_row(p, slot, place, &weight, filtered);
	}
}

/* The keys of a caller are its callee's but for what follows from the address. */
static bool frame_keys(void *arg, const u64 *from, const struct stack_frame *frame, u64 *keys)
{
	struct profile *p = arg;
	const GPtrArray *groups = p->options.columns->groups;
	struct place place = { .ip = frame->code };
	bool hidden = session_filter_code(p->session, frame->code);

	for (u32 i = 0; i < groups->len; i++) {
		const struct field *field = groups->pdata[i];

		keys[i] = field->per_frame ? field->key(field, p->lexicon, &place) : from[i];
	}
	profile_set_hidden(p, keys, hidden);
	return !hidden;
}

static u32 needs_of(const struct profile_options *o)
{
	u32 needs = o->columns->needs;

	if (o->chains || o->children)
		needs |= NEED_CHAIN | (o->no_inline ? 0 : NEED_INLINE);
	if (o->branches)
		needs |= NEED_BRANCH;
	if (o->latency)
		needs |= NEED_PARALLELISM;
	if (o->no_unresolved)
		needs |= NEED_SYMBOL;
	if (o->memory)
		needs |= NEED_SAMPLE;
	/* The order of two callers with equal time depends on their threads. */
	if (o->children)
		needs |= NEED_THREAD;
	return needs;
}

u32 profile_needs(const struct profile *p)
{
	return p->own->needs;
}

void profile_make_empty(struct profile *p)
{
	g_ptr_array_set_size(p->events, 0);
	g_array_set_size(p->own->slots, 0);
	stacks_free(p->stacks);
	p->stacks = stacks_new(p->options.children);
	clusters_free(p->clusters);
	p->clusters = p->options.clusters ? clusters_new(p->options.clusters, p->lexicon) : NULL;
	g_ptr_array_set_size(p->own->known_stacks, 0);
	g_array_set_size(p->without_symbol, 0);
	g_array_set_size(p->without_debug, 0);
	g_array_set_size(p->without_unit, 0);
	memset(p->activity_states, 0, sizeof(p->activity_states));
	memset(p->addresses, 0, sizeof(p->addresses));
	p->serial_samples = p->folded_samples = p->with_ids = p->with_span = 0;
	p->without_memory = p->moved = p->masked = p->by_btf = p->with_chain = p->broken_chains = 0;
	profile_add_events(p);
}

/* Computes the callers' sums again each time, from the samples taken so far. */
static void add_callers(struct profile *p, struct profile_event *e)
{
	if (e->hist != e->taken)
		hist_free(e->hist);
	e->hist = profile_new_hist(p, e);
	hist_merge(e->hist, p->stacks, e->taken, p->stacks, 1);
	hist_add_callers(e->hist, p->stacks, frame_keys, p);
}

void profile_look(struct profile *p)
{
	for (u32 i = 0; i < p->events->len; i++) {
		struct profile_event *e = g_ptr_array_index(p->events, i);

		hist_settle(e->taken);
		if (p->options.children && !p->options.wide)
			add_callers(p, e);
	}
}

static void fade(u64 *count, double factor)
{
	*count = (u64)((double)*count * factor);
}

static void fade_totals(struct profile_totals *t, double factor)
{
	fade(&t->period, factor);
	fade(&t->samples, factor);
	fade(&t->shown_period, factor);
	fade(&t->shown_samples, factor);
	fade(&t->latency, factor);
	fade(&t->shown_latency, factor);
	fade(&t->called_period, factor);
	fade(&t->called_latency, factor);
	fade(&t->chain_period, factor);
	fade(&t->shown_chain_period, factor);
}

static void fade_event(struct profile *p, struct profile_event *e, struct stacks *stacks,
		       double factor)
{
	struct hist *left = profile_new_hist(p, e);

	hist_settle(e->taken);
	hist_merge(left, stacks, e->taken, p->stacks, factor);
	if (e->hist != e->taken)
		hist_free(e->hist);
	hist_free(e->taken);
	e->taken = e->hist = left;
	for (u32 m = 0; m < e->totals->len; m++)
		fade_totals(&g_array_index(e->totals, struct profile_totals, m), factor);
}

void profile_fade(struct profile *p, double factor)
{
	struct stacks *stacks = stacks_new(p->options.children);

	for (u32 i = 0; i < p->events->len; i++)
		fade_event(p, g_ptr_array_index(p->events, i), stacks, factor);
	for (u32 i = 0; i < NR_ACTIVITY_STATES; i++)
		fade(&p->activity_states[i], factor);
	stacks_free(p->stacks);
	p->stacks = stacks;
	g_ptr_array_set_size(p->own->known_stacks, 0);
}

static bool shows_branches(const struct columns *columns)
{
	for (u32 i = 0; i < columns->output->len; i++)
		if (field_is_of_branches(columns_output(columns, i)->field))
			return true;
	return false;
}

static bool shows_accesses(const struct columns *columns)
{
	for (u32 i = 0; i < columns->output->len; i++)
		if (columns_output(columns, i)->field->value == VALUE_ACCESS)
			return true;
	return false;
}

struct profile *profile_new(struct session *session, struct lexicon *lexicon,
			    const struct profile_options *options)
{
	struct profile *p = g_new0(struct profile, 1);

	p->session = session;
	p->lexicon = lexicon;
	p->options = *options;
	p->events = g_ptr_array_new_with_free_func(profile_event_free);
	p->stacks = stacks_new(p->options.children);
	p->without_symbol = g_array_new(FALSE, TRUE, sizeof(u64));
	p->without_debug = g_array_new(FALSE, TRUE, sizeof(u64));
	p->without_unit = g_array_new(FALSE, TRUE, sizeof(u64));
	p->own = g_new0(struct profile_own, 1);
	p->own->slots = g_array_new(FALSE, TRUE, sizeof(struct slot));
	p->own->evsels = g_ptr_array_new();
	p->own->numbers = g_hash_table_new(NULL, NULL);
	p->own->keys = g_new0(u64, options->columns->groups->len + 1);
	p->own->known_stacks = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	p->own->frames = g_array_new(FALSE, FALSE, sizeof(struct stack_frame));
	p->own->row_needs = needs_of(options);
	p->own->needs = p->own->row_needs | clusters_needs(options->clusters);
	if (options->clusters)
		p->clusters = clusters_new(options->clusters, lexicon);
	/* Then symbols are shown where the earliest of their samples was. */
	if (lexicon->verbose)
		p->own->needs |= NEED_SAMPLE;
	p->own->sums_branches = shows_branches(options->columns);
	p->own->sums_accesses = shows_accesses(options->columns);
	for (u32 i = 0; i < options->columns->groups->len; i++)
		if (((const struct field *)options->columns->groups->pdata[i])->id)
			p->max_rows = options->wide ? UINT32_MAX / ROWS_PER_ID : lexicon->max_ids;
	profile_add_events(p);
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	g_ptr_array_unref(p->events);
	if (!p->own->projected) {
		stacks_free(p->stacks);
		clusters_free(p->clusters);
	}
	g_array_unref(p->without_symbol);
	g_array_unref(p->without_debug);
	g_array_unref(p->without_unit);
	g_array_unref(p->own->slots);
	g_ptr_array_unref(p->own->evsels);
	g_hash_table_destroy(p->own->numbers);
	g_array_unref(p->own->frames);
	g_ptr_array_unref(p->own->known_stacks);
	g_free(p->own->keys);
	g_free(p->own);
	g_free(p);
}
