/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes in the file which instruction the samples of its events name (perfdata/skid.h). A measurement that an earlier
 * recording of this boot has kept is taken (record/skid_kept.h). Otherwise, with opts->skid_measured, a thread measures
 * it when the recording begins. So nothing waits for it at the start. It takes about 25 ms of CPU time for each kind
 * of event, and its samples are in a recording of all CPUs as those of the thread perf-skid.
 *
 * If the recording ends first, its end waits up to SKID_PATIENCE_MS. Then the measurement is abandoned: the file has
 * no note, and the next recording tries again.
 *
 * This source has no records.
 */
#ifndef RECORD_SKID_SOURCE_H
#define RECORD_SKID_SOURCE_H

#include "record/base/source.h"

#define SKID_PATIENCE_MS 100

struct source *skid_source_new(const struct record_options *opts, const struct kernel_paths *paths);

#endif
