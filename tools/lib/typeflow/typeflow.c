// SPDX-License-Identifier: GPL-2.0-or-later
#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "typeflow/operand.h"

#define MAX_FUNCTION (16 << 20) /* bytes; a larger symbol is no function */

/* One instruction's answer; 24 bytes, since a large program has millions. */
struct row {
	u32 at;	  /* from the function's start */
	u32 type; /* id plus 1; 0: none */
	s64 offset;
	u16 width;
	u8 how, why, roles;
};

struct function {
	u64 start, end;
	GArray *rows; /* struct row by @at */
	u8 why;	      /* where there are no rows */
};

struct object_entry {
	struct object object;
	GTree *functions; /* &struct function.start -> struct function *, ranges do not overlap */
	GPtrArray *types; /* const struct type *, by id */
};

struct typeflow {
	struct insn_decoder *decoder;
	enum insn_fusion fusion;
	GPtrArray *objects; /* struct object_entry *, by dso id; NULL: not seen yet */
	struct typeflow_counts counts;
};

static void function_free(struct function *function)
{
	g_array_unref(function->rows);
	g_free(function);
}

static void object_free(struct object_entry *entry)
{
	if (!entry)
		return;
	g_tree_unref(entry->functions);
	g_ptr_array_unref(entry->types);
	debuginfo_free(entry->object.debug);
	g_free(entry);
}

struct typeflow *typeflow_new(enum insn_fusion fusion)
{
	struct typeflow *flow = g_new0(struct typeflow, 1);

	flow->fusion = fusion;
	flow->decoder = insn_decoder_new(INSN_X86_64, NULL);
	flow->objects = g_ptr_array_new_with_free_func((GDestroyNotify)object_free);
	return flow;
}

void typeflow_free(struct typeflow *flow)
{
	if (!flow)
		return;
	g_ptr_array_unref(flow->objects);
	insn_decoder_free(flow->decoder);
	g_free(flow);
}

/* A look-up key is a function of one byte; a function in the tree compares by its range. */
static int compare_functions(const void *pa, const void *pb, void *unused)
{
	const struct function *a = pa, *b = pb;

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
	return debuginfo_new(&source);
}

static struct object_entry *object_of(struct typeflow *flow, struct dso *dso)
{
	u32 id = dso_id(dso);
	struct object_entry *entry;
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
	entry->object.has_tls = dso_elf(dso) && tls_find_segment(dso_elf(dso), &entry->object.tls);
	entry->functions =
		g_tree_new_full(compare_functions, NULL, NULL, (GDestroyNotify)function_free);
	entry->types = g_ptr_array_new();
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

static struct row answer_insn(struct object_entry *entry, const struct state *state,
			      const struct insn *insn, u8 absent)
{
	struct access access = { .why = absent };

	operand_access(&entry->object, state, insn, &access);
	return (struct row){
		.type = remember_type(entry, access.type),
		.offset = access.offset,
		.width = access.width,
		.how = access.how,
		.why = access.why,
		.roles = access.roles,
	};
}

/* Decodes the function from its first byte to its last and answers for each instruction. */
static void analyse(struct typeflow *flow, struct object_entry *entry, struct function *function,
		    u64 sample)
{
	enum debuginfo_absence why = DEBUGINFO_NO_UNIT;
	const struct func_vars *vars = NULL;
	struct insn insn, last = { 0 };
	struct state state;
	u8 absent;
	size_t left = 0;
	const u8 *code = dso_code(entry->object.dso, function->start, &left);
	u64 size = function->end - function->start;

	if (!code || !flow->decoder || dso_machine(entry->object.dso) != EM_X86_64) {
		function->why = code ? ACCESS_UNSUPPORTED : ACCESS_NO_CODE;
		return;
	}
	if (size > left)
		size = left;
	if (entry->object.debug) {
		vars = debuginfo_function(entry->object.debug, function->start, &why);
		if (!vars)
			vars = debuginfo_function(entry->object.debug, sample, &why);
	}
	absent = vars ? ACCESS_NO_VARIABLE : absence(why, entry->object.debug != NULL);
	state_init(&state, entry->object.debug, vars);
	for (u64 at = 0; at < size; at += insn.size) {
		struct row row;

		if (!insn_decode(flow->decoder, code + at, size - at, function->start + at, &insn))
			continue;
		state_move(&state, insn.vaddr);
		row = answer_insn(entry, &state, &insn, absent);
		if (row.why == ACCESS_NO_MEMORY && function->rows->len &&
		    insn_fuses(flow->fusion, &last, &insn))
			row = g_array_index(function->rows, struct row, function->rows->len - 1);
		row.at = (u32)at;
		g_array_append_val(function->rows, row);
		flow->counts.instructions++;
		last = insn;
	}
	state_release(&state);
	flow->counts.functions++;
}

/* The function around @vaddr by symbol, else by debug information; false: neither. */
static bool function_range(struct object_entry *entry, u64 vaddr, u64 *start, u64 *end)
{
	const struct symbol *symbol = dso_find_symbol(entry->object.dso, vaddr);
	const struct func_vars *vars = NULL;
	enum debuginfo_absence why;

	if (symbol && symbol->end > vaddr && symbol->end - symbol->start <= MAX_FUNCTION) {
		*start = symbol->start;
		*end = symbol->end;
		return true;
	}
	if (entry->object.debug)
		vars = debuginfo_function(entry->object.debug, vaddr, &why);
	for (u32 i = 0; vars && i < vars->nr_ranges; i++)
		if (vaddr >= vars->ranges[i].low && vaddr < vars->ranges[i].high &&
		    vars->ranges[i].high - vars->ranges[i].low <= MAX_FUNCTION) {
			*start = vars->ranges[i].low;
			*end = vars->ranges[i].high;
			return true;
		}
	return false;
}

static const struct function *function_of(struct typeflow *flow, struct object_entry *entry,
					  u64 vaddr)
{
	struct function key = { .start = vaddr, .end = vaddr + 1 };
	struct function *function = g_tree_lookup(entry->functions, &key);

	if (function)
		return function;
	function = g_new0(struct function, 1);
	function->rows = g_array_new(false, false, sizeof(struct row));
	if (function_range(entry, vaddr, &function->start, &function->end)) {
		/* Symbols that overlap: the rest belongs to the one analysed first. */
		if (g_tree_lookup(entry->functions, function)) {
			function->start = vaddr;
			function->end = vaddr + 1;
		}
		function->why = ACCESS_NO_INSN;
		analyse(flow, entry, function, vaddr);
	} else {
		function->start = vaddr;
		function->end = vaddr + 1;
		function->why = entry->object.debug ? ACCESS_NO_SYMBOL : ACCESS_NO_DEBUGINFO;
	}
	g_tree_insert(entry->functions, function, function);
	return function;
}

static void answer(struct object_entry *entry, const struct function *function, u64 vaddr,
		   struct access *out)
{
	u32 low = 0, high = function->rows->len, at = (u32)(vaddr - function->start);

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		const struct row *row = &g_array_index(function->rows, struct row, mid);

		if (row->at < at) {
			low = mid + 1;
		} else if (row->at > at) {
			high = mid;
		} else {
			*out = (struct access){
				.type = row->type ? g_ptr_array_index(entry->types, row->type - 1)
						  : NULL,
				.offset = row->offset,
				.width = row->width,
				.how = row->how,
				.why = row->why,
				.roles = row->roles,
			};
			return;
		}
	}
	*out = (struct access){ .how = ACCESS_UNKNOWN, .why = function->why };
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
	answer(entry, function_of(flow, entry, vaddr), vaddr, out);
	dso_unlock(dso);
	return out->how != ACCESS_UNKNOWN;
}

bool typeflow_explain(struct typeflow *flow, struct dso *dso, u64 vaddr,
		      const struct explain_sink *sink)
{
	struct access access;
	bool found = typeflow_lookup(flow, dso, vaddr, &access);
	g_autoptr(GString) text = g_string_new(NULL);

	if (access.type) {
		char place[400];

		type_offset_text(access.type, access.offset, place, sizeof(place));
		g_string_printf(text, "%s: %s", place, access_how_text(access.how));
	} else if (found) {
		g_string_printf(text, "%s: %s", access_type_name(&access),
				access_how_text(access.how));
	} else {
		g_string_printf(text, "unknown: %s", access_why_text(access.why));
	}
	sink->step(sink->data, vaddr, text->str);
	return found;
}

void typeflow_counts(const struct typeflow *flow, struct typeflow_counts *out)
{
	*out = flow->counts;
}
