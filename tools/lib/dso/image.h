/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An opened ELF file: its bytes, segments and build-id.
 *
 * It keeps no file descriptor, so a profile of thousands of files does not run out of them. Symbols and
 * debug information are dso/dso.h's.
 */
#ifndef DSO_IMAGE_H
#define DSO_IMAGE_H

#include <gelf.h>
#include <glib.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"
#include "dso/buildid.h"

struct segment {
	u64 vaddr, foff, file_size, mem_size;
	u32 flags; /* PF_* */
};

struct image {
	char *path;   /* of an image of bytes: only a name for messages */
	GBytes *made; /* image_of_bytes(): what it was made of; NULL: a file */
	Elf *elf;
	const u8 *bytes; /* the whole file */
	size_t size;
	GElf_Ehdr ehdr;
	struct segment *segments; /* PT_LOAD, in order of the program headers */
	u32 nr_segments;
	struct build_id build_id;
	dev_t dev;
	ino_t ino;
};

/*
 * NULL with PERF_ERROR_SYSTEM, PERF_ERROR_PERMISSION or PERF_ERROR_ABSENT where @path
 * cannot be opened, PERF_ERROR_FORMAT where it is no ELF file. Does not block: a fifo is an error.
 */
struct image *image_open(const char *path, GError **error);
/* The same for an ELF file in memory. Takes a reference to @bytes. It cannot be reopened. */
struct image *image_of_bytes(GBytes *bytes, const char *name, GError **error);
void image_close(struct image *image);

/*
 * Opens the file again for libdw, which needs a descriptor to find .dwo and .dwp files in the same
 * folder. out: *@fd. NULL when the file has changed since. The caller calls elf_end() and close(), or
 * elf_cntl(ELF_C_FDDONE) and close() early.
 */
Elf *image_reopen(const struct image *image, int *fd);

/* The section called @name; NULL: there is none, or it has no contents. out: *@shdr. */
Elf_Scn *image_section(const struct image *image, const char *name, GElf_Shdr *shdr);
/* The first section of that sh_type. */
Elf_Scn *image_section_of_type(const struct image *image, u32 type, GElf_Shdr *shdr);
/* The contents of a section, decompressed if necessary; NULL: none, or malformed. */
const u8 *image_section_bytes(Elf_Scn *scn, size_t *size);

/* Is @id its build-id, or build_id_of_contents() if it has none? That reads the whole file. */
bool image_identified_by(const struct image *image, const struct build_id *id);

/* Is there a .debug_info or .zdebug_info section? */
bool image_has_dwarf(const struct image *image);

bool image_foff_to_vaddr(const struct image *image, u64 foff, u64 *vaddr);
/* The same for the offset at which a mapping of code starts. */
bool image_code_start(const struct image *image, u64 foff, u64 *vaddr);
bool image_vaddr_to_foff(const struct image *image, u64 vaddr, u64 *foff);

/* Bytes at @vaddr to the end of the segment's file contents. */
const u8 *image_at(const struct image *image, u64 vaddr, size_t *left);
/* The same, but NULL if the segment is writable. So each process that maps the file has these bytes there. */
const u8 *image_constant_at(const struct image *image, u64 vaddr, size_t *left);

#endif
