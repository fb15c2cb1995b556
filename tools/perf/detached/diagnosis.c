// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/diagnosis.h"

#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "detached/core_handler.h"
#include "detached/shelf.h"

#define FILTER_SHARED                                                                              \
	0x2 /* bit of coredump_filter: shared anonymous memory, as planted recordings are */

static void finding_free(void *ptr)
{
	struct finding *f = ptr;

	g_free(f->value);
	g_free(f->effect);
	g_free(f->command);
	g_free(f);
}

/* Takes ownership of @value. */
static void add(GPtrArray *all, const char *what, bool fine, char *value, const char *effect,
		const char *command)
{
	struct finding *f = g_new0(struct finding, 1);

	f->what = what;
	f->fine = fine;
	f->value = value;
	f->effect = g_strdup(effect);
	f->command = g_strdup(command);
	g_ptr_array_add(all, f);
}

static char *text_of(const char *path)
{
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? g_strchomp(text) : NULL;
}

static long number_of(const char *path, long otherwise)
{
	g_autofree char *text = text_of(path);

	return text && *text ? strtol(text, NULL, 0) : otherwise;
}

static char *bytes_text(rlim_t bytes)
{
	return bytes == RLIM_INFINITY ? g_strdup("unlimited")
				      : g_strdup_printf("%llu bytes", (unsigned long long)bytes);
}

static void look_at_limit(GPtrArray *all, pid_t pid, enum core_pattern kind)
{
	bool by_pipe = kind == CORE_PATTERN_PIPE || kind == CORE_PATTERN_SOCKET;
	g_autofree char *command = NULL;
	struct rlimit limit = { 0 };

	prlimit(pid, RLIMIT_CORE, NULL, &limit);
	command = pid ? g_strdup_printf("prlimit --core=unlimited --pid %d", (int)pid)
		      : g_strdup("ulimit -c unlimited");
	if (by_pipe)
		add(all, "core limit", true, bytes_text(limit.rlim_cur),
		    "not used: cores go to a program, which has its own limit", NULL);
	else if (!limit.rlim_cur)
		add(all, "core limit", false, bytes_text(0), "no core file is written", command);
	else
		add(all, "core limit", limit.rlim_cur == RLIM_INFINITY, bytes_text(limit.rlim_cur),
		    limit.rlim_cur == RLIM_INFINITY
			    ? "whole cores"
			    : "larger cores are truncated, and may lose the recording",
		    limit.rlim_cur == RLIM_INFINITY ? NULL : command);
}

static void look_at_dumpable(GPtrArray *all, pid_t pid)
{
	long suid = number_of("/proc/sys/fs/suid_dumpable", 0);
	int own = pid ? 1 : prctl(PR_GET_DUMPABLE);

	add(all, "dumpable", own == 1, g_strdup_printf("%d", own),
	    own == 1 ? "cores are dumped" : "programs that this process forks dump no core", NULL);
	add(all, "fs.suid_dumpable", true, g_strdup_printf("%ld", suid),
	    suid ? "programs with a set-user-id bit dump core, too"
		 : "programs with a set-user-id bit, and those that changed user, dump no core",
	    suid ? NULL : "sysctl fs.suid_dumpable=2");
}

static enum core_pattern look_at_pattern(GPtrArray *all)
{
	g_autofree char *pattern = core_pattern_read(NULL);
	g_autofree char *before = core_pattern_before(CORE_HANDLER_DIR);
	enum core_pattern kind = core_pattern_kind(pattern ? pattern : "");

	switch (kind) {
	case CORE_PATTERN_OURS:
		add(all, "core_pattern", true, g_strdup("perf core-handler"),
		    "recordings of crashed programs are added to their cores", NULL);
		return before ? core_pattern_kind(before) : CORE_PATTERN_FILE;
	case CORE_PATTERN_SOCKET:
		add(all, "core_pattern", false, g_strdup(pattern),
		    "the kernel sends cores to the socket of a server: only programs started with "
		    "perf record --detached --on-crash have a recording in them",
		    NULL);
		break;
	case CORE_PATTERN_FILE:
	case CORE_PATTERN_PIPE:
		add(all, "core_pattern", false, g_strdup(pattern && *pattern ? pattern : "(empty)"),
		    pattern && *pattern ? "only programs started with perf record --detached "
					  "--on-crash have a recording "
					  "in their cores"
					: "no core is written",
		    "perf core-handler install");
	}
	return kind;
}

static void look_at_waiting(GPtrArray *all)
{
	long limit = number_of("/proc/sys/kernel/core_pipe_limit", 0);
	g_autofree char *value = g_strdup_printf("%ld", limit);

	add(all, "kernel.core_pipe_limit", true, g_steal_pointer(&value),
	    limit ? "maximum number of crashes handled at once, further ones dump no core; the "
		    "kernel waits for the handler"
		  : "no limit; the process exists until its core has been read",
	    NULL);
}

static void look_at_filter(GPtrArray *all, pid_t pid)
{
	g_autofree char *path =
		g_strdup_printf("/proc/%d/coredump_filter", pid ? (int)pid : (int)getpid());
	g_autofree char *text = text_of(path), *whose = NULL, *command = NULL;
	unsigned long filter = text ? strtoul(text, NULL, 16) : FILTER_SHARED;

	whose = pid ? g_strdup_printf("%d", (int)pid) : g_strdup("self");
	command = g_strdup_printf("echo 0x%lx > /proc/%s/coredump_filter", filter | FILTER_SHARED,
				  whose);
	add(all, "coredump_filter", filter & FILTER_SHARED, g_strdup_printf("0x%lx", filter),
	    filter & FILTER_SHARED
		    ? "shared memory is dumped: the recording that --on-crash maps is in the core"
		    : "shared memory is not dumped: without perf core-handler the core has no "
		      "recording",
	    filter & FILTER_SHARED ? NULL : command);
}

static void look_at_bpffs(GPtrArray *all)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	g_autofree char *where = NULL;
	const struct mntent *entry;

	while (mounts && !where && (entry = getmntent(mounts)))
		if (!strcmp(entry->mnt_type, "bpf"))
			where = g_strdup(entry->mnt_dir);
	if (mounts)
		endmntent(mounts);
	if (where)
		add(all, "bpffs", true, g_strdup(where),
		    "recordings without a process (--carrier=bpf) can be pinned there", NULL);
	else
		add(all, "bpffs", false, g_strdup("not mounted"),
		    "no recordings without a process (--carrier=bpf); --carrier=keeper does not "
		    "need bpffs",
		    "mount -t bpf bpf /sys/fs/bpf");
}

static void look_at_permissions(GPtrArray *all)
{
	long paranoid = number_of("/proc/sys/kernel/perf_event_paranoid", 2);
	long scope = number_of("/proc/sys/kernel/yama/ptrace_scope", 0);
	g_autofree char *lockdown = text_of("/sys/kernel/security/lockdown");
	bool locked = lockdown && !strstr(lockdown, "[none]");

	add(all, "kernel.perf_event_paranoid", paranoid < 2 || !geteuid(),
	    g_strdup_printf("%ld", paranoid),
	    !geteuid() || paranoid < 1 ? "all CPUs and the kernel can be recorded"
	    : paranoid < 3 ? "own programs can be recorded, without tracepoints: only the core "
			     "tells which thread crashed"
			   : "nothing can be recorded",
	    !geteuid() || paranoid < 1 ? NULL : "sysctl kernel.perf_event_paranoid=-1");
	add(all, "ptrace_scope", scope < 3, g_strdup_printf("%ld", scope),
	    scope < 3 ? "--on-crash can map the recording into the programs that it starts"
		      : "--on-crash cannot map the recording into programs: use perf core-handler",
	    NULL);
	add(all, "lockdown", !locked, g_strdup(lockdown ? lockdown : "none"),
	    locked ? "the kernel forbids BPF programs to read memory: no activities by BPF"
		   : "BPF may read what it needs",
	    NULL);
}

static void look_at_memory(GPtrArray *all)
{
	g_autofree char *dir = shelf_dir(geteuid()), *parent = g_path_get_dirname(dir);
	const char *there = !access(dir, F_OK) ? dir : parent;
	u64 wanted = shelf_limits().bytes, left;
	struct statvfs fs;

	if (statvfs(there, &fs))
		return;
	left = (u64)fs.f_bavail * fs.f_frsize;
	add(all, "memory for recordings", left >= wanted,
	    g_strdup_printf("%llu MB in %s", (unsigned long long)(left >> 20), there),
	    left >= wanted
		    ? "enough for all recordings that a user may have"
		    : "not enough for all recordings that a user may have: new ones may fail",
	    NULL);
}

GPtrArray *diagnose(pid_t pid)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(finding_free);
	enum core_pattern kind = look_at_pattern(all);

	look_at_limit(all, pid, kind);
	look_at_dumpable(all, pid);
	look_at_waiting(all);
	look_at_filter(all, pid);
	look_at_permissions(all);
	look_at_bpffs(all);
	look_at_memory(all);
	return all;
}
