#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks of running programs, stopped at random instants and stepped on from there: our chains are those of elfutils, or go on
# where these end; of some they are also held against gdb's. `make unwind-oracle` asks both about many more.
. "$SRC/tools/perf/tests/live/common"
set -u

source "$SRC/tools/perf/tests/unwind/lib.bash"
if [[ $(uname -m) != x86_64 ]]; then
	skip_all "unwinders" "stacks are unwound for x86-64 only"
fi
plan 23
skipped() { skip "unwinders: $1" "$2" "${3:-1}"; }

# agrees NAME COMMAND...: some hundred stacks of the command.
agrees() {
	local name=$1
	shift
	timeout 120 "$stops" 500 stacks "$@" >out 2>&1
	local status=$?
	if ((status == 77)); then
		skipped "$name" "processes cannot be traced here"
	elif ((status == 0)) && "$compare" stops stacks >>out 2>&1 && awk '/^of [0-9]+ stacks/ { exit $2 < 100 }' out; then
		echo "ok - unwinders: $name: $(tail -1 out)"
	else
		cat out
		echo "not ok - unwinders: $name"
	fi
}

for cc in gcc clang; do
	for flags in -O0 "-O1 -fomit-frame-pointer" "-O2 -mavx2" "-O3 -fno-omit-frame-pointer"; do
		built_c "$cc$flags" $cc $flags && agrees "C by $cc $flags" "./$cc$flags"
	done
done
# (A static one has glibc's memcpy for i386, whose call-frame information is wrong.)
built m32 gcc -m32 -O2 -pthread -w "$programs/constructs.c" && agrees "32-bit C by gcc -O2" ./m32
built_c static gcc -O2 -static && agrees "static C" ./static
built musl musl-gcc -O2 -static -w -D_GNU_SOURCE "$programs/objects.c" && agrees "static C by musl" ./musl
built_c static-pie gcc -O2 -static-pie && agrees "static-pie C" ./static-pie
for cc in g++ clang++; do
	for flags in -O0 -O2; do
		built "$cc$flags" $cc $flags -w "$programs/objects.cc" && agrees "C++ by $cc $flags" "./$cc$flags"
	done
done
built_rust && agrees "Rust" ./rust
built_go && GOMAXPROCS=1 agrees "Go" ./gowork
if python=$(python_program); then
	agrees "python3" "$python" "$programs/work.py"
else
	skipped "python3" "there is no python3"
fi

# gdb_agrees NAME: on what it has written.
gdb_agrees() {
	if "$compare" judged stacks >out 2>&1; then
		echo "ok - unwinders: $1, beside gdb: $(tail -1 out)"
	else
		cat out
		echo "not ok - unwinders: $1, beside gdb"
	fi
}

if ! gdb -nx -batch -ex 'python print(1)' >/dev/null 2>&1; then
	skipped "beside gdb" "there is no gdb with Python" 4
elif ! stopped_by_gdb 150 stacks "./gcc-O2 -mavx2"; then
	grep -qi 'not permitted\|ptrace' gdb.log && skipped "beside gdb" "processes cannot be traced here" 4 ||
		{ cat gdb.log; echo "not ok - unwinders: gdb gets stacks"; }
else
	gdb_agrees "C"
	stopped_by_gdb 60 stacks "./gcc-O2 -mavx2" threads && gdb_agrees "threads"
	stopped_by_gdb 100 stacks ./g++-O2 && gdb_agrees "C++"
	built_c ibt gcc -O2 -fcf-protection=full -Wl,-z,lazy -Wl,-z,ibtplt && stepped_by_gdb 400 stacks main ./ibt && gdb_agrees "stepped from main"
fi
