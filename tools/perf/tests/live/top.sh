#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf top shows frames of what runs now. A program with one hot function is shown with that function; ended programs
# fade; keys work on a terminal, whose settings are restored at the end.
. "$SRC/tools/perf/tests/live/common"
plan 29
command -v tmux >/dev/null && has_tmux=1
# A name that is unique on this machine.
name=spin$$
cp "$WORKLOADS/throng" "$name"
spin() { "./$name" 0 0 1 1 >/dev/null 2>&1 & }
# Until it runs: before, it is a copy of this shell.
spins() { for ((i = 0; i < 1000; i++)); do [[ $(</proc/$1/comm) == "$name" ]] && return; sleep 0.01; done; }

spin
pid=$!
spins $pid
timeout -s INT 3.5 "$PERF" top -p $pid -d 1 -E 5 -s comm,dso >out 2>err
check "it ends with an interrupt" test $? = 124 -o $? = 0
check "several frames" test "$(grep -c PerfTop out)" -ge 3
check "upstream's first line" \
	grep -qE '^   PerfTop: +[0-9]+ irqs/sec  kernel: *[0-9.]+%  exact: +[0-9.]+% lost: 0/0 drop: 0/0 \[4000Hz .*\],  \(target_pid: [0-9]+, [0-9]+ CPUs?\)' out
check "the program has nearly all" awk -v name="$name" '$0 ~ name && $1 + 0 > 90 { found = 1 } END { exit !found }' out
check "nothing else is looked at" eval '! grep "%" out | grep -v PerfTop | grep -vE "$name|others"'
check "no file is written" test ! -e perf.data

# What reads the frames has seen enough, as `| head` has.
check "a closed pipe ends it, without an error" eval '{ timeout 60 "$PERF" top -p $pid -d 1 2>err; echo $? >status; } | grep -q -m 1 PerfTop; [[ $(cat status) == 0 && ! -s err ]]'

# A reader that stands still, as less does: no byte fits into the pipe.
mkfifo full
exec 4<>full
dd if=/dev/zero of=full bs=4096 count=10000 oflag=nonblock 2>/dev/null
"$PERF" top -p $pid -d 1 >full 2>err 4<&- &
top=$!
sleep 1.3
kill -TERM $top
check "a signal ends it while nobody reads" timeout 30 tail --pid=$top -f /dev/null
exec 4<&-

timeout -s INT 2 "$PERF" top -p $pid -d 1 -K -s sym >out 2>err
check "-K hides the kernel" eval 'grep -qF "[.]" out && ! grep -qF "[k]" out'
timeout -s INT 2 "$PERF" top -p $pid -d 1 -g -s sym --no-children >out 2>err
check "-g shows call chains" grep -q -- '---' out

# An ended program disappears at once with -z. Without -z its share becomes smaller with each frame.
frames() { # FILE COUNT: until it has so many
	local i
	for ((i = 0; i < 300; i++)); do
		(($(grep -c PerfTop "$1") >= $2)) && return
		sleep 0.1
	done
}
"$PERF" top -d 1 --fields period,comm --comms $name -E 50 >out 2>err &
top=$!
"$PERF" top -z -d 1 --fields period,comm --comms $name -E 50 >zero 2>err2 &
zero=$!
frames out 3
frames zero 3
kill $pid
frames out $(($(grep -c PerfTop out) + 4))
frames zero $(($(grep -c PerfTop zero) + 3))
kill -INT $top $zero
wait $top $zero
check "what has ended has less in each frame" awk -v name=" $name" '/PerfTop/ { if (was) last = was; was = 0 } $0 ~ name { was = $1 + 0; if (was > most) most = was }
	END { if (was) last = was; exit !(most > 1e8 && last > 0 && last < most * 0.8) }' out
check "with -z it is gone" awk -v name=" $name" '/PerfTop/ { was = 0 } $0 ~ name { was = $1 + 0; had = 1 } END { exit !(had && !was) }' zero

timeout 60 "$PERF" top -d 1 -s nosuch >out 2>err
status=$?
check "a key that is none is refused" eval '((status != 124)) && grep -q nosuch err'
"$PERF" top -d 0 >out 2>err
check "no delay is refused" test $? = 129
"$PERF" top -p 999999999 >out 2>err
check "a process that is none is refused" eval 'test $? = 255 && test "$(wc -l <err)" = 1'

if "$PERF" record -q --sample-tls -o try.data true 2>why; then
	"$WORKLOADS/publisher" otep 60 >/dev/null 2>&1 &
	pid=$!
	"$PERF" top --sample-tls -d 1 -p $pid -s activity >out 2>err &
	top=$!
	for _ in {1..200}; do
		grep -qE '^ +[0-9.]+%  000102030405060708090a0b0c0d0e0f' out && break
		sleep 0.1
	done
	kill -INT $top
	wait $top
	check "activities" grep -qE '^ +[0-9.]+%  000102030405060708090a0b0c0d0e0f' out
	kill $pid 2>/dev/null
else
	skip_refused "activities" why
fi

# The first frame shows all threads of the machine, those that sleep all the time, too.
sleeper_in_first_frame() {
	: >found # what the last try wrote would end this one before it takes signals
	"$PERF" top --wall -d 2 -E 100000 -s comm >found 2>err &
	top=$!
	for ((i = 0; i < 300; i++)); do
		grep -q " rest$$ " found || (($(grep -c PerfTop found) > 1)) && break
		sleep 0.1
	done
	kill -INT $top
	wait $top
	awk -v name=" rest$$ " '/PerfTop/ { n++ } n == 1 && $0 ~ name { found = 1 } END { exit !found }' found
}
if "$PERF" record -q --wall -o try.data true 2>why; then
	cp "$(command -v sleep)" rest$$
	./rest$$ 600 &
	pid=$!
	check "--wall: the first frame shows what sleeps" eval 'for try in 1 2 3; do sleeper_in_first_frame && break; done'
	kill $pid
else
	skip_refused "--wall: the first frame shows what sleeps" why
fi

# Two threads that wait for each other, and one that waits for a lock whose owner sleeps.
cat >stuck.c <<'END_OF_C'
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *one(void *arg)
{
	pthread_setname_np(pthread_self(), "one");
	pthread_mutex_lock(&a);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&b);
	return NULL;
}
static void *two(void *arg)
{
	pthread_setname_np(pthread_self(), "two");
	pthread_mutex_lock(&b);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&a);
	return NULL;
}
static void *three(void *arg)
{
	pthread_setname_np(pthread_self(), "three");
	pthread_mutex_lock(&c);
	return NULL;
}
int main(void)
{
	pthread_t t;
	pthread_barrier_init(&both, NULL, 2);
	pthread_mutex_lock(&c);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&t, NULL, two, NULL);
	pthread_create(&t, NULL, three, NULL);
	for (;;)
		sleep(60);
}
END_OF_C
circle='DEADLOCK: (one \([0-9]+\) waits for b \(mutex\) that two \([0-9]+\) has, which waits for a \(mutex\) that one|two \([0-9]+\) waits for a \(mutex\) that one \([0-9]+\) has, which waits for b \(mutex\) that two) \([0-9]+\) has'
if "$PERF" record -q --wall -o try.data true 2>why && ${CC:-cc} -O1 -g -pthread stuck.c -o stuck 2>why; then
	./stuck &
	pid=$!
	: >wall
	"$PERF" top --wall -d 1 -p $pid >wall 2>err &
	top=$!
	for ((i = 0; i < 600; i++)); do
		grep -qE "$circle" wall && break
		sleep 0.1
	done
	kill -INT $top
	wait $top
	kill $pid
	check "--wall: a wait has its lock and its owner" grep -qE 'three \([0-9]+\)  waits for c \(mutex\), held by stuck \([0-9]+\)' wall
	check "--wall: a deadlock is told while it hangs" grep -qE "$circle" wall
	check "--wall: only of threads in a circle" eval '! grep DEADLOCK wall | grep -q three'
else
	skip_refused "--wall: a wait has its lock and its owner" why 3
fi

# It costs little: in percent of a CPU, as it says itself, once symbols are known. What begins on this machine meanwhile has to be
# looked up, too: where others begin all the time, it gets more seconds to find a quiet one.
costs_little() {
	awk -F'own: ' '/PerfTop/ { split($2, a, "%"); own[++n] = a[1] }
		END { for (i = 3; i <= n; i++) if (i == 3 || own[i] < best) best = own[i]; print "# own: " best " %"; exit !(n > 3 && best <= 3) }' out
}
for seconds in 5 10 20; do
	spin
	pid=$!
	timeout -s INT $seconds "$PERF" top -d 1 -E 20 >out 2>err
	kill $pid
	costs_little >own && break
done
check "at most 3 % of a CPU" costs_little

if [[ ! ${has_tmux:-} ]]; then
	skip "keys" "tmux is not here" 8
	exit 0
fi
spin
pid=$!
mux() { tmux -L "top$$" -f /dev/null "$@"; }
screen() { mux capture-pane -p -t t; }
until_shown() { # PATTERN
	for _ in {1..200}; do
		screen >shown
		grep -qE -- "$1" shown && return 0
		sleep 0.1
	done
	cat shown
	return 1
}
mux new-session -d -s t -x 80 -y 24 "bash --norc"
mux send-keys -t t "PS1='prompt> '" Enter "stty -a >before; '$PERF' top --stdio -d 1 -p $pid -s comm,sym; stty -a >after; echo left=\$?" Enter
check "on a terminal" until_shown 'h keys  q quit'
check "no line is wrapped, the first one is the summary" eval 'screen | head -1 | grep -q "^   PerfTop"'
mux send-keys -t t h
check "h shows the keys" until_shown 'freeze: take no more samples \(now off\)'
mux send-keys -t t f
check "f freezes" until_shown 'now on\)'
mux send-keys -t t f z h
check "z zeroes" until_shown 'zeroed'
mux resize-window -t t -x 60 -y 12
check "it fits another size" eval 'sleep 1.5; screen | head -1 | grep -q "^   PerfTop"'
mux send-keys -t t Up
sleep 0.3
mux send-keys -t t q
check "an arrow does not end it, q does" until_shown 'left=0'
check "the terminal is as it was" eval 'cmp <(sed "s/rows [0-9]*; columns [0-9]*;//" before) <(sed "s/rows [0-9]*; columns [0-9]*;//" after)'
mux kill-server
kill $pid
