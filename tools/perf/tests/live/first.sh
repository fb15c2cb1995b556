#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The first samples of a program, before the recorder has had time to look it up; and that the
# closing line of a recording counts as a report of its file does, whatever was learnt late.
publisher=$SRC/tools/perf/tests/workloads/publisher.c

. "$SRC/tools/perf/tests/live/common"
needs_activities first
plan 21

# record NAME RECORD-ARGUMENTS...: fills ./perf.data and ./out, "STATE COUNT" by state as the report has it.
record() {
	local name=$1
	shift
	"$PERF" record --sample-tls -o perf.data "$@" 2>err </dev/null >/dev/null
	"$PERF" report -i perf.data --stdio -s activity 2>>err | sed -n 's/^# Activity of samples: //p' |
		tr , '\n' | sed -E 's/^ +//; s/(.*) ([0-9]+)$/\2 \1/' | grep -v '^0 ' | sort >out
	sed -nE 's/.*activities of samples: ([^];]*).*/\1/p' err | tr , '\n' | sed -E 's/^ +//; s/ +$//' | grep -v '^0 ' | sort >closing
	check "$name: the closing line counts as the report does" cmp -s closing out
}
count() { awk -v state="$1" '{ n = $1; sub(/^[0-9]+ /, "") } $0 == state { print n; found = 1 } END { if (!found) print 0 }' out; }

${CC:-cc} -O1 -D_GNU_SOURCE -fPIE -pie -rdynamic -o pie "$publisher"
${CC:-cc} -O1 -D_GNU_SOURCE -static -o static "$publisher"
${CC:-cc} -O1 -D_GNU_SOURCE -Dmain=publisher_main -shared -fPIC -o libpub.so "$publisher"
echo 'int publisher_main(int, char **); int main(int argc, char **argv) { return publisher_main(argc, argv); }' >main.c
${CC:-cc} -o linked main.c ./libpub.so -Wl,-rpath,"$PWD"

# A pointer in the copied window, without the memory that it points to, would be "inexact".
for program in pie static; do
	for what in otep labels; do
		record "$program, $what" -F 5000 -- ./$program $what 0.3
		check "$program, $what: what perf starts is known before its first sample" \
			test "$(count ok)" -ge 300 -a "$(count inexact)" -eq 0 -a "$(count 'not looked up yet')" -eq 0
	done
done

# Thread states and waits have activities, too, and are made by the recorder.
record "thread states" --wall=100 -- ./pie otep 0.3
record "thread states, waits and a timer" --wall=100 --off-cpu=0 -e cpu-clock -F 1000 -- ./pie otep 0.3

# At its end a program is known as long as its events take samples: the last of them.
"$PERF" record -q --sample-tls -e sched:sched_process_exit -o perf.data -- ./static otep 0.05 2>err </dev/null >/dev/null
"$PERF" report -i perf.data --stdio -q -F sample,activity 2>>err >out
check "what ends is known to its last sample" grep -q '^ *1  00010203' out

# The program gets most of the recorder's CPU, and has so many mappings that reading them takes long. The BPF program
# must never get only some of the variables that were found.
cat >mappings.c <<'END'
#include <sys/mman.h>
#define PAGES 15000
__attribute__((constructor)) static void split(void)
{
	char *at = mmap(0, PAGES * 4096L, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (long i = 0; i < PAGES; i += 2)
		madvise(at + i * 4096, 4096, MADV_DONTFORK);
}
END
${CC:-cc} -O1 -D_GNU_SOURCE -static -o mappings "$publisher" mappings.c
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
worst=0
for _ in 1 2 3 4; do
	taskset -c "$cpu" "$PERF" record --sample-tls -F 5000 -m 4M -o perf.data -- nice -n -20 ./mappings labels 0.3 2>err >/dev/null </dev/null
	early=$(sed -nE 's/.*activities of samples: [0-9]+ ok.* ([0-9]+) not looked up yet.*/\1/p' err)
	grep -q 'activities of samples: [0-9]* ok' err || early=all
	[[ -z $early ]] || worst=$early
done
check "a recorder that has little time: what perf starts is known before its first sample" test "$worst" = 0

# Processes of a few milliseconds: each run except the first is known from the earlier runs.
cat >many.sh <<'END'
$1 otep 0.3
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do $1 otep 0.005; done
END
for program in pie linked; do
	record "$program, 20 times 5 ms" -F 10000 -- sh many.sh ./$program
	"$PERF" report -i perf.data --stdio -s pid,activity -F sample,pid,activity 2>>err >pids
	check "$program, 20 times 5 ms: all are read" \
		awk '$1 ~ /^[0-9]+$/ && /:1011121314151617/ { pids++ } END { exit !(pids >= 19) }' pids
done

# A library that is opened among 100 threads: until it is known its samples say so, and that takes
# 100 ms at most where the machine is no busier than that. The best of three.
check=$O/tests/tools/schedule_check
matrix=$SRC/tools/perf/tests/matrix
flags=(-O2 -g -D_GNU_SOURCE -DPUBLISHER -DLAYOUT=OTEP "-I$SRC/tools/lib" "-I$WORKLOADS" "-I$matrix" -pthread)
${CC:-cc} "${flags[@]}" -mtls-dialect=gnu2 -fPIC -fvisibility=hidden -shared -o libpublish.so "$matrix/publish.c" &&
	${CC:-cc} "${flags[@]}" "-DPUBLISHER_DLOPEN=\"$PWD/libpublish.so\"" -o late "$SRC/tools/perf/tests/workloads/schedule.c" -lrt -ldl
best=
for _ in 1 2 3; do
	rm -f log
	"$PERF" record -q --sample-tls -k CLOCK_MONOTONIC -F 2000 -o perf.data -- ./late late 100 1 20000 log >cpu 2>err </dev/null
	"$check" perf.data log 100 >out 2>>err
	if awk '/^(unset|stale|torn|foreign|misplaced|unreadable|truncated|inexact|unknown) / { wrong += $2 } /^ok / { ok = $2 } END { exit wrong || ok < 200 }' out; then
		best=yes
		break
	fi
done
check "opened late among 100 threads: known within 100 ms" test "$best"

# Rings so small that the exec is among what is lost, and a tracepoint that fills them: the process is found in
# /proc, from its beginning on. (The best of three: it may have ended when the recorder looks.)
best=
for _ in 1 2 3; do
	rm -f log
	"$PERF" record -q --sample-tls -k CLOCK_MONOTONIC -a -e cpu-clock -e raw_syscalls:sys_enter -m 16 -o perf.data \
		-- "$WORKLOADS/schedule" syscall 2 0.3 500 log >cpu 2>err </dev/null
	"$check" perf.data log >out 2>>err
	if awk '/^(unset|stale|torn|foreign) / { wrong += $2 } /^ok / { ok = $2 } END { exit wrong || ok < 1000 }' out; then
		best=yes
		break
	fi
done
check "an exec that was lost" test "$best"

record "all CPUs" -a -F 2000 -- sh many.sh ./linked
record "forks and execs, two events" -e cpu-clock -e task-clock -F 2000 -- sh many.sh ./pie
record "threads that come and go" -F 2000 -- "$WORKLOADS/schedule" exit 2 0.5 100 log
