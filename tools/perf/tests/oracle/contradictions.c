// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers that contradict their own instruction. No truth is needed for that, so any program with debug information
 * will do:
 *
 *   contradictions [-l] [-f FUNCTIONS] PROGRAM...
 *
 * One line for each program: how many instructions access memory and have a type, and how many of these are
 *
 *   wide     wider than the whole type: mov 0x10(%rdi),%rax as an access to an enum, or over a structure's end
 *   float    arithmetic of floating-point numbers with an integer or pointer, or the reverse
 *   pointer  less than 8 bytes of a member that is a pointer
 *
 * and how many of the contradictions have rank "variable". Some are true: a program may look at the low half of a pointer.
 * -f asks only that many functions, evenly spread. -l lists the contradictions, -a all answers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elf.h>

#include "dso/dsos.h"
#include "insn/insn.h"
#include "typeflow/layout/layout.h"
#include "typeflow/typeflow.h"

enum contradiction { WIDE, FLOATING, POINTER, NR_CONTRADICTIONS };
static const char *const names[] = { "wide", "float", "pointer" };

struct walk {
	struct dso *dso;
	struct typeflow *flow;
	struct insn_decoder *decoder;
	bool list, list_all;
	u64 accesses, typed, variable;
	u64 found[NR_CONTRADICTIONS];
};

/* Arithmetic with one number in memory: 'f' of floating-point numbers, 'i' of integers, 0: neither. */
static char arithmetic_of(const char *mnemonic)
{
	static const char *const floating[] = { "add",	  "sub",     "mul",    "div",  "min",
						"max",	  "sqrt",    "ucomi",  "comi", "cvtsd2",
						"cvtss2", "cvttsd2", "cvttss2" };
	static const char *const integer[] = { "add", "sub", "imul", "inc", "dec", "cvtsi2s" };
	const char *name = mnemonic[0] == 'v' ? mnemonic + 1 : mnemonic;
	bool scalar = g_str_has_suffix(name, "sd") || g_str_has_suffix(name, "ss");

	for (u32 i = 0; i < ARRAY_SIZE(floating); i++)
		if (g_str_has_prefix(name, floating[i]) && (scalar || strchr(name, '2')))
			return 'f';
	for (u32 i = 0; i < ARRAY_SIZE(integer) && !scalar; i++)
		if (g_str_has_prefix(mnemonic, integer[i]) &&
		    strlen(mnemonic) <= strlen(integer[i]) + 2)
			return 'i';
	return 0;
}

/* The number or pointer of the access's width. NULL: unknown. */
static const struct type *leaf_of(const struct access *access)
{
	bool ambiguous;
	const struct type *leaf;

	if (access->offset < 0)
		return NULL;
	leaf = layout_leaf(access->type, (u64)access->offset);
	if (leaf && leaf->size == access->width)
		return leaf;
	leaf = layout_content(access->type, (u64)access->offset, access->width, &ambiguous);
	return ambiguous ? NULL : leaf;
}

static bool is_wide(const struct access *access)
{
	const struct type *type = type_strip(access->type);

	/* Vectors cover several elements of an array at once. */
	if (layout_ends_flexible(type) || !type->size || access->width > 8)
		return false;
	if (access->offset < 0)
		return access->width > type->size;
	return (type_is_compound(type) || type->kind == TYPE_ENUM) &&
	       (u64)access->offset + access->width > type->size;
}

static int contradiction_of(const struct access *access, const char *mnemonic)
{
	const struct type *leaf = leaf_of(access), *at;
	char arithmetic = arithmetic_of(mnemonic);

	if (is_wide(access))
		return WIDE;
	if (leaf && arithmetic && leaf->kind != TYPE_ARRAY &&
	    (arithmetic == 'f') != (leaf->kind == TYPE_BASE && leaf->encoding == TYPE_FLOAT))
		return FLOATING;
	at = access->offset < 0 ? NULL : layout_leaf(access->type, (u64)access->offset);
	if (at && at->kind == TYPE_POINTER && access->width < 8)
		return POINTER;
	return -1;
}

static void look_at(struct walk *w, u64 vaddr, const u8 *code, size_t left)
{
	char mnemonic[32], operands[192];
	struct access access;
	int found;

	if (!typeflow_lookup(w->flow, w->dso, vaddr, &access) || !access.width)
		return;
	if (!access.type)
		return;
	w->typed++;
	insn_text(w->decoder, code, left, vaddr, mnemonic, operands);
	found = g_str_has_prefix(mnemonic, "rep") ? -1 : contradiction_of(&access, mnemonic);
	if (found >= 0) {
		w->found[found]++;
		w->variable += access_rank(&access) == ACCESS_RANK_VARIABLE;
	}
	if (w->list_all || (w->list && found >= 0)) {
		g_autoptr(GString) place = g_string_new(NULL);
		struct type_use use = access_use(&access);

		type_use_append(access.type, type_shown_name(access.type), access.offset, &use,
				place);
		printf("%lx\t%s %s\t%s\t%s\t%s\n", (unsigned long)vaddr, mnemonic, operands,
		       found >= 0 ? names[found] : "-", access_how_word(access.how), place->str);
	}
}

static void look_at_function(struct walk *w, const struct symbol *symbol)
{
	size_t left;
	const u8 *code = dso_code(w->dso, symbol->start, &left);

	if (!code)
		return;
	for (u64 at = symbol->start; at < symbol->end && left;) {
		struct insn insn;

		if (insn_decode(w->decoder, code, left, at, &insn)) {
			bool memory = false;

			for (u32 i = 0; i < insn.nr_operands; i++)
				memory |= insn.operands[i].kind == INSN_MEM &&
					  insn.operands[i].access && !insn.operands[i].implicit;
			w->accesses += memory;
			if (memory)
				look_at(w, at, code, left);
		}
		code += insn.size;
		left -= insn.size;
		at += insn.size;
	}
}

static u32 nr_functions(struct dso *dso)
{
	u32 nr = 0;

	for (u32 i = 0; i < dso_nr_symbols(dso); i++)
		nr += dso_symbol(dso, i)->type == STT_FUNC;
	return nr;
}

static void look_at_program(struct walk *w, const char *path, u32 functions)
{
	u32 total = nr_functions(w->dso), n = 0;
	u32 every = functions && total > functions ? total / functions : 1;
	u64 all = 0;

	for (u32 i = 0; i < dso_nr_symbols(w->dso); i++) {
		const struct symbol *symbol = dso_symbol(w->dso, i);

		if (symbol->type == STT_FUNC && n++ % every == 0)
			look_at_function(w, symbol);
	}
	printf("%s accesses %lu typed %lu", path, (unsigned long)w->accesses,
	       (unsigned long)w->typed);
	for (u32 i = 0; i < NR_CONTRADICTIONS; i++) {
		printf(" %s %lu", names[i], (unsigned long)w->found[i]);
		all += w->found[i];
	}
	printf(" all %lu variable %lu\n", (unsigned long)all, (unsigned long)w->variable);
}

int main(int argc, char **argv)
{
	struct walk options = { 0 };
	u32 functions = 0;
	int opt;

	while ((opt = getopt(argc, argv, "alf:")) != -1) {
		if (opt == '?')
			return 2;
		options.list |= opt == 'l';
		options.list_all |= opt == 'a';
		if (opt == 'f')
			functions = (u32)strtoul(optarg, NULL, 10);
	}
	for (; optind < argc; optind++) {
		struct walk w = options;
		struct dsos *dsos = dsos_new(&(struct dso_options){ 0 });

		w.dso = dsos_get(dsos, argv[optind], NULL, 0, DSO_USER);
		w.flow = typeflow_new(FUSION_NONE, NULL);
		w.decoder = insn_decoder_new(INSN_X86_64, NULL);
		look_at_program(&w, argv[optind], functions);
		insn_decoder_free(w.decoder);
		typeflow_free(w.flow);
		dsos_free(dsos);
	}
	return 0;
}
