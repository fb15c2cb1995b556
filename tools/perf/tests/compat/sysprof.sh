#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks through sysprof's format and perf stacktrace: the chains are those that perf report finds in the recording. What
# is written as a capture, sysprof-cli reads.
. "$SRC/tools/perf/tests/compat/common"
if ! "$STOCK_PERF" record -q -e cpu-clock:u --call-graph dwarf -o try.data true 2>why; then
	skip_all_refused "sysprof" why
fi
plan 10

cat >deep.c <<'C'
#include <math.h>
#include <stdlib.h>
volatile double sink;
__attribute__((noinline)) double leaf(double x)
{
	for (int i = 0; i < 40; i++)
		x = sqrt(x + i) * 1.0001;
	return x;
}
__attribute__((noinline)) double deeper(int n, double x) { return n ? deeper(n - 1, x) + 1 : leaf(x); }
static int compare(const void *a, const void *b)
{
	sink = leaf(*(const int *)a);
	return *(const int *)a - *(const int *)b;
}
int main(int argc, char **argv)
{
	static int a[1000];
	for (int i = 0; i < 40; i++) {
		for (int k = 0; k < 1000; k++)
			a[k] = rand();
		qsort(a, 1000, sizeof(*a), compare);
		sink = deeper(i, i);
	}
	return 0;
}
C
cc -O2 -g -o deep deep.c -lm || exit 1

chains() { "$PERF" script -F tid,time,ip,sym -i "$1" 2>/dev/null; }

"$STOCK_PERF" record -q -e cpu-clock:u -F 4999 --call-graph dwarf -o stacks.data sh -c './deep & ./deep; wait'
chains stacks.data >before
"$PERF" data convert --to=sysprof --stacks -i stacks.data -o stacks.syscap 2>/dev/null
"$PERF" data convert --from=sysprof -i stacks.syscap -o again.data
chains again.data >after
same "stacks in a capture" before after
"$PERF" stacktrace -i stacks.syscap -o chains.syscap 2>/dev/null
"$PERF" data convert --from=sysprof -i chains.syscap -o again.data
chains again.data >after
same "perf stacktrace of a capture" before after
"$PERF" data convert --to=sysprof -i stacks.data -o unwound.syscap 2>/dev/null
"$PERF" data convert --from=sysprof -i unwound.syscap -o again.data
chains again.data >after
same "chains in a capture" before after

# Fifos, as sysprof uses them; ^C ends behind a whole record, in perf's pipes as well.
mkfifo in out
cat stacks.syscap >in &
"$PERF" stacktrace -i in -o out -v 2>said &
cat out >chains.fifo
wait
cmp chains.fifo chains.syscap && echo "ok - fifos" || echo "not ok - fifos"
grep -qE '^TOTAL -- received [0-9]+ samples, lost [0-9]+ samples, loaded [0-9]+ processes$' said && grep -qE '^pid [0-9]+ \(deep\): unwound [0-9]+ frames: ' said &&
	grep -A1 -E '^Stacks: received [0-9]+, to the root [0-9]+ ' said | tail -n 1 | grep -qE '^      [^ ]' && echo "ok - -v says eu-stacktrace's lines, and how each stack ended" || {
	tail -5 said
	echo "not ok - -v says eu-stacktrace's lines, and how each stack ended"
}

interrupt() { # name, input, what else...
	local name=$1 input=$2 pid writer n=0
	shift 2
	(cat "$input"; exec sleep 60) >in &
	writer=$!
	"$PERF" stacktrace "$@" -i in -o "$name.out" 2>"$name.err" &
	pid=$!
	while (($(stat -c %s "$name.out" 2>/dev/null || echo 0) < 2000 && n++ < 200)); do sleep 0.1; done
	sleep 0.3
	kill -INT $pid
	wait $pid
	status=$?
	kill $writer 2>/dev/null
	wait $writer 2>/dev/null
}
set -m # children of a shell without job control ignore SIGINT
interrupt sysprof stacks.syscap
cmp sysprof.out chains.syscap && ((status == 0)) && echo "ok - ^C ends a capture behind a frame" || {
	cat sysprof.err
	echo "not ok - ^C ends a capture behind a frame: $status"
}
"$STOCK_PERF" record -q -e cpu-clock:u -F 4999 --call-graph dwarf -o - ./deep >pipe.data
interrupt perf pipe.data -f perf -m passthru
"$PERF" script -F tid,time,ip,sym -i perf.out >after 2>/dev/null
"$PERF" script -F tid,time,ip,sym -i pipe.data >before 2>/dev/null
((status == 0)) && same "^C ends perf's pipe behind a record" before after || echo "not ok - ^C ends perf's pipe behind a record: $status"
cat pipe.data | "$PERF" stacktrace -f perf >chains.pipe 2>/dev/null
"$PERF" script -F tid,time,ip,sym -i chains.pipe >after 2>/dev/null
same "perf stacktrace -f perf" before after
"$STOCK_PERF" script -i chains.pipe >after 2>why
grep -q compare after && echo "ok - stock perf reads the chains" || {
	cat why; head -20 after
	echo "not ok - stock perf reads the chains"
}

if sysprof-cli --version >/dev/null 2>&1; then
	"$PERF" data convert --to=sysprof -i stacks.data -o other.syscap 2>/dev/null
	sysprof-cli --merge unwound.syscap other.syscap >merged.syscap 2>why
	frames() { "$PERF" data convert --from=sysprof -v -i "$1" -o merged.data 2>&1 | awk '/samples are in/ { print $1 }'; }
	one=$(frames unwound.syscap) both=$(frames merged.syscap)
	((one > 0 && both == 2 * one)) && echo "ok - sysprof-cli reads our captures" || {
		cat why
		echo "not ok - sysprof-cli reads our captures: $one, $both"
	}
else
	skip "sysprof-cli reads our captures" "there is no sysprof-cli"
fi
