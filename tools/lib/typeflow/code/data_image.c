// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What lies at an address of an object file. Three sources: section headers (the kind of memory), relocations (the
 * value that the dynamic linker writes into a slot), debug information (the variable).
 *
 *	extern int shared;
 *	extern __thread long per_thread;
 *	long both(void) { return per_thread + shared; }		gcc -O2 -fPIC
 *
 *	mov    0x2ed8(%rip),%rax	# 3fe0		from the GOT: the address of shared
 *	movslq (%rax),%rbx
 *	lea    0x2ead(%rip),%rdi	# 3fc0		two slots of the GOT: module, offset
 *	call   __tls_get_addr@plt
 *	add    (%rax),%rbx
 *
 *	relocation			struct reloc_slot
 *	3db8 RELATIVE 1130		ADDRESS, vaddr 1130, no symbol; 1130 is code, so it is in @pointed, too
 *	3fc0 DTPMOD64 per_thread	TLS_MODULE, symbol "per_thread", elsewhere
 *	3fc8 DTPOFF64 per_thread	none: the slot before it tells the variable
 *	3fe0 GLOB_DAT shared		ADDRESS, vaddr 0, symbol "shared", elsewhere
 *
 * "elsewhere": another object defines the symbol. Its address is not known, but this object's debug information may
 * declare its type (data_image_declared()).
 *
 * Limits: only relocations of SHT_RELA sections that are loaded are read, not the packed ones of SHT_RELR. Types of
 * relocations that are not listed in add_reloc() give no slot. For a place without a slot, callers read the bytes of
 * the file.
 */
#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "base/search.h"
#include "dwarf/library.h"
#include "typeflow/code/data_image.h"

#define MAX_SECTIONS 4096
#define MAX_RELOCS   (1 << 22)

struct section {
	u64 low, high; /* vaddr; @high is behind the last byte */
	u8 kind;       /* enum data_image_kind, never IMAGE_NOTHING */
};

struct data_image {
	struct dso *dso;
	struct debuginfo *debug;
	bool kernel, fixed;
	u64 externals, externals_end; /* addresses for a kernel module's undefined symbols */
	bool relocs_read;
	struct tls_segment tls;
	bool has_tls;
	GArray *sections; /* struct section, sorted */
	GArray *slots; /* struct reloc_slot, sorted by at: those that the file has in this order, nearly all */
	GArray *late_slots;  /* struct reloc_slot, sorted by at: the others */
	GArray *pointed;     /* u64, sorted */
	GArray *branches;    /* struct table_branch, sorted by code */
	GHashTable *globals; /* struct remembered *, by address and asking unit */
};

/* An entry of the kernel's __jump_table. */
struct table_branch {
	u64 code, target;
};

/* A result of data_image_global(). Also remembered if there is no variable: then global.type is NULL. */
struct remembered {
	u64 vaddr;
	u32 unit; /* of the asking code: it may declare the variable with another type */
	struct global global;
};

static u32 hash_remembered(const void *p)
{
	const struct remembered *r = p;

	return (u32)(r->vaddr ^ r->vaddr >> 32) + r->unit * 0x9e3779b1u;
}

static int equal_remembered(const void *pa, const void *pb)
{
	const struct remembered *a = pa, *b = pb;

	return a->vaddr == b->vaddr && a->unit == b->unit;
}

static int compare_sections(const void *pa, const void *pb)
{
	const struct section *a = pa, *b = pb;

	return a->low < b->low ? -1 : a->low > b->low;
}

/*
 * By flags, and by names where the flags are not enough: .got and .data.rel.ro have the flags of .data, since the
 * dynamic linker writes to them.
 */
static u8 section_kind(const GElf_Shdr *header, const char *name)
{
	if (header->sh_flags & SHF_EXECINSTR)
		return IMAGE_CODE;
	if (name && g_str_has_prefix(name, ".got"))
		return IMAGE_GOT;
	if (name && strstr(name, "percpu"))
		return IMAGE_PERCPU;
	if (name && g_str_has_prefix(name, ".data.rel.ro"))
		return IMAGE_RELOCATED;
	return header->sh_flags & SHF_WRITE ? IMAGE_DATA : IMAGE_CONSTANT;
}

static int compare_branches(const void *pa, const void *pb)
{
	const struct table_branch *a = pa, *b = pb;

	return a->code < b->code ? -1 : a->code > b->code;
}

/* An entry: two distances, each relative to its own address, and a key (include/linux/jump_label.h, since 4.19). */
static void read_branches(struct data_image *image, u64 start, u64 size)
{
	const u32 entry = 16;
	size_t left;
	const u8 *bytes = dso_code(image->dso, start, &left);

	for (u64 at = 0; bytes && at + entry <= MIN(size, left); at += entry) {
		struct table_branch branch;
		s32 code, target;

		memcpy(&code, bytes + at, 4);
		memcpy(&target, bytes + at + 4, 4);
		branch.code = start + at + (u64)(s64)code;
		branch.target = start + at + 4 + (u64)(s64)target;
		g_array_append_val(image->branches, branch);
	}
	g_array_sort(image->branches, compare_branches);
}

/* The kernel has its table inside of its data, between two symbols. */
static void find_branches(struct data_image *image)
{
	const struct symbol *start = dso_symbol_named(image->dso, "__start___jump_table");
	const struct symbol *stop = dso_symbol_named(image->dso, "__stop___jump_table");

	if (start && stop && stop->start > start->start)
		read_branches(image, start->start, stop->start - start->start);
}

/* The caller holds the dso's lock. */
static void read_sections(struct data_image *image)
{
	Elf *elf = dso_elf(image->dso);
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Ehdr ehdr;

	if (!elf || elf_getshdrstrndx(elf, &names) != 0 || !gelf_getehdr(elf, &ehdr))
		return;
	image->fixed = ehdr.e_type == ET_EXEC || image->kernel;
	while ((scn = elf_nextscn(elf, scn)) && image->sections->len < MAX_SECTIONS) {
		GElf_Shdr header;
		struct section section;
		const char *name;

		if (!gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    (header.sh_flags & SHF_TLS) || !header.sh_size)
			continue;
		section.low = header.sh_addr;
		if (__builtin_add_overflow(header.sh_addr, header.sh_size, &section.high))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		section.kind = section_kind(&header, name);
		if (image->kernel && !g_strcmp0(name, "__jump_table"))
			read_branches(image, header.sh_addr, header.sh_size);
		g_array_append_val(image->sections, section);
	}
	if (dso_externals(image->dso, &image->externals, &image->externals_end)) {
		struct section section = { image->externals, image->externals_end, IMAGE_DATA };

		g_array_append_val(image->sections, section);
	}
	g_array_sort(image->sections, compare_sections);
	image->has_tls = tls_find_segment(elf, &image->tls);
}

struct data_image *data_image_new(struct dso *dso, struct debuginfo *debug, bool kernel)
{
	struct data_image *image = g_new0(struct data_image, 1);

	image->dso = dso;
	image->debug = debug;
	image->kernel = kernel;
	image->sections = g_array_new(false, false, sizeof(struct section));
	image->slots = g_array_new(false, false, sizeof(struct reloc_slot));
	image->late_slots = g_array_new(false, false, sizeof(struct reloc_slot));
	image->pointed = g_array_new(false, false, sizeof(u64));
	image->branches = g_array_new(false, false, sizeof(struct table_branch));
	image->globals = g_hash_table_new_full(hash_remembered, equal_remembered, g_free, NULL);
	dso_lock(dso);
	read_sections(image);
	dso_unlock(dso);
	if (kernel && !image->branches->len)
		find_branches(image);
	return image;
}

void data_image_free(struct data_image *image)
{
	if (!image)
		return;
	g_array_unref(image->sections);
	g_array_unref(image->slots);
	g_array_unref(image->late_slots);
	g_array_unref(image->pointed);
	g_array_unref(image->branches);
	g_hash_table_unref(image->globals);
	g_free(image);
}

enum data_image_kind data_image_kind(const struct data_image *image, u64 vaddr)
{
	u32 low = SEARCH(i, 0, image->sections->len,
			 g_array_index(image->sections, struct section, i).low <= vaddr);

	if (!low || g_array_index(image->sections, struct section, low - 1).high <= vaddr)
		return IMAGE_NOTHING;
	return g_array_index(image->sections, struct section, low - 1).kind;
}

bool data_image_code(const struct data_image *image, u32 nth, u64 *low, u64 *high)
{
	for (u32 i = 0; i < image->sections->len; i++) {
		const struct section *section = &g_array_index(image->sections, struct section, i);

		if (section->kind != IMAGE_CODE || nth--)
			continue;
		*low = section->low;
		*high = section->high;
		return true;
	}
	return false;
}

bool data_image_is_fixed(const struct data_image *image)
{
	return image->fixed;
}

static int compare_slots(const void *pa, const void *pb)
{
	const struct reloc_slot *a = pa, *b = pb;

	return a->at < b->at ? -1 : a->at > b->at;
}

static int compare_u64(const void *pa, const void *pb)
{
	const u64 *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/*
 * ld writes the RELATIVE relocations of .rela.dyn by address, then those with a symbol. So nearly all are in order, and
 * only the others need to be sorted:
 *
 *	3db8 3dc0 4000 | 3fc0 3fe0 4020		slots: 3db8 3dc0 4000 4020	late_slots: 3fc0 3fe0
 */
static void add_slot(struct data_image *image, struct reloc_slot slot)
{
	u32 nr = image->slots->len;

	if (nr && slot.at < g_array_index(image->slots, struct reloc_slot, nr - 1).at)
		g_array_append_val(image->late_slots, slot);
	else
		g_array_append_val(image->slots, slot);
}

/* Many slots in a row may point to the same code. */
static void add_pointed(struct data_image *image, u64 value)
{
	u32 nr = image->pointed->len;

	if (!nr || g_array_index(image->pointed, u64, nr - 1) != value)
		g_array_append_val(image->pointed, value);
}

/*
 * The value that the slot gets is S + A (System V ABI for x86-64, section 4.4): the symbol's value and the addend. For
 * a symbol of another object, S is not known, so the vaddr is only the addend. A thread-local's S is its offset in the
 * TLS block.
 */
static void add_reloc(struct data_image *image, const GElf_Rela *rela, const GElf_Sym *symbol,
		      const char *name)
{
	struct reloc_slot slot = { .at = rela->r_offset, .symbol = name };
	bool local = symbol && symbol->st_shndx != SHN_UNDEF;
	u64 value = (local ? symbol->st_value : 0) + (u64)rela->r_addend;

	slot.vaddr = value;
	slot.elsewhere = symbol && !local;
	switch (GELF_R_TYPE(rela->r_info)) {
	case R_X86_64_RELATIVE:
		slot.symbol = NULL;
		slot.elsewhere = false;
		/* fallthrough */
	case R_X86_64_64:
	case R_X86_64_GLOB_DAT:
	case R_X86_64_JUMP_SLOT:
		slot.kind = SLOT_ADDRESS;
		break;
	case R_X86_64_TPOFF64:
		slot.kind = SLOT_TPOFF;
		break;
	case R_X86_64_DTPMOD64:
		slot.kind = SLOT_TLS_MODULE;
		break;
	case R_X86_64_TLSDESC:
		slot.kind = SLOT_TLSDESC;
		break;
	default:
		return;
	}
	if (slot.kind == SLOT_ADDRESS && !slot.elsewhere &&
	    data_image_kind(image, value) == IMAGE_CODE)
		add_pointed(image, value);
	add_slot(image, slot);
}

static void read_reloc_section(struct data_image *image, Elf *elf, Elf_Scn *scn,
			       const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(scn, NULL), *symbols = NULL;
	Elf_Scn *symtab = elf_getscn(elf, header->sh_link);
	GElf_Shdr table = { 0 };
	size_t nr = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;

	if (symtab && gelf_getshdr(symtab, &table) && table.sh_type == SHT_DYNSYM)
		symbols = elf_getdata(symtab, NULL);
	for (size_t i = 0;
	     data && i < nr && image->slots->len + image->late_slots->len < MAX_RELOCS; i++) {
		GElf_Rela rela;
		GElf_Sym sym;
		u64 index;
		bool named;

		if (!gelf_getrela(data, (int)i, &rela))
			return;
		index = GELF_R_SYM(rela.r_info);
		named = index && symbols && gelf_getsym(symbols, (int)index, &sym);
		add_reloc(image, &rela, named ? &sym : NULL,
			  named ? elf_strptr(elf, table.sh_link, sym.st_name) : NULL);
	}
}

static void read_relocs(struct data_image *image)
{
	Elf *elf = dso_elf(image->dso);
	Elf_Scn *scn = NULL;

	image->relocs_read = true;
	/* Relocations of the kernel and its modules are for the linker, not for a running program. */
	if (!elf || image->kernel)
		return;
	dso_lock(image->dso);
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header;

		if (gelf_getshdr(scn, &header) && header.sh_type == SHT_RELA &&
		    header.sh_flags & SHF_ALLOC)
			read_reloc_section(image, elf, scn, &header);
	}
	dso_unlock(image->dso);
	g_array_sort(image->late_slots, compare_slots);
	g_array_sort(image->pointed, compare_u64);
}

static const struct reloc_slot *find_slot(const GArray *sorted, u64 vaddr)
{
	const struct reloc_slot *slots = (const struct reloc_slot *)sorted->data;
	u32 at = SEARCH(i, 0, sorted->len, slots[i].at < vaddr);

	return at < sorted->len && slots[at].at == vaddr ? &slots[at] : NULL;
}

const struct reloc_slot *data_image_slot(struct data_image *image, u64 vaddr)
{
	if (!image->relocs_read)
		read_relocs(image);
	return find_slot(image->slots, vaddr) ?: find_slot(image->late_slots, vaddr);
}

const u64 *data_image_pointed(struct data_image *image, u64 from, u64 to, u32 *nr)
{
	const u64 *pointed;
	u32 first;

	if (!image->relocs_read)
		read_relocs(image);
	pointed = (const u64 *)image->pointed->data;
	first = SEARCH(i, 0, image->pointed->len, pointed[i] < from);
	*nr = SEARCH(i, first, image->pointed->len, pointed[i] < to) - first;
	return *nr ? &pointed[first] : NULL;
}

u64 data_image_branch(const struct data_image *image, u64 vaddr)
{
	const struct table_branch *branches = (const struct table_branch *)image->branches->data;
	u32 at = SEARCH(i, 0, image->branches->len, branches[i].code < vaddr);

	return at < image->branches->len && branches[at].code == vaddr ? branches[at].target : 0;
}

/* Without its version: copies of another object's variables are "stderr@GLIBC_2.2.5" in the symbol table. */
static char *plain_name(const struct symbol *symbol)
{
	return symbol ? g_strndup(symbol->raw, strcspn(symbol->raw, "@")) : NULL;
}

/*
 * A variable of the C library: a copy (R_X86_64_COPY), or the variable itself in a program that is linked statically.
 * A variable of another size only has the same name.
 */
static const struct type *library_copy(struct data_image *image, const struct symbol *symbol,
				       const char *name)
{
	const struct type *type = library_variable(image->debug, name);

	return type && symbol->end - symbol->start == type->size ? type : NULL;
}

/*
 * The symbol at the address helps in two cases. A variable of another object that was copied into .bss (R_X86_64_COPY)
 * has no definition in this object's debug information, only a declaration by name. A kernel module's undefined symbols
 * have invented addresses (@externals); there the name is all that is known.
 */
struct global data_image_global(struct data_image *image, u64 vaddr, const struct asker *asker)
{
	g_autofree char *name = NULL;
	struct remembered key = { .vaddr = vaddr, .unit = asker->unit };
	struct remembered *known = g_hash_table_lookup(image->globals, &key);
	const struct symbol *symbol;
	const struct variable *variable;

	if (known)
		return known->global;
	known = g_memdup2(&key, sizeof(key));
	g_hash_table_add(image->globals, known);
	if (!image->debug)
		return known->global;
	symbol = dso_find_symbol(image->dso, vaddr);
	name = plain_name(symbol);
	if (vaddr >= image->externals && vaddr < image->externals_end) {
		known->global.type = name ? data_image_declared(image, name, asker->vaddr) : NULL;
		known->global.start = symbol ? symbol->start : 0;
		return known->global;
	}
	variable = debuginfo_global(image->debug, vaddr, asker->vaddr, name,
				    symbol ? symbol->start : 0, &known->global.start);
	if (variable) {
		known->global.type = variable->type;
		known->global.guessed = variable->guessed;
	} else if (symbol && name) {
		known->global.type = library_copy(image, symbol, name);
		known->global.start = known->global.type ? symbol->start : 0;
	}
	return known->global;
}

struct global data_image_thread_local(struct data_image *image, u64 offset, u64 from)
{
	struct global global = { 0 };
	const struct variable *variable;

	if (!image->debug)
		return global;
	variable = debuginfo_thread_local(image->debug, offset, from, NULL, offset, &global.start);
	if (!variable && image->has_tls) {
		/* gcc 12's split units give the address in the TLS template instead. */
		variable = debuginfo_thread_local(image->debug, offset + image->tls.vaddr, from,
						  NULL, 0, &global.start);
		global.start -= image->tls.vaddr;
	}
	if (variable)
		global.type = variable->type;
	return global;
}

s64 data_image_tls_base(const struct data_image *image)
{
	return image->has_tls ? -tls_main_tpoff(&image->tls, 0) : 0;
}

const struct type *data_image_declared(struct data_image *image, const char *symbol, u64 from)
{
	const struct variable *variable;
	u64 start;

	if (!image->debug || !symbol)
		return NULL;
	/* No variable lies at UINT64_MAX, so only a declaration can be found. */
	variable = debuginfo_global(image->debug, UINT64_MAX, from, symbol, UINT64_MAX, &start);
	return variable ? variable->type : library_variable(image->debug, symbol);
}

const struct type *data_image_declared_thread_local(struct data_image *image, const char *symbol,
						    u64 from)
{
	const struct variable *variable;
	u64 start;

	if (!image->debug || !symbol)
		return NULL;
	variable =
		debuginfo_thread_local(image->debug, UINT64_MAX, from, symbol, UINT64_MAX, &start);
	return variable ? variable->type : NULL;
}
