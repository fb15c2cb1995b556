/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decoded record of perf.data. A struct event is a view: its pointers point into the record's bytes and are valid
 * as long as these (see reader.h). All numbers are in host byte order; a file of the other byte order is rejected at
 * open.
 *
 * The decoder has checked that every array lies inside the record and that every string ends inside it. It checks no
 * other values: pids, addresses and enumerations are as in the file.
 *
 * Layouts: "enum perf_event_type" in linux/perf_event.h. For the tool's records: what perf writes.
 */
#ifndef PERFDATA_EVENT_H
#define PERFDATA_EVENT_H

#include "base/types.h"
#include "perfdata/abi.h"
#include "perfdata/evsel.h"

#define EVENT_NO_CPU ((u32)-1)
#define EVENT_NO_PID ((u32)-1)

/*
 * The thread, CPU and time of a record: from the sample's own fields, or from the trailer of other records
 * (attr.sample_id_all). Absent fields: pid and tid are EVENT_NO_PID, cpu is EVENT_NO_CPU, others are 0. time is in ns
 * of the recording's clock. If the record has no time (has_time is false), time is 0. But if no event of the file has
 * PERF_SAMPLE_TIME, time is the record's offset, so that records of every file can be sorted by time.
 */
struct sample_id {
	u32 pid, tid, cpu;
	u64 time, id, stream_id;
	bool has_time;
};

/*
 * PERF_SAMPLE_READ and PERF_RECORD_READ: one counter, or the counters of a group in the order in which they were
 * opened.
 */
struct read_value {
	u64 value, id, lost; /* id, lost: 0 if the format does not have them */
};

struct sample_read {
	u64 format;			/* attr.read_format */
	u64 time_enabled, time_running; /* ns, 0 if the format does not have them */
	u64 nr;				/* counters; 0 if the sample has no READ */
	struct read_value one;		/* the only counter, without PERF_FORMAT_GROUP */
	const u64 *group;		/* with it: nr * {value[, id][, lost]} */
};

struct read_value sample_read_at(const struct sample_read *read, u64 i);

struct sample_regs {
	u64 abi;	 /* enum perf_sample_regs_abi; 0 = none, and regs is NULL */
	u64 mask;	 /* from attr: the registers, numbered as in linux's asm/perf_regs.h */
	const u64 *regs; /* one per bit of mask, ascending */
};

struct sample_bytes {
	u64 size; /* reserved bytes; 0: absent */
	const void *data;
	u64 dyn_size; /* the bytes of them that are valid */
};

/*
 * The fields of a sample. If a field's bit is not set in type, the field is 0 or NULL (pid, tid, cpu: see struct
 * sample_id), and period is attr's sample_period, as in upstream perf. If a size or count is 0, its pointer may have
 * any value.
 */
/* A part of the user's stack that is not in user_stack. size 0: none. */
struct sample_more_stack {
	u64 address;
	u64 size;
	const u8 *data;
};

struct sample {
	u64 type; /* attr.sample_type: the fields below that are present */
	u16 misc;
	u64 ip;
	u32 pid, tid, cpu;
	u64 time, addr, id, stream_id, period;
	struct sample_read read;

	u64 nr_ips;
	const u64 *ips; /* call chain, innermost first, with PERF_CONTEXT_* markers */

	u32 raw_size;
	const void *raw;

	u64 nr_branches; /* newest first */
	u64 hw_idx;	 /* (u64)-1 if not known */
	const struct perf_branch_entry *branches;
	const u64 *branch_counters; /* one per branch, or NULL (PERF_SAMPLE_BRANCH_COUNTERS) */

	struct sample_regs user_regs, intr_regs;
	struct sample_bytes user_stack;	     /* starts at the stack pointer */
	struct sample_more_stack more_stack; /* no field of the kernel's: perfdata/more_stack.h */

	u64 weight;		  /* all 64 bits, or var1 of WEIGHT_STRUCT */
	u16 ins_lat, p_stage_cyc; /* var2, var3 of WEIGHT_STRUCT */
	u64 data_src;		  /* union perf_mem_data_src */
	u64 transaction, phys_addr, cgroup;
	u64 data_page_size, code_page_size; /* bytes */
	struct sample_bytes tls;	    /* ends at the thread pointer: data + size */
	struct sample_bytes aux;	    /* dyn_size unused */
};

/*
 * MMAP and MMAP2. For MMAP, prot is PROT_EXEC unless PERF_MISC_MMAP_DATA is set, and there is no inode. The event's
 * misc has PERF_RECORD_MISC_MMAP_BUILD_ID only if there is a build-id. The misc of the raw record may have this bit
 * wrongly.
 */
struct event_mmap {
	u32 pid, tid;
	u64 start, len, pgoff; /* pgoff in bytes */
	u32 prot, flags;
	u32 maj, min;
	u64 ino, ino_generation;
	u8 build_id[20];
	u8 build_id_size;
	bool has_inode, has_build_id;
	const char *filename;
};

struct event_comm {
	u32 pid, tid;
	const char *text;
	bool exec;
};

/* FORK and EXIT. */
struct event_task {
	u32 pid, ppid, tid, ptid;
	u64 time;
};

struct event_lost {
	u64 id, lost; /* LOST_SAMPLES: id is from the trailer */
};

struct event_throttle {
	u64 time, id, stream_id;
};

struct event_read {
	u32 pid, tid;
	struct sample_read value;
};

struct event_aux {
	u64 offset, size, flags;
};

struct event_switch {
	bool out, preempt;	  /* out: the task leaves the CPU; preempt: it is still runnable */
	u32 other_pid, other_tid; /* SWITCH_CPU_WIDE: the next thread (out), or the previous one */
};

struct event_namespaces {
	u32 pid, tid;
	u64 nr;
	const struct perf_ns_link_info *links; /* nr * {dev, ino}, by NET_NS_INDEX.. */
};

struct event_ksymbol {
	u64 addr;
	u32 len;
	u16 type;  /* enum perf_record_ksymbol_type */
	u16 flags; /* PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER */
	const char *name;
};

struct event_bpf {
	u16 type, flags; /* enum perf_bpf_event_type */
	u32 id;
	const u8 *tag; /* 8 bytes */
};

struct event_cgroup {
	u64 id;
	const char *path;
};

struct event_text_poke {
	u64 addr;
	u16 old_len, new_len;
	const u8 *old_bytes, *new_bytes;
};

struct event_callchain_deferred {
	u64 cookie, nr;
	const u64 *ips;
};

struct event_build_id {
	u32 pid; /* EVENT_NO_PID for the host's kernel and files, as upstream writes it */
	u8 build_id[20];
	u8 size; /* 20 unless the record states fewer */
	const char *filename;
};

struct event_id_index {
	u64 nr;
	const u64 *entries; /* nr * {id, idx, cpu, tid} */
};

struct event_auxtrace {
	u64 size; /* of the skipped payload that follows the record */
	u64 offset, reference;
	u32 idx, tid, cpu;
};

struct event_auxtrace_error {
	u32 type, code, cpu, pid, tid, fmt;
	u64 ip, time;
	const char *msg; /* at most 63 characters */
};

struct event_thread_map {
	u64 nr;
	const u8 *entries; /* nr * {u64 pid; char comm[16]} */
};

struct event_cpu_map {
	u16 kind;	  /* enum perfdata_cpu_map */
	u32 nr;		  /* CPUS: entries; MASK: words; RANGE: 0 */
	const void *data; /* CPUS: u16[nr]; MASK: words of word_size bytes; not aligned */
	u16 word_size;
	u16 range_start, range_end; /* RANGE, both inclusive */
	bool any_cpu;		    /* RANGE: CPU -1 is included, too */
};

struct event_update {
	u64 type; /* enum perfdata_event_update */
	u64 id;
	const char *text; /* UNIT, NAME */
	double scale;	  /* SCALE */
	struct event_cpu_map cpus;
};

struct event_time_conv {
	u64 shift, mult, zero;
	u64 cycles, mask;
	bool cap_zero, cap_short;
};

struct event_stat {
	u64 id;
	u32 cpu, thread;
	u64 value, enabled, running;
};

/* A record or section whose content is not decoded here. */
struct event_payload {
	u64 id; /* FEATURE: its number */
	const void *data;
	u64 size;
};

/*
 * PERFDATA_EXT_TLS_LAYOUT: from `time` on, the location of the thread-local bytes that are shown as the activity of the
 * threads of process `pid`. The payload in the file, little-endian:
 *
 *   u32 pid; u32 state; u64 time; s64 tp_offset; u32 size; u32 kind; three strings that
 *   end in NUL: layout, symbol, object; u8 publisher; u8 where; u8 framed; u8 fresh; u16 mark
 *
 * A later record for the same pid and publisher replaces this one. A record with state GONE ends all layouts of the
 * process. The recorder writes such records also for a forked child, and it writes GONE for an exec and for the end of
 * the process. More is in Documentation/formats/perf-data-extensions.md. In files of the first version the payload ends
 * after the strings: publisher is 0, the bytes are in the window, and there is no frame. Files of the next version have
 * no mark.
 */
struct event_tls_layout {
	u32 pid;
	u32 state; /* 0: tp_offset is valid; else the reason why not: enum activity_layout_state */
	u64 time;
	s64 tp_offset;	    /* of the bytes, from the thread pointer; negative on x86-64 */
	u32 size;	    /* bytes */
	u32 kind;	    /* the format of the bytes: enum activity_format */
	const char *layout; /* as the user wrote it: "activity", "req_id:0:8:hex" */
	const char *symbol; /* the variable, or "" */
	const char *object; /* path of the ELF file that defines the variable, or "" */
	u32 publisher;	    /* its number in the process */
	u32 where;	    /* enum activity_where */
	bool framed;	    /* the samples have a frame in front of the window */
	bool fresh;	    /* samples without bytes may be older than this layout */
	u32 mark; /* of the location, 16 bits: frame entries have the same mark; 0: not stated */
};

/*
 * PERFDATA_EXT_PROCESS: facts that process `pid` publishes about itself, valid from `time` on:
 *
 *   u32 pid; u32 form; u64 time; u32 size; u32 zero; size bytes
 */
struct event_process_facts {
	u32 pid;
	u32 form; /* enum activity_process_form */
	u64 time;
	u32 size;
	const void *data;
};

/*
 * PERFDATA_EXT_PASS: statistics of one pass over all threads (record --wall) at `time`:
 *
 *   u64 time; u32 seen, looked, skipped, lost, faults, took; u64 asleep, estimated (the last two not in older files)
 */
struct event_wall_pass {
	u64 time;
	u32 seen;    /* threads to record */
	u32 looked;  /* threads that had new data */
	u32 skipped; /* threads that are not recorded */
	u32 lost;    /* threads that did not fit into the buffer */
	u32 faults;  /* reads that failed */
	u32 took;    /* ns */
	/*
	 * Since the pass before, of all threads: ns asleep; and those of them that may have been at another place than
	 * the samples say (record/waits/wall_account.h). 0: not told
	 */
	u64 asleep, estimated;
};

/*
 * PERFDATA_EXT_KERNEL_TEXT: the kernel's code from address `va` on, as it ran at the end of the recording:
 *
 *   u64 va; u32 size; u32 zero; size bytes
 *
 * The functions in which samples were taken, whole. A function of more than 60,000 bytes has several records. They
 * come after all samples.
 */
struct event_kernel_text {
	u64 va;
	u32 size;
	const void *data;
};

struct event_extension {
	enum perfdata_extension kind;
	union {
		struct event_wall_pass pass;
		struct event_tls_layout tls_layout;
		struct event_process_facts process;
		struct event_kernel_text text;
		struct event_payload payload; /* NOTES, and unknown kinds */
	};
};

struct event {
	u64 foff; /* of the record, or of the compressed record around it, in the file;
		   * in a pipe: from its start */
	u32 type; /* PERF_RECORD_*, enum perfdata_record */
	u16 misc, size;
	const struct perf_event_header *raw; /* the record, @raw->size bytes */
	const struct evsel *evsel; /* the record's event, if the record names it; else NULL */
	struct sample_id id;
	union {
		struct event_mmap mmap; /* MMAP, MMAP2 */
		struct event_comm comm;
		struct event_task task;		/* FORK, EXIT */
		struct event_lost lost;		/* LOST, LOST_SAMPLES */
		struct event_throttle throttle; /* THROTTLE, UNTHROTTLE */
		struct event_read read;
		struct event_aux aux;
		struct event_task itrace_start; /* pid, tid */
		struct event_switch sw;		/* SWITCH, SWITCH_CPU_WIDE */
		struct event_namespaces namespaces;
		struct event_ksymbol ksymbol;
		struct event_bpf bpf;
		struct event_cgroup cgroup;
		struct event_text_poke text_poke;
		struct event_payload hw_id; /* AUX_OUTPUT_HW_ID: id */
		struct event_callchain_deferred deferred;
		struct sample sample;
		struct event_build_id build_id;
		struct event_id_index id_index;
		struct event_auxtrace auxtrace;
		struct event_auxtrace_error auxtrace_error;
		struct event_thread_map thread_map;
		struct event_cpu_map cpu_map;
		struct event_update update;
		struct event_time_conv time_conv;
		struct event_stat stat;
		struct event_extension ext;   /* EVENT_TYPE */
		struct event_payload payload; /* FEATURE, and every type not listed above */
	};
};

/* The name of a record type in --stats and -D: "MMAP2", "FINISHED_ROUND". NULL: the type is unknown. */
const char *event_type_name(u32 type);

#endif
