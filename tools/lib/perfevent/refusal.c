// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages for refusals of the kernel. They end with advice for the user. */
#include "perfevent/refusal.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/capability.h>

#include "perfevent/features.h"
#include "perfevent/filter.h"
#include "perfevent/tracepoint.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

/* PROC_USER_INIT_INO of <linux/proc_ns.h>, the same in every kernel. */
#define FIRST_USER_NAMESPACE "user:[4026531837]"

static bool has_capability(u32 cap)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	if (syscall(SYS_capget, &head, data))
		return false;
	return data[cap / 32].effective & (1u << (cap % 32));
}

bool in_first_user_namespace(const struct kernel_paths *paths)
{
	g_autofree char *path = g_strdup_printf("%s/self/ns/user", paths->proc);
	g_autofree char *which = g_file_read_link(path, NULL);

	return !which || !strcmp(which, FIRST_USER_NAMESPACE);
}

bool may_see_kernel(const struct kernel_paths *paths)
{
	return (has_capability(CAP_PERFMON) || has_capability(CAP_SYS_ADMIN)) &&
	       in_first_user_namespace(paths);
}

/*
 * kernel.org knows perf_event_paranoid up to 2; a higher value means the same as 2 there. Debian,
 * Ubuntu and Android have a patch: from 3 or 4 on (it differs), the kernel refuses every event to
 * users without CAP_SYS_ADMIN, even with CAP_PERFMON. To find out which kernel this is, open the
 * smallest possible event.
 */
static bool kernel_refuses_all(void)
{
	struct evsel least = { .attr = { .type = PERF_TYPE_SOFTWARE,
					 .size = sizeof(least.attr),
					 .config = PERF_COUNT_SW_CPU_CLOCK,
					 .disabled = 1,
					 .exclude_kernel = 1,
					 .exclude_hv = 1 } };
	int fd = evsel_sys_open(&least, 0, -1, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd == -EACCES;
}

static bool refuse_all(const char *name, s64 level, s64 needed, GError **error)
{
	return error_set(
		error, PERF_ERROR_PERMISSION,
		"%s: no permission: /proc/sys/kernel/perf_event_paranoid is %" G_GINT64_FORMAT
		", at which this kernel refuses all events to users without CAP_SYS_ADMIN (a patch "
		"of Debian, Ubuntu and Android; CAP_PERFMON does not help): sudo sysctl "
		"kernel.perf_event_paranoid=%" G_GINT64_FORMAT ", or run as root",
		name, level, needed);
}

static const char *paranoid_meaning(s64 level)
{
	if (level > 2)
		return "which this kernel treats as 2: users without CAP_PERFMON may only see "
		       "their own processes in user mode";
	if (level == 2)
		return "users without CAP_PERFMON may only see their own processes in user mode";
	if (level == 1)
		return "users without CAP_PERFMON may see their own processes, but no whole CPUs";
	if (level == 0)
		return "users without CAP_PERFMON may see whole CPUs, but no raw tracepoints";
	return "every user may see everything";
}

/* The highest perf_event_paranoid level that permits the request. out: *asked, the request in words. */
static s64 level_for(const struct event_spec *spec, pid_t pid, const char **asked)
{
	const struct perf_event_attr *attr = &spec->evsel->attr;

	if (attr->type == PERF_TYPE_TRACEPOINT) {
		*asked = "to see tracepoints";
		return -1;
	}
	if (pid == -1) {
		*asked = "to see all processes";
		return 0;
	}
	if (!attr->exclude_kernel) {
		*asked = "to see kernel mode (event:u leaves it out)";
		return 1;
	}
	*asked = "to see this process";
	return 2;
}

static bool refuse_permission(const struct kernel_paths *paths, const struct event_spec *spec,
			      int errnum, pid_t pid, GError **error)
{
	s64 level = kernel_sysctl(paths, "perf_event_paranoid", 2);
	const char *name = spec->evsel->name, *asked;
	s64 needed = level_for(spec, pid, &asked);

	if (level > 2 && !has_capability(CAP_SYS_ADMIN) && kernel_refuses_all())
		return refuse_all(name, level, needed, error);
	if (may_see_kernel(paths))
		return error_set(
			error, PERF_ERROR_PERMISSION,
			"%s: the kernel refuses it (%s) although this process has the "
			"capability: a container's seccomp filter or a security module forbids "
			"perf_event_open(); run on the host, or allow it there (docker run "
			"--cap-add PERFMON --security-opt seccomp=unconfined)",
			name, g_strerror(errnum));
	if (level <= needed)
		return error_set(
			error, PERF_ERROR_PERMISSION,
			"%s: no permission (%s), and perf_event_paranoid is not the reason "
			"(%" G_GINT64_FORMAT " suffices): the process is another user's or a "
			"security module forbids it; run as root, or give perf the capabilities "
			"(sudo setcap cap_perfmon,cap_sys_ptrace=ep PERF)",
			name, g_strerror(errnum), level);
	return error_set(
		error, PERF_ERROR_PERMISSION,
		"%s: no permission: /proc/sys/kernel/perf_event_paranoid is %" G_GINT64_FORMAT
		" (%s); %s takes at most %" G_GINT64_FORMAT
		": sudo sysctl kernel.perf_event_paranoid=%" G_GINT64_FORMAT
		", or run as root, or give perf the capability (sudo setcap cap_perfmon=ep PERF)%s",
		name, level, paranoid_meaning(level), asked, needed, needed,
		in_first_user_namespace(paths) ? "" : ", outside of this user namespace");
}

static bool refuse_unsupported(const struct event_spec *spec, GError **error)
{
	const struct perf_event_attr *attr = &spec->evsel->attr;
	const char *name = spec->evsel->name;

	if (attr->precise_ip)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: this machine cannot sample it precisely: leave out the 'p'",
				 name);
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return error_set(error, PERF_ERROR_UNSUPPORTED, "%s: this PMU records no branches",
				 name);
	return error_set(error, PERF_ERROR_UNSUPPORTED,
			 "%s: this event cannot be sampled here: its PMU has no overflow interrupt "
			 "(cpu-clock works everywhere)",
			 name);
}

static bool refuse_invalid(const struct event_spec *spec, pid_t pid, GError **error)
{
	const struct perf_event_attr *attr = &spec->evsel->attr;
	const char *name = spec->evsel->name;

	if (spec->system_wide && pid != -1)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: PMU '%s' counts whole CPUs, not processes: record with -a",
				 name, spec->pmu);
	if (attr->use_clockid)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: the kernel refuses its attributes, maybe clock %d", name,
				 attr->clockid);
	if (attr->type == PERF_TYPE_BREAKPOINT)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: this CPU cannot set this breakpoint: one covers 1, 2, 4 or 8 "
				 "bytes from an address that is a multiple of it, and one that is "
				 "not rw or w may have to be x alone with length %zu",
				 name, sizeof(long));
	if (spec->pmu)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: PMU '%s' refuses it: it may not be able to sample (then only "
				 "counting works), or to count in %s, or a term's value is invalid",
				 name, spec->pmu, pid == -1 ? "this mode" : "one process (try -a)");
	return error_set(error, PERF_ERROR_UNSUPPORTED,
			 "%s: the kernel refuses its attributes; dmesg may say more", name);
}

bool open_refusal(const struct kernel_paths *paths, const struct event_spec *spec, int errnum,
		  pid_t pid, int cpu, GError **error)
{
	const char *name = spec->evsel->name;

	switch (errnum) {
	case EACCES:
	case EPERM:
		return refuse_permission(paths, spec, errnum, pid, error);
	case ENOENT:
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: this machine has no such event%s", name,
				 spec->evsel->attr.type == PERF_TYPE_SOFTWARE
					 ? ""
					 : " (virtual machines often have no PMU; cpu-clock works "
					   "everywhere)");
	case ENODEV:
		if (cpu >= 0)
			return error_set(
				error, PERF_ERROR_ABSENT,
				"%s: CPU %d does not exist or is offline, or its PMU lacks this "
				"event",
				name, cpu);
		return error_set(error, PERF_ERROR_UNSUPPORTED, "%s: its PMU is not available",
				 name);
	case ESRCH:
		return error_set(error, PERF_ERROR_ABSENT, "%s: there is no thread %d", name, pid);
	case EOPNOTSUPP:
		return refuse_unsupported(spec, error);
	case EBUSY:
		return error_set(error, PERF_ERROR_SYSTEM,
				 "%s: the counters are in use, by another profiler, by the "
				 "kernel's watchdog (sysctl kernel.nmi_watchdog=0) or by a group "
				 "too large for the PMU",
				 name);
	case ENOSPC:
		return error_set(error, PERF_ERROR_SYSTEM,
				 "%s: no counter or breakpoint register is free for it", name);
	case ENOMEM:
		return error_set(
			error, PERF_ERROR_SYSTEM,
			"%s: the kernel has not enough memory for it; with call chains a smaller "
			"/proc/sys/kernel/perf_event_max_stack (now %" G_GINT64_FORMAT ") helps",
			name, kernel_sysctl(paths, "perf_event_max_stack", 127));
	case EINVAL:
		return refuse_invalid(spec, pid, error);
	case ENOSYS:
		return error_set(
			error, PERF_ERROR_UNSUPPORTED,
			"%s: there is no perf_event_open() here: the kernel was built without "
			"perf events, or a container's sandbox hides it (run on the host)",
			name);
	}
	return error_set_errno(error, errnum, "%s: perf_event_open", name);
}

bool files_refusal(const struct event_spec *spec, u64 nr, bool whole_cpus, GError **error)
{
	struct rlimit limit = { 0 };

	getrlimit(RLIMIT_NOFILE, &limit);
	return error_set(
		error, PERF_ERROR_SYSTEM,
		"%s: too many open files: this needs %" PRIu64
		", one for each event on each CPU%s, and this process may open %llu (hard limit "
		"%llu): allow more (as root: ulimit -n %" PRIu64 "), or ask for fewer events%s",
		spec->evsel->name, nr, whole_cpus ? "" : " and thread",
		(unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max, nr,
		whole_cpus ? " or CPUs"
			   : ", CPUs or threads, or for all processes (-a needs one for each event "
			     "and CPU)");
}

bool filter_refusal(const struct kernel_paths *paths, const struct event_spec *spec,
		    const char *filter, int errnum, GError **error)
{
	const char *name = spec->evsel->name;
	g_auto(GStrv) parts = g_strsplit(name, ":", 3);
	g_autofree char *format = NULL, *problem = NULL;

	if (parts[0] && parts[1])
		format = tracepoint_format(paths, parts[0], parts[1], NULL);
	if (format)
		problem = filter_problem(filter, format);
	if (!problem)
		return error_set_errno(error, errnum, "%s: filter '%s'", name, filter);
	return error_set(error, PERF_ERROR_SYSTEM, "%s: filter '%s': %s", name, filter, problem);
}

bool mmap_refusal(const struct kernel_paths *paths, u32 pages, int errnum, GError **error)
{
	s64 kb = kernel_sysctl(paths, "perf_event_mlock_kb", 516);
	struct rlimit limit = { 0 };

	if (errnum != EPERM)
		return error_set_errno(error, errnum, "cannot map a ring of %u pages", pages);
	getrlimit(RLIMIT_MEMLOCK, &limit);
	return error_set(
		error, PERF_ERROR_PERMISSION,
		"no permission to map a ring of %u pages per CPU: "
		"/proc/sys/kernel/perf_event_mlock_kb is %" G_GINT64_FORMAT
		" for all of a user's recordings, and beyond it counts the memlock limit (now "
		"%llu KiB): ask for less with -m, raise one of them, or record with "
		"CAP_IPC_LOCK",
		pages, kb, (unsigned long long)limit.rlim_cur / 1024);
}
