// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * {header; u32 pid, tid; u64 start, len, pgoff; char name[]; trailer}. MMAP2 has in front of the name
 * 24 bytes of {u32 maj, min; u64 ino, generation} or {u8 size, zero[3], build_id[20]}, and
 * {u32 prot, flags}.
 */
#include "record/mmaps.h"

#include <string.h>

#include "base/cursor.h"

#define FILE_AT (sizeof(struct perf_event_header) + 32)

bool mmap_of_record(const struct perf_event_header *record, struct event_mmap *map)
{
	struct cursor c = cursor_of(record, record->size);

	*map = (struct event_mmap){ 0 };
	cursor_bytes(&c, sizeof(*record));
	map->pid = cursor_u32(&c);
	map->tid = cursor_u32(&c);
	map->start = cursor_u64(&c);
	map->len = cursor_u64(&c);
	map->pgoff = cursor_u64(&c);
	if (record->type == PERF_RECORD_MMAP2) {
		if (record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
			map->build_id_size = (u8)MIN(cursor_u32(&c), sizeof(map->build_id));
			cursor_read(&c, map->build_id, sizeof(map->build_id));
			map->has_build_id = map->build_id_size > 0;
		} else {
			map->maj = cursor_u32(&c);
			map->min = cursor_u32(&c);
			map->ino = cursor_u64(&c);
			map->ino_generation = cursor_u64(&c);
			map->has_inode = true;
		}
		map->prot = cursor_u32(&c);
		map->flags = cursor_u32(&c);
	}
	map->filename = cursor_string(&c);
	return !c.failed && map->filename;
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
