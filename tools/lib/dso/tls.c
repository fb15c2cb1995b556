// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/tls.h"

#include <gelf.h>
#include <string.h>

#include "dso/dynamic.h"

/* Tables with more relocations or symbols are not searched. */
#define MAX_ENTRIES (64u << 20)

bool tls_supported(Elf *elf)
{
	GElf_Ehdr ehdr;

	return gelf_getehdr(elf, &ehdr) && ehdr.e_machine == EM_X86_64 &&
	       ehdr.e_ident[EI_CLASS] == ELFCLASS64;
}

/* The flags of DT_FLAGS_1; 0: there is no such entry. */
static u64 find_flags(Elf *elf, const GElf_Phdr *dynamic)
{
	Elf_Data *data =
		elf_getdata_rawchunk(elf, (int64_t)dynamic->p_offset, dynamic->p_filesz, ELF_T_DYN);
	GElf_Dyn dyn;

	for (int i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
		if (dyn.d_tag == DT_FLAGS_1)
			return dyn.d_un.d_val;
	}
	return 0;
}

bool tls_is_program(Elf *elf)
{
	GElf_Ehdr ehdr;
	GElf_Phdr phdr;
	size_t nr;

	if (!gelf_getehdr(elf, &ehdr) || elf_getphdrnum(elf, &nr) != 0)
		return false;
	if (ehdr.e_type == ET_EXEC)
		return true;
	for (size_t i = 0; i < nr && gelf_getphdr(elf, (int)i, &phdr); i++) {
		if (phdr.p_type == PT_DYNAMIC)
			return find_flags(elf, &phdr) & DF_1_PIE;
	}
	return false;
}

bool tls_find_segment(Elf *elf, struct tls_segment *segment)
{
	size_t nr;

	if (elf_getphdrnum(elf, &nr) != 0)
		return false;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(elf, (int)i, &phdr) || phdr.p_type != PT_TLS)
			continue;
		segment->vaddr = phdr.p_vaddr;
		segment->memsz = phdr.p_memsz;
		segment->align = MAX(phdr.p_align, 1);
		/* Sizes and alignments above 4 GiB are invalid. */
		return (segment->align & (segment->align - 1)) == 0 &&
		       segment->align <= G_MAXUINT32 && segment->memsz <= G_MAXUINT32;
	}
	return false;
}

/* A symbol table: a section, or for a file without sections the one of PT_DYNAMIC. */
struct symbols {
	Elf *elf;
	Elf_Data *data; /* NULL: there is no table */
	size_t nr;
	u32 strings; /* the section with the names; 0: dynamic has them */
	struct dynamic dynamic;
};

static const char *name_of(const struct symbols *symbols, const GElf_Sym *sym)
{
	return symbols->strings ? elf_strptr(symbols->elf, symbols->strings, sym->st_name)
				: dynamic_name(&symbols->dynamic, sym->st_name);
}

static bool read_symbols(Elf *elf, Elf_Scn *scn, struct symbols *symbols)
{
	GElf_Shdr shdr;
	Elf_Data *data;

	if (!gelf_getshdr(scn, &shdr))
		return false;
	data = elf_getdata(scn, NULL);
	if (!data || !shdr.sh_entsize)
		return false;
	*symbols = (struct symbols){
		.elf = elf,
		.data = data,
		.nr = MIN(data->d_size / shdr.sh_entsize, MAX_ENTRIES),
		.strings = shdr.sh_link,
	};
	return true;
}

static void use_dynamic(Elf *elf, const struct dynamic *dynamic, struct symbols *symbols)
{
	*symbols = (struct symbols){
		.elf = elf,
		.data = dynamic->symbols,
		.nr = MIN(dynamic->nr_symbols, MAX_ENTRIES),
		.dynamic = *dynamic,
	};
}

/* The table of section type @type. */
static bool find_symbols(Elf *elf, u32 type, struct symbols *symbols)
{
	struct dynamic dynamic;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == type &&
		    read_symbols(elf, scn, symbols))
			return true;
	}
	if (type != SHT_DYNSYM || !dynamic_find(elf, &dynamic))
		return false;
	use_dynamic(elf, &dynamic, symbols);
	return true;
}

/* The defined symbol @name of @symbol_type in the table of section type @type. */
static bool find_in_table(Elf *elf, u32 type, int symbol_type, const char *name, GElf_Sym *sym)
{
	struct symbols symbols;

	if (!find_symbols(elf, type, &symbols))
		return false;
	for (size_t i = 0; i < symbols.nr; i++) {
		const char *text;

		if (!gelf_getsym(symbols.data, (int)i, sym) ||
		    GELF_ST_TYPE(sym->st_info) != symbol_type || sym->st_shndx == SHN_UNDEF)
			continue;
		text = name_of(&symbols, sym);
		if (text && strcmp(text, name) == 0)
			return true;
	}
	return false;
}

bool tls_find_symbol(Elf *elf, const char *name, struct tls_symbol *symbol)
{
	struct tls_segment segment;
	GElf_Sym sym;

	if (!find_in_table(elf, SHT_DYNSYM, STT_TLS, name, &sym) &&
	    !find_in_table(elf, SHT_SYMTAB, STT_TLS, name, &sym))
		return false;
	if (!tls_find_segment(elf, &segment) || sym.st_value > segment.memsz ||
	    sym.st_size > segment.memsz - sym.st_value)
		return false;
	symbol->value = sym.st_value;
	symbol->size = sym.st_size;
	return true;
}

s64 tls_main_tpoff(const struct tls_segment *segment, u64 value)
{
	u64 padding = -(segment->vaddr + segment->memsz) & (segment->align - 1);

	return (s64)(value - (segment->memsz + padding));
}

static void add_slots(Elf_Data *relocs, const struct symbols *symbols, const char *name,
		      const struct tls_symbol *symbol, GArray *slots)
{
	GElf_Rela rela;

	for (u32 i = 0; i < MAX_ENTRIES && gelf_getrela(relocs, (int)i, &rela); i++) {
		struct tls_slot slot = { .kind = TLS_SLOT_TPOFF };
		u32 type = GELF_R_TYPE(rela.r_info);
		const char *text = NULL;
		GElf_Sym sym;

		if (type == R_X86_64_TLSDESC)
			slot.kind = TLS_SLOT_TLSDESC;
		else if (type == R_X86_64_DTPMOD64)
			slot.kind = TLS_SLOT_MODULE;
		else if (type != R_X86_64_TPOFF64)
			continue;
		slot.vaddr = rela.r_offset;
		slot.addend = rela.r_addend;
		if (GELF_R_SYM(rela.r_info)) {
			if (symbols->data &&
			    gelf_getsym(symbols->data, (int)GELF_R_SYM(rela.r_info), &sym))
				text = name_of(symbols, &sym);
			slot.paired = slot.kind == TLS_SLOT_MODULE;
			if (text && strcmp(text, name) == 0)
				g_array_append_val(slots, slot);
		} else if (symbol && slot.kind == TLS_SLOT_MODULE) {
			slot.addend = 0;
			g_array_append_val(slots, slot);
		} else if (symbol && (u64)rela.r_addend == symbol->value) {
			/* A hidden or local variable: the addend is its offset in the block. */
			slot.addend = 0;
			g_array_append_val(slots, slot);
		}
	}
}

GArray *tls_find_slots(Elf *elf, const char *name, const struct tls_symbol *symbol)
{
	GArray *slots = g_array_new(FALSE, TRUE, sizeof(struct tls_slot));
	struct dynamic dynamic;
	Elf_Scn *scn = NULL;

	while (tls_supported(elf) && (scn = elf_nextscn(elf, scn))) {
		struct symbols symbols = { 0 };
		Elf_Data *relocs;
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_RELA ||
		    !(shdr.sh_flags & SHF_ALLOC) || !(relocs = elf_getdata(scn, NULL)))
			continue;
		if (elf_getscn(elf, shdr.sh_link))
			read_symbols(elf, elf_getscn(elf, shdr.sh_link), &symbols);
		add_slots(relocs, &symbols, name, symbol, slots);
	}
	if (tls_supported(elf) && dynamic_find(elf, &dynamic)) {
		struct symbols symbols;

		use_dynamic(elf, &dynamic, &symbols);
		for (u32 i = 0; i < ARRAY_SIZE(dynamic.relocs); i++) {
			if (dynamic.relocs[i])
				add_slots(dynamic.relocs[i], &symbols, name, symbol, slots);
		}
	}
	return slots;
}

bool tls_read_image(Elf *elf, u64 vaddr, void *to, size_t size)
{
	size_t nr;

	if (elf_getphdrnum(elf, &nr) != 0)
		return false;
	for (size_t i = 0; i < nr; i++) {
		Elf_Data *data;
		GElf_Phdr phdr;

		if (!gelf_getphdr(elf, (int)i, &phdr) || phdr.p_type != PT_LOAD ||
		    vaddr < phdr.p_vaddr || phdr.p_filesz < size ||
		    vaddr - phdr.p_vaddr > phdr.p_filesz - size)
			continue;
		data = elf_getdata_rawchunk(elf, (s64)(phdr.p_offset + (vaddr - phdr.p_vaddr)),
					    size, ELF_T_BYTE);
		if (!data || data->d_size != size)
			return false;
		memcpy(to, data->d_buf, size);
		return true;
	}
	return false;
}

bool tls_find_object(Elf *elf, const char *name, u64 *vaddr)
{
	GElf_Sym sym;

	if (!find_in_table(elf, SHT_DYNSYM, STT_OBJECT, name, &sym) &&
	    !find_in_table(elf, SHT_SYMTAB, STT_OBJECT, name, &sym))
		return false;
	*vaddr = sym.st_value;
	return true;
}

/*
 * The offset of a field that is one word of @bits bits, or of any size if @bits is 0. False for offsets above 64 KiB.
 */
static bool find_field(Elf *elf, const char *name, u32 bits, u32 *offset)
{
	u32 field[3];
	GElf_Sym sym;

	if (!find_in_table(elf, SHT_DYNSYM, STT_OBJECT, name, &sym) ||
	    sym.st_size != sizeof(field) ||
	    !tls_read_image(elf, sym.st_value, field, sizeof(field)))
		return false;
	if ((bits && (field[0] != bits || field[1] != 1)) || field[2] > 65536)
		return false;
	*offset = field[2];
	return true;
}

static bool find_size(Elf *elf, const char *name, u32 *size)
{
	GElf_Sym sym;

	return find_in_table(elf, SHT_DYNSYM, STT_OBJECT, name, &sym) &&
	       sym.st_size == sizeof(*size) &&
	       tls_read_image(elf, sym.st_value, size, sizeof(*size)) && *size >= 8 &&
	       *size <= 4096;
}

bool tls_find_libc(Elf *elf, struct tls_libc *libc)
{
	*libc = (struct tls_libc){ 0 };
	if (!tls_supported(elf) ||
	    !find_field(elf, "_thread_db_link_map_l_tls_offset", 64, &libc->tls_offset) ||
	    !find_field(elf, "_thread_db_link_map_l_tls_modid", 64, &libc->tls_modid))
		return false;
	libc->has_modules =
		find_field(elf, "_thread_db_rtld_global__dl_tls_dtv_slotinfo_list", 64,
			   &libc->rtld_list) &&
		find_field(elf, "_thread_db_dtv_slotinfo_list_len", 64, &libc->list_len) &&
		find_field(elf, "_thread_db_dtv_slotinfo_list_next", 64, &libc->list_next) &&
		find_field(elf, "_thread_db_dtv_slotinfo_list_slotinfo", 0, &libc->list_slotinfo) &&
		find_field(elf, "_thread_db_dtv_slotinfo_gen", 64, &libc->slotinfo_gen) &&
		find_size(elf, "_thread_db_sizeof_dtv_slotinfo", &libc->slotinfo_size);
	return true;
}
