#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A test that cannot fail is a defect. Each script that runs perf has a row that fails if another program takes perf's place:
# true, false, and one that prints nothing and ends with 0, but leaves an empty file where -o says. This takes a quarter of a
# second for each script and program, because a script does not wait for what a perf that has ended would do.
. "$SRC/tools/perf/tests/tap"
tests=$SRC/tools/perf/tests

# Scripts whose rows are not about perf's work.
declare -A without=(
	[house/alone.sh]="compares what perf does in two environments"
	[house/fakes.sh]="this script"
	[house/install.sh]="make links perf anew where it is another one"
	[house/machines.sh]="packages and make fresh"
	[house/mutants.sh]="a page, and what mutants/run writes"
	[house/packages.sh]="what make makes, and only in the suite long"
	[house/rebuild.sh]="make alone"
	[house/sdk.sh]="libactivity alone"
	[live/sdk.sh]="make install links perf anew, too"
	[live/kernel.sh]="a virtual machine with the build inside"
	[live/unwinders.sh]="the unwinder's own tools"
)

scripts=()
for script in "$tests"/{live,compat,hostile,page,house}/*.sh; do
	name=${script#"$tests"/}
	[[ ${without[$name]:-} ]] || scripts+=("$name")
done
plan ${#scripts[@]}

# Scripts that may have nothing to test on a machine, whatever perf does.
declare -A optional=(
	[live/core_handler.sh]="the machine's own root"
	[live/debuginfod.sh]="libdebuginfod"
	[page/browser.sh]="chromium"
)

# A build for each fake: all of this build, but for perf.
fakes=(true false empty)
for fake in "${fakes[@]}"; do
	mkdir -p "$fake/build"
	ln -s "$O"/* "$fake/build/"
	rm "$fake/build/perf"
done
printf '#!/bin/sh\nexit 1\n' >false/build/perf
printf '#!/bin/sh\nexit 0\n' >true/build/perf
printf '%s\n' '#!/bin/sh' 'while [ $# -gt 1 ]; do' '	[ "$1" != -o ] || : >"$2"' '	shift' 'done' 'exit 0' >empty/build/perf
chmod +x {false,true,empty}/build/perf

# red <OUT: whether a row has failed. It is asked often, so it starts no program.
red() {
	local line
	while IFS= read -r line; do [[ $line != 'not ok'* ]] || return 0; done
	return 1
}
mkfifo silence
exec {silence}<>silence # nothing comes from there

# The script with the fake as perf, until the first row that fails; what it printed is in the file out. It runs in a
# session of its own, so that what it has started ends with it.
run() { # FAKE NAME
	local folder=$PWD/$1/$2 pid i alive
	mkdir -p "$folder/in"
	mkfifo "$folder/alive" # whose writers are the processes of the session: its end comes when all have ended
	(cd "$folder/in" && O=$work/$1/build PERF=$work/$1/build/perf PATH=$work/$1/build:$PATH \
		exec setsid "$tests/alone" timeout $limit bash "$tests/$2") </dev/null >"$folder/out" 2>&1 9>"$folder/alive" &
	pid=$!
	exec {alive}<"$folder/alive"
	for ((i = 0; i < (limit + 10) * 10; i++)); do
		red <"$folder/out" && pkill -TERM -s $pid && break
		kill -0 $pid 2>/dev/null || break
		read -rt 0.1 -u $silence
	done
	wait $pid 2>/dev/null
	status=$?
	# timeout(1) has a group of its own. A script that was ended may still remove what it has mounted.
	read -rt 2 -u $alive
	(($? <= 128)) || pkill -KILL -s $pid
	exec {alive}<&-
	awk -v folder="$folder/in/" 'index($2, folder) == 1 { print $2 }' /proc/self/mounts | xargs -r -n 1 umount
	rm -rf "$folder/in"
}

# Only a row that fails counts: a script that ends early or hangs would not say what is wrong.
one() { # NAME
	local fake green=
	for fake in "${fakes[@]}"; do
		run $fake "$1"
		grep -q '^not ok' "$fake/$1/out" && continue
		green+=" $fake"
		((status != 124 && status <= 128)) || echo "# $1 waited for $limit s with $fake: for what a perf that has ended does not do"
		echo "# with $fake, status $status:"
		tail -n 5 "$fake/$1/out" | cut -c -150 | sed 's/^/# /'
	done
	if [[ ${optional[$1]:-} ]] && ! grep -E '^(not )?ok' "true/$1/out" | grep -qv '# skip'; then
		skip "$1 notices each of them" "there is nothing to test here: ${optional[$1]}"
		return
	fi
	[[ ! $green ]] && pass "$1 notices each of them" || fail "$1 does not notice$green"
}

work=$PWD
limit=150 # on a busy machine
mkdir said
for name in "${scripts[@]}"; do
	while (($(jobs -rp | wc -l) >= 4)); do wait -n; done
	one "$name" >"said/${name//\//-}" 2>&1 &
done
wait
cat said/*
