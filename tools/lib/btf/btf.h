/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of a kernel or of a kernel module in the BPF Type Format (described in the kernel's documentation of BPF).
 *
 * A type has an id. Id 0 is void. A module's BTF is "split": its ids and its offsets of strings continue those of the
 * kernel's BTF, which is its base.
 *
 * The input may be hostile: btf_new() checks everything once. After that, every id and every name that a type contains
 * is valid. Types may form cycles, also ones that C does not allow (a typedef of itself). Why not libbpf's parser: it
 * checks no ids, and a build may lack it.
 */
#ifndef BTF_BTF_H
#define BTF_BTF_H

#include <glib.h>
#include <linux/btf.h>

#include "base/error.h"
#include "base/types.h"

/* Linux 6.0; the header of an older system lacks it. struct btf_enum64 follows the type: name, low and high half. */
#define BTF_ENUM64 19

struct btf;

/*
 * Takes a reference to @bytes. @base: of split BTF, else NULL; it must outlive the result. NULL with PERF_ERROR_FORMAT:
 * @bytes is malformed, or has types of a kind that is not known here.
 */
struct btf *btf_new(GBytes *bytes, const struct btf *base, GError **error);
void btf_free(struct btf *btf);

/* Ids are below this number, those of the base included. */
u32 btf_nr_types(const struct btf *btf);
/* The first id that is not the base's; without a base: 1. */
u32 btf_first_type(const struct btf *btf);

/* @id: from 1 to btf_nr_types() - 1. What follows the struct depends on its kind, as in <linux/btf.h>. */
const struct btf_type *btf_type(const struct btf *btf, u32 id);

static inline u32 btf_kind(const struct btf_type *type)
{
	return type->info >> 24 & 0x1f;
}

/* The name at an offset that a type contains; "" for a nameless type. */
const char *btf_name(const struct btf *btf, u32 offset);

/* All names, from the base's first to the last: btf_name() is names + offset. To free with g_byte_array_unref(). */
GByteArray *btf_names(const struct btf *btf);

#endif
