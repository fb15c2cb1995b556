// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/waits/wall_calls.h"

#include <glib.h>
#include <string.h>
#include <sys/syscall.h>

/* "futex:0x7f12". Without printf: a busy program has thousands of such looks a second. */
char *wall_call_futex_text(s32 syscall, u64 va)
{
	static const char head[] = "futex:0x";
	u32 nr_digits = 1, length = sizeof(head) - 1;
	char *text;

	if (syscall != SYS_futex)
		return NULL;
	while (nr_digits < 16 && va >> 4 * nr_digits)
		nr_digits++;
	text = g_malloc(length + nr_digits + 1);
	memcpy(text, head, length);
	while (nr_digits-- > 0)
		text[length++] = "0123456789abcdef"[va >> 4 * nr_digits & 15];
	text[length] = 0;
	return text;
}

bool wall_call_has_fd(s32 syscall)
{
	static const short with_fd[] = {
		SYS_read,
		SYS_write,
		SYS_close,
		SYS_fstat,
		SYS_lseek,
		SYS_ioctl,
		SYS_pread64,
		SYS_pwrite64,
		SYS_readv,
		SYS_writev,
		SYS_preadv,
		SYS_pwritev,
		SYS_preadv2,
		SYS_pwritev2,
		SYS_connect,
		SYS_accept,
		SYS_accept4,
		SYS_sendto,
		SYS_recvfrom,
		SYS_sendmsg,
		SYS_recvmsg,
		SYS_sendmmsg,
		SYS_recvmmsg,
		SYS_shutdown,
		SYS_bind,
		SYS_listen,
		SYS_fcntl,
		SYS_flock,
		SYS_fsync,
		SYS_fdatasync,
		SYS_ftruncate,
		SYS_getdents,
		SYS_getdents64,
		SYS_fallocate,
		SYS_sync_file_range,
		SYS_syncfs,
		SYS_splice,
		SYS_tee,
		SYS_vmsplice,
		SYS_readahead,
		SYS_fadvise64,
		SYS_epoll_wait,
		SYS_epoll_pwait,
		SYS_epoll_pwait2,
		SYS_io_uring_enter,
		SYS_copy_file_range,
	};

	for (u32 i = 0; i < sizeof(with_fd) / sizeof(*with_fd); i++)
		if (with_fd[i] == syscall)
			return true;
	return false;
}
