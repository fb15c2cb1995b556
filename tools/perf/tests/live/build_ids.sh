#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Which build-id is recorded for a name that is more than one file: of a program that is replaced while
# recording, and of two mount namespaces. The header's table has the first one's; records of the others
# have their own.
. "$SRC/tools/perf/tests/live/common"
set -u
verdict() { # name: of the command before, with log as explanation
	(($? == 0)) && echo "ok - $1" || { head -20 log; echo "not ok - $1"; }
}
"$PERF" record -e cpu-clock -o probe.data true >log 2>&1 || {
	skip_all_refused "record" log
}
id_of() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
first=$(id_of "$WORKLOADS/publisher") second=$(id_of "$WORKLOADS/orders")
if [[ -z $first || -z $second ]]; then
	skip_all "build-ids" "this linker makes none"
fi
plan 13
table() { "$@" buildid-list -i t.data 2>>log | awk '$2 ~ /\/prog$/ { print $1 }'; }
maps() { # what records of prog have: - for an inode
	"$PERF" script -i t.data --show-mmap-events 2>>log | grep -a 'MMAP2.*r-xp.*/prog$' |
		sed -E 's/.*<([0-9a-f]*)>.*/\1/; t; s/.*/-/' | uniq
}
judge() { # name
	local got
	got="$(table "$PERF") / $(maps | xargs)"
	echo "table / maps: $got, expected $first / - $second" >>log
	[[ $got == "$first / - $second" ]]
	verdict "$1"
	[[ -x $STOCK_PERF ]] || return
	"$STOCK_PERF" script -i t.data --show-mmap-events 2>>log | grep -a 'MMAP2.*/prog$' >stock
	cat stock >>log
	grep -q "<$second>" stock && grep -qv '<' stock
	verdict "$1: as stock perf reads it"
}
# "first|second named|number": whether samples of each process in prog have names of functions.
named() {
	local second
	second=$("$PERF" script -i t.data --show-mmap-events 2>>log | sed -nE 's/.*MMAP2 ([0-9]+).*<.*r-xp.*\/prog$/\1/p')
	"$PERF" script -i t.data -F pid,ip,sym,dso 2>>log | awk -v second="$second" '/\/prog\)/ {
		print $1 == second ? "second" : "first", $3 == "[unknown]" ? "number" : "named" }' | sort -u | xargs
}

# Samples of the second process with a function that only the first program has, and the other way round. A stub of the
# PLT has the name of the function that it calls.
foreign() {
	local second
	second=$("$PERF" script -i t.data --show-mmap-events 2>>log | sed -nE 's/.*MMAP2 ([0-9]+).*<.*r-xp.*\/prog$/\1/p')
	"$PERF" script -i t.data -F pid,ip,sym,dso 2>>log | awk -v second="$second" '
		FILENAME != "-" { has[FILENAME, $NF] = 1; next }
		/\/prog\)/ && $3 !~ /^(\[unknown\]|\.plt.*)$/ && !has[$1 == second ? "second.sym" : "first.sym", $3] { n++; print >"foreign" }
		END { print n + 0 }' first.sym second.sym -
	cat foreign >>log 2>/dev/null
}
symbols() { # program
	nm "$1"
	nm -u "$1" | sed 's/@.*/@plt/'
}
symbols "$WORKLOADS/publisher" >first.sym
symbols "$WORKLOADS/orders" >second.sym

# A program that runs before the recording starts.
cp "$WORKLOADS/publisher" prog
./prog otep 60 &
pid=$!
"$PERF" record -e cpu-clock -o t.data -p $pid -- sleep 0.1 >log 2>&1
kill $pid
wait
[[ $(table "$PERF") == "$first" && $(table "$STOCK_PERF") == "$first" ]]
verdict "a process that was there before"
"$STOCK_PERF" buildid-list -i t.data | grep -q '^[0-9a-f]\{40\} \[kernel.kallsyms\]$'
verdict "the kernel's"
"$PERF" record -B -e cpu-clock -o t.data -- ./prog otep 0.1 >log 2>&1
[[ -z $("$STOCK_PERF" buildid-list -i t.data | grep '^[0-9a-f]') ]]
verdict "none with -B"

for how in "cp --remove-destination" "cp"; do # a new inode, and the same
	cp --remove-destination "$WORKLOADS/publisher" prog
	"$PERF" record -e cpu-clock -F 500 -o t.data -- bash -c "./prog otep 0.2; $how '$WORKLOADS/orders' prog; ./prog 1" >log 2>&1
	judge "replaced by $how"
	# The first program's file is gone. Its samples have the names of its copy, and without a cache none.
	got="$(named) / $(foreign) / $(PERF_BUILDID_DIR=$PWD/none named)"
	echo "got $got" >>log
	[[ $got == "first named second named / 0 / first number second named" ]]
	verdict "replaced by $how: no name is another program's"
done

# Thread-local variables are looked for in the file that runs, not in the one that had its name and inode.
cp --remove-destination "$WORKLOADS/orders" prog
"$PERF" record --sample-tls -e cpu-clock -F 500 -o t.data -- bash -c "./prog 0.2; cp '$WORKLOADS/publisher' prog; ./prog otep 1" >log 2>&1
if grep -q 'activities of samples' log; then
	n=$("$PERF" report -q -i t.data -s activity -F sample,activity --stdio 2>>log | awk '$2 ~ /^00010203/ { print $1 }')
	((${n:-0} > 200))
	verdict "replaced by cp: activities of the second program"
else
	skip_refused "replaced by cp: activities" log
fi

if ((EUID == 0)) && unshare -m true 2>/dev/null; then
	cp --remove-destination "$WORKLOADS/publisher" prog
	"$PERF" record -e cpu-clock -F 500 -o t.data -- bash -c "./prog otep 0.2
		unshare -m bash -c 'mount --bind \"$WORKLOADS/orders\" prog && exec ./prog 1'" >log 2>&1
	judge "two mount namespaces"
	# At that path is the first program's file. The second one has a copy.
	got="$(named) / $(foreign) / $(PERF_BUILDID_DIR=$PWD/none named)"
	echo "got $got" >>log
	[[ $got == "first named second named / 0 / first named second number" ]]
	verdict "two mount namespaces: no name is another program's"
else
	skip "two mount namespaces" "no mount namespaces for this user" 2
fi
