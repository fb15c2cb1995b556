/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of .eh_frame and .debug_frame. An FDE describes one function. It refers to a CIE, which has what several FDEs
 * have in common. For unwind/cfi.h, and for the bounds of functions without symbols (dso/elfsyms.h).
 */
#ifndef DSO_FRAME_ENTRIES_H
#define DSO_FRAME_ENTRIES_H

#include "base/cursor.h"
#include "base/types.h"

struct frame_section {
	const u8 *bytes;
	size_t size;
	u64 vaddr;   /* address of the first byte; 0 for .debug_frame, which is not loaded */
	bool eh;     /* .eh_frame */
	bool narrow; /* from a 32-bit file: addresses have 4 bytes */
};

/* Encodings of pointers in the section (LSB 5.0 core, section 10.5.1). */
#define EH_PE_ABSPTR 0x00
#define EH_PE_OMIT   0xff

struct cie {
	u64 code_align;
	s64 data_align;
	u8 encoding; /* of addresses */
	bool signal;
	bool augmented; /* FDEs have augmentation data, with its size, before their program */
	struct cursor program;
};

struct fde {
	struct cie cie;
	u64 low, size; /* the function's address and size in bytes */
	struct cursor program;
};

u64 cursor_uleb(struct cursor *c);
s64 cursor_sleb(struct cursor *c);

/*
 * Reads a pointer in the format @encoding. @data: base of data-relative pointers. The cursor fails on encodings that
 * need a running program.
 */
u64 frame_pointer_read(struct cursor *c, const struct frame_section *s, u8 encoding, u64 data);

/* The FDE at @offset. False: the entry is a CIE, or malformed. */
bool fde_read(const struct frame_section *s, u64 offset, struct fde *fde);

/* The offset of the entry after the one at @offset; 0: there is none, the section ends. */
u64 frame_entry_next(const struct frame_section *s, u64 offset);

#endif
