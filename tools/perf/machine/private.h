/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the sources of this folder. Nobody else includes this. */
#ifndef MACHINE_PRIVATE_H
#define MACHINE_PRIVATE_H

#include <glib.h>
#include <pthread.h>

#include "base/intern.h"
#include "machine/changes.h"
#include "machine/machine.h"
#include "machine/space.h"
#include "perfdata/event.h"

struct comm_version {
	u64 time;
	const char *text; /* interned */
};

struct namespaces_version {
	u64 time;
	u32 nr;
	struct namespace_link *links;
};

/* A thread and its history; public is what others see. */
struct life {
	struct thread public;
	GArray *comms;	    /* struct comm_version by time; NULL: never named */
	GArray *namespaces; /* struct namespaces_version by time, or NULL */
};

struct lives {
	GArray *ids; /* u32, in order of start */
};

struct process {
	u32 pid;
	GPtrArray *spaces; /* struct space *, in order of start */
};

/*
 * A record that changes something, until machine_seal(). The facts of mappings are their struct map:
 * those from nr_maps_sealed on are not yet taken in.
 */
struct fact {
	u64 time;
	u32 seq;     /* among facts */
	u32 nr_maps; /* that came before it */
	u32 type;    /* PERF_RECORD_* */
	u32 pid, tid, ppid, ptid;
	bool exec; /* COMM: by exec; FORK: inherits no maps */
	union {
		const char *text;
		struct {
			u32 nr;
			struct namespace_link *links;
		} namespaces;
		struct {
			u64 start, end;
		} range; /* KSYMBOL: where one ends */
	};
};

#define MAPS_PER_BLOCK 512

struct machine {
	struct dsos *dsos;
	GHashTable *contents; /* contents_file() -> struct build_id *: files without a build-id */
	struct intern *texts;
	u64 generation;
	GArray *facts; /* struct fact, not yet sealed */
	u32 seq;

	GPtrArray *map_blocks; /* struct map[MAPS_PER_BLOCK] */
	u32 nr_maps, nr_maps_sealed;
	GPtrArray *lives;      /* id -> struct life * */
	GHashTable *tids;      /* tid -> struct lives * */
	GHashTable *processes; /* pid -> struct process * */
	GHashTable *touched;   /* struct space *: a set, to be sealed */
	struct space *last_touched;
	struct space *kernel;
	struct changes *changes;      /* of all that look-ups answer by time */
	struct changes *code_changes; /* of code that is mapped in processes */
	u64 kernel_start;
	GHashTable *cgroups; /* u64 * -> text */
	GArray *running;     /* struct running, running.c */
	u32 nr_running_sealed;

	pthread_mutex_t late_lock; /* for what look-ups enter: threads that no record spoke of */
	GHashTable *late;	   /* u64 (pid, tid) * -> struct life * */
	GPtrArray *late_lives;
};

/* The time from which on @event counts. */
static inline u64 machine_time_of(const struct event *event)
{
	/* Records of the end, made up by the recorder, carry the largest time there is. */
	return event->id.time == UINT64_MAX ? 0 : event->id.time;
}

/* maps.c: enters the map that an MMAP, MMAP2 or KSYMBOL record states, with its dso. */
void machine_apply_mmap(struct machine *m, const struct event *event);
void machine_apply_ksymbol(struct machine *m, const struct event *event);
struct map *machine_map_at(const struct machine *m, u32 id);

/* machine.c: from @f, from @map on things are otherwise; called in order of time. */
void machine_take_fact(struct machine *m, const struct fact *f);
void machine_take_map(struct machine *m, const struct map *map);

/* From @time on @level threads run, @change more than before. */
struct running {
	u64 time;
	s32 change;
	s64 level;
};

/* running.c: at @time one thread more (@change 1) or less (-1) is on a CPU. */
void machine_note_switch(struct machine *m, u64 time, s32 change);
void machine_seal_running(struct machine *m);

struct process *machine_process(const struct machine *m, u32 pid);
/* The space of @process at @time, and in @to the start of the next; NULL: none. */
struct space *process_space(const struct process *process, u64 time, u64 *to);

struct life *life_new(u32 pid, u32 tid, u64 start);
/* The thread's name at @time, NULL: it had none yet. */
const char *life_comm(const struct life *life, u64 time);
/* The life of @tid that counts at @time, and in @to the start of the next one; @pid
 * (u32)-1 matches any. NULL: none. */
struct life *machine_life(const struct machine *m, u32 pid, u32 tid, u64 time, u64 *to);

#endif
