// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/report/site_rows.h"

#include <string.h>

#include "dso/dso.h"
#include "pages/base/list_rows.h"
#include "dso/sources.h"
#include "session/session.h"

enum {
	SITE_ID,
	SITE_SYMBOL,
	SITE_DSO,
	SITE_ADDRESS,
	SITE_FILE,
	SITE_LINE,
	SITE_SOURCE,
	SITE_INSTRUCTION,
	SITE_TYPE,
	SITE_OFFSET,
	SITE_MEMBER,
	SITE_ACCESS,
	SITE_SAMPLES,
	SITE_PERIOD,
	SITE_NR_COLUMNS,
};

static const struct rows_column columns[SITE_NR_COLUMNS] = {
	[SITE_ID] = { "id", "Id", .kind = CELL_ID, .right = true },
	[SITE_SYMBOL] = { "symbol", "Symbol", .kind = CELL_TEXT },
	[SITE_DSO] = { "dso", "Shared Object", .kind = CELL_TEXT },
	[SITE_ADDRESS] = { "address", "Address", .kind = CELL_ADDRESS, .right = true },
	[SITE_FILE] = { "file", "File", .kind = CELL_TEXT },
	[SITE_LINE] = { "line", "Line", .kind = CELL_ID, .right = true },
	[SITE_SOURCE] = { "source", "Source", .kind = CELL_TEXT },
	[SITE_INSTRUCTION] = { "instruction", "Instruction", .kind = CELL_TEXT },
	[SITE_TYPE] = { "type", "Data Type", .kind = CELL_TEXT },
	[SITE_OFFSET] = { "type_offset", "Offset", .kind = CELL_BYTES, .right = true },
	[SITE_MEMBER] = { "member", "Field", .kind = CELL_TEXT },
	[SITE_ACCESS] = { "access", "Access", .kind = CELL_TEXT },
	[SITE_SAMPLES] = { "samples", "Samples", "samples", CELL_COUNT, .value = true },
	[SITE_PERIOD] = { "period", "Period", "events", CELL_COUNT, .value = true },
};

struct site_rows_arg {
	const struct cross *cross;
	struct insn_decoder *decoder;
	struct sources *sources;
};

static const struct cross_site *site_at(const struct site_rows_arg *a, u32 i)
{
	return &g_array_index(a->cross->sites, struct cross_site, i);
}

/* The text of the site's source line; NULL: the file does not have it. */
static const char *source_of(const struct site_rows_arg *a, const struct code *code)
{
	const char *file;
	u32 line;

	return code_line(code, &file, &line) ? sources_line(a->sources, file, line) : NULL;
}

static bool member_of(const struct access *access, char path[256])
{
	struct type_use use = access_use(access);

	return access->type && access->offset != TYPE_OFFSET_ANY && access->offset >= 0 &&
	       type_use_path(access->type, (u64)access->offset, &use, path, 256);
}

static bool instruction_of(const struct site_rows_arg *a, const struct code *code, GString *out)
{
	char mnemonic[32], operands[192];
	size_t left;
	const u8 *bytes = code->dso ? dso_listed_code(code->dso, a->decoder, code->vaddr, &left)
				    : NULL;

	if (!bytes)
		return false;
	insn_text(a->decoder, bytes, left, code->vaddr, mnemonic, operands);
	if (out)
		g_string_append_printf(out, *operands ? "%s %s" : "%s", mnemonic, operands);
	return true;
}

/* "read", "write" or both; NULL: neither. */
static const char *access_words(const struct access *access)
{
	bool reads = access->roles & INSN_READ, writes = access->roles & INSN_WRITE;

	return reads && writes ? "read, write" : reads ? "read" : writes ? "write" : NULL;
}

static bool has_text(const struct site_rows_arg *a, const struct cross_site *site, u32 column)
{
	const struct code *code = site->code;
	char path[256];
	const char *file;
	u32 line;

	switch (column) {
	case SITE_SYMBOL:
		return true;
	case SITE_DSO:
		return code && code->dso;
	case SITE_FILE:
		return code && code_line(code, &file, &line);
	case SITE_SOURCE:
		return code && source_of(a, code);
	case SITE_INSTRUCTION:
		return code && instruction_of(a, code, NULL);
	case SITE_MEMBER:
		return member_of(&site->access, path);
	case SITE_ACCESS:
		return access_words(&site->access);
	default:
		return code;
	}
}

static void cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	const struct site_rows_arg *a = arg;
	const struct cross_site *site = site_at(a, i);
	const char *file;
	u32 line;

	if (column == SITE_ID) {
		out->number = i;
	} else if (column == SITE_SAMPLES) {
		out->number = site->now.samples;
	} else if (column == SITE_PERIOD) {
		out->number = site->now.period;
	} else if (column == SITE_ADDRESS && site->code) {
		out->number = site->code->vaddr;
	} else if (column == SITE_LINE && site->code && code_line(site->code, &file, &line) &&
		   line) {
		out->number = line;
	} else if (column == SITE_OFFSET && site->access.type &&
		   site->access.offset != TYPE_OFFSET_ANY) {
		out->number = (u64)site->access.offset;
		out->is_signed = true;
	} else if (columns[column].kind != CELL_TEXT || !has_text(a, site, column)) {
		out->kind = CELL_NONE;
	}
}

static void append_symbol(const struct code *code, GString *out)
{
	if (!code)
		g_string_append(out, "(others)");
	else if (code_name(code))
		g_string_append(out, code_name(code));
	else
		g_string_append_printf(out, "%#" G_GINT64_MODIFIER "x", code_bare_address(code));
}

static void text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
	const struct site_rows_arg *a = arg;
	const struct cross_site *site = site_at(a, i);
	char path[256];
	const char *file;
	u32 line;

	if (column == SITE_SYMBOL)
		append_symbol(site->code, out);
	else if (column == SITE_DSO)
		g_string_append(out, dso_short_name(site->code->dso));
	else if (column == SITE_FILE && code_line(site->code, &file, &line))
		g_string_append(out, file);
	else if (column == SITE_SOURCE)
		g_string_append(out, source_of(a, site->code));
	else if (column == SITE_INSTRUCTION)
		instruction_of(a, site->code, out);
	else if (column == SITE_TYPE)
		g_string_append(out, access_type_name(&site->access));
	else if (column == SITE_ACCESS)
		g_string_append(out, access_words(&site->access));
	else if (column == SITE_MEMBER && member_of(&site->access, path))
		g_string_append(out, path);
}

static u64 key(const void *arg, u32 i)
{
	return i;
}

void site_rows_arg_free(void *arg)
{
	struct site_rows_arg *a = arg;

	sources_free(a->sources);
	g_free(a);
}

struct rows *site_rows_new(const struct cross *cross, struct insn_decoder *decoder,
			   struct site_rows_arg **arg)
{
	static const struct list_ops ops = { cell, text, key };
	struct site_rows_arg *a = *arg = g_new0(struct site_rows_arg, 1);
	struct rows *rows = list_rows_new(columns, SITE_NR_COLUMNS, &ops, a);

	a->cross = cross;
	a->decoder = decoder;
	a->sources = sources_new(session_packed(cross->options.session), NULL, 0);
	for (u32 i = 0; i < cross->sites->len; i++)
		list_rows_add(rows, LIST_TOP);
	return rows;
}
