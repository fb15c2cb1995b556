// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys of one taken branch: source, target, and flags (predicted, in a transaction, cycles). */
#include "fields/private.h"

#include <linux/perf_event.h>

#include "dso/dso.h"
#include "session/session.h"

static const struct code *from_of(const struct place *p)
{
	return p->branch ? p->branch->from : NULL;
}

static const struct code *to_of(const struct place *p)
{
	return p->branch ? p->branch->to : NULL;
}

static u64 key_dso_from(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return key_dso(lex, from_of(p) ? from_of(p)->dso : NULL);
}

static u64 key_dso_to(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return key_dso(lex, to_of(p) ? to_of(p)->dso : NULL);
}

static u64 key_symbol_from(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return from_of(p) ? from_of(p)->function : 0;
}

static u64 key_symbol_to(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return to_of(p) ? to_of(p)->function : 0;
}

static u64 key_line_from(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return from_of(p) ? lexicon_line(lex, from_of(p)) : 0;
}

static u64 key_line_to(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return to_of(p) ? lexicon_line(lex, to_of(p)) : 0;
}

static u64 key_addr_from(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return from_of(p) ? from_of(p)->id : 0;
}

static u64 key_addr_to(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return to_of(p) ? to_of(p)->id : 0;
}

/* As upstream: objects in descending order here, and symbols by address. */
static int order_dsos(const struct lexicon *lex, u64 a, u64 b)
{
	return order_texts(lex, b, a);
}

static u64 start_of(const struct code *code)
{
	return code->symbol ? code->symbol->start : code->va;
}

static int order_starts(const struct lexicon *lex, u64 a, u64 b)
{
	struct resolver *r = session_resolver(lex->session);
	const struct code *x = a ? resolver_function(r, (u32)a) : NULL;
	const struct code *y = b ? resolver_function(r, (u32)b) : NULL;

	if (!x || !y)
		return x ? -1 : y ? 1 : 0;
	if (!x->symbol != !y->symbol)
		return x->symbol ? -1 : 1;
	return start_of(x) < start_of(y) ? -1 : start_of(x) > start_of(y);
}

static u64 va_of(const struct lexicon *lex, u64 key)
{
	return key ? resolver_code(session_resolver(lex->session), (u32)key)->va : 0;
}

static int order_addr(const struct lexicon *lex, u64 a, u64 b)
{
	u64 x = va_of(lex, a), y = va_of(lex, b);

	return x < y ? -1 : x > y;
}

static void print_addr(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	const struct code *code;

	if (!key)
		return;
	code = resolver_code(session_resolver(lex->session), (u32)key);
	g_string_append_printf(out, "[%c] ", code->level);
	if (code->symbol)
		g_string_append_printf(out, "%s+0x%" G_GINT64_MODIFIER "x", code_name(code),
				       code->vaddr - code->symbol->start);
	else
		g_string_append_printf(out, "%#.16" G_GINT64_MODIFIER "x", code->va);
}

enum { FLAG_NONE, FLAG_NO, FLAG_YES };

static u64 key_mispredict(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct perf_branch_entry *e = p->branch ? p->branch->entry : NULL;

	return !e ? FLAG_NONE : e->mispred ? FLAG_YES : e->predicted ? FLAG_NO : FLAG_NONE;
}

static u64 key_abort(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->branch && p->branch->entry->abort;
}

static u64 key_in_tx(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->branch && p->branch->entry->in_tx;
}

static u64 key_cycles(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->branch ? p->branch->entry->cycles : 0;
}

static void print_mispredict(const struct field *field, const struct lexicon *lex, u64 key,
			     GString *out)
{
	static const char *const words[] = { "N/A", "N", "Y" };

	g_string_append(out, words[key]);
}

/* Prints one letter: "A", "T" or ".". */
static void print_letter(const struct field *field, const struct lexicon *lex, u64 key,
			 GString *out)
{
	g_string_append_c(out, key ? *(const char *)field->data : '.');
}

static void print_cycles(const struct field *field, const struct lexicon *lex, u64 key,
			 GString *out)
{
	if (key)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, key);
	else
		g_string_append_c(out, '-');
}

#define BRANCH_FIELD(id, title, ...)                                                               \
	const struct field field_##id = {                                                          \
		.name = #id, .header = title, .family = FIELD_BRANCH, __VA_ARGS__                  \
	}

BRANCH_FIELD(dso_from, "Source Shared Object", .needs = NEED_BRANCH, .key = key_dso_from,
	     .order = order_dsos, .print = print_text);
BRANCH_FIELD(dso_to, "Target Shared Object", .needs = NEED_BRANCH, .key = key_dso_to,
	     .order = order_dsos, .print = print_text);
BRANCH_FIELD(symbol_from, "Source Symbol", .needs = NEED_BRANCH | NEED_SYMBOL,
	     .key = key_symbol_from, .order = order_starts, .print = print_function, .loose = true);
BRANCH_FIELD(symbol_to, "Target Symbol", .needs = NEED_BRANCH | NEED_SYMBOL, .key = key_symbol_to,
	     .order = order_starts, .print = print_function, .loose = true);
BRANCH_FIELD(srcline_from, "From Source:Line", .needs = NEED_BRANCH | NEED_SYMBOL | NEED_LINE,
	     .key = key_line_from, .order = order_texts, .print = print_text);
BRANCH_FIELD(srcline_to, "To Source:Line", .needs = NEED_BRANCH | NEED_SYMBOL | NEED_LINE,
	     .key = key_line_to, .order = order_texts, .print = print_text);
BRANCH_FIELD(addr_from, "Source Address", .needs = NEED_BRANCH | NEED_SYMBOL, .key = key_addr_from,
	     .order = order_addr, .print = print_addr);
BRANCH_FIELD(addr_to, "Target Address", .needs = NEED_BRANCH | NEED_SYMBOL, .key = key_addr_to,
	     .order = order_addr, .print = print_addr);
BRANCH_FIELD(mispredict, "Branch Mispredicted", .needs = NEED_BRANCH, .key = key_mispredict,
	     .print = print_mispredict);
BRANCH_FIELD(abort, "Transaction abort", .needs = NEED_BRANCH, .key = key_abort,
	     .print = print_letter, .data = "A");
BRANCH_FIELD(in_tx, "Branch in transaction", .needs = NEED_BRANCH, .key = key_in_tx,
	     .print = print_letter, .data = "T");
BRANCH_FIELD(cycles, "Basic Block Cycles", .kind = CELL_COUNT, .zero_is_none = true,
	     .unit = "cycles", .needs = NEED_BRANCH, .key = key_cycles, .order = order_greatest,
	     .print = print_cycles);

/*
 * Sums over the branch stacks of a row's samples; if a row is a branch, over the branches of the row. Upstream shows
 * these sums for call chains made of branches. They have no effect on the order of rows.
 */
#define CHAIN_FIELD(id, title, what, ...)                                                          \
	const struct field field_##id = { .name = #id,                                             \
					  .header = title,                                         \
					  .family = FIELD_NORMAL,                                  \
					  .needs = NEED_BRANCH,                                    \
					  .value = what,                                           \
					  __VA_ARGS__ }

CHAIN_FIELD(callchain_branch_predicted, "Predicted", VALUE_PREDICTED, .kind = CELL_SHARE);
CHAIN_FIELD(callchain_branch_abort, "Abort", VALUE_ABORTS, .kind = CELL_COUNT);
CHAIN_FIELD(callchain_branch_cycles, "Cycles", VALUE_CYCLES, .kind = CELL_COUNT, .unit = "cycles");
