// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads threads and their maps. Kernel, modules and control groups are in procsys.c. */
#include "perfevent/proc.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/file.h"

#define MOST_CPU    65535
#define PASSWD_ROOM 16384

static int by_int(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

static void sort_unique(GArray *ints)
{
	int *at = (int *)ints->data;
	u32 kept = 0;

	g_array_sort(ints, by_int);
	at = (int *)ints->data;
	for (u32 i = 0; i < ints->len; i++)
		if (!kept || at[kept - 1] != at[i])
			at[kept++] = at[i];
	g_array_set_size(ints, kept);
}

/* Parses digits only: no sign, no space, nothing above @most. Moves *text behind them. */
static bool take_int(const char **text, u64 most, int *value)
{
	const char *at = *text;
	u64 n = 0;

	if (!g_ascii_isdigit(*at))
		return false;
	for (; g_ascii_isdigit(*at); at++) {
		n = n * 10 + (*at - '0');
		if (n > most)
			return false;
	}
	*value = n;
	*text = at;
	return true;
}

GArray *cpu_list_parse(const char *text, GError **error)
{
	g_autoptr(GArray) cpus = g_array_new(FALSE, FALSE, sizeof(int));
	const char *at = text;

	for (;;) {
		int first, last;

		if (!take_int(&at, MOST_CPU, &first))
			break;
		last = first;
		if (*at == '-' && (at++, !take_int(&at, MOST_CPU, &last)))
			break;
		if (last < first)
			break;
		for (int cpu = first; cpu <= last && cpus->len <= 4 * MOST_CPU; cpu++)
			g_array_append_val(cpus, cpu);
		if (!*at || !strcmp(at, "\n")) {
			sort_unique(cpus);
			return g_steal_pointer(&cpus);
		}
		if (*at++ != ',')
			break;
	}
	error_set(error, PERF_ERROR_USAGE, "'%s' is not a list of CPUs such as 0-3,7", text);
	return NULL;
}

/* The online CPUs: those with a line "cpuN ..." in /proc/stat. NULL: there are none. */
static GArray *cpus_of_stat(const struct kernel_paths *paths)
{
	g_autofree char *text = file_text("%s/stat", paths->proc);
	g_autoptr(GArray) cpus = g_array_new(FALSE, FALSE, sizeof(int));

	for (const char *at = text; at; at = strchr(at, '\n')) {
		int cpu;

		at += *at == '\n';
		if (g_str_has_prefix(at, "cpu") && (at += 3, take_int(&at, MOST_CPU, &cpu)))
			g_array_append_val(cpus, cpu);
	}
	if (!cpus->len)
		return NULL;
	sort_unique(cpus);
	return g_steal_pointer(&cpus);
}

GArray *cpu_list_online(const struct kernel_paths *paths, GError **error)
{
	g_autofree char *text = file_text("%s/devices/system/cpu/online", paths->sys);
	int why = errno;
	GArray *cpus;

	if (text)
		return cpu_list_parse(text, error);
	cpus = cpus_of_stat(paths); /* containers may hide /sys */
	if (!cpus) {
		errno = why;
		error_set_errno(error, errno, "%s/devices/system/cpu/online", paths->sys);
	}
	return cpus;
}

GArray *pid_list_parse(const char *text, GError **error)
{
	g_autoptr(GArray) pids = g_array_new(FALSE, FALSE, sizeof(int));
	const char *at = text;

	for (;;) {
		int pid;

		if (!take_int(&at, G_MAXINT32, &pid) || !pid)
			break;
		g_array_append_val(pids, pid);
		if (!*at) {
			sort_unique(pids);
			return g_steal_pointer(&pids);
		}
		if (*at++ != ',')
			break;
	}
	error_set(error, PERF_ERROR_USAGE, "'%s' is not a list of ids such as 12,34", text);
	return NULL;
}

bool uid_parse(const char *text, uid_t *uid, GError **error)
{
	const char *at = text;
	struct passwd entry, *user = NULL;
	char room[PASSWD_ROOM];
	int number;

	if (take_int(&at, G_MAXINT32, &number) && !*at) {
		*uid = number;
		return true;
	}
	getpwnam_r(text, &entry, room, sizeof(room), &user);
	if (!user)
		return error_set(error, PERF_ERROR_ABSENT, "there is no user '%s'", text);
	*uid = user->pw_uid;
	return true;
}

/* Decodes the escapes that the kernel uses in names: \n, \\ and octal. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at++) {
		if (*at != '\\') {
			*to++ = *at;
		} else if (at[1] == 'n' || at[1] == '\\') {
			*to++ = *++at == 'n' ? '\n' : '\\';
		} else if (at[1] == '0' && at[2] >= '0' && at[2] <= '7' && at[3] >= '0' &&
			   at[3] <= '7') {
			*to++ = (at[2] - '0') * 8 + (at[3] - '0');
			at += 3;
		} else {
			*to++ = *at;
		}
	}
	*to = 0;
}

/* The value of "KEY:\tVALUE" in a status file, or NULL. @lines has one key per line. */
static char *status_value(char **lines, const char *key)
{
	size_t len = strlen(key);

	for (; *lines; lines++)
		if (!strncmp(*lines, key, len) && (*lines)[len] == ':')
			return g_strchug(*lines + len + 1);
	return NULL;
}

static int status_int(char **lines, const char *key)
{
	const char *text = status_value(lines, key);
	int value;

	return text && take_int(&text, G_MAXINT32, &value) ? value : -1;
}

/*
 * /proc adds a work queue's name to those of its threads: "kworker/0:2H-kblockd", where the kernel's own
 * PERF_RECORD_COMM says "kworker/0:2H". Upstream cuts them at the kernel's limit; longer ones make the column of the
 * names wide.
 */
static void cut_comm(char *comm)
{
	if (strlen(comm) > PROC_MAX_COMM)
		comm[PROC_MAX_COMM] = 0;
}

static bool task_from_status(char *text, pid_t tid, struct proc_task *task)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	char *uid = status_value(lines, "Uid"), *name = status_value(lines, "Name");
	int kthread = status_int(lines, "Kthread");
	size_t len;

	task->tid = tid;
	task->pid = status_int(lines, "Tgid");
	task->ppid = MAX(status_int(lines, "PPid"), 0);
	task->uid = uid ? g_ascii_strtoull(uid, NULL, 10) : 0;
	task->kernel = kthread >= 0 ? kthread : tid == 2 || task->ppid == 2;
	if (task->pid <= 0 || !name)
		return false;
	unescape(name);
	cut_comm(name);
	len = strlen(name) + 1;
	memmove(text, name, len); /* the lines are freed, the text goes to the caller */
	task->comm = text;
	return true;
}

/* .comm points into *text: the caller frees *text after use. */
static bool read_task(const struct kernel_paths *paths, pid_t pid, pid_t tid,
		      struct proc_task *task, char **text)
{
	*text = file_text("%s/%d/task/%d/status", paths->proc, pid, tid);
	return *text && task_from_status(*text, tid, task);
}

bool proc_task_read(const struct kernel_paths *paths, pid_t pid, pid_t tid, proc_task_fn fn,
		    void *arg, GError **error)
{
	g_autofree char *text = NULL;
	struct proc_task task;

	if (!read_task(paths, pid, tid, &task, &text))
		return error_set(error, PERF_ERROR_ABSENT, "there is no thread %d of process %d",
				 tid, pid);
	fn(&task, arg);
	return true;
}

/* The file names in a folder that are numbers. NULL with errno: the folder cannot be read. */
static GArray *numbers_in(const char *path)
{
	GArray *ids;
	g_autoptr(GDir) dir = NULL;
	const char *name;

	errno = 0;
	dir = g_dir_open(path, 0, NULL);
	if (!dir)
		return NULL;
	ids = g_array_new(FALSE, FALSE, sizeof(int));
	while ((name = g_dir_read_name(dir))) {
		int id;

		if (take_int(&name, G_MAXINT32, &id) && !*name && id)
			g_array_append_val(ids, id);
	}
	sort_unique(ids);
	return ids;
}

GArray *proc_pids(const struct kernel_paths *paths, GError **error)
{
	GArray *pids = numbers_in(paths->proc);

	if (!pids)
		error_set_errno(error, errno, "cannot read %s", paths->proc);
	return pids;
}

GArray *proc_tids(const struct kernel_paths *paths, pid_t pid, GError **error)
{
	g_autofree char *path = g_strdup_printf("%s/%d/task", paths->proc, pid);
	GArray *tids = numbers_in(path);

	if (!tids)
		error_set(error, PERF_ERROR_ABSENT, "there is no process %d", pid);
	return tids;
}

GArray *proc_pids_of_uid(const struct kernel_paths *paths, uid_t uid, GError **error)
{
	GArray *pids = proc_pids(paths, error);
	u32 kept = 0;

	for (u32 i = 0; pids && i < pids->len; i++) {
		g_autofree char *text = NULL;
		int pid = g_array_index(pids, int, i);
		struct proc_task task;

		if (read_task(paths, pid, pid, &task, &text) && task.uid == uid)
			g_array_index(pids, int, kept++) = pid;
	}
	if (pids)
		g_array_set_size(pids, kept);
	return pids;
}

/*
 * A thread that does not lead its process: what all threads share is the leader's, so only its name is read, from a
 * small file. *text is as with read_task().
 */
static bool read_other(const struct kernel_paths *paths, const struct proc_task *leader, pid_t tid,
		       struct proc_task *task, char **text)
{
	*task = *leader;
	task->tid = tid;
	*text = file_text("%s/%d/task/%d/comm", paths->proc, leader->pid, tid);
	if (*text)
		cut_comm(*text);
	task->comm = *text;
	return *text;
}

/* False: @fn has asked to stop. */
static bool each_thread(const struct kernel_paths *paths, pid_t pid, const GArray *tids,
			proc_task_fn fn, void *arg)
{
	g_autofree char *first = NULL;
	struct proc_task leader;

	/* The leader's id may not be the lowest one, because ids wrap around. */
	if (!read_task(paths, pid, pid, &leader, &first))
		return true; /* it has ended */
	if (!fn(&leader, arg))
		return false;
	for (u32 i = 0; i < tids->len; i++) {
		g_autofree char *text = NULL;
		int tid = g_array_index(tids, int, i);
		struct proc_task task;

		if (tid != pid && read_other(paths, &leader, tid, &task, &text) && !fn(&task, arg))
			return false;
	}
	return true;
}

bool proc_threads(const struct kernel_paths *paths, pid_t pid, proc_task_fn fn, void *arg,
		  GError **error)
{
	g_autoptr(GArray) tids = proc_tids(paths, pid, error);

	if (!tids)
		return false;
	each_thread(paths, pid, tids, fn, arg);
	return true;
}

bool proc_all(const struct kernel_paths *paths, proc_task_fn fn, void *arg, GError **error)
{
	g_autoptr(GArray) pids = proc_pids(paths, error);

	for (u32 i = 0; pids && i < pids->len; i++) {
		int pid = g_array_index(pids, int, i);
		g_autoptr(GArray) tids = proc_tids(paths, pid, NULL);

		if (tids && !each_thread(paths, pid, tids, fn, arg))
			break;
	}
	return pids;
}

/* Parses a number that ends with the character @stop, and skips @stop. */
static bool take_field(char **at, int base, char stop, u64 *value)
{
	char *end;

	if (!g_ascii_isxdigit(**at))
		return false;
	errno = 0;
	*value = g_ascii_strtoull(*at, &end, base);
	if (end == *at || errno || *end != stop)
		return false;
	*at = end + 1;
	return true;
}

static bool take_permissions(char **at, struct proc_map *map)
{
	const char *p = *at;

	if (strlen(p) < 5 || p[4] != ' ')
		return false;
	map->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
		    (p[2] == 'x' ? PROT_EXEC : 0);
	map->flags = p[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	*at += 5;
	return true;
}

bool proc_map_parse(char *line, struct proc_map *map)
{
	char *at = line, *end;
	u64 maj, min;

	*map = (struct proc_map){ 0 };
	if (!take_field(&at, 16, '-', &map->start) || !take_field(&at, 16, ' ', &map->end) ||
	    !take_permissions(&at, map) || !take_field(&at, 16, ' ', &map->pgoff) ||
	    !take_field(&at, 16, ':', &maj) || !take_field(&at, 16, ' ', &min) ||
	    map->end <= map->start)
		return false;
	map->maj = maj;
	map->min = min;
	if (!g_ascii_isdigit(*at))
		return false;
	errno = 0;
	map->ino = g_ascii_strtoull(at, &end, 10);
	if (errno || (*end && *end != ' ' && *end != '\n'))
		return false;
	at = end + strspn(end, " ");
	at[strcspn(at, "\n")] = 0;
	unescape(at);
	map->name = *at ? at : "//anon";
	map->deleted = g_str_has_suffix(at, " (deleted)");
	if (g_str_has_prefix(at, "/anon_hugepage")) {
		map->name = "//anon";
		map->flags |= MAP_HUGETLB;
	}
	return true;
}

/* *any: the file has a mapping. False with errno: it cannot be read. */
static bool read_maps(const char *path, bool data, proc_map_fn fn, void *arg, bool *any)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	*any = false;
	if (!file)
		return false;
	while (getline(&line, &room, file) > 0) {
		struct proc_map map;

		if (!proc_map_parse(line, &map))
			continue;
		*any = true;
		if (!(map.prot & PROT_EXEC) && !(data && map.prot & PROT_READ))
			continue;
		if (!fn(&map, arg))
			break;
	}
	free(line);
	fclose(file);
	return true;
}

/*
 * /proc/PID is its first thread. If that one has ended before the others, the file is empty, and the memory that they
 * share is to be seen with one of them:
 *
 *	/proc/800/maps			empty: thread 800 has called pthread_exit()
 *	/proc/800/task/801/maps		all mappings
 */
bool proc_maps(const struct kernel_paths *paths, pid_t pid, bool data, proc_map_fn fn, void *arg,
	       GError **error)
{
	g_autofree char *path = g_strdup_printf("%s/%d/maps", paths->proc, pid);
	g_autoptr(GArray) tids = NULL;
	bool any;

	if (!read_maps(path, data, fn, arg, &any))
		return error_set_errno(error, errno, "%s", path);
	if (!any)
		tids = proc_tids(paths, pid, NULL);
	for (u32 i = 0; tids && i < tids->len && !any; i++) {
		g_autofree char *other = g_strdup_printf("%s/%d/task/%d/maps", paths->proc, pid,
							 g_array_index(tids, int, i));

		read_maps(other, data, fn, arg, &any);
	}
	return true;
}

bool proc_namespaces(const struct kernel_paths *paths, pid_t pid, pid_t tid,
		     struct proc_namespace out[PROC_NR_NAMESPACES], GError **error)
{
	static const char *const names[PROC_NR_NAMESPACES] = { "net",  "uts", "ipc",   "pid",
							       "user", "mnt", "cgroup" };
	bool any = false;

	for (u32 i = 0; i < PROC_NR_NAMESPACES; i++) {
		g_autofree char *path =
			g_strdup_printf("%s/%d/task/%d/ns/%s", paths->proc, pid, tid, names[i]);
		struct stat st;

		out[i] = (struct proc_namespace){ 0 };
		if (stat(path, &st))
			continue;
		out[i].dev = st.st_dev;
		out[i].ino = st.st_ino;
		any = true;
	}
	return any || error_set(error, PERF_ERROR_ABSENT,
				"the namespaces of thread %d cannot be read", tid);
}
