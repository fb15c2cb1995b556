// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options to attributes, in steps, because they depend on each other: the fields of a sample decide
 * how events share a ring, which needs all of them (set_ids() is last).
 *
 * Example: perf record -e cycles,sched:sched_switch -a -g
 *
 *	cycles		freq 4000; IP TID TIME CPU PERIOD CALLCHAIN
 *	sched_switch	period 1, as the parser found; IP TID TIME CPU CALLCHAIN RAW
 *	dummy:u		side records on all CPUs, counts from the start
 *	all		IDENTIFIER, because the fields differ; read_format ID LOST
 *
 * Terms in the event's text win over options: cycles/period=1000/ has this period with -F, too.
 */
#include "record/config.h"

#include "perfdata/evsel.h"
#include "perfdata/regs.h"
#include "perfevent/ring.h"

bool config_needs_side_event(const struct record_options *opts, enum target_kind kind)
{
	return kind == TARGET_CPUS || opts->delayed || opts->overwrite;
}

static void set_rate(struct event_spec *spec, const struct record_options *opts, u64 rate)
{
	struct perf_event_attr *attr = &spec->evsel->attr;
	const struct event_terms *terms = &spec->terms;
	bool user_rate = opts->count_given || opts->freq;

	if (opts->no_samples)
		return;
	if (terms->given & TERM_PERIOD) {
		attr->sample_period = terms->period;
	} else if (terms->given & TERM_FREQ) {
		attr->freq = 1;
		attr->sample_freq = terms->freq;
	} else if (!user_rate && attr->sample_period) {
		; /* every occurrence, as the parser found */
	} else if (opts->count_given) {
		attr->sample_period = opts->count;
	} else {
		attr->freq = 1;
		attr->sample_freq = rate;
	}
	if (attr->freq || opts->period)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
}

/* The event's own term, if it has one; else the options. */
static bool find_callgraph(const struct event_spec *spec, const struct record_options *opts,
			   struct callgraph *graph, GError **error)
{
	const struct event_terms *terms = &spec->terms;
	u32 size = opts->callgraph.stack_size;

	*graph = opts->callgraph;
	if (terms->given & TERM_STACK_SIZE) {
		g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, terms->stack_size);

		if (!callgraph_size_parse(text, &size, error))
			return false;
		graph->stack_size = size;
	}
	if (!(terms->given & TERM_CALL_GRAPH))
		return true;
	*graph = (struct callgraph){ 0 };
	if (strcmp(terms->call_graph, "no") &&
	    !callgraph_parse(terms->call_graph, size, graph, error))
		return false;
	return graph->mode != CALLGRAPH_LIVE || opts->callgraph.mode == CALLGRAPH_LIVE ||
	       error_set(error, PERF_ERROR_USAGE,
			 "call-graph=live of an event needs --call-graph live");
}

/* Samples of a timer and of a counter without precision have no data address: it is computed from registers. */
static bool needs_registers(const struct perf_event_attr *attr)
{
	switch (attr->type) {
	case PERF_TYPE_SOFTWARE:
		return attr->config == PERF_COUNT_SW_CPU_CLOCK ||
		       attr->config == PERF_COUNT_SW_TASK_CLOCK;
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return false;
	case PERF_TYPE_HARDWARE:
		return true; /* cycles:P, the default, becomes a timer where the machine has no counters */
	default:
		return !attr->precise_ip;
	}
}

static bool set_callgraph(struct event_spec *spec, const struct record_options *opts,
			  GError **error)
{
	struct perf_event_attr *attr = &spec->evsel->attr;
	struct callgraph graph;

	if (!find_callgraph(spec, opts, &graph, error)) {
		g_prefix_error(error, "event %s: ", spec->evsel->name);
		return false;
	}
	if (opts->intr_regs || (opts->data && needs_registers(attr))) {
		attr->sample_type |= PERF_SAMPLE_REGS_INTR;
		attr->sample_regs_intr = opts->intr_regs ? opts->intr_regs : REGS_GENERAL;
	}
	if (opts->branches) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = opts->branches;
	}
	callgraph_config(&graph, opts->user_regs, attr);
	if (graph.mode == CALLGRAPH_NONE)
		return true;
	attr->exclude_callchain_kernel = opts->user_callchains;
	attr->exclude_callchain_user |= opts->kernel_callchains;
	if (spec->terms.given & TERM_MAX_STACK)
		attr->sample_max_stack = (u16)MIN(spec->terms.max_stack, G_MAXUINT16);
	return true;
}

static void set_sample_type(struct event_spec *spec, const struct record_options *opts,
			    enum target_kind kind)
{
	bool time = spec->terms.given & TERM_TIME ? spec->terms.time
						  : opts->timestamp || opts->tls.layout;
	u64 type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;

	if (time)
		type |= PERF_SAMPLE_TIME;
	if (kind == TARGET_CPUS || opts->sample_cpu)
		type |= PERF_SAMPLE_CPU;
	if (opts->raw_samples)
		type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CPU | PERF_SAMPLE_TIME;
	if (opts->data)
		type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	if (opts->data_source)
		type |= PERF_SAMPLE_DATA_SRC;
	if (opts->transaction)
		type |= PERF_SAMPLE_TRANSACTION;
	if (opts->weight)
		type |= PERF_SAMPLE_WEIGHT_STRUCT;
	if (opts->phys_data)
		type |= PERF_SAMPLE_PHYS_ADDR;
	if (opts->data_page_size)
		type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE;
	if (opts->code_page_size)
		type |= PERF_SAMPLE_CODE_PAGE_SIZE;
	if (opts->all_cgroups)
		type |= PERF_SAMPLE_CGROUP;
	spec->evsel->attr.sample_type |= type;
}

/*
 * :S: only the leader samples. Its samples contain the counts of the members. Inherited counters are those of the
 * sample's thread, but the counters of a CPU are not: they count all threads that run there.
 */
static void set_group_read(struct event_list *list, struct event_spec *spec, enum target_kind kind)
{
	struct perf_event_attr *attr = &spec->evsel->attr;

	if (!spec->sample_read)
		return;
	if (kind == TARGET_CPUS)
		attr->inherit = 0;
	attr->read_format |= PERF_FORMAT_GROUP;
	attr->sample_type |= PERF_SAMPLE_READ | PERF_SAMPLE_ID;
	if (spec->evsel->leader != spec->evsel->idx) {
		const struct perf_event_attr *leader =
			&event_list_at(list, spec->evsel->leader)->evsel->attr;

		attr->sample_type = leader->sample_type;
		attr->freq = 0;
		attr->sample_period = 0;
	}
}

/* When the event starts to count. Members start with their leader. */
static void set_start(struct event_spec *spec, const struct record_options *opts,
		      enum target_kind kind)
{
	struct perf_event_attr *attr = &spec->evsel->attr;

	if (spec->evsel->leader != spec->evsel->idx)
		return;
	attr->disabled = 1;
	attr->enable_on_exec = kind == TARGET_COMMAND && !opts->delayed;
}

/* The records about threads, maps and the kernel's symbols. */
static void set_side_records(struct event_spec *spec, const struct record_options *opts)
{
	struct perf_event_attr *attr = &spec->evsel->attr;

	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->mmap_data = opts->data || opts->data_mmap;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->ksymbol = 1;
	attr->bpf_event = !opts->no_bpf_event;
	attr->namespaces = opts->namespaces;
	attr->cgroup = opts->all_cgroups ||
		       (options_name_cgroups(opts) && kernel_can(KERNEL_CGROUP));
	attr->context_switch = opts->switch_events;
	attr->build_id = opts->buildid_mmap;
	if (opts->callgraph.defer)
		callgraph_take_deferred(attr);
}

static void set_common(struct event_spec *spec, const struct record_options *opts, u32 pages)
{
	struct perf_event_attr *attr = &spec->evsel->attr;
	bool inherit = !opts->no_inherit && !opts->per_thread;

	if (spec->terms.given & TERM_INHERIT)
		inherit = spec->terms.inherit;
	attr->sample_id_all = 1;
	attr->inherit = inherit;
	attr->read_format |= PERF_FORMAT_ID | PERF_FORMAT_LOST;
	attr->inherit_stat = opts->stat;
	if (opts->stat || opts->running_time)
		attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (opts->all_user)
		attr->exclude_kernel = 1;
	if (opts->all_kernel)
		attr->exclude_user = 1;
	if (opts->clock_given) {
		attr->use_clockid = 1;
		attr->clockid = opts->clockid;
	}
	if (opts->no_buffering) {
		attr->watermark = 0;
		attr->wakeup_events = 1;
	} else {
		ring_set_watermark(attr, pages, opts->wake_bytes);
	}
}

static bool config_event(struct event_list *list, struct event_spec *spec,
			 const struct record_options *opts, enum target_kind kind, u64 rate,
			 u32 pages, GError **error)
{
	set_common(spec, opts, pages);
	set_rate(spec, opts, rate);
	set_sample_type(spec, opts, kind);
	if (!set_callgraph(spec, opts, error))
		return false;
	set_group_read(list, spec, kind);
	set_start(spec, opts, kind);
	spec->evsel->attr.write_backward =
		spec->terms.given & TERM_OVERWRITE ? spec->terms.overwrite : opts->overwrite;
	return true;
}

static void config_side_event(struct event_spec *spec, const struct record_options *opts,
			      enum target_kind kind, u32 pages)
{
	struct perf_event_attr *attr = &spec->evsel->attr;

	set_common(spec, opts, pages);
	set_sample_type(spec, opts, kind);
	attr->sample_type &= PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	attr->sample_period = 1;
	attr->freq = 0;
	/*
	 * Counting starts at once, except for a command: until its exec() it still runs our own
	 * code.
	 */
	attr->disabled = kind == TARGET_COMMAND;
	attr->enable_on_exec = kind == TARGET_COMMAND;
	set_side_records(spec, opts);
}

/*
 * Several events can share a ring only if each record says to which event it belongs. If all events
 * have the same sample_type, the id is at the same place in all samples; else each sample must
 * begin with its id (IDENTIFIER).
 */
static void set_ids(struct event_list *list, struct event_list *side,
		    const struct record_options *opts)
{
	u64 first = event_list_at(list, 0)->evsel->attr.sample_type;
	bool by_identifier = opts->sample_identifier || opts->tls.layout;
	u64 bit = by_identifier ? PERF_SAMPLE_IDENTIFIER : 0;

	if (!bit && list->specs->len + (side ? side->specs->len : 0) > 1)
		bit = side ? PERF_SAMPLE_IDENTIFIER : PERF_SAMPLE_ID;
	for (u32 i = 1; i < list->specs->len; i++)
		if (event_list_at(list, i)->evsel->attr.sample_type != first)
			bit = PERF_SAMPLE_IDENTIFIER;
	for (u32 i = 0; i < list->specs->len; i++)
		event_list_at(list, i)->evsel->attr.sample_type |= bit;
	for (u32 i = 0; side && i < side->specs->len; i++)
		event_list_at(side, i)->evsel->attr.sample_type |= bit;
}

bool config_events(struct event_list *list, struct event_list *side,
		   const struct record_options *opts, enum target_kind kind, u64 rate, u32 pages,
		   GError **error)
{
	if (!list->specs->len) {
		if (side) {
			config_side_event(event_list_at(side, 0), opts, kind, pages);
			config_identify(side);
		}
		return true;
	}
	for (u32 i = 0; i < list->specs->len; i++)
		if (!config_event(list, event_list_at(list, i), opts, kind, rate, pages, error))
			return false;
	if (side)
		config_side_event(event_list_at(side, 0), opts, kind, pages);
	else
		set_side_records(event_list_at(list, 0), opts);
	set_ids(list, side, opts);
	return true;
}

void config_added_events(struct event_list *list, const struct record_options *opts,
			 enum target_kind kind, u32 pages)
{
	for (u32 i = 0; i < list->specs->len; i++) {
		struct event_spec *spec = event_list_at(list, i);

		set_common(spec, opts, pages);
		spec->evsel->attr.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						 PERF_SAMPLE_TIME;
		set_start(spec, opts, kind);
	}
}

void config_identify(struct event_list *list)
{
	for (u32 i = 0; i < list->specs->len; i++)
		event_list_at(list, i)->evsel->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
}
