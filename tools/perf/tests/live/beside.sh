#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Recording while another profiler that asks for build-ids records everything: the kernel then says of our
# records of mappings, too, that they have build-ids.
#
# STOCK_PERFS may name stock perfs, separated by ':' ("@/srv/root perf" runs it under chroot /srv/root):
# each is another profiler, and reads what was recorded.
. "$SRC/tools/perf/tests/live/common"
set -u
verdict() { # name: of the command before, with log as explanation
	(($? == 0)) && echo "ok - $1" || { head -20 log; echo "not ok - $1"; }
}
other=$O/tests/tools/build_id_recorder
"$other" true 2>log
if (($? == 77)); then
	skip_all "beside another recorder" "$(tail -1 log)"
fi
"$PERF" record -e cpu-clock -o probe.data true >log 2>&1 || {
	skip_all_refused "beside another recorder" log
}
IFS=: read -ra stocks <<<"${STOCK_PERFS:-}"
plan $((12 + 2 * ${#stocks[@]}))
load=("$WORKLOADS/publisher" otep 1)
symbols_of() { # file, reader...: share of samples of the workload with a symbol of it
	local file=$1
	shift
	"$@" report -i "$file" --stdio -q --comm publisher --dso publisher -s sym 2>>log |
		awk '/%/ { all += $1; if ($3 !~ /^0x/) named += $1 } END { printf "%d\n", all ? 100 * named / all : 0 }'
}
inodes_of() { # file, reader...: whether its maps hold inodes and none a build-id
	local file=$1
	shift
	"$@" script -i "$file" --show-mmap-events 2>>log | grep -a 'MMAP2.*/publisher$' >maps
	cat maps >>log
	[[ -s maps ]] && ! grep -q '<' maps
}
judge() { # name, file
	: >log
	local named
	named=$(symbols_of "$2" "$PERF")
	echo "# $1: $named % of its samples have a symbol" >>log
	((named > 90)) && inodes_of "$2" "$PERF"
	verdict "$1"
	[[ -x $STOCK_PERF ]] || { skip "$1: as stock perf reads it" "there is no $STOCK_PERF"; return; }
	inodes_of "$2" "$STOCK_PERF"
	verdict "$1: as stock perf reads it"
}

"$other" "$PERF" record -e cpu-clock -F 500 -o own.data "${load[@]}" >log 2>&1
judge "a command's own maps" own.data
# The kernel gives a record to the newest recorder of all CPUs first, so the other recorder starts after ours.
"$PERF" record -a -e cpu-clock -F 500 -o all.data "$other" "${load[@]}" >log 2>&1
judge "maps of all CPUs" all.data
"$other" "$PERF" record --sample-tls -e cpu-clock -F 500 -o tls.data "${load[@]}" >log 2>&1
judge "maps with activities" tls.data
"$PERF" report -i tls.data --stdio -s activity >log 2>&1
grep -qE '^ +(100|[89][0-9])\.[0-9]+% +000102030405060708090a0b0c0d0e0f:1011121314151617 *$' log
verdict "activities are found beside it"
# If our own event asks for build-ids, they are used.
"$other" "$PERF" record --buildid-mmap -e cpu-clock -F 500 -o ids.data "${load[@]}" >log 2>&1
(($(symbols_of ids.data "$PERF") > 90)) && "$PERF" script -i ids.data --show-mmap-events | grep -aq 'MMAP2.*<[0-9a-f]\{40\}>.*/publisher$'
verdict "build-ids that we asked for"

# What stock perf 6.1 records has the bit, and the reader must not believe it. (Without -B it takes
# the device's number for a build-id's size itself, and dies.)
"$other" "$STOCK_PERF" record -B -e cpu-clock -F 500 -o stock.data "${load[@]}" >log 2>&1
if [[ -s stock.data ]]; then
	(($(symbols_of stock.data "$PERF") > 90)) && inodes_of stock.data "$PERF"
	verdict "a file that stock perf recorded beside it"
else
	skip_refused "a file that stock perf recorded" log
fi

# A BPF program is loaded while two recorders run: the record of the second recorder states a larger size than
# it has.
"$PERF" record -a -e cpu-clock -F 10 -o first.data -- bash -c '>first; until [[ -e loaded ]]; do sleep 0.1; done' >log 2>&1 &
first=$!
for _ in {1..300}; do [[ -e first ]] && break; sleep 0.1; done
"$PERF" record -a -e cpu-clock -F 10 -o second.data -- "$PERF" record -q --sample-tls -e cpu-clock -o loads.data -- sleep 0.2 >>log 2>&1
>loaded
wait $first
if "$PERF" script -D -i first.data 2>>log | grep -a 'PERF_RECORD_BPF_EVENT type 1' >events; then
	cat events >>log
	"$PERF" script -D -i second.data 2>>log | grep -a 'PERF_RECORD_BPF_EVENT' >>events
	# A header of 8 bytes, 16 of its own, and who (8), when (8), where (8) and which event (8).
	! grep -v '\[0x38\]' events
	verdict "records of a program that two recorders see are whole"
	for file in first.data second.data; do
		"$STOCK_PERF" report --stats -i $file >log 2>&1
		verdict "stock perf reads $file with them"
	done
else
	skip "records of a program that two recorders see" "no program was loaded here" 3
fi

# The stock perfs themselves, if one of them asks for build-ids.
for which in "${stocks[@]}"; do
	run=($which)
	[[ $which == @* ]] && run=(chroot ${which:1})
	"${run[@]}" record -a -e cpu-clock -F 10 -o /tmp/beside.data -- sleep 8 >other.log 2>&1 &
	sleep 2
	"$PERF" record -e cpu-clock -F 500 -o beside.data "${load[@]}" >log 2>&1
	judge "beside $which" beside.data
	wait
done
