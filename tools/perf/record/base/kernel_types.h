/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a program could not be loaded. Programs that read the kernel's structures need its type information (BTF).
 */
#ifndef RECORD_BASE_KERNEL_TYPES_H
#define RECORD_BASE_KERNEL_TYPES_H

#include <glib.h>
#include <stdbool.h>

/*
 * Call it when a program could not be loaded: true with @error, which says so and begins with @what, if the type
 * information is missing.
 */
bool kernel_types_missing(const char *what, GError **error);

/* Call it if the kernel permits no program: false with @error, which begins with @what and says what to do. */
bool kernel_forbids_bpf(const char *what, GError **error);

#endif
