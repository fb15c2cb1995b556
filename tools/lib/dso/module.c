// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel module (.ko) is a relocatable file: its sections have no addresses yet. There are two layouts of its
 * sections, and this file converts between them:
 *
 *  - the kernel's (kernel/module/main.c): executable sections first, in the order of the file, each
 *    aligned; .init* sections elsewhere;
 *  - libdwfl's, which libdwfl chooses when it relocates the debug information.
 *
 *	module loaded at 0xffffffffc0400000, sample at 0xffffffffc0400123
 *	offset in the kernel's layout	0x123
 *	section and offset in it	.text + 0x123
 *	vaddr in libdwfl's layout	address that libdwfl gave .text, + 0x123
 *
 * A dso's vaddr is an address in libdwfl's layout. If the file is missing, there are only the symbols of kallsyms, and
 * vaddr is the offset in the kernel's layout.
 *
 * Code and data are shown relocated: before relocation a `call` has displacement 0 and seems to call the next
 * instruction. Undefined symbols (`kfree`) get made-up addresses behind all sections, EXTERNAL_SIZE bytes each, so that
 * an address there identifies the symbol.
 */
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "dso/elfsyms.h"
#include "dso/private.h"

struct placed {
	u64 offset; /* in the kernel's layout */
	u64 vaddr;  /* in libdwfl's */
	u64 size;
};

/*
 * The address space of an undefined symbol. It is large, because the symbol may be a table that is accessed with an
 * index.
 */
#define EXTERNAL_SIZE 0x10000ull
#define EXTERNAL_END  0x7fff0000ull /* must fit into a signed 32-bit displacement */

#define MAX_SECTIONS 4096
#define MAX_BYTES    ((u64)1 << 28)

struct relocated {
	u64 vaddr, size;
	u8 *bytes;
};

struct module_file {
	Dwfl *dwfl;
	Dwfl_Module *mod;
	Elf *elf;
	char *path;
	GArray *placed; /* executable sections */
	GArray *bytes;	/* struct relocated; NULL: not yet done */
	u64 externals;	/* address of the first undefined symbol; 0: there are none */
	u64 externals_end;
};

static int find_no_elf(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
		       char **file, Elf **elf)
{
	return -1;
}

/* libdwfl calls this if the module has no debug information: searches the usual places. */
static int find_debug(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
		      const char *path, const char *link, GElf_Word crc, char **found)
{
	struct dso *dso = *userdata;
	struct absence absence = { 0 };
	struct image *code = path ? files_open(path, NULL, &absence) : NULL;
	struct image *debug = dso ? files_find_debug(dso, code, &absence) : NULL;
	int fd = -1;

	if (debug && debug != code) {
		fd = open(debug->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		*found = fd < 0 ? NULL : strdup(debug->path);
	}
	image_close(debug);
	image_close(code);
	absence_clear(&absence);
	return fd;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_no_elf,
	.find_debuginfo = find_debug,
	.section_address = dwfl_offline_section_address,
};

void module_close(struct module_file *m)
{
	if (!m)
		return;
	dwfl_end(m->dwfl);
	g_array_free(m->placed, TRUE);
	if (m->bytes)
		g_array_unref(m->bytes);
	g_free(m->path);
	g_free(m);
}

static void place_sections(struct module_file *m)
{
	Elf_Scn *scn = NULL;
	u64 offset = 0;
	size_t names;

	if (elf_getshdrstrndx(m->elf, &names) < 0)
		return;
	while ((scn = elf_nextscn(m->elf, scn))) {
		struct placed p;
		GElf_Shdr shdr;
		const char *name;

		if (!gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_ALLOC) ||
		    !(shdr.sh_flags & SHF_EXECINSTR) || shdr.sh_addralign > 1 << 20)
			continue;
		name = elf_strptr(m->elf, names, shdr.sh_name);
		if (!name || g_str_has_prefix(name, ".init"))
			continue;
		if (shdr.sh_addralign > 1)
			offset = (offset + shdr.sh_addralign - 1) / shdr.sh_addralign *
				 shdr.sh_addralign;
		p = (struct placed){ offset, shdr.sh_addr, shdr.sh_size };
		g_array_append_val(m->placed, p);
		if (shdr.sh_size > UINT32_MAX)
			return;
		offset += shdr.sh_size;
	}
}

static void place_externals(struct module_file *m)
{
	Elf_Scn *scn = NULL;
	u64 end = 0, nr = 0;

	while ((scn = elf_nextscn(m->elf, scn))) {
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr))
			continue;
		if (shdr.sh_type == SHT_SYMTAB && shdr.sh_entsize)
			nr = shdr.sh_size / shdr.sh_entsize;
		if (shdr.sh_flags & SHF_ALLOC && shdr.sh_size < EXTERNAL_END &&
		    shdr.sh_addr < EXTERNAL_END)
			end = MAX(end, shdr.sh_addr + shdr.sh_size);
	}
	end = ALIGN_UP(end + 1, EXTERNAL_SIZE);
	if (!nr || end >= EXTERNAL_END)
		return;
	m->externals = end;
	m->externals_end = end + MIN(nr, (EXTERNAL_END - end) / EXTERNAL_SIZE) * EXTERNAL_SIZE;
}

/* The address of a symbol in libdwfl's layout; false: not known. */
static bool symbol_vaddr(const struct module_file *m, const GElf_Sym *sym, u64 index, u64 *vaddr)
{
	GElf_Shdr shdr;
	Elf_Scn *scn;

	if (sym->st_shndx == SHN_UNDEF) {
		*vaddr = m->externals + index * EXTERNAL_SIZE;
		return m->externals && index < EXTERNAL_END / EXTERNAL_SIZE &&
		       *vaddr < m->externals_end;
	}
	*vaddr = sym->st_value;
	if (sym->st_shndx == SHN_ABS)
		return true;
	scn = sym->st_shndx < SHN_LORESERVE ? elf_getscn(m->elf, sym->st_shndx) : NULL;
	if (!scn || !gelf_getshdr(scn, &shdr))
		return false;
	*vaddr += shdr.sh_addr;
	return true;
}

/* Applies a relocation (x86-64 psABI). Relocations that libdwfl has applied are not in the list any more. */
static void relocate(const struct relocated *code, const GElf_Rela *rela, u64 symbol)
{
	u64 value = symbol + (u64)rela->r_addend;
	u32 width = 4;

	switch (GELF_R_TYPE(rela->r_info)) {
	case R_X86_64_64:
		width = 8;
		break;
	case R_X86_64_PC32:
	case R_X86_64_PLT32:
		value -= code->vaddr + rela->r_offset;
		break;
	case R_X86_64_32:
	case R_X86_64_32S:
		break;
	default:
		return;
	}
	if (code->size >= width && rela->r_offset <= code->size - width)
		memcpy(code->bytes + rela->r_offset, &value, width);
}

static void relocate_section(struct module_file *m, const struct relocated *code, Elf_Scn *scn,
			     const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	Elf_Scn *table = elf_getscn(m->elf, shdr->sh_link);
	Elf_Data *symbols = table ? elf_getdata(table, NULL) : NULL;
	size_t nr = shdr->sh_entsize ? shdr->sh_size / shdr->sh_entsize : 0;

	for (size_t i = 0; data && symbols && i < nr && i < INT32_MAX; i++) {
		GElf_Rela rela;
		GElf_Sym sym;
		u64 vaddr;

		if (!gelf_getrela(data, (int)i, &rela))
			return;
		if (GELF_R_SYM(rela.r_info) < INT32_MAX &&
		    gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym) &&
		    symbol_vaddr(m, &sym, GELF_R_SYM(rela.r_info), &vaddr))
			relocate(code, &rela, vaddr);
	}
}

static void relocated_clear(void *p)
{
	g_free(((struct relocated *)p)->bytes);
}

static const struct relocated *bytes_at(const struct module_file *m, u64 vaddr)
{
	for (u32 i = 0; i < m->bytes->len; i++) {
		const struct relocated *code = &g_array_index(m->bytes, struct relocated, i);

		if (vaddr - code->vaddr < code->size)
			return code;
	}
	return NULL;
}

static void read_bytes(struct module_file *m)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr ehdr;
	u64 total = 0;

	m->bytes = g_array_new(FALSE, FALSE, sizeof(struct relocated));
	g_array_set_clear_func(m->bytes, relocated_clear);
	while ((scn = elf_nextscn(m->elf, scn))) {
		struct relocated code;
		Elf_Data *data;
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_ALLOC) ||
		    shdr.sh_type == SHT_NOBITS)
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || !data->d_buf || !data->d_size)
			continue;
		total += data->d_size;
		if (total > MAX_BYTES || m->bytes->len == MAX_SECTIONS)
			break;
		code = (struct relocated){ shdr.sh_addr, data->d_size,
					   g_memdup2(data->d_buf, data->d_size) };
		g_array_append_val(m->bytes, code);
	}
	if (!gelf_getehdr(m->elf, &ehdr) || ehdr.e_machine != EM_X86_64)
		return;
	scn = NULL;
	while ((scn = elf_nextscn(m->elf, scn))) {
		GElf_Shdr shdr, of;
		Elf_Scn *target;
		const struct relocated *code;

		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_RELA &&
		    (target = elf_getscn(m->elf, shdr.sh_info)) && gelf_getshdr(target, &of) &&
		    of.sh_flags & SHF_ALLOC && (code = bytes_at(m, of.sh_addr)))
			relocate_section(m, code, scn, &shdr);
	}
}

static bool has_build_id(struct module_file *m, const struct build_id *wanted)
{
	const unsigned char *bytes;
	GElf_Addr va;
	int size = dwfl_module_build_id(m->mod, &bytes, &va);
	struct build_id id = size > 0 ? build_id_of(bytes, size) : (struct build_id){ 0 };

	return !wanted->size || build_id_equal(&id, wanted);
}

static struct module_file *module_open(struct dso *dso, const char *path,
				       const struct build_id *wanted)
{
	struct module_file *m = g_new0(struct module_file, 1);
	GElf_Ehdr ehdr;
	Dwarf_Addr bias;
	void **userdata;

	m->placed = g_array_new(FALSE, FALSE, sizeof(struct placed));
	m->path = g_strdup(path);
	m->dwfl = dwfl_begin(&callbacks);
	if (m->dwfl && (m->mod = dwfl_report_offline(m->dwfl, "module", path, -1)) &&
	    dwfl_report_end(m->dwfl, NULL, NULL) == 0 &&
	    dwfl_module_info(m->mod, &userdata, NULL, NULL, NULL, NULL, NULL, NULL) &&
	    (m->elf = dwfl_module_getelf(m->mod, &bias)) && gelf_getehdr(m->elf, &ehdr) &&
	    ehdr.e_type == ET_REL && has_build_id(m, wanted)) {
		*userdata = dso;
		place_sections(m);
		place_externals(m);
		return m;
	}
	module_close(m);
	return NULL;
}

/* "[br_netfilter]" -> the path in modules.dep, where '-' and '_' are the same. */
static char *path_in_modules_dep(const char *short_name)
{
	g_autofree char *name = g_strndup(short_name + 1, strlen(short_name) - 2);
	g_autofree char *file = NULL, *text = NULL;
	struct utsname uts;
	char *found = NULL;
	char **lines;

	if (uname(&uts) < 0)
		return NULL;
	file = g_strdup_printf("/lib/modules/%s/modules.dep", uts.release);
	if (!g_file_get_contents(file, &text, NULL, NULL))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line && !found; line++) {
		char *colon = strchr(*line, ':'), *base, *ko;
		g_autofree char *copy = NULL;

		if (!colon)
			continue;
		*colon = 0;
		copy = g_path_get_basename(*line);
		base = g_strdelimit(copy, "-", '_');
		ko = strstr(base, ".ko");
		if (ko)
			*ko = 0;
		if (!strcmp(base, name))
			found = g_strdup_printf("/lib/modules/%s/%s", uts.release, *line);
	}
	g_strfreev(lines);
	return found;
}

/* The module in a debug package also has the code, so the stripped module need not be installed. */
static struct module_file *open_debug_file(struct dso *dso)
{
	struct absence absence = { 0 };
	struct image *debug = files_find_debug(dso, NULL, &absence);
	struct module_file *m = debug ? module_open(dso, debug->path, dso_final_id(dso)) : NULL;

	image_close(debug);
	absence_clear(&absence);
	return m;
}

static struct module_file *module_get(struct dso *dso)
{
	const struct dso_options *options = &dso->table->options;
	g_autofree char *cached = NULL, *path = NULL, *below = NULL;

	if (in(dso)->code_done)
		return in(dso)->module;
	cached = files_in_cache(dso, dso_final_id(dso), "elf");
	path = dso->long_name[0] == '/' ? g_strdup(dso->long_name)
					: path_in_modules_dep(dso->short_name);
	below = path ? files_under_symfs(options, path) : NULL;
	if (cached)
		in(dso)->module = module_open(dso, cached, dso_final_id(dso));
	if (!in(dso)->module && below)
		in(dso)->module = module_open(dso, below, dso_final_id(dso));
	if (!in(dso)->module && dso_final_id(dso)->size)
		in(dso)->module = open_debug_file(dso);
	g_atomic_int_set(&in(dso)->code_done, 1);
	return in(dso)->module;
}

Elf *module_elf(struct dso *dso)
{
	struct module_file *m = module_get(dso);

	return m ? m->elf : NULL;
}

const char *module_path(struct dso *dso)
{
	struct module_file *m = module_get(dso);

	return m ? m->path : NULL;
}

u64 module_vaddr(struct dso *dso, u64 offset)
{
	struct module_file *m = module_get(dso);

	for (u32 i = 0; m && i < m->placed->len; i++) {
		const struct placed *p = &g_array_index(m->placed, struct placed, i);

		if (offset - p->offset < p->size)
			return p->vaddr + (offset - p->offset);
	}
	/* The address is after all executable sections: it has no vaddr. */
	return m ? UINT64_MAX : offset;
}

static void add_externals(struct module_file *m, struct symtab *t)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	Elf_Data *data;

	while ((scn = elf_nextscn(m->elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_SYMTAB)
			break;
	data = scn ? elf_getdata(scn, NULL) : NULL;
	for (int i = 1; data && m->externals; i++) {
		const char *name;
		GElf_Sym sym;
		u64 vaddr;

		if (!gelf_getsym(data, i, &sym))
			return;
		if (sym.st_shndx != SHN_UNDEF || !symbol_vaddr(m, &sym, (u64)i, &vaddr))
			continue;
		name = elf_strptr(m->elf, shdr.sh_link, sym.st_name);
		if (name && *name)
			symtab_add(t, vaddr, EXTERNAL_SIZE, name, STT_OBJECT, STB_GLOBAL);
	}
}

struct symtab *module_load_symbols(struct dso *dso, struct absence *absence)
{
	struct module_file *m = module_get(dso);
	g_autofree char *name = g_strndup(dso->short_name + 1, strlen(dso->short_name) - 2);
	struct dso *kernel = g_atomic_pointer_get(&dso->table->kernel);
	g_autofree u64 *bases = NULL;
	struct symtab *t;
	size_t nr = 0;

	if (!m) {
		if (kernel) {
			t = kernel_module_symbols(kernel, name, in(dso)->reference_va, absence);
			in(dso)->origin = t ? 'k' : 0;
			return t;
		}
		absence_set(absence, DSO_NO_FILE, "%s: no file, and no kernel in the recording",
			    dso->long_name);
		return NULL;
	}
	elf_getshdrnum(m->elf, &nr);
	bases = g_new(u64, nr);
	for (size_t i = 0; i < nr; i++) {
		GElf_Shdr shdr;

		bases[i] = gelf_getshdr(elf_getscn(m->elf, i), &shdr) &&
					   (shdr.sh_flags & SHF_EXECINSTR)
				   ? shdr.sh_addr
				   : UINT64_MAX;
	}
	t = symtab_new(dso_demangles(dso));
	{
		/* elfsyms_add() takes an image, so make one that has only the Elf. */
		struct image lent = { .elf = m->elf };

		gelf_getehdr(m->elf, &lent.ehdr);
		elfsyms_add(t, &lent, SHT_SYMTAB, bases, nr);
	}
	add_externals(m, t);
	symtab_finish(t, SYMTAB_FILL_NEXT, 0);
	in(dso)->origin = origin_of_module(dso, m->path);
	return t;
}

Dwarf *module_dwarf(struct dso *dso, Dwarf_Addr *bias)
{
	struct module_file *m = module_get(dso);

	return m ? dwfl_module_getdwarf(m->mod, bias) : NULL;
}

const u8 *module_code(struct dso *dso, u64 vaddr, size_t *left)
{
	struct module_file *m = module_get(dso);
	const struct relocated *code;

	if (!m)
		return NULL;
	if (!m->bytes)
		read_bytes(m);
	code = bytes_at(m, vaddr);
	if (!code)
		return NULL;
	*left = code->size - (vaddr - code->vaddr);
	return code->bytes + (vaddr - code->vaddr);
}

bool module_externals(struct dso *dso, u64 *low, u64 *high)
{
	struct module_file *m = module_get(dso);

	*low = m ? m->externals : 0;
	*high = m ? m->externals_end : 0;
	return *low < *high;
}
