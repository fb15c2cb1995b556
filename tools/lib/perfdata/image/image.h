/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The image: the recording of a detached recorder, in memory. It is one block of bytes, which can be copied at any
 * time: a file in memory, a mapping in a core dump, or a BPF array.
 *
 *   page 0      struct image_header
 *   facts       a perf.data file without records: attributes, ids, header features
 *   side A, B   records that describe processes; one half is valid, the other is being rewritten
 *   chunks      nr_chunks pieces of chunk_size bytes: struct image_chunk, then samples
 *
 * Records stand in entries: u64 check; the record, whose size is a multiple of 8. The check is
 * image_check() of the bytes, of the entry's place and of the chunk's (or half's) generation. So an
 * entry that is half written, half overwritten, or left from an earlier use of the chunk is never taken
 * for a record: a reader needs no lock, and a core dump may be taken in the middle of a write.
 *
 * A chunk belongs to one key: a process, or a CPU where all CPUs are recorded. The chunks of a key in
 * the order of their generations are the key's ring. When all chunks are used the one with the oldest
 * samples is taken for new ones; the newest chunk of a living process is taken last.
 *
 * All numbers are of the byte order of the machine. Documentation/formats/detached-image.md.
 */
#ifndef PERFDATA_IMAGE_H
#define PERFDATA_IMAGE_H

#include <linux/perf_event.h>

#include "base/types.h"

#define IMAGE_MAGIC	 "\x89PERF-IMAGE\r\n\x1a\n\0" /* 16 bytes and the NUL */
#define IMAGE_MAGIC_SIZE 16
#define IMAGE_VERSION	 1
#define IMAGE_PAGE	 4096
#define IMAGE_SIZE_MAX	 ((u64)1 << 36)

enum image_state {
	IMAGE_EMPTY = 0,     /* not begun: there are no facts yet */
	IMAGE_RECORDING = 1, /* somebody writes; see worker_pid */
	IMAGE_ENDED = 2,     /* complete */
};

/* Why a recording ended, or why a copy was saved. */
enum image_reason {
	IMAGE_REASON_NONE = 0,
	IMAGE_REASON_STOPPED = 1,     /* the user did */
	IMAGE_REASON_TARGET_EXIT = 2, /* reason_status: exit status */
	IMAGE_REASON_SIGNAL = 3,      /* reason_status: signal */
	IMAGE_REASON_OOM = 4,	      /* killed by the kernel for want of memory */
	IMAGE_REASON_TRIGGER = 5,     /* reason_text says which */
	IMAGE_REASON_REMOVED = 6,     /* its file was removed */
	IMAGE_REASON_TARGET_GONE = 7, /* attached processes ended; nobody could tell how */
};

struct image_header {
	u8 magic[IMAGE_MAGIC_SIZE];
	u32 version, header_size;
	u64 image_size;
	u32 state, reason;
	s32 reason_status;
	u32 crash_pid, crash_tid; /* 0: no crash, or not known */
	u32 uid;
	s32 worker_pid; /* who writes; 0: nobody */
	s32 time_word; /* of a sample: which u64 behind the record's header is its time; -1: none */
	u64 worker_start; /* field 22 of /proc/PID/stat: tells worker_pid from a later process */
	u64 created_ns, ended_ns; /* CLOCK_REALTIME */
	u64 keep_ns; /* samples older than this before the newest are left out; 0: all */
	u8 boot_id[16];
	s32 tid_word; /* of a sample: which u64 is pid and tid; -1: none */
	u32 by_cpu;   /* keys are CPUs, not processes */

	u64 facts_at, facts_room, facts_size;
	u64 facts_check; /* image_check() of the facts, place 0, generation 0 */

	u64 side_at, side_room; /* of each half */
	u64 side_used[2];
	u64 side_generation[2];
	u32 side_active;

	u32 chunk_size;
	u64 chunks_at;
	u32 nr_chunks, rings; /* rings: keys that have had one */

	u64 samples;	 /* put in */
	u64 lost;	 /* by the kernel, or larger than a chunk */
	u64 overwritten; /* chunks that were taken for newer samples */
	u64 rings_lost;	 /* living processes whose only chunk was taken: the limit was reached */
	u64 side_lost;	 /* descriptions of living processes that had no room */
	u64 flush_asked, flush_done; /* a reader counts the first up and waits for the second */
	u64 saved;		     /* copies that were saved as files */

	char name[64], target[128], reason_text[256], save_error[256];
};

struct image_chunk {
	u64 generation; /* 0: never used; grows over all chunks: later chunks have higher ones */
	u64 key;
	u64 first_time, last_time; /* of its samples, ns of the recording's clock */
	u64 used;		   /* bytes of entries */
	u64 zero[3];
};

/* An entry of a chunk's area: a record after its check. The next entry follows the record. */
struct image_entry {
	u64 check;
	struct perf_event_header record;
};

/* @size is a multiple of 8, @data is aligned. */
static inline u64 image_check(const void *data, u64 size, u64 place, u64 generation)
{
	const u64 mix = 0x9e3779b97f4a7c15ULL;
	u64 hash = (generation * mix) ^ (place + 0x5851f42d4c957f2dULL);
	const u64 *word = data;

	for (u64 i = 0; i < size / 8; i++) {
		hash = (hash ^ word[i]) * mix;
		hash ^= hash >> 29;
	}
	return hash;
}

#endif
