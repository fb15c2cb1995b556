/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What existed when: which thread was this, what was its name, what was mapped there?
 *
 * The machine is told the records that change threads, names, maps, namespaces, cgroups
 * and kernel code, and remembers them as versions by time. A look-up says for which time
 * it asks, so samples can be taken in any order and by several threads. It leaves what is
 * inside a mapped file to dso/, and what a sample says to resolve/.
 *
 *	machine_apply(m, event);	every event, in the order of the file
 *	machine_seal(m);		takes in what was applied since the last time
 *	machine_thread(m, ...)		look-ups, from any thread until the next apply
 *
 * A seekable file is applied whole and sealed once: its records may come in any order of
 * time. A stream applies and seals as it goes, in order of time, and asks in between.
 *
 * Records without a time (time 0, made by the recorder from /proc) come before all others.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/types.h"
#include "dso/dso.h"

struct event;
struct machine;

/* One life of a tid: from its fork (or the first that is heard of it) to its end. */
struct thread {
	u32 id; /* dense from 0; of threads that no record spoke of, from 1 << 31 */
	u32 pid;
	u32 tid;
	u32 ppid;  /* of the process that forked it, ~0 when not known */
	u64 start; /* time of the fork, 0 when it is older than the recording */
	u64 end;   /* time of the exit, ~0 when there was none */
};

/* A mapping as its record stated it; where a later one overlaps, that one counts. */
struct map {
	u64 start, end; /* va, end exclusive */
	u64 pgoff;	/* the foff of start */
	u64 time;	/* from when on; 0: from the start */
	struct dso *dso;
	u64 ino, ino_generation;
	u32 maj, min;
	u32 prot, flags; /* PROT_*, MAP_*; an MMAP record gives PROT_EXEC alone or 0 */
	u32 id;		 /* dense from 0 */
	u32 pid;	 /* of the process that made it */
	bool data;	 /* mapped for data, not for execution */
	bool kernel;	 /* of the kernel's half: file offsets mean nothing */
	bool identity;	 /* vaddr is va: memory without a file, kernel code by KSYMBOL */
};

/* Where an address was found. */
struct mapped {
	const struct map *map; /* NULL: nowhere */
	struct dso *dso;       /* NULL: nowhere ("[unknown]") */
	u64 va;
	/* Times for which the answer is known to hold, @to excluded; none when they are equal.
	 * Filled where the asker has hits; over when the machine takes in another event. */
	u64 from, to;
	char level; /* as perf shows it: k kernel, '.' user, g guest kernel, u guest user, H */
};

#define MACHINE_THREAD_HITS 64u

/*
 * The last answers that one caller got. Samples come in runs, so this saves most searches. Zero it
 * before first use; have one per calling thread. Callers may read for which times and addresses an
 * answer holds, but not change it: see `user` if the map that was found is a user map, else
 * `kernel`.
 */
struct machine_hits {
	u64 generation; /* of the machine, to see that it has changed since */
	struct machine_thread_hit {
		const struct thread *thread;
		u32 pid, tid;
		u64 from, to;		/* times */
	} threads[MACHINE_THREAD_HITS]; /* by the low bits of tid */
	struct machine_hit {
		const void *space;
		u32 pid;
		u64 from, to; /* times for which space is the process's */
		const struct map *map;
		u64 start, end, since; /* addresses of map, and the time that it begins */
	} user, kernel;
};

struct namespace_link {
	u64 dev, ino;
};

struct machine *machine_new(struct dsos *dsos);
void machine_free(struct machine *m);

/* Takes what concerns the machine out of @event; everything is copied. */
void machine_apply(struct machine *m, const struct event *event);
void machine_seal(struct machine *m);

struct dsos *machine_dsos(const struct machine *m);
/* After dsos_join() of its dsos, and before any look-up. */
void machine_join_dsos(struct machine *m);

/*
 * The thread that had @tid at @time; never NULL: one that no record spoke of is entered
 * with the name ":TID". Where its pid is not known, (u32)-1. @hits may be NULL.
 */
const struct thread *machine_thread(struct machine *m, u32 pid, u32 tid, u64 time,
				    struct machine_hits *hits);

/* Those that records spoke of; the swapper (pid 0) is number 0. */
u32 machine_nr_threads(const struct machine *m);
const struct thread *machine_thread_at(const struct machine *m, u32 id);

/*
 * Name of @thread at @time: "swapper" for tid 0, ":TID" before any record named it.
 * Equal names have equal pointers; they live as long as the machine.
 */
const char *machine_comm(struct machine *m, const struct thread *thread, u64 time);
/* The first name that any record gives it, or NULL. */
const char *machine_first_comm(const struct thread *thread);

/*
 * Narrows [*@from, *@to), which contains @time, to the times in which every look-up of @number
 * gives the same answer as at @time. For a pid: the maps of the process and of the kernel. For a
 * tid: its thread, names and namespaces.
 */
void machine_window(const struct machine *m, u32 number, u64 time, u64 *from, u64 *to);

/* The same where only the code matters that the process has mapped: data may come and go. */
void machine_code_window(const struct machine *m, u32 pid, u64 time, u64 *from, u64 *to);

/*
 * What is at @va for @thread at @time, in the mode of PERF_RECORD_MISC_CPUMODE_MASK:
 * kernel addresses among the kernel's maps, user addresses in the process's; guests and
 * the hypervisor nowhere. Always fills @out (level too); false: nowhere.
 */
bool machine_find(struct machine *m, const struct thread *thread, u8 cpumode, u64 va, u64 time,
		  struct mapped *out, struct machine_hits *hits);

/* As machine_find() where the mode is not known (branch targets, data addresses). */
bool machine_find_any(struct machine *m, const struct thread *thread, u8 cpumode, u64 va, u64 time,
		      struct mapped *out, struct machine_hits *hits);

/* Is @va an address of the kernel's half? */
bool machine_is_kernel_va(const struct machine *m, u64 va);

/* Offset in the dso's file of a found address. */
u64 mapped_foff(const struct mapped *at);
/* Its vaddr (opens the dso when it is the first); false: the file is absent. */
bool mapped_vaddr(const struct mapped *at, u64 *vaddr);
/* The va in this mapping of a vaddr in its dso (a symbol's start, say). */
u64 mapped_va_of(const struct mapped *at, u64 vaddr);

/*
 * Threads on a CPU at @time by the file's switch records; can be 0 or less where records of
 * them are missing. 1 where there are none at all.
 */
s64 machine_running(const struct machine *m, u64 time);

/* All maps of the process of @thread that counted at @time, in order of address. */
void machine_each_map(struct machine *m, const struct thread *thread, u64 time,
		      void (*fn)(const struct map *map, u64 start, u64 end, void *arg), void *arg);
/* The same for the kernel's. */
void machine_each_kernel_map(struct machine *m, u64 time,
			     void (*fn)(const struct map *map, u64 start, u64 end, void *arg),
			     void *arg);

/* Path of the cgroup with that id as a CGROUP record gave it, or NULL. */
const char *machine_cgroup(const struct machine *m, u64 id);

/* The thread's namespaces at @time: *@nr of them, by the kernel's index; NULL: no record. */
const struct namespace_link *machine_namespaces(const struct machine *m,
						const struct thread *thread, u64 time, u32 *nr);

#endif
