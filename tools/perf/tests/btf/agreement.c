// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How often do the types by a kernel's BTF agree with those by its DWARF?
 *
 *   agreement [-n NUMBER] [-s SEED] [-l] VMLINUX BARE [MODULE BARE-MODULE]
 *
 * VMLINUX is a kernel with debug information and BTF; BARE is a copy without debug information. The same of a module, of
 * which the instructions are then. Asks for the type at NUMBER
 * (4000) random instructions of .text that access memory, by each of the files, and compares the answers:
 *
 *   equal	the same type and offset
 *   around	the same byte, seen from the structure or from a member: struct page +8 (lru), struct list_head +0;
 *		or a pointer to a structure, and one to its first member
 *   number	the same number by another name: u64 and unsigned long
 *   any	the same type, one of them without a member: struct page (one of several)
 *   other	a contradiction
 *
 * The first three count as "agree". Then one line for each source of BTF's answers, and what DWARF alone gives a type, by
 * the reason why BTF does not. -l lists all that are not equal.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dso/dsos.h"
#include "insn/insn.h"
#include "typeflow/layout/layout.h"
#include "typeflow/typeflow.h"

#define MAX_DEPTH 12

enum verdict { EQUAL, AROUND, NUMBER, ANY, OTHER, NR_VERDICTS };
static const char *const verdicts[] = { "equal", "around", "number", "any", "other" };

enum operand { REGISTER, INDEXED, STACK, PERCPU, STATIC, NR_OPERANDS };
static const char *const operands[] = { "register", "indexed", "%rsp", "per-cpu", "static" };

/* A kernel with one of the two files. */
struct side {
	struct dsos *dsos;
	struct dso *dso;
	struct typeflow *flow;
};

struct counts {
	u32 asked, dwarf, btf, both;
	u32 verdicts[NR_VERDICTS];
	u32 by_how[NR_ACCESS_HOW][NR_VERDICTS];
	u32 lost[NR_OPERANDS][NR_ACCESS_WHY], pseudo[NR_OPERANDS], operands[NR_OPERANDS];
};

/* Does @outer have at @at a part that is called as @inner is? */
static bool has_part(const struct type *outer, s64 at, const struct type *inner, u32 depth)
{
	const struct member *m;
	u32 next = 0;

	outer = type_strip(outer);
	inner = type_strip(inner);
	if (at < 0 || depth > MAX_DEPTH)
		return false;
	if (!at && !strcmp(type_shown_name(outer), type_shown_name(inner)))
		return true;
	if (outer->kind == TYPE_ARRAY && type_target(outer)->size)
		return has_part(type_target(outer), at % (s64)type_target(outer)->size, inner,
				depth + 1);
	if (!type_is_compound(outer))
		return false;
	while ((m = type_member_at(outer, (u64)at, &next)))
		if (has_part(m->type, at - (s64)m->offset, inner, depth + 1))
			return true;
	return false;
}

/* The number of the access's width; NULL: none or several. */
static const struct type *number_of(const struct access *access)
{
	const struct type *leaf;
	bool ambiguous = false;

	if (access->offset < 0)
		return NULL;
	leaf = layout_content(access->type, (u64)access->offset, access->width, &ambiguous);
	leaf = leaf && !ambiguous ? type_strip(leaf) : NULL;
	return leaf && (leaf->kind == TYPE_BASE || leaf->kind == TYPE_ENUM) ? leaf : NULL;
}

static enum verdict compare(const struct access *dwarf, const struct access *btf)
{
	const struct type *a = type_strip(dwarf->type), *b = type_strip(btf->type);
	const struct type *m, *n;

	if (dwarf->offset == btf->offset &&
	    (!strcmp(type_shown_name(a), type_shown_name(b)) ||
	     !strcmp(type_shown_name(dwarf->type), type_shown_name(btf->type))))
		return EQUAL;
	if (dwarf->offset == TYPE_OFFSET_ANY || btf->offset == TYPE_OFFSET_ANY)
		return strcmp(type_shown_name(a), type_shown_name(b)) ? OTHER : ANY;
	if (has_part(a, dwarf->offset - btf->offset, b, 0) ||
	    has_part(b, btf->offset - dwarf->offset, a, 0))
		return AROUND;
	if (a->kind == TYPE_POINTER && b->kind == TYPE_POINTER &&
	    (has_part(type_target(a), 0, type_target(b), 0) ||
	     has_part(type_target(b), 0, type_target(a), 0)))
		return AROUND;
	m = number_of(dwarf);
	n = number_of(btf);
	return m && n && m == type_strip(dwarf->type) && n == type_strip(btf->type) ? NUMBER
										    : OTHER;
}

static enum operand operand_of(const struct insn *insn)
{
	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];

		if (op->kind != INSN_MEM || !op->access)
			continue;
		if (op->mem.segment == INSN_SEG_GS)
			return PERCPU;
		if (op->mem.base == X86_RSP)
			return STACK;
		if (op->relative || (op->mem.base == INSN_NO_REG && op->mem.index == INSN_NO_REG))
			return STATIC;
		return op->mem.index == INSN_NO_REG ? REGISTER : INDEXED;
	}
	return REGISTER;
}

static bool is_access(const struct insn *insn)
{
	if (insn->flow != INSN_NEXT || insn->op == INSN_NOP)
		return false;
	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].kind == INSN_MEM && insn->operands[i].access &&
		    !insn->operands[i].implicit)
			return true;
	return false;
}

static void list(const struct access *dwarf, const struct access *btf, u64 vaddr, const char *what,
		 struct side *sides)
{
	const struct symbol *symbol = dso_find_symbol(sides[0].dso, vaddr);
	const struct access *both[] = { dwarf, btf };

	printf("%lx\t%s\t%s", (unsigned long)vaddr, symbol ? symbol->raw : "?", what);
	for (u32 i = 0; i < 2; i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		struct type_use use = access_use(both[i]);

		if (both[i]->type)
			type_use_append(both[i]->type, type_shown_name(both[i]->type),
					both[i]->offset, &use, text);
		printf("\t%s\t%s",
		       both[i]->how ? access_how_word(both[i]->how) : access_why_word(both[i]->why),
		       text->str);
	}
	putchar('\n');
}

static void count(struct counts *c, const struct access *dwarf, const struct access *btf,
		  enum operand operand, enum verdict *verdict)
{
	c->asked++;
	c->dwarf += !!dwarf->type;
	c->btf += !!btf->type;
	c->operands[operand] += !!dwarf->type;
	if (dwarf->type && !btf->type) {
		c->lost[operand][btf->why]++;
		c->pseudo[operand] += !!btf->how;
	}
	if (!dwarf->type || !btf->type)
		return;
	*verdict = compare(dwarf, btf);
	c->both++;
	c->verdicts[*verdict]++;
	c->by_how[btf->how][*verdict]++;
}

static void ask(struct side *sides, struct insn_decoder *decoder, const GArray *at,
		struct counts *c, bool lists)
{
	for (u32 s = 0; s < 2; s++) {
		for (u32 i = 0; i < at->len; i++)
			typeflow_expect(sides[s].flow, sides[s].dso, g_array_index(at, u64, i),
					false, 1);
		typeflow_prepare(sides[s].flow, 1, 0);
	}
	for (u32 i = 0; i < at->len; i++) {
		u64 vaddr = g_array_index(at, u64, i);
		enum verdict verdict = NR_VERDICTS;
		struct access found[2];
		struct insn insn;
		size_t left;
		const u8 *code = dso_code(sides[0].dso, vaddr, &left);

		if (!code || !insn_decode(decoder, code, left, vaddr, &insn))
			continue;
		for (u32 s = 0; s < 2; s++)
			typeflow_lookup(sides[s].flow, sides[s].dso, vaddr, &found[s]);
		count(c, &found[0], &found[1], operand_of(&insn), &verdict);
		if (lists && verdict != EQUAL)
			list(&found[0], &found[1], vaddr,
			     verdict < NR_VERDICTS ? verdicts[verdict]
			     : found[0].type	   ? "lost"
			     : found[1].type	   ? "more"
						   : "none",
			     sides);
	}
}

/* Replaces @at by a random part of it, in order. */
static void draw(GArray *at, u32 number, u64 seed)
{
	u32 kept = 0, nr = at->len;

	for (u32 i = 0; i < nr && kept < number; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		if ((seed >> 33) % (nr - i) < number - kept)
			g_array_index(at, u64, kept++) = g_array_index(at, u64, i);
	}
	g_array_set_size(at, kept);
}

static GArray *accesses_of(struct dso *dso, struct insn_decoder *decoder)
{
	const struct symbol *start = dso_symbol_named(dso, "_stext");
	const struct symbol *end = dso_symbol_named(dso, "_etext");
	GArray *at = g_array_new(false, false, sizeof(u64));

	for (u32 id = 0; id < dso_nr_symbols(dso); id++) {
		const struct symbol *s = dso_symbol(dso, id);
		size_t left;
		const u8 *code = dso_code(dso, s->start, &left);
		struct insn insn;

		if (s->type != STT_FUNC || !code ||
		    (start && end && (s->start < start->start || s->end > end->start)))
			continue;
		for (u64 va = s->start; va < s->end && left; va += insn.size) {
			bool known = insn_decode(decoder, code, left, va, &insn);

			if (known && is_access(&insn))
				g_array_append_val(at, va);
			insn.size = MAX(insn.size, 1);
			code += insn.size;
			left -= MIN(left, insn.size);
		}
	}
	return at;
}

static u32 agreeing(const u32 *of)
{
	return of[EQUAL] + of[AROUND] + of[NUMBER];
}

static void print_share(const char *what, u32 part, u32 whole)
{
	printf("%-10s %6u  %.1f %%\n", what, part, whole ? 100.0 * part / whole : 0);
}

static void print(const struct counts *c)
{
	print_share("DWARF", c->dwarf, c->asked);
	print_share("BTF", c->btf, c->asked);
	print_share("agree", agreeing(c->verdicts), c->both);
	for (u32 v = 0; v < NR_VERDICTS; v++)
		print_share(verdicts[v], c->verdicts[v], c->both);
	printf("\nsource     agree  others\n");
	for (u32 h = 0; h < NR_ACCESS_HOW; h++)
		if (agreeing(c->by_how[h]) + c->by_how[h][ANY] + c->by_how[h][OTHER])
			printf("%-10s %5u  %u\n", access_how_word(h), agreeing(c->by_how[h]),
			       c->by_how[h][OTHER]);
	printf("\noperand    lost\n");
	for (u32 o = 0; o < NR_OPERANDS; o++) {
		u32 lost = 0;

		for (u32 w = 0; w < NR_ACCESS_WHY; w++)
			lost += c->lost[o][w];
		printf("%-10s %5u of %u:", operands[o], lost, c->operands[o]);
		for (u32 w = 0; w < NR_ACCESS_WHY; w++)
			if (c->lost[o][w] > lost / 20)
				printf(" %s %u", w ? access_why_word(w) : "pseudo", c->lost[o][w]);
		putchar('\n');
	}
}

/* @module: NULL for the kernel itself. */
static void open_side(struct side *side, const char *vmlinux, const char *module)
{
	side->dsos = dsos_new(&(struct dso_options){ .vmlinux = vmlinux });
	side->dso = dsos_get(side->dsos, "[kernel.kallsyms]", NULL, 0, DSO_KERNEL);
	if (module)
		side->dso = dsos_get(side->dsos, module, NULL, 0, DSO_MODULE);
	side->flow = typeflow_new(FUSION_NONE, NULL);
}

int main(int argc, char **argv)
{
	struct side sides[2];
	struct counts counts = { 0 };
	struct insn_decoder *decoder;
	bool lists = false;
	u32 number = 4000;
	u64 seed = 1;
	GArray *at;
	int opt;

	while ((opt = getopt(argc, argv, "n:s:l")) != -1) {
		if (opt == '?')
			return 2;
		lists |= opt == 'l';
		if (opt == 'n')
			number = (u32)strtoul(optarg, NULL, 10);
		if (opt == 's')
			seed = strtoul(optarg, NULL, 10);
	}
	if (argc - optind != 2 && argc - optind != 4)
		return 2;
	for (int s = 0; s < 2; s++)
		open_side(&sides[s], argv[optind + s],
			  argc - optind == 4 ? argv[optind + 2 + s] : NULL);
	decoder = insn_decoder_new(INSN_X86_64, NULL);
	at = accesses_of(sides[1].dso, decoder);
	printf("%u of %u instructions\n", MIN(number, at->len), at->len);
	draw(at, number, seed);
	ask(sides, decoder, at, &counts, lists);
	print(&counts);
	g_array_unref(at);
	insn_decoder_free(decoder);
	for (u32 s = 0; s < 2; s++) {
		typeflow_free(sides[s].flow);
		dsos_free(sides[s].dsos);
	}
	return counts.both ? 0 : 1;
}
