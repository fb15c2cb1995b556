#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Everybody's publishers, in every way that a thread-local variable can be part of a process: each
# build below runs a schedule and knows what it did when, and what a sample says must be true for
# every one of them. `make matrix` (MATRIX=full) runs all of it, otherwise a selection.
. "$SRC/tools/perf/tests/live/common"
check=$O/tests/tools/schedule_check
workloads=$SRC/tools/perf/tests/workloads
matrix=$SRC/tools/perf/tests/matrix
musl=$(command -v musl-gcc)
[[ ${MATRIX:-} == full ]] && grace=100 seconds=0.5 || grace=1000 seconds=0.3

if ! "$PERF" record -q --sample-tls=auto -o try.data true 2>why; then
	skip_all_refused "matrix" why
fi
# All: in five places three rates, in two a fourth row, for 2 libcs, 2 dialects and 4 layouts; and the modes of five layouts.
[[ ${MATRIX:-} == full ]] && plan $(((5 * 3 + 2 * 4) * 2 * 2 * 4 + 4 * 11 + 10)) || plan 23

# Makes ./program; where that fails the reason is in ./why.
build() { # PLACE CC DIALECT LAYOUT
	local place=$1 cc=$2 layout=$4
	local common=(-O2 -g "-mtls-dialect=$3" -D_GNU_SOURCE -DPUBLISHER -I"$SRC/tools/lib" -I"$workloads"
		-I"$matrix" "-DLAYOUT=$layout" -pthread)
	local program=($cc "${common[@]}" -o program "$workloads/schedule.c")
	local publisher=($cc "${common[@]}" -fPIC -fvisibility=hidden -shared -o libpublish.so "$matrix/publish.c")
	local libraries=(-lrt -ldl) export=(-Wl,-E -lrt -ldl) # of their own before glibc 2.34

	rm -f program libpublish.so
	case $place in
	static) "${program[@]}" -static "$matrix/publish.c" "${export[@]}" ;;
	pie) "${program[@]}" -fPIE -pie "$matrix/publish.c" "${export[@]}" ;;
	no-pie) "${program[@]}" -no-pie "$matrix/publish.c" "${export[@]}" ;;
	aligned) "${program[@]}" -fPIE -pie -DPAD=200 -DALIGN=1024 "$matrix/publish.c" "${export[@]}" ;;
	library) "${publisher[@]}" && "${program[@]}" ./libpublish.so -Wl,-rpath,"$PWD" "${libraries[@]}" ;;
	dlopen | exhausted)
		# A library that is opened late cannot count on a place near the thread pointer.
		publisher+=('-DACTIVITY_TLS_MODEL="global-dynamic"')
		[[ $place == exhausted ]] && publisher+=(-DPAD=16384)
		"${publisher[@]}" && "${program[@]}" -DPUBLISHER_DLOPEN="\"$PWD/libpublish.so\"" "${libraries[@]}"
		;;
	esac >why 2>&1
}

# record NAME LEAST PERF-OPTIONS... -- MODE THREADS SECONDS STEP: the verdict on one recording.
# At least LEAST samples have an activity, and each is right. Only samples of a process's first 100 milliseconds, in
# which it has to be found, may have none. The selection may share its machine with other tests, so it checks that
# activities are right, not how early they are.
record() {
	local name=$1 least=$2 name2 value problems
	shift 2
	local options=()
	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	shift
	rm -f log perf.data
	"$PERF" record -q --sample-tls="${layout_asked:-auto}" -k CLOCK_MONOTONIC -o perf.data "${options[@]}" -- "$program" "$@" log >cpu 2>err
	"$check" perf.data log "$grace" >counts 2>>err ||
		printf '%s 0\n' samples ok kernel none updating unknown half >counts
	while read -r name2 value; do declare -g "$name2=$value"; done <counts
	problems=$((torn + foreign + stale + misplaced + unset + truncated + unreadable + inexact + unknown + whole))
	if ((problems == 0 && ok >= least)); then
		echo "ok - $name"
	else
		cat err counts
		echo "not ok - $name"
	fi
}

is_late() { # PLACE: 1 if the publisher may be opened late there
	[[ $1 == dlopen || $1 == exhausted ]] && echo 1 || echo 0
}

# The layouts by their schedule: OTEP, Elastic, labels by publish.c, ours from the header alone.
one() { # PLACE LIBC DIALECT LAYOUT RATES...
	local place=$1 libc=$2 dialect=$3 layout=$4 cc=${CC:-cc} rate
	shift 4
	[[ $libc == musl ]] && cc=$musl
	if [[ -z $cc ]]; then
		skip "$place $libc $dialect $layout" "no musl-gcc here" $(($# + $(is_late "$place")))
		return
	fi
	if ! build "$place" "$cc" "$dialect" "$layout"; then
		cat why
		echo "not ok - $place $libc $dialect $layout: does not build"
		return
	fi
	program=./program
	for rate in "$@"; do
		record "$place, $libc, $dialect, $layout at $rate Hz" $((rate / 50)) -F "$rate" -- busy 2 $seconds 100
	done
	# The first milliseconds are counted from the first change on.
	(($(is_late "$place"))) &&
		record "$place half a second late, $libc, $dialect, $layout" 200 -F 10000 -- late 2 $seconds 100
}

# How threads and processes start and end, and how often they change their activity.
modes() { # LAYOUT
	build pie "${CC:-cc}" gnu2 "$1" || { cat why; echo "not ok - $1 does not build"; return; }
	program=./program
	[[ $1 == LIBRARY ]] && program=$WORKLOADS/schedule
	for mode in fork exec exit hop fibers signals syscall futex fault; do
		record "$1: $mode" 200 -F 10000 -- "$mode" 2 0.8 100
		case $mode in
		syscall | futex | fault)
			[[ $1 == LABELS ]] || ((kernel * 3 > ok)) || { cat counts; echo "not ok - $1: $mode in the kernel"; } ;;
		esac
	done
	record "$1: 1000 threads" 200 -F 1000 -- busy 1000 2 20000
	if [[ $1 != LABELS ]]; then
		record "$1: half updates" 100 -F 10000 -- half 2 0.8 100
		((half > 100)) || { cat counts; echo "not ok - $1: half updates are not seen"; }
	fi
}

if [[ ${MATRIX:-} == full ]]; then
	for place in static pie no-pie aligned library dlopen exhausted; do
		for libc in glibc musl; do
			[[ $libc == musl && ! $musl ]] && { skip "$place with musl" "no musl-gcc here" $(((3 + $(is_late $place)) * 2 * 4)); continue; }
			for dialect in gnu gnu2; do
				for layout in INLINE OTEP ELASTIC LABELS; do
					one $place $libc $dialect $layout 1000 10000 20000
				done
			done
		done
	done
	for layout in LIBRARY INLINE OTEP ELASTIC LABELS; do
		modes $layout
	done
	exit
fi

# Each layout, each place, each libc and each dialect at least once.
while read -r place libc dialect layout rate; do
	one "$place" "$libc" "$dialect" "$layout" "$rate"
done <<-'END'
	static glibc gnu OTEP 10000
	static musl gnu ELASTIC 10000
	pie glibc gnu2 LABELS 10000
	aligned glibc gnu INLINE 20000
	aligned musl gnu2 OTEP 10000
	library glibc gnu ELASTIC 20000
	library musl gnu2 LABELS 10000
	dlopen glibc gnu2 INLINE 10000
	dlopen musl gnu OTEP 10000
	exhausted glibc gnu LABELS 10000
	exhausted glibc gnu2 OTEP 10000
	END
program=$WORKLOADS/schedule
for mode in exit hop fibers signals futex fault half; do
	record "libactivity: $mode" 100 -F 10000 -- $mode 2 0.3 100
done
((half > 100)) || { cat counts; echo "not ok - half updates are seen"; }

# For a reader that knows of OpenTelemetry's context alone.
if build pie "${CC:-cc}" gnu2 INLINE; then
	program=./program
	layout_asked=otep
	record "libactivity as OTEP 4947" 100 -F 10000 -- busy 2 $seconds 100
fi
