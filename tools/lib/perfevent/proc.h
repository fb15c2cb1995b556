/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads existing threads and mappings from /proc and /sys. A recorder synthesizes records from them for everything that
 * existed before it started.
 *
 * The functions pass plain structs to a callback. Strings in them are valid only during the call. If a thread ends
 * while it is read, it is silently skipped. A callback returns false to stop the iteration. A function returns false
 * with @error only if nothing could be read.
 */
#ifndef PERFEVENT_PROC_H
#define PERFEVENT_PROC_H

#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"
#include "perfevent/paths.h"

/* CPUs: a list such as "0-3,7" as sorted, unique ints. Numbers up to 65535. The caller unrefs. */
GArray *cpu_list_parse(const char *text, GError **error);
GArray *cpu_list_online(const struct kernel_paths *paths, GError **error);

/* Comma lists of ids, as of -p and -t. At least one, each > 0; sorted, unique. */
GArray *pid_list_parse(const char *text, GError **error);

/* -u's text: a number or a user's name. */
bool uid_parse(const char *text, uid_t *uid, GError **error);

#define PROC_MAX_COMM 15 /* bytes of a thread's name in the kernel, without the 0 */

struct proc_task {
	pid_t pid; /* process (Tgid) */
	pid_t tid;
	pid_t ppid;
	uid_t uid;	  /* real */
	const char *comm; /* at most PROC_MAX_COMM bytes, as in the kernel's own records */
	bool kernel;	  /* a kernel thread: no maps */
};
typedef bool (*proc_task_fn)(const struct proc_task *task, void *arg);

/* One thread; false with PERF_ERROR_ABSENT where there is no such thread. */
bool proc_task_read(const struct kernel_paths *paths, pid_t pid, pid_t tid, proc_task_fn fn,
		    void *arg, GError **error);

/* All threads of process @pid, leader first. The others have the leader's parent and user. */
bool proc_threads(const struct kernel_paths *paths, pid_t pid, proc_task_fn fn, void *arg,
		  GError **error);

/* All threads of all processes; each process's leader comes before its other threads. */
bool proc_all(const struct kernel_paths *paths, proc_task_fn fn, void *arg, GError **error);

/* Ids only, sorted: all processes; the processes whose real uid is @uid; a process's threads. */
GArray *proc_pids(const struct kernel_paths *paths, GError **error);
GArray *proc_pids_of_uid(const struct kernel_paths *paths, uid_t uid, GError **error);
GArray *proc_tids(const struct kernel_paths *paths, pid_t pid, GError **error);

struct proc_map {
	u64 start, end;	 /* va */
	u64 pgoff;	 /* bytes */
	u32 prot, flags; /* PROT_*, MAP_SHARED or MAP_PRIVATE (and MAP_HUGETLB) */
	u32 maj, min;
	u64 ino;
	const char *
		name; /* as perf records name it: "//anon" for none, "[heap]", path without " (deleted)"... */
	bool deleted;
};
typedef bool (*proc_map_fn)(const struct proc_map *map, void *arg);

/*
 * The mappings of @pid in address order, also if its first thread has ended before the others; @data: also those that
 * cannot be executed.
 */
bool proc_maps(const struct kernel_paths *paths, pid_t pid, bool data, proc_map_fn fn, void *arg,
	       GError **error);

/* One line of a maps file; name points into @line, which is changed. False: not such a line. */
bool proc_map_parse(char *line, struct proc_map *map);

/*
 * Namespaces in the order of PERF_RECORD_NAMESPACES (NET UTS IPC PID USER MNT CGROUP); dev 0 and ino 0 where one is
 * absent.
 */
#define PROC_NR_NAMESPACES 7
struct proc_namespace {
	u64 dev, ino;
};
bool proc_namespaces(const struct kernel_paths *paths, pid_t pid, pid_t tid,
		     struct proc_namespace out[PROC_NR_NAMESPACES], GError **error);

/*
 * Control groups of the perf_event or unified hierarchy: path below its mount ("/" is the root) and the kernel's id of
 * it.
 */
typedef bool (*proc_cgroup_fn)(u64 id, const char *path, void *arg);
bool proc_cgroups(const struct kernel_paths *paths, proc_cgroup_fn fn, void *arg, GError **error);

/* The folder where they are mounted: perf_event's own hierarchy, else cgroup2. NULL with @error. */
char *proc_cgroup_mount(const struct kernel_paths *paths, GError **error);

/* The id of the cgroup with the folder @dir, as in PERF_SAMPLE_CGROUP; false with errno. */
bool proc_cgroup_id(const char *dir, u64 *id);

/*
 * The kernel's own map, as in upstream's recordings: "[kernel.kallsyms]_text" or _stext. It extends from that symbol to
 * _etext, or else to the end of the symbols. False without an error: kallsyms shows no addresses; *why has the reason.
 */
struct kernel_map {
	u64 start, end;
	const char *ref_symbol; /* "_text" or "_stext": const text */
};
bool kernel_map_read(const struct kernel_paths *paths, struct kernel_map *map, const char **why);

struct kernel_module {
	const char *name; /* as in /proc/modules: '_' for '-' */
	const char *path; /* its file under /lib/modules/RELEASE, NULL when not found */
	u64 start, size;
	const u8 *build_id;
	u32 build_id_size; /* 0: none known */
};
typedef bool (*kernel_module_fn)(const struct kernel_module *module, void *arg);

/* Iterates over the loaded modules by address. A kernel without modules is no error. */
bool kernel_modules(const struct kernel_paths *paths, kernel_module_fn fn, void *arg,
		    GError **error);

/* The GNU build-id among ELF notes (the text of /sys/kernel/notes); bytes copied (at most 20), 0 = none. */
u32 notes_build_id(const void *notes, size_t size, u8 out[20]);

#endif
