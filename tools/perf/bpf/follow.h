/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows processes for a recording without a running recorder (pinned.bpf.c): the threads
 * (follow_tasks.h), and here the mappings that samples fall into. All is written into two arrays of
 * slots, which are pinned with the recording.
 *
 * Samples trigger the search for mappings. Some frames of each sample are looked up among the known
 * mappings of the process. For the first frame without a mapping, the program asks the kernel
 * (bpf_find_vma). The kernel answers once per interrupt, so the next sample asks for the next
 * frame. A mapping is checked again after a second, because another one may have replaced it. So
 * every mapping that a sample needs is recorded, no matter how old it is, and no other mapping. The
 * kernel is asked once per file for the build-id, in the interrupt after that.
 */
#ifndef BPF_FOLLOW_H
#define BPF_FOLLOW_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/follow_tasks.h"
#include "bpf/pinned.h"
#include "bpf/processes.h"

#define VM_READ	    0x1
#define VM_WRITE    0x2
#define VM_EXEC	    0x4
#define VM_MAYSHARE 0x80
#define MAP_SHARED  1
#define MAP_PRIVATE 2
#define DEPTH	    48 /* limit: names and mounts of a path */
#define PAGE_SHIFT  12
#define EPOCH_SHIFT 46 /* known_page: the owner's execs start at this bit, above the page number */
#define AGAIN	    1000000000ULL /* ns */
#define FRAMES_EACH 3		  /* frames looked up per sample */
#define USER_STACK  256		  /* BPF_F_USER_STACK */
#define CTIME_NS    0x7fffffff	  /* flag above it: the time was queried (Linux 6.13) */
#define BUILD_ID    (1 << 11)	  /* BPF_F_USER_BUILD_ID */
#define ID_VALID    1		  /* BPF_STACK_BUILD_ID_VALID */
#define PF_EXITING  0x4
#define SKIP_MOST   255
#define WAIT_MOST   64 /* samples */

const volatile bool follows;
const volatile __u32 nr_maps = PROCESSES_MAPS;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, PROCESSES_MAPS); /* nr_maps */
	__type(key, __u32);
	__type(value, struct process_map);
} mappings SEC(".maps");

struct known_page {
	__u64 owner_id;
	__u64 nr; /* page number; above it the owner's number of execs */
};

/*
 * Page -> slot: pages of frames with a mapping, and the first page of each mapping. NOTHING and the
 * time: no mapping was found.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8 * PROCESSES_MAPS);
	__type(key, struct known_page);
	__type(value, __u32);
} pages SEC(".maps");

/* struct bpf_stack_build_id */
struct stack_build_id {
	__s32 status;
	__u8 id[PROCESSES_ID];
	__u64 offset;
};

static __always_inline bool is_needed(const struct process_map *map)
{
	__u32 owner = map->owner;
	struct process_task *task = bpf_map_lookup_elem(&tasks, &owner);

	return task && task->id == map->owner_id && !task->ended && task->execs == map->epoch;
}

static __always_inline struct process_map *take_map(__u32 *at)
{
	struct process_map *map = 0, *ended = 0;
	__u32 ended_at = 0;

	for (__u32 i = 0; i < LOOKS; i++) {
		*at = __sync_fetch_and_add(&counts.next_map, 1) % nr_maps;
		map = bpf_map_lookup_elem(&mappings, at);
		if (!map || !map->time)
			return map;
		if (is_needed(map))
			continue;
		if (is_free(&map->recent))
			return map;
		ended = map;
		ended_at = *at;
	}
	if (ended)
		*at = ended_at;
	else
		__sync_fetch_and_add(&counts.maps_lost, 1);
	return ended ? ended : map;
}

static __always_inline void add_name(struct process_map *map, const void *name)
{
	__u32 at = map->path_size;
	long size;

	if (at > PROCESSES_PATH - PROCESSES_NAME) {
		map->state |= PROCESS_MAP_CUT;
		return;
	}
	size = bpf_probe_read_kernel_str(map->path + at, PROCESSES_NAME, name);
	if (size > 0 && size <= PROCESSES_NAME)
		map->path_size = at + (__u32)size;
}

/*
 * Adds the path up to the root of all mounts: as other processes see it, even if this one has
 * another root directory.
 */
static __always_inline void add_path(struct process_map *map, struct file *file)
{
	struct dentry *dentry = BPF_CORE_READ(file, f_path.dentry), *parent;
	struct vfsmount *mnt = BPF_CORE_READ(file, f_path.mnt);
	struct mount *mount = (void *)mnt - bpf_core_field_offset(((struct mount *)0)->mnt), *above;

	if (!BPF_CORE_READ(dentry, d_hash.pprev))
		map->state |= PROCESS_MAP_DELETED;
	for (__u32 i = 0; i < DEPTH; i++) {
		parent = BPF_CORE_READ(dentry, d_parent);
		if (dentry == BPF_CORE_READ(mount, mnt.mnt_root)) {
			above = BPF_CORE_READ(mount, mnt_parent);
			if (above == mount)
				return;
			dentry = BPF_CORE_READ(mount, mnt_mountpoint);
			mount = above;
			continue;
		}
		if (parent == dentry)
			return;
		add_name(map, BPF_CORE_READ(dentry, d_name.name));
		dentry = parent;
	}
	map->state |= PROCESS_MAP_CUT;
}

static __always_inline void read_ctime(struct process_map *map, struct inode *inode)
{
	struct inode___6_10 *since_6_6 = (void *)inode;
	struct inode___6_5 *older = (void *)inode;

	if (bpf_core_field_exists(inode->i_ctime_sec)) {
		map->ctime_s = BPF_CORE_READ(inode, i_ctime_sec);
		map->ctime_ns = BPF_CORE_READ(inode, i_ctime_nsec) & CTIME_NS;
	} else if (bpf_core_field_exists(since_6_6->__i_ctime)) {
		map->ctime_s = BPF_CORE_READ(since_6_6, __i_ctime.tv_sec);
		map->ctime_ns = BPF_CORE_READ(since_6_6, __i_ctime.tv_nsec);
	} else if (bpf_core_field_exists(older->i_ctime)) {
		map->ctime_s = BPF_CORE_READ(older, i_ctime.tv_sec);
		map->ctime_ns = BPF_CORE_READ(older, i_ctime.tv_nsec);
	}
}

static __always_inline void read_file(struct process_map *map, struct file *file)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);

	map->ino = BPF_CORE_READ(inode, i_ino);
	map->generation = BPF_CORE_READ(inode, i_generation);
	map->dev = BPF_CORE_READ(inode, i_sb, s_dev);
	read_ctime(map, inode);
	add_path(map, file);
}

/* Reads the name of a mapping without a file, for example "[vdso]". */
static __always_inline void read_name(struct process_map *map, struct vm_area_struct *vma)
{
	struct vm_special_mapping *special = BPF_CORE_READ(vma, vm_private_data);

	map->ino = map->ctime_s = 0;
	map->generation = map->dev = map->ctime_ns = 0;
	map->state |= PROCESS_MAP_ASKED;
	add_name(map, BPF_CORE_READ(special, name));
}

static __always_inline void read_area(struct process_map *map, struct vm_area_struct *vma)
{
	unsigned long flags = vma->vm_flags;

	map->start = vma->vm_start;
	map->len = vma->vm_end - vma->vm_start;
	map->pgoff = (__u64)vma->vm_pgoff << PAGE_SHIFT;
	map->prot = flags & (VM_READ | VM_WRITE | VM_EXEC); /* PROT_* have the same bits */
	map->flags = flags & VM_MAYSHARE ? MAP_SHARED : MAP_PRIVATE;
}

#define NOTHING	       0x80000000u
#define NOTHING_AT(ns) (NOTHING | (__u32)((ns) / AGAIN))

/* A frame of a sample. */
struct look {
	__u64 ip, time, began, owner_id;
	__u32 owner, epoch, pid;
	bool found; /* the kernel found a mapping */
};

static __always_inline bool is_same(const struct process_map *map, const struct look *look,
				    struct vm_area_struct *vma)
{
	return map->owner_id == look->owner_id && map->epoch == look->epoch &&
	       map->start == vma->vm_start && map->len == vma->vm_end - vma->vm_start &&
	       map->pgoff == (__u64)vma->vm_pgoff << PAGE_SHIFT &&
	       map->ino == (vma->vm_file ? BPF_CORE_READ(vma, vm_file, f_inode, i_ino) : 0);
}

static __always_inline void write_map(struct process_map *map, const struct look *look,
				      struct vm_area_struct *vma)
{
	begin_change(&map->changes);
	map->time = map->seen = look->time;
	map->began = look->began;
	map->owner = look->owner;
	map->owner_id = look->owner_id;
	map->epoch = look->epoch;
	map->recent = 1;
	map->pid = look->pid;
	map->state = 0;
	map->path_size = 0;
	map->build_id_size = 0;
	read_area(map, vma);
	if (vma->vm_file)
		read_file(map, vma->vm_file);
	else
		read_name(map, vma);
	end_change(&map->changes);
}

static __always_inline struct known_page page_of(const struct look *look, __u64 va)
{
	return (struct known_page){ look->owner_id,
				    va >> PAGE_SHIFT | (__u64)look->epoch << EPOCH_SHIFT };
}

/* Stores the slot in the task. */
static __always_inline void remember(const struct look *look, __u32 at)
{
	__u32 owner = look->owner;
	struct process_task *task = bpf_map_lookup_elem(&tasks, &owner);

	if (task && task->id == look->owner_id)
		task->maps[task->nr_maps++ % PROCESSES_RECENT] = at;
}

static long take_vma(struct task_struct *task, struct vm_area_struct *vma, void *arg)
{
	struct look *look = arg;
	struct known_page first = page_of(look, vma->vm_start), here = page_of(look, look->ip);
	__u32 *known = bpf_map_lookup_elem(&pages, &first), at = known ? *known : NOTHING;
	struct process_map *map = bpf_map_lookup_elem(&mappings, &at);

	if (!(vma->vm_flags & VM_EXEC) || (!vma->vm_file && !vma->vm_private_data))
		return 0;
	if (map && is_same(map, look, vma)) {
		map->seen = look->time;
	} else {
		map = take_map(&at);
		if (!map)
			return 0;
		write_map(map, look, vma);
		remember(look, at);
		bpf_map_update_elem(&pages, &first, &at, BPF_ANY);
	}
	bpf_map_update_elem(&pages, &here, &at, BPF_ANY);
	look->found = true;
	return 0;
}

/* The mapping at this slot, if it was checked less than a second ago. */
static __always_inline struct process_map *map_at(const struct look *look, __u32 at)
{
	struct process_map *map = bpf_map_lookup_elem(&mappings, &at);

	if (!map || map->owner_id != look->owner_id || map->epoch != look->epoch ||
	    look->ip - map->start >= map->len || look->time - map->seen >= AGAIN)
		return 0;
	return map;
}

static __noinline struct process_map *find_recent(const struct look *look,
						  const struct process_task *task)
{
	for (__u32 i = 0; i < PROCESSES_RECENT; i++) {
		__u32 at = task->maps[i];
		struct process_map *map = map_at(look, at);
		struct known_page here = page_of(look, look->ip);

		if (!map)
			continue;
		bpf_map_update_elem(&pages, &here, &at, BPF_ANY);
		return map;
	}
	return 0;
}

/*
 * Asks the kernel for a mapping. It costs some microseconds: to unlock the mappings the kernel has
 * to interrupt itself again. If a caller has no frame pointer, the unwinder may return words that
 * are no return addresses, and no mapping has them. So after each failure the next question is
 * delayed twice as long, up to 64 samples. The innermost frame is always code: it is asked for
 * immediately, but not again within the second.
 */
static __always_inline void ask_mapping(struct look *look, bool innermost,
					struct pinned_cursor *cursor)
{
	struct known_page here = page_of(look, look->ip);
	__u32 nothing = NOTHING_AT(look->time);

	if (!innermost && cursor->samples < cursor->ask_at)
		return;
	bpf_find_vma(bpf_get_current_task_btf(), look->ip, take_vma, look, 0);
	if (look->found) {
		cursor->wait /= 2;
		return;
	}
	bpf_map_update_elem(&pages, &here, &nothing, BPF_ANY);
	cursor->wait = cursor->wait ? cursor->wait * 2 : 1;
	if (cursor->wait > WAIT_MOST)
		cursor->wait = WAIT_MOST;
	cursor->ask_at = cursor->samples + cursor->wait;
}

/* Asks for the build-id. Frame number @nr of the user's stack is in the mapping. */
static __always_inline void ask_build_id(void *ctx, struct process_map *map, __u32 nr)
{
	struct stack_build_id got = { 0 };

	map->state |= PROCESS_MAP_ASKED;
	if (nr > SKIP_MOST ||
	    bpf_get_stack(ctx, &got, sizeof(got), nr | USER_STACK | BUILD_ID) < (long)sizeof(got) ||
	    got.status != ID_VALID)
		return;
	begin_change(&map->changes);
	__builtin_memcpy(map->build_id, got.id, sizeof(got.id));
	map->build_id_size = sizeof(got.id);
	end_change(&map->changes);
}

/* False: no more questions in this interrupt. */
static __always_inline bool look_at_frame(void *ctx, struct look *look, __u32 nr,
					  const struct process_task *task,
					  struct pinned_cursor *cursor)
{
	struct known_page here = page_of(look, look->ip);
	__u32 *at = bpf_map_lookup_elem(&pages, &here);
	struct process_map *map;

	if (at && *at == NOTHING_AT(look->time))
		return true;
	map = at ? map_at(look, *at) : 0;
	if (!map)
		map = find_recent(look, task);
	if (!map) {
		ask_mapping(look, !nr, cursor);
		return false;
	}
	if (map->state & PROCESS_MAP_ASKED)
		return true;
	ask_build_id(ctx, map, nr);
	return false;
}

/*
 * Looks at the innermost of @nr frames of the user's stack, and at some others: each sample
 * continues with the next ones.
 */
static __always_inline void look_at_frames(void *ctx, const __u64 *ips, __u64 nr, __u64 time,
					   struct pinned_cursor *cursor)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32, at;
	struct process_task *task = find(pid, &at);
	struct look look = { .time = time, .pid = pid };

	/*
	 * An exiting thread is sampled until its memory is freed, but its end is not reported
	 * again.
	 */
	if (!task && !(bpf_get_current_task_btf()->flags & PF_EXITING) && new_task(pid, pid, 0))
		task = find(pid, &at);
	if (!task || !nr)
		return;
	look.owner = at;
	look.owner_id = task->id;
	look.epoch = task->execs;
	look.began = task->began;
	cursor->samples++;
	for (__u32 i = 0; i < FRAMES_EACH; i++) {
		__u64 frame = i ? cursor->frame++ % nr : 0;

		barrier_var(frame); /* the verifier does not know the range of a remainder */
		if (frame >= PINNED_USER_IPS)
			return;
		look.ip = ips[frame];
		if (look.ip && !look_at_frame(ctx, &look, frame, task, cursor))
			return;
	}
}

#endif
