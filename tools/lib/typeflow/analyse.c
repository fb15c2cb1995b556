// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The analysis of one function: decodes its code, reads its variables, runs rounds until the wanted addresses have
 * answers, and stores the table of answers.
 *
 *	int get(struct list *l) { return l->head->value; }
 *
 *	0:  mov (%rdi),%rax	row 0: struct list +0 (head)
 *	3:  mov 8(%rax),%eax	row 3: struct node +8 (value)
 *	6:  ret			row 6: (stack operation)
 *
 * If the wanted addresses are announced, only the blocks that lead to them are walked first.
 */
#include <elf.h>
#include <string.h>

#include "base/search.h"
#include "typeflow/analysed.h"
#include "typeflow/explain.h"
#include "typeflow/flow.h"
#include "typeflow/skid.h"

static u32 remember_type(struct object_entry *entry, const struct type *type)
{
	if (!type)
		return 0;
	if (type->id >= entry->types->len)
		g_ptr_array_set_size(entry->types, (int)type->id + 1);
	g_ptr_array_index(entry->types, type->id) = (void *)type;
	return type->id + 1;
}

static struct insn_row row_of(struct object_entry *entry, const struct access *access)
{
	return (struct insn_row){
		.type = remember_type(entry, access->type),
		.offset = access->offset,
		.width = access->width,
		.how = access->how,
		.why = access->why,
		.roles = access->roles,
	};
}

/* With macro-fusion (cmp+jcc), a sample on the jump belongs to the cmp. */
static bool is_fused(const struct typeflow *flow, const struct cfg *cfg, u32 i)
{
	return i && insn_fuses(flow->fusion, &cfg->insns[i - 1], &cfg->insns[i]);
}

/* Distance in bytes to the access that a late sample of the instruction belongs to; 0: none. */
static u8 bytes_back(const struct skid *skid, u32 insn)
{
	u32 source = skid_source(skid, insn);
	const struct insn *insns = skid->cfg->insns;

	return source == CFG_NONE ? 0 : (u8)(insns[insn].vaddr - insns[source].vaddr);
}

static void keep_rows(const struct typeflow *flow, struct object_entry *entry,
		      struct function *function, const struct cfg *cfg,
		      const struct access *answers, const u8 *asked)
{
	struct skid skid;
	struct insn_row *rows;
	u32 nr = 0;

	skid_init(&skid, cfg);
	g_array_set_size(function->rows, cfg->nr);
	rows = (struct insn_row *)(void *)function->rows->data;
	for (u32 i = 0; i < cfg->nr; i++) {
		if (asked && !asked[i])
			continue;
		rows[nr] = row_of(entry, &answers[i]);
		if (rows[nr].why == ACCESS_UNREACHED && !skid_accesses(&cfg->insns[i]))
			rows[nr].why = ACCESS_NO_MEMORY;
		if (rows[nr].why == ACCESS_NO_MEMORY && is_fused(flow, cfg, i))
			rows[nr] = rows[nr - 1];
		rows[nr].back = rows[nr].why == ACCESS_NO_MEMORY ? bytes_back(&skid, i) : 0;
		rows[nr++].at = (u32)(cfg->insns[i].vaddr - function->low);
	}
	g_array_set_size(function->rows, nr);
	skid_release(&skid);
}

struct access row_access(const struct object_entry *entry, const struct insn_row *row)
{
	return (struct access){
		.type = row->type ? g_ptr_array_index(entry->types, row->type - 1) : NULL,
		.offset = row->offset,
		.width = row->width,
		.how = row->how,
		.why = row->why,
		.roles = row->roles,
		.back = row->back,
	};
}

/* The table before a round: answers of earlier rounds; at first ACCESS_UNREACHED for all. */
static struct access *first_answers(const struct object_entry *entry,
				    const struct function *function, u32 nr)
{
	struct access *answers = g_new0(struct access, nr);

	for (u32 i = 0; i < nr; i++)
		if (function && function->more && i < function->rows->len)
			answers[i] = row_access(entry,
						&g_array_index(function->rows, struct insn_row, i));
		else
			answers[i].why = ACCESS_UNREACHED;
	return answers;
}

/* The instruction whose answer a sample at @vaddr gets. */
static u32 asked_insn(const struct typeflow *flow, const struct cfg *cfg, u64 vaddr)
{
	u32 i = cfg_find(cfg, vaddr);

	return i != CFG_NONE && is_fused(flow, cfg, i) ? i - 1 : i;
}

/* Runs the rounds that are left, if the function was analysed before; otherwise all. */
static void run_on(struct typeflow *typeflow, struct object_entry *entry, struct function *function,
		   struct flow *flow, u64 vaddr)
{
	flow->answers = first_answers(entry, function, flow->cfg->nr);
	if (function->more) {
		flow_resume(flow, g_steal_pointer(&function->more), function->round);
	} else {
		typeflow->counts.functions++;
	}
	flow_run(flow, asked_insn(typeflow, flow->cfg, vaddr));
	function->more = flow_suspend(flow);
	function->round = flow->round;
	keep_rows(typeflow, entry, function, flow->cfg, flow->answers, NULL);
}

static int compare_addresses(const void *pa, const void *pb)
{
	const u64 *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

void expected_sort(struct object_entry *entry)
{
	if (!entry->sorted)
		g_array_sort(entry->expected, compare_addresses);
	entry->sorted = true;
}

/* The first expected address from @vaddr on. */
static u32 first_expected(struct object_entry *entry, u64 vaddr)
{
	expected_sort(entry);
	return SEARCH(i, 0, entry->expected->len, g_array_index(entry->expected, u64, i) < vaddr);
}

/* By instruction: 1 if it will be looked up. */
static u8 *asked_for(const struct typeflow *typeflow, struct object_entry *entry,
		     const struct function *function, const struct cfg *cfg)
{
	u8 *asked = g_new0(u8, cfg->nr);
	struct skid skid;

	skid_init(&skid, cfg);
	for (u32 r = 0; r < function->ranges->len; r++) {
		const struct range *range = &g_array_index(function->ranges, struct range, r);
		u32 at = first_expected(entry, range->low);

		for (; at < entry->expected->len; at++) {
			u64 vaddr = g_array_index(entry->expected, u64, at);
			u32 i = vaddr < range->high ? cfg_find(cfg, vaddr) : CFG_NONE;

			if (vaddr >= range->high)
				break;
			if (i == CFG_NONE)
				continue;
			asked[i] = 1;
			asked[i - is_fused(typeflow, cfg, i)] = 1;
			if (typeflow->skid && !skid_accesses(&cfg->insns[i]))
				i = skid_source(&skid, i);
			if (i != CFG_NONE)
				asked[i] = 1;
		}
	}
	skid_release(&skid);
	return asked;
}

/* Analyses only what will be looked up. False: that is not possible or not worth it. */
static bool run_part(struct typeflow *typeflow, struct object_entry *entry,
		     struct function *function, struct flow *flow)
{
	g_autofree u8 *asked = asked_for(typeflow, entry, function, flow->cfg);
	bool all;

	flow->asked = asked;
	flow->answers = first_answers(entry, NULL, flow->cfg->nr);
	all = flow_run_asked(flow);
	if (all) {
		typeflow->counts.functions++;
		keep_rows(typeflow, entry, function, flow->cfg, flow->answers, asked);
	} else {
		g_clear_pointer(&flow->answers, g_free);
	}
	flow->asked = NULL;
	return all;
}

/* A kernel without its vmlinux has no code at all; that is not the code of another machine. */
static enum access_why why_not_decoded(const struct object_entry *entry)
{
	if (dso_machine(entry->object.dso) != EM_NONE)
		return ACCESS_UNSUPPORTED;
	return entry->object.debug ? ACCESS_NO_CODE : ACCESS_NO_DEBUGINFO;
}

void function_analyse(struct typeflow *typeflow, struct object_entry *entry,
		      struct function *function, u64 vaddr, const struct explain_sink *sink)
{
	const struct range *ranges = (const struct range *)(void *)function->ranges->data;
	struct flow flow = { .object = &entry->object, .ask_callers = callers_decide };
	const struct cfg *cfg;

	if (!typeflow->decoder || dso_machine(entry->object.dso) != EM_X86_64) {
		function->why = why_not_decoded(entry);
		return;
	}
	if (!flow_open(&flow, ranges, function->ranges->len)) {
		size_t left;

		if (!dso_code(entry->object.dso, ranges[0].low, &left))
			function->why = ACCESS_NO_CODE;
		return;
	}
	cfg = flow.cfg;
	typeflow->counts.instructions += cfg->nr;
	entry->instructions += cfg->nr;
	if (sink) {
		flow.answers = first_answers(entry, NULL, cfg->nr);
		flow_run(&flow, asked_insn(typeflow, cfg, vaddr));
		explain(&flow, vaddr, sink);
	} else {
		function->part = function->part && run_part(typeflow, entry, function, &flow);
		if (!function->part)
			run_on(typeflow, entry, function, &flow, vaddr);
	}
	flow_close(&flow);
}
