/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two kinds of entries of .eh_frame and .debug_frame: an FDE describes one function, the CIE that it
 * names says what its functions have in common. Only unwind/cfi.c and unwind/program.c include this.
 */
#ifndef UNWIND_ENTRIES_H
#define UNWIND_ENTRIES_H

#include "base/cursor.h"
#include "base/types.h"

struct frame_section {
	const u8 *bytes;
	size_t size;
	u64 vaddr;   /* of the first byte; 0 for .debug_frame, which is not loaded */
	bool eh;     /* .eh_frame */
	bool narrow; /* of a 32-bit file: addresses have 4 bytes */
};

/* How pointers in the section are written (LSB 5.0 core, section 10.5.1). */
#define EH_PE_ABSPTR 0x00
#define EH_PE_OMIT   0xff

struct cie {
	u64 code_align;
	s64 data_align;
	u8 encoding; /* of addresses */
	bool signal;
	bool augmented; /* FDEs have a size and as many bytes of other data before their program */
	struct cursor program;
};

struct fde {
	struct cie cie;
	u64 low, size; /* addresses of the function */
	struct cursor program;
};

u64 cursor_uleb(struct cursor *c);
s64 cursor_sleb(struct cursor *c);

/*
 * Reads a pointer written as @encoding. @data: what "relative to data" means. Fails the cursor
 * on encodings that only a running program can follow.
 */
u64 frame_pointer_read(struct cursor *c, const struct frame_section *s, u8 encoding, u64 data);

/* The FDE at @offset. False: there is a CIE, or it is garbled. */
bool fde_read(const struct frame_section *s, u64 offset, struct fde *fde);

/* The offset behind the entry at @offset; 0: none, the section ends there. */
u64 frame_entry_next(const struct frame_section *s, u64 offset);

#endif
