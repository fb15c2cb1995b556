# SPDX-License-Identifier: GPL-2.0-or-later
# Detached recordings without any process: perf record --detached --carrier=bpf.
. "$SRC/tools/perf/tests/live/common"
# Recordings of all CPUs would be added to the core dumps of other tests.
alone_with /proc/sys/kernel/core_pattern

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
if ! setsid "$PERF" record --detached=$name --carrier=bpf --keep=256K -F 4000 -g -p $target >err 2>&1; then
	skip_all_refused "a recording without a process" err
fi
plan 38
samples() { "$PERF" detached list | awk -v name="$name" '$1 == name { print $4 }'; }
grows() { local first=$(samples) i; for ((i = 0; i < 300; i++)); do (($(samples) > first)) && return 0; sleep 0.02; done; return 1; }

# A kernel without type information, as far as that can be had: its file is covered.
if unshare -m sh -c 'mount -t tmpfs none /sys/kernel/btf' 2>err && ! ls /boot/vmlinux-* >/dev/null 2>&1; then
	check "without the kernel's types, that is what is said" eval '! unshare -m sh -c "mount -t tmpfs none /sys/kernel/btf && exec \"\$0\" record --detached=$name-2 --carrier=bpf --keep=256K -p $target" "$PERF" 2>err && grep -q "needs the kernel.s type information (BTF), and /sys/kernel/btf/vmlinux is not there" err'
else
	skip "without the kernel's types, that is what is said" "/sys/kernel/btf cannot be covered, or /boot has them too"
fi

check "no process is there for it, and it goes on" eval '! pgrep -f "detached=$name" && grows'
check "the list has it" eval '"$PERF" detached list | grep -q "^$name .*recording (pinned)"'
check "read gives an ordinary file" eval '"$PERF" detached read $name -o 1.data && "$PERF" report -i 1.data --stdio --no-children -g none -s comm,sym 2>err | grep -q "crash .*work"'
check "with call chains" eval '"$PERF" script -i 1.data 2>err | grep -q "main+"'
check "stock perf reads it" eval '[[ -z $STOCK_PERF ]] || "$STOCK_PERF" report -i 1.data --stdio -g none 2>err | grep -q work'
check "read does not end it" grows
env --default-signal=INT "$PERF" detached tail $name >tailed 2>err &
tail=$!
for ((i = 0; i < 300; i++)); do [[ -s tailed ]] && break; sleep 0.02; done
check "tail prints samples as they come" eval 'grep -q "^crash .*cpu-clock" tailed && grep -q "work+" tailed'
{ kill -INT $tail && wait $tail; } 2>/dev/null
check "^C ends it, and nothing else" grows
"$PERF" detached tail $name -o tail.data 2>err &
tail=$!
check "a keeper that is killed is nothing to it" eval '"$PERF" record --detached=kept --keep=256K -p $target 2>err && for p in /proc/[0-9]*; do [[ $(tr "\0" " " <"$p/cmdline" 2>/dev/null) == "perf keep " ]] && grep -qz "^PERF_DETACHED_DIR=$PERF_DETACHED_DIR$" "$p/environ" && kill -9 "$(basename "$p")"; done; grows'
check "a second one of that name is refused" eval '! "$PERF" record --detached=$name --carrier=bpf -p $target 2>err && grep -q "already" err'
check "more than there may be is refused" eval '! "$PERF" record --detached=big --carrier=bpf --keep=10G -p $target 2>err && grep -q "64 MB" err && ! "$PERF" detached list | grep -q "^big"'
check "what BPF does not record is refused" eval '! "$PERF" record --detached=no --carrier=bpf -e cpu-clock -c 1000000 -p $target 2>err && grep -q -- "-c needs --carrier=keeper" err'
refused() { # OPTION
	! "$PERF" record --detached=no --carrier=bpf "$1" -p $target 2>err && grep -q -- "${1%=*} needs --carrier=keeper" err
}
for option in --branch-filter=any --transaction --sample-mem-info --running-time; do
	check "${option%=*} is refused" refused $option
done
check "a command needs the keeper" eval '! "$PERF" record --detached=no --carrier=bpf -- true 2>err && grep -q "a command needs --carrier=keeper" err'
if setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	check "another user is denied" eval '! setpriv --reuid=65534 --regid=65534 --clear-groups "$PERF" detached rm "$name" 2>err && grows'
else
	skip "another user is denied" "only root can try"
fi

# It wraps: 256 KiB are some thousand samples.
chunks() { "$PERF" script -i 1.data -F time 2>err | wc -l; }
for ((i = 0; i < 100; i++)); do
	(($(samples) > 4000)) && break
	sleep 0.05
done
"$PERF" detached stop $name
wait $tail
check "tail ends with the recording" eval '"$PERF" script -i tail.data -F comm,ip,sym 2>err | grep -q work'
"$PERF" detached read $name -o a.data && "$PERF" detached read $name -o b.data
check "stop ends it, and what it has stays" eval '"$PERF" detached list | grep -q "^$name .*ended: stopped" && cmp a.data b.data'
check "and what records it goes on" kill -0 $target
check "times go up, and nothing is half written" eval '"$PERF" script -i a.data -F tid,time,ip 2>err | awk "NF && \$1 !~ /^[0-9]+$/ && !/^[[:space:]]/ { exit 1 }" && [[ ! -s err ]]'
check "rm removes it" eval '"$PERF" detached rm $name && ! "$PERF" detached list | grep -q "^$name"'

# The processor time of one thread is divided by -F, and it never has more of that than time passes. A clock that fires as often
# as it can would take some thousand samples in each second.
"$PERF" record --detached=$name --carrier=bpf --keep=256K -F 100 -p $target 2>err
for ((i = 0; i < 600; i++)); do (($(samples) > 60)) && break; sleep 0.05; done
"$PERF" detached stop $name
"$PERF" detached read $name -o slow.data
check "it takes as many samples as -F says" eval '"$PERF" script -i slow.data -F time 2>err | awk "
	NR == 1 { first = \$1 }
	{ last = \$1 }
	END { print NR, last - first; exit !(NR > 60 && NR < 150 * (last - first)) }" >rate'
"$PERF" detached rm $name

sleep 60 &
short=$!
"$PERF" record --detached=$name --carrier=bpf --keep=256K -p $short 2>err
kill $short
wait $short 2>/dev/null
check "it outlives its target, which is said" eval '"$PERF" detached list | grep -q "^$name .*its target ended (pinned)"'
"$PERF" detached rm $name
"$PERF" record --detached=$name --keep=256K -a -c 1000000 2>err
check "what BPF does not record has a process" eval '"$PERF" detached list | grep -q "^$name .*recording  "'
"$PERF" detached rm $name

# A kernel that does not load the programs that follow processes (before Linux 5.17): its answer to bpf() is put in its place.
cat >refuse.c <<-EOF2
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <errno.h>
	#include <linux/bpf.h>
	#include <stdarg.h>
	#include <sys/syscall.h>
	long syscall(long nr, ...)
	{
		long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"), words[6];
		va_list list;
		va_start(list, nr);
		for (int i = 0; i < 6; i++)
			words[i] = va_arg(list, long);
		va_end(list);
		if (nr == SYS_bpf && words[0] == BPF_PROG_LOAD && ((union bpf_attr *)words[1])->prog_type == BPF_PROG_TYPE_TRACING) {
			errno = EINVAL;
			return -1;
		}
		return real(nr, words[0], words[1], words[2], words[3], words[4], words[5]);
	}
EOF2
goes="a kernel that does not follow processes is recorded all the same"
if ! gcc -shared -fPIC -o refuse.so refuse.c -ldl 2>err; then
	skip "$goes" "no compiler"
elif ! LD_PRELOAD=$PWD/refuse.so "$PERF" version >err 2>&1; then
	skip "$goes" "this perf cannot be run with LD_PRELOAD: $(head -n 1 err)"
else
	LD_PRELOAD=$PWD/refuse.so "$PERF" record --detached=$name --carrier=bpf --keep=256K -F 999 -g -p $target 2>made
	check "$goes, which is said" eval 'grep -q "cannot follow processes by BPF" made && grows && "$PERF" detached read $name -o bare.data && "$PERF" script -i bare.data --comms crash 2>err | grep -q "work+"'
	"$PERF" detached rm $name
fi

# All CPUs: BPF is used without an option. These processes start, work, and end before anybody reads the recording.
# (It keeps more than 20 seconds of two busy CPUs, also if all stacks are deep: what else runs here must not push these
# programs out.)
"$PERF" record --detached=$name --keep=32M -F 999 -g -a 2>made
check "root's recording of all CPUs needs no process" eval '"$PERF" detached list | grep -q "^$name .*recording (pinned)"'
check "all CPUs" eval 'grows && "$PERF" detached read $name -o all.data && "$PERF" script -i all.data --comms crash -F comm 2>err | grep -q crash'
if grep -q "cannot follow processes by BPF" made; then
	skip "what began later and is gone has its names" "$(tail -n 1 made)" 8
	exit 0
fi
cat >plugin.c <<-EOF2
	#include <time.h>
	volatile unsigned long turns;
	__attribute__((noinline)) void plugin_loop(void) { for (int i = 0; i < 100000; i++) turns += i; }
	void plugin_work(long ms) { for (clock_t end = clock() + ms * 1000; clock() < end;) plugin_loop(); }
EOF2
if ! gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -shared -fPIC -Wl,--build-id -o plugin.so plugin.c 2>err; then
	skip "what began later and is gone has its names" "no compiler" 8
	exit 0
fi
cp "$crash" began-later
cp plugin.so replaced.so
cp "$crash" removed
./began-later library ./plugin.so 200
./removed library ./replaced.so 200
rm removed
cp "$crash" replaced.new && mv replaced.new replaced.so
"$PERF" detached read $name -o later.data 2>said
"$PERF" script -i later.data --comms began-later,removed -F comm,ip,sym,dso >later 2>err
check "what began later and is gone has its name" grep -q "^began-later" later
check "and its symbols, by path" eval 'grep -q "work+\|work (.*/began-later)" later'
check "those of a library that it loaded, too" grep -q "plugin_loop (.*/plugin.so)" later
id=$(readelf -n plugin.so | sed -n 's/.*Build ID: //p')
check "with its build-id" eval '"$PERF" script -i later.data --comms began-later --show-mmap-events -F comm,ip 2>err | grep "PERF_RECORD_MMAP2.*/plugin.so" | grep -q "$id"'
check "a file that was replaced is not taken for it" eval '! grep -q "/replaced.so)" later && grep -q "/replaced.so (deleted))" later'
check "nor is one that was removed" grep -q "/removed (deleted))" later
# Slots of ended threads are used again, those of running threads are not.
"$crash" exec 1 "$crash" none 60000 &
lives=$!
for ((i = 0; i < 300; i++)); do [[ $(tr "\0" " " </proc/$lives/cmdline) == *"none 60000 " ]] && break; sleep 0.02; done
"$crash" threads 10000 &
threads=$!
wait $threads
kill $lives
wait $lives 2>/dev/null
"$PERF" detached read $name -o wrapped.data 2>said
"$PERF" script -i wrapped.data --comms crash --show-task-events --show-mmap-events -F comm,ip 2>err >wrapped
check "what lives is not forgotten for ten thousand threads" eval 'grep -q "PERF_RECORD_COMM exec: crash:$lives/" wrapped && grep -q "PERF_RECORD_MMAP2 $lives/.*/crash" wrapped'
check "but the threads are" eval '(($(grep -c "PERF_RECORD_FORK($threads:" wrapped) < 9000))'
"$PERF" detached rm kept >/dev/null 2>&1
