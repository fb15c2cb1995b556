// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The vdso is in no file. Every process has one, so ours is the recorded one if its
 * build-id says so (or, where none was recorded, if nothing better is known).
 */
#include "dso/vdso.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dso/private.h"

/* From its own headers: the segments and the section headers behind them. */
static size_t vdso_size(const Elf64_Ehdr *ehdr)
{
	const Elf64_Phdr *ph = (const void *)((const u8 *)ehdr + ehdr->e_phoff);
	size_t size = ehdr->e_shoff + (size_t)ehdr->e_shentsize * ehdr->e_shnum;

	for (int i = 0; i < ehdr->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && ph[i].p_offset + ph[i].p_filesz > size)
			size = ph[i].p_offset + ph[i].p_filesz;
	return size;
}

/* This process's, in memory; NULL: it has none that can be read here. */
static const Elf64_Ehdr *own_vdso(void)
{
	const Elf64_Ehdr *ehdr = (const void *)getauxval(AT_SYSINFO_EHDR);

	return ehdr && !memcmp(ehdr->e_ident, ELFMAG, SELFMAG) &&
			       ehdr->e_ident[EI_CLASS] == ELFCLASS64
		       ? ehdr
		       : NULL;
}

/* As a file, which is gone when it is closed; -1: that failed. */
static int vdso_file(const Elf64_Ehdr *ehdr)
{
	size_t size = vdso_size(ehdr);
	int fd = memfd_create("vdso", MFD_CLOEXEC);

	if (fd < 0 || write(fd, ehdr, size) == (ssize_t)size)
		return fd;
	close(fd);
	return -1;
}

struct image *vdso_open(const struct build_id *wanted, struct absence *absence)
{
	const Elf64_Ehdr *ehdr = own_vdso();
	g_autofree char *path = NULL;
	struct image *image = NULL;
	int fd;

	if (!ehdr) {
		absence_set(absence, DSO_NO_FILE, "[vdso]: this kernel has none");
		return NULL;
	}
	fd = vdso_file(ehdr);
	if (fd >= 0) {
		path = g_strdup_printf("/proc/self/fd/%d", fd);
		image = files_open(path, wanted, absence);
	}
	if (fd >= 0)
		close(fd);
	if (image) {
		g_free(image->path);
		image->path = g_strdup("[vdso]");
	} else {
		absence_set(absence, DSO_OTHER_FILE,
			    "[vdso]: the running kernel's is not the recorded one");
	}
	return image;
}

static bool vdso_build_id(const Elf64_Ehdr *ehdr, struct build_id *id)
{
	g_autofree char *path = NULL;
	int fd = vdso_file(ehdr);
	bool found;

	if (fd < 0)
		return false;
	path = g_strdup_printf("/proc/self/fd/%d", fd);
	found = build_id_read(path, id, NULL);
	close(fd);
	return found;
}

/* Root in a user's environment would leave what the user can neither write to nor remove. */
static bool is_own(const char *folder)
{
	struct stat st;

	return !stat(folder, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

/* Readers have the whole file or none. */
static bool write_new(const char *path, const void *bytes, size_t size)
{
	g_autofree char *fresh = g_strdup_printf("%s.XXXXXX", path);
	int fd = g_mkstemp_full(fresh, O_WRONLY | O_CLOEXEC, 0644);
	bool written;

	if (fd < 0)
		return false;
	written = write(fd, bytes, size) == (ssize_t)size;
	close(fd);
	if (written && !rename(fresh, path))
		return true;
	unlink(fresh);
	return false;
}

bool vdso_keep(const char *buildid_dir)
{
	const Elf64_Ehdr *ehdr = own_vdso();
	g_autofree char *cache = buildid_dir ? g_strdup(buildid_dir) : build_id_cache_folder();
	g_autofree char *dir = NULL, *path = NULL, *ids = NULL, *link = NULL, *to = NULL;
	struct build_id id;
	char hex[BUILD_ID_HEX];

	if (!ehdr || !vdso_build_id(ehdr, &id) || g_mkdir_with_parents(cache, 0755) ||
	    !is_own(cache))
		return false;
	build_id_hex(&id, hex);
	dir = g_build_filename(cache, "[vdso]", hex, NULL);
	path = g_build_filename(dir, "vdso", NULL);
	ids = g_strdup_printf("%s/.build-id/%.2s", cache, hex);
	link = g_build_filename(ids, hex + 2, NULL);
	to = g_strdup_printf("../../[vdso]/%s", hex);
	if (g_mkdir_with_parents(dir, 0755) || g_mkdir_with_parents(ids, 0755))
		return false;
	if (access(path, R_OK) && !write_new(path, ehdr, vdso_size(ehdr)))
		return false;
	return !symlink(to, link) || errno == EEXIST;
}
