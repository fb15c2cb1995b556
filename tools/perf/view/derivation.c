// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "dso/lines.h"
#include "view/derivation.h"

#define INSN_COLUMN 36 /* of a step's text; longer instructions push it on */

struct derivation {
	struct insn_decoder *decoder;
	struct dso *dso;
	FILE *out;
	const char *file; /* of the source line printed last */
	u32 line;
};

/* "mov    0x8(%rax),%rdx", or "" where there is no code. */
static void instruction_text(const struct derivation *d, u64 vaddr, char text[256])
{
	char mnemonic[32], operands[192];
	size_t left = 0;
	const u8 *code = dso_code(d->dso, vaddr, &left);

	*text = 0;
	if (!code || !left)
		return;
	insn_text(d->decoder, code, left, vaddr, mnemonic, operands);
	if (*operands)
		g_snprintf(text, 256, "%-6s %s", mnemonic, operands);
	else
		g_snprintf(text, 256, "%s", mnemonic);
}

/* " name.c:12" where the line is another one than that of the step before. */
static void print_source(struct derivation *d, u64 vaddr)
{
	const char *file, *name;
	u32 line;

	if (!dso_line(d->dso, vaddr, &file, &line) || !line || (d->file == file && d->line == line))
		return;
	d->file = file;
	d->line = line;
	name = strrchr(file, '/');
	fprintf(d->out, "  %s:%" PRIu32 "\n", name ? name + 1 : file, line);
}

static void print_step(void *data, u64 vaddr, const char *text)
{
	struct derivation *d = data;
	char insn[256];

	print_source(d, vaddr);
	instruction_text(d, vaddr, insn);
	fprintf(d->out, "    %8" PRIx64 ":  %-*s  %s\n", vaddr, INSN_COLUMN, insn, text);
}

static void print_title(const struct derivation *d, u64 vaddr)
{
	const struct symbol *symbol = dso_find_symbol(d->dso, vaddr);
	char insn[256];

	if (symbol)
		fprintf(d->out, "%s+0x%" PRIx64, dso_symbol_name(d->dso, symbol),
			vaddr - symbol->start);
	else
		fprintf(d->out, "0x%" PRIx64, vaddr);
	instruction_text(d, vaddr, insn);
	fprintf(d->out, " in %s\n  %" PRIx64 ":  %s\n", dso_short_name(d->dso), vaddr, insn);
}

/* Why the whole object has no answers. */
static void print_absence(const struct derivation *d)
{
	struct dso_absence absence = dso_no_debug_info(d->dso);

	if (absence.why != DSO_PRESENT)
		fprintf(d->out, "  %s\n", absence.text);
}

void derivation_print(struct typeflow *types, struct insn_decoder *decoder, struct dso *dso,
		      u64 vaddr, bool skid, FILE *out)
{
	struct derivation d = { .decoder = decoder, .dso = dso, .out = out };
	struct explain_sink sink = { print_step, &d };
	struct access access;

	print_title(&d, vaddr);
	typeflow_explain(types, dso, vaddr, &sink);
	typeflow_lookup(types, dso, vaddr, &access);
	if (access.why == ACCESS_NO_DEBUGINFO)
		print_absence(&d);
	if (skid && access.why == ACCESS_NO_MEMORY && access.back) {
		fprintf(out, "  --skid: samples are charged to the access just before:\n");
		typeflow_explain(types, dso, vaddr - access.back, &sink);
	} else if (skid && access.why == ACCESS_NO_MEMORY) {
		fprintf(out, "  --skid: no access is the only one that leads here\n");
	}
	fputc('\n', out);
}
