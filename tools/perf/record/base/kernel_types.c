// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/base/kernel_types.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"

#define KERNEL_TYPES "/sys/kernel/btf/vmlinux"

bool kernel_types_missing(const char *what, GError **error)
{
	if (!access(KERNEL_TYPES, R_OK))
		return false;
	error_set(error, PERF_ERROR_UNSUPPORTED,
		  "%s needs the kernel's type information (BTF), and %s is %s: run a kernel built "
		  "with CONFIG_DEBUG_INFO_BTF=y",
		  what, KERNEL_TYPES, errno == ENOENT ? "not there" : g_strerror(errno));
	return true;
}

/* Root of a container has only some of root's capabilities. */
bool kernel_forbids_bpf(const char *what, GError **error)
{
	return error_set(error, PERF_ERROR_PERMISSION,
			 geteuid() ? "%s needs BPF: root, or CAP_BPF and CAP_PERFMON"
				   : "%s needs BPF: CAP_BPF and CAP_PERFMON, which root does not "
				     "have here (docker run --cap-add=BPF --cap-add=PERFMON)",
			 what);
}
