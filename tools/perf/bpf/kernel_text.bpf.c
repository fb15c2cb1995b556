// SPDX-License-Identifier: GPL-2.0-or-later
/* Copies memory of the kernel for the recorder, which runs the program once for each piece (record/kernel_reader.c). */
#include "bpf/vmlinux.h"

#include <bpf/bpf_helpers.h>

#include "bpf/kernel_text.h"

char LICENSE[] SEC("license") = "GPL";

__u64 from;
__u32 size;
__u8 bytes[KERNEL_TEXT_PIECE];

SEC("syscall")
int copy_text(void *context)
{
	if (size > sizeof(bytes))
		return -1;
	return (int)bpf_probe_read_kernel(bytes, size, (const void *)from);
}
