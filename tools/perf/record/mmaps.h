/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a MMAP or MMAP2 record from a ring says, while recording, and what is put into it. */
#ifndef RECORD_MMAPS_H
#define RECORD_MMAPS_H

#include <linux/perf_event.h>

#include "dso/buildid.h"
#include "perfdata/event.h"

/* False where @record is too short. The name lies in @record. */
bool mmap_of_record(const struct perf_event_header *record, struct event_mmap *map);

/* Puts @id into a MMAP2 record, in the place of device and inode. */
void mmap_record_set_build_id(struct perf_event_header *record, const struct build_id *id);

#endif
