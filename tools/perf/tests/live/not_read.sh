# SPDX-License-Identifier: GPL-2.0-or-later
# Samples whose activities perf record cannot read: they are "(not read)", and a line says which. "(none)" is only said of a
# thread that had none.
. "$SRC/tools/perf/tests/live/common"
needs_activities "what is not read"
plan 12

# states FILE EVENT OPTIONS...: the activities of the event's samples, with their numbers.
states() {
	"$PERF" script -i "$1" -G "${@:3}" -F event,activity 2>/dev/null |
		awk -v event="$2:" '$1 == event { $1 = ""; n[$0 ~ /[0-9a-f]:[0-9a-f]/ ? "ok" : $0]++ } END { for (s in n) print n[s], s }' |
		sed 's/  */ /g' >found
}
only_not_read() { grep -q ' (not read)$' found && ! grep -v ' (not read)$' found; }

"$PERF" record --wall=100 --wall-source=proc --sample-tls -o p.data -- "$WORKLOADS/busy" 0.5 2 >out 2>err
states p.data wall --comms server
check "thread states by /proc: their activities are not read" only_not_read
check "the closing line says why" grep -q "thread states by /proc: .*activities: /proc does not tell" err
check "and counts them so" grep -Eq "activities of samples: .* [1-9][0-9]* not read" err
"$PERF" report -i p.data --stdio -g none --no-children -s activity >out 2>err
check "a report says which" eval 'cat out err | grep -Eq "[1-9][0-9]* samples have an activity that perf record does not read: "'

if "$PERF" record -q --wall --wall-source=bpf --latency-of=syscall -o try.data true 2>why; then
	"$PERF" record --wall=100 --latency-of=syscall --sample-tls -o l.data -- "$WORKLOADS/busy" 1 2 >out 2>err
	states l.data syscall-latency --comms server
	check "durations of calls: their activities are not read" only_not_read
	states l.data wall --comms server
	check "those of the states are" grep -q ' ok$' found
else
	skip_refused "durations of calls: their activities are not read" why 2
fi

# A process that is not recorded wakes one that is.
cat >wakes.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "activity/activity.h"

static void work_for(int number)
{
	uint8_t trace[16] = { 0 }, span[8] = { 0 };

	trace[15] = span[7] = (uint8_t)number;
	activity_set(trace, span);
}

int main(void)
{
	int fds[2];
	char byte;

	if (pipe(fds))
		return 1;
	pid_t reader = fork();
	if (!reader) {
		close(fds[1]);
		prctl(PR_SET_NAME, "reader");
		work_for(2);
		while (read(fds[0], &byte, 1) == 1)
			;
		return 0;
	}
	prctl(PR_SET_NAME, "writer");
	work_for(1);
	printf("%d\n", (int)reader);
	fflush(stdout);
	for (int i = 0; i < 2000; i++) {
		usleep(10000);
		if (write(fds[1], "x", 1) != 1)
			return 1;
	}
	return 0;
}
C
if "$PERF" record -q --off-cpu --sample-tls -o try.data true 2>why; then
	${CC:-cc} -O1 -g -I"$SRC/tools/lib" wakes.c "$O/libactivity.a" -o wakes 2>err || cat err
	./wakes >pid &
	writer=$!
	for ((i = 0; i < 200; i++)); do test -s pid && break; sleep 0.02; done
	"$PERF" record --off-cpu --sample-tls -p "$(cat pid)" -o w.data -- sleep 0.5 >out 2>err
	"$PERF" record --off-cpu --sample-tls -a -o a.data -- sleep 0.5 >out 2>err
	"$PERF" record --off-cpu --off-cpu-thresh 100 --sample-tls -p "$(cat pid)" -o s.data -- sleep 0.5 >out 2>err
	kill $writer
	states s.data offcpu-time --comms reader
	# The wait that is not over at the end has its own sample.
	check "short waits that are added up: not read" eval 'grep -q " (not read)$" found && ! grep -vE " \(not read\)$|^1 ok$" found'
	# A thread of the kernel may end a wait, too, and has none.
	states w.data offcpu-waker --comms writer
	check "wakers outside of what is recorded: not read" only_not_read
	states w.data offcpu-time --comms reader
	# The first one began before the recording, and before the process was looked at. If the kernel skips a program, a wait is added to
	# a sum: at most four samples.
	check "the waits that they end are, except the first one" eval 'grep -q " ok$" found && ! grep -v " ok$" found | grep -vE "^ *[1-6] \((not read|not looked up yet)\)$"'
	states a.data offcpu-waker --comms writer
	check "recorded themselves, they are read" eval 'grep -q " ok$" found'
	# Threads of the kernel have none.
	"$PERF" script -i a.data -G -F pid,event,activity 2>/dev/null | awk '$2 == "offcpu-waker:" && $1 == 0 || $1 == 2' >found
	check "of threads of the kernel it is known that they have none" eval '! grep "not read" found'
else
	skip_refused "wakers outside of what is recorded: not read" why 5
fi

# CLOCK_REALTIME is set back while it is the recording's clock: what was found is told again, as of time 0. Otherwise later samples would
# come before it. (Only the recorder sees another time here: the machine's clock is left alone.)
cat >set_back.c <<'C'
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
	long failed = syscall(SYS_clock_gettime, id, t);

	if (id == CLOCK_REALTIME && !access("set_back", F_OK))
		t->tv_sec -= 3600;
	return (int)failed;
}
C
${CC:-cc} -shared -fPIC -O1 -o set_back.so set_back.c 2>err || cat err
LD_PRELOAD=$PWD/set_back.so "$PERF" record -k realtime --sample-tls -F 200 -e cpu-clock -o k.data -- \
	sh -c '"$0" 1 1 & sleep 0.5; touch set_back; wait' "$WORKLOADS/busy" >out 2>err
rm -f set_back
"$PERF" report -D -i k.data 2>/dev/null | grep -E '^0 .* tls layout .*: state 0, activity_record ' >found
check "-k realtime: if the clock is set back, layouts are told again" test "$(wc -l <found)" = 2
