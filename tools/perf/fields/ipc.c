// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions per cycle (IPC) of a function, from branch records with cycle counts.
 *
 * A run is the straight code from the target of one taken branch to the next taken branch. The branch record tells how
 * many cycles the run took; the number of instructions in it comes from disassembly:
 *
 *	B1.to	mov  (%rdi),%rax	run of 3 instructions
 *		add  %rax,%rbx
 *	B0.from	jmp  ...		B0.cycles: 6, so the IPC is 0.5
 *
 * Several runs can end at the same branch. As in upstream, only the longest one counts, because the shorter ones are
 * parts of it. A run that starts in another function tells nothing: any run that starts in this function replaces it.
 * Coverage: the share of the function's instructions that are in a run.
 */
#include "fields/private.h"

#include <elf.h>
#include <linux/perf_event.h>

#include "base/percent.h"
#include "base/search.h"
#include "dso/dso.h"
#include "insn/insn.h"
#include "session/session.h"

/* Limit for changes of a run's start. A run whose start changes so often is not used. */
#define MAX_RESTARTS 0x7fff

/* The runs that end at the branch at @end. */
struct run {
	u64 start, end; /* vaddr; start 0: in another function */
	u64 cycles;
	u32 nr, restarts;
};

struct function_ipc {
	const struct code *code;
	GArray *runs; /* struct run */
	GHashTable *by_end;
	bool summed;
	double ipc, coverage;
};

struct ipc {
	GHashTable *functions; /* code->function -> struct function_ipc * */
	struct insn_decoder *decoder;
};

static void function_free(gpointer p)
{
	struct function_ipc *f = p;

	g_array_unref(f->runs);
	g_hash_table_destroy(f->by_end);
	g_free(f);
}

void ipc_free(struct ipc *ipc)
{
	if (!ipc)
		return;
	g_hash_table_destroy(ipc->functions);
	insn_decoder_free(ipc->decoder);
	g_free(ipc);
}

static struct ipc *ipc_of(struct lexicon *lex)
{
	struct ipc *ipc = lex->own->ipc;

	if (ipc)
		return ipc;
	ipc = lex->own->ipc = g_new0(struct ipc, 1);
	ipc->functions = g_hash_table_new_full(NULL, NULL, NULL, function_free);
	ipc->decoder = insn_decoder_new(INSN_X86_64, NULL);
	return ipc;
}

static struct function_ipc *function_of(struct ipc *ipc, const struct code *code)
{
	gpointer key = GUINT_TO_POINTER(code->function);
	struct function_ipc *f = g_hash_table_lookup(ipc->functions, key);

	if (f)
		return f;
	f = g_new0(struct function_ipc, 1);
	f->code = code;
	f->runs = g_array_new(FALSE, FALSE, sizeof(struct run));
	f->by_end = g_hash_table_new(NULL, NULL);
	g_hash_table_insert(ipc->functions, key, f);
	return f;
}

static struct run *run_to(struct function_ipc *f, u64 end)
{
	gpointer key = GSIZE_TO_POINTER(end - f->code->symbol->start);
	u32 at = GPOINTER_TO_UINT(g_hash_table_lookup(f->by_end, key));
	struct run new = { .end = end };

	if (!at) {
		g_array_append_val(f->runs, new);
		at = f->runs->len;
		g_hash_table_insert(f->by_end, key, GUINT_TO_POINTER(at));
	}
	return &g_array_index(f->runs, struct run, at - 1);
}

static void add_run(struct function_ipc *f, u64 start, u64 end, u32 cycles)
{
	struct run *run = run_to(f, end);

	if (run->start && (!start || run->start < start))
		return;
	if (run->nr && start && (!run->start || run->start > start)) {
		run->cycles = run->nr = 0;
		run->restarts++;
	}
	run->start = start;
	run->cycles += cycles;
	run->nr++;
}

/* The start of the run that ends at @from: the target of the previous branch, if that is in the same function. */
static u64 start_of_run(const struct code *from, const struct code *before)
{
	if (!before || before->dso != from->dso || before->vaddr >= from->vaddr)
		return 0;
	return before->function == from->function || before->vaddr == from->symbol->start
		       ? before->vaddr
		       : 0;
}

static void take_sample(struct lexicon *lex, const struct place *p)
{
	const struct code *before = NULL;

	if (!p->nr_branches || !p->branches[0].entry->cycles)
		return;
	for (u32 i = p->nr_branches; i--;) {
		const struct branch *b = &p->branches[i];

		if (b->entry->cycles && b->from->symbol && b->from->vaddr < b->from->symbol->end)
			add_run(function_of(ipc_of(lex), b->from), start_of_run(b->from, before),
				b->from->vaddr, b->entry->cycles);
		before = b->to;
	}
}

/* The start addresses of the function's instructions, ascending; empty if its code cannot be read. */
static GArray *instructions(struct ipc *ipc, const struct code *code)
{
	GArray *starts = g_array_new(FALSE, FALSE, sizeof(u64));
	const struct symbol *symbol = code->symbol;
	size_t left;
	const u8 *bytes = ipc->decoder && dso_machine(code->dso) == EM_X86_64
				  ? dso_code(code->dso, symbol->start, &left)
				  : NULL;
	struct insn insn;

	if (!bytes)
		return starts;
	left = MIN(left, symbol->end - symbol->start);
	for (u64 at = symbol->start; left; at += insn.size, bytes += insn.size, left -= insn.size) {
		insn_decode(ipc->decoder, bytes, left, at, &insn);
		g_array_append_val(starts, at);
	}
	return starts;
}

/* Counts the run's instructions and marks each in @covered. 0: no instruction starts at the run's start. */
static u32 count_run(const GArray *starts, const struct run *run, u8 *covered)
{
	const u64 *all = (const void *)starts->data;
	u32 first = SEARCH(i, 0, starts->len, all[i] < run->start), end = first;

	if (first == starts->len || all[first] != run->start)
		return 0;
	for (; end < starts->len && all[end] <= run->end; end++)
		covered[end] = 1;
	return end - first;
}

static void sum_up(struct ipc *ipc, struct function_ipc *f)
{
	g_autoptr(GArray) starts = instructions(ipc, f->code);
	g_autofree u8 *covered = g_malloc0(starts->len + 1);
	u64 insns = 0, cycles = 0, nr_covered = 0;

	for (u32 i = 0; i < f->runs->len; i++) {
		const struct run *run = &g_array_index(f->runs, struct run, i);
		u32 nr = run->start && run->restarts < MAX_RESTARTS
				 ? count_run(starts, run, covered)
				 : 0;

		insns += (u64)nr * run->nr;
		cycles += nr ? run->cycles : 0;
	}
	for (u32 i = 0; i < starts->len; i++)
		nr_covered += covered[i];
	f->ipc = cycles ? (double)insns / (double)cycles : 0;
	f->coverage = percent_of(nr_covered, starts->len);
	f->summed = true;
}

static u64 key_ipc(const struct field *field, struct lexicon *lex, const struct place *p)
{
	ipc_of(lex);
	return p->ip->function;
}

static void print_ipc(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	struct ipc *ipc = lex->own->ipc;
	struct function_ipc *f = g_hash_table_lookup(ipc->functions, GUINT_TO_POINTER(key));

	if (f && !f->summed)
		sum_up(ipc, f);
	if (f)
		g_string_append_printf(out, "%-5.2f [%5.1f%%]", f->ipc, f->coverage);
	else if (resolver_function(session_resolver(lex->session), (u32)key)->symbol)
		g_string_append(out, "0.00  [  0.0%]");
	else
		g_string_append_c(out, '-');
}

const struct field field_ipc_lbr = {
	.name = "ipc_lbr",
	.header = "IPC   [IPC Coverage]",
	.family = FIELD_BRANCH,
	.needs = NEED_BRANCH | NEED_SYMBOL,
	.take = take_sample,
	.key = key_ipc,
	.order = order_functions,
	.print = print_ipc,
};
