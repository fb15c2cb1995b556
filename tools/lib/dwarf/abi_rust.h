/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a value of Rust is to rustc's own calling convention: nothing, one scalar, two, or
 * bytes in memory. The convention is promised by nobody; what stands here is what rustc has
 * done for years and 1.95 does.
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
	u32 nr; /* RUST_SCALARS: 1 or 2, by offset */
	struct rust_scalar scalars[2];
};

void rust_value_of(const struct type *type, struct rust_value *value);

#endif
