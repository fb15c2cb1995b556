#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --off-cpu: which disk a thread waited for that reads and writes past the page cache.
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --off-cpu -o try.data true 2>why; then
	skip_all_refused "waits for disks" why
fi
device=$(stat -c '%Hd:%Ld' .)
if [[ ! -e /sys/dev/block/$device ]]; then
	skip_all "waits for disks" "the folder of the tests is on none ($device)"
fi
if ! dd if=/dev/zero of=file bs=1M count=8 oflag=direct 2>err; then
	skip_all "waits for disks" "files here cannot be written past the page cache"
fi
# A partition is a folder in that of its disk.
path=$(readlink -f "/sys/dev/block/$device")
[[ ! -e $path/partition ]] || path=$(dirname "$path")
disk=$(basename "$path")
if [[ $disk == dm-* || $disk == md* ]]; then
	skip_all "waits for disks" "$disk stands for other disks, whose requests end the waits"
fi
plan 5
# lock of the waits for I/O
waits_of() { # dd's operands
	"$PERF" record -q --off-cpu=1us -o d.data -- dd "$@" 2>err >/dev/null
	"$PERF" report -i d.data --stdio -q -g none --no-children -F period,lock -t '|' --comms dd 2>err | sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' >found
}
# The interrupt may come before the thread sleeps, so not each request has a wait.
told() { # what, operands
	for _ in 1 2 3 4 5; do
		waits_of "${@:2}"
		grep -Eq "\|(/.*/file \(file\), )?disk $disk, $1, in the device$" found && return
	done
	return 1
}
check "a read: the file, the disk, the operation" told read if=file of=/dev/null bs=64k iflag=direct
check "a write" told write if=/dev/zero of=file bs=64k count=100 conv=notrunc oflag=direct
tid=$("$PERF" script -i d.data --comms dd -F tid 2>/dev/null | awk '{ print $1; exit }')
"$PERF" report -i d.data --critical="$tid" --percent-limit=0 --stdio >found 2>err
check "on a path" grep -Eq "blocked in (write|io_submit).*: disk $disk, write, in the device, until a disk's interrupt" found
# A limit of a control group holds a read of 1 MB back for a second, before it is a request of the disk.
group=/sys/fs/cgroup/blkio/live-disks.$$
held_back() {
	echo "$(cat "/sys/class/block/$disk/dev") 1048576" >"$group/blkio.throttle.read_bps_device" || return
	"$PERF" record -q --off-cpu=1us -o h.data -- sh -c 'echo $$ >"$1/cgroup.procs" && exec dd if=file of=/dev/null bs=512k count=2 iflag=direct' sh "$group" 2>err >/dev/null
	"$PERF" report -i h.data --stdio -q -g none --no-children -F period,lock -t '|' --comms dd 2>err >found
	awk -F'|' '/before its request/ { held += $1 } /in the device/ { read += $1 } END { exit !(held >= 400000000 && read > 0) }' found
}
if mkdir "$group" 2>err && [[ -e $group/blkio.throttle.read_bps_device ]]; then
	check "the time before a limit lets the request go is apart from that in the device" held_back
	check "the name of the disk is there, too" grep -Eq "disk $disk, read, before its request" found
else
	skip "the time before the request" "there is no limit of reads here (cgroup v1, blkio)"
	skip "the name of the disk" "there is no limit of reads here (cgroup v1, blkio)"
fi
rmdir "$group" 2>/dev/null
