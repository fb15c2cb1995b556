/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where did threads sleep, and how long? A sched_switch sample knows where (its call chain), the sched_stat_*
 * sample of the same thread, some time later, how long. The pass joins the two: the sample of the switch comes out with the
 * time and period (ns slept) of the other; both as such are left out. Events must come by time.
 */
#ifndef PASS_SCHED_STAT_H
#define PASS_SCHED_STAT_H

#include "pass/pass.h"

/* @info, the input's, has the formats of its tracepoints by the first record. */
struct pass *sched_stat_pass_new(const struct perfdata_info *info);

#endif
