// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Passes by /proc, without BPF. The user's own threads need no privileges. For a thread that has
 * not run since the previous pass, only schedstat is read; this file stays open. For other threads
 * stat, syscall and wchan are read, too. Not available: kernel stacks, the pid behind a Unix
 * socket, and system calls of other users' threads.
 *
 * What a look reads, of thread 815 of process 800 (the numbers of schedstat are ns on CPUs, ns in
 * run queues, runs):
 *
 *	/proc/800/task/815/schedstat	14000000 3000000 57
 *	/proc/800/task/815/stat		815 (server) S 1 800 ...	state, name, flags, creation time
 *	/proc/800/task/815/syscall	0 0x5 0x7f00... ... 0x7ffe... 0x7f3a...	call, arguments, sp, ip
 *	/proc/800/task/815/wchan	pipe_read
 *	/proc/800/fd/5			-> pipe:[4711]			of a call whose first argument is a descriptor
 *
 * The files are read one after the other, while the thread goes on. So a look may mix two moments:
 * asleep in stat, already in another call in syscall. The account does not rely on it: times come
 * from schedstat alone.
 *
 * Cost: an open schedstat saves two of three system calls for each thread that sleeps, which most
 * do. As many are kept open as half the limit of file descriptors. If descriptors run out, all are
 * closed and each read opens its file.
 *
 * Limits: schedstat's sums lag behind (wall_account.c), nothing tells when the present sleep began,
 * and a thread that lived between two passes is known by its EXIT record only. The files syscall
 * and wchan need the right to trace the process.
 */
#include <asm/perf_regs.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "perfevent/cgroups.h"
#include "perfevent/open.h"
#include "record/waits/wall.h"
#include "record/waits/wall_calls.h"
#include "record/waits/wall_files.h"
#include "record/waits/wall_net.h"
#include "record/waits/wall_proc_text.h"

#define MOST_GROUPS 4096 /* maximum number of cached ids of control groups */

/*
 * A thread that a pass has found. runs and exec are compared with the next pass's: unchanged, and
 * asleep before, means that it has slept all the time.
 */
struct proc_thread {
	u32 pid, tid;
	int schedstat;	/* fd of its schedstat; -1: opened for each read */
	u64 runs, exec; /* at the last look */
	u32 pass;	/* the last pass that found it */
	bool asleep;
	bool counts;		  /* it is in a selected control group */
	u64 cgroup;		  /* id of its control group; 0: not known */
	u64 asked_cgroup;	  /* when the control group was read; 0: never */
	u32 pid_ns;		  /* id of its pid namespace; 0: not known */
	u32 inner_pid, inner_tid; /* ids there, if that is not the reader's; else 0 */
	bool asked_ids;
};

/*
 * The state of /proc's eye. most_open is 0 once descriptors ran out: from then on, no file is kept
 * open.
 */
struct proc_eye {
	struct wall_eye eye;
	bool all, by_tid;
	const struct kernel_paths *paths;
	const char *proc;
	const char *cgroups; /* selected control groups; NULL: all */
	const struct wall_clock *clock;
	GHashTable *groups;  /* path -> u64 *: id of the control group */
	GHashTable *wanted;  /* selected pid -> the last pass that found it */
	GHashTable *tids;    /* by_tid: the same of selected tids */
	GHashTable *threads; /* tid -> struct proc_thread * */
	u32 nr_open, most_open;
	u32 pass;
	bool unread;  /* in this pass, no descriptor was left for the folder of a process */
	GArray *gone; /* u32: tids, see struct wall_pass */
	u64 ns_per_tick;
	struct wall_net *net;
	char *file, *connection; /* texts of the present look, or NULL */
};

static struct proc_eye *proc_eye(struct wall_eye *eye)
{
	return container_of(eye, struct proc_eye, eye);
}

static void close_schedstat(struct proc_eye *e, struct proc_thread *t)
{
	if (t->schedstat < 0)
		return;
	close(t->schedstat);
	t->schedstat = -1;
	e->nr_open--;
}

/* If too many files are open, closes those that are kept for the next pass, and keeps none from then on. */
static int open_file(struct proc_eye *e, const char *path, int flags)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
	GHashTableIter iter;
	gpointer t;

	if (fd >= 0 || (errno != EMFILE && errno != ENFILE) || !e->nr_open)
		return fd;
	e->most_open = 0;
	g_hash_table_iter_init(&iter, e->threads);
	while (g_hash_table_iter_next(&iter, NULL, &t))
		close_schedstat(e, t);
	return open(path, O_RDONLY | O_CLOEXEC | flags);
}

/* out: @text, at most @room - 1 bytes of the file. False: it cannot be read. */
static bool read_file(struct proc_eye *e, const struct proc_thread *t, const char *name, char *text,
		      size_t room)
{
	char path[PATH_MAX];
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "%s/%u/task/%u/%s", e->proc, t->pid, t->tid, name);
	fd = open_file(e, path, 0);
	if (fd < 0)
		return false;
	size = read(fd, text, room - 1);
	close(fd);
	text[MAX(size, 0)] = 0;
	return size >= 0;
}

struct sums {
	u64 exec, delay, runs;
};

/*
 * Reads schedstat by the open fd. False: there is none, or the thread has ended.
 *
 * The descriptor is of this thread, and not of its number: when the thread has ended, pread() fails
 * (ESRCH), also if another thread has the number by now. So an open schedstat never shows another
 * thread's sums.
 */
static bool read_kept(struct proc_eye *e, struct proc_thread *t, char *text, size_t room)
{
	char path[PATH_MAX];
	ssize_t size;

	if (t->schedstat < 0 && e->nr_open < e->most_open) {
		snprintf(path, sizeof(path), "%s/%u/task/%u/schedstat", e->proc, t->pid, t->tid);
		t->schedstat = open_file(e, path, 0);
		e->nr_open += t->schedstat >= 0;
	}
	size = t->schedstat >= 0 ? pread(t->schedstat, text, room - 1, 0) : 0;
	if (size <= 0)
		return false;
	text[size] = 0;
	return true;
}

/*
 * Thread @t has ended between two passes, and another one has its number. If that is the number by which it was selected,
 * the other one is not: it would be a part of a process that nobody has asked for.
 *
 * (An exec by another thread of the process is no such end: the file stays that of the number.)
 */
static bool deselect(struct proc_eye *e, const struct proc_thread *t)
{
	if (e->all)
		return false;
	return e->by_tid ? g_hash_table_remove(e->tids, GUINT_TO_POINTER(t->tid))
			 : t->pid == t->tid &&
				   g_hash_table_remove(e->wanted, GUINT_TO_POINTER(t->pid));
}

/*
 * If the open file fails, the thread has ended, and the file is opened once more by its name: there
 * may be a new thread with this number. False: there is none, or it is not selected.
 */
static bool read_sums(struct proc_eye *e, struct proc_thread *t, struct sums *s)
{
	bool kept = t->schedstat >= 0;
	char text[128], *at = text;

	if (!read_kept(e, t, text, sizeof(text))) {
		/* A new thread may have the same tid: forget what is known of the old one. */
		close_schedstat(e, t);
		if (kept)
			t->asleep = t->asked_ids = false;
		if (kept && deselect(e, t)) {
			t->pass--; /* is_gone() */
			errno = ESRCH;
			return false;
		}
		if (!read_file(e, t, "schedstat", text, sizeof(text)))
			return false;
	}
	s->exec = strtoull(at, &at, 10);
	s->delay = strtoull(at, &at, 10);
	s->runs = strtoull(at, &at, 10);
	return true;
}

/*
 * The place of the wait. Without permission, or in a thread that has just ended, the file syscall
 * cannot be opened or read: then the look has no call (WALL_NO_CALL), and the pass counts a
 * failed read. wchan is "0" for a thread that runs, and for readers without the right to see it.
 */
static void look_at_wait(struct proc_eye *e, const struct proc_thread *t, struct wall_look *look,
			 char *wchan, size_t room, struct wall_pass *pass)
{
	char text[256];

	look->syscall = -1;
	if (look->flags & WALL_KERNEL || look->state == WALL_ZOMBIE)
		;
	else if (read_file(e, t, "syscall", text, sizeof(text)) && *text)
		wall_proc_parse_syscall(text, look);
	else {
		look->flags |= WALL_NO_CALL;
		pass->faults++;
	}
	if (look->state == WALL_RUNNING || look->state == WALL_QUEUED)
		return;
	if (read_file(e, t, "wchan", wchan, room) && strcmp(wchan, "0"))
		look->wchan = wchan;
	if (wall_call_has_fd(look->syscall)) {
		e->file = wall_files_ask(e->proc, t->pid, look->args[0]);
		e->connection = wall_net_ask(e->net, t->pid, t->tid, look->args[0], e->file);
	} else {
		e->file = wall_call_futex_text(look->syscall, look->args[0]);
	}
	look->file = e->file;
	look->connection = e->connection;
}

/* A thread never changes its pid namespace. */
static void ask_ids(struct proc_eye *e, struct proc_thread *t)
{
	char text[4096], path[PATH_MAX];
	struct stat st;

	if (t->asked_ids)
		return;
	t->asked_ids = true;
	t->pid_ns = t->inner_pid = t->inner_tid = 0;
	if (read_file(e, t, "status", text, sizeof(text))) {
		t->inner_pid = wall_proc_inner_number(text, "\nNStgid:");
		t->inner_tid = wall_proc_inner_number(text, "\nNSpid:");
	}
	snprintf(path, sizeof(path), "%s/%u/task/%u/ns/pid", e->proc, t->pid, t->tid);
	if (!stat(path, &st))
		t->pid_ns = (u32)st.st_ino;
}

/*
 * Voluntary context switches. Only asked for a thread that is awake: there it decides whether the
 * rest of the time was a sleep (state_of_rest() in wall_account.c).
 */
static u64 count_sleeps(struct proc_eye *e, const struct proc_thread *t)
{
	char text[4096];
	const char *line = NULL;

	if (read_file(e, t, "status", text, sizeof(text)))
		line = strstr(text, "\nvoluntary_ctxt_switches:");
	return line ? strtoull(strchr(line, ':') + 1, NULL, 10) : 0;
}

/*
 * Few groups have many threads, so the ids are kept by path. A group that is removed and made again
 * under the same path has another id; it is found when the table is emptied.
 */
static u64 group_id(struct proc_eye *e, const char *path)
{
	const u64 *known = g_hash_table_lookup(e->groups, path);
	u64 id;

	if (known)
		return *known;
	if (g_hash_table_size(e->groups) >= MOST_GROUPS)
		g_hash_table_remove_all(e->groups);
	id = cgroups_id(e->paths, path);
	g_hash_table_insert(e->groups, g_strdup(path), g_memdup2(&id, sizeof(id)));
	return id;
}

/* Reads the control group at most once a second: threads can be moved. */
static void ask_cgroup(struct proc_eye *e, struct proc_thread *t)
{
	g_autofree char *path = NULL;
	u64 now = clock_ns(CLOCK_MONOTONIC);

	if (t->asked_cgroup && now < t->asked_cgroup + NS_PER_S)
		return;
	t->asked_cgroup = now;
	path = cgroups_path(e->paths, t->pid, t->tid);
	t->cgroup = path ? group_id(e, path) : 0;
	t->counts = path && (!e->cgroups || cgroups_cover(e->cgroups, path));
}

/*
 * The effective user: the kernel shows it as the owner of the thread's folder. The files in it belong to root where the
 * process may not be dumped.
 */
static u32 user_of(const struct proc_eye *e, const struct proc_thread *t)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%u/task/%u", e->proc, t->pid, t->tid);
	return stat(path, &st) ? 0 : st.st_uid + 1;
}

/*
 * One thread. @look has texts that belong to the eye (file, connection), and wchan on the stack:
 * the callback copies what it keeps.
 */
static void look_at(struct proc_eye *e, struct proc_thread *t, wall_look_fn *fn, void *arg,
		    struct wall_pass *pass)
{
	struct wall_look look = { .pid = t->pid, .tid = t->tid, .flags = WALL_FROM_PROC };
	char stat[1024], wchan[128];
	struct sums sums;

	if (!read_sums(e, t, &sums)) { /* usually, it has ended */
		pass->faults += errno == EMFILE || errno == ENFILE;
		return;
	}
	pass->seen++;
	/* A thread that executes a program takes its process's id, and both may have run equally often. */
	if (t->asleep && t->runs == sums.runs && t->exec == sums.exec && sums.runs)
		return;
	if (!read_file(e, t, "stat", stat, sizeof(stat)) ||
	    !wall_proc_parse_stat(stat, e->ns_per_tick, e->clock, &look))
		return;
	look.time = clock_ns(CLOCK_MONOTONIC) + (u64)e->clock->from_monotonic;
	ask_cgroup(e, t);
	ask_ids(e, t);
	look.exec = sums.exec;
	look.delay = sums.delay;
	look.runs = sums.runs;
	look.cgroup = t->cgroup;
	look.user = user_of(e, t);
	look.pid_ns = t->pid_ns;
	look.inner_pid = t->inner_pid;
	look.inner_tid = t->inner_tid;
	look_at_wait(e, t, &look, wchan, sizeof(wchan), pass);
	if (look.state == WALL_RUNNING || look.state == WALL_QUEUED)
		look.sleeps = count_sleeps(e, t);
	t->runs = sums.runs;
	t->exec = sums.exec;
	t->asleep = look.state != WALL_RUNNING && look.state != WALL_QUEUED &&
		    look.state != WALL_ZOMBIE;
	pass->looked++;
	fn(&look, arg);
	g_clear_pointer(&e->file, g_free);
	g_clear_pointer(&e->connection, g_free);
}

static struct proc_thread *thread_of(struct proc_eye *e, u32 pid, u32 tid)
{
	struct proc_thread *t = g_hash_table_lookup(e->threads, GUINT_TO_POINTER(tid));

	if (t)
		return t;
	t = g_new0(struct proc_thread, 1);
	*t = (struct proc_thread){ .pid = pid, .tid = tid, .schedstat = -1 };
	g_hash_table_insert(e->threads, GUINT_TO_POINTER(tid), t);
	return t;
}

static u32 number_of(const struct dirent *d)
{
	char *end;
	unsigned long n = strtoul(d->d_name, &end, 10);

	return *end || n > UINT32_MAX ? 0 : (u32)n;
}

/* Is the process or thread @id selected? If so, notes that this pass has found it. */
static bool find(struct proc_eye *e, GHashTable *selected, u32 id)
{
	gpointer key = GUINT_TO_POINTER(id);

	if (e->all)
		return true;
	if (!g_hash_table_contains(selected, key))
		return false;
	g_hash_table_insert(selected, key, GUINT_TO_POINTER(e->pass));
	return true;
}

static void look_at_process(struct proc_eye *e, u32 pid, wall_look_fn *fn, void *arg,
			    struct wall_pass *pass)
{
	g_autofree char *path = g_strdup_printf("%s/%u/task", e->proc, pid);
	int fd = open_file(e, path, O_DIRECTORY);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *d;

	if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
		e->unread = true;
		pass->faults++;
	}
	/* The first thread is the first in the folder: if it is another process's, no other one is looked at. */
	while (dir && find(e, e->wanted, pid) && (d = readdir(dir))) {
		struct proc_thread *t;
		u32 tid = number_of(d);

		if (!tid || (e->by_tid && !find(e, e->tids, tid)))
			continue;
		t = thread_of(e, pid, tid);
		t->pass = e->pass;
		if (e->cgroups)
			ask_cgroup(e, t);
		if (!e->cgroups || t->counts)
			look_at(e, t, fn, arg, pass);
		else
			pass->skipped++;
	}
	if (dir)
		closedir(dir);
}

static gboolean is_gone(gpointer key, gpointer value, gpointer arg)
{
	struct proc_eye *e = arg;
	struct proc_thread *t = value;

	if (t->pass == e->pass)
		return FALSE;
	close_schedstat(e, t);
	g_array_append_val(e->gone, t->tid);
	return TRUE;
}

static gboolean is_unfound(gpointer id, gpointer pass, gpointer arg)
{
	const struct proc_eye *e = arg;

	return GPOINTER_TO_UINT(pass) != e->pass;
}

/*
 * Who ends is not selected any more: the kernel gives its number to others. Threads in a folder that could not be read
 * may go on.
 */
static void deselect_ended(struct proc_eye *e)
{
	g_hash_table_foreach_remove(e->wanted, is_unfound, e);
	if (!e->unread)
		g_hash_table_foreach_remove(e->tids, is_unfound, e);
}

/*
 * All processes, or the selected ones. @whole has no meaning here: no look is delayed.
 *
 * Threads that this pass did not find are removed, and told as gone: they ended, or got another
 * number by executing a program. The account waits a while for an EXIT record before it believes it
 * (wall_news_miss()).
 */
static bool proc_pass(struct wall_eye *eye, bool whole, wall_look_fn *fn, void *arg,
		      struct wall_pass *pass, GError **error)
{
	struct proc_eye *e = proc_eye(eye);
	int fd = open_file(e, e->proc, O_DIRECTORY);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *d;
	u32 self = (u32)getpid();

	if (!dir)
		return error_set_errno(error, errno, "%s", e->proc);
	*pass = (struct wall_pass){ 0 };
	e->pass++;
	e->unread = false;
	while ((d = readdir(dir))) {
		u32 pid = number_of(d);

		if (!pid || pid == self)
			continue;
		if (find(e, e->wanted, pid))
			look_at_process(e, pid, fn, arg, pass);
		else
			pass->skipped++;
	}
	closedir(dir);
	deselect_ended(e);
	g_array_set_size(e->gone, 0);
	g_hash_table_foreach_remove(e->threads, is_gone, e);
	pass->gone = e->gone;
	return true;
}

/* The next pass looks for it. */
static void proc_want(struct wall_eye *eye, u32 pid, u32 tid)
{
	struct proc_eye *e = proc_eye(eye);

	g_hash_table_insert(e->wanted, GUINT_TO_POINTER(pid), GUINT_TO_POINTER(e->pass));
	if (e->by_tid)
		g_hash_table_insert(e->tids, GUINT_TO_POINTER(tid), GUINT_TO_POINTER(e->pass));
}

static void proc_close(struct wall_eye *eye)
{
	struct proc_eye *e = proc_eye(eye);

	e->pass++; /* so is_gone() is true for all */
	g_hash_table_foreach_remove(e->threads, is_gone, e);
	g_hash_table_unref(e->threads);
	g_array_unref(e->gone);
	g_hash_table_unref(e->wanted);
	g_hash_table_unref(e->tids);
	g_hash_table_unref(e->groups);
	wall_net_free(e->net);
	g_free(e);
}

/* A thread without schedstat is taken for one that has ended. A sandbox (gVisor) has processes, but not this file. */
static bool has_schedstat(const char *proc, GError **error)
{
	g_autofree char *stat = g_build_filename(proc, "self/stat", NULL);
	g_autofree char *schedstat = g_build_filename(proc, "self/schedstat", NULL);

	return access(stat, R_OK) || !access(schedstat, R_OK) ||
	       error_set(error, PERF_ERROR_UNSUPPORTED,
			 "thread states by /proc need %s: this kernel was built without "
			 "CONFIG_SCHED_INFO, or a sandbox hides it",
			 schedstat);
}

struct wall_eye *wall_proc_open(const struct wall_proc_options *options,
				const struct wall_clock *clock, GError **error)
{
	static const struct wall_eye_ops ops = {
		.name = "/proc",
		.regs = 1ull << PERF_REG_X86_SP | 1ull << PERF_REG_X86_IP,
		.pass = proc_pass,
		.want = proc_want,
		.close = proc_close,
	};
	struct proc_eye *e;
	const char *proc = options->paths->proc;
	struct rlimit limit;

	if (access(proc, R_OK | X_OK)) {
		error_set_errno(error, errno, "%s", proc);
		return NULL;
	}
	if (!has_schedstat(proc, error))
		return NULL;
	e = g_new0(struct proc_eye, 1);
	e->eye.ops = &ops;
	e->all = options->all;
	e->by_tid = options->by_tid;
	e->paths = options->paths;
	e->cgroups = options->cgroups;
	e->proc = proc;
	e->clock = clock;
	e->net = wall_net_new(proc);
	e->groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	e->wanted = g_hash_table_new(NULL, NULL);
	e->tids = g_hash_table_new(NULL, NULL);
	e->threads = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	e->gone = g_array_new(FALSE, FALSE, sizeof(u32));
	e->ns_per_tick = NS_PER_S / (u64)sysconf(_SC_CLK_TCK);
	/* Half of what the events and the other parts of the recorder have left. */
	if (!getrlimit(RLIMIT_NOFILE, &limit))
		e->most_open = (u32)MIN(
			(limit.rlim_cur - MIN(limit.rlim_cur, openset_files(0))) / 2, 100000);
	return &e->eye;
}
