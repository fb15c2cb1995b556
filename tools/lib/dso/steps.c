// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads the contents of a dso's files in steps: the file with the code, the debug file, the symbols. A step is done
 * once, when it is first needed. The dso's kind decides which file does it: files.c for programs and libraries,
 * kernel.c, module.c, vdso.c or jitmap.c.
 */
#include <string.h>

#include "dso/demangle.h"
#include "dso/elfsyms.h"
#include "dso/private.h"
#include "insn/insn.h"

static struct image *find_code(struct dso *dso)
{
	struct image *image = NULL;

	switch (dso->kind) {
	case DSO_USER:
		return files_find_code(dso, &in(dso)->no_code);
	case DSO_KERNEL:
		image = kernel_find_vmlinux(dso, &in(dso)->no_code);
		return image ?: kernel_text_image(dso, &in(dso)->no_code);
	case DSO_VDSO:
		image = files_find_code(dso, &in(dso)->no_code);
		return image ?: vdso_open(dso->long_name, dso_final_id(dso), &in(dso)->no_code);
	case DSO_GUEST_KERNEL:
		absence_set(&in(dso)->no_code, DSO_NO_FILE, "%s: of a guest", dso->long_name);
		return NULL;
	default:
		absence_set(&in(dso)->no_code, DSO_NOT_A_FILE, "%s: memory without a file",
			    dso->long_name);
		return NULL;
	}
}

struct image *dso_code_image(struct dso *dso)
{
	if (!g_atomic_int_get(&in(dso)->code_done)) {
		dso_lock(dso);
		if (!in(dso)->code_done && dso->kind == DSO_MODULE) {
			module_elf(dso);
		} else if (!in(dso)->code_done) {
			in(dso)->code = find_code(dso);
			g_atomic_int_set(&in(dso)->code_done, 1);
		}
		dso_unlock(dso);
	}
	return in(dso)->code;
}

/* Without the program's own file, debug information can only be missing because of that. */
static void find_debug(struct dso *dso, const struct image *code)
{
	const struct absence *no_code = &in(dso)->no_code;

	in(dso)->debug = files_find_debug(dso, code, &in(dso)->no_debug);
	if (!in(dso)->debug && !code && dso->kind == DSO_USER && no_code->why)
		absence_set(&in(dso)->no_debug, no_code->why, "%s", no_code->text);
}

struct image *dso_debug_image(struct dso *dso)
{
	struct image *code = dso_code_image(dso);

	if (g_atomic_int_get(&in(dso)->debug_done))
		return in(dso)->debug;
	dso_lock(dso);
	if (!in(dso)->debug_done) {
		if (code && image_has_dwarf(code))
			in(dso)->debug = code;
		else if (dso->kind == DSO_USER || dso->kind == DSO_KERNEL || dso->kind == DSO_VDSO)
			find_debug(dso, code);
		else if (dso->kind != DSO_MODULE)
			absence_set(&in(dso)->no_debug, DSO_NOT_A_FILE, "%s: memory without a file",
				    dso->long_name);
		g_atomic_int_set(&in(dso)->debug_done, 1);
	}
	dso_unlock(dso);
	return in(dso)->debug;
}

/* Of a stripped file: what it exports and calls; then the functions between. */
static u32 add_stripped(struct symtab *t, struct dso *dso, struct image *code)
{
	u32 nr = elfsyms_add(t, code, SHT_DYNSYM, NULL, 0);
	struct symtab *named;

	elfsyms_add_landings(t, code);
	in(dso)->mini = minidebug_open(code);
	if (in(dso)->mini) {
		nr += elfsyms_add(t, in(dso)->mini, SHT_SYMTAB, NULL, 0);
		in(dso)->origin = 'n';
	}
	if (dso->table->options.no_unnamed)
		return nr;
	named = symtab_new(false);
	if (in(dso)->mini)
		elfsyms_add(named, in(dso)->mini, SHT_SYMTAB, NULL, 0);
	elfsyms_add(named, code, SHT_DYNSYM, NULL, 0);
	elfsyms_add_landings(named, code);
	elfsyms_add_plt(named, code);
	symtab_finish(named, SYMTAB_FILL_NEXT, 0);
	elfsyms_add_unnamed(t, named, code);
	symtab_free(named);
	return nr;
}

static struct symtab *load_elf_symbols(struct dso *dso)
{
	struct image *code = dso_code_image(dso), *debug = NULL;
	struct symtab *t;
	GElf_Shdr shdr;
	u32 nr;

	if (!code) {
		absence_set(&in(dso)->no_symbols, in(dso)->no_code.why, "%s",
			    in(dso)->no_code.text);
		return NULL;
	}
	t = symtab_new(dso_demangles(dso));
	nr = elfsyms_add(t, code, SHT_SYMTAB, NULL, 0);
	if (!nr && !image_section_of_type(code, SHT_SYMTAB, &shdr)) {
		debug = dso_debug_image(dso);
		nr = debug ? elfsyms_add(t, debug, SHT_SYMTAB, NULL, 0) : 0;
	}
	in(dso)->origin = origin_of(dso, nr && debug ? debug : code);
	if (!nr)
		nr = add_stripped(t, dso, code);
	elfsyms_add_plt(t, code);
	symtab_finish(t, SYMTAB_FILL_NEXT, 0);
	if (!symtab_count(t))
		in(dso)->origin = 0;
	if (!nr)
		absence_set(&in(dso)->no_symbols, DSO_NO_SYMBOLS, "%s: no symbols: %s",
			    files_name(dso, code),
			    in(dso)->no_debug.text ?: "its symbol table is empty");
	return t;
}

static struct symtab *load_extra(struct dso *dso)
{
	struct symtab *t = symtab_new(dso_demangles(dso));

	for (u32 i = 0; in(dso)->extra && i < in(dso)->extra->len; i++) {
		struct extra_symbol *e = &g_array_index(in(dso)->extra, struct extra_symbol, i);

		symtab_add(t, e->start, e->size, symtab_text(t, e->name), STT_FUNC, STB_GLOBAL);
	}
	symtab_finish(t, SYMTAB_FILL_NEXT, 0);
	return t;
}

static struct symtab *load_jit_symbols(struct dso *dso)
{
	struct symtab *t = jitmap_load(dso, &in(dso)->no_symbols);

	in(dso)->origin = t && symtab_count(t) ? 'j' : 0;
	return t;
}

static struct symtab *load_symbols(struct dso *dso)
{
	switch (dso->kind) {
	case DSO_USER:
	case DSO_VDSO:
		return load_elf_symbols(dso);
	case DSO_KERNEL:
		return kernel_load_symbols(dso, dso_code_image(dso), &in(dso)->no_symbols);
	case DSO_MODULE:
		return module_load_symbols(dso, &in(dso)->no_symbols);
	case DSO_JIT:
		return load_jit_symbols(dso);
	case DSO_BPF:
		return load_extra(dso);
	default:
		absence_set(&in(dso)->no_symbols, DSO_NOT_A_FILE, "%s: memory without a file",
			    dso->long_name);
		return NULL;
	}
}

static struct symtab *empty_symtab(void)
{
	struct symtab *t = symtab_new(false);

	symtab_finish(t, SYMTAB_FILL_NEXT, 0);
	return t;
}

static struct symtab *dso_symtab(struct dso *dso)
{
	struct symtab *t = g_atomic_pointer_get(&in(dso)->symtab);

	if (t)
		return t;
	dso_lock(dso);
	t = in(dso)->symtab;
	if (!t) {
		t = load_symbols(dso) ?: empty_symtab();
		g_atomic_pointer_set(&in(dso)->symtab, t);
	}
	dso_unlock(dso);
	return t;
}

void dso_add_symbol(struct dso *dso, u64 start, u64 size, const char *name)
{
	struct extra_symbol e = { start, size, g_intern_string(name) };

	if (dso->kind != DSO_BPF)
		return;
	dso_lock(dso);
	if (!in(dso)->extra)
		in(dso)->extra = g_array_new(FALSE, FALSE, sizeof(e));
	g_array_append_val(in(dso)->extra, e);
	if (in(dso)->symtab) {
		/* Callers may hold symbols of the old table: keep it until the dso is freed. */
		if (!in(dso)->old_symtabs)
			in(dso)->old_symtabs =
				g_ptr_array_new_with_free_func((GDestroyNotify)symtab_free);
		g_ptr_array_add(in(dso)->old_symtabs, in(dso)->symtab);
		g_atomic_pointer_set(&in(dso)->symtab, NULL);
	}
	dso_unlock(dso);
}

const struct symbol *dso_find_symbol(struct dso *dso, u64 vaddr)
{
	return symtab_find(dso_symtab(dso), vaddr);
}

const struct symbol *dso_find_symbol_near(struct dso *dso, u64 vaddr, const struct symbol *near)
{
	return symtab_find_near(dso_symtab(dso), vaddr, near);
}

const struct symbol *dso_alias(struct dso *dso, u64 vaddr, u32 nth)
{
	return symtab_alias(dso_symtab(dso), vaddr, nth);
}

const struct symbol *dso_symbol_named(struct dso *dso, const char *raw)
{
	return symtab_named(dso_symtab(dso), raw);
}

u32 dso_nr_symbols(struct dso *dso)
{
	return symtab_count(dso_symtab(dso));
}

const struct symbol *dso_symbol(struct dso *dso, u32 id)
{
	return symtab_at(dso_symtab(dso), id);
}

const char *dso_symbol_name(struct dso *dso, const struct symbol *symbol)
{
	return symtab_name(dso_symtab(dso), symbol);
}

char *dso_symbol_bare_name(const struct symbol *symbol)
{
	return demangle_bare(symbol->raw);
}

struct build_id dso_build_id(struct dso *dso)
{
	struct build_id recorded = dso_recorded_build_id(dso);
	struct image *image;

	if (recorded.size)
		return recorded;
	image = dso_code_image(dso);
	return image ? image->build_id : (struct build_id){ 0 };
}

const char *dso_file(struct dso *dso)
{
	struct image *image = dso_code_image(dso);
	const char *path;

	if (dso->kind != DSO_MODULE)
		return image && !image->made ? image->path : NULL;
	dso_lock(dso);
	path = module_path(dso);
	dso_unlock(dso);
	return path;
}

const char *dso_debug_file(struct dso *dso)
{
	struct image *image;

	if (dso->kind == DSO_MODULE)
		return dso_file(dso);
	image = dso_debug_image(dso);
	return image ? image->path : NULL;
}

u16 dso_machine(struct dso *dso)
{
	struct image *image = dso_code_image(dso);
	GElf_Ehdr ehdr = { 0 };
	Elf *elf;

	if (image)
		return image->ehdr.e_machine;
	elf = dso_elf(dso);
	dso_lock(dso);
	if (!elf || !gelf_getehdr(elf, &ehdr))
		ehdr.e_machine = EM_NONE;
	dso_unlock(dso);
	return ehdr.e_machine;
}

static bool is_memory(const struct dso *dso)
{
	return dso->kind == DSO_JIT || dso->kind == DSO_BPF;
}

bool dso_foff_to_vaddr(struct dso *dso, u64 foff, u64 *vaddr)
{
	struct image *image = dso_code_image(dso);

	if (is_memory(dso)) {
		*vaddr = foff;
		return true;
	}
	return image && image_foff_to_vaddr(image, foff, vaddr);
}

bool dso_code_start(struct dso *dso, u64 foff, u64 *vaddr)
{
	struct image *image = is_memory(dso) ? NULL : dso_code_image(dso);

	return image && image_code_start(image, foff, vaddr);
}

bool dso_vaddr_to_foff(struct dso *dso, u64 vaddr, u64 *foff)
{
	struct image *image = dso_code_image(dso);

	if (is_memory(dso)) {
		*foff = vaddr;
		return true;
	}
	return image && image_vaddr_to_foff(image, vaddr, foff);
}

u64 dso_kernel_vaddr(struct dso *dso, u64 va)
{
	u64 vaddr;

	if (dso->kind == DSO_MODULE) {
		dso_lock(dso);
		vaddr = module_vaddr(dso, va - in(dso)->reference_va);
		dso_unlock(dso);
		return vaddr;
	}
	dso_symtab(dso);
	return va - in(dso)->kernel_bias;
}

const u8 *dso_code(struct dso *dso, u64 vaddr, size_t *left)
{
	struct image *image = dso_code_image(dso);
	const u8 *at = NULL;

	*left = 0;
	if (image)
		return image_at(image, vaddr, left);
	if (dso->kind == DSO_MODULE) {
		dso_lock(dso);
		at = module_code(dso, vaddr, left);
		dso_unlock(dso);
	}
	return at;
}

const u8 *dso_listed_code(struct dso *dso, struct insn_decoder *decoder, u64 vaddr, size_t *left)
{
	const u8 *code = decoder ? dso_code(dso, vaddr, left) : NULL;

	return code && *left && insn_decoder_select(decoder, dso_machine(dso)) ? code : NULL;
}

bool dso_externals(struct dso *dso, u64 *low, u64 *high)
{
	bool any = false;

	if (dso->kind == DSO_MODULE) {
		dso_lock(dso);
		any = module_externals(dso, low, high);
		dso_unlock(dso);
	}
	return any;
}

Elf *dso_elf(struct dso *dso)
{
	struct image *image = dso_code_image(dso);
	Elf *elf = NULL;

	if (dso->kind == DSO_MODULE) {
		dso_lock(dso);
		elf = module_elf(dso);
		dso_unlock(dso);
	}
	return image ? image->elf : elf;
}

struct dso_absence dso_no_symbols(struct dso *dso)
{
	dso_symtab(dso);
	return absence_shown(&in(dso)->no_symbols);
}

struct dso_absence dso_no_code(struct dso *dso)
{
	dso_code_image(dso);
	return absence_shown(&in(dso)->no_code);
}

char dso_symbols_origin(struct dso *dso)
{
	dso_symtab(dso);
	return in(dso)->origin ?: '!';
}
