# SPDX-License-Identifier: GPL-2.0-or-later
# What keys of the browser cost of a million rows: ms of CPU time until the first screen, and for each key. Keys
# that sort nothing stay below 50 ms, or this fails. DATA=FILE: of another recording, OPTIONS= of other keys.
set -u
. "$SRC/tools/perf/tests/bench/common"

if [[ ! ${DATA:-} ]]; then
	DATA=screens.data
	cp "$PERF" screens.elf
	[[ -s $DATA ]] || "$O/tests/tools/many_samples" "$PWD/screens.elf" 1000000 1000000 | "$FORGE" >$DATA
fi
keys="End Home PgDn Down Up + e F F V V H H Right Left Enter ESC i ESC ? ESC L 0 . 0 0 0 0 5 Enter End Home L 0 Enter C"
"$O/tests/tools/key_times" "$keys" report -i "$DATA" ${OPTIONS:--s symoff,tid,addr -g none} >screens.out || exit
awk '{ print } $1 != "start" && $2 >= 50 { slow = 1 } END { if (slow) print "a key costs 50 ms or more"; exit slow }' screens.out
