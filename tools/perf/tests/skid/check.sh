#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A quick run as a test: of some idioms, 98 % of the samples must be at the access that waits. Prints TAP.
set -uo pipefail
. "$(dirname "$0")/lib.sh"
floor=98
quick="load load_double rmw lock_add compare_constant join_two last_in_function join_three two_waits member_of_base
	jump_memory"

"$PERF" record -q -e cpu-clock:u -o "$out.try" true >"$out.why" 2>&1 || {
	echo "ok - samples are charged to the access that waits # skip $(tail -n 1 "$out.why")"
	exit 0
}
export SECONDS_EACH=0.4
chosen=
for i in $quick; do chosen+=" --only $i"; done
for b in gcc-O2 clang-O2; do
	command -v "${b%%-*}" >/dev/null || { echo "ok - $b # skip no compiler for it" && continue; }
	"$here/run" --build "$b" $chosen >"$out.quick"
	for i in $quick; do
		awk -v floor="$floor" -v idiom="$i" -v build="$b" '
			$1 == idiom { n = $3; share = $5; raw = $4 }
			END { printf("%s - %s, %s: %s %% of %d samples at the access that waits (%s %% as sampled)\n",
				(n >= 200 && share + 0 >= floor) ? "ok" : "not ok", idiom, build, share + 0, n, raw + 0) }' "$out.quick"
	done
done
