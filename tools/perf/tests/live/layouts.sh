#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record --sample-tls against programs that publish as other people's libraries do
# (workloads/publisher.c): which layout is found, what is behind its pointer, and what processes
# state of themselves, when they say it late, too.
publisher=$SRC/tools/perf/tests/workloads/publisher.c
ids=000102030405060708090a0b0c0d0e0f:1011121314151617

. "$SRC/tools/perf/tests/live/common"
needs_activities layouts
plan 52

# publish PROGRAM PUBLISHER-ARGUMENTS...: fills ./perf.data, and out with rows by $keys.
keys=activity
layout=auto
publish() {
	"$PERF" record -q "--sample-tls=$layout" -F 2000 -o perf.data -- "$@" 2>err
	"$PERF" report --stdio -s "$keys" 2>>err | grep '%' | sed -E 's/^ +//; s/ +$//' >out
}

# The largest row is @1, and has 80 % at least: until a process is known it cannot be read.
mostly() {
	awk -v want="$1" 'NR == 1 { share = $1 + 0; sub(/^[^ ]+ +/, ""); exit !($0 == want && share >= 80) } END { if (!NR) exit 1 }' out
}
never() { ! grep -qF "$1" out; }

# share LEAST MOST ROW: of the samples, in percent.
share() {
	awk -v least="$1" -v most="$2" -v want="$3" '
		{ percent = $1 + 0; sub(/^[^ ]+ +/, "") }
		$0 == want { found = percent }
		END { exit !(found >= least && found <= most) }' out
}

# threads_that_are ROW N: with rows by tid, ROW is three quarters and more of what N threads do.
threads_that_are() {
	awk -v want="$1" -v n="$2" '
		{ percent = $1 + 0; tid = $2; sub(/^[^ ]+ +[^ ]+ +/, ""); all[tid] += percent }
		$0 == want { is[tid] = percent }
		END {
			for (tid in is)
				n -= is[tid] >= 0.75 * all[tid]
			exit n != 0
		}' out
}

gcc_tls() { # OUTPUT FLAGS...
	${CC:-cc} -O1 -D_GNU_SOURCE -o "$1" "$publisher" "${@:2}" 2>err || { cat err; echo "not ok - $1 does not build"; }
}
# Programs that perf starts are known before their first sample: 0.3 seconds of CPU time are enough. Libraries that are loaded
# late take up to 0.1 seconds to be known.
gcc_tls pie -fPIE -pie -rdynamic
gcc_tls static -static

for program in pie static; do
	publish ./$program otep 0.3
	check "OTEP 4947, $program" mostly "$ids"
	publish ./$program elastic 0.3
	check "Elastic, $program" mostly "$ids"
	publish ./$program labels 0.3
	check "custom-labels, $program" mostly "route=/pay user=ann"
done
publish ./pie otep,elastic,labels 0.3
check "several at once: OTEP is preferred" mostly "$ids"
layout=labels,elastic publish ./pie otep,elastic,labels 0.3
check "those that are asked for only" mostly "$ids"
layout=labels publish ./pie otep,elastic,labels 0.3
check "one that is asked for only" mostly "route=/pay user=ann"

for what in otep elastic; do
	publish ./pie $what 0.3 half
	check "half an update of $what" mostly "(being updated)"
	check "half an update of $what never shows an id" never "$ids"
done

# Names come from the process context: there from the start, or later, and in a mapping that
# only its first bytes tell from others.
facts() { # PERF.DATA: what its processes state, as text
	"$PERF" report -D -i "$1" 2>/dev/null | grep -c 'states of itself: form [12]'
}
for what in otep,context otep,late otep,late,anonymous elastic; do
	publish ./pie $what 0.6
	check "a process that states what it is: $what" test "$(facts perf.data)" -ge 1
done
keys=label:route
publish ./pie otep,late 1.2
check "within 100 ms of a third of its time its attributes have names" share 58 75 /pay
keys=activity
publish ./pie otep,context,again 0.6
check "a process that states something else later" test "$(facts perf.data)" -eq 2
keys=label:route
publish ./pie otep,context 0.3
check "attributes have the names of the process context" mostly /pay
keys=activity

# Libraries: one that the program starts with, and one that it loads.
cat >load.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	struct timespec half = { 0, 300000000 };
	int (*run)(int, char **);
	void *lib;

	nanosleep(&half, NULL);
	lib = dlopen(argv[1], RTLD_NOW);
	run = lib ? (int (*)(int, char **))dlsym(lib, "publisher_main") : NULL;
	return run ? run(argc - 1, argv + 1) : 2;
}
END
${CC:-cc} -o load load.c
library() { # OUTPUT FLAGS...
	gcc_tls "$1" -shared -fPIC -Dmain=publisher_main "${@:2}"
}
library ./libgnu.so
library ./libgnu2.so -mtls-dialect=gnu2
# Larger than the part of the static TLS block that a late library can get.
sed 's/^TLS void \*otel_thread_ctx_v1;/__thread char far[100000];\n&/' "$publisher" >far.c
publisher=far.c library ./libfar.so
publisher=far.c library ./libfar2.so -mtls-dialect=gnu2
for lib in libgnu libgnu2 libfar libfar2; do
	for what in $([[ $lib == libgnu2 || $lib == libfar ]] && echo otep || echo otep elastic labels); do
		publish ./load ./$lib.so $what 0.7
		[[ $what == labels ]] && expected="route=/pay user=ann" || expected=$ids
		check "$lib, loaded late: $what" mostly "$expected"
	done
done

# A child inherits its parent's variable; a program after exec does not.
cat >fork.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int publisher_main(int argc, char **argv);
int main(int argc, char **argv)
{
	if (fork() == 0)
		return publisher_main(argc, argv);
	wait(NULL);
	return 0;
}
END
${CC:-cc} -O1 -D_GNU_SOURCE -Dmain=publisher_main -c -o publisher.o "$publisher"
${CC:-cc} -O1 -o forks fork.c publisher.o
publish ./forks otep 0.3
check "a forked child" mostly "$ids"

# The records of a CPU are read one after the other, so of what a shell starts on another CPU the
# exec is heard of before the fork.
if (($(nproc) > 1)); then
	publish taskset -c 1 sh -c 'taskset -c 0 ./pie otep 0.6; true'
	check "an exec that is heard of before its fork" mostly "$ids"
else
	skip "an exec that is heard of before its fork" "one CPU"
fi

# The later process stores the same pointer at the same place under another name.
cat >exec.c <<'END'
#include <unistd.h>
int publisher_main(int argc, char **argv);
int main(int argc, char **argv)
{
	publisher_main(argc, argv);
	execl("./stranger", "stranger", "otep", "1.2", NULL);
	return 1;
}
END
${CC:-cc} -O1 -o execs exec.c publisher.o
gcc_tls stranger -Dotel_thread_ctx_v1=somebodys_context -Delastic_apm_profiling_correlation_tls_v1=somebodys_record \
	-Dcustom_labels_current_set=somebodys_set
publish ./execs otep 0.6
check "an exec ends it" share 40 55 "$ids"
check "what comes after it has none" share 45 60 "(none)"

# Threads that have never touched a late library's variable have no block for it, and no activity:
# one from before the library, one from after it.
cat >untouched.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
static void *spin(void *arg)
{
	for (volatile int i = 0;;)
		i++;
	return arg;
}
int main(int argc, char **argv)
{
	int (*run)(int, char **);
	pthread_t thread;
	void *lib;

	pthread_create(&thread, NULL, spin, NULL);
	lib = dlopen(argv[1], RTLD_NOW);
	run = lib ? (int (*)(int, char **))dlsym(lib, "publisher_main") : NULL;
	pthread_create(&thread, NULL, spin, NULL);
	return run ? run(argc - 1, argv + 1) : 2;
}
END
${CC:-cc} -o untouched untouched.c -pthread
for lib in libgnu libgnu2 libfar libfar2; do
	keys=tid,activity publish ./untouched ./$lib.so otep 1
	check "$lib: a thread's own" threads_that_are "$ids" 1
	check "$lib: and no other's" test "$(grep -cF "$ids" out)" = 1
	check "$lib: none in threads that never touched it" threads_that_are "(none)" 2
done

# Large processes cost what their samples cost: their maps are read once, their threads never.
cat >crowd.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int publisher_main(int argc, char **argv);
static void *sleeper(void *arg)
{
	pause();
	return arg;
}
int main(int argc, char **argv)
{
	size_t maps = strtoul(argv[1], NULL, 0), threads = strtoul(argv[2], NULL, 0);
	char *at = mmap(NULL, maps * 8192 + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pthread_attr_t attr;
	pthread_t thread;

	for (size_t i = 0; i < maps && at != MAP_FAILED; i++)
		mprotect(at + i * 8192, 4096, PROT_READ);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 16384);
	for (size_t i = 0; i < threads; i++)
		if (pthread_create(&thread, &attr, sleeper, NULL))
			break;
	puts("ready");
	fflush(stdout);
	return publisher_main(argc - 2, argv + 2);
}
END
${CC:-cc} -O1 -pthread -o crowd crowd.c publisher.o
map_count=/proc/sys/vm/max_map_count
old_count=$(cat $map_count)
trap 'echo "$old_count" >$map_count' EXIT
echo 262144 2>/dev/null >$map_count
maps=$((($(cat $map_count) - 30000) / 2))
((maps > 50000)) && maps=50000

# crowd_cost RECORD-OPTIONS...: CPU seconds of a recording of a second.
crowd_cost() {
	TIMEFORMAT='%U %S'
	{ time "$PERF" record -a -q -F 500 -o crowd.data "$@" -- sleep 1 2>err; } 2>&1 | awk '{ print $1 + $2 }'
}
./crowd 4 1 otep,context 100 >ready &
few=$!
few_cost=$(crowd_cost --sample-tls)
kill $few
rm -f ready
./crowd $maps 10000 otep,context 100 >ready &
many=$!
for _ in {1..200}; do
	grep -qs ready ready && break
	sleep 0.1
done
echo "# $(wc -l </proc/$many/maps) mappings, $(ls /proc/$many/task | wc -l) threads"
plain_cost=$(crowd_cost)
# The best of up to three runs, because the machine may be slow for a moment.
for _ in 1 2 3; do
	many_cost=$(crowd_cost --sample-tls)
	# What reading the maps once takes, here where it is the recorder's largest part.
	awk "BEGIN { exit !($many_cost - $plain_cost < $few_cost + 0.5) }" && cheap=yes && break
done
"$PERF" report -i crowd.data --stdio -s activity 2>err | grep '%' >out
kill $many
wait $few $many 2>/dev/null
echo "# CPU seconds: $few_cost for a small process, $many_cost for a large one ($plain_cost without activities)"
check "a large process is read" grep -q "$ids" out
check "a large process costs what its samples cost" test "${cheap:-}" = yes

# What OpenTelemetry's eBPF instrumentation says of threads that say nothing themselves, in a
# map that it pins: here by hand, in a mount namespace of its own.
cat >obi.sh <<'END'
mount -t bpf bpf /sys/fs/bpf && mkdir -p /sys/fs/bpf/otel || exit 1
map=/sys/fs/bpf/otel/traces_ctx_v1
$BPFTOOL map create $map type lru_hash key 8 value 24 entries 64 name traces_ctx_v1 || exit 1
./pie nothing 60 & pid=$!
key=$(printf '%016x' $((pid << 32 | pid)) | sed -E 's/(..)(..)(..)(..)(..)(..)(..)(..)/\8 \7 \6 \5 \4 \3 \2 \1/')
$BPFTOOL map update pinned $map key hex $key value hex \
	00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 || exit 1
"$PERF" record -q --sample-tls -F 1000 -o perf.data -p $pid -- sleep 0.5
"$PERF" record -q --sample-tls -F 1000 --switch-output -o parts.data -p $pid -- sh -c 'sleep 0.5; kill -USR2 $PPID; sleep 0.5'
kill $pid
END
BPFTOOL=$(command -v bpftool || ls /usr/sbin/bpftool 2>/dev/null)
export BPFTOOL
if [[ $BPFTOOL ]] && unshare -m bash obi.sh 2>err; then
	"$PERF" report --stdio -s activity 2>>err | grep '%' | sed -E 's/^ +//; s/ +$//' >out
	check "OBI's map" mostly "$ids"
	parts=(parts.data.*)
	"$PERF" report --stdio -s activity -i "${parts[-1]}" 2>>err | grep '%' | sed -E 's/^ +//; s/ +$//' >out
	check "OBI's map, in the second of two files" eval '((${#parts[@]} == 2)) && mostly "$ids"'
else
	skip "OBI's map" "$(tail -1 err)" 2
fi

# A Go program without any C, where Go is: what pprof.Do() sets, also in other goroutines.
cat >labels.go <<'END'
package main

import (
	"context"
	"runtime/pprof"
	"time"
)

func work(end time.Time, done chan bool) {
	for x := 0; time.Now().Before(end); x++ {
		for i := 0; i < 100000; i++ {
			x += i
		}
	}
	done <- true
}

func main() {
	done := make(chan bool)
	end := time.Now().Add(800 * time.Millisecond)
	pprof.Do(context.Background(), pprof.Labels("user", "ann", "route", "/pay"), func(context.Context) {
		go work(end, done)
		go work(end, done)
	})
	<-done
	<-done
}
END
if command -v go >/dev/null && GOCACHE=$PWD/gocache HOME=$PWD CGO_ENABLED=0 go build -o golabels labels.go 2>err; then
	publish ./golabels
	check "Go: labels of goroutines" mostly "route=/pay user=ann"
else
	skip "Go: labels of goroutines" "no Go here"
fi

# A musl program, where musl is.
if command -v musl-gcc >/dev/null; then
	CC=musl-gcc gcc_tls musl -fPIE -pie -rdynamic
	publish ./musl otep 0.6
	check "musl" mostly "$ids"
	CC=musl-gcc library ./libmusl.so
	musl-gcc -o load-musl load.c
	publish ./load-musl ./libmusl.so otep 0.7
	check "musl, loaded late" mostly "$ids"
else
	skip "musl" "no musl-gcc here" 2
fi

# Stock perf reads such a file, and shows its samples.
publish ./pie otep,context 0.3
if "$STOCK_PERF" report -i perf.data --stdio >stock 2>stock.err && grep -q '\[\.\] work$' stock && ! grep -qi 'error\|warn' stock.err; then
	echo "ok - stock perf reads the file"
else
	cat stock.err stock
	echo "not ok - stock perf reads the file"
fi
