#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record --sample-tls against a workload that knows what it did when. Its log decides for every
# sample whether the id is the one that the thread had at that instant (schedule_check.c says
# what is counted), and its own accounts what the shares are.
check=$O/tests/tools/schedule_check
schedule=$WORKLOADS/schedule
workload_sources=$SRC/tools/perf/tests/workloads

. "$SRC/tools/perf/tests/live/common"
needs_activities activity
plan 53

# record_run PERF-OPTIONS... -- WORKLOAD ARGUMENTS...: fills ./perf.data, ./log, ./cpu, and the
# variables that schedule_check names.
record_run() {
	last=("$@")
	rm -f log cpu
	"$PERF" record -q --sample-tls -k CLOCK_MONOTONIC "$@" log >cpu 2>err || cat err
	judge
}

judge() {
	local name value
	"$check" perf.data log "${grace:-0}" >counts ||
		printf '%s 0\n' samples ok kernel none updating unknown half >counts
	while read -r name value; do declare -g "$name=$value"; done <counts
}

# exact NAME LEAST: no sample has a false activity or the state "not looked up yet". At least LEAST samples have
# an activity, and few are unreadable. If a busy machine gives the workload so little time that there are hardly
# LEAST samples, the recording is repeated, and all runs must be right.
exact() {
	local seen=0 runs
	for runs in {1..10}; do
		((torn + foreign + stale + misplaced + unset + truncated + unknown == 0 && unreadable * 20 <= ok)) || break
		((seen += ok))
		if ((seen >= $2)); then
			echo "ok - $1"
			return
		fi
		((samples < 2 * $2 && ${#last[@]})) || break
		echo "# $samples samples in run $runs: once more"
		record_run "${last[@]}"
	done
	cat err counts
	echo "not ok - $1"
}

# shares NAME: each class's share of the samples is that of the CPU time within 2 %.
shares() {
	if awk '
		NR == FNR { time[$1] += $2; all_time += $2; next }
		sub(/^class/, "", $1) { count[$1] = $2; all += $2 }
		END {
			for (c in time) {
				off = count[c] / all - time[c] / all_time
				printf "class %d: %.4f of the time, %.4f of the samples\n", c,
					time[c] / all_time, count[c] / all
				if (off > 0.02 || off < -0.02)
					bad = 1
			}
			exit bad || all < 1000
		}' cpu counts >compared; then
		echo "ok - $1"
	else
		cat compared counts
		echo "not ok - $1"
	fi
}

for threads in 1 4 64; do
	record_run -F 4000 -- "$schedule" busy $threads $( ((threads == 1)) && echo 1 || echo 0.5) 5000
	exact "$threads threads at 4 kHz: no id but the right one" 500
	shares "$threads threads at 4 kHz: shares"
done

record_run -F 10000 -- "$schedule" busy 4 0.25 100
exact "10 kHz, ids that change every 5 us to 40 us" 2000
record_run -F 10000 -- "$schedule" syscall 2 0.25 500
exact "10 kHz, nearly all in system calls" 2000
((kernel * 2 > ok)) && echo "ok - most of these samples are in the kernel" ||
	echo "not ok - most of these samples are in the kernel: $kernel of $ok"

record_run -F 4000 -g -- "$schedule" busy 2 0.2 100
exact "with call chains" 200
record_run -e cpu-clock,task-clock,page-faults -F 4000 -- "$schedule" busy 2 0.2 100
exact "several events" 400
record_run -e raw_syscalls:sys_enter -- "$schedule" syscall 2 0.2 500
exact "a tracepoint, at every hit" 2000
record_run -a -e cpu-clock -e raw_syscalls:sys_exit -m 4M -- "$schedule" syscall 2 0.2 500
exact "a timer and a tracepoint, on all CPUs" 2000
record_run -e raw_syscalls:sys_enter -e raw_syscalls:sys_enter -- "$schedule" syscall 2 0.2 500
exact "two events of one tracepoint" 2000
record_run -a -e cpu-clock -e raw_syscalls:sys_enter -e irq:softirq_entry -e timer:hrtimer_expire_entry -m 4M -- "$schedule" syscall 2 0.2 500
exact "tracepoints of interrupts within a hit" 2000
record_run -F 4000 -- "$schedule" fork 2 0.2 100
exact "a forked child" 400
record_run -F 4000 -- "$schedule" exec 2 0.2 100
exact "a child that executes another program" 400
record_run -F 4000 -a -- "$schedule" busy 2 0.2 100
exact "all CPUs" 200
record_run -F 5000 -m 8 --overwrite -- "$schedule" busy 2 0.4 200
exact "rings that overwrite" 20

# cpu_of PID: the CPU time that a process has had in user mode, in ticks.
cpu_of() { sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f12; }

# perf attaches after the workload has started, and records until it ends. So the CPU time is the same on a busy machine.
rm -f log cpu
"$schedule" busy 3 1 100 log >cpu &
pid=$!
while (($(cpu_of $pid) < 10)); do sleep 0.01; done
"$PERF" record -q --sample-tls -k CLOCK_MONOTONIC -F 4000 -p $pid 2>err
wait $pid
last=()
judge
exact "-p of a running process" 2000

# Small rings, and a recorder that is stopped while its workload computes: many samples are lost, and the others
# must still be right. The activity of a sample next to a loss may be unknown.
rm -f log cpu
"$PERF" record -q --sample-tls -k CLOCK_MONOTONIC -F 10000 -g -m 2 -- "$schedule" busy 4 1.3 200 log >cpu 2>err &
pid=$!
until workload=$(pgrep -P $pid -x schedule); do sleep 0.01; done
for _ in 1 2 3; do
	ran=$(cpu_of "$workload")
	while (($(cpu_of "$workload") < ran + 15)); do sleep 0.05; done
	kill -STOP $pid
	ran=$(cpu_of "$workload")
	while (($(cpu_of "$workload") < ran + 40)); do sleep 0.05; done
	kill -CONT $pid
done
wait $pid
last=()
judge
exact "rings too small" 100
# Records of the BPF program itself are lost, too, and do not count as lost samples.
lost=$("$PERF" report -i perf.data --stdio 2>&1 | sed -nE 's/.*Total Lost Samples: ([0-9]+).*/\1/p')
events=$("$PERF" report -i perf.data --stdio 2>&1 | sed -nE 's/.*the recorder lost ([0-9]+) events.*/\1/p')
if ((lost > 0 && events * 10 <= lost * 11)); then
	echo "ok - what was lost is the user's own: $events events, $lost samples"
else
	echo "not ok - what was lost is the user's own: $events events, $lost samples"
fi
if "$STOCK_PERF" report --stats 2>/dev/null | grep -q ' LOST events: *[1-9]'; then
	echo "ok - something was lost in them"
else
	echo "not ok - something was lost in them"
fi

# Every way in which the record can be part of a program.
build() { # NAME FLAGS...
	local name=$1
	shift
	${CC:-cc} -O2 -pthread -I"$SRC/tools/lib" -I"$workload_sources" -o "$name" "${source:-$workload_sources/schedule.c}" "$@" ||
		echo "not ok - $name does not build"
}
cp "$O/libactivity.so" libactivity.so.1
shared=("$PWD/libactivity.so.1" "-Wl,-rpath,$PWD")
build pie -fPIE -pie "$O/libactivity.a"
build no-pie -no-pie "$O/libactivity.a"
build stripped "$O/libactivity.a" -s -Wl,--export-dynamic-symbol=activity_record
build static -static "$O/libactivity.a"
build static-pie -static-pie -fPIE "$O/libactivity.a"
build shared "${shared[@]}"
cat >far.c <<-END
	#include "$workload_sources/schedule.c"
	static __thread char far[3000] __attribute__((aligned(256)));
	__attribute__((used)) char *use(void) { return far; }
END
source=far.c build far "${shared[@]}"
for program in pie no-pie stripped static static-pie shared far; do
	# A far record is out of the window until it is found, which takes 100 ms at most.
	if [[ $program == far ]]; then
		grace=100
		record_run -F 2000 -- ./$program busy 2 0.4 200
	else
		record_run -F 4000 -- ./$program busy 2 0.2 100
	fi
	exact "built $program" 200
done
grace=

"$PERF" record --sample-tls=no_such_variable -o none.data -- "$schedule" busy 1 0.1 200 log >/dev/null 2>err
grep -q "no process had the thread-local variable 'no_such_variable'" err && echo "ok - a variable that is nowhere" ||
	{ cat err; echo "not ok - a variable that is nowhere"; }

# The kernel reads the variable, if it can. On a stock kernel, perf says what is missing and what works there.
if "$PERF" record -q --sample-tls --tls-source=kernel -o kernel.data true 2>err; then
	echo "ok - --tls-source=kernel"
elif [[ $(wc -l <err) == 1 ]] && grep -q 'this kernel has no PERF_SAMPLE_TLS_USER; --tls-source=bpf works on stock kernels$' err; then
	echo "ok - --tls-source=kernel is refused in a line that says what works"
else
	cat err
	echo "not ok - --tls-source=kernel"
fi

# Any thread-local variable, in the program or in a library, by offset, size and type.
cat >variables.c <<'END'
#include <string.h>
#include <time.h>
struct request { int zero; unsigned int number; char name[24]; unsigned char id[16]; };
#ifdef LIBRARY
__thread struct request request = { 0, 7, "GET /caf\xc3\xa9 \\ \x01", { 0x12, 0x3e, 0x45, 0x67, 0xe8 } };
__thread unsigned long serial = 1234567890123;
void touch(void) { request.number = request.number; }
#else
extern __thread struct request request;
extern __thread unsigned long serial;
void touch(void);
int main(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 10;
	for (touch(); clock() < end && serial;)
		for (volatile int i = 0; i < 100000; i++)
			;
	return 0;
}
#endif
END
${CC:-cc} -O1 -DLIBRARY -fPIC -shared -o libvariables.so variables.c
${CC:-cc} -O1 -o in-library variables.c ./libvariables.so
${CC:-cc} -O1 -DLIBRARY -c -o variables.o variables.c
${CC:-cc} -O1 -o in-program variables.c variables.o
${CC:-cc} -O1 -static -o in-static variables.c variables.o
for program in in-program in-library in-static; do
	while read -r layout expected; do
		"$PERF" record -q --sample-tls="$layout" -F 500 -o v.data -- ./$program 2>err
		"$PERF" report -i v.data -s activity --stdio 2>>err >out
		# The largest row; before the program's start-up code has run there is nothing to see.
		row=$(grep -m1 '%' out | sed -E 's/^ *[0-9.]+% +//; s/ +$//')
		if [[ $row == "$expected" ]]; then
			echo "ok - $program: $layout"
		else
			cat err out
			echo "not ok - $program: $layout: '$row'"
		fi
	done <<-'END'
		serial 1234567890123
		serial:0:8:hex cb04fb711f010000
		request:4:4 7
		request:4:4:hex 07000000
		request:8:24:string GET /café \x5c \x01
		request:32:16:uuid 123e4567-e800-0000-0000-000000000000
		request:32 123e4567e80000000000000000000000
	END
done
