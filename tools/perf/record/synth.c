// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records that the kernel would have written if the recording had begun earlier. Example, a process
 * 800 with two threads:
 *
 *	FORK	pid 800, tid 800, parent 1	misc: PERF_MISC_FORK_EXEC
 *	COMM	pid 800, tid 800, "server"
 *	MMAP2	pid 800: one for each line of /proc/800/maps that is code
 *	FORK	pid 800, tid 801, parent 800
 *	COMM	pid 800, tid 801, "worker"
 *
 * The flag tells a reader not to copy the parent's maps to the child, as a real fork would: the
 * child's own maps follow.
 *
 * /proc is read while processes run and end. A file that cannot be read any more is left out
 * without an error. A process that changes its maps meanwhile also has real records of that, which
 * come later in the file.
 *
 * Kernel and modules have no process, so their pid is EVENT_NO_PID. The map of the kernel has the
 * address of a reference symbol ("[kernel.kallsyms]_text") as its offset: a reader compares it with
 * the same symbol in vmlinux, and knows how far the kernel was moved (KASLR).
 */
#include "record/synth.h"

#include <string.h>
#include <sys/mman.h>

static void put(struct synth *s, const struct event *ev)
{
	struct event timed = *ev;
	g_autoptr(GError) error = NULL;

	timed.id.time = s->time;
	if (!outlet_event(s->out, &timed, s->evsel, &error) && !s->error)
		s->error = g_steal_pointer(&error);
}

void synth_set_build_id(struct synth *s, struct event *ev, bool kernel)
{
	const struct build_id *id;
	bool is_told;

	if (!s->buildids || ev->misc & PERF_MISC_MMAP_DATA)
		return;
	id = buildids_get(s->buildids, &ev->mmap, kernel, &is_told);
	if (!id->size || (is_told && !s->build_ids_in_maps))
		return;
	memcpy(ev->mmap.build_id, id->bytes, id->size);
	ev->mmap.build_id_size = id->size;
	ev->mmap.has_build_id = true;
	ev->mmap.has_inode = false;
	ev->misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	ev->type = PERF_RECORD_MMAP2;
}

static void put_kernel_map(struct synth *s, const char *name, u64 start, u64 len, u64 pgoff)
{
	struct event ev = { .type = PERF_RECORD_MMAP, .misc = PERF_RECORD_MISC_KERNEL };

	ev.mmap = (struct event_mmap){
		.pid = EVENT_NO_PID,
		.start = start,
		.len = len,
		.pgoff = pgoff,
		.prot = PROT_EXEC,
		.filename = name,
	};
	synth_set_build_id(s, &ev, true);
	put(s, &ev);
}

static bool put_module(const struct kernel_module *module, void *arg)
{
	struct synth *s = arg;
	g_autofree char *name = NULL;

	if (!module->path)
		name = g_strdup_printf("[%s]", module->name);
	put_kernel_map(s, module->path ? module->path : name, module->start, module->size, 0);
	return true;
}

void synth_kernel(struct synth *s, const struct kernel_map *map)
{
	if (map->end) {
		g_autofree char *name = g_strconcat("[kernel.kallsyms]", map->ref_symbol, NULL);

		/* The offset is the address of the reference symbol. By it a reader finds the
		 * kernel's load offset (KASLR). */
		put_kernel_map(s, name, map->start, map->end - map->start, map->start);
	}
	kernel_modules(s->paths, put_module, s, NULL);
}

struct maps_of {
	struct synth *s;
	pid_t pid;
};

static bool put_map(const struct proc_map *map, void *arg)
{
	const struct maps_of *of = arg;
	struct event ev = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER };

	if (!(map->prot & PROT_EXEC))
		ev.misc |= PERF_MISC_MMAP_DATA;
	ev.mmap = (struct event_mmap){
		.pid = (u32)of->pid,
		.tid = (u32)of->pid,
		.start = map->start,
		.len = map->end - map->start,
		.pgoff = map->pgoff,
		.prot = map->prot,
		.flags = map->flags,
		.maj = map->maj,
		.min = map->min,
		.ino = map->ino,
		.has_inode = true,
		.filename = map->name,
	};
	synth_set_build_id(of->s, &ev, false);
	put(of->s, &ev);
	return true;
}

static void put_comm(struct synth *s, const struct proc_task *task)
{
	struct event ev = { .type = PERF_RECORD_COMM };

	ev.comm = (struct event_comm){
		.pid = (u32)task->pid,
		.tid = (u32)task->tid,
		.text = task->comm,
	};
	put(s, &ev);
}

static void put_fork(struct synth *s, const struct proc_task *task)
{
	/* With this flag, a reader does not copy the parent's maps to the child. The child's own maps follow. */
	struct event ev = { .type = PERF_RECORD_FORK, .misc = PERF_MISC_FORK_EXEC };
	bool leader = task->pid == task->tid;

	ev.task = (struct event_task){
		.pid = (u32)task->pid,
		.tid = (u32)task->tid,
		.ppid = (u32)(leader ? task->ppid : task->pid),
		.ptid = (u32)(leader ? task->ppid : task->pid),
	};
	put(s, &ev);
}

static void put_namespaces(struct synth *s, const struct proc_task *task)
{
	struct proc_namespace found[PROC_NR_NAMESPACES];
	struct perf_ns_link_info links[PROC_NR_NAMESPACES];
	struct event ev = { .type = PERF_RECORD_NAMESPACES };

	if (!s->namespaces || !proc_namespaces(s->paths, task->pid, task->tid, found, NULL))
		return;
	for (u32 i = 0; i < PROC_NR_NAMESPACES; i++)
		links[i] = (struct perf_ns_link_info){ .dev = found[i].dev, .ino = found[i].ino };
	ev.namespaces = (struct event_namespaces){
		.pid = (u32)task->pid,
		.tid = (u32)task->tid,
		.nr = PROC_NR_NAMESPACES,
		.links = links,
	};
	put(s, &ev);
}

static bool put_task(const struct proc_task *task, void *arg)
{
	struct synth *s = arg;
	struct maps_of of = { s, task->pid };

	put_fork(s, task);
	put_namespaces(s, task);
	put_comm(s, task);
	if (task->pid == task->tid && !task->kernel && !s->no_maps)
		proc_maps(s->paths, task->pid, s->data, put_map, &of, NULL);
	return true;
}

void synth_process(struct synth *s, pid_t pid)
{
	proc_threads(s->paths, pid, put_task, s, NULL);
}

void synth_all(struct synth *s)
{
	proc_all(s->paths, put_task, s, NULL);
}

static bool put_name(const struct proc_task *task, void *arg)
{
	put_comm(arg, task);
	put_namespaces(arg, task);
	return true;
}

void synth_comm(struct synth *s, pid_t pid)
{
	proc_task_read(s->paths, pid, pid, put_name, s, NULL);
}

static bool put_cgroup(u64 id, const char *path, void *arg)
{
	struct event ev = { .type = PERF_RECORD_CGROUP };

	ev.cgroup = (struct event_cgroup){ .id = id, .path = path };
	put(arg, &ev);
	return true;
}

void synth_cgroups(struct synth *s)
{
	proc_cgroups(s->paths, put_cgroup, s, NULL);
}
