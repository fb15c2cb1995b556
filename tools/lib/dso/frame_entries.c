// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads CIEs and FDEs. Example: the function of cfi.c's head is at 1160, .eh_frame begins at 2048. The FDE at offset 88
 * of the section, and the CIE at offset 30 that it refers to (all numbers are hexadecimal):
 *
 *	30	14 00 00 00		length of the rest
 *	34	00 00 00 00		id 0: a CIE
 *	38	01			version
 *	39	7a 52 00		augmentation "zR": there is augmentation data (z), with an encoding (R)
 *	3c	01 78 10		code alignment 1, data alignment -8, return address in column 16
 *	3f	01 1b			1 byte of augmentation data. Encoding 1b: relative to the field, signed, 4 bytes
 *	41	0c 07 08 90 01 00 00	program, see program.c
 *
 *	88	18 00 00 00		length of the rest
 *	8c	5c 00 00 00		id: the distance from this field back to the CIE, 8c - 5c = 30
 *	90	88 f0 ff ff		function's address: 2048 + 90 - f78 = 1160
 *	94	0e 00 00 00		function's size
 *	98	00			no augmentation data; C++ functions may have the address of their LSDA here
 *	99	41 0e 10 83 02 4c ...	program
 *
 * .debug_frame has the same entries with three differences: the id of a CIE is ffffffff, the id of an FDE is the offset
 * of its CIE in the section, and addresses are absolute (DWARF 5, section 6.4.1).
 *
 * Limits: if the augmentation of a CIE is not known, its FDEs are not read, and their functions have no rule. The same
 * happens if an address is stored as a pointer that needs a running program: indirect, or relative to the text or to
 * the function.
 */
#include "dso/frame_entries.h"

/* Low four bits: the format. The next three bits: the base of relative values. */
enum {
	PE_ULEB = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SLEB = 0x09,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_PCREL = 0x10,
	PE_DATAREL = 0x30,
};

/* Real CIEs have less than 64 bytes. A limit is needed because every FDE runs its CIE's program again. */
#define CIE_PROGRAM_MAX 4096

u64 cursor_uleb(struct cursor *c)
{
	u64 v = 0;
	u8 byte;

	for (u32 shift = 0;; shift += 7) {
		byte = cursor_u8(c);
		if (shift < 64)
			v |= (u64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
}

s64 cursor_sleb(struct cursor *c)
{
	u32 shift = 0;
	u64 v = 0;
	u8 byte;

	do {
		byte = cursor_u8(c);
		if (shift < 64)
			v |= (u64)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		v |= ~0ull << shift;
	return (s64)v;
}

/* Reads the stored value of a pointer, before a base is added. An FDE's size is such a value: it has no base. */
static u64 pointer_format(struct cursor *c, const struct frame_section *s, u8 format)
{
	switch (format) {
	case EH_PE_ABSPTR:
		return s->narrow ? cursor_u32(c) : cursor_u64(c);
	case PE_UDATA8:
	case PE_SDATA8:
		return cursor_u64(c);
	case PE_ULEB:
		return cursor_uleb(c);
	case PE_SLEB:
		return (u64)cursor_sleb(c);
	case PE_UDATA2:
		return cursor_u16(c);
	case PE_SDATA2:
		return (u64)(s64)(s16)cursor_u16(c);
	case PE_UDATA4:
		return cursor_u32(c);
	case PE_SDATA4:
		return (u64)(s64)(s32)cursor_u32(c);
	}
	c->failed = true;
	return 0;
}

u64 frame_pointer_read(struct cursor *c, const struct frame_section *s, u8 encoding, u64 data)
{
	u64 here = s->vaddr + (u64)(c->pos - s->bytes);
	u64 v = pointer_format(c, s, encoding & 0x0f), mask = s->narrow ? UINT32_MAX : UINT64_MAX;

	switch (encoding & 0xf0) {
	case 0:
		return v & mask;
	case PE_PCREL:
		return (here + v) & mask;
	case PE_DATAREL:
		return (data + v) & mask;
	}
	/* indirect, text-relative, function-relative: no tool writes these here */
	c->failed = true;
	return 0;
}

struct frame_entry {
	struct cursor c; /* after the id */
	u64 id, id_at; /* .eh_frame: the id of an FDE is the distance from id_at back to its CIE */
	bool wide;     /* 64-bit DWARF */
};

/*
 * Reads the length and the id. False: the section ends here, or the entry is malformed. A length of 0 ends .eh_frame
 * (LSB 5.0 core, section 10.6.1). After the length ffffffff, the length has 8 bytes; in .debug_frame the id, too.
 */
static bool entry_open(const struct frame_section *s, u64 offset, struct frame_entry *e)
{
	struct cursor c;
	u64 length;

	if (offset >= s->size)
		return false;
	c = cursor_of(s->bytes + offset, s->size - offset);
	length = cursor_u32(&c);
	e->wide = length == 0xffffffff;
	if (e->wide)
		length = cursor_u64(&c);
	if (c.failed || !length || length > cursor_left(&c))
		return false;
	e->c = cursor_of(c.pos, length);
	e->id_at = (u64)(e->c.pos - s->bytes);
	e->id = e->wide && !s->eh ? cursor_u64(&e->c) : cursor_u32(&e->c);
	return !e->c.failed;
}

static bool is_cie(const struct frame_section *s, const struct frame_entry *e)
{
	return s->eh ? e->id == 0 : e->id == (e->wide ? ~0ull : 0xffffffff);
}

/*
 * Reads the augmentation data. @letters: the augmentation. The letters after "z" tell, in order, what the data consists
 * of: R an encoding, P an encoding and the personality routine's address, L an encoding; S has no data. An unknown
 * letter is a failure: the data of later letters cannot be found.
 */
static bool read_augmentation(const struct frame_section *s, const char *letters, struct cursor *c,
			      struct cie *cie)
{
	u64 size = cursor_uleb(c);
	const u8 *at = cursor_bytes(c, size);
	struct cursor data = cursor_of(at, at ? size : 0);

	cie->augmented = true;
	for (letters++; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->encoding = cursor_u8(&data);
			break;
		case 'S':
			cie->signal = true;
			break;
		case 'L':
			cursor_u8(&data);
			break;
		case 'P':
			/* The personality routine's pointer may be indirect. Its value is not needed. */
			pointer_format(&data, s, cursor_u8(&data) & 0x0f);
			break;
		default:
			return false;
		}
	}
	return at && !data.failed;
}

static bool cie_read(const struct frame_section *s, u64 offset, struct cie *cie)
{
	const char *letters;
	struct frame_entry e;
	u8 version;
	u64 ra;

	*cie = (struct cie){ 0 };
	if (!entry_open(s, offset, &e) || !is_cie(s, &e))
		return false;
	version = cursor_u8(&e.c);
	letters = cursor_string(&e.c);
	if (!letters || (version != 1 && version != 3 && version != 4))
		return false;
	/* Version 4 states the sizes of an address and of a segment selector. */
	if (version == 4 && (cursor_u8(&e.c) != (s->narrow ? 4 : 8) || cursor_u8(&e.c) != 0))
		return false;
	cie->code_align = cursor_uleb(&e.c);
	cie->data_align = cursor_sleb(&e.c);
	ra = version == 1 ? cursor_u8(&e.c) : cursor_uleb(&e.c);
	/* In .debug_frame the GNU assembler marks a signal frame with the augmentation "S" alone. */
	cie->signal = !strcmp(letters, "S");
	if (letters[0] == 'z' ? !read_augmentation(s, letters, &e.c, cie)
			      : letters[0] && !cie->signal)
		return false;
	cie->program = e.c;
	/* The return address is column 16 in every x86-64 file and column 8 in every i386 file. */
	return !e.c.failed && ra == (s->narrow ? 8 : 16) && cursor_left(&e.c) <= CIE_PROGRAM_MAX;
}

bool fde_read(const struct frame_section *s, u64 offset, struct fde *fde)
{
	struct frame_entry e;
	u64 cie;

	if (!entry_open(s, offset, &e) || is_cie(s, &e))
		return false;
	cie = s->eh ? e.id_at - e.id : e.id;
	if (!cie_read(s, cie, &fde->cie))
		return false;
	fde->low = frame_pointer_read(&e.c, s, fde->cie.encoding, 0);
	fde->size = pointer_format(&e.c, s, fde->cie.encoding & 0x0f);
	if (fde->cie.augmented)
		cursor_bytes(&e.c, cursor_uleb(&e.c));
	fde->program = e.c;
	return !e.c.failed && fde->size && fde->size <= UINT32_MAX;
}

u64 frame_entry_next(const struct frame_section *s, u64 offset)
{
	struct frame_entry e;

	return entry_open(s, offset, &e) ? (u64)(e.c.end - s->bytes) : 0;
}
