// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Look-ups. Each object file has an entry with the functions that were asked about. A function is found by the piece of
 * code around the address, since gcc splits functions:
 *
 *	piece			function	low	rows (relative to low)
 *	[1040, 1043)		sw		1040	at 0: ..., at 130: ..., at 132: ...
 *	[1170, 11c7)		the same
 *	[11d0, 120b)		walk		11d0	none yet: only typeflow_waited() was called
 *
 *	typeflow_lookup(1172)	piece [1170, 11c7): sw; 1172 - 1040 = 132: that row
 *	typeflow_lookup(1171)	the same piece, but no row: function.why, here "no instruction starts at the address"
 *
 * Sources of an answer, in order; the first one that has an answer ends the search:
 *
 *	1. kept answers: of earlier runs, and of other threads (keeping.c, lanes.c)
 *	2. the function's rows
 *	3. the part of the function that leads to announced addresses, in one round (function.part)
 *	4. the whole function, in one round
 *	5. further rounds, until this address has an answer (function.more is the state between two rounds)
 *
 * Step 3 fills the rows of all announced addresses of the function, steps 4 and 5 those of all its instructions. So
 * most look-ups end at step 2.
 *
 * Locks: the public functions take the dso's lock around all of this. function_*() have no lock of their own, since
 * each lane has entries of its own.
 */
#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "base/search.h"
#include "typeflow/flow/explain.h"
#include "typeflow/flow/flow.h"
#include "typeflow/answers/identity.h"
#include "typeflow/analysed.h"
#include "typeflow/answers/store.h"
#include "typeflow/code/waits.h"

#define MAX_FUNCTION (16 << 20) /* bytes; a larger symbol is no function */
#define MAX_PIECES   64

static void function_free(struct function *function)
{
	g_array_unref(function->rows);
	g_array_unref(function->ranges);
	g_array_unref(function->waits);
	g_array_unref(function->ways);
	infer_free(function->more);
	g_free(function);
}

static void object_free(struct object_entry *entry)
{
	if (!entry)
		return;
	g_tree_unref(entry->pieces);
	g_clear_pointer(&entry->colds, g_hash_table_unref);
	g_free(entry->recent);
	g_ptr_array_unref(entry->functions);
	g_ptr_array_unref(entry->types);
	for (u32 i = 0; i < NR_EXPECTED; i++)
		g_array_unref(entry->expected[i]);
	g_ptr_array_unref(entry->kept);
	data_image_free(entry->object.image);
	g_hash_table_unref(entry->object.callees);
	g_free(entry->object.recent_callees);
	g_free(entry->object.contents);
	header_memo_free(entry->object.headers);
	clones_free(entry->object.clones);
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
	source.lock = dso_mutex(dso);
	return debuginfo_new(&source);
}

struct object_entry *object_of(struct typeflow *flow, struct dso *dso)
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
	entry->object.image = data_image_new(dso, entry->object.debug, entry->object.kernel);
	entry->object.callees = call_table_new();
	entry->object.recent_callees = g_new0(struct callee *, RECENT_CALLEES);
	entry->object.contents = content_memo_new();
	entry->object.headers = header_memo_new();
	entry->object.decoder = flow->decoder;
	entry->object.clones = clones_new();
	entry->recent = g_new0(struct recent, NR_RECENT);
	entry->pieces = g_tree_new_full(compare_pieces, NULL, NULL, g_free);
	entry->functions = g_ptr_array_new_with_free_func((GDestroyNotify)function_free);
	entry->types = g_ptr_array_new();
	for (u32 i = 0; i < NR_EXPECTED; i++)
		entry->expected[i] = g_array_new(false, false, sizeof(struct announced));
	entry->kept = g_ptr_array_new_with_free_func((GDestroyNotify)keeping_free);
	keeping_read(flow, entry);
	return entry;
}

/* Refused: an empty range, one that is too large for code, or one that overlaps a piece. Pieces never overlap. */
static void add_range(struct object_entry *entry, struct function *function, u64 low, u64 high)
{
	struct range range = { .low = low, .high = high };
	struct piece *piece, key = { .start = low, .end = high };

	/* Overlapping symbols: the code belongs to the function that was analysed first. */
	if (low >= high || high - low > MAX_FUNCTION || g_tree_lookup(entry->pieces, &key))
		return;
	piece = g_new(struct piece, 1);
	*piece = (struct piece){ .start = low, .end = high, .function = function };
	g_tree_insert(entry->pieces, piece, piece);
	g_array_append_val(function->ranges, range);
}

/* The name of the function whose cold part the symbol is, newly allocated; NULL: it is none. */
static char *name_of_hot(const struct symbol *symbol)
{
	return symbol->raw && g_str_has_suffix(symbol->raw, ".cold")
		       ? g_strndup(symbol->raw, strlen(symbol->raw) - strlen(".cold"))
		       : NULL;
}

static GHashTable *colds_of(struct object_entry *entry)
{
	struct dso *dso = entry->object.dso;

	if (entry->colds)
		return entry->colds;
	entry->colds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (u32 i = 0; i < dso_nr_symbols(dso); i++) {
		const struct symbol *symbol = dso_symbol(dso, i);
		char *name = symbol ? name_of_hot(symbol) : NULL;

		if (name)
			g_hash_table_insert(
				entry->colds, name,
				g_hash_table_contains(entry->colds, name) ? NULL : (void *)symbol);
	}
	return entry->colds;
}

/*
 * gcc moves what is seldom executed to another place, with a symbol of its own; debug information has both as ranges of one function:
 *
 *	1149:	test %rsi,%rsi		parted
 *	114c:	jne  1040		parted.cold: it is entered by this jump, and by no call
 */
static void add_symbol(struct object_entry *entry, struct function *function,
		       const struct symbol *symbol)
{
	g_autofree char *name = name_of_hot(symbol);
	const struct symbol *hot, *cold;

	if (name && g_hash_table_lookup(colds_of(entry), name) == symbol) {
		hot = dso_symbol_named(entry->object.dso, name);
		if (hot)
			add_range(entry, function, hot->start, hot->end);
	}
	function->headless = name && !function->ranges->len;
	add_range(entry, function, symbol->start, symbol->end);
	cold = !name && symbol->raw ? g_hash_table_lookup(colds_of(entry), symbol->raw) : NULL;
	if (cold && function->ranges->len)
		add_range(entry, function, cold->start, cold->end);
}

/* Finds the function around @vaddr by debug information, or else by symbol. False: neither has one. */
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
		add_symbol(entry, function, symbol);
	return symbol != NULL || vars != NULL;
}

static struct recent *recent_of(const struct object_entry *entry, u64 vaddr)
{
	return &entry->recent[(vaddr ^ vaddr >> 13) % NR_RECENT];
}

struct function *function_at(struct object_entry *entry, u64 vaddr)
{
	struct piece key = { .start = vaddr, .end = vaddr + 1 };
	struct recent *recent = recent_of(entry, vaddr);
	struct piece *piece;

	if (recent->function && recent->vaddr == vaddr)
		return recent->function;
	piece = g_tree_lookup(entry->pieces, &key);
	if (!piece)
		return NULL;
	*recent = (struct recent){ .vaddr = vaddr, .function = piece->function };
	return piece->function;
}

/*
 * The function around @vaddr, which may not be analysed yet. Never NULL: an address that belongs to no function gets
 * one of a single byte, so that the answer "no function is known" is remembered, too.
 */
static struct function *function_around(struct object_entry *entry, u64 vaddr)
{
	struct function *function = function_at(entry, vaddr);

	if (function)
		return function;
	function = g_new0(struct function, 1);
	function->rows = g_array_new(false, false, sizeof(struct insn_row));
	function->waits = g_array_new(false, false, sizeof(struct wait_row));
	function->ways = g_array_new(false, false, sizeof(struct wait_way));
	function->ranges = g_array_new(false, false, sizeof(struct range));
	g_ptr_array_add(entry->functions, function);
	function->named = find_ranges(entry, function, vaddr);
	if (function_at(entry, vaddr) != function)
		add_range(entry, function, vaddr, vaddr + 1);
	function->low = UINT64_MAX;
	for (u32 i = 0; i < function->ranges->len; i++)
		function->low =
			MIN(function->low, g_array_index(function->ranges, struct range, i).low);
	return function;
}

struct function *function_of(struct typeflow *flow, struct object_entry *entry, u64 vaddr,
			     u64 until)
{
	struct function *function = function_around(entry, vaddr);

	if (function->asked)
		return function;
	function->asked = true;
	function->why = ACCESS_NO_INSN;
	/* If an earlier run has kept answers for the function, analyse it whole, so that all its answers are kept. */
	function->part = function->named && expected_any(entry) && !keeping_knows(entry, vaddr);
	if (function->named)
		function_analyse(flow, entry, function, until, NULL);
	else
		function->why = entry->object.debug ? ACCESS_NO_SYMBOL : ACCESS_NO_DEBUGINFO;
	return function;
}

/* False if a whole analysis of the function, or a further round, may find the answer. */
static bool find_answer(struct object_entry *entry, const struct function *function, u64 vaddr,
			struct access *out)
{
	const struct insn_row *rows = (const struct insn_row *)function->rows->data;
	u32 nr = function->rows->len, at = (u32)(vaddr - function->low);
	struct recent *recent = recent_of(entry, vaddr);
	u32 found = recent->row;

	/* A guess, which the row confirms: tables of a function may be made anew. */
	if (found >= nr || rows[found].at != at)
		recent->row = found = SEARCH(i, 0, nr, rows[i].at < at);
	if (found < nr && rows[found].at == at) {
		*out = row_access(entry, &rows[found]);
		return !function->more || out->how != ACCESS_UNKNOWN ||
		       out->why == ACCESS_NO_MEMORY || rows[found].settled;
	}
	*out = (struct access){ .how = ACCESS_UNKNOWN, .why = function->why };
	return !function->part;
}

/* The first round finds most answers. Further rounds run only for an address without one. */
void function_answer(struct typeflow *flow, struct object_entry *entry, u64 vaddr,
		     struct access *out)
{
	struct function *function = function_of(flow, entry, vaddr, vaddr);

	if (find_answer(entry, function, vaddr, out))
		return;
	function->part = false;
	function_analyse(flow, entry, function, vaddr, NULL);
	find_answer(entry, function, vaddr, out);
}

/* Each process may have the address at another place: then it is announced again and again. */
static void announce(struct object_entry *entry, enum expected what, u64 vaddr, u32 nr)
{
	GArray *all = entry->expected[what];
	u32 *known = &recent_of(entry, vaddr)->announced[what];
	struct announced announced = { vaddr, nr };

	if (*known < all->len && g_array_index(all, struct announced, *known).vaddr == vaddr) {
		g_array_index(all, struct announced, *known).nr += nr;
		return;
	}
	*known = all->len;
	g_array_append_val(all, announced);
	entry->sorted = false;
}

void typeflow_expect(struct typeflow *flow, struct dso *dso, u64 vaddr, bool before, u32 nr)
{
	dso_lock(dso);
	announce(object_of(flow, dso), before ? EXPECTED_BEFORE : EXPECTED_AT, vaddr, nr);
	dso_unlock(dso);
}

/* Decodes the instruction alone, to see whether it accesses memory at all. */
static void tell_no_memory(const struct typeflow *flow, struct dso *dso, u64 vaddr,
			   struct access *out)
{
	size_t left;
	const u8 *code = dso_code(dso, vaddr, &left);
	struct insn insn;

	if (flow->decoder && code && left && dso_machine(dso) == EM_X86_64 &&
	    insn_decode(flow->decoder, code, left, vaddr, &insn) && !insn_accesses(&insn))
		out->why = ACCESS_NO_MEMORY;
}

void typeflow_expect_waited(struct typeflow *flow)
{
	flow->waited = true;
}

u32 typeflow_expected(struct typeflow *flow, struct dso *dso, u64 low, u64 high)
{
	u32 nr = 0;

	dso_lock(dso);
	expected_sort(object_of(flow, dso));
	for (u32 k = 0; k < NR_EXPECTED; k++) {
		const GArray *all = object_of(flow, dso)->expected[k];
		const struct announced *each = (const struct announced *)(void *)all->data;
		u32 i = SEARCH(at, 0, all->len, each[at].vaddr < low);

		for (; i < all->len && each[i].vaddr <= high; i++)
			nr += each[i].nr;
	}
	dso_unlock(dso);
	return nr;
}

static bool find_waited(const struct object_entry *entry, const struct function *function,
			u64 vaddr, GArray *out)
{
	const struct wait_row *rows = (const struct wait_row *)(void *)function->waits->data;
	u32 nr = function->waits->len, at = (u32)(vaddr - function->low);
	struct recent *recent = recent_of(entry, vaddr);
	u32 found = recent->wait;

	if (found >= nr || rows[found].at != at)
		recent->wait = found = SEARCH(i, 0, nr, rows[i].at < at);
	if (found == nr || rows[found].at != at)
		return false;
	waits_tell(&g_array_index(function->ways, struct wait_way, rows[found].first),
		   rows[found].nr, function->low, out);
	return true;
}

static bool is_announced(struct object_entry *entry, u64 vaddr)
{
	const GArray *all = entry->expected[EXPECTED_BEFORE];
	const struct announced *each = (const struct announced *)(void *)all->data;
	u32 at;

	expected_sort(entry);
	at = SEARCH(i, 0, all->len, each[i].vaddr < vaddr);
	return at < all->len && each[at].vaddr == vaddr;
}

void function_waited(struct typeflow *flow, struct object_entry *entry, u64 vaddr, GArray *out)
{
	static const struct waited_way unknown = { .how = WAITED_UNKNOWN };
	struct function *function = function_around(entry, vaddr);

	if (find_waited(entry, function, vaddr, out))
		return;
	if (!function->decoded && !function->waits->len && is_announced(entry, vaddr)) {
		function_decode(flow, entry, function, true);
		if (find_waited(entry, function, vaddr, out))
			return;
	}
	if (!function->decoded) {
		function_decode(flow, entry, function, false);
		if (find_waited(entry, function, vaddr, out))
			return;
	}
	g_array_set_size(out, 0);
	g_array_append_val(out, unknown);
}

void typeflow_waited(struct typeflow *flow, struct dso *dso, u64 vaddr, bool data, GArray *out)
{
	struct object_entry *entry;

	dso_lock(dso);
	entry = object_of(flow, dso);
	if (!keeping_waited(entry, vaddr, out)) {
		if (data)
			function_of(flow, entry, vaddr, UINT64_MAX);
		function_waited(flow, entry, vaddr, out);
	}
	dso_unlock(dso);
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
	if (!keeping_find(entry, vaddr, out))
		function_answer(flow, entry, vaddr, out);
	if (out->why == ACCESS_NO_DEBUGINFO || out->why == ACCESS_NO_SYMBOL)
		tell_no_memory(flow, dso, vaddr, out);
	dso_unlock(dso);
	return out->how != ACCESS_UNKNOWN;
}

/*
 * Analyses the function a second time: rows do not have the states that the explanation shows. The last step is the
 * answer of the look-up.
 */
bool typeflow_explain(struct typeflow *flow, struct dso *dso, u64 vaddr,
		      const struct explain_sink *sink)
{
	struct object_entry *entry;
	struct function *function;
	struct access access;
	bool found = typeflow_lookup(flow, dso, vaddr, &access);

	dso_lock(dso);
	entry = vaddr == UINT64_MAX ? NULL : object_of(flow, dso);
	function = entry ? function_of(flow, entry, vaddr, vaddr) : NULL;
	if (function && function->rows->len)
		function_analyse(flow, entry, function, vaddr, sink);
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
	cfg_free(flow->decoded);
	g_free(flow->folder);
	insn_decoder_free(flow->decoder);
	g_free(flow);
}

void typeflow_counts(const struct typeflow *flow, struct typeflow_counts *out)
{
	*out = flow->counts;
}
