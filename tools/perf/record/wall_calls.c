// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/wall_calls.h"

#include <glib.h>
#include <inttypes.h>
#include <sys/syscall.h>

char *wall_call_futex_text(s32 syscall, u64 va)
{
	return syscall == SYS_futex ? g_strdup_printf("futex:0x%" PRIx64, va) : NULL;
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
