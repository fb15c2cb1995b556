// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel module's file is relocatable: its sections have no addresses until something
 * lays them out. Two layouts meet here. The kernel's (kernel/module/main.c, since long):
 * executable sections first, in the order of the file, each aligned, those called .init*
 * elsewhere; and the one that libdwfl makes up when it relocates the debug information.
 *
 *	va - (where the module was loaded) = offset in the kernel's layout
 *	    -> section and offset in it -> vaddr in libdwfl's layout
 *
 * Everything in a dso is in terms of that vaddr. Without the file there are only the
 * symbols of kallsyms, and vaddr is the offset itself.
 */
#include <elfutils/libdwfl.h>
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

struct module_file {
	Dwfl *dwfl;
	Dwfl_Module *mod;
	Elf *elf;
	char *path;
	GArray *placed; /* executable sections */
};

static int find_no_elf(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
		       char **file, Elf **elf)
{
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_no_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

void module_close(struct module_file *m)
{
	if (!m)
		return;
	dwfl_end(m->dwfl);
	g_array_free(m->placed, TRUE);
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

static bool has_build_id(struct module_file *m, const struct build_id *wanted)
{
	const unsigned char *bytes;
	GElf_Addr va;
	int size = dwfl_module_build_id(m->mod, &bytes, &va);
	struct build_id id = size > 0 ? build_id_of(bytes, size) : (struct build_id){ 0 };

	return !wanted->size || build_id_equal(&id, wanted);
}

static struct module_file *module_open(const char *path, const struct build_id *wanted)
{
	struct module_file *m = g_new0(struct module_file, 1);
	GElf_Ehdr ehdr;
	Dwarf_Addr bias;

	m->placed = g_array_new(FALSE, FALSE, sizeof(struct placed));
	m->path = g_strdup(path);
	m->dwfl = dwfl_begin(&callbacks);
	if (m->dwfl && (m->mod = dwfl_report_offline(m->dwfl, "module", path, -1)) &&
	    dwfl_report_end(m->dwfl, NULL, NULL) == 0 &&
	    (m->elf = dwfl_module_getelf(m->mod, &bias)) && gelf_getehdr(m->elf, &ehdr) &&
	    ehdr.e_type == ET_REL && has_build_id(m, wanted)) {
		place_sections(m);
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

static struct module_file *module_get(struct dso *dso)
{
	const struct dso_options *options = dsos_options(dso->table);
	g_autofree char *cached = NULL, *path = NULL, *below = NULL;

	if (dso->code_done)
		return dso->module;
	cached = files_in_cache(dso, &dso->recorded, "elf");
	path = dso->long_name[0] == '/' ? g_strdup(dso->long_name)
					: path_in_modules_dep(dso->short_name);
	below = path ? files_under_symfs(options, path) : NULL;
	if (cached)
		dso->module = module_open(cached, &dso->recorded);
	if (!dso->module && below)
		dso->module = module_open(below, &dso->recorded);
	g_atomic_int_set(&dso->code_done, 1);
	return dso->module;
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
	/* Past the code: an address that is in no section of the file. */
	return m ? UINT64_MAX : offset;
}

u64 module_offset(struct dso *dso, u64 vaddr)
{
	struct module_file *m = module_get(dso);

	for (u32 i = 0; m && i < m->placed->len; i++) {
		const struct placed *p = &g_array_index(m->placed, struct placed, i);

		if (vaddr - p->vaddr < p->size)
			return p->offset + (vaddr - p->vaddr);
	}
	return vaddr;
}

struct symtab *module_load_symbols(struct dso *dso, struct absence *absence)
{
	struct module_file *m = module_get(dso);
	g_autofree char *name = g_strndup(dso->short_name + 1, strlen(dso->short_name) - 2);
	struct dso *kernel = dsos_kernel(dso->table);
	g_autofree u64 *bases = NULL;
	struct symtab *t;
	size_t nr = 0;

	if (!m) {
		if (kernel)
			return kernel_module_symbols(kernel, name, dso->reference_va, absence);
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
	t = symtab_new();
	{
		/* elfsyms reads through an image; this one only lends its Elf. */
		struct image lent = { .elf = m->elf };

		gelf_getehdr(m->elf, &lent.ehdr);
		elfsyms_add(t, &lent, SHT_SYMTAB, bases, nr);
	}
	symtab_finish(t, SYMTAB_FILL_NEXT, 0);
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
	Elf_Scn *scn = NULL;

	while (m && (scn = elf_nextscn(m->elf, scn))) {
		GElf_Shdr shdr;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_EXECINSTR) ||
		    vaddr - shdr.sh_addr >= shdr.sh_size)
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || !data->d_buf || vaddr - shdr.sh_addr >= data->d_size)
			return NULL;
		*left = data->d_size - (vaddr - shdr.sh_addr);
		return (const u8 *)data->d_buf + (vaddr - shdr.sh_addr);
	}
	return NULL;
}
