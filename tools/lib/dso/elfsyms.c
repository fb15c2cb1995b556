// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/elfsyms.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cursor.h"
#include "dso/dynamic.h"
#include "dso/frame_entries.h"
#include "insn/x86-call.h"

/* A string table. Its last byte is NUL, so each offset below size is a terminated string. */
struct names {
	const char *bytes;
	size_t size;
};

static struct names names_of(const struct image *image, u32 index)
{
	struct names names = { 0 };
	Elf_Scn *scn = elf_getscn(image->elf, index);
	GElf_Shdr shdr;

	if (!scn || !gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_STRTAB)
		return names;
	names.bytes = (const char *)image_section_bytes(scn, &names.size);
	while (names.size && names.bytes[names.size - 1])
		names.size--;
	return names;
}

static const char *name_at(const struct names *names, u64 offset)
{
	return offset < names->size ? names->bytes + offset : "";
}

/* A symbol table: a section, or for a file without sections the one of PT_DYNAMIC. */
struct symbol_rows {
	Elf_Data *data;
	size_t nr;
	struct names names;
	bool sectionless;
};

static bool find_table(const struct image *image, u32 sh_type, struct symbol_rows *table)
{
	size_t entry = gelf_fsize(image->elf, ELF_T_SYM, 1, EV_CURRENT);
	GElf_Shdr shdr;
	Elf_Scn *scn = image_section_of_type(image, sh_type, &shdr);
	struct dynamic d;

	*table = (struct symbol_rows){ 0 };
	if (scn && entry) {
		table->data = elf_getdata(scn, NULL);
		table->nr = table->data && table->data->d_buf ? table->data->d_size / entry : 0;
		table->names = names_of(image, shdr.sh_link);
	} else if (sh_type == SHT_DYNSYM && dynamic_find(image->elf, &d)) {
		*table = (struct symbol_rows){
			d.symbols, d.nr_symbols, { d.names, d.names_size }, true
		};
	}
	table->nr = MIN(table->nr, INT32_MAX);
	return table->nr;
}

/*
 * By section: 0: no symbols of it are accepted; 1: symbols, but no labels (STT_NOTYPE); 2: labels, too, by the section's
 * name as in upstream perf. Without section headers, names are unknown, so it is 1. NULL: the headers are damaged.
 */
static u8 *accepted_by_section(const struct image *image, bool sectionless, size_t *nr)
{
	size_t names;
	u8 *accepted;

	if (sectionless) {
		*nr = SHN_LORESERVE;
		return memset(g_malloc(*nr), 1, *nr);
	}
	if (elf_getshdrnum(image->elf, nr) < 0)
		return NULL;
	accepted = g_malloc0(*nr + 1);
	if (elf_getshdrstrndx(image->elf, &names) < 0)
		return accepted;
	for (size_t i = 1; i < *nr; i++) {
		GElf_Shdr shdr;
		const char *name;

		if (!gelf_getshdr(elf_getscn(image->elf, i), &shdr) || !(shdr.sh_flags & SHF_ALLOC))
			continue;
		name = elf_strptr(image->elf, names, shdr.sh_name);
		accepted[i] = 1;
		if (name && (strstr(name, "text") || strstr(name, "data")))
			accepted[i] = 2;
	}
	return accepted;
}

/* The assembler's mapping symbols: "$a", "$d" on ARM and AArch64, ".L" on RISC-V. */
static bool is_mapping_symbol(u16 machine, const char *name)
{
	switch (machine) {
	case EM_ARM:
	case EM_AARCH64:
		return name[0] == '$' && strchr("adtx", name[1]) && (!name[2] || name[2] == '.');
	case EM_RISCV:
		return name[0] == '$' || !strncmp(name, ".L", 2);
	default:
		return false;
	}
}

static bool is_wanted(const struct image *image, const GElf_Sym *sym, const char *name, u8 section)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		break;
	case STT_NOTYPE:
		if (section != 2 || GELF_ST_VISIBILITY(sym->st_other) == STV_HIDDEN ||
		    GELF_ST_VISIBILITY(sym->st_other) == STV_INTERNAL)
			return false;
		break;
	default:
		return false;
	}
	return section && name[0] && !is_mapping_symbol(image->ehdr.e_machine, name);
}

u32 elfsyms_add(struct symtab *t, const struct image *image, u32 sh_type, const u64 *section_base,
		u32 nr_sections)
{
	g_autofree u8 *accepted = NULL;
	size_t nr_shdrs = 0;
	struct symbol_rows table;
	u32 added = 0;

	if (!find_table(image, sh_type, &table) ||
	    !(accepted = accepted_by_section(image, table.sectionless, &nr_shdrs)))
		return 0;
	for (size_t i = 1; i < table.nr; i++) {
		GElf_Sym sym;
		const char *name;
		u64 base = 0;

		/* SHN_XINDEX and the reserved indices are above every real index. */
		if (!gelf_getsym(table.data, i, &sym) || sym.st_shndx == SHN_UNDEF ||
		    sym.st_shndx >= MIN(nr_shdrs, SHN_LORESERVE))
			continue;
		name = name_at(&table.names, sym.st_name);
		if (!is_wanted(image, &sym, name, accepted[sym.st_shndx]))
			continue;
		if (section_base) {
			base = sym.st_shndx < nr_sections ? section_base[sym.st_shndx] : UINT64_MAX;
			if (base == UINT64_MAX)
				continue;
		}
		if (image->ehdr.e_machine == EM_ARM && GELF_ST_TYPE(sym.st_info) == STT_FUNC)
			sym.st_value &= ~1ULL;
		symtab_add(t, base + sym.st_value, sym.st_size, name, GELF_ST_TYPE(sym.st_info),
			   GELF_ST_BIND(sym.st_info));
		added++;
	}
	return added;
}

/* The slots of the GOT, with the name of the symbol bound to each. */
struct got {
	const struct image *image;
	GHashTable *names; /* u64 * -> char * */
	GHashTable *funcs; /* u64 * -> const char *, for ifuncs; NULL: not yet read */
};

static void index_functions(struct got *got, u32 sh_type)
{
	struct symbol_rows table;

	find_table(got->image, sh_type, &table);
	for (size_t i = 1; i < table.nr; i++) {
		GElf_Sym sym;

		if (!gelf_getsym(table.data, i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_GNU_IFUNC)
			continue;
		if (!g_hash_table_contains(got->funcs, &sym.st_value))
			g_hash_table_insert(got->funcs, g_memdup2(&sym.st_value, sizeof(u64)),
					    (void *)name_at(&table.names, sym.st_name));
	}
}

static char *ifunc_name(struct got *got, u64 resolver)
{
	const char *name;

	if (!got->funcs) {
		got->funcs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
		index_functions(got, SHT_SYMTAB);
		index_functions(got, SHT_DYNSYM);
	}
	name = g_hash_table_lookup(got->funcs, &resolver);
	return name && name[0] ? g_strdup(name)
			       : g_strdup_printf("*ABS*+0x%" G_GINT64_MODIFIER "x", resolver);
}

static bool is_irelative(u16 machine, u32 type)
{
	return (machine == EM_X86_64 && type == R_X86_64_IRELATIVE) ||
	       (machine == EM_386 && type == R_386_IRELATIVE) ||
	       (machine == EM_AARCH64 && type == R_AARCH64_IRELATIVE);
}

static void got_add_section(struct got *got, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	bool rela = shdr->sh_type == SHT_RELA;
	size_t entry = gelf_fsize(got->image->elf, rela ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);
	size_t sym_entry = gelf_fsize(got->image->elf, ELF_T_SYM, 1, EV_CURRENT);
	Elf_Data *data = elf_getdata(scn, NULL), *syms = NULL;
	Elf_Scn *sym_scn = elf_getscn(got->image->elf, shdr->sh_link);
	struct names names = { 0 };
	GElf_Shdr sym_shdr;

	if (sym_scn && gelf_getshdr(sym_scn, &sym_shdr) &&
	    (sym_shdr.sh_type == SHT_DYNSYM || sym_shdr.sh_type == SHT_SYMTAB)) {
		syms = elf_getdata(sym_scn, NULL);
		names = names_of(got->image, sym_shdr.sh_link);
	}
	if (!data || !data->d_buf || !entry || !sym_entry)
		return;
	for (size_t i = 0; i < data->d_size / entry && i < INT32_MAX; i++) {
		GElf_Rela r = { 0 };
		GElf_Rel rel;
		GElf_Sym sym;
		char *name = NULL;

		if (rela ? !gelf_getrela(data, i, &r) : !gelf_getrel(data, i, &rel))
			continue;
		if (!rela)
			r = (GElf_Rela){ .r_offset = rel.r_offset, .r_info = rel.r_info };
		if (is_irelative(got->image->ehdr.e_machine, GELF_R_TYPE(r.r_info)))
			name = rela ? ifunc_name(got, r.r_addend) : NULL;
		else if (syms && syms->d_buf && GELF_R_SYM(r.r_info) &&
			 GELF_R_SYM(r.r_info) < syms->d_size / sym_entry &&
			 gelf_getsym(syms, GELF_R_SYM(r.r_info), &sym))
			name = g_strdup(name_at(&names, sym.st_name));
		if (name && name[0])
			g_hash_table_replace(got->names, g_memdup2(&r.r_offset, sizeof(u64)), name);
		else
			g_free(name);
	}
}

static void got_fill(struct got *got)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(got->image->elf, scn))) {
		GElf_Shdr shdr;

		if (gelf_getshdr(scn, &shdr) && shdr.sh_flags & SHF_ALLOC &&
		    (shdr.sh_type == SHT_RELA || shdr.sh_type == SHT_REL))
			got_add_section(got, scn, &shdr);
	}
}

/* The address of the slot that the stub of @size bytes at @vaddr jumps through, or 0. */
static u64 slot_x86(const u8 *code, size_t size, u64 vaddr, bool is_64, u64 got_base)
{
	for (size_t i = 0; i + 6 <= size; i++) {
		s32 disp;

		if (code[i] != 0xff || (code[i + 1] != 0x25 && code[i + 1] != 0xa3))
			continue;
		memcpy(&disp, code + i + 2, sizeof(disp));
		if (code[i + 1] == 0xa3)
			return is_64 ? 0 : got_base + disp;
		return is_64 ? vaddr + i + 6 + disp : (u32)disp;
	}
	return 0;
}

/* adrp x16, PAGE; ldr x17, [x16, LOW]: possibly after a bti. */
static u64 slot_aarch64(const u8 *code, size_t size, u64 vaddr)
{
	for (size_t i = 0; i + 8 <= size; i += 4) {
		u32 adrp, ldr;
		u64 page;

		memcpy(&adrp, code + i, sizeof(adrp));
		memcpy(&ldr, code + i + 4, sizeof(ldr));
		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		page = (u64)(((s64)((u64)(adrp >> 5 & 0x7ffff) << 45) >> 31) | (adrp >> 29 & 3)
										       << 12);
		return ((vaddr + i) & ~0xfffULL) + page + (u64)(ldr >> 10 & 0xfff) * 8;
	}
	return 0;
}

static u64 stub_slot(const struct got *got, const u8 *code, size_t size, u64 vaddr, u64 got_base)
{
	switch (got->image->ehdr.e_machine) {
	case EM_X86_64:
		return slot_x86(code, size, vaddr, true, got_base);
	case EM_386:
		return slot_x86(code, size, vaddr, false, got_base);
	case EM_AARCH64:
		return slot_aarch64(code, size, vaddr);
	default:
		return 0;
	}
}

/* Before .plt.sec and .plt.got, sh_entsize was sometimes wrong or absent. */
static u64 stub_size(const struct image *image, const char *section, const GElf_Shdr *shdr)
{
	if (shdr->sh_entsize >= 8 && shdr->sh_entsize <= 64)
		return shdr->sh_entsize;
	return !strcmp(section, ".plt.got") && image->ehdr.e_machine != EM_AARCH64 ? 8 : 16;
}

static void add_stubs(struct symtab *t, struct got *got, const char *section, u64 got_base)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = image_section(got->image, section, &shdr);
	u64 step, head = 0;
	const u8 *code;
	size_t size;

	if (!scn || !(code = image_section_bytes(scn, &size)))
		return;
	step = stub_size(got->image, section, &shdr);
	for (u64 at = 0; at + step <= size; at += step) {
		u64 slot = stub_slot(got, code + at, step, shdr.sh_addr + at, got_base);
		const char *name = slot ? g_hash_table_lookup(got->names, &slot) : NULL;
		g_autofree char *stub = name ? g_strconcat(name, "@plt", NULL) : NULL;

		if (stub)
			symtab_add(t, shdr.sh_addr + at, step, symtab_text(t, stub), STT_FUNC,
				   STB_GLOBAL);
		else if (at == head)
			head += step;
	}
	if (head && !strcmp(section, ".plt"))
		symtab_add(t, shdr.sh_addr, head, ".plt", STT_FUNC, STB_GLOBAL);
}

void elfsyms_add_plt(struct symtab *t, const struct image *image)
{
	struct got got = { .image = image };
	u64 got_base = 0;
	GElf_Shdr shdr;

	if (!image_section(image, ".plt", &shdr) && !image_section(image, ".plt.got", &shdr) &&
	    !image_section(image, ".plt.sec", &shdr))
		return;
	if (image_section(image, ".got.plt", &shdr) || image_section(image, ".got", &shdr))
		got_base = shdr.sh_addr;
	got.names = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	got_fill(&got);
	add_stubs(t, &got, ".plt", got_base);
	add_stubs(t, &got, ".plt.sec", got_base);
	add_stubs(t, &got, ".plt.got", got_base);
	g_hash_table_destroy(got.names);
	if (got.funcs)
		g_hash_table_destroy(got.funcs);
}

static bool exports(const struct symbol_rows *table, const char *name)
{
	GElf_Sym sym;

	for (size_t i = 0; i < table->nr && gelf_getsym(table->data, (int)i, &sym); i++)
		if (sym.st_shndx != SHN_UNDEF && !strcmp(name_at(&table->names, sym.st_name), name))
			return true;
	return false;
}

/* The address of @landing's bytes in the code; 0: they are not there. */
static u64 find_landing(const struct image *image, const struct x86_landing *landing)
{
	for (u32 i = 0; i < image->nr_segments; i++) {
		const struct segment *g = &image->segments[i];
		size_t left = 0;
		const u8 *bytes = g->flags & PF_X ? image_constant_at(image, g->vaddr, &left)
						  : NULL;
		const u8 *found = bytes ? memmem(bytes, left, landing->bytes, landing->size) : NULL;

		if (found)
			return g->vaddr + (u64)(found - bytes);
	}
	return 0;
}

void elfsyms_add_landings(struct symtab *t, const struct image *image)
{
	struct symbol_rows table;
	u64 vaddr;

	if (image->ehdr.e_machine != EM_X86_64 || !find_table(image, SHT_DYNSYM, &table))
		return;
	for (u32 i = 0; i < X86_NR_LANDINGS; i++) {
		const struct x86_landing *l = &x86_landings[i];

		vaddr = exports(&table, l->exported) ? find_landing(image, l) : 0;
		if (vaddr)
			symtab_add(t, vaddr, l->size, l->name, STT_FUNC, STB_LOCAL);
	}
}

void elfsyms_add_unnamed(struct symtab *t, const struct symtab *named, const struct image *image)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = image_section(image, ".eh_frame", &shdr);
	struct frame_section s = { .eh = true };
	u64 at = 0;

	s.bytes = scn ? image_section_bytes(scn, &s.size) : NULL;
	if (!s.bytes)
		return;
	s.vaddr = shdr.sh_addr;
	s.narrow = image->ehdr.e_ident[EI_CLASS] == ELFCLASS32;
	do {
		struct fde fde;
		char name[sizeof(SYMBOL_UNNAMED "0x") + 16];

		if (!fde_read(&s, at, &fde) || symtab_find(named, fde.low))
			continue;
		snprintf(name, sizeof(name), SYMBOL_UNNAMED "%#" PRIx64, fde.low);
		symtab_add(t, fde.low, fde.size, symtab_text(t, name), STT_FUNC, STB_LOCAL);
	} while ((at = frame_entry_next(&s, at)));
}
