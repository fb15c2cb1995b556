// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/buildids.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <linux/perf_event.h>

#include "perfdata/event.h"

struct entry {
	struct build_id id;
	bool kernel;
};

struct buildids {
	const struct kernel_paths *paths;
	GHashTable *by_name; /* filename -> struct entry * */
};

struct buildids *buildids_new(const struct kernel_paths *paths)
{
	struct buildids *ids = g_new0(struct buildids, 1);

	ids->paths = paths;
	ids->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return ids;
}

void buildids_free(struct buildids *ids)
{
	if (!ids)
		return;
	g_hash_table_unref(ids->by_name);
	g_free(ids);
}

/* The vdso is one image for all processes of a kernel, this one included. */
static void read_vdso(struct build_id *id)
{
	const u8 *image = (const u8 *)getauxval(AT_SYSINFO_EHDR); /* NOLINT */
	const Elf64_Ehdr *ehdr = (const void *)image;
	const Elf64_Phdr *phdr;

	if (!image || ehdr->e_ident[EI_CLASS] != ELFCLASS64)
		return;
	phdr = (const void *)(image + ehdr->e_phoff);
	for (int i = 0; i < ehdr->e_phnum; i++)
		if (phdr[i].p_type == PT_NOTE &&
		    build_id_from_notes(image + phdr[i].p_offset, phdr[i].p_filesz, id))
			return;
}

static void read_file(const struct kernel_paths *paths, u32 pid, const char *filename,
		      struct build_id *id)
{
	g_autofree char *inside = g_strdup_printf("%s/%u/root%s", paths->proc, pid, filename);

	if (!build_id_read(inside, id, NULL))
		build_id_read(filename, id, NULL);
}

/* "[kernel.kallsyms]_text" is the kernel, "[name]" or "/.../name.ko[.xz]" a module. */
static void read_kernel(const char *filename, struct build_id *id)
{
	g_autofree char *name = NULL;

	if (g_str_has_prefix(filename, "[kernel.kallsyms]")) {
		build_id_read_kernel(id, NULL);
		return;
	}
	name = g_path_get_basename(filename[0] == '[' ? filename + 1 : filename);
	name[strcspn(name, ".]")] = 0;
	g_strdelimit(name, "-", '_');
	build_id_read_module(name, id, NULL);
}

static void read_id(const struct buildids *ids, u32 pid, bool kernel, const char *filename,
		    struct build_id *id)
{
	if (kernel)
		read_kernel(filename, id);
	else if (!strcmp(filename, "[vdso]"))
		read_vdso(id);
	else if (filename[0] == '/' && !g_str_has_prefix(filename, "//anon") &&
		 !g_str_has_prefix(filename, "/dev/") && !g_str_has_prefix(filename, "/memfd:") &&
		 !g_str_has_prefix(filename, "/SYSV") &&
		 !g_str_has_prefix(filename, "/anon_hugepage"))
		read_file(ids->paths, pid, filename, id);
}

const struct build_id *buildids_get(struct buildids *ids, u32 pid, bool kernel,
				    const char *filename)
{
	struct entry *entry = g_hash_table_lookup(ids->by_name, filename);

	if (!entry) {
		entry = g_new0(struct entry, 1);
		entry->kernel = kernel;
		read_id(ids, pid, kernel, filename, &entry->id);
		g_hash_table_insert(ids->by_name, g_strdup(filename), entry);
	}
	return &entry->id;
}

void buildids_tell(const struct buildids *ids, struct perfdata_info *info)
{
	GHashTableIter iter;
	const char *filename;
	const struct entry *entry;

	g_hash_table_iter_init(&iter, ids->by_name);
	while (g_hash_table_iter_next(&iter, (void **)&filename, (void **)&entry)) {
		u16 misc = entry->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
		bool kernel = g_str_has_prefix(filename, "[kernel.kallsyms]");

		if (entry->id.size)
			perfdata_info_add_build_id(info, EVENT_NO_PID, misc, entry->id.bytes,
						   entry->id.size,
						   kernel ? "[kernel.kallsyms]" : filename);
	}
}
