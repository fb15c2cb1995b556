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
 * If the wanted addresses are announced, only the blocks that lead to them are walked first:
 *
 *	announced	instructions that get a row (@asked)		walked for (@walked)
 *	at 3		3						3
 *	before 3	0: it was executed before, see waits.h		0
 *	at 6		6						none: "(stack operation)" needs no state
 *
 * If one of them has no answer after that, the other blocks are walked, too, and uses of values are recorded; then the next round
 * begins with the part again. Only the announced instructions get rows if the last round needed no more than its part.
 */
#include <elf.h>
#include <string.h>

#include "base/search.h"
#include "typeflow/analysed.h"
#include "typeflow/code/waits.h"
#include "typeflow/flow/explain.h"
#include "typeflow/flow/flow.h"

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
		.roles = access->roles & 0xf,
		.numbers = access->numbers & 0xf,
	};
}

/* With macro-fusion (cmp+jcc), a sample on the jump belongs to the cmp. */
static bool is_fused(const struct typeflow *flow, const struct cfg *cfg, u32 i)
{
	return i && insn_fuses(flow->fusion, &cfg->insns[i - 1], &cfg->insns[i]);
}

/*
 * One row for each instruction, or for each that is @asked, by address. @settled: by instruction, may be NULL.
 *
 *	10: cmpl $3,8(%rdi)	struct node +8
 *	14: je   30		fused with the cmp: the same row
 *
 * An instruction that no path reaches still gets the answer that follows from itself alone.
 */
static void keep_rows(const struct typeflow *flow, struct object_entry *entry,
		      struct function *function, const struct cfg *cfg,
		      const struct access *answers, const u8 *settled, const u8 *asked)
{
	struct insn_row *rows;
	struct access alone;
	u32 nr = 0;

	g_array_set_size(function->rows, cfg->nr);
	rows = (struct insn_row *)(void *)function->rows->data;
	for (u32 i = 0; i < cfg->nr; i++) {
		if (asked && !asked[i])
			continue;
		rows[nr] = row_of(entry, &answers[i]);
		if (rows[nr].why == ACCESS_UNREACHED && answer_alone(&cfg->insns[i], &alone))
			rows[nr] = row_of(entry, &alone);
		rows[nr].settled = settled && settled[i];
		if (rows[nr].why == ACCESS_NO_MEMORY && is_fused(flow, cfg, i))
			rows[nr] = rows[nr - 1];
		rows[nr++].at = (u32)(cfg->insns[i].vaddr - function->low);
	}
	g_array_set_size(function->rows, nr);
}

/* @asked: by instruction; NULL: all. */
static void keep_waits(const struct typeflow *flow, const struct object_entry *entry,
		       struct function *function, const struct cfg *cfg, const u8 *asked)
{
	struct waits waits;

	g_array_set_size(function->waits, 0);
	g_array_set_size(function->ways, 0);
	waits_init(&waits, cfg, flow->fusion, entry->object.kernel);
	waits.headless = function->headless;
	waits_add_rows(&waits, function->low, asked, function->waits, function->ways, NULL);
	waits_release(&waits);
	function->decoded = !asked;
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
		.numbers = row->numbers,
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

/* By instruction: those that earlier rounds have settled. */
static u8 *first_settled(const struct function *function, u32 nr)
{
	u8 *settled = g_new0(u8, nr);

	for (u32 i = 0; function->more && i < nr && i < function->rows->len; i++)
		settled[i] = g_array_index(function->rows, struct insn_row, i).settled;
	return settled;
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
	flow->settled = first_settled(function, flow->cfg->nr);
	if (function->more) {
		flow_resume(flow, g_steal_pointer(&function->more), function->round);
	} else {
		typeflow->counts.functions++;
	}
	flow_run(flow, asked_insn(typeflow, flow->cfg, vaddr));
	function->more = flow_suspend(flow);
	function->round = flow->round;
	keep_rows(typeflow, entry, function, flow->cfg, flow->answers, flow->settled, NULL);
}

/* Copies @from to @to, ordered by byte @shift / 8 of the address; what is equal there keeps its order. */
static void sort_by_byte(const struct announced *from, struct announced *to, u32 nr, u32 shift)
{
	u32 place[257] = { 0 };

	for (u32 i = 0; i < nr; i++)
		place[(from[i].vaddr >> shift & 0xff) + 1]++;
	for (u32 byte = 1; byte < 256; byte++)
		place[byte] += place[byte - 1];
	for (u32 i = 0; i < nr; i++)
		to[place[from[i].vaddr >> shift & 0xff]++] = from[i];
}

/*
 * By address, byte by byte from the lowest one: a recording may announce 100,000 addresses of an object, and calls of a
 * comparison would take longer than a report with kept answers. Bytes that are equal in all addresses are left out:
 *
 *	401136 40112f 402010	by 36, 2f, 10: 402010 40112f 401136	by 20, 11, 11: 40112f 401136 402010	40: in all
 */
static void sort_announced(GArray *all)
{
	struct announced *rows = (struct announced *)(void *)all->data;
	g_autofree struct announced *other = g_new(struct announced, all->len);
	u64 differs = 0;

	for (u32 i = 1; i < all->len; i++)
		differs |= rows[i].vaddr ^ rows[0].vaddr;
	for (u32 shift = 0; shift < 64; shift += 8) {
		if (!(differs >> shift & 0xff))
			continue;
		sort_by_byte(rows, other, all->len, shift);
		memcpy(rows, other, all->len * sizeof(*rows));
	}
}

void expected_sort(struct object_entry *entry)
{
	if (!entry->sorted)
		for (u32 i = 0; i < NR_EXPECTED; i++)
			sort_announced(entry->expected[i]);
	entry->sorted = true;
}

/* Marks in @marks, by instruction, those that are announced in @range. @expected is sorted. */
static void mark_range(const struct cfg *cfg, const GArray *expected, const struct range *range,
		       u8 *marks)
{
	u32 at = SEARCH(i, 0, expected->len,
			g_array_index(expected, struct announced, i).vaddr < range->low);
	u64 last = UINT64_MAX;

	for (; at < expected->len; at++) {
		u64 vaddr = g_array_index(expected, struct announced, at).vaddr;
		u32 i;

		if (vaddr >= range->high)
			break;
		i = vaddr != last ? cfg_find(cfg, vaddr) : CFG_NONE;
		last = vaddr;
		if (i != CFG_NONE)
			marks[i] = 1;
	}
}

/* By instruction: 1 if it is announced for @what. */
static u8 *announced_for(struct object_entry *entry, const struct function *function,
			 const struct cfg *cfg, enum expected what)
{
	u8 *marks = g_new0(u8, cfg->nr);

	expected_sort(entry);
	for (u32 r = 0; r < function->ranges->len; r++)
		mark_range(cfg, entry->expected[what],
			   &g_array_index(function->ranges, struct range, r), marks);
	return marks;
}

/*
 * Marks the instructions that samples of announced ones may be charged to. The ways between both are needed again, so they
 * are kept if nothing is yet.
 */
static void ask_before(const struct typeflow *typeflow, struct object_entry *entry,
		       struct function *function, const struct cfg *cfg, u8 *asked)
{
	g_autofree u8 *before = announced_for(entry, function, cfg, EXPECTED_BEFORE);
	bool keep = typeflow->waited && !function->decoded && !function->waits->len;
	g_autoptr(GArray) rows = NULL, ways = NULL;
	struct waits waits;

	rows = keep ? g_array_ref(function->waits)
		    : g_array_new(false, false, sizeof(struct wait_row));
	ways = keep ? g_array_ref(function->ways)
		    : g_array_new(false, false, sizeof(struct wait_way));
	waits_init(&waits, cfg, typeflow->fusion, entry->object.kernel);
	waits.headless = function->headless;
	waits_add_rows(&waits, function->low, before, rows, ways, asked);
	waits_release(&waits);
}

/* By instruction: 1 if it will be looked up. */
static u8 *asked_for(const struct typeflow *typeflow, struct object_entry *entry,
		     struct function *function, const struct cfg *cfg)
{
	u8 *asked = announced_for(entry, function, cfg, EXPECTED_AT);

	if (entry->expected[EXPECTED_BEFORE]->len)
		ask_before(typeflow, entry, function, cfg, asked);
	for (u32 i = cfg->nr; i-- > 1;)
		if (asked[i] && is_fused(typeflow, cfg, i))
			asked[i - 1] = 1;
	return asked;
}

/*
 * Those of the instructions @asked whose answers need a walk: u32. The answers of the others follow from the instruction
 * alone. With @answer, those at fixed addresses are answered now.
 */
static GArray *walked_for(struct flow *flow, const u8 *asked, bool answer)
{
	GArray *walked = g_array_new(false, false, sizeof(u32));
	struct access alone;

	for (u32 i = 0; i < flow->cfg->nr; i++)
		if (asked[i] && !answer_alone(&flow->cfg->insns[i], &alone) &&
		    !(answer && answer_fixed(flow, i)))
			g_array_append_val(walked, i);
	return walked;
}

/* Analyses what will be looked up, and more only if that is needed for it. */
static void run_part(struct typeflow *typeflow, struct object_entry *entry,
		     struct function *function, struct flow *flow)
{
	g_autofree u8 *asked = asked_for(typeflow, entry, function, flow->cfg);
	g_autoptr(GArray) walked = NULL;

	flow->answers = first_answers(entry, NULL, flow->cfg->nr);
	walked = walked_for(flow, asked, true);
	flow->settled = g_new0(u8, flow->cfg->nr);
	flow->wanted = walked;
	flow->part = true;
	if (walked->len) {
		typeflow->counts.functions++;
		flow_run(flow, CFG_NONE);
	}
	flow->wanted = NULL;
	function->part = flow->part;
	if (!flow->part) {
		function->more = flow_suspend(flow);
		function->round = flow->round;
	}
	keep_rows(typeflow, entry, function, flow->cfg, flow->answers, flow->settled,
		  flow->part ? asked : NULL);
}

/* Analyses the whole function. Its code and variables are read once for all that will be looked up. */
static void run_whole(struct typeflow *typeflow, struct object_entry *entry,
		      struct function *function, struct flow *flow, u64 vaddr)
{
	g_autofree u8 *asked = NULL;
	g_autoptr(GArray) walked = NULL;

	if (expected_any(entry)) {
		asked = asked_for(typeflow, entry, function, flow->cfg);
		walked = walked_for(flow, asked, false);
	}
	flow->wanted = walked;
	run_on(typeflow, entry, function, flow, vaddr);
	flow->wanted = NULL;
}

/* A kernel without its vmlinux has no code at all; that is not the code of another machine. */
static enum access_why why_not_decoded(const struct object_entry *entry)
{
	if (dso_machine(entry->object.dso) != EM_NONE)
		return ACCESS_MACHINE;
	return entry->object.debug ? ACCESS_NO_CODE : ACCESS_NO_DEBUGINFO;
}

/* The code of @function, if it was the last one of function_decode(): an address without a way often has no row either. */
static struct cfg *take_decoded(struct typeflow *typeflow, const struct function *function)
{
	return typeflow->decoded_of == function ? g_steal_pointer(&typeflow->decoded) : NULL;
}

void function_analyse(struct typeflow *typeflow, struct object_entry *entry,
		      struct function *function, u64 vaddr, const struct explain_sink *sink)
{
	const struct range *ranges = (const struct range *)(void *)function->ranges->data;
	struct flow flow = { .object = &entry->object, .ask_callers = callers_decide };
	const struct cfg *cfg;
	bool again;

	function->asked = true;
	if (!typeflow->decoder || dso_machine(entry->object.dso) != EM_X86_64) {
		function->why = why_not_decoded(entry);
		return;
	}
	flow.cfg = take_decoded(typeflow, function);
	again = flow.cfg;
	if (!flow_open(&flow, ranges, function->ranges->len)) {
		size_t left;

		if (!dso_code(entry->object.dso, ranges[0].low, &left))
			function->why = ACCESS_NO_CODE;
		return;
	}
	cfg = flow.cfg;
	typeflow->counts.instructions += again ? 0 : cfg->nr;
	entry->instructions += cfg->nr;
	if (sink) {
		flow.answers = first_answers(entry, NULL, cfg->nr);
		flow_run(&flow, asked_insn(typeflow, cfg, vaddr));
		explain(&flow, vaddr, sink);
	} else {
		if (function->part)
			run_part(typeflow, entry, function, &flow);
		else
			run_whole(typeflow, entry, function, &flow, vaddr);
		/* Without announcements, any instruction may be asked about. */
		if (typeflow->waited && !function->decoded && !expected_any(entry))
			keep_waits(typeflow, entry, function, cfg, NULL);
	}
	typeflow->counts.walked += flow.walked;
	flow_close(&flow);
}

void function_decode(struct typeflow *typeflow, struct object_entry *entry,
		     struct function *function, bool announced)
{
	const struct object *object = &entry->object;
	g_autofree u8 *asked = NULL;
	struct cfg *cfg = NULL;

	if (typeflow->decoder && function->named && dso_machine(object->dso) == EM_X86_64)
		cfg = cfg_new(object->decoder, object->dso, object->image,
			      (const struct range *)(void *)function->ranges->data,
			      function->ranges->len, call_no_return, (void *)object);
	function->decoded = !cfg;
	if (!cfg)
		return;
	typeflow->counts.instructions += cfg->nr;
	if (announced)
		asked = announced_for(entry, function, cfg, EXPECTED_BEFORE);
	keep_waits(typeflow, entry, function, cfg, asked);
	cfg_free(typeflow->decoded);
	typeflow->decoded = cfg;
	typeflow->decoded_of = function;
}
