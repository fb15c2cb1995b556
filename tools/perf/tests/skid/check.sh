#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A quick run as a test: of some idioms, 98 % of the samples must be at the access that waits. Prints TAP.
set -uo pipefail
. "$(dirname "$0")/lib.sh"
floor=98
quick="load load_double rmw lock_add compare_constant join_two last_in_function join_three two_waits member_of_base
	jump_memory"

. "$(dirname "$0")/../tap"

if ! "$PERF" record -q -e cpu-clock:u -o "$out.try" true >"$out.why" 2>&1; then
	skip_all_refused "samples are charged to the access that waits" "$out.why"
fi
builds=(gcc-O2 clang-O2)
# shellcheck disable=SC2086 # words
plan $((${#builds[@]} * $(wc -w <<<$quick)))
export SECONDS_EACH=0.4

# The idioms that are not right in the rows of $out.quick.
short_of() {
	local i
	for i in $quick; do
		awk -v floor="$floor" -v idiom="$i" '$1 == idiom && $3 >= 200 && $5 >= floor { right = 1 } END { exit !right }' \
			"$out.quick" || echo "$i"
	done
}

# Another recording's timer may interrupt just before this one's: then the access is executed once more, and is sampled itself.
# So what falls short is run again, when the others have gone on, each time after a longer pause.
measure() { # build
	local i only pause
	: >"$out.quick"
	for pause in 0 0 1 5 15 30; do
		only=
		for i in $(short_of); do only+=" --only $i"; done
		[[ $only ]] || return
		sleep $pause
		# shellcheck disable=SC2086 # words
		"$here/run" --build "$1" $only >"$out.again"
		awk 'NR == FNR { again[$1] = 1; print; next } !($1 in again)' "$out.again" "$out.quick" >"$out.all" && mv "$out.all" "$out.quick"
	done
}

for b in "${builds[@]}"; do
	if ! "${b%%-*}" --version >/dev/null 2>&1; then
		# shellcheck disable=SC2086 # words
		skip "$b" "no compiler for it" "$(wc -w <<<$quick)"
		continue
	fi
	measure "$b"
	for i in $quick; do
		awk -v floor="$floor" -v idiom="$i" -v build="$b" '
			$1 == idiom { n = $3; share = $5; raw = $4 }
			END { printf("%s - %s, %s: %s %% of %d samples at the access that waits (%s %% as sampled)\n",
				(n >= 200 && share + 0 >= floor) ? "ok" : "not ok", idiom, build, share + 0, n, raw + 0) }' "$out.quick"
	done
done
