#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An output that cannot be written is a failure that is said; a reader that goes is none.
set -u
. "$SRC/tools/perf/tests/tap"
plan 95
tests=$SRC/tools/perf/tests
# A recording of which nothing is missing on any machine: no library, no debug information.
mkdir -p root/bin
tar -xJf "$tests/data/idioms/chains.tar.xz" -C root/bin
"$FORGE" "$tests/cases/types-of-chains/in.txt" chains.data
read="-i chains.data --symfs $PWD/root"
{ echo "info wall=1700000001000000000 clock=1000000000" && cat "$tests/cases/types-of-chains/in.txt"; } | "$FORGE" >clocked.data
clocked="-i clocked.data --symfs $PWD/root"

for command in "report --stdio $read" "report --stats $read" "report --header-only $read" \
	"report --tasks $read" "report --mmaps $read" "report -D $read" "script $read" "script -D $read" \
	"annotate --stdio $read" "annotate --data-type --stdio $read" "evlist -i chains.data" \
	"buildid-list -f -i $tests/data/orders/orders.data" "list" "version" "help" \
	"inject -b -i chains.data" "data convert --to=sysprof -o - -i chains.data" \
	"data convert --to=folded -o - $clocked" "data convert --to=pprof -o - $clocked" \
	"data convert --to=speedscope -o - $clocked" "data convert --to=firefox -o - $clocked" \
	"data convert --to=otlp -o - $clocked" "data convert --to=perfetto -o - $clocked" \
	"data convert --to=parquet --table=samples -o - $clocked" "data convert --to=native --table=samples -o - $clocked"; do
	name=${command%% -i*} name=${name%% -f}
	timeout 30 "$PERF" $command >/dev/full 2>err
	status=$?
	if ((status == 1 || status == 255)) && [[ $(wc -l <err) == 1 ]] && grep -q "No space\|could not be written" err; then
		pass "full: $name"
	else
		echo "status $status"
		head -n 5 err
		fail "full: $name"
	fi
	timeout 30 "$PERF" $command >&- 2>err
	status=$?
	((status == 1 || status == 255)) && [[ $(wc -l <err) == 1 ]] && pass "closed: $name" ||
		{ echo "status $status"; head -n 5 err; fail "closed: $name"; }
	timeout 30 "$PERF" $command 2>err | head -c 1 >/dev/null
	status=${PIPESTATUS[0]}
	((status == 0 || status == 141)) && [[ ! -s err ]] && pass "reader goes: $name" ||
		{ echo "status $status"; head -n 5 err; fail "reader goes: $name"; }
done

for words in "-k /proc/self/absent" "--kallsyms /proc/self/absent" "-i /dev/zero" "-i /dev/null" "--time junk" "--pid -1" \
	"-C 0-4000000000" "--symbols file:///proc/self/absent" "--comms file:///dev/zero" "-p ((" "--percent-limit nan" "-g graph,nan" "-s junk"; do
	timeout 20 "$PERF" report --stdio $read $words >out 2>err
	status=$?
	((status == 255 || status == 129)) && [[ -s err && ! -s out ]] && pass "report $words" ||
		{ echo "status $status"; head -n 5 err; fail "report $words"; }
done
timeout 20 "$PERF" report --stdio $read --kallsyms /dev/zero >out 2>err && pass "an endless kallsyms" ||
	{ cat err; fail "an endless kallsyms"; }
for columns in 1 20 -5 99999999 junk; do
	COLUMNS=$columns TERM=dumb timeout 20 "$PERF" report --stdio $read >out 2>err && [[ -s out ]] &&
		pass "COLUMNS=$columns" || { head -n 5 err; fail "COLUMNS=$columns"; }
done

# A recording that somebody cuts off while it is read: script has not come to its end before its
# reader goes on.
{
	echo "event cycles sample_type=IP|TID|TIME|PERIOD"
	seq -f "sample pid=10 ip=0x400010 time=%.0f period=1 misc=user" 60000
} | "$FORGE" >cut.data
{
	timeout 30 "$PERF" script -i cut.data 2>err
	echo $? >status
} | {
	head -c 1000 >/dev/null
	truncate -s 4096 cut.data
	cat >/dev/null
}
[[ $(<status) == 1 && $(wc -l <err) == 1 ]] && grep -q "became shorter" err && pass "a file cut while it is read" ||
	{ echo "status $(<status)"; head -n 5 err; fail "a file cut while it is read"; }
