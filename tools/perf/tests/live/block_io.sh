#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --wall --latency-of=block-io: how long requests to a block device took that a look found going on, by a thread that reads
# past the page cache; and the same as xcapture has it.
. "$SRC/tools/perf/tests/live/common"

device=$(stat -c '%Hd:%Ld' .)
if [[ ! -e /sys/dev/block/$device ]]; then
	skip_all "requests to a block device" "the folder of the tests is on none ($device)"
fi
# On a busy machine there are fewer looks. If one second was too short, record for longer.
for seconds in 1 4 16; do
	if ! "$PERF" record -q --wall=500 --latency-of=block-io -k monotonic -o b.data -- "$WORKLOADS/states" $seconds >out 2>err; then
		skip_all_refused "requests to a block device" err
	fi
	if grep -q "^no disk" out; then
		skip_all "requests to a block device" "files here cannot be read past the page cache"
	fi
	"$PERF" script -i b.data -G --comms disk -F event,time,period,file --ns 2>/dev/null | tr -d : >found
	(($(grep -c block-io-latency found) >= 40)) && break
done
plan 10
check "requests that were found have ended" test "$(grep -c block-io-latency found)" -ge 5
check "they went to the device of the file" eval '! grep block-io-latency found | grep -v "block${device%:*}${device#*:}"'
# One thread waits for one request after the other, so the sum of their times is at most the duration.
check "they took as long as there was time" awk -v seconds=$seconds '/block-io-latency/ { n++; if ($2 < 1000) bad++; s += $2 } END { print "# " s / 1e9 " s"; exit !(n && !bad && s < seconds * 1.1e9) }' found

# As many instants a second as there may be: looks that come soon after each other share one.
"$PERF" data convert --to=xcapture -i b.data -o csv -F 1000 >out 2>err
check "it converts" test $? = 0
ends=$(ls csv/xcapture_iorqend_*.csv 2>/dev/null | head -1)
check "requests that ended have a file" test -s "$ends"
check "titles" test "$(head -1 "$ends")" = "TYPE,INSERT_TID,INSERT_TGID,ISSUE_TID,ISSUE_TGID,COMPLETE_TID,COMPLETE_TGID,DEV_MAJ,DEV_MIN,SECTOR,BYTES,IORQ_FLAGS,IORQ_SEQ_NUM,DURATION_NS,SERVICE_NS,QUEUED_NS,ISSUE_TIMESTAMP,ERROR"
tail -qn +2 csv/xcapture_iorqend_* >rows
check "each is a read of this device, without an error" awk -F, -v device="$device" '$8 ":" $9 == device && $12 ~ /^'"'"'READ([|][A-Z]+)*'"'"'$/ { n++; if ($18 != 0 || $14 != $15 + $16 || $11 == 0) bad++ } END { exit !(n > 4 && !bad) }' rows
# Columns 2 to 7 are tid and process of who made it, issued it, and ran when it completed (0: the idle task).
check "each has its threads" awk -F, '{ if ($4 !~ /^[0-9]+$/ || $5 !~ /^[0-9]+$/ || $6 !~ /^[0-9]+$/ || $7 !~ /^[0-9]+$/ || ($4 == $2 && $5 != $3) || !$4 != !$5 || !$6 != !$7) bad++ } END { exit !(NR > 4 && !bad) }' rows
# The number of a look that found it is that of the end: column 16 of samples is IORQ_SEQ_NUM.
check "ends join samples by thread and number" eval 'test "$(awk -F, "NR == FNR { if (\$16 + 0) seen[\$3 \" \" \$16] = 1; next } (\$2 \" \" \$13) in seen" <(cat csv/xcapture_samples_*) rows | wc -l)" -ge 5'

# A device that completes requests in parts: a loop device whose file was cut in the middle of what is read. The first part is read, the
# rest is given back, issued anew, and fails.
name="a request that completes in parts ends with the last one, with its error"
cat >read.py <<'PY'
import mmap, os, sys, time
fd = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
room = mmap.mmap(-1, 65536)
end = time.time() + float(sys.argv[2])
while time.time() < end:
    try: os.preadv(fd, [room], 0)
    except OSError as e: print(e.errno)
PY
head -c 65536 /dev/zero >cut
if ! loop=$(losetup --show --direct-io=on -f cut 2>why) || ! python3 -c '' 2>why; then
	skip "$name" "$(tail -1 why)"
	[[ -n $loop ]] && losetup -d "$loop"
	exit
fi
# Detached when it is closed, also if this script is killed.
exec {device}<"$loop"
losetup -d "$loop"
truncate -s 4096 cut
for seconds in 0.5 4 16; do
	"$PERF" record -q --wall=500 --latency-of=block-io -k monotonic -o p.data -- python3 read.py "$loop" $seconds >out 2>err
	rm -rf parts
	"$PERF" data convert --to=xcapture -i p.data -o parts >/dev/null 2>&1
	awk -F, -v minor="${loop#/dev/loop}" '$1 == "IORQ_END" && $8 == 7 && $9 == minor { print $10, $11, $18 }' parts/xcapture_iorqend_* 2>err | sort | uniq -c >found
	[[ -s found ]] && break
done
exec {device}<&-
if grep -qvx 5 out; then
	skip "$name" "a loop device here reads past the end of its file"
else
	check "$name" awk '{ print "#", $0; n += $1; if ($2 != 0 || $3 != 65536 || $4 != -5) bad++ } END { exit !(n && !bad) }' found
fi
