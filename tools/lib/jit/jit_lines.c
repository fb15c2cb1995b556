// SPDX-License-Identifier: GPL-2.0-or-later
#include "jit/jit_lines.h"

#include <dwarf.h>
#include <string.h>

#include "base/bytes.h"

#define DWARF_VERSION 4
#define LINE_BASE     (-5)
#define LINE_RANGE    14
#define OPCODE_BASE   13

static void put_u8(GByteArray *out, u8 v)
{
	put(out, &v, 1);
}

static void put_uleb(GByteArray *out, u64 v)
{
	do {
		u8 byte = v & 0x7f;

		v >>= 7;
		put_u8(out, v ? byte | 0x80 : byte);
	} while (v);
}

static void put_sleb(GByteArray *out, s64 v)
{
	for (;;) {
		u8 byte = v & 0x7f;
		bool last;

		v >>= 7;
		last = (v == 0 && !(byte & 0x40)) || (v == -1 && byte & 0x40);
		put_u8(out, last ? byte : byte | 0x80);
		if (last)
			return;
	}
}

static void put_string(GByteArray *out, const char *s)
{
	put(out, s, strlen(s) + 1);
}

/* Stores the number of bytes after the 4-byte size field at @at into that field. */
static void close_size(GByteArray *out, u32 at)
{
	u32 size = out->len - at - 4;

	memcpy(out->data + at, &size, sizeof(size));
}

struct line_writer {
	u64 code, vaddr, size;
	GByteArray *program, *files;
	GHashTable *numbers; /* file -> its number */
	u64 address;	     /* of the previous row */
	s64 line, file;
	u32 rows;
};

static s64 file_number(struct line_writer *w, const char *file)
{
	u32 number = GPOINTER_TO_UINT(g_hash_table_lookup(w->numbers, file));

	if (number)
		return number;
	number = g_hash_table_size(w->numbers) + 1;
	g_hash_table_insert(w->numbers, (void *)file, GUINT_TO_POINTER(number));
	put_string(w->files, file);
	put(w->files, "\0\0\0", 3); /* folder, time and size: unknown */
	return number;
}

static void set_address(struct line_writer *w, u64 vaddr)
{
	put_u8(w->program, 0);
	put_uleb(w->program, 1 + sizeof(vaddr));
	put_u8(w->program, DW_LNE_set_address);
	put_u64(w->program, vaddr);
}

/* Adds one row. Addresses in a sequence must ascend. */
static void add_row(struct line_writer *w, const struct jitdump_line *line)
{
	u64 offset = line->address - w->code, vaddr = w->vaddr + offset;
	s64 file;

	if (line->address < w->code || offset >= w->size || (w->rows && vaddr < w->address))
		return;
	file = file_number(w, line->file);
	if (!w->rows)
		set_address(w, vaddr);
	else if (vaddr > w->address)
		put_u8(w->program, DW_LNS_advance_pc), put_uleb(w->program, vaddr - w->address);
	if (file != w->file)
		put_u8(w->program, DW_LNS_set_file), put_uleb(w->program, (u64)file);
	if ((s64)line->line != w->line)
		put_u8(w->program, DW_LNS_advance_line),
			put_sleb(w->program, (s64)line->line - w->line);
	put_u8(w->program, DW_LNS_copy);
	w->address = vaddr;
	w->file = file;
	w->line = line->line;
	w->rows++;
}

static void end_sequence(struct line_writer *w)
{
	put_u8(w->program, DW_LNS_advance_pc);
	put_uleb(w->program, w->vaddr + w->size - w->address);
	put_u8(w->program, 0);
	put_uleb(w->program, 1);
	put_u8(w->program, DW_LNE_end_sequence);
}

static void put_line_table(const struct line_writer *w, GByteArray *out)
{
	static const u8 lengths[OPCODE_BASE - 1] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	u32 begin = out->len, header;

	put_u32(out, 0);
	put_u16(out, DWARF_VERSION);
	header = out->len;
	put_u32(out, 0);
	put_u8(out, 1); /* minimum_instruction_length */
	put_u8(out, 1); /* maximum_operations_per_instruction */
	put_u8(out, 1); /* default_is_stmt */
	put_u8(out, (u8)LINE_BASE);
	put_u8(out, LINE_RANGE);
	put_u8(out, OPCODE_BASE);
	put(out, lengths, sizeof(lengths));
	put_u8(out, 0); /* no folders */
	put(out, w->files->data, w->files->len);
	put_u8(out, 0);
	close_size(out, header);
	put(out, w->program->data, w->program->len);
	close_size(out, begin);
}

static void put_unit(const struct line_writer *w, const char *name, GByteArray *info,
		     GByteArray *abbrev)
{
	static const u8 unit_abbrev[] = {
		1,
		DW_TAG_compile_unit,
		DW_CHILDREN_no,
		DW_AT_name,
		DW_FORM_string,
		DW_AT_low_pc,
		DW_FORM_addr,
		DW_AT_high_pc,
		DW_FORM_data8,
		DW_AT_stmt_list,
		DW_FORM_sec_offset,
		0,
		0,
		0,
	};
	u32 begin = info->len;

	put(abbrev, unit_abbrev, sizeof(unit_abbrev));
	put_u32(info, 0);
	put_u16(info, DWARF_VERSION);
	put_u32(info, 0);
	put_u8(info, sizeof(u64));
	put_u8(info, 1);
	put_string(info, name);
	put_u64(info, w->vaddr);
	put_u64(info, w->size);
	put_u32(info, 0);
	close_size(info, begin);
}

bool jit_lines_write(const struct jitdump_record *debug, u64 code, u64 vaddr, u64 size,
		     GByteArray *info, GByteArray *abbrev, GByteArray *line)
{
	struct line_writer w = { .code = code, .vaddr = vaddr, .size = size, .line = 1, .file = 1 };
	struct jitdump_record record = *debug;
	struct jitdump_line at = { 0 };
	const char *first = NULL;

	w.program = g_byte_array_new();
	w.files = g_byte_array_new();
	w.numbers = g_hash_table_new(g_str_hash, g_str_equal);
	while (jitdump_line(&record, &at)) {
		first = first ? first : at.file;
		add_row(&w, &at);
	}
	if (w.rows) {
		end_sequence(&w);
		put_unit(&w, first, info, abbrev);
		put_line_table(&w, line);
	}
	g_hash_table_unref(w.numbers);
	g_byte_array_unref(w.program);
	g_byte_array_unref(w.files);
	return w.rows;
}
