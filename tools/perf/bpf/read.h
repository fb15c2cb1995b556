/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a program reads the memory of the process that it interrupts. */
#ifndef BPF_READ_H
#define BPF_READ_H

/* The states of an entry, as in activity/layout.h. */
enum { STATE_NONE = 0, STATE_OK = 1, STATE_UPDATING = 2, STATE_UNREADABLE = 3 };

/* All of it or nothing; never waits for a page. */
static __always_inline bool peek(void *to, __u32 size, __u64 va)
{
	return bpf_probe_read_user(to, size, (void *)va) == 0;
}

#endif
