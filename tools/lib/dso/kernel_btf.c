// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debug information of a kernel or a module without a debug package: its BTF, translated to DWARF. The BTF is in vmlinux, in the
 * build-id cache (record puts it there), or in /sys/kernel/btf of the running kernel. Functions get their addresses from
 * the dso's symbols, which are kallsyms if there is no vmlinux.
 *
 * A module's file has its own types in .BTF; their base is the kernel's BTF. The functions of the kernel that it calls have
 * the addresses that module.c makes up, so calls of them have prototypes.
 */
#include <elf.h>
#include <string.h>

#include "base/file.h"
#include "btf/to_dwarf.h"
#include "dso/private.h"

#define MAX_BTF (64u << 20) /* a kernel has 6 MB */

static GBytes *btf_of_image(const struct image *image)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = image ? image_section(image, ".BTF", &shdr) : NULL;
	size_t size;
	const u8 *bytes = scn ? image_section_bytes(scn, &size) : NULL;

	/* A copy is aligned; a section in a file need not be. */
	return bytes && size <= MAX_BTF ? g_bytes_new(bytes, size) : NULL;
}

static GBytes *btf_of_file(const char *path, GError **error)
{
	size_t size;
	char *bytes = file_read(path, MAX_BTF, &size, error);

	return bytes ? g_bytes_new_take(bytes, size) : NULL;
}

/* Adds @reason to why there is no debug information. */
static void also_absent(const struct dso *dso, struct absence *absence, const char *reason)
{
	g_autofree char *before = g_strdup(absence->text);

	if (before)
		absence_set(absence, absence->why, "%s. Types by BTF: %s", before, reason);
	else
		absence_set(absence, DSO_NO_DEBUG_INFO, "%s: no types by BTF: %s", dso->long_name,
			    reason);
}

static GBytes *btf_of_running(const struct dso *dso, struct absence *absence)
{
	struct build_id running = { 0 };
	g_autoptr(GError) error = NULL;
	GBytes *bytes;

	build_id_read_kernel(&running, NULL);
	if (!running.size || !build_id_equal(&running, dso_final_id(dso))) {
		also_absent(
			dso, absence,
			"another kernel was recorded, and its BTF is not in the build-id cache");
		return NULL;
	}
	bytes = btf_of_file("/sys/kernel/btf/vmlinux", &error);
	if (!bytes)
		also_absent(dso, absence, error->message);
	return bytes;
}

static GBytes *find_btf(struct dso *dso, struct absence *absence)
{
	g_autofree char *cached = files_in_cache(dso, dso_final_id(dso), "btf");
	GBytes *bytes = btf_of_image(in(dso)->code);

	if (!bytes && cached)
		bytes = btf_of_file(cached, NULL);
	return bytes ?: btf_of_running(dso, absence);
}

static void add_function(GArray *functions, const struct symbol *s)
{
	struct btf_function f = { s->start, s->end, s->raw };

	if (s->type == STT_FUNC && s->end > s->start)
		g_array_append_val(functions, f);
}

/* Adds the functions of the kernel that a module calls. Which of its undefined symbols are functions, only BTF knows. */
static void add_external(GArray *functions, const struct symbol *s, u64 low, u64 high)
{
	struct btf_function f = { s->start, s->start + 1, s->raw };

	if (s->start >= low && s->start < high)
		g_array_append_val(functions, f);
}

static GArray *functions_of(struct dso *dso)
{
	GArray *functions = g_array_new(FALSE, FALSE, sizeof(struct btf_function));
	bool externals;
	u64 low, high;

	externals = dso_externals(dso, &low, &high);

	for (u32 id = 0; id < dso_nr_symbols(dso); id++) {
		const struct symbol *s = dso_symbol(dso, id), *alias;

		add_function(functions, s);
		if (externals)
			add_external(functions, s, low, high);
		for (u32 i = 0; (alias = dso_alias(dso, s->start, i)); i++)
			add_function(functions, alias);
	}
	return functions;
}

/* The code tells if no symbol does. */
static bool find_percpu(struct dso *dso, const struct btf *btf, u64 *base)
{
	const struct symbol *start = dso_symbol_named(dso, "__per_cpu_start");
	g_autoptr(GArray) texts = g_array_new(FALSE, FALSE, sizeof(struct btf_text));
	const struct image *code = in(dso)->code;

	if (start) {
		*base = start->start;
		return true;
	}
	for (u32 i = 0; code && i < code->nr_segments; i++) {
		struct btf_text text = { .vaddr = code->segments[i].vaddr };

		text.bytes = image_at(code, text.vaddr, &text.size);
		if (text.bytes && code->segments[i].flags & PF_X)
			g_array_append_val(texts, text);
	}
	return btf_percpu_base(btf, (const struct btf_text *)(const void *)texts->data, texts->len,
			       base);
}

static GBytes *translate_with(struct dso *dso, GBytes *bytes, const struct btf *base,
			      GError **error)
{
	struct btf *btf = btf_new(bytes, base, error);
	struct btf_code code = { 0 };
	GBytes *dwarf;
	GArray *functions, *globals;

	if (!btf)
		return NULL;
	functions = functions_of(dso);
	code.functions = (const struct btf_function *)(const void *)functions->data;
	code.nr = functions->len;
	code.has_percpu = !base && find_percpu(dso, btf, &code.percpu);
	globals = kernel_globals(dso, btf, &code);
	code.globals = (const struct btf_global *)(const void *)globals->data;
	code.nr_globals = globals->len;
	dwarf = btf_to_dwarf(btf, &code);
	g_array_unref(globals);
	g_array_unref(functions);
	btf_free(btf);
	return dwarf;
}

/* Of a module: @base_bytes are the kernel's. */
static GBytes *translate(struct dso *dso, GBytes *bytes, GBytes *base_bytes, GError **error)
{
	struct btf *base = base_bytes ? btf_new(base_bytes, NULL, error) : NULL;
	GBytes *dwarf = NULL;

	if (base || !base_bytes)
		dwarf = translate_with(dso, bytes, base, error);
	btf_free(base);
	return dwarf;
}

static Dwarf *open_translation(struct dso *dso, GBytes *btf, GBytes *base, Elf **elf,
			       GBytes **bytes, struct absence *absence)
{
	g_autoptr(GError) error = NULL;
	Dwarf *dwarf;
	size_t size;
	char *data;

	*bytes = translate(dso, btf, base, &error);
	if (!*bytes) {
		also_absent(dso, absence, error->message);
		return NULL;
	}
	data = (char *)g_bytes_get_data(*bytes, &size);
	*elf = elf_memory(data, size);
	dwarf = *elf ? dwarf_begin_elf(*elf, DWARF_C_READ, NULL) : NULL;
	if (!dwarf) {
		g_clear_pointer(elf, elf_end);
		g_clear_pointer(bytes, g_bytes_unref);
	}
	return dwarf;
}

Dwarf *kernel_btf_dwarf(struct dso *dso, Elf **elf, GBytes **bytes, struct absence *absence)
{
	struct image *code = dso_code_image(dso);
	g_autoptr(GBytes) btf = NULL;

	if (!code || code->ehdr.e_machine != EM_X86_64 || !(btf = find_btf(dso, absence)))
		return NULL;
	return open_translation(dso, btf, NULL, elf, bytes, absence);
}

Dwarf *module_btf_dwarf(struct dso *dso, Elf **elf, GBytes **bytes, struct absence *absence)
{
	struct dso *kernel = g_atomic_pointer_get(&dso->table->kernel);
	/* image_section() takes an image, so make one that has only the Elf. */
	struct image lent = { .elf = module_elf(dso) };
	g_autoptr(GBytes) btf = NULL, base = NULL;
	GElf_Ehdr ehdr;

	if (!kernel || !lent.elf || !gelf_getehdr(lent.elf, &ehdr) || ehdr.e_machine != EM_X86_64)
		return NULL;
	btf = btf_of_image(&lent);
	if (!btf)
		return NULL;
	dso_code_image(kernel);
	dso_lock(kernel);
	base = find_btf(kernel, absence);
	dso_unlock(kernel);
	return base ? open_translation(dso, btf, base, elf, bytes, absence) : NULL;
}
