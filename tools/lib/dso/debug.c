// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DWARF of a dso. libdw gets a second Elf object with an open descriptor, because it looks for .dwo and .dwp files in
 * the descriptor's folder. An image has closed its descriptor.
 */
#include <elfutils/libdwelf.h>
#include <unistd.h>

#include "dso/private.h"

static Dwarf *open_dwarf(const struct image *image, Elf **elf)
{
	Dwarf *dwarf;
	int fd;

	*elf = image_reopen(image, &fd);
	if (!*elf)
		return NULL;
	dwarf = dwarf_begin_elf(*elf, DWARF_C_READ, NULL);
	elf_cntl(*elf, ELF_C_FDDONE);
	close(fd);
	if (!dwarf) {
		elf_end(*elf);
		*elf = NULL;
	}
	return dwarf;
}

/* dwz moves DWARF that several files share into an alternate file. .gnu_debugaltlink names that file. */
static void open_alt(struct dso *dso)
{
	const char *name;
	const void *bytes;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(in(dso)->dwarf, &name, &bytes);
	struct build_id id;

	if (size <= 0)
		return;
	id = build_id_of(bytes, size);
	in(dso)->alt_image = id.size ? files_find_alt(dso, in(dso)->debug, name, &id) : NULL;
	if (!in(dso)->alt_image)
		return;
	in(dso)->alt = open_dwarf(in(dso)->alt_image, &in(dso)->alt_elf);
	if (in(dso)->alt)
		dwarf_setalt(in(dso)->dwarf, in(dso)->alt);
}

const char *dso_alt_file(struct dso *dso, struct build_id *id)
{
	Dwarf_Addr bias;

	if (!dso_dwarf(dso, &bias) || !in(dso)->alt_image)
		return NULL;
	*id = in(dso)->alt_image->build_id;
	return in(dso)->alt_image->path;
}

/* prelink may have changed the addresses of only one of the two files. */
static Dwarf_Addr bias_between(const struct image *code, const struct image *debug)
{
	if (!code || code == debug || !code->nr_segments || !debug->nr_segments)
		return 0;
	return debug->segments[0].vaddr - code->segments[0].vaddr;
}

static void open_btf(struct dso *dso)
{
	struct dso_contents *c = in(dso);

	c->dwarf = dso->kind == DSO_MODULE
			   ? module_btf_dwarf(dso, &c->dwarf_elf, &c->by_btf, &c->no_debug)
			   : kernel_btf_dwarf(dso, &c->dwarf_elf, &c->by_btf, &c->no_debug);
	c->dwarf_bias = 0;
	if (c->dwarf)
		absence_clear(&c->no_debug);
}

Dwarf *dso_dwarf(struct dso *dso, Dwarf_Addr *bias)
{
	struct image *debug = dso_debug_image(dso);

	if (g_atomic_int_get(&in(dso)->dwarf_done))
		goto out;
	dso_lock(dso);
	if (!in(dso)->dwarf_done && dso->kind == DSO_MODULE) {
		in(dso)->dwarf = module_dwarf(dso, &in(dso)->dwarf_bias);
		if (!in(dso)->dwarf)
			absence_set(&in(dso)->no_debug, DSO_NO_DEBUG_INFO,
				    "%s: no debug information: install the kernel's debug package",
				    dso->short_name);
	} else if (!in(dso)->dwarf_done && debug) {
		in(dso)->dwarf = open_dwarf(debug, &in(dso)->dwarf_elf);
		in(dso)->dwarf_bias = bias_between(in(dso)->code, debug);
		if (in(dso)->dwarf)
			open_alt(dso);
		else
			absence_set(&in(dso)->no_debug, DSO_NO_DEBUG_INFO,
				    "%s: no debug information in it", files_name(dso, debug));
	}
	if (!in(dso)->dwarf_done && !in(dso)->dwarf &&
	    (dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE))
		open_btf(dso);
	g_atomic_int_set(&in(dso)->dwarf_done, 1);
	dso_unlock(dso);
out:
	*bias = in(dso)->dwarf_bias;
	return in(dso)->dwarf;
}

bool dso_is_by_btf(struct dso *dso)
{
	Dwarf_Addr bias;

	return dso_dwarf(dso, &bias) && in(dso)->by_btf;
}

struct dso_absence dso_no_debug_info(struct dso *dso)
{
	Dwarf_Addr bias;

	dso_dwarf(dso, &bias);
	return absence_shown(&in(dso)->no_debug);
}

bool dso_debug_package(struct dso *dso, struct debug_package *found)
{
	const struct dso_options *options = &dso->table->options;
	g_autofree char *path = files_under_symfs(options, dso->long_name);
	struct build_id id = dso_build_id(dso);
	struct image *here;
	bool known;

	if (dso->kind != DSO_USER || (options->symfs && options->symfs_flat))
		return false;
	here = image_open(path, NULL);
	if (!here)
		return false;
	known = build_id_equal(&here->build_id, &id) &&
		package_with_debug(options->symfs ?: "", dso->long_name, here, found);
	image_close(here);
	return known;
}

static struct image *open_package(struct dso *dso)
{
	const struct image *beside[] = { in(dso)->debug, in(dso)->code };
	g_autofree char *code = files_under_symfs(&dso->table->options, dso->long_name);
	const char *paths[] = { beside[0] ? beside[0]->path : NULL,
				beside[1] ? beside[1]->path : NULL, code };

	for (u32 i = 0; i < G_N_ELEMENTS(paths); i++) {
		g_autofree char *path = paths[i] ? g_strconcat(paths[i], ".dwp", NULL) : NULL;
		struct image *package = path ? image_open(path, NULL) : NULL;

		if (package)
			return package;
	}
	return NULL;
}

/* The file may be from another build. Units are found in it by their ids only. */
Elf *dso_dwarf_package(struct dso *dso)
{
	Dwarf_Addr bias;

	if (!dso_dwarf(dso, &bias) || dso->kind == DSO_MODULE)
		return NULL;
	dso_lock(dso);
	if (!in(dso)->package_done)
		in(dso)->package = open_package(dso);
	in(dso)->package_done = true;
	dso_unlock(dso);
	return in(dso)->package ? in(dso)->package->elf : NULL;
}

static void load_cfi(struct dso *dso)
{
	Dwarf *dwarf;
	Elf *elf;

	if (g_atomic_int_get(&in(dso)->cfi_done))
		return;
	dso_lock(dso);
	if (!in(dso)->cfi_done) {
		elf = dso_elf(dso);
		dwarf = dso_dwarf(dso, &in(dso)->debug_cfi_bias);
		if (elf && dso->kind != DSO_MODULE)
			in(dso)->eh_cfi = dwarf_getcfi_elf(elf);
		if (dwarf)
			in(dso)->debug_cfi = dwarf_getcfi(dwarf);
		g_atomic_int_set(&in(dso)->cfi_done, 1);
	}
	dso_unlock(dso);
}

Dwarf_CFI *dso_eh_cfi(struct dso *dso, Dwarf_Addr *bias)
{
	load_cfi(dso);
	*bias = 0;
	return in(dso)->eh_cfi;
}

Dwarf_CFI *dso_dwarf_cfi(struct dso *dso, Dwarf_Addr *bias)
{
	load_cfi(dso);
	*bias = in(dso)->debug_cfi_bias;
	return in(dso)->debug_cfi;
}

void debug_close(struct dso *dso)
{
	if (in(dso)->eh_cfi)
		dwarf_cfi_end(in(dso)->eh_cfi);
	/* libdwfl owns a module's. */
	if (dso->kind != DSO_MODULE || in(dso)->by_btf) {
		dwarf_end(in(dso)->dwarf);
		elf_end(in(dso)->dwarf_elf);
	}
	if (in(dso)->by_btf)
		g_bytes_unref(in(dso)->by_btf);
	dwarf_end(in(dso)->alt);
	elf_end(in(dso)->alt_elf);
	image_close(in(dso)->alt_image);
	image_close(in(dso)->package);
}
