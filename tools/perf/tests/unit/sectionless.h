/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UNIT_SECTIONLESS_H
#define UNIT_SECTIONLESS_H

#include <elf.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Makes the 64-bit ELF file at @path one without section headers, as sstrip does. The table's bytes are overwritten. */
static inline bool cut_sections(const char *path)
{
	g_autofree char *bytes = NULL;
	Elf64_Ehdr *header;
	gsize size;
	int fd;

	if (!g_file_get_contents(path, &bytes, &size, NULL) || size < sizeof(*header))
		return false;
	header = (Elf64_Ehdr *)bytes;
	if (header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > size)
		return false;
	memset(bytes + header->e_shoff, 0xff, header->e_shnum * sizeof(Elf64_Shdr));
	header->e_shoff = 0;
	header->e_shnum = 0;
	header->e_shstrndx = 0;
	/* In place, because the mode stays. */
	fd = g_open(path, O_WRONLY, 0);
	if (fd < 0)
		return false;
	if (write(fd, bytes, size) != (ssize_t)size)
		size = 0;
	return close(fd) == 0 && size;
}

#endif
