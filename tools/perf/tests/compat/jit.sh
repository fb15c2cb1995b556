#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf inject --jit: code of a just-in-time compiler has names, also where it was moved and where another piece took its
# place; the files beside the jitdump are what stock perf's inject makes of it, as its report sees them.
. "$SRC/tools/perf/tests/compat/common"
if ! "$STOCK_PERF" record -q -k CLOCK_MONOTONIC -e cpu-clock -F 999 -g -o jit.data "$WORKLOADS/jitting" 2>why; then
	skip_all_refused "jit" why
fi
plan 20

report() { "$1" report --stdio -q --no-children -g none -s comm,dso,sym -i "$2" 2>/dev/null | grep . | sed 's/ *$//' | sort; }

cp jit.data plain.data
"$PERF" inject --jit -i jit.data -o ours.data
report "$PERF" ours.data >ours
report "$STOCK_PERF" ours.data >stock
same "stock perf reads the same" ours stock
for name in jitted_one jitted_two jitted_late; do
	check "samples are in $name" grep -q "$name$" ours
done
awk '/jitted_/ { sum += $1 } END { exit !(sum > 90) }' ours && echo "ok - nearly all samples are" || {
	cat ours
	echo "not ok - nearly all samples are"
}
ls jitted-*.so | wc -l >count
check "three pieces of code are three files" grep -qx 3 count
check "the jitdump's own mapping is left out" bash -c '! "$PERF" report --mmaps -i ours.data | grep -q "jit-[0-9]*.dump"'
"$PERF" buildid-list -i ours.data | grep -c 'jitted-.*so$' >count
check "the header has their build-ids" grep -qx 3 count

# ELF files that others understand.
readelf -WS jitted-*-1.so >elf 2>&1
check "readelf finds the symbol and call-frame information" bash -c 'grep -q "\.eh_frame" elf && readelf -Ws jitted-*-1.so | grep -q "FUNC.*jitted_two"'
readelf --debug-dump=frames-interp jitted-*-1.so >frames 2>&1
check "readelf understands the call-frame information" bash -c 'grep -q "pc=0*1000\.\.0*100c" frames && ! grep -qi "warning\|error" frames'
"$PERF" annotate --stdio -i ours.data jitted_one 2>/dev/null >annotated
check "perf annotate shows the code" grep -q 'dec ' annotated
"$PERF" script -F ip,sym,srcline -G -i ours.data 2>/dev/null | grep -o 'source.js:1[01]' | sort -u >lines
check "lines are known" grep -qx 'source.js:11' lines

# Stacks and --jit together: the call-frame information of the jitdump leads through the compiled code that has some. The
# others push a register that frame pointers know nothing of: their caller is not seen.
through() { # name, how many of jitted_two...: of those samples with main above it
	"$PERF" script -F ip,sym -i "$1" 2>/dev/null | awk -v f="$2" '
		/^$/ { if (mine) { all++; good += main }; mine = main = n = 0; next }
		{ if (!n++) mine = $2 == f; main += $2 == "main" }
		END { if (mine) { all++; good += main }; print all + 0, good + 0 }'
}
"$STOCK_PERF" record -q -k CLOCK_MONOTONIC -e cpu-clock:u -F 999 --call-graph dwarf -o stacks.data "$WORKLOADS/jitting" 2>why
"$PERF" inject --jit --convert-callchain -i stacks.data -o chains.data
report "$PERF" chains.data >after
"$PERF" inject --jit -i stacks.data -o ours.data
report "$PERF" ours.data >before
same "--jit --convert-callchain: the report of --jit alone" before after
read -r all good < <(through chains.data jitted_two)
check "stacks are unwound by the jitdump's call-frame information: $good of $all" test "$all" -gt 0 -a "$good" = "$all"
read -r all good < <(through ours.data jitted_two)
check "so they are in a report of the stacks: $good of $all" test "$all" -gt 0 -a "$good" = "$all"
"$STOCK_PERF" record -q -k CLOCK_MONOTONIC -e cpu-clock:u -F 999 --call-graph dwarf -o - "$WORKLOADS/jitting" 2>why >stacks.pipe
"$PERF" inject --jit --convert-callchain -i - -o chains.data <stacks.pipe
read -r all good < <(through chains.data jitted_two)
check "from a pipe, too: $good of $all" test "$all" -gt 0 -a "$good" = "$all"
rm -f jitted-*.so

# Beside stock perf's own.
mkdir theirs && cp jit-*.dump theirs/
rm -f jitted-*.so
if "$STOCK_PERF" inject --jit -i jit.data -o theirs.data 2>why && ls jitted-*.so >/dev/null 2>&1; then
	report "$STOCK_PERF" theirs.data >before
	rm -f jitted-*.so
	"$PERF" inject --jit -i jit.data -o ours.data
	report "$STOCK_PERF" ours.data >after
	same "the report of stock perf's inject --jit" before after
else
	skip "the report of stock perf's inject --jit" "it makes no files"
fi

# A pipe; the folder of the output where the jitdump's cannot be written; the wrong clock; a damaged jitdump.
rm -f jitted-*.so
"$STOCK_PERF" record -q -k CLOCK_MONOTONIC -e cpu-clock -F 999 -o - "$WORKLOADS/jitting" 2>/dev/null >pipe.data
cat pipe.data | "$PERF" inject -j | "$PERF" report --stdio -q -s sym -i - >piped 2>/dev/null
check "a pipe" grep -q jitted_late piped
"$STOCK_PERF" record -q -e cpu-clock -F 999 -o wrong.data "$WORKLOADS/jitting" 2>/dev/null
"$PERF" inject --jit -i wrong.data -o no.data 2>why
check "the wrong clock is refused" bash -c 'grep -q "CLOCK_MONOTONIC" why && [[ ! -e no.data ]]'
dump=$(ls jit-*.dump | head -1)
for file in jit-*.dump; do
	printf '\1' | dd of="$file" bs=1 seek=44 conv=notrunc status=none
	printf '\0' | dd of="$file" bs=1 seek=45 conv=notrunc status=none
done
"$PERF" inject --jit -i plain.data -o no.data 2>why
check "a damaged jitdump is an error that says where" bash -c 'grep -q "dump: at offset 0x28: expected a record of at least 16 bytes" why && [[ ! -e no.data ]]'
