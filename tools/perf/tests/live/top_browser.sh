#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf top as a browser, in tmux: rows follow what runs, the cursor stays on its row, keys freeze and zero, other keys
# show the same samples, and the code of a row; signals and the end of what is looked at leave the terminal as it was.
set -uo pipefail
. "$SRC/tools/perf/tests/live/common"

. "$SRC/tools/perf/tests/live/terminal"
needs_terminal "top as a browser"
plan 28

pids=
trap 't kill-server 2>/dev/null; kill $pids 2>/dev/null' EXIT
await() { # PATTERN [has_ended]: until the screen has it, or until the command of type_in has ended
	local i last
	for ((i = 0; i < 200; i++)); do
		${2:-false} && last=1 || last=0
		shot >out
		grep -qE -- "$1" out && return 0
		((!last)) || break
		sleep 0.1
	done
	echo "# waited for '$1'"
	return 1
}
under_cursor() { t capture-pane -p -e | grep -a $'\033\\[.*7m' | sed 's/\x1b\[[0-9;]*m//g' | grep -v '^ *$' | tail -1; }
start 110 16
browse() {
	type_in "PERF_CONFIG=/dev/null '$PERF' top -d 1 $*; echo left=\$?"
	await 'own [0-9.]+%' has_ended && await 'all keys|samples|record with' has_ended && await '^ +[0-9]+\.[0-9]+%' has_ended
}

"$WORKLOADS/orders" 120 >orders.out 2>&1 &
pid=$!
pids+=" $pid"
check "rows, and what looking costs" browse -M intel -p $pid -s sym
check "the first line says events, rate, samples and own cost" \
	eval 'head -1 out | grep -qE "^ now +[a-z:-]+ 4000Hz  [0-9]+/s  (lost [0-9]+  )?own [0-9.]+%"'
check "functions of the program" await '%.*\[\.\] '
keys Down Down
sleep 0.3
row=$(under_cursor | sed 's/.*\] //')
sleep 2.5
check "the cursor stays on its row while rows change" test "$row" -a "$(under_cursor | sed 's/.*\] //')" = "$row"
keys f
check "f freezes" await 'FROZEN'
sleep 1.3 # what had come before is shown
shot | sed 1d | head -12 >before
sleep 1.5
check "what is frozen stays, share by share" eval 'shot | sed 1d | head -12 | cut -c1-60 | cmp - <(cut -c1-60 before)'
keys f
check "and goes on" eval 'for i in {1..50}; do shot | head -1 | grep -q FROZEN || break; sleep 0.1; done; ! shot | head -1 | grep -q FROZEN'
keys z
check "z zeroes" await 'zeroed'
keys z Home a
check "a: the code of the row's function" await 'Source / instruction'
check "-M intel: registers without %" eval 'await "[^%](r[0-9]+|[re][abcd]x|[re][sd]i|[re][sb]p)\b" && ! grep -qE "%[re][a-ds0-9]" out'
samples_of_code() { shot | head -1 | sed -n 's/.* \([0-9][0-9]*\) samples\{0,1\} of .*/\1/p'; }
first=$(samples_of_code)
check "and it goes on: samples that come are in it" eval 'for i in {1..100}; do (($(samples_of_code || echo 0) > ${first:-0})) && break; sleep 0.1; done; echo "# $first, then $(samples_of_code)"; test "${first:-0}" -gt 0 && (($(samples_of_code) > first))'
keys Escape
check "back to the rows" await 'Overhead'
keys o k C-u t y p e Enter
check "other keys show the same samples: data types" await 'struct (order|level|account)'
keys C-c
check "^C leaves" await 'left=0'
check "the terminal is as it was" eval '[[ $(t display-message -p "#{alternate_on} #{cursor_flag}") == "0 1" ]]'

if "$PERF" record -q --wall -o try.data true 2>why; then
	check "--wall" browse --wall -p $pid -s comm,state
	check "states of what sleeps" await 'orders +S \(sleep\)'
	keys w
	check "w: the longest waits" await 'Longest waits'
	keys Escape
	check "ESC goes back" eval 'for i in {1..100}; do shot >out; grep -q "Longest waits" out || break; sleep 0.1; done; ! grep -q "Longest waits" out'
	keys q
	check "q leaves" await 'left=0'
else
	skip_refused "--wall" why 5
fi
# What comes to an end is still shown, and the browser follows a signal.
bash -c 'while :; do :; done' &
short=$!
pids+=" $short"
check "another one" browse -p $short -s comm
kill $short
check "what has ended is still there" await 'ENDED'
check "with its rows" grep -q 'bash' out
top=$(pgrep -f "top -d 1 -p $short" | tail -1)
kill -TERM "$top"
check "a signal ends it" await 'left=143|Terminated'
check "the terminal is as it was, again" eval '[[ $(t display-message -p "#{alternate_on} #{cursor_flag}") == "0 1" ]]'
if "$PERF" record -q --sample-tls -o try.data true 2>why; then
	check "activities" browse --sample-tls -p $pid -s activity
	check "by their ids" await '[0-9a-f]{32}:[0-9a-f]{16}'
	keys q
	check "it leaves" await 'left=0'
else
	skip_refused "activities" why 3
fi
