/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the features that this kernel's perf_event_open() supports. A feature is a few bits of the
 * attributes. An event requests the feature with these bits. A probe of the kernel sets them. They
 * are cleared if the kernel lacks the feature.
 */
#ifndef PERFEVENT_FEATURES_H
#define PERFEVENT_FEATURES_H

#include <sys/types.h>

#include "base/types.h"
#include "perfdata/evsel.h"

/* Optional features of kernels, newest first. */
enum kernel_feature {
	KERNEL_TLS_USER,       /* PERF_SAMPLE_TLS_USER */
	KERNEL_DEFER_CHAIN,    /* 6.19: user frames in a record of their own */
	KERNEL_DEFER_OUTPUT,   /* 6.19: the event that gets these records */
	KERNEL_INHERIT_READ,   /* 6.12: inherit and PERF_SAMPLE_READ together */
	KERNEL_READ_LOST,      /* 6.0: PERF_FORMAT_LOST */
	KERNEL_BUILD_ID,       /* 5.12: build ids in MMAP2 */
	KERNEL_WEIGHT_STRUCT,  /* 5.12 */
	KERNEL_CODE_PAGE_SIZE, /* 5.11 */
	KERNEL_DATA_PAGE_SIZE, /* 5.11 */
	KERNEL_TEXT_POKE,      /* 5.9 */
	KERNEL_CGROUP_SAMPLE,  /* 5.7: PERF_SAMPLE_CGROUP */
	KERNEL_CGROUP,	       /* 5.7: CGROUP records */
	KERNEL_BPF_EVENT,      /* 5.0 */
	KERNEL_KSYMBOL,	       /* 5.0 */
	KERNEL_PHYS_ADDR,      /* 4.14 */
	KERNEL_NAMESPACES,     /* 4.12 */
	KERNEL_WRITE_BACKWARD, /* 4.7 */
	KERNEL_CONTEXT_SWITCH, /* 4.3 */
	KERNEL_CLOCKID,	       /* 4.1 */
	KERNEL_COMM_EXEC,      /* 3.16 */
	KERNEL_MMAP2,	       /* 3.16 */
	KERNEL_CLOEXEC,	       /* 3.14: PERF_FLAG_FD_CLOEXEC */
	NR_KERNEL_FEATURES,
};

/*
 * Does this kernel support the feature? Opens a dummy event on this thread. If that fails for
 * another reason (permission, for example), the answer is yes.
 */
bool kernel_can(enum kernel_feature feature);
const char *kernel_feature_name(enum kernel_feature feature);  /* "PERF_FORMAT_LOST" */
const char *kernel_feature_since(enum kernel_feature feature); /* "Linux 6.0" */

/* Do these attributes ask for it? */
bool kernel_feature_used(enum kernel_feature feature, const struct evsel *evsel);

/*
 * The syscall itself: the evsel's attributes as bytes (config3, config4 and
 * sample_tls_user included). Returns the fd or -errno.
 */
int evsel_sys_open(const struct evsel *evsel, pid_t pid, int cpu, int group_fd,
		   unsigned long flags);

/* True: without the feature, the recording would not be what the user asked for, so opening must fail. */
bool kernel_feature_wanted(enum kernel_feature feature);

/* Clears the bits that ask for it. WEIGHT_STRUCT is replaced by WEIGHT. For INHERIT_READ, inherit is cleared. */
void kernel_feature_take_back(enum kernel_feature feature, struct evsel *evsel);

#endif
