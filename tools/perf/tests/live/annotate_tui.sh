#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf annotate on a real terminal: it starts browsers there, follows keys and a new size, stops and goes on,
# and gives the terminal back, whatever ends it. In a pipe, and with --stdio, it prints text.
. "$SRC/tools/perf/tests/live/common"
cases=$SRC/tools/perf/tests/cases
types=$SRC/tools/perf/tests/data/types
"$FORGE" <"$cases/annotate-touches/in.txt" >perf.data
annotate=("$PERF" annotate --symfs "$types")

plan 25
"${annotate[@]}" walk </dev/null >out 2>err
check "in a pipe it is text" grep -q 'Disassembly of walk' out
"${annotate[@]}" --tui </dev/null >out 2>err
check "--tui without a terminal is refused" test $? = 255 -a ! -s out -a -s err
if ! command -v tmux >/dev/null || "$PERF" version --build-options | grep -q 'slang: \[ OFF'; then
	skip "browsers on a terminal" "tmux or S-Lang is not installed" 23
	exit 0
fi

socket=annotate$$
tmux() { command tmux -L $socket -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null' EXIT
# A shell in a terminal of 80x24, without a status line.
tmux new-session -d -x 80 -y 24 "LC_ALL=C.UTF-8 TERM=screen PS1='$ ' exec bash --norc" \; set -g status off
keys() { tmux send-keys "$@"; }
shows() { # what the screen has to have some time: a regular expression
	for ((i = 0; i < 100; i++)); do
		tmux capture-pane -p >screen
		grep -qE -- "$1" screen && return 0
		sleep 0.1
	done
	return 1
}
command_line="$(printf '%q ' "${annotate[@]}")"

keys "stty -g >before; $command_line --data-type; left=\$?; stty -g >after; echo status \$left" Enter
check "types on a terminal are a browser" shows 'struct node +56'
keys Enter
check "Enter: the type" shows '─ line 1 \(0x20\)'
keys Down Down Enter
check "Enter on a field: who touches it" shows 'walk\.c:48 +add'
keys Enter
check "Enter there: the code" shows '60\.47% .*add +\(%rdx\),%rax +struct node \(key\)'
tmux resize-window -x 120 -y 30
check "a wider window has more" shows 'mov +%rcx,%fs:0xfffffffffffffff8 +long int'
tmux resize-window -x 40 -y 8
check "a small one less" shows '60\.47% .*add +\(%rdx\),%rax$'
tmux resize-window -x 80 -y 24
keys q
check "q goes back" shows 'walk\.c:48 +add'
keys q q q
check "q leaves from the first browser, with status 0" shows '^status 0'
check "the terminal is as it was" cmp before after

keys "clear; $command_line walk" Enter
check "code on a terminal is a browser" shows '60\.47%'
keys C-z
check "^Z stops it" shows 'Stopped'
keys "fg" Enter
check "fg goes on" shows '60\.47% .*add +\(%rdx\),%rax'
keys C-c
check "^C: the shell is there again" shows '^\$$'
keys "clear; echo status \$?" Enter
check "^C leaves" shows '^status 0'

keys "clear; $command_line walk" Enter
check "it starts again" shows '60\.47%'
pid=$(pgrep -P "$(tmux list-panes -F '#{pane_pid}')" -x perf)
kill -TERM "$pid"
check "kill: the shell is there again" shows 'Terminated'
keys "clear; stty -g >after; echo done" Enter
check "... and says so" shows '^done'
check "... with its terminal as it was" cmp before after

keys "clear; $command_line --stdio walk | head -n 1; $command_line --stdio walk >text; echo end" Enter
check "--stdio is text on a terminal" shows 'Disassembly of walk'
check "... of any length" eval 'shows "^end" && test "$(wc -l <text)" -gt 20'

# Two recordings side by side.
shop=$SRC/tools/perf/tests/data/shop
keys "clear; $PERF annotate -f --symfs $shop -i $shop/after.data --baseline=$shop/before.data; echo status \$?" Enter
check "with --baseline, both codes are beside each other" shows '10\.63% +34\.29% mov +0x10\(%rax,%rdx,4\),%esi \| mov +0x80'
keys Tab Enter
check "Enter: the code of one of them" shows '34\.29% .*struct order \+0x80 \(flags\)'
keys q q
check "q leaves" shows '^status 0'
