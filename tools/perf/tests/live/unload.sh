#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Publishers in libraries that are loaded, unloaded, and loaded again, in both TLS dialects (matrix/cycle.c, whose
# log has the right activity for each sample). After dlclose() there is no activity. After dlopen() samples are "not looked
# up yet" for up to 100 ms, and never wrong.
# `make long` (LONG=1) runs all rows, otherwise a selection.
check=$O/tests/tools/schedule_check
matrix=$SRC/tools/perf/tests/matrix

. "$SRC/tools/perf/tests/live/common"
needs_activities unload
plan $((${LONG:+14} + 4))

common=(-O2 -g -D_GNU_SOURCE -I"$SRC/tools/lib" -pthread)
# LAYOUT-DIALECT-PAD.so: a library. With PAD it is too large for the static block.
library() {
	local layout dialect pad
	IFS=- read -r layout dialect pad <<<"${1%.so}"
	$cc "${common[@]}" -fPIC -fvisibility=hidden -shared "-mtls-dialect=$dialect" "-DLAYOUT=$layout" \
		'-DACTIVITY_TLS_MODEL="global-dynamic"' $( ((pad)) && echo "-DPAD=$pad") -o "$1" "$matrix/publish.c"
}

# cycle NAME main|thread|cleared LIBRARY...: 400 ms with each, 400 ms without.
cycle() {
	local name=$1 how=$2 key value library early lost nr=$(($# - 2)) wrong
	shift 2
	rm -f log
	for library; do
		[[ -e $library ]] || library "$library" 2>err || { cat err; echo "not ok - $name: $library does not build"; return; }
	done
	"$PERF" record -q --sample-tls -k CLOCK_MONOTONIC -F 2000 -o perf.data -- ./cycle "$how" 400 log "${@/#/.\/}" 2>err
	"$check" perf.data log >counts 2>>err || echo ok 0 >counts
	while read -r key value; do declare -g "$key=$value"; done <counts
	wrong=$((torn + foreign + stale + misplaced + unset + truncated))
	early=$((unknown + inexact)) lost=$unreadable
	# Of each library's 800 samples; of its own 400 ms 150 for a machine that is busy.
	if ((wrong == 0 && ok >= nr * 400 && early <= nr * 450 && lost * 100 <= ok)); then
		echo "ok - $name"
	else
		cat err counts
		echo "not ok - $name"
	fi
}

for libc in glibc musl; do
	cc=${CC:-cc}
	if [[ $libc == musl ]]; then
		cc=$(command -v musl-gcc)
	fi
	if [[ -z $cc ]]; then
		skip "$libc" "no musl-gcc here" $((${LONG:+1} + 1))
		continue
	fi
	rm -f ./*.so
	if ! $cc "${common[@]}" -o cycle "$matrix/cycle.c" -ldl 2>why; then
		cat why
		echo "not ok - $libc: does not build"
		continue
	fi
	if [[ $libc == musl ]]; then
		# musl unloads nothing: what was there stays as it is.
		cycle "musl: gnu2" cleared OTEP-gnu2-0.so OTEP-gnu2-0.so
		[[ ! ${LONG:-} ]] || cycle "musl: gnu, large" cleared INLINE-gnu-16384.so
		continue
	fi
	if [[ ! ${LONG:-} ]]; then
		cycle "OTEP in main: gnu, then gnu2" main OTEP-gnu-0.so OTEP-gnu2-0.so
		cycle "INLINE in thread: gnu2, then gnu" thread INLINE-gnu2-0.so INLINE-gnu-0.so
		cycle "large ones, thread" thread OTEP-gnu2-16384.so INLINE-gnu-16384.so
		continue
	fi
	for how in main thread; do
		for layout in OTEP INLINE; do
			cycle "$layout in $how: gnu, then gnu2" $how $layout-gnu-0.so $layout-gnu2-0.so
			cycle "$layout in $how: gnu2, then gnu" $how $layout-gnu2-0.so $layout-gnu-0.so
		done
		cycle "the same path, $how" $how OTEP-gnu-0.so OTEP-gnu-0.so OTEP-gnu-0.so
		cycle "the same path, gnu2, $how" $how OTEP-gnu2-0.so OTEP-gnu2-0.so OTEP-gnu2-0.so
		cycle "large ones, $how" $how OTEP-gnu2-16384.so INLINE-gnu-16384.so OTEP-gnu-16384.so
		cycle "another layout in its place, $how" $how OTEP-gnu2-0.so LABELS-gnu2-0.so INLINE-gnu2-0.so OTEP-gnu2-0.so
	done
done
