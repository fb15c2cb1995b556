// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a sample is charged to, from the ways by which control comes to its address (typeflow/code/waits.h).
 *
 *	1:  mov  0x10(%rdi),%rax	two ways lead to 2: behind this load, and
 *	2:  add  %rax,%rbx		behind the jump at 3
 *	    ...
 *	3:  cmp  %rsi,0x18(%rdi)
 *	    jne  2b
 *
 * One way decides. If there are several, the first of these that applies decides:
 *
 *	- the last taken branch of the sample, or the return address on its stack, tells the way;
 *	- a hit of a watched address comes from an instruction that accesses memory;
 *	- the samples tell which of the blocks before are executed at all;
 *	- all ways access the same field.
 *
 * Otherwise the data is "(one of several)". A field that is only likely is never the answer.
 */
#include "resolve/waited.h"

#include <elf.h>
#include <linux/hw_breakpoint.h>
#include <string.h>

#include "base/table.h"
#include "insn/insn.h"
#include "perfdata/evsel.h"
#include "perfdata/skid.h"

struct waited_codes {
	struct data_types *types;
	struct resolver *resolver;
	struct insn_decoder *decoder;
	/* Blocks of struct waited, by code id; NULL: none of the block's codes was asked about. */
	GPtrArray *by_code[NR_WAITED_EVENTS];
	GHashTable *by_caller[NR_WAITED_EVENTS]; /* struct called, by its key */
	GArray *ways;				 /* struct waited_way: of the present question */
	GArray *data;				 /* struct access: of each of the ways */
	struct waited hinted;			 /* an answer that belongs to one sample */
	GArray *decided; /* struct decided: all that no single sample decides */
	struct table decided_index;
};

#define CODES_IN_BLOCK 64

/*
 * What is known of an address in a file. Each process may have the file at another place: these are many codes, which are
 * charged alike.
 */
struct decided {
	const struct dso *dso;
	u64 vaddr, charged;
	u8 event; /* enum waited_event */
	char level;
	bool here;		   /* charged to the address itself, not to @charged */
	struct waited waited;	   /* its code is that of the first process */
	const struct access *data; /* the answer for the charged code; NULL: not asked yet */
};

/* The answer for samples at the first instruction of a function that have the same return address. */
struct called {
	u64 key;
	struct waited waited;
};

bool skid_mode_parse(const char *text, enum skid_mode *mode)
{
	static const char *const names[] = {
		[SKID_AUTO] = "auto",
		[SKID_BEFORE] = "before",
		[SKID_SAMPLED] = "sampled",
	};

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(text, names[i]) != 0)
			continue;
		*mode = i;
		return true;
	}
	return false;
}

/* Software events by their number; what is not in the table does not belong to an instruction. */
static const enum waited_event software_events[] = {
	/* By timers, which are interrupts. */
	[PERF_COUNT_SW_CPU_CLOCK] = EVENT_TIMER,
	[PERF_COUNT_SW_TASK_CLOCK] = EVENT_TIMER,
	/* Faults: the instruction is executed again when the fault is handled. */
	[PERF_COUNT_SW_PAGE_FAULTS] = EVENT_AT,
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = EVENT_AT,
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = EVENT_AT,
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = EVENT_AT,
	[PERF_COUNT_SW_EMULATION_FAULTS] = EVENT_AT,
};

/* PMUs that sample an instruction by its tag, and probes, which stop in front of an instruction. */
static bool names_instruction(const char *event)
{
	static const char *const prefixes[] = { "ibs_",	  "arm_spe", "uprobe",
						"kprobe", "probe",   "sdt_" };

	for (u32 i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (g_str_has_prefix(event, prefixes[i]))
			return true;
	return false;
}

static enum waited_event by_attr(const struct evsel *evsel)
{
	const struct perf_event_attr *attr = &evsel->attr;

	switch (attr->type) {
	case PERF_TYPE_TRACEPOINT:
		return names_instruction(evsel->name) ? EVENT_AT : EVENT_NONE;
	case PERF_TYPE_BREAKPOINT:
		/* An execution stops in front of the instruction, an access behind it. */
		return attr->bp_type & HW_BREAKPOINT_X ? EVENT_AT : EVENT_TRAP;
	case PERF_TYPE_SOFTWARE:
		return attr->config < ARRAY_SIZE(software_events) ? software_events[attr->config]
								  : EVENT_NONE;
	default:
		return attr->precise_ip || names_instruction(evsel->name) ? EVENT_AT
									  : EVENT_COUNTER;
	}
}

enum waited_event waited_event_of(const struct evsel *evsel, enum skid_mode mode,
				  const struct perfdata_info *info)
{
	enum waited_event event = mode == SKID_SAMPLED ? EVENT_AT : by_attr(evsel);
	struct skid_measure measured;

	if (mode == SKID_AUTO && info && (event == EVENT_TIMER || event == EVENT_COUNTER) &&
	    perfdata_skid_find(info, evsel, &measured) && skid_measure_place(&measured) == SKID_AT)
		return EVENT_AT;
	return event;
}

bool waited_has_registers(const struct evsel *evsel)
{
	const struct perf_event_attr *attr = &evsel->attr;

	return attr->type == PERF_TYPE_SOFTWARE || attr->type == PERF_TYPE_TRACEPOINT ||
	       attr->type == PERF_TYPE_BREAKPOINT || by_attr(evsel) != EVENT_AT;
}

struct waited_codes *waited_codes_new(struct data_types *types, struct resolver *resolver)
{
	struct waited_codes *c = g_new0(struct waited_codes, 1);

	c->types = types;
	c->resolver = resolver;
	c->decoder = insn_decoder_new(INSN_X86_64, NULL);
	c->ways = g_array_new(FALSE, FALSE, sizeof(struct waited_way));
	c->data = g_array_new(FALSE, FALSE, sizeof(struct access));
	c->decided = g_array_new(FALSE, FALSE, sizeof(struct decided));
	table_init(&c->decided_index);
	for (u32 i = 0; i < NR_WAITED_EVENTS; i++) {
		c->by_code[i] = g_ptr_array_new_with_free_func(g_free);
		c->by_caller[i] = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	}
	return c;
}

void waited_codes_free(struct waited_codes *c)
{
	if (!c)
		return;
	for (u32 i = 0; i < NR_WAITED_EVENTS; i++) {
		g_ptr_array_unref(c->by_code[i]);
		g_hash_table_unref(c->by_caller[i]);
	}
	g_array_unref(c->ways);
	g_array_unref(c->data);
	g_array_unref(c->decided);
	table_release(&c->decided_index);
	insn_decoder_free(c->decoder);
	g_free(c);
}

static const struct waited_way *way_at(const struct waited_codes *c, u32 i)
{
	return &g_array_index(c->ways, struct waited_way, i);
}

static void set_own(struct waited *out, enum access_how how, enum access_why why)
{
	out->own = true;
	out->access = (struct access){ .how = (u8)how, .why = (u8)why };
}

/*
 * Functions of the kernel that switch interrupts on again: locks, and the ways back from a switch of threads, an interrupt
 * and a fault. Used where the code is not known, or where it calls the hypervisor for it.
 */
static bool switches_interrupts_on(const struct code *code)
{
	static const char *const names[] = {
		"_raw_spin_unlock_irq",
		"_raw_spin_unlock_irqrestore",
		"_raw_read_unlock_irq",
		"_raw_read_unlock_irqrestore",
		"_raw_write_unlock_irq",
		"_raw_write_unlock_irqrestore",
		"finish_task_switch",
		"__do_softirq",
		"handle_softirqs",
		"irqentry_exit",
		"irqentry_exit_to_user_mode",
		"exit_to_user_mode_loop",
	};
	const char *name = code->level == 'k' ? code_name(code) : NULL;
	size_t size = name ? strcspn(name, ".") : 0;

	for (u32 i = 0; name && i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i], size) && !names[i][size])
			return true;
	return false;
}

static void charge_to(struct waited_codes *c, const struct code *code, u64 vaddr,
		      struct waited *out)
{
	out->code = resolver_beside(c->resolver, code, vaddr);
}

/* The answer is @access; it is likely, but not certain. */
static void set_likely(const struct waited_codes *c, const struct access *access,
		       struct waited *out)
{
	out->own = true;
	out->access = *access;
	data_types_weaken(c->types, &out->access);
}

static void take_entry(struct waited_codes *c, const struct code *code,
		       const struct waited_hint *hint, struct waited *out)
{
	enum entered_how how = ENTERED_UNKNOWN;
	u64 vaddr;

	if (hint && hint->caller)
		how = entered_find(c->decoder, code, hint->caller, hint->evidence, &vaddr);
	if (how == ENTERED_UNKNOWN) {
		set_own(out, ACCESS_ENTRY, ACCESS_WHY_NONE);
		return;
	}
	charge_to(c, hint->caller, vaddr, out);
	if (how == ENTERED_LIKELY && out->has_data)
		set_likely(c, data_types_find(c->types, out->code), out);
}

static enum access_why why_unknown(struct dso *dso)
{
	u16 machine = dso_machine(dso);

	if (machine != EM_X86_64 && machine != EM_NONE)
		return ACCESS_MACHINE;
	return dso_no_debug_info(dso).why == DSO_PRESENT ? ACCESS_NO_WAY : ACCESS_NO_DEBUGINFO;
}

static void take_unknown(const struct code *code, enum waited_event event, struct waited *out)
{
	if (event == EVENT_TIMER && switches_interrupts_on(code))
		set_own(out, ACCESS_MASKED, ACCESS_WHY_NONE);
	else
		set_own(out, ACCESS_UNKNOWN, why_unknown(code->dso));
}

/* The only way is @way. */
static void take(struct waited_codes *c, const struct code *code, enum waited_event event,
		 const struct waited_hint *hint, const struct waited_way *way, struct waited *out)
{
	out->how = (u8)way->how;
	switch (way->how) {
	case WAITED_HERE:
		break;
	case WAITED_MASKED:
		if (event == EVENT_TIMER)
			set_own(out, ACCESS_MASKED, ACCESS_WHY_NONE);
		else
			charge_to(c, code, way->vaddr, out);
		break;
	case WAITED_BEFORE:
		charge_to(c, code, way->vaddr, out);
		break;
	case WAITED_ENTRY:
		take_entry(c, code, hint, out);
		break;
	case WAITED_RETURN:
		if (event == EVENT_TIMER && switches_interrupts_on(code))
			set_own(out, ACCESS_MASKED, ACCESS_WHY_NONE);
		else
			set_own(out, ACCESS_STACK_OP, ACCESS_WHY_NONE);
		break;
	case WAITED_KERNEL:
		charge_to(c, code, way->vaddr, out);
		set_own(out, ACCESS_RETURN, ACCESS_WHY_NONE);
		break;
	default:
		take_unknown(code, event, out);
	}
}

/* The data of a way: what samples of it would have. */
static struct access data_of(struct waited_codes *c, const struct code *code,
			     enum waited_event event, const struct waited_way *way)
{
	struct waited waited = { .code = code };

	take(c, code, event, NULL, way, &waited);
	return waited.own ? waited.access : *data_types_find(c->types, waited.code);
}

static bool same_data(const struct access *a, const struct access *b)
{
	if (a->type || b->type)
		return a->type == b->type && a->offset == b->offset;
	return a->how == b->how && a->how == ACCESS_UNKNOWN ? a->why == b->why : a->how == b->how;
}

/* Leaves only way @only. */
static void keep_way(struct waited_codes *c, u32 only)
{
	struct waited_way way = *way_at(c, only);

	g_array_set_size(c->ways, 0);
	g_array_append_val(c->ways, way);
}

/* The branch is the second of two instructions that the processor executes as one: the first is at @vaddr. */
static bool is_fused(const struct waited_codes *c, const struct code *branch, u64 vaddr)
{
	size_t left = 0;
	const u8 *code = vaddr < branch->vaddr ? dso_code(branch->dso, vaddr, &left) : NULL;
	struct insn insn;

	return code && left && c->decoder && insn_decode(c->decoder, code, left, vaddr, &insn) &&
	       vaddr + insn.size == branch->vaddr;
}

/* The sample is at the target of the last taken branch, which was the last instruction. */
static void take_branch(struct waited_codes *c, const struct code *code, const struct code *from,
			struct waited *out)
{
	out->how = WAITED_BEFORE;
	if (from->level != code->level) {
		bool into = from->level == '.' && code->level == 'k';

		set_own(out, into ? ACCESS_ENTRY : ACCESS_RETURN, ACCESS_WHY_NONE);
		return;
	}
	out->code = from;
	for (u32 i = 0; i < c->ways->len && from->dso == code->dso; i++) {
		const struct waited_way *way = way_at(c, i);

		if (way->how == WAITED_BEFORE && is_fused(c, from, way->vaddr))
			charge_to(c, code, way->vaddr, out);
	}
}

/*
 * After the last taken branch, control went straight on from its target to the sample. If it went to the sample itself,
 * the branch was the last instruction. If only calls are known, others may have come after the last one, unless a call is
 * the only way.
 */
static bool ask_branch(struct waited_codes *c, const struct code *code,
		       const struct waited_hint *hint, struct waited *out)
{
	if (!hint || !hint->from || !hint->to || hint->to->dso != code->dso)
		return false;
	if (hint->only_calls && (c->ways->len > 1 || way_at(c, 0)->how != WAITED_ENTRY))
		return false;
	if (hint->to->va == code->va) {
		take_branch(c, code, hint->from, out);
		return true;
	}
	for (u32 i = 0; i < c->ways->len && c->ways->len > 1; i++) {
		const struct waited_way *way = way_at(c, i);

		if (way->how == WAITED_BEFORE && way->vaddr >= hint->to->vaddr &&
		    way->vaddr < code->vaddr)
			keep_way(c, i);
	}
	return false;
}

static bool is_idle(const struct access *access)
{
	return access->how == ACCESS_UNKNOWN && access->why == ACCESS_NO_MEMORY;
}

/* A watched address was accessed, so ways without an access are left out. */
static void remove_idle(struct waited_codes *c, const struct code *code)
{
	for (u32 i = c->ways->len; i-- > 0 && c->ways->len > 1;) {
		struct access access = data_of(c, code, EVENT_TRAP, way_at(c, i));

		if (is_idle(&access))
			g_array_remove_index(c->ways, i);
	}
}

/* Least number of samples, and least share of all, with which one way decides. */
#define VOTES_LEAST 20
#define VOTES_SHARE 0.95

/*
 * How often the block of each way is executed, by its samples per byte; one is added so that blocks without samples are
 * not taken for impossible ones. Ways from other functions have no block here: then nothing is decided.
 */
static void ask_samples(struct waited_codes *c, const struct code *code)
{
	double most = 0, all = 0;
	u32 best = 0, votes = 0;

	for (u32 i = 0; i < c->ways->len; i++) {
		const struct waited_way *way = way_at(c, i);
		u32 nr;
		double density;

		if (way->how == WAITED_ENTRY || way->how == WAITED_UNKNOWN)
			return;
		nr = data_types_expected(c->types, code, way->from, way->vaddr);
		density = (nr + 1.0) / (double)(way->vaddr - way->from + 4);
		all += density;
		if (density <= most)
			continue;
		most = density;
		best = i;
		votes = nr;
	}
	if (votes >= VOTES_LEAST && most >= all * VOTES_SHARE)
		keep_way(c, best);
}

/* The data of way @i; found once. */
static const struct access *data_at(struct waited_codes *c, const struct code *code,
				    enum waited_event event, u32 i)
{
	while (c->data->len <= i) {
		struct access data = data_of(c, code, event, way_at(c, c->data->len));

		g_array_append_val(c->data, data);
	}
	return &g_array_index(c->data, struct access, i);
}

/*
 * The way with the only access; its number, or -1: none, or more. A jump that depends on registers waits only if it was
 * mispredicted, so the access is likely, but not certain.
 */
static s32 only_access(struct waited_codes *c, const struct code *code, enum waited_event event)
{
	s32 only = -1;

	for (u32 i = 0; i < c->ways->len; i++) {
		if (is_idle(data_at(c, code, event, i)))
			continue;
		if (only >= 0 || way_at(c, i)->how != WAITED_BEFORE)
			return -1;
		only = (s32)i;
	}
	return only;
}

/* Several ways are left. */
static void take_several(struct waited_codes *c, const struct code *code, enum waited_event event,
			 struct waited *out)
{
	struct access first;
	s32 only;

	g_array_set_size(c->data, 0);
	only = only_access(c, code, event);
	if (only >= 0) {
		out->how = WAITED_BEFORE;
		charge_to(c, code, way_at(c, (u32)only)->vaddr, out);
		set_likely(c, data_at(c, code, event, (u32)only), out);
		return;
	}
	first = *data_at(c, code, event, 0);
	out->how = WAITED_UNKNOWN;
	for (u32 i = 1; i < c->ways->len; i++) {
		const struct access *access = data_at(c, code, event, i);

		if (!same_data(&first, access)) {
			set_own(out, ACCESS_SEVERAL, ACCESS_WHY_NONE);
			return;
		}
		if (access_rank(access) < access_rank(&first))
			first = *access;
	}
	out->own = true;
	out->access = first;
}

static struct decided *decided_at(const struct waited_codes *c, u32 i)
{
	return &g_array_index(c->decided, struct decided, i);
}

static u32 decided_hash(const struct code *code, enum waited_event event, bool data)
{
	u64 kind = (u64)event << 16 | (u64)(u8)code->level << 8 | data;

	return table_fold(table_mix(table_mix((u64)(uintptr_t)code->dso, code->vaddr), kind));
}

/*
 * The code of the same address in another process than the one for which it was decided. Most are in the function of the
 * sampled code, which will do then if no @exact one is wanted: programs that run for a short time have many processes.
 */
static const struct code *decided_code(const struct waited_codes *c, const struct decided *d,
				       const struct code *code, bool exact, bool *nearly)
{
	*nearly = !d->here && !exact && code->function &&
		  code->function == d->waited.code->function;
	return d->here || *nearly ? code : resolver_beside(c->resolver, code, d->charged);
}

/* False: the address is not known. */
static bool recall(const struct waited_codes *c, const struct code *code, enum waited_event event,
		   u32 want, struct waited *out)
{
	bool data = want & WAITED_WANT_DATA;
	u32 hash = decided_hash(code, event, data), at = hash;
	s64 i;

	while ((i = table_next(&c->decided_index, hash, &at)) >= 0) {
		const struct decided *d = decided_at(c, (u32)i);

		if (d->dso != code->dso || d->vaddr != code->vaddr || d->event != event ||
		    d->level != code->level || d->waited.has_data != data)
			continue;
		*out = d->waited;
		out->code = decided_code(c, d, code, want & WAITED_WANT_CODE, &out->nearly);
		return true;
	}
	return false;
}

static void remember(struct waited_codes *c, const struct code *code, enum waited_event event,
		     struct waited *waited)
{
	struct decided decided = { .dso = code->dso,
				   .vaddr = code->vaddr,
				   .charged = waited->code->vaddr,
				   .event = (u8)event,
				   .level = code->level,
				   .here = waited->code == code };

	waited->decided = c->decided->len + 1;
	decided.waited = *waited;
	table_add(&c->decided_index, decided_hash(code, event, waited->has_data), c->decided->len);
	g_array_append_val(c->decided, decided);
}

/* The event is charged to another instruction than the sampled one. */
static void decide_before(struct waited_codes *c, const struct code *code, enum waited_event event,
			  const struct waited_hint *hint, bool data, struct waited *out)
{
	data_types_ways(c->types, code, data, c->ways);
	if (ask_branch(c, code, hint, out))
		return;
	if (c->ways->len > 1 && event == EVENT_TRAP)
		remove_idle(c, code);
	else if (c->ways->len > 1)
		ask_samples(c, code);
	if (c->ways->len > 1 && data)
		take_several(c, code, event, out);
	else if (c->ways->len > 1)
		out->how = WAITED_UNKNOWN;
	else
		take(c, code, event, hint, way_at(c, 0), out);
}

static void decide(struct waited_codes *c, const struct code *code, enum waited_event event,
		   const struct waited_hint *hint, u32 want, struct waited *out)
{
	bool data = want & WAITED_WANT_DATA;

	*out = (struct waited){ .code = code, .how = WAITED_HERE, .has_data = data };
	if (event == EVENT_NONE) {
		set_own(out, ACCESS_UNKNOWN, ACCESS_NO_MEMORY);
		return;
	}
	if (!code->dso) {
		out->how = event == EVENT_AT ? WAITED_HERE : WAITED_UNKNOWN;
		return;
	}
	if (!hint && recall(c, code, event, want, out))
		return;
	if (event != EVENT_AT)
		decide_before(c, code, event, hint, data, out);
	if (!hint)
		remember(c, code, event, out);
}

static struct waited *of_code(struct waited_codes *c, const struct code *code,
			      enum waited_event event)
{
	GPtrArray *blocks = c->by_code[event];
	u32 block = code->id / CODES_IN_BLOCK;
	struct waited *first;

	if (block >= blocks->len)
		g_ptr_array_set_size(blocks, (int)block + 1);
	if (!g_ptr_array_index(blocks, block))
		g_ptr_array_index(blocks, block) = g_new0(struct waited, CODES_IN_BLOCK);
	first = g_ptr_array_index(blocks, block);
	return first + code->id % CODES_IN_BLOCK;
}

static struct waited *of_caller(struct waited_codes *c, const struct code *code,
				enum waited_event event, const struct waited_hint *hint)
{
	u64 key = (u64)code->id << 32 | (u64)hint->caller->id << 1 | hint->evidence;
	struct called *known = g_hash_table_lookup(c->by_caller[event], &key);

	if (!known) {
		known = g_new0(struct called, 1);
		known->key = key;
		g_hash_table_add(c->by_caller[event], known);
	}
	return &known->waited;
}

static bool has_wanted(const struct waited *known, u32 want)
{
	return known->code && (known->has_data || !(want & WAITED_WANT_DATA)) &&
	       !(known->nearly && want & WAITED_WANT_CODE);
}

const struct waited *waited_find(struct waited_codes *c, const struct code *code,
				 enum waited_event event, const struct waited_hint *hint, u32 want)
{
	struct waited *known;

	if (hint && hint->from) {
		decide(c, code, event, hint, want, &c->hinted);
		return &c->hinted;
	}
	known = hint && hint->caller ? of_caller(c, code, event, hint) : of_code(c, code, event);
	if (!has_wanted(known, want))
		decide(c, code, event, hint, want | (known->has_data ? WAITED_WANT_DATA : 0),
		       known);
	return known;
}

const struct access *waited_data(struct waited_codes *c, const struct waited *waited)
{
	struct decided *d;

	if (waited->own)
		return &waited->access;
	if (!waited->decided)
		return data_types_find(c->types, waited->code);
	d = decided_at(c, waited->decided - 1);
	if (!d->data)
		d->data = data_types_find(c->types, d->waited.code);
	return d->data;
}

bool waited_needs_caller(struct waited_codes *c, const struct code *code, enum waited_event event,
			 bool data)
{
	return waited_find(c, code, event, NULL, data ? WAITED_WANT_DATA : 0)->how == WAITED_ENTRY;
}
