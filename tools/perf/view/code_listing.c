// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "cli/colour.h"
#include "dso/lines.h"
#include "view/code_listing.h"

#define MAX_SOURCE (64 << 20) /* bytes of a source file worth reading */

struct listing {
	const struct code_listing_options *options;
	const struct code_profile *profile;
	struct insn_decoder *decoder;
	GHashTable *sources; /* path -> char ** of lines; an empty one where it is unreadable */
	const char *file;    /* of the line printed last */
	u32 line;
	int width; /* of the value columns */
	FILE *out;
};

static int column_width(enum type_values values)
{
	return values == TYPE_PERIOD ? 12 : 8;
}

static bool shows(const struct code_listing_options *options, u32 event)
{
	return !options->empty || !options->empty[event];
}

static void print_title(struct listing *l)
{
	static const char *const titles[] = {
		[TYPE_PERCENT] = "Percent",
		[TYPE_PERIOD] = "Period",
		[TYPE_SAMPLES] = "Samples",
	};
	const struct code_listing_options *o = l->options;
	g_autofree char *rule = NULL;
	u64 samples = 0;
	int size;

	for (u32 i = o->first; i < o->first + o->nr; i++)
		samples += l->profile->total[i].samples;
	size = fprintf(l->out,
		       " %-*.*s|\tSource code & Disassembly of %s for %s (%" PRIu64
		       " samples, percent: local period)\n",
		       l->width, l->width, titles[o->values],
		       o->full_paths ? dso_long_name(l->profile->dso)
				     : dso_short_name(l->profile->dso),
		       o->event_name, samples);
	rule = g_strnfill((size_t)size + 4, '-');
	fprintf(l->out, "%s\n", rule);
}

static char **source_lines(struct listing *l, const char *path)
{
	char **lines = g_hash_table_lookup(l->sources, path);
	g_autofree char *text = NULL;

	if (lines)
		return lines;
	if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
		text = file_read(path, MAX_SOURCE, NULL, NULL);
	if (text)
		lines = g_strsplit(text, "\n", -1);
	else
		lines = g_new0(char *, 1);
	g_hash_table_insert(l->sources, g_strdup(path), lines);
	return lines;
}

/* The line of source that the instruction at @vaddr belongs to, where it is a new one. */
static void print_source(struct listing *l, u64 vaddr)
{
	const char *file, *text = NULL, *name;
	char **lines;
	u32 line;

	if (l->options->no_source || !dso_line(l->profile->dso, vaddr, &file, &line) || !line)
		return;
	if (line == l->line && l->file && !strcmp(file, l->file))
		return;
	l->file = file;
	l->line = line;
	lines = source_lines(l, file);
	if (line <= g_strv_length(lines))
		text = lines[line - 1];
	name = strrchr(file, '/');
	name = name && !l->options->full_paths ? name + 1 : file;
	while (text && g_ascii_isspace(*text))
		text++;
	if (l->options->print_lines)
		fprintf(l->out, " %*s: %s:%u\n", l->width, "", name, line);
	if (text)
		fprintf(l->out, " %*s: %-4u %s\n", l->width, "", line, text);
}

static void print_values(struct listing *l, u64 vaddr, u32 size)
{
	const struct code_listing_options *o = l->options;

	for (u32 i = o->first; i < o->first + o->nr; i++) {
		struct type_count value = code_profile_sum(l->profile, i, vaddr, size);
		u64 whole = l->profile->total[i].period;
		double percent = whole ? 100.0 * (double)value.period / (double)whole : 0;
		const char *colour = o->colour ? colour_of_percent(percent) : "";
		const char *reset = *colour ? COLOUR_RESET : "";

		if (!shows(o, i))
			continue;
		if (o->values == TYPE_PERIOD)
			fprintf(l->out, "%s %11" PRIu64 "%s", colour, value.period, reset);
		else if (o->values == TYPE_SAMPLES)
			fprintf(l->out, "%s %7" PRIu64 "%s", colour, value.samples, reset);
		else
			fprintf(l->out, "%s %7.2f%s", colour, percent, reset);
	}
}

/* " <name+0x8>", or nothing where no symbol covers the address. */
static void print_symbol(struct listing *l, u64 vaddr)
{
	const struct symbol *symbol = dso_find_symbol(l->profile->dso, vaddr);

	if (!symbol)
		return;
	fprintf(l->out, " <%s", dso_symbol_name(l->profile->dso, symbol));
	if (vaddr != symbol->start)
		fprintf(l->out, "+0x%" PRIx64, vaddr - symbol->start);
	fputc('>', l->out);
}

static void print_references(struct listing *l, const struct insn *insn)
{
	if (insn->target)
		print_symbol(l, insn->target);
	for (u32 i = 0; i < insn->nr_operands; i++) {
		if (insn->operands[i].kind != INSN_MEM || !insn->operands[i].relative)
			continue;
		fprintf(l->out, "        # %" PRIx64, (u64)insn->operands[i].mem.disp);
		print_symbol(l, (u64)insn->operands[i].mem.disp);
	}
}

static void print_type(struct listing *l, u64 vaddr)
{
	struct access access;
	char path[256];

	if (!l->options->types)
		return;
	typeflow_lookup(l->options->types, l->profile->dso, vaddr, &access);
	if (!access.type) {
		if (l->options->pseudo_types && access.how != ACCESS_UNKNOWN)
			fprintf(l->out, "\t\t# data-type: %s", access_type_name(&access));
		return;
	}
	if (access.offset == TYPE_OFFSET_ANY) {
		fprintf(l->out, "\t\t# data-type: %s (one of several)", access_type_name(&access));
		return;
	}
	fprintf(l->out, "\t\t# data-type: %s %s%#" PRIx64, access_type_name(&access),
		access.offset < 0 ? "-" : "+",
		access.offset < 0 ? 0 - (u64)access.offset : (u64)access.offset);
	if (type_member_path(access.type, (u64)access.offset, path, sizeof(path)))
		fprintf(l->out, " (%s)", path);
}

static void print_instruction(struct listing *l, const u8 *code, size_t left, u64 vaddr,
			      const struct insn *insn)
{
	char mnemonic[32], operands[192];

	insn_text(l->decoder, code, left, vaddr, mnemonic, operands);
	print_values(l, vaddr, insn->size);
	fprintf(l->out, " :   %" PRIx64 ":   ", vaddr);
	for (u32 i = 0; l->options->raw_bytes && i < insn->size; i++)
		fprintf(l->out, "%02x ", code[i]);
	if (*operands)
		fprintf(l->out, "%-6s %s", mnemonic, operands);
	else
		fprintf(l->out, "%s", mnemonic);
	print_references(l, insn);
	print_type(l, vaddr);
	fputc('\n', l->out);
}

static bool print_function(struct listing *l)
{
	const struct symbol *symbol = l->profile->symbol;
	u64 vaddr = symbol->start;
	size_t left;
	const u8 *code = dso_code(l->profile->dso, symbol->start, &left);

	if (!code)
		return false;
	if (left > symbol->end - symbol->start)
		left = symbol->end - symbol->start;
	print_title(l);
	fprintf(l->out, " %*s: %-4u %016" PRIx64 " <%s>:\n", l->width, "", 0, vaddr,
		dso_symbol_name(l->profile->dso, symbol));
	l->file = NULL;
	while (left) {
		struct insn insn;

		insn_decode(l->decoder, code, left, vaddr, &insn);
		print_source(l, vaddr);
		print_instruction(l, code, left, vaddr, &insn);
		code += insn.size;
		left -= insn.size;
		vaddr += insn.size;
	}
	fputc('\n', l->out);
	return true;
}

u32 code_listing_print(const struct code_profiles *profiles,
		       const struct code_listing_options *options, struct insn_decoder *decoder,
		       FILE *out, u32 *without_code)
{
	struct listing l = { .options = options, .decoder = decoder, .out = out };
	u32 printed = 0;

	*without_code = 0;
	l.sources =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_strfreev);
	for (u32 i = options->first; i < options->first + options->nr; i++)
		if (shows(options, i))
			l.width += column_width(options->values);
	for (u32 i = 0; i < profiles->profiles->len; i++) {
		u64 whole = profiles->total[options->first].period, samples = 0;

		l.profile = g_ptr_array_index(profiles->profiles, i);
		for (u32 k = options->first; k < options->first + options->nr; k++)
			samples += l.profile->total[k].samples;
		if (!samples || (whole && 100.0 * (double)l.profile->total[options->first].period /
							  (double)whole <
						  options->percent_limit))
			continue;
		if (print_function(&l))
			printed++;
		else
			(*without_code)++;
	}
	g_hash_table_unref(l.sources);
	return printed;
}
