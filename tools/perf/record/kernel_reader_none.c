// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces kernel_reader.c in a build without BPF. */
#include "record/kernel_reader.h"

struct kernel_reader *kernel_reader_new(GError **error)
{
	error_set(error, PERF_ERROR_UNSUPPORTED,
		  "the kernel's code needs BPF, and this perf was built without it");
	return NULL;
}

void kernel_reader_free(struct kernel_reader *reader)
{
}

bool kernel_reader_read(struct kernel_reader *reader, u64 va, u8 *bytes, size_t size)
{
	return false;
}
