#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf diff of programs that were built twice: members that moved, options of the compiler, debug information on one side; of
# a bundled server in two releases, recorded here; and
# a small form of diff/pairs: of the differences of forged pairs that are called certain, hardly one is none.
. "$SRC/tools/perf/tests/live/common"
gcc --version >/dev/null 2>&1 || skip_all "perf diff" "there is no gcc"
plan 36

# build NAME OPTIONS MEMBERS [LINES]: a program in the folder NAME whose function touches the member flags; LINES come before it.
build() {
	mkdir -p "$1"
	cat >"$1/shop.c" <<-END
		${4-}struct order { $3 };
		long touch(struct order *o) { return o->flags; }
		int main(void) { return 0; }
	END
	# shellcheck disable=SC2086
	gcc $2 -fcf-protection=none -no-pie -o "$1/shop" "$1/shop.c"
}
# record NAME N: N samples of touch() in that program.
record() {
	local address i
	address=$(nm "$1/shop" | awk '$3 == "touch" { print "0x" $1 }')
	{
		echo "event cpu-clock type=software config=0 freq=1000 sample_type=IP|TID|TIME|PERIOD"
		echo "comm pid=10 text=shop"
		echo "mmap2 pid=10 start=0x400000 len=0x100000 file=$PWD/$1/shop misc=user"
		for ((i = 0; i < $2; i++)); do
			echo "sample pid=10 ip=$address time=$((1000 + i)) period=1000000 misc=user"
		done
	} | "$FORGE" /dev/stdin "$1.data"
}
build old "-O2 -g" "long id; long flags;" && record old 1000
build new "-O2 -g" "long id, owner, price; long flags;" && record new 1400
build slow "-O1 -g" "long id; long flags;" && record slow 1000
build moved "-O2 -g" "long id; long flags;" $'/* Three\nmore\nlines. */\n' && record moved 1400
build bare "-O2 -g" "long id; long flags;" && strip -g bare/shop && record bare 1000

says() { # what perf diff prints, then its words
	"$PERF" diff --skid=sampled "${@:2}" >out 2>err && grep -qE "$1" out
}
check "a member that moved is one row, and a line says so" \
	says 'flags moved from \+0x8 to \+0x18, and costs 40\.0% more' -s typeoff --per=total old.data new.data
check "options of the compiler that differ are said" \
	says '^# Not the same on both sides: compiler of shop: .*-O2.* before, .*-O1.* after' old.data slow.data
check "debug information on one side only is said" \
	says '^# Not the same on both sides: debug information of shop: present before, none after' old.data bare.data
check "and that the compiler is not known there is not" test "$(grep -c 'Not the same' out)" = 1
"$PERF" diff --skid=sampled old.data old.data >out 2>err && ! grep -q 'Not the same' out
check "a recording is the same as itself" test $? = 0
# As upstream, a file of another user is read only with -f. Root alone can make one here.
if cp old.data foreign.data && chown 65534:65534 foreign.data 2>/dev/null; then
	check "-f: a file of another user" eval '! "$PERF" diff old.data foreign.data >out 2>err && "$PERF" diff -f old.data foreign.data >out 2>err'
else
	skip "-f: a file of another user" "only root can make one" 1
fi

# What is not unfair.
# together NAME SHOP OTHER N [EVENT]: N samples of SHOP/shop and 95 of OTHER/server.
together() {
	{
		echo "event cpu-clock type=software config=0 freq=1000 sample_type=IP|TID|TIME|PERIOD flags=sample_id_all"
		[[ ! ${5-} ]] || echo "$5"
		echo "comm pid=10 text=shop"
		echo "mmap2 pid=10 start=0x400000 len=0x100000 file=$PWD/$2/shop misc=user"
		echo "mmap2 pid=10 start=0x10400000 len=0x100000 file=$PWD/$3/server misc=user"
		seq "$4" | sed "s/.*/sample pid=10 ip=0x401000 time=& period=1000000 misc=user/"
		seq 95 | sed "s/.*/sample pid=10 ip=0x10401000 time=1&000 period=1000000 misc=user/"
	} | "$FORGE" /dev/stdin "$1.data"
}
mkdir -p server && cp old/shop server/server
together few bare server 4 && together all old server 4 && together many bare server 6 && together more old server 6
"$PERF" diff --skid=sampled all.data few.data >out 2>err && ! grep -q 'Not the same' out
check "a file with less than 5% of the samples makes nothing unfair" test $? = 0
check "but one with more does" says '^# Not the same on both sides: debug information of shop: present before, none after' more.data many.data
together dummy old server 4 "event dummy:HG type=software config=9 freq=4000 sample_type=IP|TID|TIME|PERIOD flags=sample_id_all"
"$PERF" diff --skid=sampled all.data dummy.data >out 2>err && ! grep -q 'Not the same' out
check "nor does an event that only tells of mappings" test $? = 0
mkdir -p other && cp old/shop other/mart
{
	echo "event cpu-clock type=software config=0 freq=1000 sample_type=IP|TID|TIME|PERIOD"
	echo "comm pid=10 text=shop"
	echo "mmap2 pid=10 start=0x400000 len=0x100000 file=$PWD/other/mart misc=user"
	seq 1000 | sed "s/.*/sample pid=10 ip=0x401000 time=& period=1000000 misc=user/"
} | "$FORGE" /dev/stdin other.data
"$PERF" diff --skid=sampled old.data other.data >out 2>err && ! grep -q 'Not the same' out
check "nor does a file that only one side has" test $? = 0
# The assembler's units are no compiler's.
for options in "-O2" "-O1"; do
	mkdir -p "as$options" && printf '.text\nstart:\n\tnop\n' >"as$options/start.s" && cp old/shop.c "as$options"
	# shellcheck disable=SC2086
	(cd "as$options" && gcc -g -c -fcf-protection=none start.s && gcc $options -g -fcf-protection=none -no-pie -o shop start.o shop.c)
	record "as$options" 1000
done
check "options are those of the compiler, also behind an assembler's unit" \
	says '^# Not the same on both sides: compiler of shop: .*-O2.* before, .*-O1.* after' as-O2.data as-O1.data

# Lines are the same if their contents are, if these are what was compiled.
check "a line that moved is one row" says ' shop\.c:5, was shop\.c:2 *$' -s srcline --per=total old.data moved.data
check "the line of the same number is another one" test "$(grep -c 'shop\.c:2' out)" = 1
touch -d '+1 hour' moved/shop.c
check "a file that is newer than the program is not read: lines go by their numbers" \
	says ' (gone|less) +shop\.c:2 *$' -s srcline --per=total old.data moved.data
touch -d '-1 hour' moved/shop.c
touch -d '+1 hour' old/shop.c
check "nor is the older recording's" says ' (gone|less) +shop\.c:2 *$' -s srcline --per=total old.data moved.data
touch -d '-1 hour' old/shop.c
"$PERF" report --skid=sampled -i moved.data --baseline=old.data -s srcline --stdio >out 2>err
check "perf report --baseline says the same" grep -q 'shop\.c:5, was shop\.c:2' out

# Two static functions of one name: their files tell them apart. One moves to another file between the builds.
# two NAME FILE...: a program in the folder NAME with a function parse() in each of the files.
two() {
	local file
	mkdir -p "$1"
	for file in "${@:2}"; do
		printf 'volatile long %s_sum;\nstatic __attribute__((noinline)) void parse(void) { %s_sum++; }\nvoid %s(void) { parse(); }\n' \
			"$file" "$file" "$file" >"$1/$file.c"
	done
	echo 'int main(void) { return 0; }' >"$1/main.c"
	(cd "$1" && gcc -O1 -g -fcf-protection=none -no-pie -o server ./*.c)
}
# record_two NAME N M: N and M samples in its first and second parse(), in the order of addresses.
record_two() {
	local address nr=$2 i
	{
		echo "event cpu-clock type=software config=0 freq=1000 sample_type=IP|TID|TIME|PERIOD"
		echo "comm pid=10 text=server"
		echo "mmap2 pid=10 start=0x400000 len=0x100000 file=$PWD/$1/server misc=user"
		for address in $(nm -n "$1/server" | awk '$3 == "parse" { print "0x" $1 }'); do
			for ((i = 0; i < nr; i++)); do
				echo "sample pid=10 ip=$address time=$((1000 + i)) period=1000000 misc=user"
			done
			nr=${3-0}
		done
	} | "$FORGE" /dev/stdin "$1.data"
}
fails() { # PATTERN: the rows for which --fail-above fails
	"$PERF" diff --skid=sampled -q -s sym --per=total --fail-above=5%:"$1" two.data far.data 2>&1 >out | sed 's/^perf diff: cpu-clock: //; s/ grew from.*//'
}
two two http json && record_two two 1000 500
two far http text && record_two far 1000 900
two one json && record_two one 500
two three main2 && record_two three 700
check "static functions of one name are told apart by their files" \
	says '^ +66\.67% +-14\.04% .* less +\[\.\] parse \(http\.c\) *$' -s sym two.data far.data
check "the one whose file is another now has moved" \
	says ' more +\[\.\] parse \(text\.c\), was json\.c *$' -s sym two.data far.data
check "with the name of one of them in one build, the other is new" \
	says ' new +\[\.\] parse \(http\.c\) *$' -s sym one.data two.data
check "a function whose name is the only one is the same in any file" \
	says '^ +100\.00% +\+0\.00% .* \[\.\] parse *$' -s sym one.data three.data
"$PERF" diff --skid=sampled -s sym --format=csv two.data two.data -- far.data far.data >out 2>err
check "with several recordings a side, too" test "$(grep -c 'parse (text.c)\|parse (http.c)' out)" = 2
check "--fail-above=5%:parse means all functions of that name" test "$(fails parse)" = '[.] parse (text.c)'
check "or the one that its file tells" test "$(fails 'parse (text.c)')" = '[.] parse (text.c)'
check "and no other one" test "$(fails 'parse (http.c)')" = ''

# Functions on chains are told apart likewise: one has moved from json.c to text.c.
# chained NAME N M: N and M samples in leaf() as called by the first and the second parse().
chained() {
	local address leaf nr=$2 i
	leaf=$(nm "$1/server" | awk '$3 == "main" { print "0x" $1 }')
	{
		echo "event cpu-clock type=software config=0 freq=1000 sample_type=IP|TID|TIME|CALLCHAIN|PERIOD"
		echo "comm pid=10 text=server"
		echo "mmap2 pid=10 start=0x400000 len=0x100000 file=$PWD/$1/server misc=user"
		for address in $(nm -n "$1/server" | awk '$3 == "parse" { print $1 }'); do
			address=$(printf '0x%x' $((0x$address + 1))) # behind a call
			for ((i = 0; i < nr; i++)); do
				echo "sample pid=10 ip=$leaf time=$((1000 + i)) period=1000000 misc=user chain=user,$leaf,$address"
			done
			nr=$3
		done
	} | "$FORGE" /dev/stdin "$1.data"
}
chained two 1000 500 && chained far 1000 900
for keys in sym comm; do
	"$PERF" diff --skid=sampled -g -s $keys --per=total --format=csv two.data far.data >out 2>err
	check "-g -s $keys: callers of one name are told apart by their files" grep -q ',1000,.*,noise,.*,parse (http\.c);main$' out
	check "-g -s $keys: a caller that moved is the same" grep -q ',500,.*,900,.*,more,.*,"parse (text\.c, was json\.c);main"$' out
done
# A static function of a header is one, however many files include it.
sed -i 's/static.*/#include "header.h"/' two/*.c far/*.c
for name in two far; do
	echo 'static __attribute__((noinline)) void parse(void) { asm volatile("" ::: "memory"); }' >$name/header.h
	(cd $name && gcc -O1 -g -fcf-protection=none -no-pie -o server ./*.c)
	record_two $name 1000 800
done
check "a static function of a header is one function" says '^ +100\.00% +\+0\.00% .* \[\.\] parse *$' -s sym two.data far.data

# Two releases, in which the member flags lies elsewhere. How long they take is not tested. They run until there are samples.
release() { # NAME PROGRAM
	"$PERF" record -q --sample-tls -k CLOCK_MONOTONIC -F 999 -o "$1.data" -- "$2" 100 "$1.json" >log 2>err
}
if ! release before "$WORKLOADS/shop" || ! release after "$WORKLOADS/release-2/shop"; then
	skip_refused "two releases of a server" err 4
else
	files=(--spans=before.json,after.json before.data after.data)
	check "flags are one row" says 'struct order \+0x80 \(flags\), was \+0x10' -s typeoff "${files[@]}"
	check "that they left the first cache line is said" \
		says '^# flags moved from \+0x10 to \+0x80, from line 0 to line 2 of 64 bytes, and costs .* in checkout$' -s span,typeoff "${files[@]}"
	check "requests are spans without a parent" says '^# Requests of each side: 100, 100 ' --per=request -s span "${files[@]}"
	check "or those of --span" says '^# Requests of each side: 50, 50 ' --per=request --span=checkout -s typeoff "${files[@]}"
fi

if ! python3 -c pass 2>/dev/null; then
	skip "forged pairs" "there is no python3"
else
	"$SRC/tools/perf/tests/diff/pairs" -n 6 -k comes >out 2>err && "$SRC/tools/perf/tests/diff/pairs" -n 20 >>out 2>>err
	check "forged pairs: what is called certain is different" test $? = 0
fi

# Folders of two continuous recordings of thread states are the two sides.
if ! "$PERF" record -q --wall -o try.data true 2>why; then
	skip_refused "folders of continuous recordings" why 2
else
	for side in days-before days-after; do
		mkdir $side
		"$PERF" record -q --wall=100 -z --switch-output=1s --keep=8 -o $side/wall -- "$WORKLOADS/busy" 1.5 2 >out 2>>err
	done
	check "folders of continuous recordings: all their files are read" \
		says "^# +\+-95%: .*" -s state days-before -- days-after
	check "states are rows" eval 'grep -q " S (sleep) *$" out && (($(ls days-before | wc -l) > 1))'
fi
