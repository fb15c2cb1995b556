/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repairs MMAP2 records of a ring, and inserts build-ids into them. */
#ifndef RECORD_MMAPS_H
#define RECORD_MMAPS_H

#include <linux/perf_event.h>

#include "dso/buildid.h"

/*
 * Clears MISC_MMAP_BUILD_ID in a record of an event without attr.build_id. The kernel makes one
 * MMAP2 record for all events that want it. If another recorder's event has attr.build_id, the
 * kernel sets the bit, and it stays set in our copy, although that holds device and inode.
 * Upstream's readers trust the bit.
 */
void mmap_record_clear_build_id(struct perf_event_header *record);

/* Puts @id into a MMAP2 record. It replaces device and inode. */
void mmap_record_set_build_id(struct perf_event_header *record, const struct build_id *id);

#endif
