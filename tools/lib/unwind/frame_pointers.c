// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A function that keeps a frame pointer begins with
 *
 *	push %rbp			55
 *	mov  %rsp,%rbp			48 89 e5, or 48 8b ec
 *
 * Other instructions may come before and between. With -fno-omit-frame-pointer, two thirds of the functions do this near
 * their start; others are leaf functions, or do it in a branch. Without it, some per cent do: those with an array of
 * variable size, or a larger alignment of the stack. A small program with frame pointers that is linked with a large
 * static library without is known by its main().
 */
#include "unwind/frame_pointers.h"

#include <string.h>

#include "unwind/tables.h"

#define MOST_LOOKED_AT 512u
#define FEWEST	       8u  /* functions, to tell something about a file */
#define ENOUGH_PERCENT 10u /* of them, to say that the file may have frame pointers */
#define NEAR	       40u /* bytes from the start */

static bool keeps(const struct image *image, u64 vaddr)
{
	size_t left = 0;
	const u8 *at = image_constant_at(image, vaddr, &left);
	bool pushed = false;

	for (size_t i = 0; at && i + 3 <= MIN(left, NEAR); i++) {
		if (pushed &&
		    (!memcmp(at + i, "\x48\x89\xe5", 3) || !memcmp(at + i, "\x48\x8b\xec", 3)))
			return true;
		pushed |= at[i] == 0x55;
	}
	return false;
}

/* Does main(), or what is called so, keep one? */
static bool main_keeps(const struct image *image)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = image_section_of_type(image, SHT_SYMTAB, &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Sym sym;

	for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(image->elf, shdr.sh_link, sym.st_name);

		if (name && GELF_ST_TYPE(sym.st_info) == STT_FUNC && !strcmp(name, "main"))
			return keeps(image, sym.st_value);
	}
	return false;
}

bool image_lacks_frame_pointers(const struct image *image)
{
	struct table_of_fdes t = { .nr = 0 };
	u32 step, seen = 0, kept = 0;

	if (image->ehdr.e_machine != EM_X86_64)
		return false;
	table_open_eh_frame(&t, image);
	step = t.nr / MOST_LOOKED_AT + 1;
	for (u32 i = 0; i < t.nr; i += step) {
		seen++;
		kept += keeps(image, table_low(&t, i));
	}
	table_close(&t);
	return seen >= FEWEST && kept * 100 < seen * ENOUGH_PERCENT && !main_keeps(image);
}
