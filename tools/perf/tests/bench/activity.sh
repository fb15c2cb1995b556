#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What do activities cost? First a change of them in the program that makes it. Then, of
# --sample-tls, the BPF program's time per sample for several windows, by the kernel's own account,
# and what recording takes from a busy program, with and without it. On a shared machine one run
# says little: publish.c tells the median and the best of its turns, the others are medians of five
# runs, in turns with what they are compared with.
runs=5

# What a change costs its program: publish.c says what is compared. The branches are kept off the
# 32-byte boundaries where an assembler can do that: on some CPUs code that has them there runs
# at half its speed, and which code has them is chance.
cc=${CC:-cc}
work=$(mktemp -d)
aligned=-Wa,-mbranches-within-32B-boundaries
echo | $cc $aligned -x assembler -c -o "$work/try.o" - 2>/dev/null || aligned=
publish() { # FILE, OPTION...
	$cc -O2 $aligned -falign-loops=32 -I"$SRC/tools/lib" "${@:2}" -o "$work/$1" \
		"$SRC/tools/perf/tests/bench/publish.c" "$O/libactivity.a" -pthread
}
publish publish || exit 1
instructions() { # PROGRAM, KIND: of one round, by the CPU's own count
	perf_count() { # ROUNDS
		"${STOCK_PERF:-/usr/bin/perf}" stat -x, -e instructions:u "$work/$program" "$1" "$2" 2>&1 >/dev/null | cut -d, -f1
	}
	local program=$1 few many
	few=$(perf_count "$2" 1000000)
	many=$(perf_count "$2" 3000000)
	if [[ $few =~ ^[0-9]+$ && $many =~ ^[0-9]+$ ]]; then
		echo $(((many - few + 1000000) / 2000000))
	else
		echo -
	fi
}
echo "change                             median [ns]   best [ns]   at most   instructions"
table() { # PROGRAM, KINDS, NOTE
	while IFS=$'\t' read -r kind what median best limit; do
		[[ $kind =~ ^($2)$ ]] && printf '%-32s   %11s   %9s   %7s   %12s\n' "$what$3" "$median" "$best" \
			"${limit/#0.0/}" "$(instructions "$1" "$kind")"
	done < <("$work/$1")
}
table publish '.*'
# One store of 32 bytes where the compiler may use it.
if grep -qw avx /proc/cpuinfo && publish avx -mavx; then
	table avx 'swap(-deep)?' ', -mavx'
fi
rm -rf "$work"
echo

schedule=$WORKLOADS/schedule
sources=$SRC/tools/perf/tests/workloads
work=$(mktemp -d)
cd "$work" || exit 1
stats=/proc/sys/kernel/bpf_stats_enabled
before=$(cat $stats 2>/dev/null)
trap 'echo "$before" >$stats; rm -rf "$work"' EXIT

if ! "$PERF" record -q --sample-tls -o try.data true 2>why || ! echo 1 >$stats; then
	echo "activity: not measured: $(tail -1 why)"
	exit 0
fi

# The program's mean run time in ns over one recording, then its runs.
cost() { # PROGRAM
	"$PERF" record -q --sample-tls -F 10000 -o cost.data -- "$1" busy 1 2.5 200 log >/dev/null 2>&1 &
	sleep 2
	bpftool prog show | awk '
		/ name sample_tls_/ {
			for (i = 1; i < NF; i++) {
				if ($i == "run_time_ns") time += $(i + 1)
				if ($i == "run_cnt") runs += $(i + 1)
			}
		}
		END { if (runs) printf "%.0f %d\n", time / runs, runs }'
	wait
}

# The line that has the median in its first column.
median() {
	sort -n | awk '{ line[NR] = $0 } END { print line[int((NR + 1) / 2)] }'
}

far() { # BYTES
	printf '#include "%s"\nstatic __thread char far[%d];\n__attribute__((used)) char *use(void) { return far; }\n' \
		"$sources/schedule.c" "$1" >far.c
	${CC:-cc} -O2 -pthread -I"$SRC/tools/lib" -I"$sources" -o far$1 far.c "$PWD/libactivity.so.1" "-Wl,-rpath,$PWD"
}

cp "$O/libactivity.so" libactivity.so.1
far 900
far 3900
programs=("$schedule" ./far900 ./far3900)
for ((run = 0; run < runs; run++)); do
	for i in 0 1 2; do
		cost "${programs[i]}" >>cost$i
	done
done
windows=(64 932 3932)
echo "window [bytes]   program [ns per sample]   samples"
for i in 0 1 2; do
	printf '%14s   %23s   %7s\n' ${windows[i]} $(median <cost$i)
done

# Rounds of the schedule per second of CPU time: what of it is left under sampling.
rounds() { # COMMAND...
	rm -f log
	"$@" "$schedule" busy 1 2 1000 log >cpu 2>/dev/null
	awk -v bytes="$(stat -c %s log)" '{ ns += $2 } END { printf "%.1f\n", bytes / 40 / ns * 1e9 }' cpu
}

for ((run = 0; run < runs; run++)); do
	rounds env >>plain
	rounds "$PERF" record -q -F 10000 -o r.data -- >>sampled
	rounds "$PERF" record -q --sample-tls -F 10000 -o r.data -- >>with_tls
done
echo "work left at 10 kHz: $(awk "BEGIN { printf \"%.1f %% sampled, %.1f %% sampled with --sample-tls\", \
	100 * $(median <sampled) / $(median <plain), 100 * $(median <with_tls) / $(median <plain) }")"
