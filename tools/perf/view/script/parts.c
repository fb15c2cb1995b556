// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/script/parts.h"

#include <inttypes.h>

#include "base/append.h"
#include "base/digits.h"
#include "dso/dso.h"
#include "dso/dsos.h"
#include "perfdata/regs.h"
#include "view/script/columns.h"

void script_print_misc(u32 type, u16 misc, GString *out)
{
	static const char modes[] = { [PERF_RECORD_MISC_KERNEL] = 'K',
				      [PERF_RECORD_MISC_USER] = 'U',
				      [PERF_RECORD_MISC_HYPERVISOR] = 'H',
				      [PERF_RECORD_MISC_GUEST_KERNEL] = 'G',
				      [PERF_RECORD_MISC_GUEST_USER] = 'g' };
	u32 mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	char text[8];
	u32 n = 0;

	if (mode < sizeof(modes) && modes[mode])
		text[n++] = modes[mode];
	switch (type) {
	case PERF_RECORD_SAMPLE:
		if (misc & PERF_RECORD_MISC_EXACT_IP)
			text[n++] = 'E';
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (misc & PERF_MISC_MMAP_DATA)
			text[n++] = 'M';
		break;
	case PERF_RECORD_COMM:
		if (misc & PERF_MISC_COMM_EXEC)
			text[n++] = 'E';
		break;
	case PERF_RECORD_FORK:
		if (misc & PERF_MISC_FORK_EXEC)
			text[n++] = 'F';
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (misc & PERF_MISC_SWITCH_OUT)
			text[n++] = 'S';
		if (misc & PERF_MISC_SWITCH_OUT_PREEMPT)
			text[n++] = 'p';
		break;
	}
	text[n] = 0;
	g_string_append_printf(out, "%-5s ", text);
}

static u64 symbol_offset(const struct code *code)
{
	return code->vaddr - code->symbol->start;
}

static void print_symbol(const struct code *code, bool offset, GString *out)
{
	if (!code->symbol || !code->dso) {
		append_text(out, "[unknown]");
		return;
	}
	append_text(out, code->inlined ?: dso_symbol_name(code->dso, code->symbol));
	if (offset) {
		append_text(out, "+0x");
		digits_hex(out, symbol_offset(code), 0);
	}
}

static const char *name_of(const struct code *code, bool kernel_path)
{
	const char *path = NULL;

	if (!code->dso)
		return "[unknown]";
	if (kernel_path && dso_kind(code->dso) == DSO_KERNEL)
		path = dso_file(code->dso);
	return path ?: dso_long_name(code->dso);
}

static void print_dso(const struct code *code, bool offset, u64 wanted, GString *out)
{
	u64 foff;

	append_text(out, " (");
	append_text(out, name_of(code, wanted & WANT_KERNEL_PATH));
	if (offset && code->dso && dso_kind(code->dso) == DSO_USER &&
	    dso_vaddr_to_foff(code->dso, code->vaddr, &foff))
		g_string_append_printf(out, "+0x%" PRIx64, foff);
	append_char(out, ')');
}

/* " place+0x40": the name depends only on the function, so it is cached; the offset is not. */
static void print_function(struct memo *memo, const struct code *code, bool offset, GString *out)
{
	size_t start = out->len;

	if (!code->symbol || !code->dso || !code->function) {
		append_char(out, ' ');
		print_symbol(code, offset, out);
		return;
	}
	if (!memo_put_numbered(memo, code->function, offset, out)) {
		append_char(out, ' ');
		print_symbol(code, false, out);
		if (offset)
			append_text(out, "+0x");
		memo_keep_numbered(memo, code->function, offset, out, start);
	}
	if (offset)
		digits_hex(out, symbol_offset(code), 0);
}

static void print_object(struct memo *memo, const struct code *code, u64 wanted, GString *out)
{
	const struct memo_key key = { { (uintptr_t)code->dso, 0, 0, COLUMN_BIT(COLUMN_DSO) } };
	size_t start = out->len;

	if (memo_put(memo, &key, out))
		return;
	print_dso(code, false, wanted, out);
	memo_keep(memo, &key, out, start);
}

void script_print_code(struct memo *memo, const struct code *code, u64 wanted, GString *out)
{
	digits_hex(out, code->va, 16);
	if (wanted & COLUMN_BIT(COLUMN_SYM))
		print_function(memo, code, wanted & COLUMN_BIT(COLUMN_SYMOFF), out);
	if (code->inlined)
		return;
	if (wanted & COLUMN_BIT(COLUMN_DSOFF))
		print_dso(code, true, wanted, out);
	else if (wanted & COLUMN_BIT(COLUMN_DSO))
		print_object(memo, code, wanted, out);
}

/* Does the event have data addresses, in objects with names? */
static bool address_has_symbol(const struct evsel *evsel)
{
	u64 config = evsel->attr.config;

	return evsel->attr.type == PERF_TYPE_BREAKPOINT ||
	       (evsel->attr.type == PERF_TYPE_SOFTWARE &&
		(config == PERF_COUNT_SW_PAGE_FAULTS || config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		 config == PERF_COUNT_SW_PAGE_FAULTS_MAJ));
}

void script_print_addr(struct memo *memo, const struct place *place, u64 wanted, GString *out)
{
	if (place->addr && address_has_symbol(place->evsel))
		script_print_code(memo, place->addr, wanted, out);
	else
		g_string_append_printf(out, "%16" PRIx64, place->sample->addr);
}

/* From linux/perf_event.h. */
static void print_mem_op(u64 bits, GString *out)
{
	static const char *const names[] = { NULL, "LOAD", "STORE", "PFETCH", "EXEC" };
	u32 nr = 0;

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (bits >> i & 1 && names[i])
			g_string_append_printf(out, "%s%s", nr++ ? " or " : "", names[i]);
	if (!nr)
		g_string_append(out, "N/A");
}

void script_print_data_src(struct lexicon *lexicon, const struct place *place, GString *out)
{
	/* Each part has the text of the report's column with that name. */
	static const struct {
		const char *title, *field;
	} parts[] = {
		{ "LVL", "mem" },    { "SNP", "snoop" },   { "TLB", "tlb" },
		{ "LCK", "locked" }, { "BLK", "blocked" },
	};
	union perf_mem_data_src src = { .val = place->sample->data_src };

	g_string_append_printf(out, "%16" PRIx64 " |OP ", (u64)src.val);
	print_mem_op(src.mem_op, out);
	for (u32 i = 0; i < ARRAY_SIZE(parts); i++) {
		const struct field *field = fields_find(parts[i].field, FIELD_MEMORY, NULL);

		g_string_append_printf(out, "|%s ", parts[i].title);
		field_print(field, lexicon, field->key(field, lexicon, place), out);
	}
}

void script_print_regs(const struct sample_regs *regs, GString *out)
{
	u32 n = 0;

	if (!regs->regs)
		return;
	g_string_append_printf(out, " ABI:%" PRIu64 " ", regs->abi);
	for (u32 bit = 0; bit < 64; bit++) {
		if (!(regs->mask >> bit & 1))
			continue;
		if (regs_name(bit))
			g_string_append_printf(out, "%5s:", regs_name(bit));
		else
			g_string_append_printf(out, " XMM%u:", (bit - 32) / 2);
		g_string_append_printf(out, "0x%" PRIx64 " ", regs->regs[n++]);
	}
}

static void print_branch_flags(const struct perf_branch_entry *entry, GString *out)
{
	static const char *const types[] = { "",	 "COND", "UNCOND",  "IND",    "CALL",
					     "IND_CALL", "RET",	 "SYSCALL", "SYSRET", "COND_CALL",
					     "COND_RET", "ERET", "IRQ",	    "SERROR", "NO_TX" };
	static const char *const specs[] = { "-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
					     "SPEC_CORRECT_PATH" };
	u32 spec = entry->spec;
	char predicted = entry->mispred ? 'M' : entry->predicted ? 'P' : '-';

	g_string_append_printf(out, "/%c/%c/%c/%u/%s/%s ", predicted, entry->in_tx ? 'X' : '-',
			       entry->abort ? 'A' : '-', (u32)entry->cycles,
			       entry->type < ARRAY_SIZE(types) ? types[entry->type] : "",
			       specs[spec]);
}

static void print_branch_end(const struct code *code, u64 wanted, bool symbols, bool offsets,
			     GString *out)
{
	u64 foff;

	if (symbols)
		print_symbol(code, true, out);
	else if (offsets && code->dso && dso_vaddr_to_foff(code->dso, code->vaddr, &foff))
		g_string_append_printf(out, "0x%" PRIx64, foff);
	else
		g_string_append_printf(out, "0x%" PRIx64, code->va);
	if (wanted & COLUMN_BIT(COLUMN_DSO) && !(wanted & COLUMN_BIT(COLUMN_IP)))
		print_dso(code, false, wanted, out);
}

static void print_branch_form(const struct place *place, u64 wanted, bool symbols, bool offsets,
			      GString *out)
{
	for (u32 i = 0; i < place->nr_branches; i++) {
		const struct branch *branch = &place->branches[i];

		g_string_append_c(out, ' ');
		print_branch_end(branch->from, wanted, symbols, offsets, out);
		g_string_append_c(out, '/');
		print_branch_end(branch->to, wanted, symbols, offsets, out);
		print_branch_flags(branch->entry, out);
	}
}

void script_print_branches(const struct place *place, u64 wanted, GString *out)
{
	if (wanted & COLUMN_BIT(COLUMN_BRSTACK))
		print_branch_form(place, wanted, false, false, out);
	if (wanted & COLUMN_BIT(COLUMN_BRSTACKSYM))
		print_branch_form(place, wanted, true, false, out);
	if (wanted & COLUMN_BIT(COLUMN_BRSTACKOFF))
		print_branch_form(place, wanted, false, true, out);
}

void script_print_bytes(const void *bytes, u32 size, GString *out)
{
	const u8 *at = bytes;

	for (u32 line = 0; line < size; line += 8) {
		u32 n = MIN(8, size - line);

		g_string_append_printf(out, "\n%17s %04x: ", line ? "" : "BPF output:", line);
		for (u32 i = 0; i < 8; i++) {
			if (i < n)
				g_string_append_printf(out, "%02x ", at[line + i]);
			else
				g_string_append(out, "   ");
		}
		g_string_append_c(out, ' ');
		for (u32 i = 0; i < n; i++)
			g_string_append_c(out, g_ascii_isprint(at[line + i]) ? at[line + i] : '.');
	}
}

static const u8 *code_bytes(struct insn_decoder *decoder, const struct code *code, size_t *left)
{
	const u8 *bytes;

	*left = 0;
	bytes = code->dso ? dso_listed_code(code->dso, decoder, code->vaddr, left) : NULL;
	return *left ? bytes : NULL;
}

u8 script_insn_size(struct insn_decoder *decoder, const struct code *code)
{
	char mnemonic[32], operands[192];
	size_t left;
	const u8 *bytes = code_bytes(decoder, code, &left);

	return bytes ? insn_text(decoder, bytes, left, code->vaddr, mnemonic, operands) : 0;
}

void script_print_insn(struct insn_decoder *decoder, const struct code *code, u64 wanted,
		       GString *out)
{
	size_t left;
	const u8 *bytes = code_bytes(decoder, code, &left);
	char mnemonic[32], operands[192];
	u8 size;

	if (!bytes)
		return;
	size = insn_text(decoder, bytes, left, code->vaddr, mnemonic, operands);
	if (wanted & COLUMN_BIT(COLUMN_INSNLEN))
		g_string_append_printf(out, " ilen: %u", size);
	if (wanted & COLUMN_BIT(COLUMN_INSN)) {
		g_string_append(out, " insn:");
		for (u8 i = 0; i < size; i++)
			g_string_append_printf(out, " %02x", bytes[i]);
	}
	if (wanted & COLUMN_BIT(COLUMN_DISASM))
		g_string_append_printf(out, "\t\t%s %s", mnemonic, operands);
}

void script_print_page_size(u64 bytes, GString *out)
{
	static const char units[] = " KMGT";
	u32 unit = 0;

	for (; unit < 4 && bytes >= 1024 && bytes % 1024 == 0; unit++)
		bytes /= 1024;
	if (!bytes)
		g_string_append(out, " N/A");
	else if (!unit)
		g_string_append_printf(out, " %" PRIu64, bytes);
	else
		g_string_append_printf(out, " %" PRIu64 "%c", bytes, units[unit]);
}

void script_print_tls(const struct sample_bytes *tls, GString *out)
{
	const u8 *bytes = tls->data;

	g_string_append_printf(out, " tls:%" PRIu64 "/%" PRIu64 " ", tls->dyn_size, tls->size);
	for (u64 i = 0; i < tls->size; i++)
		g_string_append_printf(out, "%02x", bytes[i]);
}
