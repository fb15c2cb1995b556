// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/processes.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bpf/pinned.h"
#include "bpf/pinned.skel.h"
#include "bpf/processes.h"
#include "detached/pinned_map.h"
#include "perfevent/proc.h"

static u32 nr_maps(bool all)
{
	return all ? PROCESSES_MAPS_ALL : PROCESSES_MAPS;
}

u64 processes_size(bool all)
{
	return PROCESSES_TASKS * sizeof(struct process_task) +
	       nr_maps(all) * sizeof(struct process_map);
}

void processes_choose_size(struct pinned_bpf *skel, bool all)
{
	skel->rodata->follows_all = all;
	skel->rodata->nr_maps = nr_maps(all);
	bpf_map__set_max_entries(skel->maps.mappings, nr_maps(all));
	bpf_map__set_max_entries(skel->maps.pages, 8 * nr_maps(all));
}

static u64 taken_by(const char *path, const char *name, u32 entry)
{
	struct pinned_map map;
	u64 size;

	if (!pinned_map_open(&map, path, name, entry, NULL))
		return 0;
	size = map.size;
	pinned_map_close(&map);
	return size;
}

u64 processes_taken(const char *path)
{
	return taken_by(path, "tasks", sizeof(struct process_task)) +
	       taken_by(path, "mappings", sizeof(struct process_map));
}

u64 processes_lost(const char *path)
{
	struct pinned_map map;
	const struct processes_counts *counts;
	u64 lost;

	if (!pinned_map_open(&map, path, "counts", sizeof(*counts), NULL))
		return 0;
	counts = map.data;
	lost = counts->tasks_lost + counts->maps_lost;
	pinned_map_close(&map);
	return lost;
}

void processes_leave_out(struct pinned_bpf *skel)
{
	skel->rodata->follows = false;
	bpf_program__set_autoload(skel->progs.pinned_fork, false);
	bpf_program__set_autoload(skel->progs.pinned_rename, false);
	bpf_program__set_autoload(skel->progs.pinned_exec, false);
	bpf_program__set_autoload(skel->progs.pinned_exit, false);
}

static bool seed_one(const struct proc_task *task, void *arg)
{
	const struct pinned_bpf *skel = arg;
	struct processes_counts *counts = &skel->bss->counts;
	struct process_task slot = { .pid = (u32)task->pid, .tid = (u32)task->tid };
	u32 at = counts->next_task;

	if (at == PROCESSES_TASKS)
		return false;
	counts->next_task++;
	slot.id = ++counts->ids;
	bpf_map_update_elem(bpf_map__fd(skel->maps.tasks), &at, &slot, BPF_ANY);
	bpf_map_update_elem(bpf_map__fd(skel->maps.slots), &slot.tid, &at, BPF_ANY);
	return true;
}

/*
 * Writes the present processes, before the programs are attached, so there is no other writer. A
 * thread's children are found by its process's slot.
 */
static void seed(struct pinned_bpf *skel, const GArray *pids)
{
	for (u32 i = 0; i < pids->len; i++)
		proc_threads(kernel_paths_host(), g_array_index(pids, pid_t, i), seed_one, skel,
			     NULL);
}

static bool pin_program(const char *path, struct bpf_program *program, GError **error)
{
	g_autofree char *name = g_strdup_printf("%s/link-%s", path, bpf_program__name(program));
	struct bpf_link *link = bpf_program__attach(program);
	int failed = link ? bpf_link__pin(link, name) : -errno;

	bpf_link__destroy(link);
	return !failed || error_set_errno(error, -failed, "%s", bpf_program__name(program));
}

static bool pin_map(const char *path, const char *as, struct bpf_map *map, GError **error)
{
	g_autofree char *name = g_build_filename(path, as, NULL);
	int failed = bpf_map__pin(map, name);

	return !failed || error_set_errno(error, -failed, "%s", name);
}

bool processes_follow(const char *path, struct pinned_bpf *skel, const GArray *pids, GError **error)
{
	if (pids)
		seed(skel, pids);
	return pin_map(path, "tasks", skel->maps.tasks, error) &&
	       pin_map(path, "mappings", skel->maps.mappings, error) &&
	       pin_map(path, "counts", skel->maps.bss, error) &&
	       pin_program(path, skel->progs.pinned_fork, error) &&
	       pin_program(path, skel->progs.pinned_rename, error) &&
	       pin_program(path, skel->progs.pinned_exec, error) &&
	       pin_program(path, skel->progs.pinned_exit, error);
}

void processes_tell(const char *path, struct synth *s, struct processes_told *told)
{
	struct processes_slots slots = { 0 };
	struct pinned_map tasks, maps;

	if (!pinned_map_open(&tasks, path, "tasks", sizeof(struct process_task), NULL))
		return;
	slots.tasks = tasks.data;
	slots.nr_tasks = tasks.size / sizeof(*slots.tasks);
	if (pinned_map_open(&maps, path, "mappings", sizeof(struct process_map), NULL)) {
		slots.maps = maps.data;
		slots.nr_maps = maps.size / sizeof(*slots.maps);
	}
	processes_tell_slots(&slots, s, told);
	if (slots.maps)
		pinned_map_close(&maps);
	pinned_map_close(&tasks);
}
