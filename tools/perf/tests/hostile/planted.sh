#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What others have put where perf writes: links and files at the place of an output, files at the place of a core. perf
# writes to none of them and removes none of them.
set -u
. "$SRC/tools/perf/tests/tap"
plan 83
somebody=65534
umask 0
verdict() { # name: of the command before, with out and err as explanation
	(($? == 0)) && pass "$1" || { head -5 out err; fail "$1"; }
}
printf 'event cpu-clock sample_type=IP|TID|TIME|PERIOD\ncomm pid=10 text=alpha\nsample pid=10 tid=10 ip=0x1000 period=7 time=100 misc=user\n' |
	"$FORGE" >in.data

# Each writes to the path OUT, and must leave a file with some bytes there.
outputs=(
	"report -i in.data --html=OUT"
	"inject -b -i in.data -o OUT"
	"data convert -i in.data --to=sysprof -o OUT"
	"data convert -i in.data --to=pprof -o OUT"
	"data convert -i in.data --to=parquet --table=samples -o OUT"
	"list -o OUT sw"
	"data pack in.data -o OUT"
	"record -q -e cpu-clock:u -o OUT true"
)
is_private() { [[ -f out.file && ! -L out.file && -s out.file && $(stat -c %a:%u out.file) == "600:$EUID" ]]; }
for words in "${outputs[@]}"; do
	name=${words%% *}
	write() {
		echo precious >victim
		timeout 20 "$PERF" ${words/OUT/"$PWD/out.file"} >out 2>err
	}
	if [[ $name == record ]] && ! { rm -f out.file; write; }; then
		skip_refused "$name: a file at its output" err 7
		continue
	fi
	rm -f out.file*
	write && is_private
	verdict "$name: a new file is its user's, whatever the umask is"
	rm -f out.file* && ln -s victim out.file
	write && is_private && [[ $(<victim) == precious && $(readlink out.file.old) == victim ]]
	verdict "$name: a link is moved aside"
	rm -f out.file* && ln -s absent out.file
	write && is_private && [[ ! -e absent && -L out.file.old ]]
	verdict "$name: a link that leads nowhere is moved aside"
	: >empty
	rm -f out.file* && ln -s empty out.file
	write && is_private && [[ ! -s empty && -L out.file.old ]]
	verdict "$name: a link to an empty file is moved aside"
	if ((EUID == 0)); then
		for kind in "touch" "cp victim" "mkfifo"; do
			rm -f out.file* && $kind out.file && chown $somebody out.file && chmod 666 out.file
			write && is_private && [[ $(stat -c %u out.file.old) == $somebody ]]
			verdict "$name: another user's file is moved aside ($kind)"
		done
	else
		skip "$name: another user's file" "only root can make one" 3
	fi
	rm -f out.file*
done
# What the shell has opened is written to: it is nothing that somebody else put there.
for path in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
	timeout 20 "$PERF" report -q -i in.data --html=$path >page 2>err
	[[ -s page && -L /dev/stdout ]] && head -c 15 page | grep -qi "<!doctype"
	verdict "report --html=$path writes to the standard output"
done
timeout 20 "$PERF" report -q -i in.data --html=/dev/null >out 2>err && [[ -c /dev/null ]]
verdict "a device is written to"

# A core is created as the kernel creates it. Words as in CORE_WORDS (detached/core_words.h).
if ((EUID)); then
	skip "core-handler: files of others" "only root runs it" 23
	exit 0
fi
mkdir kept cores && chmod 1777 cores
handle() { # pattern, uid, dumpable: the handler of a process in the folder cores
	echo "$1" >kept/core_pattern
	(cd cores && exec sleep 60) &
	pid=$!
	while [[ $(readlink /proc/$pid/exe) != */sleep ]]; do sleep 0.01; done
	echo "a core" | timeout 20 "$PERF" core-handler run "$PWD/kept" $pid $pid $pid $pid 11 "$2" "$2" "$3" 1 1000000 host name >out 2>err
	status=$?
	kill $pid
	wait $pid 2>/dev/null
	return $status
}
plant() { # owner, kind: a file at the core's place
	rm -rf cores/core
	case $2 in
	file) echo precious >cores/core && chown "$1" cores/core ;;
	link) ln -s "$PWD/victim" cores/core && chown -h "$1" cores/core ;;
	esac
}
echo precious >victim
chmod 755 . && chmod 666 victim
for pattern in core "$PWD/cores/core"; do
	kind=absolute
	[[ $pattern == core ]] && kind=relative
	plant 0 none
	handle "$pattern" $somebody 1 && [[ $(stat -c %a:%u cores/core) == 600:$somebody && $(<cores/core) == "a core" ]]
	verdict "$kind: a core is its user's"
	handle "$pattern" $somebody 1 && [[ $(<cores/core) == "a core" ]]
	verdict "$kind: the user's earlier core is replaced"
	plant 12345 file
	! handle "$pattern" $somebody 1 && [[ $(<cores/core) == precious ]]
	verdict "$kind: another user's file stays"
	plant 12345 file
	! handle "$pattern" 0 1 && [[ $(<cores/core) == precious ]]
	verdict "$kind: another user's file stays where root's process crashes"
	plant 12345 file
	! handle "$pattern" $somebody 2 && [[ $(<cores/core) == precious ]]
	verdict "$kind: another user's file stays where only root may read the core"
	plant 0 file
	! handle "$pattern" $somebody 2 && [[ $(<cores/core) == precious ]]
	verdict "$kind: root's file stays where only root may read the core"
	for uid in 0 $somebody; do
		for dumpable in 1 2; do
			plant 12345 link
			! handle "$pattern" $uid $dumpable && [[ -L cores/core && $(<victim) == precious ]]
			verdict "$kind: a link stays, and is not followed (user $uid, %d $dumpable)"
		done
	done
done
plant 0 none
! (umask 0200; handle core $somebody 1) && [[ ! -s cores/core ]]
verdict "nothing is written into a file that is not its user's to read and write, as in the kernel"
plant 0 none
! handle core $somebody 2 && [[ ! -e cores/core ]]
verdict "a core that only root may read is not written into a folder of the process"
plant 0 none
handle "$PWD/cores/core" $somebody 2 && [[ $(stat -c %a:%u cores/core) == 600:0 ]]
verdict "it is written where root says"
