#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs whose files this machine does not see: in containers, below a root folder of their own, removed or replaced while
# they run, or without any name. Symbols, callers and data types are the same as of a file that is here: while the process
# runs (without a cache), with a recorder that unwinds (live), and after the process has ended (by the copies of record).
. "$SRC/tools/perf/tests/live/common"

"$PERF" record -q -e cpu-clock -o try.data true 2>why || skip_all_refused "files of other namespaces" why
plan 56
cat >spin.c <<'END'
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
struct counter {
	long rounds, sum;
};
struct counter all[64];
__attribute__((noinline)) void spin(struct counter *c, long n)
{
	for (long i = 0; i < n; i++) {
		c->sum += i ^ c->rounds;
		__asm__ volatile("" ::: "memory");
	}
	c->rounds++;
}
int main(int argc, char **argv)
{
	/* Milliseconds of CPU time, on a busy machine too. Without any, until it is killed. */
	clock_t end = argc > 1 ? atoi(argv[1]) * (CLOCKS_PER_SEC / 1000) : 0;

	alarm(300);
	while (!end || clock() < end)
		spin(&all[argc], 100000);
}
END
gcc -O1 -g -static -Wl,--build-id -o spin spin.c 2>why || gcc -O1 -g -Wl,--build-id -o spin spin.c
sed 's/spin/turn/g' spin.c >turn.c
gcc -O1 -g -Wl,--build-id -o turn turn.c

# "spin 1 struct counter": the function of most samples of prog, 1 if main() calls it, and the data type.
facts() { # recording, report options...
	local data=$1 sym chain type
	shift
	sym=$("$PERF" report -q -i "$data" --comm prog --no-children -g none -s sym --stdio "$@" 2>>err |
		awk '/%/ { print $NF; exit }')
	chain=$("$PERF" script -i "$data" --comm prog -F ip,sym 2>>err | awk '$2 == "main" { n = 1 } END { print n + 0 }')
	type=$("$PERF" report -q -i "$data" --comm prog --no-children -g none -s type --stdio "$@" 2>>err |
		awk '/%/ && !/\(/ { $1 = ""; print substr($0, 2); exit }')
	echo "$sym $chain $type"
}
is() { # the facts, expected
	echo "got '$1', expected '$2'" >>err
	[[ $1 == "$2" ]]
}
cached() { # build-id of: a program
	find "$PERF_BUILDID_DIR/.build-id/" -type l 2>/dev/null | tr -d / | grep -q "$(readelf -n "$1" | sed -n 's/.*Build ID: //p')"
}
wait_for() { # process: until it is the program
	for _ in $(seq 1000); do
		[[ $(cat "/proc/$1/comm" 2>/dev/null) == prog ]] && return
		sleep 0.05
	done
	return 1
}
# Until the process has had 0.3 s of CPU time; on a busy machine, that may take many seconds.
cat >used.sh <<'END'
used() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"; }
end=$(($(used "$1") + 30))
while now=$(used "$1") && ((now < end)); do sleep 0.05; done
END
record() { # process, recording, options...
	local pid=$1 to=$2
	shift 2
	"$PERF" record -q -e cpu-clock:u -F 999 "$@" -p "$pid" -o "$to" -- bash used.sh "$pid" 2>>err
}
program_of() { # process: it, or its child that is the program
	local p
	for _ in $(seq 1000); do
		for p in $1 $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
			[[ $(cat "/proc/$p/comm" 2>/dev/null) == prog ]] && echo "$p" && return
		done
		sleep 0.05
	done
}
export PERF_BUILDID_DIR=$PWD/cache

# The process $started runs, and is recorded in four ways.
all_ways() { # name, what record calls the file
	local pid
	pid=$(program_of $started)
	rm -rf cache
	record "$pid" alive.data -N --call-graph dwarf
	check "$1: while it runs, no copies" is "$(facts alive.data)" "spin 1 struct counter"
	check "$1: -N makes no copies" test ! -e cache
	record "$pid" live.data -N --call-graph live
	record "$pid" late.data --call-graph dwarf
	check "$1: record copies it" cached spin
	kill -KILL "$pid" # a signal with less force does not end process 1 of a pid namespace
	wait $started 2>/dev/null
	# All but a few samples have the caller.
	check "$1: unwound while recording" is "$("$PERF" script -i live.data --comm prog -F ip,sym 2>>err |
		awk '$2 == "spin" { n++ } $2 == "main" { called++ } END { print (n > 4 && called > n / 2) }')" 1
	check "$1: after its end, by the copy" is "$(facts late.data)" "spin 1 struct counter"
	mv cache away
	"$PERF" report -i late.data --comm prog --stdio -s sym,type -g none >found 2>&1
	"$PERF" report -i late.data --stats >>found 2>&1
	check "$1: without the copy the reason is the file" grep -q "the file is not visible here" found
	check "$1: and not that it needs -g or has no unwind rows" bash -c '! grep -qE "compile it with|no call-frame" found'
	rm -rf away
}

cp spin prog
./prog &
started=$!
wait_for $started
rm prog
all_ways "removed while it runs"

cp spin prog
./prog &
started=$!
wait_for $started
rm prog
cp turn prog
pid=$started
record "$pid" alive.data -N --call-graph dwarf
check "replaced while it runs: the first program's names" is "$(facts alive.data)" "spin 1 struct counter"
kill $pid
wait $pid 2>/dev/null
rm prog

# The first thread has ended: another one leads to the removed file.
mkfifo gate
cp "$WORKLOADS/headless" prog
./prog <gate &
headless=$!
exec {gate}>gate
wait_for $headless
until (($(ls /proc/$headless/task | wc -l) == 2)); do sleep 0.05; done
exec {gate}>&-
while grep -q . /proc/$headless/maps; do sleep 0.05; done
rm prog
record $headless alive.data -N
check "removed, and the first thread has ended" grep -q compute_on <<<"$("$PERF" report -q -i alive.data -s sym --stdio 2>>err)"
kill -KILL $headless
wait $headless 2>/dev/null

python3 -c 'import os' 2>why && {
	python3 -c '
import os
fd = os.memfd_create("prog", 0)
os.write(fd, open("spin", "rb").read())
os.execve(fd, ["prog"], {})' &
	started=$!
	until [[ $(readlink /proc/$started/exe) == /memfd:* ]]; do sleep 0.05; done
	comm=$(cat /proc/$started/comm)
	record $started alive.data -N --call-graph dwarf
	got=$("$PERF" script -i alive.data -F ip,sym 2>>err | awk '$2 == "main" || $2 == "spin" { seen[$2] = 1 } END { print seen["spin"] + seen["main"] }')
	check "memfd: while it runs" is "$got" 2
	record $started late.data -g
	kill $started
	wait $started 2>/dev/null
	got=$("$PERF" script -i late.data -F ip,sym 2>>err | awk '$2 == "spin" { n = 1 } END { print n + 0 }')
	check "memfd: after its end ($comm)" is "$got" 1
}

if ((EUID)) || ! unshare -m -p -f true 2>why; then
	skip "containers" "needs root and mount namespaces" 41
	exit 0
fi

# A tmpfs that is not mounted here. The program gets a name of its own, which leads to nothing here.
mkdir -p inside
unshare -m -p -f bash -c 'mount -t tmpfs none inside && cp spin inside/prog && cd inside && exec ./prog' &
started=$!
all_ways "tmpfs of a container"

# buildid-cache looks for files where a process sees them.
rm -rf cache
unshare -m bash -c 'mount -t tmpfs none inside && cp spin inside/prog && cd inside && exec ./prog' &
started=$!
wait_for $started
"$PERF" buildid-cache -a "$PWD/inside/prog" --target-ns $started 2>>err
check "buildid-cache --target-ns: a file of a container" eval 'cached spin && ! "$PERF" buildid-cache -a "$PWD/inside/prog" 2>>err'
kill $started
wait $started 2>/dev/null

# A container of overlayfs: its root has a program, and a lower file of the same path is another program.
mkdir -p lower upper work merged
cp turn lower/prog
cp spin upper/prog
if unshare -m mount -t overlay overlay -o "lowerdir=lower,upperdir=upper,workdir=work" merged 2>why; then
	unshare -m -p -f bash -c 'mount -t tmpfs none inside && mkdir inside/{upper,work,merged} && cp upper/prog inside/upper &&
		mount -t overlay overlay -o lowerdir=lower,upperdir=inside/upper,workdir=inside/work inside/merged &&
		exec chroot inside/merged /prog' &
	started=$!
	all_ways "overlayfs and a root of its own"
else
	skip "overlayfs" "$(tail -1 why)" 7
fi

# An image of squashfs that is mounted below /snap/NAME/N, and only for its own processes, as snaps and AppImages do. The inode numbers
# of two images are equal.
cat >snap.sh <<'END'
mount -t tmpfs none /mnt && mkdir -p /mnt/snap/tool/7 && mount -t squashfs -o loop,ro "$1" /mnt/snap/tool/7 &&
	exec /mnt/snap/tool/7/prog "${@:2}"
END
snap_image() { # program, image
	mkdir -p tree
	cp "$1" tree/prog
	mksquashfs tree "$2" -noappend -quiet -no-progress
}
if snap_image spin spin.snap >why 2>&1 && snap_image turn turn.snap >why 2>&1 &&
	unshare -m bash -c 'mount -t squashfs -o loop,ro spin.snap /mnt' 2>why; then
	unshare -m -p -f bash snap.sh "$PWD/spin.snap" &
	started=$!
	all_ways "squashfs below /snap"
	rm -rf cache
	"$PERF" record -q -a -e cpu-clock:u -F 999 -g -o late.data -- bash -c '
		unshare -m -p -f bash snap.sh $PWD/spin.snap 300 & unshare -m -p -f bash snap.sh $PWD/turn.snap 600 & wait' 2>>err
	got=$("$PERF" report -q -i late.data --comm prog --dsos prog --no-children -g none -s sym --stdio 2>>err |
		awk '/%/ && $NF ~ /^(spin|turn)$/ { print $NF }' | sort | xargs)
	check "squashfs: -a, two images with equal paths and inodes" is "$got" "spin turn"
else
	skip "squashfs below /snap" "$(tail -1 why)" 8
fi

# A container of a runtime: its root folder is a folder here, but the program's name is /prog.
if runc --version >/dev/null 2>&1; then
	mkdir -p bundle/rootfs
	cp spin bundle/rootfs/prog
	(cd bundle && runc spec && sed -i -e 's/"terminal": true/"terminal": false/' -e 's|"sh"|"/prog"|' config.json)
	runc run -b bundle spin-$$ >>err 2>&1 &
	started=$!
	program_of() { # process: the program is a child of runc's
		local pid
		for _ in $(seq 500); do
			pid=$(runc state spin-$$ 2>/dev/null | sed -n 's/.*"pid": \([0-9]*\).*/\1/p')
			[[ ${pid:-0} != 0 && $(cat "/proc/$pid/comm" 2>/dev/null) == prog ]] && echo "$pid" && return
			sleep 0.1
		done
	}
	all_ways "container of runc"
	runc delete -f spin-$$ 2>/dev/null
else
	skip "container of runc" "runc is not installed" 7
fi

# Code that a runtime in a container generates: it lists its functions in the container's /tmp, under its pid there.
cat >jit.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	/* again: dec %rdi; jne again; ret */
	static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	clock_t end = argc > 1 ? atoi(argv[1]) * (CLOCKS_PER_SEC / 1000) : 0;
	char name[64];
	FILE *map;

	memcpy(at, code, sizeof(code));
	sprintf(name, "/tmp/perf-%d.map", getpid());
	map = fopen(name, "w");
	fprintf(map, "%lx 6 generated_loop\n", (unsigned long)at);
	fclose(map);
	alarm(300);
	while (!end || clock() < end)
		((void (*)(long))at)(1000000);
}
END
gcc -o jit jit.c
mkdir -p jitted
cat >jit.sh <<'END'
mount -t tmpfs none jitted && mkdir jitted/tmp && cp jit jitted/prog && cd jitted && mount --bind tmp /tmp && exec /proc/self/cwd/prog "$@"
END
rm -rf cache
unshare -m -p -f bash jit.sh &
started=$!
for _ in $(seq 1000); do
	pid=$(pgrep -P $started -x prog) && [[ -s /proc/$pid/root/tmp/perf-1.map ]] && break
	sleep 0.05
done
generated() { # what, recording
	check "a runtime in a container: $1" grep -q generated_loop <<<"$("$PERF" report -q -i "$2" -s sym --stdio 2>>err)"
}
record "$pid" late.data -N
generated "names of the code that it generates" late.data
cat >removed.sh <<'END'
bash used.sh "$1"
rm "/proc/$1/root/tmp/perf-1.map"
END
"$PERF" record -q -e cpu-clock:u -F 999 -p "$pid" -o late.data -- bash removed.sh "$pid" 2>>err
kill -KILL "$pid"
wait $started 2>/dev/null
generated "after its end, by the copy of a list that was removed" late.data
rm -rf cache
"$PERF" record -q -e cpu-clock:u -F 999 -o late.data -- unshare -m -p -f bash jit.sh 300 2>>err
generated "recorded from its start, after its end" late.data
if "$PERF" version --build-options | grep -q 'minizip: \[ OFF'; then
	skip "a runtime in a container: by a pack" "this build has no minizip" 1
	mv cache away
else
	"$PERF" data pack late.data -o late.perf >>err 2>&1
	mv cache away
	generated "by a pack" late.perf
fi
"$PERF" report -i late.data --stdio -s sym >found 2>&1
check "a runtime in a container: without the copy, no list is here" grep -q "generated, of which no /tmp/perf-PID.map is here" found
rm -rf away

# The name that the kernel records is below the root folder of the process.
mkdir -p root
cp spin root/prog
rm -rf cache
"$PERF" record -q -e cpu-clock:u -F 999 --call-graph live -o late.data -- chroot root /prog 300 2>>err
rm -r root
check "record -- chroot: after its folder was removed" is "$(facts late.data)" "spin 1 struct counter"

# Two containers with programs of one path, recorded with -a, of which the first ends before the recording does.
rm -rf cache
mkdir -p same
cat >container.sh <<'END'
mount -t tmpfs none same && cp "$1" same/prog && cd same && exec ./prog "$2"
END
"$PERF" record -q -a -e cpu-clock:u -F 999 -g -o late.data -- bash -c '
	unshare -m -p -f bash container.sh spin 300 & unshare -m -p -f bash container.sh turn 600 & wait' 2>>err
got=$("$PERF" report -q -i late.data --comm prog --dsos prog --no-children -g none -s sym --stdio 2>>err | awk '/%/ && $NF ~ /^(spin|turn)$/ { print $NF }' | sort | xargs)
check "-a, two containers with equal paths, after both have ended" is "$got" "spin turn"

# Two containers with programs of one path that have no build-id, as Go's linker makes them: record's copies are found by contents.
rm -rf cache
gcc -O1 -g -static -Wl,--build-id=none -o bare_spin spin.c 2>why || gcc -O1 -g -Wl,--build-id=none -o bare_spin spin.c
gcc -O1 -g -static -Wl,--build-id=none -o bare_turn turn.c 2>why || gcc -O1 -g -Wl,--build-id=none -o bare_turn turn.c
"$PERF" record -q -e cpu-clock:u -F 999 --call-graph dwarf -o late.data -- bash -c '
	unshare -m -p -f bash container.sh bare_spin 300 & unshare -m -p -f bash container.sh bare_turn 300 & wait' 2>>err
got=$("$PERF" report -q -i late.data --comm prog --dsos prog --no-children -g none -s sym,type --percent-limit 10 --stdio 2>>err |
	awk '/%/ && $3 ~ /^(spin|turn)$/ { print $3, $4, $5 }' | sort | xargs)
check "no build-id: names and types of both, after both have ended" is "$got" "spin struct counter turn struct counter"
check "no build-id: none is made up in the file" eval '! "$PERF" buildid-list -i late.data 2>>err | grep /prog'
mv cache away
if "$PERF" version --build-options | grep -q 'minizip: \[ OFF'; then
	skip "no build-id: by a pack" "this build has no minizip" 1
else
	mv away cache
	"$PERF" data pack late.data -o late.perf >>err 2>&1
	mv cache away
	check "no build-id: by a pack" grep -q spin <<<"$("$PERF" report -q -i late.perf --comm prog -g none -s sym --stdio 2>>err)"
fi
"$PERF" report -i late.data --comm prog --stdio -s sym,type -g none >found 2>&1
check "no build-id: without the copy the reason says both" is "$(grep -c "same/prog: its file is not here, and has no build-id" found)" \
	"$(grep -c "^note:.*same/prog" found)"
rm -rf away

# The same, one after the other, but nobody looks at the second one before it has ended: the recorder is stopped meanwhile.
# Then it has no names; those of the first one would be wrong.
rm -rf cache
cat >in_turn.sh <<'END'
unshare -m -p -f bash container.sh spin 300
: >first.done
while [[ ! -e go ]]; do sleep 0.05; done
unshare -m -p -f bash container.sh turn 300
: >second.done
END
until_exists() { # file
	for _ in $(seq 2000); do
		[[ -e $1 ]] && return
		sleep 0.05
	done
}
"$PERF" record -q -e cpu-clock:u -F 999 -o late.data -- bash in_turn.sh 2>>err &
recorder=$!
until_exists first.done
kill -STOP $recorder
# Each of its threads stops when it next runs.
while cat /proc/$recorder/task/*/stat | grep -qv ') T '; do sleep 0.05; done
: >go
until_exists second.done
kill -CONT $recorder
wait $recorder
"$PERF" script -i late.data --comm prog -F pid,ip,sym,dso 2>>err | awk '/prog\)/ && $3 != "main" { print $1, $3 }' | sort -u >found
check "missed: the first one has its names" grep -q " spin$" found
check "missed: the second one has none" is "$(awk '{ n[$2]++ } END { print n["spin"] + 0, n["turn"] + 0, n["[unknown]"] + 0 }' found)" "1 0 1"
"$PERF" report -i late.data --comm prog --stdio -s sym -g none >found 2>&1
check "missed: the reason is that its process had ended" grep -q "its process had ended before record could open it" found

# A number that is another process's by now, one with mounts of its own.
unshare -m sleep 300 &
other=$!
while [[ $(readlink /proc/$other/ns/mnt) == "$(readlink /proc/self/ns/mnt)" ]]; do kill -0 $other || break; sleep 0.05; done
printf '%s\n' "event cpu-clock sample_type=IP|TID|TIME|CPU|PERIOD" "comm pid=$other text=alpha" \
	"mmap2 pid=$other start=0x400000 len=0x1000 file=/none/alpha misc=user" \
	"sample pid=$other ip=0x400010 time=1000 cpu=0 period=30 misc=user" | "$FORGE" /dev/stdin other.data
"$PERF" report -i other.data --stdio -s sym >found 2>&1
check "another process with the same number is not blamed" grep -q "/none/alpha: the file is not visible here: it was removed" found
kill $other
