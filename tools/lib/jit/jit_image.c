// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Layout of the file:
 *
 *	0	header, program headers, build-id
 *	0x1000	.text; then, if present, .eh_frame, 8-aligned as in memory, and .eh_frame_hdr
 *	...	.symtab, .strtab, .debug_*, .shstrtab, section headers
 *
 * The address of a loaded section is its offset in the file.
 */
#include "jit/jit_image.h"

#include <elf.h>
#include <string.h>

#include "base/bytes.h"
#include "jit/jit_lines.h"

#define MAX_SECTIONS 12
#define SHA1_SIZE    20

struct image_writer {
	GByteArray *out;
	GByteArray *names; /* .shstrtab */
	Elf64_Shdr sections[MAX_SECTIONS];
	u32 nr_sections;
};

static void pad(struct image_writer *w, u32 align)
{
	static const u8 zeros[4096];

	put(w->out, zeros, -w->out->len % align);
}

/* Appends @bytes as a section. Returns the section's number. */
static u32 add_section(struct image_writer *w, const char *name, u32 type, u64 flags, u32 align,
		       const void *bytes, u64 size)
{
	Elf64_Shdr *s = &w->sections[w->nr_sections];

	pad(w, align);
	*s = (Elf64_Shdr){ .sh_name = w->names->len,
			   .sh_type = type,
			   .sh_flags = flags,
			   .sh_offset = w->out->len,
			   .sh_addr = flags & SHF_ALLOC ? w->out->len : 0,
			   .sh_size = size,
			   .sh_addralign = align };
	put(w->names, name, strlen(name) + 1);
	put(w->out, bytes, size);
	return w->nr_sections++;
}

/* Hashes the name, the code, its lines and its call-frame information: versions of a function get different ids. */
static void make_build_id(const struct jit_code *code, struct build_id *id)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA1);
	const struct jitdump_record *load = code->load;
	gsize size = SHA1_SIZE;

	g_checksum_update(sum, (const u8 *)load->name, (gssize)strlen(load->name) + 1);
	g_checksum_update(sum, load->code, (gssize)load->size);
	if (code->debug)
		g_checksum_update(sum, code->debug->rest.pos,
				  (gssize)cursor_left(&code->debug->rest));
	if (code->unwinding)
		g_checksum_update(sum, code->unwinding->unwinding,
				  (gssize)code->unwinding->unwinding_size);
	id->size = SHA1_SIZE;
	g_checksum_get_digest(sum, id->bytes, &size);
}

static void add_note(struct image_writer *w, const struct build_id *id)
{
	struct {
		Elf64_Nhdr header;
		char name[4];
		u8 id[SHA1_SIZE];
	} note = { { 4, SHA1_SIZE, NT_GNU_BUILD_ID }, "GNU", { 0 } };

	memcpy(note.id, id->bytes, SHA1_SIZE);
	add_section(w, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4, &note, sizeof(note));
}

static void add_symbols(struct image_writer *w, const struct jit_code *code, u32 text)
{
	g_autoptr(GByteArray) strings = g_byte_array_new();
	Elf64_Sym symbols[2] = { { 0 } };
	u32 table;

	put(strings, "", 1);
	put(strings, code->load->name, strlen(code->load->name) + 1);
	symbols[1] = (Elf64_Sym){ .st_name = 1,
				  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				  .st_shndx = (u16)text,
				  .st_value = JIT_IMAGE_TEXT,
				  .st_size = code->load->size };
	table = add_section(w, ".symtab", SHT_SYMTAB, 0, 8, symbols, sizeof(symbols));
	w->sections[table].sh_entsize = sizeof(*symbols);
	w->sections[table].sh_info = 1;
	w->sections[table].sh_link =
		add_section(w, ".strtab", SHT_STRTAB, 0, 1, strings->data, strings->len);
}

static void add_lines(struct image_writer *w, const struct jit_code *code)
{
	g_autoptr(GByteArray) info = g_byte_array_new();
	g_autoptr(GByteArray) abbrev = g_byte_array_new();
	g_autoptr(GByteArray) line = g_byte_array_new();

	if (!code->debug || !jit_lines_write(code->debug, code->load->address, JIT_IMAGE_TEXT,
					     code->load->size, info, abbrev, line))
		return;
	add_section(w, ".debug_info", SHT_PROGBITS, 0, 1, info->data, info->len);
	add_section(w, ".debug_abbrev", SHT_PROGBITS, 0, 1, abbrev->data, abbrev->len);
	add_section(w, ".debug_line", SHT_PROGBITS, 0, 1, line->data, line->len);
}

static u64 eh_frame_offset(const struct jit_code *code)
{
	return ALIGN_UP(code->load->size, (u64)8);
}

u64 jit_image_size(const struct jit_code *code)
{
	return code->unwinding ? eh_frame_offset(code) + code->unwinding->unwinding_size
			       : code->load->size;
}

/* Returns the number of section .eh_frame_hdr; 0: there is none. */
static u32 add_unwinding(struct image_writer *w, const struct jitdump_record *unwinding)
{
	u64 frames;

	if (!unwinding)
		return 0;
	frames = unwinding->unwinding_size - unwinding->eh_frame_hdr_size;
	add_section(w, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, 8, unwinding->unwinding, frames);
	if (!unwinding->eh_frame_hdr_size)
		return 0;
	return add_section(w, ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, 1,
			   unwinding->unwinding + frames, unwinding->eh_frame_hdr_size);
}

static Elf64_Phdr segment_of(u32 type, u32 flags, u64 offset, u64 size)
{
	return (Elf64_Phdr){ .p_type = type,
			     .p_flags = flags,
			     .p_offset = offset,
			     .p_vaddr = offset,
			     .p_paddr = offset,
			     .p_filesz = size,
			     .p_memsz = size,
			     .p_align = type == PT_LOAD ? JIT_IMAGE_TEXT : 4 };
}

static void put_headers(struct image_writer *w, const struct jit_code *code, u32 note, u32 eh_hdr)
{
	const Elf64_Shdr *n = &w->sections[note], *h = &w->sections[eh_hdr];
	Elf64_Ehdr ehdr = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					 ELFDATA2LSB, EV_CURRENT },
			    .e_type = ET_DYN,
			    .e_machine = code->machine,
			    .e_version = EV_CURRENT,
			    .e_phoff = sizeof(ehdr),
			    .e_ehsize = sizeof(ehdr),
			    .e_phentsize = sizeof(Elf64_Phdr),
			    .e_phnum = eh_hdr ? 3 : 2,
			    .e_shentsize = sizeof(Elf64_Shdr) };
	Elf64_Phdr segments[3];

	segments[0] = segment_of(PT_LOAD, PF_R | PF_X, JIT_IMAGE_TEXT, jit_image_size(code));
	segments[1] = segment_of(PT_NOTE, PF_R, n->sh_offset, n->sh_size);
	segments[2] = segment_of(PT_GNU_EH_FRAME, PF_R, h->sh_offset, h->sh_size);
	add_section(w, ".shstrtab", SHT_STRTAB, 0, 1, NULL, 0);
	w->sections[w->nr_sections - 1].sh_size = w->names->len;
	put(w->out, w->names->data, w->names->len);
	pad(w, 8);
	ehdr.e_shoff = w->out->len;
	ehdr.e_shnum = (u16)w->nr_sections;
	ehdr.e_shstrndx = (u16)(w->nr_sections - 1);
	put(w->out, w->sections, w->nr_sections * sizeof(*w->sections));
	memcpy(w->out->data, &ehdr, sizeof(ehdr));
	memcpy(w->out->data + sizeof(ehdr), segments, ehdr.e_phnum * sizeof(*segments));
}

GByteArray *jit_image_new(const struct jit_code *code, struct build_id *id)
{
	struct image_writer w = { .out = g_byte_array_new(),
				  .names = g_byte_array_new(),
				  .nr_sections = 1 };
	const u32 note = 1;
	u32 text, eh_hdr;

	make_build_id(code, id);
	put(w.names, "", 1);
	g_byte_array_set_size(w.out, sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Phdr));
	memset(w.out->data, 0, w.out->len);
	add_note(&w, id);
	text = add_section(&w, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, JIT_IMAGE_TEXT,
			   code->load->code, code->load->size);
	eh_hdr = add_unwinding(&w, code->unwinding);
	add_symbols(&w, code, text);
	add_lines(&w, code);
	put_headers(&w, code, note, eh_hdr);
	g_byte_array_unref(w.names);
	return w.out;
}
