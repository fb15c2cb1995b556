/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filters of branch stacks: -b and -j. */
#ifndef RECORD_BASE_BRANCHES_H
#define RECORD_BASE_BRANCHES_H

#include "base/error.h"
#include "base/types.h"

/*
 * "any_call,u": bits of PERF_SAMPLE_BRANCH_*. A mask with levels alone (u, k, hv) is that of all branches there. False
 * with @error, which lists the known words.
 */
bool branches_parse(const char *text, u64 *mask, GError **error);

#endif
