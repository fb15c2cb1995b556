// SPDX-License-Identifier: GPL-2.0-or-later
#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "base/search.h"
#include "typeflow/explain.h"
#include "typeflow/flow.h"
#include "typeflow/identity.h"
#include "typeflow/skid.h"
#include "typeflow/store.h"
#include "typeflow/analysed.h"

#define MAX_FUNCTION (16 << 20) /* bytes; a larger symbol is no function */
#define MAX_PIECES   64

static void function_free(struct function *function)
{
	g_array_unref(function->rows);
	g_array_unref(function->ranges);
	infer_free(function->more);
	g_free(function);
}

static void object_free(struct object_entry *entry)
{
	if (!entry)
		return;
	g_tree_unref(entry->pieces);
	g_ptr_array_unref(entry->functions);
	g_ptr_array_unref(entry->types);
	g_array_unref(entry->expected);
	store_close(entry->store);
	if (entry->stored)
		g_ptr_array_unref(entry->stored);
	data_image_free(entry->object.image);
	g_hash_table_unref(entry->object.callees);
	g_free(entry->object.recent_callees);
	g_free(entry->object.contents);
	debuginfo_free(entry->object.debug);
	g_free(entry);
}

struct typeflow *typeflow_new(enum insn_fusion fusion, const char *folder)
{
	struct typeflow *flow = g_new0(struct typeflow, 1);

	flow->fusion = fusion;
	flow->folder = g_strdup(folder);
	flow->decoder = insn_decoder_new(INSN_X86_64, NULL);
	flow->objects = g_ptr_array_new_with_free_func((GDestroyNotify)object_free);
	return flow;
}

/* A look-up key is a piece of one byte; a piece in the tree compares by its range. */
static int compare_pieces(const void *pa, const void *pb, void *unused)
{
	const struct piece *a = pa, *b = pb;

	if (a->end <= b->start)
		return -1;
	return a->start >= b->end ? 1 : 0;
}

static struct debuginfo *open_debuginfo(struct dso *dso)
{
	struct debuginfo_source source = { 0 };

	source.dwarf = dso_dwarf(dso, &source.dwarf_bias);
	if (!source.dwarf)
		return NULL;
	source.eh_cfi = dso_eh_cfi(dso, &source.eh_bias);
	source.dwarf_cfi = dso_dwarf_cfi(dso, &source.cfi_bias);
	source.package = dso_dwarf_package(dso);
	return debuginfo_new(&source);
}

static struct object_entry *object_of(struct typeflow *flow, struct dso *dso)
{
	u32 id = dso_id(dso);
	struct object_entry *entry;
	struct store_key key;
	enum dso_kind kind;

	if (id >= flow->objects->len)
		g_ptr_array_set_size(flow->objects, (int)id + 1);
	entry = g_ptr_array_index(flow->objects, id);
	if (entry)
		return entry;
	entry = g_new0(struct object_entry, 1);
	g_ptr_array_index(flow->objects, id) = entry;
	kind = dso_kind(dso);
	entry->object.dso = dso;
	entry->object.kernel = kind == DSO_KERNEL || kind == DSO_MODULE || kind == DSO_GUEST_KERNEL;
	entry->object.debug = open_debuginfo(dso);
	entry->object.image = data_image_new(dso, entry->object.debug, entry->object.kernel);
	entry->object.callees = call_table_new();
	entry->object.recent_callees = g_new0(struct callee *, RECENT_CALLEES);
	entry->object.contents = content_memo_new();
	entry->pieces = g_tree_new_full(compare_pieces, NULL, NULL, g_free);
	entry->functions = g_ptr_array_new_with_free_func((GDestroyNotify)function_free);
	entry->types = g_ptr_array_new();
	entry->expected = g_array_new(false, false, sizeof(u64));
	if (keeping_key(flow, entry, &key))
		entry->store = store_open(&key);
	if (entry->store) {
		entry->stored = g_ptr_array_new();
		g_ptr_array_set_size(entry->stored, (int)store_nr_types(entry->store));
	}
	return entry;
}

static u32 remember_type(struct object_entry *entry, const struct type *type)
{
	if (!type)
		return 0;
	if (type->id >= entry->types->len)
		g_ptr_array_set_size(entry->types, (int)type->id + 1);
	g_ptr_array_index(entry->types, type->id) = (void *)type;
	return type->id + 1;
}

static enum access_why absence(enum debuginfo_absence why, bool has_debug)
{
	if (!has_debug)
		return ACCESS_NO_DEBUGINFO;
	return why == DEBUGINFO_NO_UNIT ? ACCESS_NO_UNIT : ACCESS_NO_FUNCTION;
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

/* To the access that a late sample of the instruction belongs to; 0: none. */
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

static struct access access_of(const struct object_entry *entry, const struct insn_row *row)
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

/* What is known before anything is run: answers of earlier rounds; else that no path leads there. */
static struct access *first_answers(const struct object_entry *entry,
				    const struct function *function, u32 nr)
{
	struct access *answers = g_new0(struct access, nr);

	for (u32 i = 0; i < nr; i++)
		if (function && function->more && i < function->rows->len)
			answers[i] = access_of(entry,
					       &g_array_index(function->rows, struct insn_row, i));
		else
			answers[i].why = ACCESS_UNREACHED;
	return answers;
}

/* The instruction whose answer the sample at @vaddr gets. */
static u32 asked_insn(const struct typeflow *flow, const struct cfg *cfg, u64 vaddr)
{
	u32 i = cfg_find(cfg, vaddr);

	return i != CFG_NONE && is_fused(flow, cfg, i) ? i - 1 : i;
}

/* The rounds that are still to be run, if the function was analysed before. */
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

/* The first expected address from @vaddr on. */
static u32 first_expected(struct object_entry *entry, u64 vaddr)
{
	if (!entry->sorted)
		g_array_sort(entry->expected, compare_addresses);
	entry->sorted = true;
	return SEARCH(i, 0, entry->expected->len, g_array_index(entry->expected, u64, i) < vaddr);
}

/* By instruction: what of the function will be asked for. */
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

/* Only what will be asked for, where that can be told by itself. */
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

/* No code at all, as of a kernel without its vmlinux, is not code of another machine. */
static enum access_why why_not_decoded(const struct object_entry *entry)
{
	if (dso_machine(entry->object.dso) != EM_NONE)
		return ACCESS_UNSUPPORTED;
	return entry->object.debug ? ACCESS_NO_CODE : ACCESS_NO_DEBUGINFO;
}

/*
 * Runs the method on one function, as far as the answer at @vaddr takes. With @sink nothing is
 * kept, but told how that answer comes about.
 */
static void analyse(struct typeflow *typeflow, struct object_entry *entry,
		    struct function *function, u64 vaddr, const struct explain_sink *sink)
{
	enum debuginfo_absence why = DEBUGINFO_NO_UNIT;
	const struct func_vars *vars = NULL;
	const struct range *ranges = (const struct range *)(void *)function->ranges->data;
	const struct symbol *symbol;
	struct flow flow = { .object = &entry->object };
	struct cfg *cfg;

	if (!typeflow->decoder || dso_machine(entry->object.dso) != EM_X86_64) {
		function->why = why_not_decoded(entry);
		return;
	}
	cfg = cfg_new(typeflow->decoder, entry->object.dso, entry->object.image, ranges,
		      function->ranges->len, call_no_return, &entry->object);
	if (!cfg) {
		size_t left;

		if (!dso_code(entry->object.dso, ranges[0].low, &left))
			function->why = ACCESS_NO_CODE;
		return;
	}
	flow.asker.vaddr = ranges[0].low;
	if (entry->object.debug) {
		flow.asker.unit = debuginfo_unit(entry->object.debug, ranges[0].low);
		vars = debuginfo_function(entry->object.debug, ranges[0].low, &why);
		if (vars)
			flow.proto = debuginfo_proto_at(entry->object.debug, ranges[0].low);
	}
	symbol = dso_find_symbol(entry->object.dso, ranges[0].low);
	flow.altered = symbol && proto_is_altered(symbol->raw);
	if (symbol && entry->object.debug)
		thunk_find(&entry->object, symbol->raw, &flow);
	flow.merged = symbol && merged_is(&entry->object, symbol, flow.proto);
	flow.absent = vars ? ACCESS_WHY_NONE : absence(why, entry->object.debug != NULL);
	flow.cfg = cfg;
	flow.facts = code_facts_new(cfg, vars);
	flow_init(&flow);
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
	flow_release(&flow);
	code_facts_free((struct code_facts *)flow.facts);
	cfg_free(cfg);
}

static void add_range(struct object_entry *entry, struct function *function, u64 low, u64 high)
{
	struct range range = { .low = low, .high = high };
	struct piece *piece, key = { .start = low, .end = high };

	/* Symbols that overlap: the rest belongs to the one analysed first. */
	if (low >= high || high - low > MAX_FUNCTION || g_tree_lookup(entry->pieces, &key))
		return;
	piece = g_new(struct piece, 1);
	*piece = (struct piece){ .start = low, .end = high, .function = function };
	g_tree_insert(entry->pieces, piece, piece);
	g_array_append_val(function->ranges, range);
}

/* The function around @vaddr by debug information, else by symbol; false: neither. */
static bool find_ranges(struct object_entry *entry, struct function *function, u64 vaddr)
{
	const struct symbol *symbol;
	const struct func_vars *vars = NULL;
	enum debuginfo_absence why;

	if (entry->object.debug)
		vars = debuginfo_function(entry->object.debug, vaddr, &why);
	for (u32 i = 0; vars && i < vars->nr_ranges && i < MAX_PIECES; i++)
		add_range(entry, function, vars->ranges[i].low, vars->ranges[i].high);
	if (function->ranges->len)
		return true;
	symbol = dso_find_symbol(entry->object.dso, vaddr);
	if (symbol && symbol->end > vaddr)
		add_range(entry, function, symbol->start, symbol->end);
	return symbol != NULL || vars != NULL;
}

static struct function *function_at(struct object_entry *entry, u64 vaddr)
{
	struct piece key = { .start = vaddr, .end = vaddr + 1 };
	struct piece *piece = g_tree_lookup(entry->pieces, &key);

	return piece ? piece->function : NULL;
}

static struct function *function_of(struct typeflow *flow, struct object_entry *entry, u64 vaddr)
{
	struct function *function = function_at(entry, vaddr);
	const struct store_row *stored;
	bool known;

	if (function)
		return function;
	function = g_new0(struct function, 1);
	function->rows = g_array_new(false, false, sizeof(struct insn_row));
	function->ranges = g_array_new(false, false, sizeof(struct range));
	g_ptr_array_add(entry->functions, function);
	known = find_ranges(entry, function, vaddr);
	if (function_at(entry, vaddr) != function)
		add_range(entry, function, vaddr, vaddr + 1);
	function->low = UINT64_MAX;
	for (u32 i = 0; i < function->ranges->len; i++)
		function->low =
			MIN(function->low, g_array_index(function->ranges, struct range, i).low);
	function->why = ACCESS_NO_INSN;
	/* Of a function that was asked about in an earlier run, too, all is kept. */
	function->part = known && entry->expected->len &&
			 !(entry->store && store_find(entry->store, vaddr, &stored));
	if (known)
		analyse(flow, entry, function, vaddr, NULL);
	else
		function->why = entry->object.debug ? ACCESS_NO_SYMBOL : ACCESS_NO_DEBUGINFO;
	return function;
}

/* False where that is not known, but would be if the function were analysed whole. */
static bool find_answer(struct object_entry *entry, const struct function *function, u64 vaddr,
			struct access *out)
{
	const struct insn_row *rows = (const struct insn_row *)function->rows->data;
	u32 nr = function->rows->len, at = (u32)(vaddr - function->low);
	u32 found = SEARCH(i, 0, nr, rows[i].at < at);

	if (found < nr && rows[found].at == at) {
		*out = access_of(entry, &rows[found]);
		return !function->more || out->how != ACCESS_UNKNOWN ||
		       out->why == ACCESS_NO_MEMORY;
	}
	*out = (struct access){ .how = ACCESS_UNKNOWN, .why = function->why };
	return !function->part;
}

/* Most answers are there after the first round; more is only run where one is not. */
static void answer(struct typeflow *flow, struct object_entry *entry, struct function *function,
		   u64 vaddr, struct access *out)
{
	if (find_answer(entry, function, vaddr, out))
		return;
	function->part = false;
	analyse(flow, entry, function, vaddr, NULL);
	find_answer(entry, function, vaddr, out);
}

void typeflow_expect(struct typeflow *flow, struct dso *dso, u64 vaddr)
{
	struct object_entry *entry;

	dso_lock(dso);
	entry = object_of(flow, dso);
	g_array_append_val(entry->expected, vaddr);
	entry->sorted = false;
	dso_unlock(dso);
}

/* That an instruction accesses nothing can be seen without its function. */
static void tell_no_memory(const struct typeflow *flow, struct dso *dso, u64 vaddr,
			   struct access *out)
{
	size_t left;
	const u8 *code = dso_code(dso, vaddr, &left);
	struct insn insn;

	if (flow->decoder && code && left && dso_machine(dso) == EM_X86_64 &&
	    insn_decode(flow->decoder, code, left, vaddr, &insn) && !skid_accesses(&insn))
		out->why = ACCESS_NO_MEMORY;
}

void typeflow_expect_skid(struct typeflow *flow)
{
	flow->skid = true;
}

void typeflow_charge(struct typeflow *flow, struct dso *dso, u64 vaddr, struct access *out)
{
	if (out->how != ACCESS_UNKNOWN || out->why != ACCESS_NO_MEMORY || !out->back)
		return;
	typeflow_lookup(flow, dso, vaddr - out->back, out);
	out->skid = true;
}

bool typeflow_lookup(struct typeflow *flow, struct dso *dso, u64 vaddr, struct access *out)
{
	struct object_entry *entry;

	flow->counts.lookups++;
	if (vaddr == UINT64_MAX) {
		*out = (struct access){ .why = ACCESS_NO_SYMBOL };
		return false;
	}
	dso_lock(dso);
	entry = object_of(flow, dso);
	if (!entry->store || !keeping_find(entry, vaddr, out))
		answer(flow, entry, function_of(flow, entry, vaddr), vaddr, out);
	if (out->why == ACCESS_NO_DEBUGINFO || out->why == ACCESS_NO_SYMBOL)
		tell_no_memory(flow, dso, vaddr, out);
	dso_unlock(dso);
	return out->how != ACCESS_UNKNOWN;
}

bool typeflow_explain(struct typeflow *flow, struct dso *dso, u64 vaddr,
		      const struct explain_sink *sink)
{
	struct object_entry *entry;
	struct function *function;
	struct access access;
	bool found = typeflow_lookup(flow, dso, vaddr, &access);

	dso_lock(dso);
	entry = vaddr == UINT64_MAX ? NULL : object_of(flow, dso);
	function = entry ? function_of(flow, entry, vaddr) : NULL;
	if (function && function->rows->len)
		analyse(flow, entry, function, vaddr, sink);
	explain_answer(&access, vaddr, sink);
	dso_unlock(dso);
	return found;
}

void typeflow_free(struct typeflow *flow)
{
	if (!flow)
		return;
	for (u32 i = 0; i < flow->objects->len; i++)
		keeping_write(flow, g_ptr_array_index(flow->objects, i));
	g_ptr_array_unref(flow->objects);
	g_free(flow->folder);
	insn_decoder_free(flow->decoder);
	g_free(flow);
}

void typeflow_counts(const struct typeflow *flow, struct typeflow_counts *out)
{
	*out = flow->counts;
}
