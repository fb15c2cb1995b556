// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/base/kernel_types.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "base/types.h"

#define KERNEL_TYPES	"/sys/kernel/btf/vmlinux"
#define NR_NEEDED	48  /* descriptors: more than any of our programs has, with its maps */
#define KERNEL_ENOTSUPP 524 /* of the kernel alone: no header has it */

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
static bool forbidden(const char *what, GError **error)
{
	return error_set(error, PERF_ERROR_PERMISSION,
			 geteuid() ? "%s needs BPF: root, or CAP_BPF and CAP_PERFMON"
				   : "%s needs BPF: CAP_BPF and CAP_PERFMON, which root does not "
				     "have here (docker run --cap-add=BPF --cap-add=PERFMON)",
			 what);
}

/* What the verifier, the loader and old kernels say about programs that they do not know. */
static bool means_unsupported(int errnum)
{
	static const int unsupported[] = { EINVAL, EACCES, E2BIG,      ENOENT,
					   ESRCH,  ENOSYS, EOPNOTSUPP, KERNEL_ENOTSUPP };

	for (u32 i = 0; i < ARRAY_SIZE(unsupported); i++)
		if (errnum == unsupported[i])
			return true;
	return false;
}

/*
 * libbpf tries small programs and maps to learn what the kernel can do. If these get no descriptors, libbpf takes that for an
 * old kernel, and its EINVAL hides the EMFILE. So this asks whether there are as many descriptors as a program needs.
 */
static bool descriptors_ran_out(void)
{
	int fds[NR_NEEDED], nr = 0;
	bool out;

	while (nr < NR_NEEDED && (fds[nr] = eventfd(0, EFD_CLOEXEC)) >= 0)
		nr++;
	out = nr < NR_NEEDED && (errno == EMFILE || errno == ENFILE);
	while (nr)
		close(fds[--nr]);
	return out;
}

bool kernel_bpf_failed(const char *what, const char *needs, int errnum, GError **error)
{
	if (errnum == EPERM)
		return forbidden(what, error);
	if (means_unsupported(errnum) && descriptors_ran_out())
		errnum = EMFILE;
	if (!means_unsupported(errnum))
		return error_set_errno(error, errnum, "%s: the BPF program cannot be loaded", what);
	if (kernel_types_missing(what, error))
		return false;
	return error_set(error, PERF_ERROR_UNSUPPORTED,
			 "%s: the kernel rejects the BPF program%s%s%s: %s", what,
			 needs ? " (needs " : "", needs ?: "", needs ? ")" : "",
			 g_strerror(errnum));
}
