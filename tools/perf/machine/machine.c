// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turns records into facts. machine_seal() sorts the facts by time (seal.c) and then applies them in this order to the
 * histories of threads and address spaces.
 */
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/text.h"
#include "machine/private.h"
#include "perfdata/abi.h"

static void lives_free(void *p)
{
	struct lives *l = p;

	g_array_free(l->ids, TRUE);
	g_free(l);
}

static void life_free(void *p)
{
	struct life *life = p;

	if (life->comms)
		g_array_free(life->comms, TRUE);
	for (u32 i = 0; life->namespaces && i < life->namespaces->len; i++)
		g_free(g_array_index(life->namespaces, struct namespaces_version, i).links);
	if (life->namespaces)
		g_array_free(life->namespaces, TRUE);
	g_free(life);
}

static void process_free(void *p)
{
	struct process *process = p;

	g_ptr_array_free(process->spaces, TRUE);
	g_free(process);
}

struct life *life_new(u32 pid, u32 tid, u64 start)
{
	struct life *life = g_new0(struct life, 1);

	life->public = (struct thread){
		.pid = pid, .tid = tid, .ppid = ~0u, .start = start, .end = UINT64_MAX
	};
	return life;
}

static struct life *life_add(struct machine *m, u32 pid, u32 tid, u64 start);
static void life_name(struct machine *m, struct life *life, u64 time, const char *text);

struct machine *machine_new(struct dsos *dsos)
{
	struct machine *m = g_new0(struct machine, 1);

	m->dsos = dsos;
	m->contents = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	m->texts = intern_new();
	m->generation = 1;
	m->facts = g_array_new(FALSE, FALSE, sizeof(struct fact));
	m->running = g_array_new(FALSE, FALSE, sizeof(struct running));
	m->map_blocks = g_ptr_array_new_with_free_func(g_free);
	m->lives = g_ptr_array_new_with_free_func(life_free);
	m->tids = g_hash_table_new_full(NULL, NULL, NULL, lives_free);
	m->processes = g_hash_table_new_full(NULL, NULL, NULL, process_free);
	m->touched = g_hash_table_new(NULL, NULL);
	m->kernel = space_new(0, NULL);
	m->changes = changes_new();
	m->code_changes = changes_new();
	m->kernel_start = 1ULL << 63;
	m->cgroups = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	pthread_mutex_init(&m->late_lock, NULL);
	m->late = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	m->late_lives = g_ptr_array_new_with_free_func(life_free);
	life_name(m, life_add(m, 0, 0, 0), 0, "swapper");
	return m;
}

static void fact_release(struct fact *f)
{
	if (f->type == PERF_RECORD_NAMESPACES)
		g_free(f->namespaces.links);
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	for (u32 i = 0; i < m->facts->len; i++)
		fact_release(&g_array_index(m->facts, struct fact, i));
	g_array_free(m->facts, TRUE);
	g_array_free(m->running, TRUE);
	g_hash_table_destroy(m->contents);
	g_hash_table_destroy(m->tids);
	g_hash_table_destroy(m->processes);
	g_hash_table_destroy(m->cgroups);
	g_hash_table_destroy(m->late);
	g_ptr_array_free(m->late_lives, TRUE);
	g_ptr_array_free(m->lives, TRUE);
	g_hash_table_destroy(m->touched);
	g_ptr_array_free(m->map_blocks, TRUE);
	space_free(m->kernel);
	changes_free(m->changes);
	changes_free(m->code_changes);
	pthread_mutex_destroy(&m->late_lock);
	intern_free(m->texts);
	g_free(m);
}

struct dsos *machine_dsos(const struct machine *m)
{
	return m->dsos;
}

/* Escapes @text for a terminal: a program can choose any name for its threads. */
static const char *text_of(struct machine *m, const char *text)
{
	g_autofree char *shown = text_is_shown(text) ? NULL : text_shown(text);

	text = shown ?: text;
	return intern_text(m->texts, intern_id(m->texts, text));
}

static struct fact *fact_add(struct machine *m, const struct event *event, u32 type)
{
	struct fact f = {
		.time = machine_time_of(event), .seq = m->seq++, .nr_maps = m->nr_maps, .type = type
	};

	g_array_append_val(m->facts, f);
	return &g_array_index(m->facts, struct fact, m->facts->len - 1);
}

static void apply_ksymbol(struct machine *m, const struct event *event)
{
	const struct event_ksymbol *k = &event->ksymbol;
	struct fact *f;

	if (!(k->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER)) {
		machine_apply_ksymbol(m, event);
		return;
	}
	f = fact_add(m, event, PERF_RECORD_KSYMBOL);
	f->range.start = k->addr;
	f->range.end = k->len > UINT64_MAX - k->addr ? UINT64_MAX : k->addr + k->len;
}

static void apply_namespaces(struct machine *m, const struct event *event)
{
	const struct event_namespaces *n = &event->namespaces;
	struct fact *f = fact_add(m, event, PERF_RECORD_NAMESPACES);

	f->pid = n->pid;
	f->tid = n->tid;
	f->namespaces.nr = MIN(n->nr, 64);
	f->namespaces.links = g_new(struct namespace_link, f->namespaces.nr);
	for (u32 i = 0; i < f->namespaces.nr; i++)
		f->namespaces.links[i] =
			(struct namespace_link){ n->links[i].dev, n->links[i].ino };
}

static void apply_task(struct machine *m, const struct event *event)
{
	struct fact *f = fact_add(m, event, event->type);

	f->pid = event->task.pid;
	f->tid = event->task.tid;
	f->ppid = event->task.ppid;
	f->ptid = event->task.ptid;
	f->exec = event->type == PERF_RECORD_FORK && (event->misc & PERF_MISC_FORK_EXEC);
}

/* A record with the kernel's code comes after the record that maps the kernel. */
static void apply_extension(struct machine *m, const struct event *event)
{
	const struct event_kernel_text *text = &event->ext.text;
	struct dso *kernel = dsos_kernel(m->dsos);

	if (event->ext.kind == PERFDATA_EXT_KERNEL_TEXT && kernel)
		dso_add_text(kernel, text->va, text->data, text->size);
}

void machine_apply(struct machine *m, const struct event *event)
{
	struct fact *f;

	switch (event->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		machine_apply_mmap(m, event);
		break;
	case PERF_RECORD_COMM:
		f = fact_add(m, event, PERF_RECORD_COMM);
		f->pid = event->comm.pid;
		f->tid = event->comm.tid;
		f->exec = event->comm.exec;
		f->text = text_of(m, event->comm.text);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		apply_task(m, event);
		if (event->type == PERF_RECORD_EXIT)
			machine_note_switch(m, event->id.time, -1);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		/* The swapper (tid 0) is no thread. While it runs, the CPU is idle. */
		if (event->id.tid)
			machine_note_switch(m, event->id.time, event->sw.out ? -1 : 1);
		break;
	case PERF_RECORD_NAMESPACES:
		apply_namespaces(m, event);
		break;
	case PERF_RECORD_KSYMBOL:
		apply_ksymbol(m, event);
		break;
	case PERF_RECORD_CGROUP:
		g_hash_table_replace(m->cgroups, g_memdup2(&event->cgroup.id, sizeof(u64)),
				     (void *)text_of(m, event->cgroup.path));
		break;
	case PERFDATA_EVENT_TYPE:
		apply_extension(m, event);
		break;
	case PERFDATA_BUILD_ID:
		dsos_know_build_id(m->dsos, event->build_id.filename, event->build_id.build_id,
				   event->build_id.size);
		break;
	}
}

static u64 life_start(const struct machine *m, u32 id)
{
	const struct life *life = g_ptr_array_index(m->lives, id);

	return life->public.start;
}

struct life *machine_life(const struct machine *m, u32 pid, u32 tid, u64 time, u64 *to)
{
	const struct lives *lives = g_hash_table_lookup(m->tids, GUINT_TO_POINTER(tid));
	const u32 *ids = lives ? (const void *)lives->ids->data : NULL;
	u32 from = SEARCH(i, 0, lives ? lives->ids->len : 0, life_start(m, ids[i]) <= time);

	*to = UINT64_MAX;
	if (lives && from < lives->ids->len) {
		const struct life *next =
			g_ptr_array_index(m->lives, g_array_index(lives->ids, u32, from));

		*to = next->public.start;
	}
	if (from) {
		struct life *life =
			g_ptr_array_index(m->lives, g_array_index(lives->ids, u32, from - 1));

		if (life->public.pid == pid || pid == (u32)-1)
			return life;
	}
	return NULL;
}

static struct life *life_add(struct machine *m, u32 pid, u32 tid, u64 start)
{
	struct lives *lives = g_hash_table_lookup(m->tids, GUINT_TO_POINTER(tid));
	struct life *life = life_new(pid, tid, start);

	if (!lives) {
		lives = g_new0(struct lives, 1);
		lives->ids = g_array_new(FALSE, FALSE, sizeof(u32));
		g_hash_table_insert(m->tids, GUINT_TO_POINTER(tid), lives);
	}
	life->public.id = m->lives->len;
	changes_note(m->changes, tid, start);
	g_ptr_array_add(m->lives, life);
	g_array_append_val(lives->ids, life->public.id);
	return life;
}

/* The thread's life at @time. If no fork record exists, the thread is older than the first record about it. */
static struct life *life_get(struct machine *m, u32 pid, u32 tid, u64 time)
{
	u64 to;
	struct life *life = machine_life(m, pid, tid, time, &to);
	bool any = g_hash_table_contains(m->tids, GUINT_TO_POINTER(tid));

	return life ?: life_add(m, pid, tid, any ? time : 0);
}

static void life_name(struct machine *m, struct life *life, u64 time, const char *text)
{
	struct comm_version v = { time, text };

	changes_note(m->changes, life->public.tid, time);

	if (!life->comms)
		life->comms = g_array_new(FALSE, FALSE, sizeof(v));
	g_array_append_val(life->comms, v);
}

static struct process *process_get(struct machine *m, u32 pid)
{
	struct process *process = g_hash_table_lookup(m->processes, GUINT_TO_POINTER(pid));

	if (!process) {
		process = g_new0(struct process, 1);
		process->pid = pid;
		process->spaces = g_ptr_array_new_with_free_func((GDestroyNotify)space_free);
		g_hash_table_insert(m->processes, GUINT_TO_POINTER(pid), process);
	}
	return process;
}

static struct space *process_add(struct machine *m, struct process *process, struct space *space)
{
	g_ptr_array_add(process->spaces, space);
	changes_note(m->changes, process->pid, space_start(space));
	changes_note(m->code_changes, process->pid, space_start(space));
	return space;
}

struct process *machine_process(const struct machine *m, u32 pid)
{
	return g_hash_table_lookup(m->processes, GUINT_TO_POINTER(pid));
}

struct space *process_space(const struct process *process, u64 time, u64 *to)
{
	u32 from = SEARCH(i, 0, process ? process->spaces->len : 0,
			  space_start(g_ptr_array_index(process->spaces, i)) <= time);

	*to = process && from < process->spaces->len
		      ? space_start(g_ptr_array_index(process->spaces, from))
		      : UINT64_MAX;
	return from ? g_ptr_array_index(process->spaces, from - 1) : NULL;
}

/* Notes that @space has changed and must be sealed. Mostly it is the space of the previous record. */
static void touch(struct machine *m, struct space *space)
{
	if (space != m->last_touched)
		g_hash_table_add(m->touched, space);
	m->last_touched = space;
}

/* Puts @map into the kernel's space, valid from @time on. NULL: unmapped. */
static void put_in_kernel(struct machine *m, const struct map *map, u64 start, u64 end, u64 time)
{
	space_add(m->kernel, map, start, end, time);
	changes_note_all(m->changes, time);
	touch(m, m->kernel);
}

void machine_take_map(struct machine *m, const struct map *map)
{
	struct process *process;
	struct space *space;
	u64 to;

	if (map->kernel) {
		if (map->start && map->start < m->kernel_start && dso_kind(map->dso) == DSO_KERNEL)
			m->kernel_start = map->start; /* a 32-bit kernel */
		put_in_kernel(m, map, map->start, map->end, map->time);
		return;
	}
	process = process_get(m, map->pid);
	space = process_space(process, map->time, &to)
			?: process_add(m, process, space_new(0, NULL));
	if (space_add(space, map, map->start, map->end, map->time))
		changes_note(m->code_changes, map->pid, map->time);
	changes_note(m->changes, map->pid, map->time);
	touch(m, space);
}

static void take_comm(struct machine *m, const struct fact *f)
{
	struct life *life = life_get(m, f->pid, f->tid, f->time);

	life_name(m, life, f->time, f->text);
	if (f->exec) {
		struct process *process = process_get(m, f->pid);

		process_add(m, process, space_new(f->time, NULL));
	}
}

const char *life_comm(const struct life *life, u64 time)
{
	const struct comm_version *all = life->comms ? (const void *)life->comms->data : NULL;
	u32 behind = SEARCH(i, 0, all ? life->comms->len : 0, all[i].time <= time);

	return behind ? all[behind - 1].text : NULL;
}

static void take_fork(struct machine *m, const struct fact *f)
{
	struct life *parent = life_get(m, f->ppid, f->ptid, f->time), *life;
	struct process *process;
	const char *name = life_comm(parent, f->time);
	u64 to;

	life = life_add(m, f->pid, f->tid, f->time);
	life->public.ppid = f->ppid;
	if (name)
		life_name(m, life, f->time, name);
	if (f->pid == f->ppid)
		return;
	process = process_get(m, f->pid);
	process_add(m, process,
		    space_new(f->time,
			      f->exec ? NULL
				      : process_space(machine_process(m, f->ppid), f->time, &to)));
}

static void take_namespaces(struct machine *m, const struct fact *f)
{
	struct life *life = life_get(m, f->pid, f->tid, f->time);
	struct namespaces_version v = { f->time, f->namespaces.nr, f->namespaces.links };

	changes_note(m->changes, f->tid, f->time);
	if (!life->namespaces)
		life->namespaces = g_array_new(FALSE, FALSE, sizeof(v));
	g_array_append_val(life->namespaces, v);
}

void machine_take_fact(struct machine *m, const struct fact *f)
{
	struct life *life;
	u64 to;

	switch (f->type) {
	case PERF_RECORD_COMM:
		take_comm(m, f);
		break;
	case PERF_RECORD_FORK:
		take_fork(m, f);
		break;
	case PERF_RECORD_EXIT:
		life = machine_life(m, f->pid, f->tid, f->time, &to);
		if (life)
			life->public.end = f->time;
		break;
	case PERF_RECORD_NAMESPACES:
		take_namespaces(m, f);
		break;
	case PERF_RECORD_KSYMBOL:
		put_in_kernel(m, NULL, f->range.start, f->range.end, f->time);
		break;
	}
}
