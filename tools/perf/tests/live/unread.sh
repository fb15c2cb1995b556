#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Processes that publish activities in a way that is not read: the closing lines name each, with
# what to do.
. "$SRC/tools/perf/tests/live/common"
publisher=$SRC/tools/perf/tests/workloads/publisher.c

if ! "$PERF" record -q --sample-tls -o try.data true 2>why; then
	skip_all_refused "unread" why
fi
if "$PERF" version --build-options | grep -q 'protobuf.*OFF'; then
	skip_all "unread" "this build does not read process contexts"
fi
plan 10

# says NAME WORDS PROGRAM: a recording of it ends in one line that has WORDS, its id and its name.
says() {
	local name=$1 words=$2 program=$3
	"$PERF" record --sample-tls -F 100 -o perf.data -- sh -c "echo \$\$ >pid; exec ./$program otep,context 0.4" 2>err </dev/null
	grep 'perf record: process' err >lines
	if [[ $(wc -l <lines) == 1 ]] && grep -qF "process $(cat pid) ($program)" lines && grep -qF -e "$words" lines; then
		echo "ok - $name"
	else
		cat err
		echo "not ok - $name"
	fi
}

build() { # PROGRAM FLAGS...
	${CC:-cc} -O1 -D_GNU_SOURCE -o "$1" "$publisher" "${@:2}" 2>why
}
other=(-Dotel_thread_ctx_v1=somebodys -Delastic_apm_profiling_correlation_tls_v1=others -Dcustom_labels_current_set=thing)

if build small -m32; then
	says "a 32-bit program" "32-bit program; run a 64-bit build" small
	"$PERF" record --sample-tls -F 100 -o perf.data -- ./small otep 0.3 2>err </dev/null
	if grep -q "(small).*32-bit program" err; then
		echo "ok - a 32-bit program without a process context"
	else
		cat err
		echo "not ok - a 32-bit program without a process context"
	fi
else
	skip "a 32-bit program" "this compiler makes none" 2
fi
build bare -static -s && says "a stripped static program" "its program has no symbols; link it with -Wl,--export-dynamic-symbol=otel_thread_ctx_v1" bare
build hidden -fPIE -pie -s && says "a program that does not export it" "defines otel_thread_ctx_v1: export it" hidden

# Mappings of other programs must not hide it. Their records use the same ring, which has limited room.
cat >storm.c <<'END'
#include <sys/mman.h>
int main(void)
{
	for (;;)
		munmap(mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
}
END
if [[ -x hidden ]] && ${CC:-cc} -o storm storm.c; then
	./storm &
	storm=$!
	says "beside a program that maps without end" "defines otel_thread_ctx_v1: export it" hidden
	"$PERF" record -a --sample-tls -F 100 -o perf.data -- sh -c 'echo $$ >pid; exec ./hidden otep,context 2' 2>err </dev/null
	kill $storm
	if grep -qF "process $(cat pid) (hidden) states that it publishes activities" err; then
		echo "ok - beside a program that maps without end, on all CPUs"
	else
		cat err
		echo "not ok - beside a program that maps without end, on all CPUs"
	fi
fi
build strange "${other[@]}" -DSCHEMA='"somebodys_v9"' && says "an unknown form" "their format 'somebodys_v9' is unknown" strange

build plain -DSCHEMA='"tlsdesc_v1_dev"'
"$PERF" record --sample-tls -F 100 -o perf.data -- ./plain otep,context 0.4 2>err </dev/null
if grep 'perf record: process' err; then
	echo "not ok - what is read is not named"
else
	echo "ok - what is read is not named"
fi

./strange otep,context 2 &
pid=$!
sleep 0.3
"$PERF" record --sample-tls -F 100 -p $pid -o perf.data -- sleep 0.5 2>err </dev/null
if grep -q "process $pid (strange).*'somebodys_v9'" err; then
	echo "ok - one that was running"
else
	cat err
	echo "not ok - one that was running"
fi
kill $pid

# More than can be read at once: said once, and the others are read.
cat >five.c <<'END'
#include <stdint.h>
#include <time.h>
__thread char far[100000];
__thread uint64_t one, two, three, four, five;
int publisher_main(int argc, char **argv)
{
	one = two = three = four = five = argc;
	for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end;)
		far[clock() % sizeof(far)]++;
	return 0;
}
END
cat >open.c <<'END'
#include <dlfcn.h>
int main(void)
{
	int (*run)(int, char **) = (int (*)(int, char **))dlsym(dlopen("./five.so", RTLD_NOW), "publisher_main");
	return run(7, 0);
}
END
${CC:-cc} -shared -fPIC -o five.so five.c && ${CC:-cc} -o open open.c -ldl
"$PERF" record --sample-tls=one,two,three,four,five -F 1000 -o perf.data -- ./open 2>err </dev/null
if [[ $(grep -o '1 publisher was left out: perf reads at most four per process' err | wc -l) == 1 ]] &&
	"$PERF" report -i perf.data --stdio -s activity 2>>err | grep -qE '[5-9][0-9]\.[0-9]+% +7'; then
	echo "ok - a fifth publisher"
else
	cat err
	echo "not ok - a fifth publisher"
fi
