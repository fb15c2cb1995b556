/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place and the duration of threads' sleeps. A sched_switch sample has the call chain, and a later sched_stat_*
 * sample of the same thread has the duration. The pass joins the two: the output has the sample of the switch with the
 * time and period (ns slept) of the other. The original samples are removed. Events must be in order of time.
 */
#ifndef PASS_SCHED_STAT_H
#define PASS_SCHED_STAT_H

#include "pass/pass.h"

/* @info, the input's header, has the formats of its tracepoints when the first record comes. */
struct pass *sched_stat_pass_new(const struct perfdata_info *info);

#endif
