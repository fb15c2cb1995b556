/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decoded header features: facts about a recording and its host. The reader fills this struct from a file, and
 * perfdata_info_of_host() from /proc and /sys. The writer writes it to a file.
 *
 * A field is meaningful only where its feature is set (perfdata_info_has()).
 */
#ifndef PERFDATA_INFO_H
#define PERFDATA_INFO_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/abi.h"

/* One row of the build-id table. */
struct info_build_id {
	u32 pid;  /* (u32)-1 on the host */
	u16 misc; /* PERF_RECORD_MISC_KERNEL, _USER, ... : whose file it is */
	u8 size;
	u8 build_id[20];
	char *filename;
};

struct info_cpu {
	u32 core, socket, die;
};

struct info_numa_node {
	u32 node;
	u64 total_kb, free_kb;
	char *cpus;
};

struct info_pmu {
	u32 type;
	char *name;
};

struct info_cache {
	u32 level, line_size, sets, ways;
	char *type, *size, *map; /* "Data", "32K", "0-1" */
};

struct info_group {
	char *name;
	u32 leader, nr_members;
};

struct info_mem_node {
	u64 node, nr_blocks; /* nr_blocks: size of the bitmap in bits */
	u64 nr_set;	     /* blocks that are there */
	u64 *bitmap;	     /* ALIGN(nr_blocks, 64) / 64 words */
};

struct info_caps {
	char *pmu;	 /* "" where the file names none (CPU_PMU_CAPS) */
	GPtrArray *caps; /* "name=value" strings */
};

struct info_hybrid {
	char *pmu, *cpus;
};

/* One function of a BPF program, as the kernel compiled it. */
struct info_bpf_func {
	u64 va;
	u32 size;
	u8 tag[8];
	u32 btf_type; /* its BTF_KIND_FUNC in the program's type table; 0: not told */
};

struct info_bpf_prog {
	u32 type, id, btf_id;
	char name[16];
	GArray *funcs; /* struct info_bpf_func, the entry first; none: the file has no addresses */
};

struct info_btf {
	u32 id, size;
	GPtrArray *func_names; /* const char *, by type number; NULL where that is no function */
};

struct info_domain {
	u32 domain;
	char *name, *cpumask, *cpulist;
};

struct info_cpu_domains {
	u32 cpu;
	GPtrArray *domains; /* struct info_domain * */
};

struct info_note {
	char *key, *value;
};

struct perfdata_info {
	u64 features[FEAT_BITS / 64];
	GBytes *raw[FEAT_BITS]; /* a section's bytes as read from a file, or NULL */

	char *hostname, *osrelease, *version, *arch, *cpudesc, *cpuid;
	u32 nrcpus_available, nrcpus_online;
	u64 total_mem_kb;
	char **cmdline;	      /* ends in NULL */
	GPtrArray *build_ids; /* struct info_build_id * */
	GPtrArray *events;    /* struct evsel *: EVENT_DESC's attr, name and ids */
	GPtrArray *groups;    /* struct info_group * */

	GPtrArray *core_siblings, *thread_siblings, *die_siblings; /* char *: "0-1" */
	GArray *cpus; /* struct info_cpu, by CPU number; may be empty */
	bool has_dies;
	GPtrArray *numa;   /* struct info_numa_node * */
	GPtrArray *pmus;   /* struct info_pmu * */
	GPtrArray *caches; /* struct info_cache * */
	u64 mem_block_size;
	GPtrArray *mem_nodes;	/* struct info_mem_node * */
	GPtrArray *caps;	/* struct info_caps *: CPU_PMU_CAPS or PMU_CAPS */
	GPtrArray *hybrid;	/* struct info_hybrid * */
	GPtrArray *cpu_domains; /* struct info_cpu_domains * */
	u32 schedstat_version;
	GPtrArray *bpf_progs; /* struct info_bpf_prog * */
	GPtrArray *btfs;      /* struct info_btf * */

	u64 first_sample_time, last_sample_time; /* ns */
	u64 clockid_res_ns;
	u32 clock_data_clockid;
	u64 clock_data_wall_ns, clock_data_clock_ns; /* the same instant by both clocks */
	u64 dir_version;
	u32 comp_version, comp_type, comp_level, comp_ratio, comp_mmap_len;
	u32 e_machine, e_flags;
	u32 cache_line_size;
	GBytes *tracing_data; /* as libtraceevent reads it */

	/*
	 * Ours: what else is to be said about the recording ("tls.source" -> "bpf"), in the
	 * order it was added. Not a feature of the header's bitmap: see abi.h's extensions.
	 */
	GPtrArray *notes; /* struct info_note * */
};

struct perfdata_info *perfdata_info_new(void);
void perfdata_info_free(struct perfdata_info *info);

/*
 * The host's facts: those of HOSTNAME, OSRELEASE, ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM,
 * CPU_TOPOLOGY, NUMA_TOPOLOGY, PMU_MAPPINGS, CACHE, MEM_TOPOLOGY, CLN_SIZE and E_MACHINE that
 * this machine tells. What it does not tell is not set.
 */
struct perfdata_info *perfdata_info_of_host(void);
/* The same, with what the folders proc and sys in the folder @root tell. For tests. */
struct perfdata_info *perfdata_info_below(const char *root);

bool perfdata_info_has(const struct perfdata_info *info, u32 feature);
void perfdata_info_set(struct perfdata_info *info, u32 feature);

/* out: *@node, the NUMA node of the memory at physical address @phys, by MEM_TOPOLOGY's blocks. False: it is in none, or there are none. */
bool perfdata_info_memory_node(const struct perfdata_info *info, u64 phys, u64 *node);

/* Notes of the same instant by two clocks, as FEAT_CLOCK_DATA has them: decimal numbers. */
#define INFO_NOTE_CLOCK_ID   "clock.id"
#define INFO_NOTE_CLOCK_WALL "clock.wall_ns"
#define INFO_NOTE_CLOCK_TIME "clock.time_ns"
/* Why a detached recording ended, or a copy of it was saved. */
#define INFO_NOTE_REASON "detached.reason"

/* "tls.source" -> "bpf"; NULL when there is no such note. */
const char *perfdata_info_note(const struct perfdata_info *info, const char *key);
void perfdata_info_add_note(struct perfdata_info *info, const char *key, const char *value);

/* Removes all notes of that key. */
void perfdata_info_drop_notes(struct perfdata_info *info, const char *key);

/* Each copies what it is given and sets its feature. */
void perfdata_info_set_cmdline(struct perfdata_info *info, int argc, char *const *argv);
void perfdata_info_add_build_id(struct perfdata_info *info, u32 pid, u16 misc, const void *build_id,
				u8 size, const char *filename);

/* "HOSTNAME", or NULL: as in the header's "missing features" line. */
const char *perfdata_feature_name(u32 feature);

#endif
