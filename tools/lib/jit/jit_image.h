/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes an ELF file from one function of a just-in-time compiler. The file looks like a library: it has a symbol, a
 * build-id, and, if they are known, call-frame information and line numbers. So all tools that read ELF files can
 * annotate the function.
 */
#ifndef JIT_JIT_IMAGE_H
#define JIT_JIT_IMAGE_H

#include <glib.h>

#include "dso/buildid.h"
#include "jit/jitdump.h"

/* Offset of the code in the file, and also its vaddr. */
#define JIT_IMAGE_TEXT 0x1000

struct jit_code {
	const struct jitdump_record *load;
	const struct jitdump_record *debug;	/* or NULL */
	const struct jitdump_record *unwinding; /* or NULL */
	u16 machine;				/* EM_X86_64 */
};

/* The size in bytes of the memory, from the code's address on, that the file represents. */
u64 jit_image_size(const struct jit_code *code);

/* Returns the file's bytes. out: @id, its build-id. */
GByteArray *jit_image_new(const struct jit_code *code, struct build_id *id);

#endif
