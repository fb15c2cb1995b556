#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A recorder in a container: in a pid namespace of its own, with its own /proc. Its files have the numbers of that /proc, and no
# threads of other containers. The programs in the kernel see other numbers.
. "$SRC/tools/perf/tests/live/common"

if ! unshare -pf --mount-proc true 2>why; then
	skip_all "a recorder in a container" "no pid namespace can be made"
fi
cp "$(command -v sleep)" outsider
cp "$(command -v sleep)" deeper
./outsider 60 &
outsider=$!
export PERF_DETACHED_DIR=$PWD/shelf name=container-test-$$
trap 'kill $outsider 2>/dev/null; "$PERF" detached rm $name >/dev/null 2>&1' EXIT

cat >inside.sh <<'END_INSIDE'
"$WORKLOADS/states" 60 >out &
pid=$!
unshare -pf --mount-proc ./deeper 60 &
for _ in $(seq 100); do
	grep -qs "^request$" /proc/$pid/task/*/comm && grep -q "^port" out && grep -qs "^deeper$" /proc/[0-9]*/comm && break
	sleep 0.02
done
for task in /proc/$pid/task/*; do # its threads: COMM PID/TID
	echo "$(<$task/comm) $pid/${task##*/}"
done | sort >truth
deeper=$(grep -l "^deeper$" /proc/[0-9]*/comm)
echo "1/1 (${deeper//[^0-9]/}/${deeper//[^0-9]/})" >deeper.truth
# All at once: most of their time is waiting.
for source in bpf-iter bpf-loop bpf-list; do
	"$PERF" record --wall --wall-source=$source -a -o $source.data -- sleep 0.1 >$source.err 2>&1 &
	recorders+=($!)
done
"$PERF" record -q -e cpu-clock -F 999 --wall --wall-source=bpf --sample-tls -p $pid -o one.data -- sleep 0.2 2>one.err &
recorders+=($!)
"$PERF" record -q --wall --wall-source=bpf -o command.data -- sh -c 'echo $$; (sleep 0.1; :) & sleep 0.1; wait' >command.pid 2>command.err &
recorders+=($!)
"$PERF" record -q --off-cpu=1us -p $pid -o off.data -- sleep 0.1 2>off.err &
recorders+=($!)
for what in "--wall --wall-source=bpf" --off-cpu "--wall --latency-of=syscall"; do
	setpriv --bounding-set=-all --inh-caps=-all "$PERF" record $what -o no.data true
done 2>caps.err
setpriv --bounding-set=-all --inh-caps=-all "$PERF" record --wall -p $pid -o bare.data -- sleep 0.1 >bare.err 2>&1 &
recorders+=($!)
"$PERF" record --detached=$name --carrier=bpf --keep=256K -p $pid 2>carrier.err
wait "${recorders[@]}"
cat {one,command,off}.err >>err
END_INSIDE
unshare -pf --mount-proc bash inside.sh 2>>err
if ! [[ -s off.data ]]; then
	skip_all_refused "a recorder in a container" off.err
fi

plan 15
threads() { "$PERF" script -i "$1" -G -F comm,pid,tid 2>>err | awk '{ print $1, $2 }' | sort -u >found; } # FILE: COMM PID/TID
has_all() { [[ -s truth ]] && ! comm -23 truth found | grep .; }

for source in bpf-iter bpf-loop bpf-list; do
	if ! [[ -s $source.data ]]; then
		skip_refused "--wall -a, $source" $source.err 2
		continue
	fi
	threads $source.data
	check "--wall -a, $source: names and numbers are those of the container's /proc" has_all
	check "--wall -a, $source: nothing from outside" eval 'grep -q "^deeper " found && ! grep -Eq "^(outsider|:.*) |/0$" found'
done
"$PERF" report -i bpf-iter.data --stdio -q -s comm,nspid --comms deeper >found 2>>err
check "a container in the container has both numbers" grep -qF "$(cat deeper.truth)" found
threads one.data
check "--wall -p takes the container's numbers" eval 'has_all && ! comm -13 truth found | grep .'
activities() { "$PERF" script -i one.data -G -F event,activity --comms "$2" 2>>err | grep "$1:" >found; } # EVENT COMM
activities wall pipe
check "sleepers have their activities" eval 'test -s found && ! grep -v " 0*13:0*13$" found'
activities cpu-clock spin
check "samples have the activities of their threads" eval 'grep -q " 0*10:0*10$" found && ! grep -Ev " (0*10:0*10|[(]interrupt[)])$" found'
threads command.data
check "a command and its children" eval 'grep -q "^sh $(cat command.pid)/$(cat command.pid)$" found && test "$(grep -c "^sleep " found)" = 2'
threads off.data
grep -E "^(request|pipe|half) " truth >some
check "--off-cpu has the container's numbers" eval 'test "$(wc -l <some)" = 3 && ! comm -23 some found | grep .'
if setpriv --bounding-set=-all --inh-caps=-all true 2>err; then
	check "without capabilities, each option that needs BPF says which, and what to do" test "$(grep -c "^perf: --.* needs BPF: CAP_BPF and CAP_PERFMON, which root does not have here (docker run --cap-add=BPF --cap-add=PERFMON)$" caps.err)" = 3
	threads bare.data
	check "--wall goes on by /proc there" has_all
else
	skip "without capabilities" "$(tail -1 err)" 2
fi
check "--carrier=bpf is refused in a line" grep -q "container.s pid namespace: use --carrier=keeper" carrier.err
