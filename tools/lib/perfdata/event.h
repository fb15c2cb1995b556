/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decoded record of perf.data: what happened, to whom, when. A struct event is a view:
 * its pointers lead into the record's own bytes and live as long as they do (reader.h says
 * how long). All numbers are in host order; a file of foreign order is refused at open.
 *
 * A decoder has checked that every pointer with its count stays inside the record and that
 * every string ends in it. Nothing else about the values is checked: pids, addresses and
 * enumerations are what the file says.
 *
 * Layouts: "enum perf_event_type" in linux/perf_event.h; tool records by what perf writes.
 */
#ifndef PERFDATA_EVENT_H
#define PERFDATA_EVENT_H

#include "base/types.h"
#include "perfdata/abi.h"
#include "perfdata/evsel.h"

#define EVENT_NO_CPU ((u32)-1)
#define EVENT_NO_PID ((u32)-1)

/*
 * Who and when, from the sample's own fields or from the trailer of other records
 * (attr.sample_id_all). What is absent: pid and tid EVENT_NO_PID, cpu EVENT_NO_CPU, others 0.
 * time is ns of the recording's clock. Where the record carries none (has_time false) it is 0,
 * or, in a file none of whose events has PERF_SAMPLE_TIME, the record's offset, so that
 * time orders every file.
 */
struct sample_id {
	u32 pid, tid, cpu;
	u64 time, id, stream_id;
	bool has_time;
};

/* PERF_SAMPLE_READ and PERF_RECORD_READ: counters, one, or a group's in opening order. */
struct read_value {
	u64 value, id, lost; /* id, lost: 0 where the format has none */
};

struct sample_read {
	u64 format;			/* attr.read_format */
	u64 time_enabled, time_running; /* ns, 0 where the format has none */
	u64 nr;				/* counters; 0 where the sample has no READ */
	struct read_value one;		/* the only counter, without PERF_FORMAT_GROUP */
	const u64 *group;		/* nr * {value[, id][, lost]}, with it */
};

struct read_value sample_read_at(const struct sample_read *read, u64 i);

struct sample_regs {
	u64 abi;	 /* enum perf_sample_regs_abi; 0 = none, and regs is NULL */
	u64 mask;	 /* of attr: which registers, by linux's asm/perf_regs.h */
	const u64 *regs; /* one per bit of mask, ascending */
};

struct sample_bytes {
	u64 size; /* room that was set aside; 0: absent */
	const void *data;
	u64 dyn_size; /* how many of them were filled */
};

/*
 * A sample's fields. Those whose bit is not set in type are 0 or NULL (pid, tid, cpu: see
 * struct sample_id); period is then attr's sample_period, as in upstream. What has a size or
 * a count of 0 may have any pointer.
 */
struct sample {
	u64 type; /* attr.sample_type: which of the fields below are there */
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
	u64 hw_idx;	 /* (u64)-1 where not known */
	const struct perf_branch_entry *branches;
	const u64 *branch_counters; /* one per branch, or NULL (PERF_SAMPLE_BRANCH_COUNTERS) */

	struct sample_regs user_regs, intr_regs;
	struct sample_bytes user_stack; /* from the stack pointer up */

	u64 weight;		  /* all 64 bits, or var1 of WEIGHT_STRUCT */
	u16 ins_lat, p_stage_cyc; /* var2, var3 of WEIGHT_STRUCT */
	u64 data_src;		  /* union perf_mem_data_src */
	u64 transaction, phys_addr, cgroup;
	u64 data_page_size, code_page_size; /* bytes */
	struct sample_bytes tls; /* below the thread pointer: data + size is where it points */
	struct sample_bytes aux; /* dyn_size unused */
};

/*
 * MMAP and MMAP2. MMAP has prot PROT_EXEC unless PERF_MISC_MMAP_DATA, and no inode. The event's misc
 * has PERF_RECORD_MISC_MMAP_BUILD_ID only where there is one: the record's own may have it wrongly.
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
	u64 id, lost; /* LOST_SAMPLES: id from the trailer */
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
	bool out, preempt;	  /* out: the task leaves the CPU; preempt: still runnable */
	u32 other_pid, other_tid; /* SWITCH_CPU_WIDE: who comes next (out) or was before */
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
	u8 size; /* 20 unless the record states less */
	const char *filename;
};

struct event_id_index {
	u64 nr;
	const u64 *entries; /* nr * {id, idx, cpu, tid} */
};

struct event_auxtrace {
	u64 size; /* of the payload that follows the record and has been passed over */
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
	u16 range_start, range_end; /* RANGE, both included */
	bool any_cpu;		    /* RANGE: -1 too */
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

/* A record whose inside nobody here needs, or a section carried by a record. */
struct event_payload {
	u64 id; /* FEATURE: which */
	const void *data;
	u64 size;
};

/*
 * PERFDATA_EXT_TLS_LAYOUT: where, from `time` on, the threads of process `pid` keep what is
 * to be shown as their activity. The payload in the file, little-endian:
 *
 *   u32 pid; u32 state; u64 time; s64 tp_offset; u32 size; u32 kind; three strings that
 *   end in NUL: layout, symbol, object; u8 publisher; u8 where; u8 framed; u8 fresh; u16 mark
 *
 * A later record for the pid and publisher supersedes this one; one with state GONE ends all of the
 * process's. The recorder writes one for a forked child, and GONE for an exec and for the process's
 * end. Documentation/formats/perf-data-extensions.md tells the rest. Files of the first version end
 * behind the strings: publisher 0, in the window, without a frame; later ones had no mark.
 */
struct event_tls_layout {
	u32 pid;
	u32 state; /* 0: tp_offset is good; else why not: enum activity_layout_state */
	u64 time;
	s64 tp_offset;	    /* of the wanted bytes, from the thread pointer; below 0 on x86-64 */
	u32 size;	    /* bytes */
	u32 kind;	    /* how to read them: enum activity_format */
	const char *layout; /* what the user asked for: "activity", "req_id:0:8:hex" */
	const char *symbol; /* the variable that was found, or "" */
	const char *object; /* path of the ELF file that it was found in, or "" */
	u32 publisher;	    /* its number among the process's */
	u32 where;	    /* enum activity_where */
	bool framed;	    /* the samples have a frame in front of the window */
	bool fresh;	    /* samples without bytes may be older than what is known here */
	u32 mark; /* of the place, 16 bits: entries of the frame have it, too; 0: not stated */
};

/*
 * PERFDATA_EXT_PROCESS: what process `pid` states of itself from `time` on:
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
 * PERFDATA_EXT_PASS: how much one look at all threads (record --wall) did, at `time`:
 *
 *   u64 time; u32 seen, looked, skipped, lost, faults, took
 */
struct event_wall_pass {
	u64 time;
	u32 seen;    /* threads there were */
	u32 looked;  /* those that had something new to tell */
	u32 skipped; /* threads of others */
	u32 lost;    /* threads for which there was no room */
	u32 faults;  /* reads that failed */
	u32 took;    /* ns */
};

struct event_extension {
	enum perfdata_extension kind;
	union {
		struct event_wall_pass pass;
		struct event_tls_layout tls_layout;
		struct event_process_facts process;
		struct event_payload payload; /* NOTES, and kinds not known here */
	};
};

struct event {
	u64 foff; /* of the record in the file (of the compressed one that holds it), in a pipe
		   * from its start */
	u32 type; /* PERF_RECORD_*, enum perfdata_record */
	u16 misc, size;
	const struct perf_event_header *raw; /* the record's bytes: size of them */
	const struct evsel *evsel;	     /* whose it is, where the record says; else NULL */
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
		struct event_payload payload; /* FEATURE and every type not named above */
	};
};

/* "MMAP2", "FINISHED_ROUND": a type's name in --stats and -D, or NULL for an unknown type. */
const char *event_type_name(u32 type);

#endif
