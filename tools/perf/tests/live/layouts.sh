#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record --sample-tls against programs that publish as other people's libraries do
# (workloads/publisher.c): which layout is found, what is behind its pointer, and what processes
# state of themselves, when they say it late, too.
publisher=$SRC/tools/perf/tests/workloads/publisher.c
ids=000102030405060708090a0b0c0d0e0f:1011121314151617

if ! "$PERF" record -q --sample-tls -o try.data true 2>why; then
	echo "ok - layouts # skip $(tail -1 why)"
	exit 0
fi

check() { # NAME CONDITION...
	if "${@:2}"; then
		echo "ok - $1"
	else
		cat err out 2>/dev/null
		echo "not ok - $1"
	fi
}

# publish PROGRAM PUBLISHER-ARGUMENTS...: fills ./perf.data, and out with rows by $keys.
keys=activity
layout=auto
publish() {
	"$PERF" record -q "--sample-tls=$layout" -F 1000 -o perf.data -- "$@" 2>err
	"$PERF" report --stdio -s "$keys" 2>>err | grep '%' | sed -E 's/^ +//; s/ +$//' >out
}

# The largest row is @1, and has 80 % at least: until a process is known it cannot be read.
mostly() {
	awk -v want="$1" 'NR == 1 { share = $1 + 0; sub(/^[^ ]+ +/, ""); exit !($0 == want && share >= 80) }' out
}
never() { ! grep -qF "$1" out; }

gcc_tls() { # OUTPUT FLAGS...
	${CC:-cc} -O1 -D_GNU_SOURCE -o "$1" "$publisher" "${@:2}" 2>err || { cat err; echo "not ok - $1 does not build"; }
}
gcc_tls pie -fPIE -pie -rdynamic
gcc_tls static -static

for program in pie static; do
	publish ./$program otep 0.6
	check "OTEP 4947, $program" mostly "$ids"
	publish ./$program elastic 0.6
	check "Elastic, $program" mostly "$ids"
	publish ./$program labels 0.6
	check "custom-labels, $program" mostly "route=/pay user=ann"
done
publish ./pie otep,elastic,labels 0.6
check "several at once: OTEP is preferred" mostly "$ids"
layout=labels,elastic publish ./pie otep,elastic,labels 0.6
check "those that are asked for only" mostly "$ids"
layout=labels publish ./pie otep,elastic,labels 0.6
check "one that is asked for only" mostly "route=/pay user=ann"

for what in otep elastic; do
	publish ./pie $what 0.6 half
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
publish ./pie otep,context 0.6
if grep -q label err; then
	echo "ok - attributes have the names of the process context # skip no such key yet"
else
	check "attributes have the names of the process context" mostly /pay
fi
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
# More than a late library gets of the static block.
sed 's/^TLS void \*otel_thread_ctx_v1;/__thread char far[100000];\n&/' "$publisher" >far.c
publisher=far.c library ./libfar.so
publisher=far.c library ./libfar2.so -mtls-dialect=gnu2
for lib in libgnu libgnu2 libfar libfar2; do
	for what in otep elastic labels; do
		publish ./load ./$lib.so $what 1
		[[ $what == labels ]] && expected="route=/pay user=ann" || expected=$ids
		check "$lib, loaded late: $what" mostly "$expected"
	done
done

# A child has what its parent has; another program has nothing of it.
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
publish ./forks otep 0.6
check "a forked child" mostly "$ids"

# A musl program, where musl is.
if command -v musl-gcc >/dev/null; then
	CC=musl-gcc gcc_tls musl -fPIE -pie -rdynamic
	publish ./musl otep 0.6
	check "musl" mostly "$ids"
	CC=musl-gcc library ./libmusl.so
	musl-gcc -o load-musl load.c
	publish ./load-musl ./libmusl.so otep 1
	check "musl, loaded late" mostly "$ids"
fi

# What a stock perf makes of such a file: nothing but its samples.
publish ./pie otep,context 0.3
if "$STOCK_PERF" report -i perf.data --stdio >stock 2>stock.err && grep -q work stock && ! grep -qi 'error\|warn' stock.err; then
	echo "ok - stock perf reads the file"
else
	cat stock.err
	echo "not ok - stock perf reads the file"
fi
