// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Look-ups. They do not change the machine, with one exception: a thread without any record is added, under a lock.
 */
#include <string.h>

#include "machine/private.h"
#include "perfdata/abi.h"

/* Ids of threads that look-ups add start here. */
#define LATE_ID (1u << 31)

static const struct life *life_of(const struct thread *thread)
{
	return container_of(thread, struct life, public);
}

static const struct thread *late_thread(struct machine *m, u32 pid, u32 tid)
{
	u64 key = (u64)pid << 32 | tid;
	struct life *life;

	pthread_mutex_lock(&m->late_lock);
	life = g_hash_table_lookup(m->late, &key);
	if (!life) {
		g_autofree char *name = g_strdup_printf(":%d", (s32)tid);
		struct comm_version v = { 0, intern_text(m->texts, intern_id(m->texts, name)) };

		life = life_new(pid, tid, 0);
		life->public.id = LATE_ID + m->late_lives->len;
		life->comms = g_array_new(FALSE, FALSE, sizeof(v));
		g_array_append_val(life->comms, v);
		g_hash_table_insert(m->late, g_memdup2(&key, sizeof(key)), life);
		g_ptr_array_add(m->late_lives, life);
	}
	pthread_mutex_unlock(&m->late_lock);
	return &life->public;
}

static void check_hits(const struct machine *m, struct machine_hits *hits)
{
	if (hits->generation == m->generation)
		return;
	memset(hits, 0, sizeof(*hits));
	hits->generation = m->generation;
}

const struct thread *machine_thread(struct machine *m, u32 pid, u32 tid, u64 time,
				    struct machine_hits *hits)
{
	struct machine_thread_hit *hit = NULL;
	const struct thread *thread;
	struct life *life;
	u64 to;

	if (hits) {
		check_hits(m, hits);
		hit = &hits->threads[tid % MACHINE_THREAD_HITS];
		if (hit->thread && hit->tid == tid && hit->pid == pid && time >= hit->from &&
		    time < hit->to)
			return hit->thread;
	}
	life = machine_life(m, pid, tid, time, &to);
	thread = life ? &life->public : late_thread(m, pid, tid);
	if (hit)
		*hit = (struct machine_thread_hit){ thread, pid, tid, life ? thread->start : time,
						    life ? to : time + 1 };
	return thread;
}

u32 machine_nr_threads(const struct machine *m)
{
	return m->lives->len;
}

const struct thread *machine_thread_at(const struct machine *m, u32 id)
{
	struct life *life = id < m->lives->len ? g_ptr_array_index(m->lives, id) : NULL;

	return life ? &life->public : NULL;
}

const char *machine_comm(struct machine *m, const struct thread *thread, u64 time)
{
	const char *name = life_comm(life_of(thread), time);

	return name ?: machine_comm(m, late_thread(m, thread->pid, thread->tid), time);
}

void machine_window(const struct machine *m, u32 number, u64 time, u64 *from, u64 *to)
{
	changes_window(m->changes, number, time, from, to);
}

void machine_code_window(const struct machine *m, u32 pid, u64 time, u64 *from, u64 *to)
{
	changes_window(m->code_changes, pid, time, from, to);
}

const char *machine_first_comm(const struct thread *thread)
{
	const struct life *life = life_of(thread);

	return life->comms ? g_array_index(life->comms, struct comm_version, 0).text : NULL;
}

/* The address space of the process. It is cached in @hit. */
static const struct space *user_space(const struct machine *m, u32 pid, u64 time,
				      struct machine_hit *hit)
{
	const struct space *space;
	u64 to;

	if (hit && hit->space && hit->pid == pid && time >= hit->from && time < hit->to)
		return hit->space;
	space = process_space(machine_process(m, pid), time, &to);
	if (hit) {
		*hit = (struct machine_hit){
			.space = space, .pid = pid, .from = space ? space_start(space) : 0, .to = to
		};
	}
	return space;
}

static void look_up(const struct space *space, u64 time, struct machine_hit *hit,
		    struct mapped *out)
{
	struct space_hit found;

	if (hit && hit->map && out->va >= hit->start && out->va < hit->end && time >= hit->since) {
		out->map = hit->map;
		out->from = MAX(hit->from, hit->since);
		out->to = hit->to;
		return;
	}
	found = space_find(space, out->va, time);
	out->map = found.map;
	if (!hit || !found.lasting)
		return;
	out->from = MAX(hit->from, found.from);
	out->to = hit->to;
	if (!found.map)
		return;
	hit->map = found.map;
	hit->start = found.start;
	hit->end = found.end;
	hit->since = found.from;
}

bool machine_find(struct machine *m, const struct thread *thread, u8 cpumode, u64 va, u64 time,
		  struct mapped *out, struct machine_hits *hits)
{
	const struct space *space = NULL;
	struct machine_hit *hit = NULL;

	*out = (struct mapped){ .va = va, .level = 'H' };
	if (hits)
		check_hits(m, hits);
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		out->level = 'k';
		space = m->kernel;
		hit = hits ? &hits->kernel : NULL;
		if (hit)
			hit->to = UINT64_MAX;
		break;
	case PERF_RECORD_MISC_USER:
		out->level = '.';
		hit = hits ? &hits->user : NULL;
		space = user_space(m, thread->pid, time, hit);
		break;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		out->level = 'g';
		break;
	case PERF_RECORD_MISC_GUEST_USER:
		out->level = 'u';
		break;
	}
	if (!space)
		return false;
	look_up(space, time, hit, out);
	if (out->map)
		out->dso = out->map->dso;
	return out->map;
}

bool machine_find_any(struct machine *m, const struct thread *thread, u8 cpumode, u64 va, u64 time,
		      struct mapped *out, struct machine_hits *hits)
{
	bool kernel = machine_is_kernel_va(m, va);
	struct mapped first;

	if (machine_find(m, thread, kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, va,
			 time, &first, hits)) {
		*out = first;
		return true;
	}
	machine_find(m, thread, cpumode, va, time, out, hits);
	out->from = MAX(out->from, first.from);
	out->to = MAX(MIN(out->to, first.to), out->from);
	return out->map;
}

bool machine_is_kernel_va(const struct machine *m, u64 va)
{
	return va >= m->kernel_start;
}

void machine_each_map(struct machine *m, const struct thread *thread, u64 time,
		      void (*fn)(const struct map *map, u64 start, u64 end, void *arg), void *arg)
{
	u64 to;
	const struct space *space = process_space(machine_process(m, thread->pid), time, &to);

	if (space)
		space_each(space, time, fn, arg);
}

const char *machine_cgroup(const struct machine *m, u64 id)
{
	return g_hash_table_lookup(m->cgroups, &id);
}

const struct namespace_link *machine_namespaces(const struct machine *m,
						const struct thread *thread, u64 time, u32 *nr)
{
	const struct life *life = life_of(thread);

	*nr = 0;
	for (u32 i = life->namespaces ? life->namespaces->len : 0; i--;) {
		const struct namespaces_version *v =
			&g_array_index(life->namespaces, struct namespaces_version, i);

		if (v->time <= time) {
			*nr = v->nr;
			return v->links;
		}
	}
	return NULL;
}
