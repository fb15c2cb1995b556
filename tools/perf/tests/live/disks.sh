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
plan 3
# lock of the waits for I/O
waits_of() { # dd's operands
	"$PERF" record -q --off-cpu=1us -o d.data -- dd "$@" 2>err >/dev/null
	"$PERF" report -i d.data --stdio -q -g none --no-children -F period,lock -t '|' --comms dd 2>err | sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' >found
}
# The interrupt may come before the thread sleeps, so not each request has a wait.
told() { # what, operands
	for _ in 1 2 3 4 5; do
		waits_of "${@:2}"
		grep -Eq "\|(/.*/file \(file\), )?disk $disk, $1$" found && return
	done
	return 1
}
check "a read: the file, the disk, the operation" told read if=file of=/dev/null bs=64k iflag=direct
check "a write" told write if=/dev/zero of=file bs=64k count=100 conv=notrunc oflag=direct
tid=$("$PERF" script -i d.data --comms dd -F tid 2>/dev/null | awk '{ print $1; exit }')
"$PERF" report -i d.data --critical="$tid" --percent-limit=0 --stdio >found 2>err
check "on a path" grep -Eq "blocked in (write|io_submit).*: disk $disk, write, until a disk's interrupt" found
