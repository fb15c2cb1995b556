#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What it costs to look at all threads 20 times a second, and what is then known: perf record --wall by its sources, and xcapture 3 beside
# it (built by bench/xcapture; XTOOLS=DIR: from this clone). SECONDS_EACH (default 10): of each row.
#
# Cost: CPU time of a recorder, by the scheduler's sums, from its third second on, for each thread and look. What the list of switched
# threads costs at each switch is not in it: it is nobody's time (bench/always.sh has it).
. "$SRC/tools/perf/tests/bench/common"
each=${SECONDS_EACH:-10}
[[ $(id -u) = 0 ]] || {
	echo "bench: looking at threads by BPF needs root"
	exit 0
}
xcapture=$("$SRC/tools/perf/tests/bench/xcapture" "$dir/xcapture" | tail -1)
[[ -x $xcapture ]] || {
	echo "xcapture: skipped: $xcapture"
	xcapture=
}
trap 'kill $(jobs -p) 2>/dev/null' EXIT

throng() { # arguments of the workload; sets pid
	"$WORKLOADS/throng" "$@" >throng.out &
	pid=$!
	until grep -q ready throng.out; do sleep 0.1; done
}
ns() { cat "/proc/$1/task/"*/schedstat 2>/dev/null | awk '{ s += $1 } END { printf "%.0f", s }'; }
row() { # what, threads, looks per second, bytes of, command with SECONDS in it
	local recorder before was
	bash -c "exec ${5//SECONDS/$((each + 5))}" >output 2>cost.log &
	recorder=$!
	sleep 3
	before=$(ns $recorder) was=$(du -bs "$4" | cut -f1)
	sleep "$each"
	awk -v what="$1" -v ns=$(($(ns $recorder) - before)) -v each="$each" -v nr="$2" -v hz="$3" \
		-v size=$(($(du -bs "$4" | cut -f1) - was)) 'BEGIN {
		printf "%-44s %7.2f %% %9.3f us %9.1f kB/s\n", what, ns / 1e7 / each, ns / 1e3 / each / nr / hz, size / each / 1000 }'
	wait $recorder || tail -1 cost.log >&2
}
cost_rows() { # title, threads
	printf '\n%-44s %9s %12s %14s\n' "$1" "of a CPU" "thread, look" "written"
	for source in bpf-list bpf-loop bpf-iter proc; do
		row "perf record --wall=20 -z, $source" "$2" 20 w.data \
			"'$PERF' record -q -z --wall=20 --wall-merge=1000 --wall-source=$source -p $pid -o w.data -- sleep SECONDS"
	done
	row "perf record --wall=20 -z -g, bpf-list" "$2" 20 w.data \
		"'$PERF' record -q -z -g --wall=20 --wall-merge=1000 --wall-source=bpf-list -p $pid -o w.data -- sleep SECONDS"
	[[ $xcapture ]] || return
	rm -rf x && mkdir x
	row "xcapture -F 20 -a" "$2" 20 x "'$xcapture' -F 20 -i \$((SECONDS * 20)) -a -p $pid -o x"
	rm -rf x && mkdir x
	row "xcapture -F 20 -a -k" "$2" 20 x "'$xcapture' -F 20 -i \$((SECONDS * 20)) -a -k -p $pid -o x"
}

throng 2000 0 1 0
cost_rows "2,000 threads, all asleep" 2001
kill $pid
throng 1900 100 10 0
cost_rows "2,000 threads, 100 wake ten times a second" 2001
kill $pid
throng 1900 100 100 0
cost_rows "2,000 threads, 100 wake 100 times a second" 2001
kill $pid

# The same threads at the same time, and what the scheduler says of them.
sums() { # all threads of the process: seconds on a CPU, in the run queue
	cat /proc/$pid/task/*/schedstat | awk '{ on += $1; queue += $2 } END { printf "%.3f %.3f", on / 1e9, queue / 1e9 }'
}
throng 500 100 100 3
printf '\n%-44s %9s %12s %14s\n' "604 threads, 3 busy, 100 tickers: shares" "on CPU" "run queue" "asleep"
export -f sums
export pid
beside=
[[ ! $xcapture ]] || {
	rm -rf x && mkdir x
	"$xcapture" -F 20 -i $((each * 20)) -a -p $pid -o x >output 2>&1 &
	beside=$!
}
# The sums are read while it records: what is there before it begins is not of the recording.
"$PERF" record -q --wall=20 -p $pid -o shares.data -- bash -c "sums >sums1; sleep $each; sums >sums2"
[[ ! $beside ]] || wait $beside
paste sums1 sums2 | awk -v each="$each" '{ on = $3 - $1; queue = $4 - $2; row = "%-44s %7.2f %% %10.2f %% %12.2f %%\n"
	printf row, "the scheduler", on / each / 6.04, queue / each / 6.04, 100 - (on + queue) / each / 6.04 }'
"$PERF" script -i shares.data -G -F period,state 2>/dev/null | awk '/on CPU/ { on += $1 } /run queue/ { queue += $1 } /S \(/ { s += $1 }
	END { all = (on + queue + s) / 100; printf "%-44s %7.2f %% %10.2f %% %12.2f %%\n", "perf record --wall=20", on / all, queue / all, s / all }'
[[ ! $xcapture ]] || cat x/xcapture_samples*.csv | awk -F, '$7 == "RUN" { on++ } $7 == "RUNQ" { queue++ } $7 ~ /^SLEEP/ { s++ }
	END { all = (on + queue + s) / 100; printf "%-44s %7.2f %% %10.2f %% %12.2f %%\n", "xcapture -F 20 -a", on / all, queue / all, s / all }'
kill $pid

throng 10000 0 1 0
"$PERF" record --wall=20 -a -o many.data -- sleep 2 >output 2>many.log
printf '\n10,000 threads: %s of them in the file; %s\n' "$("$PERF" script -i many.data -G --comms throng -F tid 2>/dev/null | sort -u | grep -c .)" \
	"$(grep -o 'thread states.*' many.log | tr -d ']')"
