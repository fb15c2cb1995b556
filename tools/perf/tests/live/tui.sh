#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The browser on a real terminal, which is tmux: start, resize, ^C, ^Z and fg, signals, and what the
# terminal is like behind them; then from the slowest span to the field and the source line.
set -uo pipefail
. "$SRC/tools/perf/tests/live/common"

. "$SRC/tools/perf/tests/live/terminal"
needs_terminal "browser on a terminal"
plan 40
trap 't kill-server 2>/dev/null' EXIT

# What the shell in the terminal does and shows.
await() { # text [has_ended]: until the screen has it, or until the command of type_in has ended
	local i last
	for ((i = 0; i < 200; i++)); do
		${2:-false} && last=1 || last=0
		shot | grep -qF -- "$1" && return 0
		((!last)) || break
		sleep 0.1
	done
	echo "# waited for '$1', and there is:"
	shot | sed 's/^/# /'
	return 1
}
gone() { # text: until the screen has it no more
	local i
	for ((i = 0; i < 300; i++)); do
		shot | grep -qF -- "$1" || return 0
		sleep 0.1
	done
	return 1
}
# The terminal is in line mode again, with echo and cursor: a new command can be typed.
is_restored() {
	[[ $(t display-message -p '#{alternate_on} #{cursor_flag}') == "0 1" ]] || return 1
	keys 'stty -a | grep -o " icanon\| echo " | tr -d "\n"; echo "<""- $((6 * 7))"' Enter
	await '<- 42' && shot | grep -q ' icanon echo *<- 42'
}
# Types a command that starts the browser, and waits for it; a key removes what its last line says first.
browse() {
	type_in "$*"
	await 'Overhead' has_ended && keys Home && await 'all keys' has_ended
}
check() { # name, commands...
	local name=$1
	shift
	if "$@"; then
		echo "ok - $name"
	else
		shot | sed 's/^/# /'
		echo "not ok - $name"
	fi
}

data=$SRC/tools/perf/tests/data/orders
report="$PERF report -f -i $data/orders.data --symfs $data -s span,type,sym"

start 80 24
check "starts where stdout is a terminal" browse "$report"
check "stands on a screen of its own" test "$(t display-message -p '#{alternate_on}')" = 1
keys q
check "q leaves" await 'prompt>'
check "q restores the terminal" is_restored

keys "$report | head -3" Enter
check "a pipe gets text" await '# '

keys "clear; $report --stdio | cat; echo done-1" Enter
check "--stdio prints" await 'done-1'

browse "$report"
t resize-window -x 120 -y 40
resized() { local i; for ((i = 0; i < 100; i++)); do shot | sed -n 40p | grep -q 'all keys' && return 0; sleep 0.1; done; return 1; }
check "follows a new size" resized
t resize-window -x 40 -y 10
check "follows a small size" await 'Overhead'
t resize-window -x 80 -y 24
keys C-z
check "^Z stops it" await 'Stopped'
check "^Z restores the terminal" is_restored
keys 'clear; fg' Enter
check "fg brings it back" await 'all keys'
keys C-c
check "^C leaves" await 'prompt>'
check "^C restores the terminal" is_restored

for signal in TERM HUP INT QUIT SEGV ABRT; do
	browse "ulimit -c 0; ASAN_OPTIONS=handle_segv=0:handle_abort=0 $report"
	pid=$(pgrep -n -f "report -f -i $data/orders.data")
	kill -s "$signal" "$pid"
	gone 'all keys'
	check "SIG$signal restores the terminal" is_restored
done

browse "$report"
pid=$(pgrep -n -f "report -f -i $data/orders.data")
kill -STOP "$pid"
await 'Stopped'
keys 'clear; fg' Enter
await 'all keys'
keys Down
sleep 0.3
keys '?'
check "kill -STOP and fg: keys are read at once" await 'the instructions of this row'
keys q q
await 'prompt>'

browse "NO_COLOR=1 $report"
coloured() { t capture-pane -p -e | grep -qE $'\033\\[[0-9;]*(3[1-7]|4[1-7]|38;5)'; }
check "NO_COLOR has no colours" eval 'shot | grep -q "%" && ! coloured'
keys q
await 'prompt>'
browse "env -u NO_COLOR $report"
check "colours where there are some" coloured
keys q
await 'prompt>'
browse "env -u NO_COLOR TERM=xterm $report"
few() { coloured && ! t capture-pane -p -e | grep -qE $'\033\\[[0-9;]*(38|48);[25]'; }
check "a terminal of eight colours gets no others" few
keys q
await 'prompt>'
keys "clear; TERM=dumb $report" Enter
check "a terminal without a cursor is told so" await 'use --stdio'

# The main job: which field of which structure does the slowest span spend its time on, and where?
if ! "$PERF" record --sample-tls -F 999 -g -o live.data -- "$WORKLOADS/orders" 2 2 1 "$PWD/spans" >record.out 2>&1; then
	skip_refused "from the slowest span to the source line" record.out 9
	exit 0
fi
# What text says of it: the row of the activities with the most time of its own, the type that its name touches most,
# the field, and the line. Of these rows that follow each other the larger one is the answer.
"$PERF" report -i live.data --spans=spans.otlp.json --activity-tree --stdio -q 2>/dev/null | grep -v '^$' >spans.txt
row=$(awk '{ sub("%", "", $2); if ($2 + 0 > most && !/\(none\)/) { most = $2 + 0; at = NR - 1 } } END { print at }' spans.txt)
name=$(sed -n "$((row + 1))p" spans.txt | sed -E 's/.*[-|` ]-- //; s/ *$//; s/^.* {2,}//')
rows() { # KEYS: "VALUE|VALUE", the largest first
	"$PERF" report -i live.data --spans=spans.otlp.json --no-children -g none -q --stdio -t '|' -s "$1" 2>/dev/null | sed -E 's/^ *[0-9.]+% *\| *//; s/ *\| */|/g; s/ *$//'
}
type=$(rows span,type | grep "^$name|[^(]" | head -1 | cut -d'|' -f2)
field=$(rows span,typeoff | grep -F "$name|$type +" | head -1 | sed -E 's/.*\((.*)\)$/\1/; s/.*\.//; s/\[.*//')
line=$(rows span,type,srcline | grep -F "$name|$type|" | head -1 | cut -d'|' -f3)
echo "# $name, $type, $field, $line: row $row of the activities"
check "text says what the slowest span does" test "$name" -a "$type" -a "$field" -a "$line"

pressed=0
press() { # keys, counted
	keys "$@"
	((pressed += $#))
}
keys "clear; $PERF report -i live.data --spans=$PWD/spans.otlp.json" Enter
await 'samples'
press A
await '(none)'
last=$(($(wc -l <spans.txt) - 1))
if ((row > 4)); then
	press End
	for ((i = last; i > row; i--)); do press Up; done
else
	for ((i = 0; i < row; i++)); do press Down; done
fi
press T
await 'data types'
check "the types of the slowest span" eval 'shot | sed -n 3p | grep -qF -- "$type"'
press Enter
await '← hot'
check "the hot field of the slowest span's structure" eval 'shot | grep "← hot" | grep -qw -- "$field"'
press Enter
await 'Instruction'
check "its instruction and source line" eval 'shot | sed -n 3,4p | grep -qF -- "$line"'
press Enter
check "the code, there" await 'Source / instruction'
check "in under ten keys" test "$pressed" -lt 10

# Of several events, code is that of the event that is shown.
keys C-c
await 'prompt>'
"$PERF" record -e cpu-clock,page-faults -o two.data -- "$WORKLOADS/orders" 1 1 1 >record.out 2>&1
keys "clear; $PERF report -i two.data -s sym" Enter
check "of two events the first is shown" await 'cpu-clock'
keys Tab
check "Tab shows the other one" await 'page-faults'
keys a
check "code is of the event that is shown" await 'of page-faults'
keys C-c
await 'prompt>'

# perf diff: a browser on a terminal, text in a pipe or with --stdio. "less" is in the title of its bars.
two="$data/orders.data $data/orders.data"
keys "clear; $PERF diff -f --symfs $data -s type $two" Enter
check "perf diff is a browser" await 'less│more'
keys Enter
check "a row has a report in each recording" await 'Report of this row, before'
keys Escape
gone 'Report of this row'
keys q
check "it restores the terminal" is_restored
keys "clear; $PERF diff -f --symfs $data -s type $two | cat; echo done-\$((1 + 1))" Enter # what is typed is on the screen, too
check "perf diff in a pipe is text" await 'done-2'
check "it has upstream's columns" eval 'shot | grep -q Baseline'
keys "clear; $PERF diff -f --stdio --symfs $data -s type $two; echo done-3" Enter
check "perf diff --stdio is text" await 'done-3'
printf '[tui]\n\tdiff = no\n' >config
keys "clear; PERF_CONFIG=config $PERF diff -f --symfs $data -s type $two; echo done-4" Enter
check "tui.diff = no is text" await 'done-4'
