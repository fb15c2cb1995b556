# SPDX-License-Identifier: GPL-2.0-or-later
# Detached recordings without any process: perf record --detached --carrier=bpf.
. "$SRC/tools/perf/tests/live/common"

export PERF_DETACHED_DIR=$PWD/shelf
crash=$WORKLOADS/crash
name=pinned-test-$$
mounted=
if ! grep -q ' bpf ' /proc/self/mounts; then
	mkdir bpffs
	mount -t bpf bpf bpffs 2>/dev/null && mounted=1
fi
trap 'kill $target 2>/dev/null; "$PERF" detached rm $name >/dev/null 2>&1; [[ $mounted ]] && umount bpffs' EXIT

"$crash" none 60000 &
target=$!
if ! setsid "$PERF" record --detached=$name --carrier=bpf --keep=256K -F 999 -g -p $target >err 2>&1; then
	echo "ok - a recording without a process # skip $(head -n 1 err)"
	exit 0
fi
samples() { "$PERF" detached list | awk -v name="$name" '$1 == name { print $4 }'; }
grows() { local first=$(samples) i; for ((i = 0; i < 300; i++)); do (($(samples) > first)) && return 0; sleep 0.02; done; return 1; }

check "no process is there for it, and it goes on" eval '! pgrep -f "detached=$name" && grows'
check "the list has it" eval '"$PERF" detached list | grep -q "^$name .*recording (pinned)"'
check "read gives an ordinary file" eval '"$PERF" detached read $name -o 1.data && "$PERF" report -i 1.data --stdio --no-children -g none -s comm,sym 2>err | grep -q "crash .*work"'
check "with call chains" eval '"$PERF" script -i 1.data 2>err | grep -q "main+"'
check "stock perf reads it" eval '[[ -z $STOCK_PERF ]] || "$STOCK_PERF" report -i 1.data --stdio -g none 2>err | grep -q work'
check "read does not end it" grows
check "a keeper that is killed is nothing to it" eval '"$PERF" record --detached=kept --keep=256K -p $target 2>err && for p in /proc/[0-9]*; do [[ $(tr "\0" " " <"$p/cmdline" 2>/dev/null) == "perf keep " ]] && grep -qz "^PERF_DETACHED_DIR=$PERF_DETACHED_DIR$" "$p/environ" && kill -9 "$(basename "$p")"; done; grows'
check "a second one of that name is refused" eval '! "$PERF" record --detached=$name --carrier=bpf -p $target 2>err && grep -q "already" err'
check "more than there may be is refused" eval '! "$PERF" record --detached=big --carrier=bpf --keep=10G -p $target 2>err && grep -q "64 MB" err && ! "$PERF" detached list | grep -q "^big"'
check "a command needs the keeper" eval '! "$PERF" record --detached=no --carrier=bpf -- true 2>err && grep -q "needs the keeper" err'
if setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	check "another user is denied" eval '! setpriv --reuid=65534 --regid=65534 --clear-groups "$PERF" detached rm "$name" 2>err && grows'
else
	echo "ok - another user is denied # skip only root can try"
fi

# It wraps: 256 KiB are some thousand samples.
chunks() { "$PERF" script -i 1.data -F time 2>err | wc -l; }
for ((i = 0; i < 100; i++)); do
	(($(samples) > 4000)) && break
	sleep 0.05
done
"$PERF" detached stop $name
"$PERF" detached read $name -o a.data && "$PERF" detached read $name -o b.data
check "stop ends it, and what it has stays" eval '"$PERF" detached list | grep -q "^$name .*ended: stopped" && cmp a.data b.data'
check "and what records it goes on" kill -0 $target
check "times go up, and nothing is half written" eval '"$PERF" script -i a.data -F tid,time,ip 2>err | awk "NF && \$1 !~ /^[0-9]+$/ && !/^[[:space:]]/ { exit 1 }" && [[ ! -s err ]]'
check "rm removes it" eval '"$PERF" detached rm $name && ! "$PERF" detached list | grep -q "^$name"'

# All CPUs.
"$PERF" record --detached=$name --carrier=bpf --keep=1M -F 499 -a 2>err
check "all CPUs" eval 'grows && "$PERF" detached read $name -o all.data && "$PERF" script -i all.data -F comm 2>err | grep -q crash'
"$PERF" detached rm kept >/dev/null 2>&1
