// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * MMAP2 is {header; u32 pid, tid; u64 start, len, pgoff; FILE; u32 prot, flags; char name[]; trailer},
 * and FILE 24 bytes of {u32 maj, min; u64 ino, generation} or {u8 size, zero[3], build_id[20]}.
 */
#include "record/mmaps.h"

#include <string.h>

#define FILE_AT (sizeof(struct perf_event_header) + 32)

void mmap_record_clear_build_id(struct perf_event_header *record)
{
	if (record->type == PERF_RECORD_MMAP2)
		record->misc &= (u16)~PERF_RECORD_MISC_MMAP_BUILD_ID;
}

void mmap_record_set_build_id(struct perf_event_header *record, const struct build_id *id)
{
	u8 *file = (u8 *)record + FILE_AT;

	if (record->type != PERF_RECORD_MMAP2 || record->size < FILE_AT + 24)
		return;
	memset(file, 0, 24);
	file[0] = id->size;
	memcpy(file + 4, id->bytes, id->size);
	record->misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
}
