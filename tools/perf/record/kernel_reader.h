/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the running kernel's code, by a BPF program. The bytes are those that run: with the alternatives for this CPU, and
 * static calls and branches as they are now. Not allowed in a locked-down kernel (confidentiality).
 */
#ifndef RECORD_KERNEL_READER_H
#define RECORD_KERNEL_READER_H

#include "base/error.h"
#include "base/types.h"

struct kernel_reader;

/* NULL with @error: this process lacks the rights, the kernel cannot do it (before Linux 5.14), or a build without BPF. */
struct kernel_reader *kernel_reader_new(GError **error);
void kernel_reader_free(struct kernel_reader *reader);

/* Copies @size bytes at the kernel's address @va. False: some of them cannot be read. */
bool kernel_reader_read(struct kernel_reader *reader, u64 va, u8 *bytes, size_t size);

#endif
