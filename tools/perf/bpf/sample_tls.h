/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sample_tls.bpf.c and its loader share: the record that goes before a sample, and the
 * maps' values. Included by both sides, each of which has defined __u8 to __u64 before.
 */
#ifndef BPF_SAMPLE_TLS_H
#define BPF_SAMPLE_TLS_H

/* As in activity/layout.h, which the program cannot include: record/tls_numbers.c holds both equal. */
#define SAMPLE_TLS_WINDOW_DEFAULT 256
#define SAMPLE_TLS_WINDOW_MAX	  4096

/* In front of the window, at most: the frame and its entries. */
#define SAMPLE_TLS_FRAME_MAX 3072

/*
 * The raw data of one output record: the bytes of a sample's section that is about to be
 * written. Then @size bytes follow: a frame (struct activity_frame of activity/layout.h) with its
 * entries, and the window, the last byte of which is just below the thread pointer.
 */
struct sample_tls_head {
	__u64 time;  /* the sample's, 0 where this kernel does not let a program see it */
	__u64 event; /* the kernel's id of the sampling event, 0 where time is 0 */
	__u64 ip;    /* the sample's, or SAMPLE_TLS_HIT */
	__u32 pid, tid;
	__u32 size;
	__u32 unread; /* nothing could be read, and the frame says no more than the context */
};

/* struct activity_frame and struct activity_entry of activity/layout.h. */
#define SAMPLE_TLS_FRAME_VERSION 1

struct sample_tls_frame {
	__u16 size;
	__u8 version, nr;
	__u8 context; /* enum sample_tls_in */
	__u8 zero[3];
};

struct sample_tls_entry {
	__u8 number, format;
	__u8 state; /* enum sample_tls_state */
	__u8 cut;
	__u16 size, mark;
};

/* What the program says of a source: some of enum activity_state. */
enum sample_tls_state {
	SAMPLE_TLS_NONE = 0,
	SAMPLE_TLS_OK = 1,
	SAMPLE_TLS_UPDATING = 2,
	SAMPLE_TLS_UNREADABLE = 3,
	SAMPLE_TLS_NOT_YET = 6,
};

/* A tracepoint was hit: samples of it, and only of it, may follow directly. */
#define SAMPLE_TLS_HIT 0

/* How a thread's variable is reached. */
enum sample_tls_reach {
	SAMPLE_TLS_STATIC = 0, /* at a distance from the thread pointer */
	SAMPLE_TLS_GLIBC = 1,  /* in a module's block, by glibc's vector: 16 bytes an entry */
	SAMPLE_TLS_MUSL = 2,   /* by musl's: 8 bytes an entry */
};

/* What is read there. */
enum sample_tls_what {
	SAMPLE_TLS_BYTES = 0,	/* the variable's own bytes */
	SAMPLE_TLS_OTEP = 1,	/* a pointer to a thread context of OTEP 4947 */
	SAMPLE_TLS_ELASTIC = 2, /* a pointer to Elastic's record */
	SAMPLE_TLS_LABELS = 3,	/* a pointer to a label set of custom-labels */
	SAMPLE_TLS_GO = 4,	/* Go's g: its labels as pprof.Do sets them */
	SAMPLE_TLS_NODE = 5,	/* where the walk to Node.js's thread context begins: bpf/node.h */
};

/* What the sampling event hit: in the frame. 0 where it cannot be told. */
enum sample_tls_in {
	SAMPLE_TLS_IN_UNKNOWN = 0,
	SAMPLE_TLS_IN_TASK = 1,
	SAMPLE_TLS_IN_SOFTIRQ = 2,
	SAMPLE_TLS_IN_HARDIRQ = 3,
	SAMPLE_TLS_IN_NMI = 4,
};

/* What a sampling event itself adds to the kernel's count of contexts: bpf/context.h. */
enum sample_tls_own {
	SAMPLE_TLS_OWN_UNKNOWN = 0,
	SAMPLE_TLS_OWN_NONE = 1,    /* it is hit by the code that runs: tracepoints, page faults */
	SAMPLE_TLS_OWN_TIMER = 2,   /* an interrupt */
	SAMPLE_TLS_OWN_COUNTER = 3, /* an NMI, or an interrupt where there are none for it */
};

/*
 * Labels beyond these bounds are cut: of more than so many those that come later are left out and
 * counted in the entry, and of longer texts the first bytes are kept, with SAMPLE_TLS_TEXT_CUT
 * in their size.
 */
#define SAMPLE_TLS_TEXT_CUT   0x80
#define SAMPLE_TLS_LABELS_MAX 10
#define SAMPLE_TLS_KEY_MAX    24 /* Datadog's "local root span id" has 18 */
#define SAMPLE_TLS_VALUE_MAX  48

/* OTEP's and Elastic's records, at most. */
#define SAMPLE_TLS_OTEP_MAX    640
#define SAMPLE_TLS_ELASTIC_MAX 37

/* One publisher of a process. */
struct sample_tls_source {
	__s64 offset;	  /* of the variable: from the thread pointer, or in the module's block */
	__u64 generation; /* of the module: an older vector does not have it. 0: not known */
	__u32 module;
	__u16 size;			/* BYTES: how many, up to 1024 */
	__u8 reach;			/* enum sample_tls_reach */
	__u8 what;			/* enum sample_tls_what */
	__u8 number;			/* of the publisher */
	__u8 format;			/* enum activity_format: for the entry */
	__u8 go_map;			/* GO: labels are a map of before Go 1.24 */
	__u8 node_foreign;		/* NODE: V8 is built in a way that is not known here */
	__u16 go_m, go_curg, go_labels; /* GO: offsets of g.m, m.curg, g.labels */
	__u16 mark;			/* of the place: for the entry */
	/* NODE: what the process states of V8, see bpf/node.h; 0: nothing */
	__u16 node_table, node_header, node_record, node_wrapped, node_fields;
	__u16 node_waits; /* NODE: it may state something in a moment */
};

#define SAMPLE_TLS_SOURCES 4

/* Value of the map that says by process id what is read. */
struct sample_tls_plan {
	__u32 window; /* bytes, a multiple of 8 */
	__u32 nr;     /* of sources; with neither, the process's samples have no bytes at all */
	struct sample_tls_source sources[SAMPLE_TLS_SOURCES];
};

/* Key of the map that says by program what is read from its exec on: its file. */
struct sample_tls_program {
	__u64 ino;
	__u32 dev; /* as the kernel has it: major << 20 | minor */
	__u32 zero;
};

/* What OBI's map has for a thread. */
struct sample_tls_obi {
	__u8 trace[16];
	__u8 span[8];
};

/* The number of the publisher that OBI is, and its format. */
#define SAMPLE_TLS_OBI_NUMBER 255
#define SAMPLE_TLS_OBI_FORMAT 9 /* ACTIVITY_OBI */

#endif
