#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Reports of perf record --wall: what is there without options, that times add up, a timeline, how long waits were.
. "$SRC/tools/perf/tests/live/common"
near() { # VALUE WANTED PERCENT
	awk -v v="$1" -v w="$2" -v p="$3" 'BEGIN { exit !(v >= w * (1 - p / 100) && v <= w * (1 + p / 100)) }' || { echo "# $1, wanted $2 within $3 %"; return 1; }
}
sources=proc
if "$PERF" record -q --wall --wall-source=bpf -o try.data true 2>why; then
	sources="proc bpf" # the last one's recording is used below: that of BPF has the kernel's stacks
	plan 31
else
	plan 28
	skip_refused "by bpf" why
fi
report() { "$PERF" report -i w.data --stdio -q "$@" 2>err; }

"$WORKLOADS/crowd" 100 60 50 >ready &
crowd=$!
trap 'kill $crowd 2>/dev/null' EXIT
for ((i = 0; i < 200; i++)); do
	grep -q ready ready && break
	sleep 0.05
done
for source in $sources; do
	"$PERF" record -q --wall --wall-source=$source -p $crowd -o w.data -- sleep 2 >out 2>err
	check "$source: there is something" test -s w.data
	# On CPU, run queue, sleep, disk: of 101 threads that are there all the while.
	report -F seconds,state -t '|' >found
	elapsed=$("$PERF" report -i w.data --timeline=1ms -s pid 2>/dev/null | sed -n 's/^# Time: \([0-9.]*\) s .*/\1/p')
	check "$source: states add up to threads x elapsed within 1 %" near "$(awk -F'|' '{ s += $1 } END { print s }' found)" \
		"$(awk -v e="$elapsed" 'BEGIN { print 101 * e }')" 1
	check "$source: --wall-unit=threads says so at once" near "$(report --wall-unit=threads -s pid -t '|' | awk -F'|' '{ s += $2 } END { print s }')" 101 1
	check "$source: each slice of the timeline has all threads" eval '"$PERF" report -i w.data --timeline=250ms --wall-unit=threads -s comm --comms crowd --format=csv 2>err |
		awk -F, "NR == 2 { for (i = NF - 6; i < NF; i++) if (\$i < 98 || \$i > 104) { print \"# slice: \" \$i; bad = 1 } } END { exit bad || NR != 2 }"'
done
report >out
check "without options: threads, states, calls, and neither callers nor stacks" eval 'grep -qE "^ +[0-9.]+%  crowd +S \(sleep\) +futex" out && ! grep -q -- "--" out'
"$PERF" report -i w.data --stdio 2>/dev/null >out
check "no column of callers" eval 'grep -q "^# Overhead  Command" out && ! grep -q Children out'
check "--children has it" eval '"$PERF" report -i w.data --stdio --children 2>/dev/null | grep -q "^# Children"'
check "-g has stacks" eval '[[ $source = proc ]] || report -g -s state | grep -q -- "--"'
# Naps of 100 ms, as looks at them tell.
"$PERF" report -i w.data --timeline -s state,syscall --format=csv 2>err >found
check "how long waits were" awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "under_1s") fine = i; if ($i == "under_1ms") first = i } }
	/clock_nanosleep/ && /S \(sleep\)/ { good = $fine + $(fine - 1); for (i = 1; i <= NF; i++) all += i >= first - 3 && i <= fine + 2 ? $i : 0 }
	END { print "# " good " of " all; exit !(good > 200 && good > 0.8 * all) }' found
COLUMNS=72 "$PERF" report -i w.data --timeline -s comm,state 2>/dev/null >out
check "the timeline is as wide as the terminal" awk '/crowd/ { n++; if (length($0) > 72 * 3) bad = 1 } END { exit bad || !n }' out
check "a line has blocks" grep -q "S (sleep).*█" out

# By default all waits for work are one row. Rules define what a wait for work is, and users can add rules.
percent() { awk '{ s += $1 } END { printf "%.2f", s }'; }
report >out
check "idle threads are one row" test "$(grep -c '(idle)' out)" = 1
check "with all of their time" near "$(grep '(idle)' out | percent)" "$(report -s idle | grep 'idle (' | percent)" 0.1
check "with callers, an idle sample counts once, too" eval '[[ $source = proc ]] ||
	"$PERF" report -i w.data --stdio -q --children --fold-idle -s sym -g none 2>/dev/null | awk "/\(idle\)/ { n++; print \"# \" \$0; bad = \$1 != \$2 } END { exit bad || n != 1 }"'
check "naps are in it" eval 'grep -q "(idle)" out && ! grep -q "S (sleep).*clock_nanosleep *$" out'
check "--no-fold-idle shows them" eval 'report --no-fold-idle | grep -q "S (sleep).*clock_nanosleep *$"'
check "--fold-idle folds them under other keys, too" test "$(report --fold-idle -s comm,tid | grep -c '(idle)')" = 1
printf '# a rule of our own\nclock_nanosleep  *\t-\nfutex   *  told to wait\n' >rules
check "--idle-rules: a rule more, and an exception" eval 'report --idle-rules rules -s syscall,idle >out; grep -q "futex.*idle (told to wait)" out && grep -q "clock_nanosleep.*busy" out'
# By the stack: a function of the kernel, which is always there, and one of the program, which -g brings.
if [[ $source = proc || $(id -u) != 0 ]]; then
	skip "rules by the kernel's stack" "there is none"
else
	echo 'futex  futex_*wait*  asleep in the kernel' >rules
	check "--idle-rules: by the kernel's stack" eval 'report --idle-rules rules -s syscall,idle >out; grep -q "futex.*idle (asleep in the kernel)" out'
fi
"$PERF" record -q -g --wall -p $crowd -o g.data -- sleep 0.3 >out 2>err
printf 'futex  slee?s  my own pool\nfutex  *pool*  none\n' >rules
"$PERF" report -i g.data --stdio -q -g none --no-children --idle-rules rules -s syscall,idle >out 2>err
check "--idle-rules: by the program's stack" grep -q "futex.*idle (my own pool)" out
"$PERF" report -i g.data --stdio -q -g none --no-children -s syscall,idle >out 2>err
check "without a rule a futex is no wait for work" eval 'grep -q "futex.*busy" out && ! grep -q "futex.*idle" out'
echo "epoll_wait" >rules
check "a rule that is none is refused" eval '! "$PERF" report -i w.data --stdio --idle-rules rules >out 2>err && grep -q "rules:1: expected" err'

# Where each span waits, and all keys of states for perf script.
if "$PERF" record -q --wall --sample-tls -o t.data -- "$WORKLOADS/states" 2 >out 2>err && test -s t.data; then
	"$PERF" report -i t.data --stdio -q -s activity,state,syscall --comms request >out 2>err
	check "-s activity,state,syscall" grep -qE '0{31}1:0{15}1 +S \(sleep\) +clock_nanosleep' out
	"$PERF" report -i t.data --stdio -q -s span,state --comms request >out 2>err
	check "-s span,state" grep -qE '0{15}[12] +S \(sleep\)' out
else
	skip_refused "where spans wait" err 2
fi
"$PERF" script -i w.data -G -F comm,state,syscall,sysarg,wchan,file,conn,waker,idle >out 2>err
check "perf script has all of it" grep -qE 'crowd +S \(sleep\) futex futex\((0x[0-9a-f]+, ){3}0x[0-9a-f]+\)' out
lines=$(wc -l <out)
"$PERF" script -i w.data -G >out 2>err
check "perf script without fields: a line with state and call for each sample" eval 'test $(wc -l <out) = $lines && grep -qE "crowd +[0-9]+ .* wall: +S \(sleep\) futex " out'
# The first byte is the version of the layout: WALL_VERSION_NO_LOCK.
check "and the bytes of the samples with -F +bpf-output" eval '"$PERF" script -i w.data -G -F +bpf-output 2>err | grep -q "BPF output: 0000: 03"'
