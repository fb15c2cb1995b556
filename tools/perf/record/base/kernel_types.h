/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's type information (BTF): libbpf needs it to load programs that read the kernel's structures. */
#ifndef RECORD_BASE_KERNEL_TYPES_H
#define RECORD_BASE_KERNEL_TYPES_H

#include <glib.h>
#include <stdbool.h>

/*
 * Call it when a program could not be loaded: true with @error, which says so and begins with @what, if the type
 * information is missing.
 */
bool kernel_types_missing(const char *what, GError **error);

#endif
