/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a program could not be loaded. Programs that read the kernel's structures need its type information (BTF). libbpf
 * itself prints nothing: whoever loads a program calls libbpf_set_print(NULL) before, and kernel_bpf_failed() afterwards.
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

/*
 * Call it when a program could not be loaded, or its maps not be made, with @errnum: false with @error, which begins with
 * @what and says why. @needs: the oldest kernel that can do it, such as "Linux 5.15", is named if @errnum means that this
 * kernel lacks something, but not if memory or file descriptors ran out; NULL: any kernel with BPF can do it.
 */
bool kernel_bpf_failed(const char *what, const char *needs, int errnum, GError **error);

#endif
