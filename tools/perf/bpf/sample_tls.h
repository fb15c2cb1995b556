/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by sample_tls.bpf.c and its loader: the output record before a sample, and the values of
 * the maps. Both define __u8 to __u64 before.
 */
#ifndef BPF_SAMPLE_TLS_H
#define BPF_SAMPLE_TLS_H

/*
 * Same values as in activity/layout.h, which the program cannot include. record/tls/numbers.c
 * compares them.
 */
#define SAMPLE_TLS_WINDOW_DEFAULT 256
#define SAMPLE_TLS_WINDOW_MAX	  4096

/* Maximum size of the frame and its entries, which precede the window. */
#define SAMPLE_TLS_FRAME_MAX 3072

/*
 * The raw data of one output record, which precedes its sample. @size bytes follow: a frame (struct
 * activity_frame of activity/layout.h) with its entries, and the window. The last byte of the
 * window is just below the thread pointer.
 */
struct sample_tls_head {
	__u64 time;  /* of the sample; 0: this kernel hides it from the program */
	__u64 event; /* the kernel's id of the sampling event; 0 if time is 0 */
	__u64 ip;    /* of the sample, or SAMPLE_TLS_HIT */
	__u32 pid, tid;
	__u32 size;
	__u32 unread; /* nothing could be read; the frame has only the context */
};

/* Same layout as struct activity_frame and struct activity_entry of activity/layout.h. */
#define SAMPLE_TLS_FRAME_VERSION 1

/* enum activity_unread */
enum sample_tls_unread {
	SAMPLE_TLS_UNSOUGHT = 1,
	SAMPLE_TLS_UNREAD = 2,
};

struct sample_tls_frame {
	__u16 size;
	__u8 version, nr;
	__u8 context; /* enum sample_tls_in */
	__u8 unread;  /* enum sample_tls_unread */
	__u8 zero[2];
};

struct sample_tls_entry {
	__u8 number, format;
	__u8 state; /* enum sample_tls_state */
	__u8 cut;
	__u16 size, mark;
};

/* State of a source: a subset of enum activity_state. */
enum sample_tls_state {
	SAMPLE_TLS_NONE = 0,
	SAMPLE_TLS_OK = 1,
	SAMPLE_TLS_UPDATING = 2,
	SAMPLE_TLS_UNREADABLE = 3,
	SAMPLE_TLS_NOT_YET = 6,
};

/* A tracepoint was hit. Samples of this tracepoint, and no others, may follow directly. */
#define SAMPLE_TLS_HIT 0

/* How a thread's variable is found. */
enum sample_tls_reach {
	SAMPLE_TLS_STATIC = 0, /* at a fixed distance from the thread pointer */
	/* in a module's block, through glibc's vector (16 bytes per entry) */
	SAMPLE_TLS_GLIBC = 1,
	SAMPLE_TLS_MUSL = 2, /* through musl's vector (8 bytes per entry) */
};

/* The contents of the variable. */
enum sample_tls_what {
	SAMPLE_TLS_BYTES = 0,	/* the variable's own bytes */
	SAMPLE_TLS_OTEP = 1,	/* a pointer to a thread context of OTEP 4947 */
	SAMPLE_TLS_ELASTIC = 2, /* a pointer to Elastic's record */
	SAMPLE_TLS_LABELS = 3,	/* a pointer to a label set of custom-labels */
	SAMPLE_TLS_GO = 4,	/* Go's g, with the labels set by pprof.Do */
	SAMPLE_TLS_NODE = 5,	/* start of the walk to Node.js's thread context: bpf/node.h */
};

/* The context that the sampling event hit, in the frame. 0: unknown. */
enum sample_tls_in {
	SAMPLE_TLS_IN_UNKNOWN = 0,
	SAMPLE_TLS_IN_TASK = 1,
	SAMPLE_TLS_IN_SOFTIRQ = 2,
	SAMPLE_TLS_IN_HARDIRQ = 3,
	SAMPLE_TLS_IN_NMI = 4,
};

/* The context that the sampling event itself adds to the kernel's count of contexts. See bpf/context.h. */
enum sample_tls_own {
	SAMPLE_TLS_OWN_UNKNOWN = 0,
	SAMPLE_TLS_OWN_NONE = 1,  /* raised by the running code: tracepoints, page faults */
	SAMPLE_TLS_OWN_TIMER = 2, /* an interrupt */
	/* an NMI; an interrupt on platforms without NMIs for counters */
	SAMPLE_TLS_OWN_COUNTER = 3,
};

/*
 * Limits of labels. If there are more labels, the later ones are left out, and the entry counts
 * them. If a text is longer, its first bytes are kept, and its size has SAMPLE_TLS_TEXT_CUT set.
 */
#define SAMPLE_TLS_TEXT_CUT   0x80
#define SAMPLE_TLS_LABELS_MAX 10
#define SAMPLE_TLS_KEY_MAX    24 /* Datadog's "local root span id" has 18 bytes */
#define SAMPLE_TLS_VALUE_MAX  48

/* Maximum sizes of OTEP's and Elastic's records. */
#define SAMPLE_TLS_OTEP_MAX    640
#define SAMPLE_TLS_ELASTIC_MAX 37

/* How the program reads one publisher of a process. */
struct sample_tls_source {
	__s64 offset;	  /* of the variable: from the thread pointer, or from the block's start */
	__u64 generation; /* of the module: an older vector does not contain it. 0: not known */
	__u32 module;
	__u16 size;			/* BYTES: number of bytes, at most 1024 */
	__u8 reach;			/* enum sample_tls_reach */
	__u8 what;			/* enum sample_tls_what */
	__u8 number;			/* of the publisher */
	__u8 format;			/* enum activity_format: for the entry */
	__u8 go_map;			/* GO: labels are a map, as before Go 1.24 */
	__u8 node_foreign;		/* NODE: V8 has an unknown layout */
	__u16 go_m, go_curg, go_labels; /* GO: offsets of g.m, m.curg, g.labels */
	__u16 mark;			/* hash of the place, for the entry */
	/* NODE: V8's layout as the process states it, see bpf/node.h; 0: not stated */
	__u16 node_table, node_header, node_record, node_wrapped, node_fields;
	__u16 node_waits; /* NODE: it may still state a layout: wait */
};

#define SAMPLE_TLS_SOURCES 4

/* The memory to read in a process. Value of the map of plans; the key is the process id. */
struct sample_tls_plan {
	__u32 window; /* bytes, a multiple of 8 */
	__u32 nr;     /* of sources. With window and nr 0, samples of the process get no bytes */
	struct sample_tls_source sources[SAMPLE_TLS_SOURCES];
};

/* Identifies a program's file. Key of the map of plans that hold from a program's exec on. */
struct sample_tls_program {
	__u64 ino;
	__u32 dev; /* kernel's format: major << 20 | minor */
	__u32 zero;
};

/* The value of OBI's map for a thread. */
struct sample_tls_obi {
	__u8 trace[16];
	__u8 span[8];
};

/* Number and format of the publisher OBI. */
#define SAMPLE_TLS_OBI_NUMBER 255
#define SAMPLE_TLS_OBI_FORMAT 9 /* ACTIVITY_OBI */

#endif
