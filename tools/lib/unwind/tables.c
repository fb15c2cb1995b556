// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Linkers write .eh_frame_hdr with a sorted table, so that no section must be read from its start. Example: the header
 * at 2004 of the program whose entries are in the head of entries.c:
 *
 *	2004	01		version
 *	2005	1b 03 3b	encodings of the pointer (relative to the field), the count, the table (to the header)
 *	2008	40 00 00 00	.eh_frame is at 2008 + 40 = 2048
 *	200c	07 00 00 00	7 pairs
 *	2010	1c f0 ff ff 8c 00 00 00		the code at 2004 - fe4 = 1020, the FDE at 2004 + 8c = 2090
 *	...
 *	2030	5c f1 ff ff cc 00 00 00		the code at 2004 - ea4 = 1160, the FDE at 2004 + cc = 20d0
 *
 * The pairs are used where they are in the file: base = 2004, section_off = 2048 - 2004 = 44. An FDE's offset in the
 * section is cc - 44 = 88. For sections without such a table, the same kind of pairs is made: base is the address of
 * the first function, the second number is the offset in the section, and section_off is 0.
 *
 * The file's table is not checked here: that would read all of it. The binary search in a table that is not sorted
 * finds a wrong FDE or none. cfi.c uses an FDE only if it states the same address as its pair.
 */
#include "unwind/tables.h"

#include <glib.h>
#include <string.h>

#define PT_GNU_SFRAME_HERE 0x6474e554 /* missing in old versions of elf.h */

struct found_fde {
	u64 low, offset;
};

static gint by_address(gconstpointer a, gconstpointer b)
{
	const struct found_fde *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Builds the table. Functions more than 2 GiB away from the first one are left out. */
static void take_found(struct table_of_fdes *t, GArray *found)
{
	if (!found->len)
		return;
	g_array_sort(found, by_address);
	t->base = g_array_index(found, struct found_fde, 0).low;
	t->own_pairs = g_new(s32, (gsize)found->len * 2);
	for (u32 i = 0; i < found->len; i++) {
		const struct found_fde *f = &g_array_index(found, struct found_fde, i);

		if (f->low - t->base > INT32_MAX)
			break;
		t->own_pairs[2 * i] = (s32)(f->low - t->base);
		t->own_pairs[2 * i + 1] = (s32)f->offset;
		t->nr++;
	}
	t->pairs = (const u8 *)t->own_pairs;
}

/*
 * Builds the table of a section that has none. If the linker dropped a function, its FDE is still in .debug_frame, with
 * address 0.
 */
static void walk_section(struct table_of_fdes *t)
{
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(struct found_fde));
	u64 next;

	for (u64 offset = 0; (next = frame_entry_next(&t->section, offset)); offset = next) {
		struct fde fde;

		if (fde_read(&t->section, offset, &fde) && fde.low) {
			struct found_fde f = { fde.low, offset };

			g_array_append_val(found, f);
		}
	}
	take_found(t, found);
}

static bool is_narrow(const struct image *image)
{
	return image->ehdr.e_ident[EI_CLASS] == ELFCLASS32;
}

/*
 * Offsets in the table have 32 bits, so a longer section is cut. The budget is enough to run the programs of all FDEs,
 * if these do not overlap; see "Malformed input" in cfi.c.
 */
static void set_section(struct table_of_fdes *t, const struct image *image, const u8 *bytes,
			size_t size, u64 vaddr, bool eh)
{
	t->section =
		(struct frame_section){ bytes, MIN(size, INT32_MAX), vaddr, eh, is_narrow(image) };
	t->budget = 2 * (u64)t->section.size;
}

/* .eh_frame_hdr (LSB 5.0 core, section 10.6.2), found by its program header. */
static bool open_header(struct table_of_fdes *t, const struct image *image, u64 vaddr)
{
	struct frame_section hdr = { .vaddr = vaddr, .narrow = is_narrow(image) };
	struct cursor c;
	u64 frames, nr;
	u8 encodings[4]; /* version, then those of the pointer, the count, the table */
	const u8 *at;
	size_t left;

	hdr.bytes = image_at(image, vaddr, &hdr.size);
	if (!hdr.bytes)
		return false;
	c = cursor_of(hdr.bytes, hdr.size);
	cursor_read(&c, encodings, sizeof(encodings));
	if (encodings[0] != 1 || encodings[1] == EH_PE_OMIT || encodings[2] == EH_PE_OMIT)
		return false;
	frames = frame_pointer_read(&c, &hdr, encodings[1], vaddr);
	nr = frame_pointer_read(&c, &hdr, encodings[2], vaddr);
	if (c.failed || !(at = image_at(image, frames, &left)))
		return false;
	set_section(t, image, at, left, frames, true);
	/* 0x3b: relative to the header, signed, 4 bytes. Linkers write no other encoding. */
	if (encodings[3] != 0x3b || !nr || nr > cursor_left(&c) / 8 || nr > UINT32_MAX) {
		walk_section(t);
		return t->nr;
	}
	t->base = vaddr;
	t->section_off = frames - vaddr;
	t->pairs = c.pos;
	t->nr = (u32)nr;
	return true;
}

/* A section's bytes by name; NULL: it is absent, or the file is relocatable. */
static const u8 *section_bytes(const struct image *image, const char *name, size_t *size,
			       u64 *vaddr)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = image_section(image, name, &shdr);

	if (!scn || image->ehdr.e_type == ET_REL)
		return NULL;
	*vaddr = shdr.sh_addr;
	return image_section_bytes(scn, size);
}

/* The address of the first segment with that type. */
static bool find_segment(const struct image *image, u32 type, u64 *vaddr)
{
	GElf_Phdr ph;
	size_t nr = 0;

	if (elf_getphdrnum(image->elf, &nr) < 0)
		nr = 0;
	for (size_t i = 0; i < nr && gelf_getphdr(image->elf, (int)i, &ph); i++) {
		if (ph.p_type != type)
			continue;
		*vaddr = ph.p_vaddr;
		return true;
	}
	return false;
}

void table_open_eh_frame(struct table_of_fdes *t, const struct image *image)
{
	const u8 *bytes;
	size_t size;
	u64 vaddr;

	if (find_segment(image, PT_GNU_EH_FRAME, &vaddr) && open_header(t, image, vaddr))
		return;
	bytes = section_bytes(image, ".eh_frame", &size, &vaddr);
	if (!bytes)
		return;
	set_section(t, image, bytes, size, vaddr, true);
	walk_section(t);
}

void table_open_debug_frame(struct table_of_fdes *t, const struct image *image)
{
	const u8 *bytes;
	size_t size;
	u64 vaddr;

	bytes = section_bytes(image, ".debug_frame", &size, &vaddr);
	if (!bytes)
		return;
	set_section(t, image, bytes, size, 0, false);
	walk_section(t);
}

void table_open_sframe(struct table_of_fdes *t, const struct image *image)
{
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(struct found_fde));
	const u8 *bytes = NULL;
	size_t size;
	u64 vaddr;

	if (find_segment(image, PT_GNU_SFRAME_HERE, &vaddr))
		bytes = image_at(image, vaddr, &size);
	if (!bytes)
		bytes = section_bytes(image, ".sframe", &size, &vaddr);
	if (!bytes || is_narrow(image) || !sframe_open(&t->sframe, bytes, size, vaddr))
		return;
	set_section(t, image, bytes, size, vaddr, true);
	for (u32 i = 0; i < t->sframe.nr_fdes; i++) {
		struct sframe_fde fde;

		if (sframe_fde_read(&t->sframe, i, &fde)) {
			struct found_fde f = { fde.low, i };

			g_array_append_val(found, f);
		}
	}
	take_found(t, found);
}

void table_close(struct table_of_fdes *t)
{
	g_free(t->slots);
	g_free(t->own_pairs);
}
