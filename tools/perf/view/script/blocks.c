// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Branch stacks have the newest entry first. From entries (from, to) B2, B1, B0 follows that the program executed:
 *
 *	B2.from		the oldest branch: the code before it is not known
 *	B2.to .. B1.from	one block: straight code that ends in a branch
 *	B1.to .. B0.from
 *	B0.to .. ip		up to the sample
 *
 * The output has upstream's format (perf-script(1), 7.x), because scripts parse it.
 */
#include "view/script/blocks.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "dso/dso.h"
#include "insn/insn.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "resolve/place.h"
#include "view/script/columns.h"

#define MAX_BLOCK    16384u /* bytes; in a longer block, branches are missing from the record */
#define MAX_INSN     15u
#define BEFORE_FLAGS 30	  /* columns of a branch instruction, before its flags */
#define SEARCH	     128u /* bytes after the last branch's target, if ip is below it */

struct block_printer {
	struct insn_decoder *decoder;
	u64 wanted;
	const struct dso *named; /* the symbol printed last belongs to it */
	const struct symbol *symbol;
	u64 cycles;
	GString *out;
};

/* The code at @va, in the same file as @base. */
static const u8 *code_at(struct insn_decoder *decoder, const struct code *base, u64 va,
			 size_t *left)
{
	u64 vaddr = base->vaddr + (va - base->va);

	*left = 0;
	return base->dso ? dso_listed_code(base->dso, decoder, vaddr, left) : NULL;
}

static bool same_mode(u64 a, u64 b)
{
	return ((s64)a < 0) == ((s64)b < 0);
}

static void print_symbol_above(struct block_printer *b, const struct code *base, u64 va)
{
	u64 vaddr = base->vaddr + (va - base->va);
	const struct symbol *symbol;

	if (b->symbol && b->named == base->dso && vaddr >= b->symbol->start &&
	    vaddr < b->symbol->end)
		return;
	symbol = base->dso ? dso_find_symbol(base->dso, vaddr) : NULL;
	if (!symbol)
		return;
	b->named = base->dso;
	b->symbol = symbol;
	g_string_append_printf(b->out, "\t%s", dso_symbol_name(base->dso, symbol));
	if (vaddr != symbol->start)
		g_string_append_printf(b->out, "+%" PRIu64, vaddr - symbol->start);
	g_string_append(b->out, ":\n");
}

/* Prints the instruction's text: "callq walk+0x10 [0x401010]". Targets have names. */
static void print_text(const struct block_printer *b, const struct code *base, const u8 *code,
		       size_t left, u64 va)
{
	char mnemonic[32], operands[192];
	struct insn insn;
	const struct symbol *to = NULL;
	u64 vaddr = 0;

	insn_text(b->decoder, code, left, va, mnemonic, operands);
	if (insn_decode(b->decoder, code, left, va, &insn) && insn.target) {
		vaddr = base->vaddr + (insn.target - base->va);
		to = dso_find_symbol(base->dso, vaddr);
	}
	if (to)
		g_string_append_printf(b->out, "%s %s+0x%" PRIx64 " [0x%" PRIx64 "]", mnemonic,
				       dso_symbol_name(base->dso, to), vaddr - to->start,
				       insn.target);
	else
		g_string_append_printf(b->out, "%s %s", mnemonic, operands);
}

/* Prints the instruction at @va, padded to @width. Returns its size; 0: there is no valid instruction. */
static u8 print_insn(struct block_printer *b, const struct code *base, const u8 *code, size_t left,
		     u64 va, gsize width)
{
	gsize start;
	struct insn insn;
	bool known = insn_decode(b->decoder, code, left, va, &insn);

	g_string_append_printf(b->out, "\t%016" PRIx64 "\t", va);
	start = b->out->len;
	if (!known) {
		g_string_append(b->out, "<bad>");
	} else if (b->wanted & COLUMN_BIT(COLUMN_BRSTACKDISASM)) {
		print_text(b, base, code, left, va);
	} else {
		g_string_append(b->out, "insn: ");
		for (u8 i = 0; i < insn.size; i++)
			g_string_append_printf(b->out, "%02x ", code[i]);
	}
	while (b->out->len - start < width)
		g_string_append_c(b->out, ' ');
	return known ? insn.size : 0;
}

static void print_plain(struct block_printer *b, const struct code *base, const u8 *code,
			size_t left, u64 va, u8 *size)
{
	*size = print_insn(b, base, code, left, va, 0);
	if (b->wanted & COLUMN_BIT(COLUMN_BRSTACKINSNLEN))
		g_string_append_printf(b->out, "\tilen: %u", *size);
	g_string_append_c(b->out, '\n');
}

/* Prints a branch instruction with the flags of its entry. @nr: instructions of the block up to it. */
static void print_jump(struct block_printer *b, const struct code *base, const u8 *code,
		       size_t left, u64 va, const struct perf_branch_entry *entry, u32 nr)
{
	u8 size = print_insn(b, base, code, left, va, BEFORE_FLAGS);
	u32 cycles = entry->cycles;

	g_string_append_c(b->out, '\t');
	if (b->wanted & COLUMN_BIT(COLUMN_BRSTACKINSNLEN))
		g_string_append_printf(b->out, "ilen: %u\t", size);
	g_string_append_printf(b->out, "#%s%s%s%s", entry->predicted ? " PRED" : "",
			       entry->mispred ? " MISPRED" : "", entry->in_tx ? " INTX" : "",
			       entry->abort ? " ABORT" : "");
	if (cycles) {
		b->cycles += cycles;
		g_string_append_printf(b->out, " %u cycles [%" PRIu64 "]", cycles, b->cycles);
		if (nr)
			g_string_append_printf(b->out, " %.2f IPC", (float)nr / (float)cycles);
	}
	g_string_append_c(b->out, '\n');
}

/* The bytes from @from to the end of the instruction at @end; NULL: not readable, or not one block. */
static const u8 *block_code(struct insn_decoder *decoder, const struct code *from, u64 end,
			    size_t *left)
{
	const u8 *code;

	if (!from->va || !end || end - from->va > MAX_BLOCK - MAX_INSN)
		return NULL;
	code = code_at(decoder, from, from->va, left);
	*left = MIN(*left, end - from->va + MAX_INSN);
	return *left ? code : NULL;
}

/* Prints the block from the target of one branch to the source of the next, @entry. */
static void print_block(struct block_printer *b, const struct code *from, u64 end,
			const struct perf_branch_entry *entry)
{
	size_t left, off = 0;
	const u8 *code = block_code(b->decoder, from, end, &left);
	u32 nr = 0;
	u8 size;

	if (!code)
		return;
	while (off < left) {
		u64 va = from->va + off;

		print_symbol_above(b, from, va);
		nr++;
		if (va == end) {
			print_jump(b, from, code + off, left - off, va, entry, nr);
			break;
		}
		print_plain(b, from, code + off, left - off, va, &size);
		if (!size)
			break;
		off += size;
	}
	if (off != end - from->va)
		g_string_append(b->out, "\tmismatch of LBR data and executable\n");
}

/* Does it always branch? Then the block ends here: the branch was not recorded. */
static bool always_leaves(struct insn_decoder *decoder, const u8 *code, size_t left, u64 va)
{
	struct insn insn;

	return insn_decode(decoder, code, left, va, &insn) &&
	       (insn.flow == INSN_JUMP || insn.flow == INSN_CALL || insn.flow == INSN_RET ||
		insn.op == INSN_SYSCALL);
}

static void print_last_block(struct block_printer *b, const struct place *place)
{
	const struct code *from = place->branches[0].to;
	u64 ip = place->ip->va, end = ip < from->va ? from->va + SEARCH : ip;
	u64 types = place->evsel->attr.branch_sample_type;
	size_t left;
	const u8 *code = same_mode(from->va, end) ? block_code(b->decoder, from, end, &left) : NULL;
	u8 size;

	print_symbol_above(b, from, from->va);
	if (!code) {
		code = code_at(b->decoder, place->ip, ip, &left);
		if (code && left)
			print_plain(b, place->ip, code, left, ip, &size);
		return;
	}
	for (size_t off = 0; off <= end - from->va && off < left; off += size) {
		u64 va = from->va + off;

		print_plain(b, from, code + off, left - off, va, &size);
		if (!size)
			return;
		if ((!types || types & PERF_SAMPLE_BRANCH_ANY) && va != ip &&
		    always_leaves(b->decoder, code + off, left - off, va)) {
			g_string_append(b->out, "\t... not reaching sample ...\n");
			return;
		}
	}
}

void script_print_blocks(struct insn_decoder *decoder, const struct place *place, u64 wanted,
			 u32 max_blocks, GString *out)
{
	struct block_printer b = { .decoder = decoder, .wanted = wanted, .out = out };
	u32 nr = place->nr_branches;
	const struct branch *oldest;
	const u8 *code;
	size_t left;

	if (!nr)
		return;
	if (max_blocks && nr - 1 > max_blocks)
		nr = max_blocks + 1;
	g_string_append_c(out, '\n');
	oldest = &place->branches[nr - 1];
	code = block_code(decoder, oldest->from, oldest->from->va, &left);
	if (code) {
		print_symbol_above(&b, oldest->from, oldest->from->va);
		print_jump(&b, oldest->from, code, left, oldest->from->va, oldest->entry, 0);
	}
	for (u32 i = nr - 1; i-- > 0;) {
		const struct code *from = place->branches[i + 1].to;

		/* Processors may not record the branch into the kernel. Then the next branch ends the block. */
		if (i && !same_mode(from->va, place->branches[i].from->va))
			i--;
		if (same_mode(from->va, place->branches[i].from->va))
			print_block(&b, from, place->branches[i].from->va,
				    place->branches[i].entry);
	}
	if (place->branches[0].from->va != place->ip->va && !place->branches[0].entry->abort)
		print_last_block(&b, place);
}
