// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Descriptors are structures of the runtime (internal/abi/type.go, runtime/type.go), here of Go 1.19 and later:
 *
 *	_type		+0 size, +23 kind; 48 bytes
 *	arraytype	+48 element, +64 length
 *	structtype	+56 slice of fields: +0 name, +8 type, +16 offset; 24 bytes each
 */
#include <dwarf.h>
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "go_types.h"

#define DW_AT_go_runtime_type 0x2904
#define KIND_ARRAY	      17
#define KIND_STRUCT	      25
#define MAX_DEPTH	      8
#define MAX_ELEMENTS	      64

struct go_types {
	int mem;
	u64 types;	     /* where descriptors begin, in memory */
	u64 allocator;	     /* in the ELF file */
	GHashTable *entries; /* descriptor's distance from @types -> DIE offset */
};

static void find_symbols(Elf *elf, struct go_types *types)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;
		GElf_Shdr shdr;
		GElf_Sym sym;

		gelf_getshdr(scn, &shdr);
		if (shdr.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(scn, NULL);
		for (int i = 0; gelf_getsym(data, i, &sym); i++) {
			const char *name = elf_strptr(elf, shdr.sh_link, sym.st_name);

			if (!g_strcmp0(name, "runtime.types"))
				types->types = sym.st_value;
			if (!g_strcmp0(name, "runtime.mallocgc"))
				types->allocator = sym.st_value;
		}
	}
}

static void collect_entries(struct go_types *types, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, die;

	while (!dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL)) {
		if (dwarf_child(&unit, &die))
			continue;
		do {
			Dwarf_Attribute attr;
			Dwarf_Word word;
			Dwarf_Addr at;

			if (!dwarf_attr(&die, DW_AT_go_runtime_type, &attr) ||
			    (dwarf_formudata(&attr, &word) &&
			     (dwarf_formaddr(&attr, &at) || !(word = at))))
				continue;
			g_hash_table_insert(types->entries, GSIZE_TO_POINTER(word),
					    GSIZE_TO_POINTER(dwarf_dieoffset(&die)));
		} while (!dwarf_siblingof(&die, &die));
	}
}

struct go_types *go_types_open(Elf *elf, const char *path, int mem, u64 bias)
{
	struct go_types types = { .mem = mem };
	Dwarf *dwarf;
	int fd;

	find_symbols(elf, &types);
	if (!types.types || !types.allocator)
		return NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (!dwarf)
		errx(2, "%s: %s", path, dwarf_errmsg(-1));
	types.entries = g_hash_table_new(NULL, NULL);
	collect_entries(&types, dwarf);
	dwarf_end(dwarf);
	close(fd);
	types.types += bias;
	return g_memdup2(&types, sizeof(types));
}

u64 go_types_allocator(const struct go_types *types)
{
	return types->allocator;
}

static u64 read_word(const struct go_types *types, u64 address)
{
	u64 word = 0;

	return pread(types->mem, &word, 8, (off_t)address) == 8 ? word : 0;
}

static void add(struct go_types *types, struct objects *objects, u64 address, u64 size, u64 type,
		u32 depth);

/* The field that the compiler puts first into a closure: "F". Names begin with a byte of flags and their length. */
static bool is_code(const struct go_types *types, u64 field)
{
	u8 name[3] = { 0 };

	return pread(types->mem, name, 3, (off_t)read_word(types, field)) == 3 && name[1] == 1 &&
	       name[2] == 'F';
}

static void add_fields(struct go_types *types, struct objects *objects, u64 address, u64 type,
		       u32 depth)
{
	u64 fields = read_word(types, type + 56), nr = read_word(types, type + 64);

	for (u64 i = 0; i < MIN(nr, MAX_ELEMENTS); i++) {
		u64 inner = read_word(types, fields + 24 * i + 8);

		/* A closure's first word is all that runtime.funcval has. */
		if (!i && is_code(types, fields))
			objects_add(objects, address, 8, "runtime.funcval", 1);
		else
			add(types, objects, address + read_word(types, fields + 24 * i + 16),
			    read_word(types, inner), inner, depth + 1);
	}
}

static void add(struct go_types *types, struct objects *objects, u64 address, u64 size, u64 type,
		u32 depth)
{
	u64 one = type ? read_word(types, type) : 0;
	u64 die = GPOINTER_TO_SIZE(
		g_hash_table_lookup(types->entries, GSIZE_TO_POINTER(type - types->types)));
	u64 count = one ? MAX(size / one, 1) : 1;
	g_autofree char *name = die ? g_strdup_printf("@%lx", (unsigned long)die) : g_strdup("");
	u8 kind = 0;

	if (!size || depth > MAX_DEPTH)
		return;
	if (type && pread(types->mem, &kind, 1, (off_t)type + 23) != 1)
		kind = 0;
	kind &= 31;
	if (die || !one || (kind != KIND_ARRAY && kind != KIND_STRUCT)) {
		objects_add(objects, address, size, name, count);
		return;
	}
	for (u64 i = 0; i < MIN(count, MAX_ELEMENTS); i++) {
		if (kind == KIND_STRUCT)
			add_fields(types, objects, address + i * one, type, depth);
		else
			add(types, objects, address + i * one, one, read_word(types, type + 48),
			    depth + 1);
	}
}

void go_types_add(struct go_types *types, struct objects *objects, u64 address, u64 size, u64 type)
{
	add(types, objects, address, size, type, 0);
}
