/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads memory of a process. In a BPF program: of the process that it interrupts. */
#ifndef BPF_READ_H
#define BPF_READ_H

/* Reads all bytes or fails; never waits for a page. */
#ifdef __bpf__
static __always_inline bool peek(void *to, __u32 size, __u64 va)
{
	return bpf_probe_read_user(to, size, (void *)va) == 0;
}
#else
static bool peek(void *to, __u32 size, __u64 va); /* defined by the including file */
#endif

#endif
