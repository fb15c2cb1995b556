// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's symbols and its ELF file. There are two sources, whose addresses may differ: kallsyms has the addresses
 * of one boot (KASLR), vmlinux those as linked. The recording states the address of a reference symbol. It gives the
 * distance between the recorded addresses and those of the source:
 *
 *	vaddr = va - (recorded _text - the source's _text)
 *
 * If both are used (--kallsyms for symbols, vmlinux for bytes and DWARF), the symbols are moved to vmlinux's addresses.
 * So a dso has one kind of vaddr.
 */
#include <elf.h>
#include <string.h>
#include <sys/utsname.h>

#include "dso/elfsyms.h"
#include "dso/kallsyms.h"
#include "dso/private.h"

static const char *const vmlinux_paths[] = {
	"/boot/vmlinux-%s",
	"/usr/lib/debug/boot/vmlinux-%s",
	"/lib/modules/%s/build/vmlinux",
	"/usr/lib/debug/lib/modules/%s/vmlinux",
	"/usr/lib/debug/boot/vmlinux-%s.debug",
};

static struct image *vmlinux_on_this_machine(struct dso *dso)
{
	const struct dso_options *options = &dso->table->options;
	struct absence absence = { 0 };
	struct image *image = NULL;
	struct utsname uts;

	if (!dso_final_id(dso)->size || uname(&uts) < 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(vmlinux_paths) && !image; i++) {
		char **parts = g_strsplit(vmlinux_paths[i], "%s", 2);
		g_autofree char *path = g_strjoinv(uts.release, parts);
		g_autofree char *below = files_under_symfs(options, path);

		image = files_open(below, dso_final_id(dso), &absence);
		g_strfreev(parts);
	}
	absence_clear(&absence);
	return image;
}

struct image *kernel_find_vmlinux(struct dso *dso, struct absence *absence)
{
	const struct dso_options *options = &dso->table->options;
	char hex[BUILD_ID_HEX];
	struct image *image = NULL;

	if (options->vmlinux) {
		g_autofree char *path = files_under_symfs(options, options->vmlinux);

		return files_open(path, dso_final_id(dso), absence);
	}
	if (!options->no_vmlinux) {
		g_autofree char *cached = files_in_cache(dso, dso_final_id(dso), "elf");

		if (cached)
			image = files_open(cached, dso_final_id(dso), absence);
		if (!image && dso_final_id(dso)->size)
			image = files_find_debug(dso, NULL, absence);
		if (!image)
			image = vmlinux_on_this_machine(dso);
	}
	if (image)
		absence_clear(absence);
	else
		absence_set(absence, DSO_NO_FILE,
			    "%s: no vmlinux%s%s: install the kernel's debug package, name the file "
			    "with -k%s",
			    dso->long_name, dso_final_id(dso)->size ? " for build-id " : "",
			    build_id_hex(dso_final_id(dso), hex), files_hint_about_servers());
	return image;
}

/* Is the running kernel, in this boot, the recorded one? */
static bool is_this_boot(const struct dso *dso, const char *text, size_t size)
{
	return in(dso)->reference && in(dso)->reference_va &&
	       kallsyms_address(text, size, in(dso)->reference) == in(dso)->reference_va;
}

static char *read_kallsyms(const char *path, size_t *size, struct absence *absence)
{
	g_autoptr(GError) error = NULL;
	char *text = kallsyms_read(path, size, &error);

	if (!text)
		absence_set(absence,
			    error->code == PERF_ERROR_PERMISSION ? DSO_RESTRICTED : DSO_UNREADABLE,
			    "%s", error->message);
	return text;
}

static char *running_kallsyms(const struct dso *dso, size_t *size, struct absence *absence)
{
	char want[BUILD_ID_HEX], has[BUILD_ID_HEX];
	struct build_id running;
	char *text;

	build_id_read_kernel(&running, NULL);
	if (dso_final_id(dso)->size && !build_id_equal(&running, dso_final_id(dso))) {
		absence_set(absence, DSO_OTHER_FILE,
			    "%s: recorded with another kernel (build-id %s, this one is %s): give "
			    "its vmlinux with -k or its kallsyms with --kallsyms",
			    dso->long_name, build_id_hex(dso_final_id(dso), want),
			    build_id_hex(&running, has));
		return NULL;
	}
	text = read_kallsyms("/proc/kallsyms", size, absence);
	if (!text)
		return NULL;
	if (!dso_final_id(dso)->size && !is_this_boot(dso, text, *size)) {
		absence_set(absence, DSO_NO_BUILD_ID,
			    "%s: no build-id was recorded, and the addresses are not those of the "
			    "running kernel: give the recorded one's vmlinux with -k",
			    dso->long_name);
		g_clear_pointer(&text, g_free);
	}
	return text;
}

/* The text of a kallsyms file of the recorded kernel. It may be from another boot. */
static char *find_kallsyms(const struct dso *dso, size_t *size, struct absence *absence)
{
	const struct dso_options *options = &dso->table->options;
	g_autofree char *cached = files_in_cache(dso, dso_final_id(dso), "kallsyms");
	char *text;

	if (options->kallsyms)
		return read_kallsyms(options->kallsyms, size, absence);
	text = cached ? kallsyms_read(cached, size, NULL) : NULL;
	return text ?: running_kallsyms(dso, size, absence);
}

static void set_bias(struct dso *dso, struct symtab *t)
{
	const struct symbol *at = in(dso)->reference ? symtab_named(t, in(dso)->reference) : NULL;

	if (at && in(dso)->reference_va)
		in(dso)->kernel_bias = in(dso)->reference_va - at->start;
}

/* The distance to add to addresses of kallsyms to get addresses of vmlinux. */
static u64 shift_to_vmlinux(const struct image *vmlinux, const char *text, size_t size)
{
	struct symtab *t = symtab_new(false);
	const struct symbol *at;
	u64 va = kallsyms_address(text, size, "_text"), shift = 0;

	elfsyms_add(t, vmlinux, SHT_SYMTAB, NULL, 0);
	symtab_finish(t, SYMTAB_FILL_KALLSYMS, 0);
	at = symtab_named(t, "_text");
	if (at && va)
		shift = at->start - va;
	symtab_free(t);
	return shift;
}

/* Recorded code has the recorded addresses. The distance to add to addresses of kallsyms, which may be of another boot. */
static u64 shift_to_recorded(const struct dso *dso, const char *text, size_t size)
{
	u64 va = in(dso)->reference ? kallsyms_address(text, size, in(dso)->reference) : 0;

	return va && in(dso)->reference_va ? in(dso)->reference_va - va : 0;
}

static struct symtab *symbols_of_kallsyms(struct dso *dso, const struct image *vmlinux, char *text,
					  size_t size)
{
	struct symtab *t = symtab_new(dso_demangles(dso));
	u64 shift = !vmlinux	    ? 0
		    : vmlinux->made ? shift_to_recorded(dso, text, size)
				    : shift_to_vmlinux(vmlinux, text, size);

	kallsyms_add(t, text, size);
	symtab_finish(t, SYMTAB_FILL_KALLSYMS, shift);
	return t;
}

struct symtab *kernel_load_symbols(struct dso *dso, const struct image *vmlinux,
				   struct absence *absence)
{
	struct symtab *t = NULL;
	size_t size;
	char *text;

	if (vmlinux && !vmlinux->made && !dso->table->options.kallsyms) {
		t = symtab_new(dso_demangles(dso));
		elfsyms_add(t, vmlinux, SHT_SYMTAB, NULL, 0);
		symtab_finish(t, SYMTAB_FILL_KALLSYMS, 0);
		if (!symtab_count(t))
			g_clear_pointer(&t, symtab_free);
		else
			in(dso)->origin = origin_of(dso, vmlinux);
	}
	if (!t && (text = find_kallsyms(dso, &size, absence))) {
		t = symbols_of_kallsyms(dso, vmlinux, text, size);
		in(dso)->origin = 'k';
	}
	if (t)
		set_bias(dso, t);
	return t;
}

struct module_syms {
	char *text;
	GHashTable *by_module;	/* name -> GArray of struct kallsym */
	struct absence absence; /* of all of them */
};

static bool index_module(const struct kallsym *k, void *arg)
{
	struct module_syms *m = arg;
	GArray *syms;

	if (!k->module[0])
		return true;
	syms = g_hash_table_lookup(m->by_module, k->module);
	if (!syms) {
		syms = g_array_new(FALSE, FALSE, sizeof(struct kallsym));
		g_hash_table_insert(m->by_module, (void *)k->module, syms);
	}
	g_array_append_val(syms, *k);
	return true;
}

/*
 * The addresses of modules differ between boots, so only kallsyms of the recorded boot can be used. There may be
 * hundreds of modules, so the text is read once.
 */
static struct module_syms *index_modules(struct dso *kernel)
{
	struct module_syms *m = g_new0(struct module_syms, 1);
	size_t size;

	m->by_module =
		g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_array_unref);
	m->text = find_kallsyms(kernel, &size, &m->absence);
	if (m->text && !is_this_boot(kernel, m->text, size))
		absence_set(&m->absence, DSO_OTHER_FILE,
			    "kallsyms is of another boot, and the module's .ko file is absent");
	else if (m->text)
		kallsyms_each(m->text, size, index_module, m);
	return m;
}

void kernel_free_modules(struct module_syms *m)
{
	if (!m)
		return;
	g_hash_table_destroy(m->by_module);
	absence_clear(&m->absence);
	g_free(m->text);
	g_free(m);
}

struct symtab *kernel_module_symbols(struct dso *kernel, const char *module, u64 base,
				     struct absence *absence)
{
	struct module_syms *m;
	struct symtab *t = NULL;
	GArray *syms;

	dso_lock(kernel);
	m = in(kernel)->module_syms;
	if (!m)
		m = in(kernel)->module_syms = index_modules(kernel);
	syms = g_hash_table_lookup(m->by_module, module);
	if (syms) {
		t = symtab_new(dso_demangles(kernel));
		for (u32 i = 0; i < syms->len; i++)
			kallsyms_add_one(t, &g_array_index(syms, struct kallsym, i));
		symtab_finish(t, SYMTAB_FILL_KALLSYMS, -base);
	} else if (m->absence.why) {
		absence_set(absence, m->absence.why, "[%s]: %s", module, m->absence.text);
	} else {
		absence_set(absence, DSO_NO_SYMBOLS, "[%s]: not in kallsyms", module);
	}
	dso_unlock(kernel);
	return t;
}
