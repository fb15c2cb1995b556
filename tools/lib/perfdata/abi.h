/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of the perf.data format: constants of <linux/perf_event.h> that the build machine's header may not have
 * yet, constants of the tool (record types from 64 on, header feature bits), and our extensions. Upstream perf skips
 * our extensions.
 *
 * Sources: linux/perf_event.h of Linux 6.1..7.3, and the files that perf 6.1 and 7.3 write. In newer system headers the
 * kernel's constants are enumerators. A macro of the same name and value, defined after the #include below, works with
 * both.
 */
#ifndef PERFDATA_ABI_H
#define PERFDATA_ABI_H

#include <linux/perf_event.h>

#include "base/types.h"

/* Newer than Debian 12's header. */
#ifndef PERF_ATTR_SIZE_VER8
#define PERF_ATTR_SIZE_VER8 136 /* + config3, Linux 6.3 */
#endif
#ifndef PERF_ATTR_SIZE_VER9
#define PERF_ATTR_SIZE_VER9 144 /* + config4, Linux 7.0 */
#endif
#define PERF_RECORD_CALLCHAIN_DEFERRED 22
#define PERF_SAMPLE_BRANCH_COUNTERS    (1U << 19)
#define PERF_CONTEXT_USER_DEFERRED     ((u64)-640)
#define PERF_RECORD_MISC_MMAP_BUILD_ID (1 << 14)

/*
 * Bytes below the thread pointer (2024 RFC). In a sample they come after CODE_PAGE_SIZE and before AUX: u64 size; if it
 * is not 0: char data[size]; u64 dyn_size. The requested number of bytes is attr's u16 at byte 110 (__reserved_2,
 * "sample_tls_user").
 */
#define PERF_SAMPLE_TLS_USER (1U << 25)

/* Bits of attr's flag word (bytes 40..47) that the system header may not define. */
#define PERF_ATTR_FLAG_DEFER_CALLCHAIN (1ULL << 38)
#define PERF_ATTR_FLAG_DEFER_OUTPUT    (1ULL << 39)

/* Bits 13..15 of PERF_RECORD_HEADER.misc have a different meaning for each record type. */
#define PERF_MISC_MMAP_DATA	     (1 << 13)
#define PERF_MISC_COMM_EXEC	     (1 << 13)
#define PERF_MISC_FORK_EXEC	     (1 << 13) /* only in synthesized FORK records */
#define PERF_MISC_SWITCH_OUT	     (1 << 13)
#define PERF_MISC_SWITCH_OUT_PREEMPT (1 << 14)
#define PERF_MISC_BUILD_ID_SIZE	     (1 << 15) /* BUILD_ID entry: byte 20 holds the length */

/* Records that the tool writes, not the kernel. */
enum perfdata_record {
	PERFDATA_USER_TYPE_START = 64,
	PERFDATA_ATTR = 64,
	PERFDATA_EVENT_TYPE = 65, /* obsolete since 3.x: every perf skips it; used by extensions */
	PERFDATA_TRACING_DATA = 66,
	PERFDATA_BUILD_ID = 67,
	PERFDATA_FINISHED_ROUND = 68,
	PERFDATA_ID_INDEX = 69,
	PERFDATA_AUXTRACE_INFO = 70,
	PERFDATA_AUXTRACE = 71,
	PERFDATA_AUXTRACE_ERROR = 72,
	PERFDATA_THREAD_MAP = 73,
	PERFDATA_CPU_MAP = 74,
	PERFDATA_STAT_CONFIG = 75,
	PERFDATA_STAT = 76,
	PERFDATA_STAT_ROUND = 77,
	PERFDATA_EVENT_UPDATE = 78,
	PERFDATA_TIME_CONV = 79,
	PERFDATA_FEATURE = 80,
	PERFDATA_COMPRESSED = 81,
	PERFDATA_FINISHED_INIT = 82,
	PERFDATA_COMPRESSED2 = 83,
	PERFDATA_BPF_METADATA = 84,
	PERFDATA_SCHEDSTAT_CPU = 85,
	PERFDATA_SCHEDSTAT_DOMAIN = 86,
	PERFDATA_RECORD_MAX,
};

/* Header features: bit numbers in the file header, ids of FEATURE records. */
enum perfdata_feature {
	FEAT_TRACING_DATA = 1,
	FEAT_BUILD_ID,
	FEAT_HOSTNAME,
	FEAT_OSRELEASE,
	FEAT_VERSION,
	FEAT_ARCH,
	FEAT_NRCPUS,
	FEAT_CPUDESC,
	FEAT_CPUID,
	FEAT_TOTAL_MEM,
	FEAT_CMDLINE,
	FEAT_EVENT_DESC,
	FEAT_CPU_TOPOLOGY,
	FEAT_NUMA_TOPOLOGY,
	FEAT_BRANCH_STACK,
	FEAT_PMU_MAPPINGS,
	FEAT_GROUP_DESC,
	FEAT_AUXTRACE,
	FEAT_STAT,
	FEAT_CACHE,
	FEAT_SAMPLE_TIME,
	FEAT_MEM_TOPOLOGY,
	FEAT_CLOCKID,
	FEAT_DIR_FORMAT,
	FEAT_BPF_PROG_INFO,
	FEAT_BPF_BTF,
	FEAT_COMPRESSED,
	FEAT_CPU_PMU_CAPS,
	FEAT_CLOCK_DATA,
	FEAT_HYBRID_TOPOLOGY,
	FEAT_PMU_CAPS,
	FEAT_CPU_DOMAIN_INFO,
	FEAT_E_MACHINE,
	FEAT_CLN_SIZE,
	FEAT_UPSTREAM_LAST, /* first bit that perf 7.3 does not know */

	FEAT_BITS = 256,
};

/*
 * Our extension records have the type PERFDATA_EVENT_TYPE. perf wrote this record until 3.x, and every later perf
 * silently skips it, in files and in pipes. Since 7.x, perf warns if such a record is shorter than the 80 bytes of the
 * old record, so ours are padded to 80 bytes.
 *
 *   struct perf_event_header; u64 magic; u32 kind; u32 size; u8 payload[size];
 *   zeros up to a multiple of 8 and to at least 80 bytes
 *
 * They are among the other records. Those about the whole recording are also in the section that the file header's
 * unused event_types points to, so that they are known at open. We do not define a header feature bit: inject of perf
 * 7.3 uses each set bit as an index of a table, and crashes on bits after its last one.
 *
 * A reader must skip unknown kinds. A payload may be longer than the reader expects: later versions may add fields at
 * its end.
 */
#define PERFDATA_EXTENSION_MAGIC 0x3154584546524550ULL /* "PERFEXT1" */
#define PERFDATA_EXTENSION_MIN	 80		       /* bytes of a whole record */

enum perfdata_extension {
	PERFDATA_EXT_NONE = 0,	      /* an original EVENT_TYPE record */
	PERFDATA_EXT_TLS_LAYOUT = 1,  /* struct event_tls_layout in event.h describes it */
	PERFDATA_EXT_PROCESS = 3,     /* struct event_process_facts in event.h describes it */
	PERFDATA_EXT_PASS = 4,	      /* struct event_wall_pass in event.h describes it */
	PERFDATA_EXT_KERNEL_TEXT = 5, /* struct event_kernel_text in event.h describes it */
	PERFDATA_EXT_NOTES = 2,	      /* u32 nr; nr times key and value, strings that end in NUL */
};

/* The forms of CPU_MAP. */
enum perfdata_cpu_map {
	PERFDATA_CPU_MAP_CPUS = 0,
	PERFDATA_CPU_MAP_MASK = 1,
	PERFDATA_CPU_MAP_RANGE = 2,
};

enum perfdata_event_update {
	PERFDATA_UPDATE_UNIT = 0,
	PERFDATA_UPDATE_SCALE = 1,
	PERFDATA_UPDATE_NAME = 2,
	PERFDATA_UPDATE_CPUS = 3,
};

/* The start of a file, and of a pipe. A pipe has only the first two words. */
#define PERFDATA_MAGIC	       0x32454c4946524550ULL /* "PERFILE2" */
#define PERFDATA_MAGIC_SWAPPED 0x50455246494c4532ULL
#define PERFDATA_MAGIC_V1      0x454c494646524550ULL /* "PERFFILE", before 3.x */

struct perfdata_section {
	u64 offset;
	u64 size;
};

struct perfdata_file_header {
	u64 magic;
	u64 size;      /* of this header: 104 */
	u64 attr_size; /* of one entry of attrs: struct perf_event_attr and a section of ids */
	struct perfdata_section attrs;
	struct perfdata_section data;
	struct perfdata_section event_types; /* ignored by upstream; our extension records */
	u64 features[FEAT_BITS / 64];
	/* after data: one struct perfdata_section per set feature bit, ascending */
};

struct perfdata_pipe_header {
	u64 magic;
	u64 size; /* 16 */
};

#endif
