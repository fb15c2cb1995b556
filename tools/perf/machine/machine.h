/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * History of threads, names and maps: which thread was this, what was its name, what was mapped there?
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
#include "perfdata/info.h"

struct event;
struct machine;

/* One life of a tid: from its fork (or its first record) to its exit. */
struct thread {
	u32 id; /* dense from 0; for threads without records, from 1 << 31 */
	u32 pid;
	u32 tid;
	u32 ppid;  /* of the process that forked it; ~0: unknown */
	u64 start; /* time of the fork; 0: before the recording */
	u64 end;   /* time of the exit; ~0: none */
};

/* A mapping as in its record; if a later one overlaps, the later one counts. */
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
	bool kernel;	 /* in the kernel's half: it has no valid file offsets */
	bool identity;	 /* vaddr is va: memory without a file, kernel code by KSYMBOL */
};

/* The map and the dso of an address. */
struct mapped {
	const struct map *map; /* NULL: nowhere */
	struct dso *dso;       /* NULL: nowhere ("[unknown]") */
	u64 va;
	/*
	 * Time range in which the answer is valid, @to exclusive; empty if both are equal. Filled only if the caller
	 * passes hits. Invalid after the machine gets another event.
	 */
	u64 from, to;
	char level; /* perf's letter: k kernel, '.' user, g guest kernel, u guest user, H */
};

#define MACHINE_THREAD_HITS 64u

/*
 * A cache of one caller's last answers. Samples come in runs, so it saves most searches. Zero it before first use;
 * each thread needs its own. Callers may read the time and address ranges of an answer, but not change them: `user`
 * if the found map is a user map, else `kernel`.
 */
struct machine_hits {
	u64 generation; /* of the machine, to detect changes */
	struct machine_thread_hit {
		const struct thread *thread;
		u32 pid, tid;
		u64 from, to;		/* times */
	} threads[MACHINE_THREAD_HITS]; /* by the low bits of tid */
	struct machine_hit {
		const void *space;
		u32 pid;
		u64 from, to; /* time range in which space is the process's */
		const struct map *map;
		u64 start, end, since; /* addresses of map, and its start time */
	} user, kernel;
};

struct namespace_link {
	u64 dev, ino;
};

struct machine *machine_new(struct dsos *dsos);
void machine_free(struct machine *m);

/* The notes about files without a build-id ("perfdata/contents.h"). They come before the records of mappings. */
void machine_know_contents(struct machine *m, const struct perfdata_info *info);

/* Adds the changes in @event to the machine; copies everything. */
void machine_apply(struct machine *m, const struct event *event);
void machine_seal(struct machine *m);

struct dsos *machine_dsos(const struct machine *m);
/* Call it after dsos_join() of its dsos, and before any look-up. */
void machine_join_dsos(struct machine *m);

/*
 * The thread with @tid at @time; never NULL: a thread without records is added with the name ":TID", and pid (u32)-1
 * if it is unknown. @hits may be NULL.
 */
const struct thread *machine_thread(struct machine *m, u32 pid, u32 tid, u64 time,
				    struct machine_hits *hits);

/* The threads with records; the swapper (pid 0) is number 0. */
u32 machine_nr_threads(const struct machine *m);
const struct thread *machine_thread_at(const struct machine *m, u32 id);

/*
 * Name of @thread at @time: "swapper" for tid 0, ":TID" before any record has named it. Equal names have equal
 * pointers, which are valid as long as the machine.
 */
const char *machine_comm(struct machine *m, const struct thread *thread, u64 time);
/* The first name in any record, or NULL. */
const char *machine_first_comm(const struct thread *thread);

/*
 * Narrows [*@from, *@to), which contains @time, to the times in which every look-up of @number
 * gives the same answer as at @time. For a pid: the maps of the process and of the kernel. For a
 * tid: its thread, names and namespaces.
 */
void machine_window(const struct machine *m, u32 number, u64 time, u64 *from, u64 *to);

/* The same for the mapped code only: data may change. */
void machine_code_window(const struct machine *m, u32 pid, u64 time, u64 *from, u64 *to);

/*
 * Finds the mapping at @va for @thread at @time, in the mode of PERF_RECORD_MISC_CPUMODE_MASK: kernel addresses in
 * the kernel's maps, user addresses in the process's maps; none for guests and the hypervisor. Always fills @out
 * (level too); false: there is none.
 */
bool machine_find(struct machine *m, const struct thread *thread, u8 cpumode, u64 va, u64 time,
		  struct mapped *out, struct machine_hits *hits);

/* Like machine_find(), if the mode is unknown (branch targets, data addresses). */
bool machine_find_any(struct machine *m, const struct thread *thread, u8 cpumode, u64 va, u64 time,
		      struct mapped *out, struct machine_hits *hits);

/* True if @va is in the kernel's half. */
bool machine_is_kernel_va(const struct machine *m, u64 va);

/* File offset in the dso of a found address. */
u64 mapped_foff(const struct mapped *at);
/* Its vaddr (opens the dso if needed); false: the file is missing. */
bool mapped_vaddr(const struct mapped *at, u64 *vaddr);

/*
 * Number of threads on a CPU at @time by the file's switch records. It may be 0 or less if records are missing; 1 if
 * there are no switch records.
 */
s64 machine_running(const struct machine *m, u64 time);

/* All maps of the process of @thread that are valid at @time, in order of address. */
void machine_each_map(struct machine *m, const struct thread *thread, u64 time,
		      void (*fn)(const struct map *map, u64 start, u64 end, void *arg), void *arg);

/* Path of the cgroup with this id from its CGROUP record, or NULL. */
const char *machine_cgroup(const struct machine *m, u64 id);

/* The thread's namespaces at @time: *@nr of them, by the kernel's index; NULL: no record. */
const struct namespace_link *machine_namespaces(const struct machine *m,
						const struct thread *thread, u64 time, u32 *nr);

#endif
