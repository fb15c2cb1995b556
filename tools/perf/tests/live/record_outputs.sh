#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The recording's file is removed, renamed or replaced while recording. The closing line tells the truth: a file that
# it names exists.
. "$SRC/tools/perf/tests/live/common"
set -u
verdict() { # name: of the command before, with record.log as explanation
	(($? == 0)) && echo "ok - $1" || { cat record.log; echo "not ok - $1"; }
}
"$PERF" record -o probe.data -e cpu-clock -- true >probe.log 2>&1 || {
	skip_all_refused "record" probe.log
}
plan 13
record() { # options... -- what happens meanwhile
	timeout 60 "$PERF" record -e cpu-clock -F 500 "$@" >record.log 2>&1
}
meanwhile='i=0; while ((i++ < 20000)); do :; done; '
samples_of() { "$PERF" script -i "$1" -F comm | wc -l; }
claimed() { sed -n 's/.*Captured and wrote [0-9.]* MB \([^ ]*\).*/\1/p' record.log; }

mkdir folder
for file in gone.data folder/gone.data; do
	record -o $file -- bash -c "${meanwhile}rm $file"
	(($? == 255)) && ! grep -q Captured record.log && grep -q "$file was removed while recording" record.log
	verdict "removed: $file"
done
record -o folder/gone.data -- bash -c "${meanwhile}rm -r folder"
(($? == 255)) && ! grep -q Captured record.log && grep -q "was removed while recording" record.log
verdict "its folder is removed"
record -o gone.data -z -- bash -c "${meanwhile}rm gone.data; echo other >gone.data"
(($? == 255)) && grep -q "gone.data was removed while recording" record.log && [[ $(<gone.data) == other ]]
verdict "another file takes its place"
rm -f gone.data
record -o moved.data -- bash -c "${meanwhile}mv moved.data there.data"
(($? == 0)) && [[ $(claimed) == */there.data ]] && (($(samples_of there.data) > 0))
verdict "renamed: $(claimed)"
record -o twice.data -- bash -c "${meanwhile}$PERF record -o twice.data -e cpu-clock -- bash -c '$meanwhile' 2>second.log"
(($? == 0)) && [[ $(claimed) == */twice.data.old ]] && (($(samples_of twice.data.old) > 0 && $(samples_of twice.data) > 0)) &&
	grep -q "wrote .* MB twice.data " second.log
verdict "a second recording at the same place: each says where it is"
record -o kept.data -- bash -c "$meanwhile"
(($? == 0)) && [[ $(claimed) == kept.data ]] && (($(samples_of kept.data) > 0))
verdict "nothing happens"
record -o /dev/null -- bash -c "$meanwhile"
(($? == 0)) && [[ $(claimed) == /dev/null ]]
verdict "a device"
# Parts: only our own file is set aside.
record --switch-output -o part.data -- bash -c 'rm part.data; echo other >part.data; kill -USR2 $PPID; i=0; while ((i++ < 60000)); do :; done'
(($? == 255)) && grep -q "part.data was removed while recording" record.log && [[ $(<part.data) == other ]] &&
	! compgen -G "part.data.2*" >/dev/null
verdict "a part is removed: what took its place is left alone"
# The recorder is woken by the end of the command and each time that a ring is half full, not by a timer.
woken() { sed -n 's/.*Woken up \([0-9]*\) times.*/\1/p' record.log; }
# The ends of two rings are two wake-ups if the recorder was awake between them. With one ring there is one.
record --per-thread -o few.data -- sleep 0.5
(($? == 0 && $(woken) == 1))
verdict "woken once by the end of a ring"
record -o few.data -- sleep 0.5
(($? == 0 && $(woken) >= 1 && $(woken) <= $(nproc --all)))
verdict "woken by no more than the ends of the rings"
record -o many.data -F 10000 -m 8 -- bash -c 'i=0; while ((i++ < 600000)); do :; done'
full=$(($(stat -c %s many.data) / (4 * $(getconf PAGESIZE))))
((full > 4 && $(woken) >= full / 2 && $(woken) <= full + 4)) || { echo "woken $(woken) times, half a ring $full times"; false; }
verdict "woken for each half of a ring"
# Each part says how often since the part before, and its name; the last one when all is over.
# How many samples a second there are is the machine's affair: it works until it sees the second part written.
record -o each.data -F 5000 -g --switch-output=200K -- bash -c 'parts() { shopt -s nullglob; set -- each.data.2*; echo $#; }
	while (($(parts) < 2)); do i=0; while ((i++ < 10000)); do :; done; done'
sed -E 's/ [0-9]+ times/ N times/; s/data\.2[0-9]+ /data.TIME /; s/wrote [0-9.]+ MB/wrote/' record.log | grep -E 'Woken|Dump|Captured' | sed -E 's/ \([0-9]+ samples\)//' >said
nr=$(ls each.data.2* | wc -l)
for _ in $(seq 2 "$nr"); do
	echo "[ perf record: dump data: Woken up N times ]"
	echo "[ perf record: Dump each.data.TIME ]"
done >wanted
printf '[ perf record: %s ]\n' "Woken up N times to write data" "Dump each.data.TIME" "Captured and wrote each.data.<timestamp>" >>wanted
((nr >= 3)) && diff wanted said
verdict "each of $nr parts says how often somebody was woken for it"
