// SPDX-License-Identifier: GPL-2.0-or-later
/* The file: its header, the contents of all sections and segments, the names of sections, the two tables. */
#include "btf/elf_made.h"

#include <elf.h>
#include <string.h>

#include "base/bytes.h"

struct elf_made {
	GByteArray *bytes, *names;
	GArray *sections; /* Elf64_Shdr */
	GArray *segments; /* Elf64_Phdr */
	GByteArray *symbol_names;
	GArray *symbols; /* Elf64_Sym: none, then functions */
};

_Static_assert(ELF_MADE_FIRST == sizeof(Elf64_Ehdr), "the header comes first");

struct elf_made *elf_made_new(void)
{
	struct elf_made *made = g_new0(struct elf_made, 1);
	static const Elf64_Ehdr header;
	static const Elf64_Shdr none;
	static const Elf64_Sym no_symbol;

	made->bytes = g_byte_array_new();
	made->names = g_byte_array_new();
	made->sections = g_array_new(FALSE, FALSE, sizeof(Elf64_Shdr));
	made->segments = g_array_new(FALSE, FALSE, sizeof(Elf64_Phdr));
	put(made->bytes, &header, sizeof(header));
	put(made->names, "", 1);
	made->symbol_names = g_byte_array_new();
	made->symbols = g_array_new(FALSE, FALSE, sizeof(Elf64_Sym));
	put(made->symbol_names, "", 1);
	g_array_append_val(made->symbols, no_symbol);
	g_array_append_val(made->sections, none);
	return made;
}

/* Appends @data at a multiple of 8. Returns its offset. */
static u64 place(struct elf_made *made, const void *data, size_t size)
{
	static const u8 zeros[8];
	u64 at = ALIGN_UP((u64)made->bytes->len, 8ULL);

	put(made->bytes, zeros, at - made->bytes->len);
	put(made->bytes, data, size);
	return at;
}

void elf_made_section(struct elf_made *made, const char *name, const void *data, size_t size)
{
	Elf64_Shdr section = { .sh_type = SHT_PROGBITS, .sh_size = size, .sh_addralign = 1 };

	section.sh_name = made->names->len;
	put(made->names, name, strlen(name) + 1);
	section.sh_offset = place(made, data, size);
	g_array_append_val(made->sections, section);
}

void elf_made_segment(struct elf_made *made, u64 vaddr, u32 flags, const void *data, size_t size)
{
	Elf64_Phdr segment = { .p_type = PT_LOAD,
			       .p_flags = flags,
			       .p_vaddr = vaddr,
			       .p_filesz = size,
			       .p_memsz = size,
			       .p_align = 1 };

	segment.p_offset = place(made, data, size);
	g_array_append_val(made->segments, segment);
}

void elf_made_function(struct elf_made *made, const char *name, u64 vaddr, u64 size)
{
	Elf64_Sym symbol = { .st_name = made->symbol_names->len,
			     .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			     .st_shndx = 1, /* .text, see add_text() */
			     .st_value = vaddr,
			     .st_size = size };

	put(made->symbol_names, name, strlen(name) + 1);
	g_array_append_val(made->symbols, symbol);
}

/* Functions are those of a section: the first segment. */
static void add_text(struct elf_made *made)
{
	const Elf64_Phdr *segment = &g_array_index(made->segments, Elf64_Phdr, 0);
	Elf64_Shdr text = { .sh_type = SHT_PROGBITS,
			    .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			    .sh_addr = segment->p_vaddr,
			    .sh_offset = segment->p_offset,
			    .sh_size = segment->p_filesz,
			    .sh_addralign = 1 };

	text.sh_name = made->names->len;
	put(made->names, ".text", sizeof(".text"));
	g_array_insert_val(made->sections, 1, text);
}

static void add_symbols(struct elf_made *made)
{
	u32 strings = made->sections->len + 2;
	Elf64_Shdr *section;

	if (made->symbols->len == 1)
		return;
	add_text(made);
	elf_made_section(made, ".symtab", made->symbols->data,
			 made->symbols->len * sizeof(Elf64_Sym));
	section = &g_array_index(made->sections, Elf64_Shdr, strings - 1);
	section->sh_type = SHT_SYMTAB;
	section->sh_link = strings;
	section->sh_info = 1; /* the first global symbol */
	section->sh_entsize = sizeof(Elf64_Sym);
	section->sh_addralign = 8;
	elf_made_section(made, ".strtab", made->symbol_names->data, made->symbol_names->len);
	g_array_index(made->sections, Elf64_Shdr, strings).sh_type = SHT_STRTAB;
}

static void add_names(struct elf_made *made)
{
	Elf64_Shdr names = { .sh_type = SHT_STRTAB, .sh_addralign = 1 };

	names.sh_name = made->names->len;
	put(made->names, ".shstrtab", sizeof(".shstrtab"));
	names.sh_size = made->names->len;
	names.sh_offset = place(made, made->names->data, made->names->len);
	g_array_append_val(made->sections, names);
}

GBytes *elf_made_finish(struct elf_made *made)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_shentsize = sizeof(Elf64_Shdr),
	};
	GBytes *bytes;

	add_symbols(made);
	add_names(made);
	header.e_shnum = (u16)made->sections->len;
	header.e_shstrndx = header.e_shnum - 1;
	header.e_phnum = (u16)MIN(made->segments->len, PN_XNUM - 1);
	header.e_phoff = place(made, made->segments->data, header.e_phnum * sizeof(Elf64_Phdr));
	header.e_shoff = place(made, made->sections->data, header.e_shnum * sizeof(Elf64_Shdr));
	memcpy(made->bytes->data, &header, sizeof(header));
	bytes = g_byte_array_free_to_bytes(made->bytes);
	g_byte_array_unref(made->names);
	g_array_unref(made->sections);
	g_array_unref(made->segments);
	g_byte_array_unref(made->symbol_names);
	g_array_unref(made->symbols);
	g_free(made);
	return bytes;
}
