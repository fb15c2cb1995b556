/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is mended in, and put into, MMAP2 records from a ring while recording. */
#ifndef RECORD_MMAPS_H
#define RECORD_MMAPS_H

#include <linux/perf_event.h>

#include "dso/buildid.h"

/*
 * The kernel makes one record for all events that are told of a mapping, and the bit that another
 * recorder's event with attr.build_id sets stays set in ours, which hold device and inode. Upstream's
 * readers believe the bit, so it must not get into the file. For records of events without attr.build_id.
 */
void mmap_record_clear_build_id(struct perf_event_header *record);

/* Puts @id into a MMAP2 record, in the place of device and inode. */
void mmap_record_set_build_id(struct perf_event_header *record, const struct build_id *id);

#endif
