#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --wall: targets, methods and other options: the variants of the BPF program, stacks of sleepers, threads, namespaces,
# many threads with short lives.
. "$SRC/tools/perf/tests/live/common"
rows() { # FILE KEYS [OPTIONS]
	"$PERF" report -i "$1" --stdio -q -g none --no-children -s "$2" "${@:3}" 2>report.err | sed 's/ *$//' >found
}

if ! "$PERF" record -q --wall --wall-source=bpf -o try.data true 2>why; then
	sources=proc
	plan 27
	skip_refused "by bpf" why
else
	sources="bpf-iter bpf-loop bpf-list proc"
	plan 59
fi
# The kernel tells by another clock than the recording's since when a thread has its CPU.
if [[ $sources = *bpf* ]]; then
	"$PERF" record -q --wall --wall-source=bpf -o clock.data -- bash -c 'TIMEFORMAT="%U %S"; { time sleep 0.1; } 2>times' 2>err
	"$PERF" script -i clock.data -G -F period,state --comms sleep 2>/dev/null | awk '/on CPU/ { on += $1 } END { print on / 1e9 }' >found
	check "a thread that ends has its own time on a CPU: $(cat found) of $(cat times) s" eval 'paste found times | awk "{ exit !(NF == 3 && \$1 <= \$2 + \$3 + 0.005) }"'
fi
# A kernel without type information, as far as that can be had: its file is covered.
if unshare -m sh -c 'mount -t tmpfs none /sys/kernel/btf' 2>err && ! ls /boot/vmlinux-* >/dev/null 2>&1; then
	check "--wall-source=bpf without the kernel's types: that is what is said" eval '! unshare -m sh -c "mount -t tmpfs none /sys/kernel/btf && exec \"\$0\" record --wall --wall-source=bpf -o no.data true" "$PERF" 2>err && grep -q "needs the kernel.s type information (BTF), and /sys/kernel/btf/vmlinux is not there" err'
else
	skip "--wall-source=bpf without the kernel's types: that is what is said" "/sys/kernel/btf cannot be covered, or /boot has them too"
fi
"$WORKLOADS/states" 60 >out &
pid=$!
for _ in $(seq 100); do
	grep -qs "^request$" /proc/$pid/task/*/comm && grep -q "^port" out && break
	sleep 0.1
done
tid=$(grep -l "^pipe$" /proc/$pid/task/*/comm | head -1 | cut -d/ -f5)

for source in $sources; do
	if ! "$PERF" record -q --wall --wall-source=$source -o try.data true 2>why; then
		case $source in
		bpf-list) skip_refused "$source" why 7 ;;
		proc) skip_refused "$source" why 6 ;;
		*) skip_refused "$source" why 4 ;;
		esac
		continue
	fi
	"$PERF" record --wall --wall-source=$source -p $pid -o p.data -- sleep 0.4 >/dev/null 2>err
	rows p.data comm,state,syscall
	for row in "futex .*S (sleep) *futex" "pipe .*S (sleep) *read" "epoll .*S (sleep) *epoll_wait" "spin .*R ("; do
		check "$source: ${row%% *}" grep -q "$row" found
	done
	case $source in bpf-iter | bpf-loop) continue ;; esac
	"$PERF" record --wall --wall-source=$source -t "$tid" -g -o t.data -- sleep 0.3 >/dev/null 2>err
	rows t.data tid
	check "$source: -t is one thread" test "$(grep -c . found)" = 1
	# Without all registers (by /proc) a chain may end early.
	"$PERF" script -i t.data -F ip,sym,dso 2>/dev/null >found
	check "$source: the sleeper's callers" eval 'grep -q " read (" found && grep -q " wait_pipe (" found'
	[[ $source = proc ]] || check "$source: up to the root" to_the_root
done
"$PERF" report -D -i t.data 2>/dev/null | grep "look at threads" >found
check "each look is counted in the file" eval 'test $(wc -l <found) = $(sed -n "s/.*thread states by .*: \([1-9][0-9]*\) passes.*/\1/p" err) && ! grep -v " 1 seen, .* 0 lost, " found | grep -v " 0 seen,"'

# A thread that sleeps makes one sample, and one walk, however often it is looked at.
"$PERF" record --wall=200 -g -t "$tid" -o t.data -- sleep 0.5 >/dev/null 2>err
check "one walk for many looks" grep -q "\[ perf record: 1 stacks unwound" err
"$PERF" record --wall --call-graph dwarf -t "$tid" -o t.data -- sleep 0.3 >/dev/null 2>err
"$PERF" script -i t.data -F ip,sym 2>/dev/null >found
check "stacks are unwound later with dwarf" grep -q " wait_pipe$" found
kill $pid
wait $pid 2>/dev/null

# A process id that is used again: each process has its own time. /proc tells no ends: where passes are late, the end of the first one may
# be heard of too late.
each_has_its_own() {
	awk -F'|' '
		NR == FNR { split($0, said, " "); if (said[2]) was[said[1]] = said[2]; else tid = $0; next }
		$3 ~ tid { gsub(/ /, "", $2) }
		$3 ~ tid && $4 ~ /run queue/ { queued[$2] += $1 }
		$3 ~ tid && $4 ~ /^S/ { slept[$2] += $1; if ($5 ~ ($2 == "first" ? "clock_nanosleep" : "read")) own[$2] += $1 }
		END { for (name in was) {
				print "# " name " " was[name] ": " slept[name] " " own[name] ", run queue " queued[name]
				wrong += slept[name] > was[name] + 0.05 || slept[name] + queued[name] < was[name] - 0.05 || own[name] != slept[name]
			}
			exit !was["first"] || !was["second"] || wrong }' number found
}
for source in $sources; do
	case $source in bpf-iter | bpf-loop) continue ;; esac
	for try in 1 2 3 4; do
		"$PERF" record --wall=50 --wall-source=$source -o r.data -- "$WORKLOADS/reuse" 0.4 >number 2>err
		grep -q "^no reuse" number && break
		"$PERF" report -i r.data --stdio -q -g none --no-children -F seconds,comm,tid,state,syscall -t '|' --comms first,second 2>report.err >found
		each_has_its_own >said && break
		[[ $source == proc ]] && grep -q ' late' err || break
	done
	if grep -q "^no reuse" number; then
		skip "$source: a number used twice" "$(cat number)"
	else
		check "$source: a number used twice: each has its own time" each_has_its_own
	fi
done

user=$(id -un)
"$PERF" record --wall -u "$user" -o u.data -- sleep 0.3 >/dev/null 2>err
check "-u: the user's processes" test "$("$PERF" report -i u.data --stdio -q -s pid -g none --no-children 2>/dev/null | grep -c .)" -ge 1
if [[ $(id -u) = 0 ]]; then
	"$PERF" record --wall -a -o a.data -- sleep 0.3 >/dev/null 2>err
	rows a.data comm,idle
	check "-a: threads of the kernel are idle" grep -q "idle (kernel thread)" found
else
	skip "-a: threads of the kernel" "needs root"
fi

# A descriptor that is closed and opened again is another file: two pipes, each of them descriptor 3 while it is waited for.
both_pipes() {
	[[ $(sort -u pipes | wc -l) == 2 && $(grep -oFf pipes found | sort -u | wc -l) == 2 ]]
}
for source in $sources; do
	case $source in bpf-iter | bpf-loop) continue ;; esac
	"$PERF" record -q --wall=100 --wall-source=$source -o two.data -- bash -c 'for i in 1 2; do exec 3< <(sleep 0.4); readlink /proc/$$/fd/3; read -ru 3; exec 3<&-; done' >pipes 2>err
	rows two.data file,comm --comms bash
	check "$source: a descriptor has the file that it is at the time" both_pipes
done

# Control groups: -G for an event and for states, the name in the report, a group that is frozen.
mount=$(awk '$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { print $2; exit }' /proc/mounts)
[[ $mount ]] || mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=perf-test-$$
if [[ $mount ]] && mkdir "$mount/$group" "$mount/$group/below" "$mount/$group/of"{1..40} 2>why; then
	"$WORKLOADS/throng" 4 0 1 1 >ready &
	inside=$!
	cp "$WORKLOADS/throng" outside$$
	./outside$$ 4 0 1 1 >/dev/null &
	other=$!
	leave_group() {
		kill $inside $other
		echo 0 >"$mount/$group/below/cgroup.freeze"
		wait $inside $other
		rmdir "$mount/$group/"{below,of*} "$mount/$group"
		trap - EXIT
	} 2>/dev/null
	trap leave_group EXIT
	echo $inside >"$mount/$group/below/cgroup.procs"
	for source in $sources; do
		case $source in bpf-iter | bpf-loop) continue ;; esac
		"$PERF" record -a -e cpu-clock -F 200 -G $group --wall --wall-source=$source -o g.data -- sleep 0.6 >/dev/null 2>err
		"$PERF" script -i g.data -G -F comm,event 2>/dev/null | sed 's/^ *//' | sort | uniq -c >found
		check "$source: -G: only threads of the group, on the CPU and off it" \
			eval 'grep -q " throng *cpu-clock" found && grep -q " throng *wall" found && ! grep -vE " (throng|perf) " found'
		check "$source: all of them" test "$("$PERF" script -i g.data -G --comms throng -F tid,event 2>/dev/null | grep wall | sort -u | wc -l)" = 6
	done
	for source in $sources; do
		case $source in bpf-iter | bpf-loop) continue ;; esac
		"$PERF" record -a --wall --wall-source=$source -G $group -o g.data -- sleep 0.3 >/dev/null 2>err
		rows g.data cgroup --comms throng
		check "$source: the group has its name" eval 'grep -q "/$group/below$" found && ! grep -v "/$group/below$" found | grep %'
	done
	# The program has room for any number of groups.
	for source in bpf off-cpu; do
		case "$sources" in proc) continue ;; esac
		many=(--wall --wall-source=bpf)
		[[ $source == off-cpu ]] && many=(--off-cpu)
		"$PERF" record -a "${many[@]}" -G "$(printf "$group/of%s," {1..40})$group/below" -o g.data -- sleep 0.6 >/dev/null 2>err
		"$PERF" script -i g.data -G -F comm,tid 2>/dev/null | sed 's/^ *//' | sort -u >found
		check "$source: the last one of 41 groups" eval 'grep -q "^throng " found && ! grep -vE "^(throng|perf) " found'
	done
	check "a group that is not there" eval '! "$PERF" record -a -e cpu-clock -G $group/none -o g.data true 2>err && grep -q "no access to cgroup $mount/$group/none" err'
	check "more groups than events" eval '! "$PERF" record -a -e cpu-clock -G $group,$group -o g.data true 2>err && grep -q "2 control groups for 1 event" err'
	if echo 1 2>/dev/null >"$mount/$group/below/cgroup.freeze"; then
		for source in $sources; do
			case $source in bpf-iter | bpf-loop | proc) continue ;; esac
			"$PERF" record --wall --wall-source=$source -p $inside -o f.data -- sleep 0.4 >/dev/null 2>err
			rows f.data state
			check "$source: a frozen group's threads are frozen" eval 'grep -q "9[0-9]\.[0-9]*% *F (frozen)\|100.00% *F (frozen)" found'
		done
		echo 0 >"$mount/$group/below/cgroup.freeze"
	else
		[[ $sources = proc ]] || skip "threads of a frozen group" "groups cannot be frozen here"
	fi
	leave_group # its busy threads need a CPU each
else
	skip "-G" "no control group can be made: $(tail -1 why)" $([[ $sources = proc ]] && echo 5 || echo 11)
fi
check "-G needs -a" eval '! "$PERF" record -e cpu-clock -G x true 2>err && grep -q "cgroup monitoring only available in system-wide mode" err'
check "-G needs events" eval '! "$PERF" record -a -G x true 2>err && grep -q "must define events before cgroups" err'

# Repeated samples are merged, and the times of each thread still add up to its life. On a busy machine a thread gets a CPU as rarely
# as it is looked at, and there is little to merge: then once more.
merged() { # MS: number of samples, their time, and that from each thread's first to its last instant
	"$PERF" record --wall=100 --wall-merge=$1 -o m.data -- "$WORKLOADS/throng" 0 4 50 0 1 >/dev/null 2>err
	"$PERF" script -i m.data -G -F tid,time,period --ns 2>/dev/null | tr -d : | awk '{ n++; s += $3 / 1e9; from = $2 - $3 / 1e9
		if (!($1 in to) || from < first[$1]) first[$1] = from
		if ($2 > to[$1]) to[$1] = $2 } END { for (t in to) life += to[t] - first[t]; printf "%d %.3f %.3f\n", n, s, life }'
}
for ((i = 0; i < 10; i++)); do
	merged 0 >sum0
	merged 1000 >sum1000
	paste sum0 sum1000 | awk '{ exit !($4 * 3 < $1) }' && break
done
check "repeated stretches are added up: $(cat sum0), then $(cat sum1000)" \
	eval 'paste sum0 sum1000 | awk "{ exit !(\$4 * 3 < \$1 && \$2 > \$3 * 0.99 && \$2 < \$3 * 1.01 && \$5 > \$6 * 0.99 && \$5 < \$6 * 1.01) }"'
check "--wall-merge is a time" eval '! "$PERF" record --wall --wall-merge=x true 2>err && grep -q wall-merge err'

for source in bpf proc; do
	if [[ $source = bpf && $sources = proc ]] || ! unshare -pf true 2>err; then
		skip "$source: a container's thread has both numbers" "no BPF, or no pid namespace can be made"
		continue
	fi
	"$PERF" record --wall=50 --wall-source=$source -o ns.data -- unshare -pf sleep 0.2 >/dev/null 2>err
	rows ns.data comm,nspid --comms sleep
	check "$source: a container's thread has both numbers" grep -Eq " 1/1 \([0-9]+/[0-9]+\)" found
done
# A thread that executes a program goes on with its process's id: its own is no more, and the process's sleeps go on.
for source in $sources; do
	case $source in bpf-iter | bpf-loop) continue ;; esac
	"$PERF" record -q --wall=50 --wall-source=$source -o t.data -- "$WORKLOADS/takeover" sleep 0.5 >out 2>err
	"$PERF" script -i t.data -G -F comm,tid,time,period,state --ns 2>err | sed 's/://' >found
	check "$source: a thread that executes a program ends with its id" awk -v tid="$(cat out)" '
		$2 == tid && $3 > own { own = $3 } $3 > last { last = $3 } $1 == "sleep" && $2 != tid && $5 == "S" { slept += $4 }
		END { print "# " own " of " last ", asleep for " slept / 1e9; exit !(own && last - own > 0.3 && slept > 0.45e9) }' found
done
if [[ $sources = *bpf* ]]; then
	# Threads that live between two looks are seen when they end.
	"$PERF" record --wall --wall-source=bpf -o churn.data -- bash -c 'for i in $(seq 100); do /bin/true & echo $!; wait; done' >pids 2>err
	"$PERF" script -i churn.data -G -F tid 2>/dev/null | tr -d ' ' | sort -u >seen
	sort pids | comm -23 - seen >found
	check "100 processes of a millisecond are all there" test "$(wc -l <pids)" = 100 -a ! -s found
	check "and nothing was lost" eval 'grep -q "thread states by" err && ! grep -q LOST err'
	# Sleeps that begin and end between two passes: of processes, and of threads. On a busy machine the scheduler's sums may tell a
	# sleep as time in the run queue, or its state is that of the sleep before (a note of reports counts such time). So one of three
	# recordings has to be right.
	for try in 1 2 3; do
		"$PERF" record --wall --wall-source=bpf -o naps.data -- \
			bash -c 'begin=${EPOCHREALTIME/./}; for i in {1..40}; do sleep 0.03; done; echo $((${EPOCHREALTIME/./} - begin))' >out 2>err
		"$PERF" report -i naps.data --stdio -q -g none --no-children -F period,comm,state -t '|' 2>/dev/null |
			awk -F'|' '$2 ~ /^sleep/ && $3 ~ /^S/ { s += $1 / 1e9 } END { print s + 0 }' >found
		awk -v lasted="$(cat out)" '{ print "# " $1 " of " lasted / 1e6; exit !($1 > 1.19 && $1 <= lasted / 1e6) }' found && break
	done
	check "40 processes that sleep 30 ms each, one after another, have slept for 1.2 s, and not for longer than it lasted" \
		awk -v lasted="$(cat out)" '{ exit !($1 > 1.19 && $1 <= lasted / 1e6) }' found
	"$PERF" record --wall=5 --wall-source=bpf -o naps.data -- python3 -c '
import os, threading, time
begin = time.monotonic()
for i in range(200):
	t = threading.Thread(target=time.sleep, args=(0.005,))
	t.start()
	t.join()
print(os.getpid(), time.monotonic() - begin)
' >out 2>err
	read -r main lasted <out
	"$PERF" script -i naps.data -G -F tid,period,state 2>/dev/null | awk -v main="$main" '$1 != main && $3 == "S" { s += $2 / 1e9 } END { print s + 0 }' >found
	check "200 threads that sleep 5 ms each, one after another, have slept for 1 s, and not for longer than it lasted" \
		awk -v lasted="$lasted" '{ print "# " $1 " of " lasted; exit !($1 > 0.99 && $1 <= lasted) }' found
	"$PERF" record --wall=5 --wall-source=proc -o naps.data -- bash -c 'for i in {1..40}; do sleep 0.01; done' >out 2>err
	check "proc: threads that no pass saw are counted" grep -q "threads ended before any pass saw them" err
	"$PERF" record --wall=50 --latency-of=syscall -o l.data -- "$WORKLOADS/states" 1 >/dev/null 2>err
	"$PERF" script -i l.data -G --comms request -F event,period 2>/dev/null | awk '/syscall-latency/ { print $1 / 1e6 }' | sort -n >found
	# The last one is cut short by the end of the process.
	check "--latency-of=syscall: sleeps of 20 ms took 20 ms and more" awk '{ if ($1 < 19.9) bad++ } END { exit !(NR > 5 && bad <= 1) }' found
	# The look and the end have the same number: 8 bytes at 72 of the raw data.
	number() { # EVENT
		"$PERF" script -i l.data -G --comms request -F event,bpf-output 2>/dev/null | awk -v event="$1:" '/[a-z]:/ && /(wall|latency):/ { on = ($0 ~ event) } on && /0048:/ { print $2 $3 $4 $5 $6 $7 $8 $9 }' | sort -u
	}
	number syscall-latency >ends
	number wall >looks
	check "--latency-of=syscall: each end belongs to a look" eval 'test -s ends && ! comm -23 ends looks | grep -q .'
	check "--latency-of is one of two" eval '! "$PERF" record --wall --latency-of=x true 2>err && grep -q latency-of err'
fi
