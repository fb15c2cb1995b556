// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the kernel's symbols, its modules and the control groups, for proc.h. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cursor.h"
#include "base/file.h"
#include "perfevent/proc.h"

/* "ffffffff81000000 T _text": its address and name. */
static bool kallsyms_line(char *line, u64 *address, const char **name)
{
	char *end;

	*address = g_ascii_strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	*name = end + 3;
	end[3 + strcspn(end + 3, "\t\n ")] = 0;
	return true;
}

struct kernel_symbols {
	u64 text, stext, etext, last;
	bool any;
};

/*
 * The size of the kernel's code, from _text to _etext, by its place in the physical memory; 0: not known. For users without
 * rights, all addresses there are zero. Example:
 *
 *	00100000-bfffffff : System RAM
 *	  01000000-0220bb07 : Kernel code	0x120bb08 bytes
 *
 * Only x86 ends this area at _etext.
 */
static u64 kernel_code_size(const struct kernel_paths *paths)
{
#ifdef __x86_64__
	g_autofree char *text = file_text("%s/iomem", paths->proc);
	const char *line = text ? strstr(text, " : Kernel code\n") : NULL;
	u64 first, last;
	char *end;

	if (!line)
		return 0;
	while (line > text && line[-1] != '\n')
		line--;
	first = g_ascii_strtoull(line, &end, 16);
	last = *end == '-' ? g_ascii_strtoull(end + 1, NULL, 16) : 0;
	return last > first ? last - first + 1 : 0;
#else
	return 0;
#endif
}

/* @size: of the code; 0: not known. If it is known, the lines behind _text are not read: there are a hundred thousand. */
static void read_kallsyms(FILE *file, u64 size, struct kernel_symbols *found)
{
	char *line = NULL;
	size_t room = 0;

	while (!(size && found->text) && getline(&line, &room, file) > 0) {
		const char *name;
		u64 address;

		if (strchr(line, '[')) /* modules come after the kernel */
			continue;
		if (!kallsyms_line(line, &address, &name))
			continue;
		found->any = true;
		found->last = MAX(found->last, address);
		if (!strcmp(name, "_text"))
			found->text = address;
		else if (!strcmp(name, "_stext"))
			found->stext = address;
		else if (!strcmp(name, "_etext"))
			found->etext = address;
	}
	free(line);
	if (size && found->text)
		found->etext = found->text + size;
}

bool kernel_map_read(const struct kernel_paths *paths, struct kernel_map *map, const char **why)
{
	g_autofree char *path = g_build_filename(paths->proc, "kallsyms", NULL);
	struct kernel_symbols found = { 0 };
	FILE *file = fopen(path, "re");

	if (!file) {
		*why = "/proc/kallsyms cannot be read (a kernel without CONFIG_KALLSYMS)";
		return false;
	}
	setvbuf(file, NULL, _IOFBF, 256 * 1024); /* each read fills the whole buffer */
	read_kallsyms(file, kernel_code_size(paths), &found);
	fclose(file);
	if (!found.text && !found.stext) {
		*why = found.last || !found.any ? "/proc/kallsyms has neither _text nor _stext"
						: "kernel addresses are hidden: see "
						  "/proc/sys/kernel/kptr_restrict and "
						  "perf_event_paranoid, or run as root";
		return false;
	}
	map->ref_symbol = found.text ? "_text" : "_stext";
	map->start = found.text ?: found.stext;
	map->end = found.etext > map->start ? found.etext : found.last;
	return true;
}

/* The kernel's name for the module in a file: for x-y.ko.xz it is x_y. */
static char *module_of_file(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);
	char *dot = strstr(base, ".ko");

	if (!dot)
		return NULL;
	*dot = 0;
	return g_strdelimit(g_steal_pointer(&base), "-", '_');
}

/* Module name -> path, for the modules that depmod has listed. */
static GHashTable *module_files(const struct kernel_paths *paths)
{
	GHashTable *files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_autofree char *release = file_text("%s/sys/kernel/osrelease", paths->proc);
	g_autofree char *dir = g_build_filename(paths->modules, release ?: "", NULL);
	g_autofree char *text = release ? file_text("%s/modules.dep", dir) : NULL;
	g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;

	for (u32 i = 0; lines && lines[i]; i++) {
		char *colon = strchr(lines[i], ':'), *name;

		if (!colon)
			continue;
		*colon = 0;
		name = module_of_file(lines[i]);
		if (name)
			g_hash_table_insert(files, name,
					    *lines[i] == '/'
						    ? g_strdup(lines[i])
						    : g_build_filename(dir, lines[i], NULL));
	}
	return files;
}

/* "nf_tables 315392 3 nft_chain_nat, Live 0xffffffffc0a00000 (E)" */
static bool module_from_line(char *line, struct kernel_module *module)
{
	g_auto(GStrv) words = g_strsplit(line, " ", 7);
	size_t len;

	*module = (struct kernel_module){ 0 };
	if (g_strv_length(words) < 6)
		return false;
	module->size = g_ascii_strtoull(words[1], NULL, 10);
	module->start = g_ascii_strtoull(words[5], NULL, 16);
	len = strlen(words[0]);
	line[len] = 0;
	module->name = line;
	return len && module->size && module->start;
}

static int by_start(const void *a, const void *b)
{
	u64 x = ((const struct kernel_module *)a)->start,
	    y = ((const struct kernel_module *)b)->start;

	return x < y ? -1 : x > y;
}

u32 notes_build_id(const void *notes, size_t size, u8 out[20])
{
	struct cursor c = cursor_of(notes, size);

	while (cursor_left(&c) >= sizeof(Elf64_Nhdr) && !c.failed) {
		Elf64_Nhdr note;
		const u8 *name, *desc;

		cursor_read(&c, &note, sizeof(note));
		name = cursor_bytes(&c, ALIGN_UP((u64)note.n_namesz, 4));
		/* the last note's padding may be missing */
		desc = cursor_bytes(&c, MIN(ALIGN_UP((u64)note.n_descsz, 4),
					    MAX((u64)note.n_descsz, cursor_left(&c))));
		if (c.failed)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(name, "GNU", 4) && note.n_descsz && note.n_descsz <= 20) {
			memcpy(out, desc, note.n_descsz);
			return note.n_descsz;
		}
	}
	return 0;
}

static u32 file_build_id(const char *path, u8 out[20])
{
	g_autofree char *data = NULL;
	size_t size;

	if (!g_file_get_contents(path, &data, &size, NULL))
		return 0;
	return notes_build_id(data, size, out);
}

static u32 module_build_id(const struct kernel_paths *paths, const char *module, u8 out[20])
{
	g_autofree char *dir = g_build_filename(paths->sys, "module", module, "notes", NULL);
	g_autoptr(GDir) d = g_dir_open(dir, 0, NULL);
	const char *name;
	u32 size = 0;

	while (d && !size && (name = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, name, NULL);

		size = file_build_id(path, out);
	}
	return size;
}

char *proc_cgroup_mount(const struct kernel_paths *paths, GError **error)
{
	g_autofree char *text = file_text("%s/mounts", paths->proc);
	g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;
	g_autofree char *unified = NULL;

	for (u32 i = 0; lines && lines[i]; i++) {
		g_auto(GStrv) words = g_strsplit(lines[i], " ", 5);

		if (g_strv_length(words) < 4)
			continue;
		if (!strcmp(words[2], "cgroup")) {
			g_auto(GStrv) options = g_strsplit(words[3], ",", -1);

			if (g_strv_contains((const char *const *)options, "perf_event"))
				return g_strcompress(words[1]);
		} else if (!strcmp(words[2], "cgroup2") && !unified) {
			unified = g_strcompress(words[1]);
		}
	}
	if (!unified)
		error_set(error, PERF_ERROR_UNSUPPORTED,
			  "no control groups are mounted (cgroup2, or cgroup with perf_event)");
	return g_steal_pointer(&unified);
}

/* The id is the 8-byte file handle of the folder. */
bool proc_cgroup_id(const char *dir, u64 *id)
{
	struct {
		struct file_handle handle;
		u8 bytes[MAX_HANDLE_SZ];
	} h = { .handle.handle_bytes = MAX_HANDLE_SZ };
	struct stat st;
	int mount_id;

	if (!name_to_handle_at(AT_FDCWD, dir, &h.handle, &mount_id, 0) &&
	    h.handle.handle_bytes == sizeof(*id)) {
		memcpy(id, h.handle.f_handle, sizeof(*id));
		return true;
	}
	if (stat(dir, &st))
		return false;
	*id = st.st_ino;
	return true;
}

static bool walk_cgroups(const char *dir, const char *path, u32 depth, proc_cgroup_fn fn, void *arg)
{
	g_autoptr(GDir) d = g_dir_open(dir, 0, NULL);
	const char *name;
	u64 id;

	if (!d || depth > 64 || !proc_cgroup_id(dir, &id))
		return true;
	if (!fn(id, *path ? path : "/", arg))
		return false;
	while ((name = g_dir_read_name(d))) {
		g_autofree char *sub = g_build_filename(dir, name, NULL);
		g_autofree char *sub_path = g_strdup_printf("%s/%s", path, name);

		if (g_file_test(sub, G_FILE_TEST_IS_DIR) &&
		    !g_file_test(sub, G_FILE_TEST_IS_SYMLINK) &&
		    !walk_cgroups(sub, sub_path, depth + 1, fn, arg))
			return false;
	}
	return true;
}

bool proc_cgroups(const struct kernel_paths *paths, proc_cgroup_fn fn, void *arg, GError **error)
{
	g_autofree char *mount = proc_cgroup_mount(paths, error);

	if (!mount)
		return false;
	walk_cgroups(mount, "", 0, fn, arg);
	return true;
}

bool kernel_modules(const struct kernel_paths *paths, kernel_module_fn fn, void *arg,
		    GError **error)
{
	g_autofree char *text = file_text("%s/modules", paths->proc);
	g_autoptr(GHashTable) files = NULL;
	g_autoptr(GArray) modules = NULL;
	g_auto(GStrv) lines = NULL;

	if (!text)
		return errno == ENOENT || error_set_errno(error, errno, "%s/modules", paths->proc);
	lines = g_strsplit(text, "\n", -1);
	modules = g_array_new(FALSE, FALSE, sizeof(struct kernel_module));
	for (u32 i = 0; lines[i]; i++) {
		struct kernel_module module;

		if (module_from_line(lines[i], &module))
			g_array_append_val(modules, module);
	}
	g_array_sort(modules, by_start);
	files = module_files(paths);
	for (u32 i = 0; i < modules->len; i++) {
		struct kernel_module *module = &g_array_index(modules, struct kernel_module, i);
		u8 id[20];

		module->path = g_hash_table_lookup(files, module->name);
		module->build_id_size = module_build_id(paths, module->name, id);
		module->build_id = id;
		if (!fn(module, arg))
			break;
	}
	return true;
}
