/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A piece of compiled code as an ELF file of its own, as if it were a library: with a symbol, a build-id, call-frame information
 * and lines where there are some. So whatever reads ELF files can annotate it.
 */
#ifndef JIT_JIT_IMAGE_H
#define JIT_JIT_IMAGE_H

#include <glib.h>

#include "dso/buildid.h"
#include "jit/jitdump.h"

/* Where the code begins in the file, which is also its vaddr. */
#define JIT_IMAGE_TEXT 0x1000

struct jit_code {
	const struct jitdump_record *load;
	const struct jitdump_record *debug;	/* or NULL */
	const struct jitdump_record *unwinding; /* or NULL */
	u16 machine;				/* EM_X86_64 */
};

/* Bytes of memory from the code's address on that the file stands for. */
u64 jit_image_size(const struct jit_code *code);

/* The file's bytes; @id gets its build-id. */
GByteArray *jit_image_new(const struct jit_code *code, struct build_id *id);

#endif
