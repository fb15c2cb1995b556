# SPDX-License-Identifier: GPL-2.0-or-later
# What the fixes of workloads/mended.c gain: for each pair of threads, millions of steps in a second before and after, and their ratio.
# Needs two CPUs that nobody else uses: threads that do not run at the same time do not wait for each other.
set -u
. "$SRC/tools/perf/tests/bench/common"

"$O/tests/workloads/mended" "${MS:-200}" rates
