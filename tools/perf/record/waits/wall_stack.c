// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/waits/wall_stack.h"

#include <glib.h>
#include <sys/uio.h>

#define PAGE 4096u

struct wall_stack {
	u32 size;
	u8 bytes[];
};

struct wall_stack *wall_stack_new(u32 size)
{
	struct wall_stack *s = g_malloc0(sizeof(*s) + size);

	s->size = size;
	return s;
}

void wall_stack_free(struct wall_stack *s)
{
	g_free(s);
}

/*
 * One iovec per page: the kernel copies up to the first page that is not readable.
 *
 * Example: 8192 bytes from sp = 0x7ffd1f00 in a stack mapping that ends at 0x7ffd3000.
 *
 *	iovec 0: 0x7ffd1f00, 0x100 bytes	up to the end of its page
 *	iovec 1: 0x7ffd2000, 0x1000		read
 *	iovec 2: 0x7ffd3000, 0xf00		not mapped: process_vm_readv() ends here
 *	= 0x1100 bytes
 *
 * With one iovec for all, a partial result is not promised: process_vm_readv(2) allows it only
 * between iovecs.
 */
struct wall_bytes wall_stack_read(struct wall_stack *s, u32 pid, u64 sp)
{
	struct iovec local = { s->bytes, s->size }, remote[WALL_STACK_MAX / PAGE + 2];
	u32 nr = 0, left = s->size;
	ssize_t got;

	while (left && nr < ARRAY_SIZE(remote)) {
		u32 in_page = MIN(left, PAGE - (u32)(sp % PAGE));

		remote[nr++] = (struct iovec){ (void *)(uintptr_t)sp, in_page };
		left -= in_page;
		sp += in_page;
	}
	got = process_vm_readv((pid_t)pid, &local, 1, remote, nr, 0);
	if (got <= 0)
		return (struct wall_bytes){ 0 };
	/* The size of a sample's stack is a multiple of 8. */
	return (struct wall_bytes){ s->bytes, (u32)got & ~7u, (u32)got & ~7u };
}
