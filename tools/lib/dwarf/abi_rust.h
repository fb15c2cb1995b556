/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The class of a Rust value in rustc's own calling convention: nothing, one scalar, two scalars, or bytes in memory.
 * Rust does not specify this convention. This is what rustc has done for years, up to 1.95.
 */
#ifndef DWARF_ABI_RUST_H
#define DWARF_ABI_RUST_H

#include "dwarf/types.h"

enum rust_form {
	RUST_NOTHING, /* of size 0 */
	RUST_SCALARS,
	RUST_MEMORY,
	RUST_UNKNOWN,
};

struct rust_scalar {
	u64 offset, size;
	bool vector; /* floating point */
};

struct rust_value {
	enum rust_form form;
	u32 nr; /* RUST_SCALARS: 1 or 2, sorted by offset */
	struct rust_scalar scalars[2];
};

void rust_value_of(const struct type *type, struct rust_value *value);

#endif
