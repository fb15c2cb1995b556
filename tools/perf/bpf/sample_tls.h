/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sample_tls.bpf.c and its loader share: the record that goes before a sample, and the
 * maps' values. Included by both sides, each of which has defined __u32 and __u64 before.
 */
#ifndef BPF_SAMPLE_TLS_H
#define BPF_SAMPLE_TLS_H

/* Both as in activity/layout.h, which the program cannot include. */
#define SAMPLE_TLS_WINDOW_DEFAULT 256
#define SAMPLE_TLS_WINDOW_MAX	  4096

/*
 * The raw data of one output record: the bytes below the thread pointer at a sample that is
 * about to be written. Then @size bytes follow, the last of which is just below the thread
 * pointer; 0 where the memory could not be read.
 */
struct sample_tls_head {
	__u64 time;  /* the sample's, 0 where this kernel does not let a program see it */
	__u64 event; /* the kernel's id of the sampling event, 0 where time is 0 */
	__u64 ip;    /* the sample's, or SAMPLE_TLS_HIT */
	__u32 pid, tid;
	__u32 size;
	__u32 zero;
};

/* A tracepoint was hit: samples of it, and only of it, may follow directly. */
#define SAMPLE_TLS_HIT 0

/* Value of the map that has a window in bytes, a multiple of 8, by process id. 0: take no bytes. */
typedef __u32 sample_tls_window;

#endif
