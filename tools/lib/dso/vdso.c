// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The vdso is in no file. Every process has one, so ours is the recorded one if its
 * build-id says so (or, where none was recorded, if nothing better is known).
 */
#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
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

struct image *vdso_open(const struct build_id *wanted, struct absence *absence)
{
	const Elf64_Ehdr *ehdr = (const void *)getauxval(AT_SYSINFO_EHDR);
	g_autofree char *path = NULL;
	struct image *image = NULL;
	size_t size;
	int fd;

	if (!ehdr || memcmp(ehdr->e_ident, ELFMAG, SELFMAG) ||
	    ehdr->e_ident[EI_CLASS] != ELFCLASS64) {
		absence_set(absence, DSO_NO_FILE, "[vdso]: this kernel has none");
		return NULL;
	}
	size = vdso_size(ehdr);
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, ehdr, size) == (ssize_t)size) {
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
