// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PT_DYNAMIC states the address of the symbol table (DT_SYMTAB), but not the number of symbols. Three tables refer to
 * symbols by index:
 *
 *   DT_HASH      states the number of its chain entries. There is one per symbol, so this is exact.
 *   DT_GNU_HASH  has the defined symbols only, and they are the last in the symbol table. A bucket has the index of its
 *                first symbol, and a set bit 0 ends a chain. So the end of the chain with the largest index is the end
 *                of the symbol table. Without any defined symbol, linkers write an empty table, whatever the number of
 *                undefined symbols.
 *   relocations  have the indices of the undefined symbols.
 *
 * The number is the largest index in them, plus 1.
 */
#include "dso/dynamic.h"

#include <glib.h>

/*
 * libelf reads a file without a mapping as a whole. It copies a table of another byte order, and keeps each copy until
 * elf_end(). Callers search a file several times. These limits bound the memory that a hostile file costs.
 */
#define MAX_FILE    (512u << 20)
#define MAX_COPY    (16u << 20)
#define MAX_DYNAMIC (1u << 20)
#define MAX_CHAIN   (1u << 20) /* symbols with the same hash, about */

struct file {
	Elf *elf;
	const char *bytes;
	size_t size;
	GElf_Ehdr ehdr;
	/* Values of the DT_ entries; 0: no such entry. */
	u64 symtab, syment, strtab, strsz, hash, gnu_hash;
	u64 rela, relasz, jmprel, pltrelsz, pltrel;
};

bool dynamic_has_sections(Elf *elf)
{
	Elf_Scn *first = elf_nextscn(elf, NULL);
	GElf_Shdr shdr;

	return first && gelf_getshdr(first, &shdr);
}

static bool find_segment(Elf *elf, u32 type, GElf_Phdr *phdr)
{
	size_t nr;

	if (elf_getphdrnum(elf, &nr) != 0)
		return false;
	for (size_t i = 0; i < nr && gelf_getphdr(elf, (int)i, phdr); i++) {
		if (phdr->p_type == type)
			return true;
	}
	return false;
}

static u64 *value_of_tag(struct file *f, s64 tag)
{
	switch (tag) {
	case DT_SYMTAB:
		return &f->symtab;
	case DT_SYMENT:
		return &f->syment;
	case DT_STRTAB:
		return &f->strtab;
	case DT_STRSZ:
		return &f->strsz;
	case DT_HASH:
		return &f->hash;
	case DT_GNU_HASH:
		return &f->gnu_hash;
	case DT_RELA:
		return &f->rela;
	case DT_RELASZ:
		return &f->relasz;
	case DT_JMPREL:
		return &f->jmprel;
	case DT_PLTRELSZ:
		return &f->pltrelsz;
	case DT_PLTREL:
		return &f->pltrel;
	default:
		return NULL;
	}
}

static void read_tags(struct file *f, const GElf_Phdr *segment)
{
	Elf_Data *data = elf_getdata_rawchunk(f->elf, (s64)segment->p_offset,
					      MIN(segment->p_filesz, MAX_DYNAMIC), ELF_T_DYN);
	GElf_Dyn dyn;

	for (int i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
		u64 *value = value_of_tag(f, dyn.d_tag);

		if (value)
			*value = dyn.d_un.d_val;
	}
}

/* The offset in the file of @vaddr. out: *@left: the bytes from there to the end of the segment, above 0. */
static bool locate(const struct file *f, u64 vaddr, u64 *foff, u64 *left)
{
	GElf_Phdr phdr;
	size_t nr;

	if (!vaddr || elf_getphdrnum(f->elf, &nr) != 0)
		return false;
	for (size_t i = 0; i < nr && gelf_getphdr(f->elf, (int)i, &phdr); i++) {
		u64 in = vaddr - phdr.p_vaddr;

		if (phdr.p_type != PT_LOAD || vaddr < phdr.p_vaddr || in >= phdr.p_filesz)
			continue;
		if (phdr.p_offset > f->size || in >= f->size - phdr.p_offset)
			return false;
		*foff = phdr.p_offset + in;
		*left = MIN(phdr.p_filesz - in, f->size - *foff);
		return true;
	}
	return false;
}

/* Can entries of type @type be used where they are, without a copy? */
static bool is_native(const struct file *f, u64 foff, Elf_Type type)
{
	size_t align = type == ELF_T_WORD ? 4 : gelf_fsize(f->elf, ELF_T_ADDR, 1, EV_CURRENT);
	bool little = f->ehdr.e_ident[EI_DATA] == ELFDATA2LSB;

	return little == (G_BYTE_ORDER == G_LITTLE_ENDIAN) && foff % align == 0;
}

/* The @nr entries at @vaddr. NULL: @nr is 0, or they are not all in one segment. */
static Elf_Data *entries_at(const struct file *f, u64 vaddr, u64 nr, Elf_Type type)
{
	size_t size = gelf_fsize(f->elf, type, 1, EV_CURRENT);
	u64 foff, left;

	if (!nr || !size || !locate(f, vaddr, &foff, &left) || nr > left / size ||
	    (!is_native(f, foff, type) && nr > MAX_COPY / size))
		return NULL;
	return elf_getdata_rawchunk(f->elf, (s64)foff, nr * size, type);
}

/* Entries of DT_HASH have 8 bytes in the 64-bit ABI of these two machines. */
static bool has_wide_hash(const struct file *f)
{
	return f->ehdr.e_machine == EM_ALPHA ||
	       (f->ehdr.e_machine == EM_S390 && f->ehdr.e_ident[EI_CLASS] == ELFCLASS64);
}

static bool count_by_hash(const struct file *f, u64 *nr)
{
	bool wide = has_wide_hash(f);
	Elf_Type type = wide ? ELF_T_XWORD : ELF_T_WORD;
	Elf_Data *head = entries_at(f, f->hash, 2, type);
	u64 nr_buckets;

	if (!head)
		return false;
	nr_buckets = wide ? ((const u64 *)head->d_buf)[0] : ((const u32 *)head->d_buf)[0];
	*nr = wide ? ((const u64 *)head->d_buf)[1] : ((const u32 *)head->d_buf)[1];
	return nr_buckets <= f->size && *nr <= f->size &&
	       entries_at(f, f->hash, 2 + nr_buckets + *nr, type);
}

/* out: *@nr: the index after the end of the chain at @vaddr, whose first symbol is @first. */
static bool count_by_chain(const struct file *f, u64 vaddr, u64 first, u64 *nr)
{
	Elf_Data *chain;
	u64 foff, left;

	if (!locate(f, vaddr, &foff, &left))
		return false;
	chain = entries_at(f, vaddr, MIN(left / sizeof(u32), MAX_CHAIN), ELF_T_WORD);
	for (u64 i = 0; chain && i < chain->d_size / sizeof(u32); i++) {
		if (((const u32 *)chain->d_buf)[i] & 1) {
			*nr = first + i + 1;
			return true;
		}
	}
	return false;
}

static bool count_by_gnu_hash(const struct file *f, u64 *nr)
{
	Elf_Data *head = entries_at(f, f->gnu_hash, 4, ELF_T_WORD), *buckets;
	u32 nr_buckets, first, nr_masks, last = 0;
	u64 at;

	if (!head)
		return false;
	nr_buckets = ((const u32 *)head->d_buf)[0];
	first = ((const u32 *)head->d_buf)[1];
	nr_masks = ((const u32 *)head->d_buf)[2];
	at = f->gnu_hash + head->d_size +
	     nr_masks * (u64)gelf_fsize(f->elf, ELF_T_ADDR, 1, EV_CURRENT);
	buckets = entries_at(f, at, nr_buckets, ELF_T_WORD);
	for (u32 i = 0; buckets && i < nr_buckets; i++)
		last = MAX(last, ((const u32 *)buckets->d_buf)[i]);
	*nr = first;
	if (!buckets || !last)
		return buckets;
	return last >= first &&
	       count_by_chain(f, at + ((u64)nr_buckets + last - first) * sizeof(u32), last, nr);
}

/* The smallest number of symbols, at least @nr and up to @max, with all of those that @relocs name. */
static u64 count_by_relocs(Elf_Data *relocs, u64 nr, u64 max)
{
	GElf_Rela rela;

	for (int i = 0; relocs && gelf_getrela(relocs, i, &rela); i++) {
		if (GELF_R_SYM(rela.r_info) < max)
			nr = MAX(nr, GELF_R_SYM(rela.r_info) + 1);
	}
	return nr;
}

static bool find_symbols(const struct file *f, struct dynamic *d)
{
	size_t entry = gelf_fsize(f->elf, ELF_T_SYM, 1, EV_CURRENT);
	u64 foff, left, nr = 0;

	if (!entry || f->syment != entry || !locate(f, f->symtab, &foff, &left))
		return false;
	if (f->hash ? !count_by_hash(f, &nr) : f->gnu_hash && !count_by_gnu_hash(f, &nr))
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(d->relocs); i++)
		nr = count_by_relocs(d->relocs[i], nr, left / entry);
	d->symbols = nr <= G_MAXINT32 ? entries_at(f, f->symtab, nr, ELF_T_SYM) : NULL;
	d->nr_symbols = nr;
	return d->symbols;
}

static bool find_names(const struct file *f, struct dynamic *d)
{
	u64 foff, left;

	if (!locate(f, f->strtab, &foff, &left) || f->strsz > left)
		return false;
	d->names = f->bytes + foff;
	d->names_size = f->strsz;
	while (d->names_size && d->names[d->names_size - 1])
		d->names_size--;
	return true;
}

bool dynamic_find(Elf *elf, struct dynamic *dynamic)
{
	struct file f = { .elf = elf };
	GElf_Phdr segment;
	size_t entry;

	*dynamic = (struct dynamic){ 0 };
	if (!gelf_getehdr(elf, &f.ehdr) || dynamic_has_sections(elf) ||
	    !find_segment(elf, PT_DYNAMIC, &segment))
		return false;
	if (elf_getdata_rawchunk(elf, MAX_FILE, 1, ELF_T_BYTE)) /* it is larger */
		return false;
	/* Without a mapping, libelf reads the file now, once, and not again for each table. */
	f.bytes = elf_rawfile(elf, &f.size);
	if (!f.bytes)
		return false;
	read_tags(&f, &segment);
	entry = gelf_fsize(elf, ELF_T_RELA, 1, EV_CURRENT);
	dynamic->relocs[0] = entries_at(&f, f.rela, f.relasz / entry, ELF_T_RELA);
	if (f.pltrel == DT_RELA)
		dynamic->relocs[1] = entries_at(&f, f.jmprel, f.pltrelsz / entry, ELF_T_RELA);
	return find_names(&f, dynamic) && find_symbols(&f, dynamic);
}

const char *dynamic_name(const struct dynamic *dynamic, u64 offset)
{
	return offset < dynamic->names_size ? dynamic->names + offset : "";
}
