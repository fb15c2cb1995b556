#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf inject's options that change what is read, or how much is written; perf stacktrace's command line, which is eu-stacktrace's.
. "$SRC/tools/perf/tests/compat/common"
if ! "$STOCK_PERF" record -q -e cpu-clock:u -F 2999 --call-graph dwarf -o stacks.data sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done' 2>why; then
	skip_all_refused "inject options" why
fi
plan 34
same() { check "$1" cmp "$2" "$3"; }

"$PERF" inject -i stacks.data -o plain.data
"$PERF" inject --input=stacks.data --output=long.data
same "--input and --output" plain.data long.data
lines() { "$PERF" script -i "$1" 2>/dev/null >"$1.lines"; }
lines plain.data
"$PERF" inject -i stacks.data -o - | cat >stacks.pipe
cat stacks.pipe | "$PERF" inject | cat >piped.data
lines piped.data
same "standard input and output are the default of pipes" plain.data.lines piped.data.lines
"$PERF" inject -i - -o - <stacks.pipe | cat >dashes.data
lines dashes.data
same "- is standard input, and standard output" plain.data.lines dashes.data.lines
cp stacks.data perf.data
"$PERF" inject -o default.data </dev/null
same "perf.data is the default of the input" plain.data default.data

# -f
if ((EUID == 0)); then
	cp stacks.data others.data && chown 12345 others.data
	"$PERF" inject -i others.data -o out.data 2>why && refused=no || refused=yes
	check "a file of another owner is refused, and says -f" test $refused = yes -a ! -e out.data -a "$(grep -c -e '-f\b\|force\|owned' why)" -gt 0
	"$PERF" inject -f -i others.data -o out.data
	same "-f reads it" plain.data out.data
	"$PERF" inject --force --convert-callchain -i others.data -o out.data
	"$PERF" inject --convert-callchain -i stacks.data -o chains.data
	same "--force with --convert-callchain" chains.data out.data
else
	skip "-f" "only root can have files of other owners" 3
fi

# Build-ids that are told, and what has none.
shell=$(readlink -f "$(command -v sh)")
"$PERF" inject --known-build-ids="0123456789abcdef0123456789abcdef01234567 $shell" -i stacks.data -o known.data
check "--known-build-ids" bash -c '"$PERF" buildid-list -i known.data | grep -q "^0123456789abcdef0123456789abcdef01234567 "'
echo "0123456789abcdef0123456789abcdef01234568 $shell" >list
"$PERF" inject -b --known-build-ids=@list -i stacks.data -o known.data
check "--known-build-ids=@file" bash -c '"$PERF" buildid-list -i known.data | grep -q "^0123456789abcdef0123456789abcdef01234568 "'
cp "$shell" ./bare && strip -R .note.gnu.build-id bare 2>/dev/null
"$STOCK_PERF" record -q -N -B -e cpu-clock:u -F 2999 -o bare.data ./bare -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done' 2>/dev/null
"$PERF" inject -b -v -i bare.data -o out.data 2>said
check "-v names the files without a build-id" grep -q "/bare" said

# How far chains go, and whose unwinder.
"$PERF" inject --convert-callchain --max-stack 2 -i stacks.data -o short.data
"$PERF" script --no-inline -F ip -i short.data 2>/dev/null | awk 'NF { n++ } !NF { if (n > most) most = n; n = 0 } END { exit most != 2 }'
check "--max-stack" test $? = 0
"$PERF" inject --convert-callchain -i stacks.data -o chains.data
"$PERF" inject --convert-callchain --unwind-style=libunwind -i stacks.data -o out.data
same "--unwind-style is accepted" chains.data out.data
for wrong in "--unwind-style=none" "--max-stack 0" "--stats-format=xml" "--threads -1" "-b -B"; do
	"$PERF" inject --convert-callchain $wrong -i stacks.data -o out.wrong 2>why
	check "refused: $wrong" test $? = 129 -a ! -e out.wrong
done

# perf stacktrace
"$PERF" data convert --to=sysprof --stacks -i stacks.data -o stacks.syscap 2>/dev/null
"$PERF" stacktrace --input=stacks.syscap --output=long.syscap --mode=naive --format=sysprof 2>/dev/null
"$PERF" stacktrace <stacks.syscap 2>/dev/null | cat >pipe.syscap
same "stacktrace: a pipe, and long options" long.syscap pipe.syscap
check "stacktrace: stacks became chains" test "$(stat -c %s long.syscap)" -lt "$(($(stat -c %s stacks.syscap) / 4))"
"$PERF" stacktrace -m none -i stacks.syscap -o none.syscap 2>/dev/null
check "stacktrace -m none: a header alone" test "$(stat -c %s none.syscap)" = 256
"$PERF" stacktrace -m passthru -i stacks.syscap -o passed.syscap 2>/dev/null
same "stacktrace -m passthru" stacks.syscap passed.syscap
mkfifo in out
cat stacks.pipe >in &
"$PERF" stacktrace -f perf -i in -o out 2>/dev/null &
cat out >fifo.data
wait
check "stacktrace -f perf on fifos: the form for pipes" cmp -n 16 stacks.pipe fifo.data
"$PERF" script -F tid,time,ip,sym -i fifo.data >after 2>/dev/null
"$PERF" script -F tid,time,ip,sym -i stacks.data >before 2>/dev/null
same "stacktrace -f perf on fifos" before after
for how in "-v" "--debug"; do
	"$PERF" stacktrace $how -i stacks.syscap -o out.syscap 2>said
	check "stacktrace $how says the sums" grep -qE '^TOTAL -- received [1-9][0-9]* samples, lost [0-9]+ samples, loaded [0-9]+ processes$' said
done
ELFUTILS_STACKTRACE_VERBOSE=1 "$PERF" stacktrace -i stacks.syscap -o out.syscap 2>said
check "stacktrace: so does ELFUTILS_STACKTRACE_VERBOSE" grep -q '^TOTAL -- received' said
"$PERF" stacktrace -m fast -i stacks.syscap -o out.wrong 2>/dev/null
check "stacktrace: 64 for a wrong mode" test $? = 64
"$PERF" stacktrace --nothing 2>/dev/null
check "stacktrace: 64 for a wrong option" test $? = 64
asked() { "$PERF" stacktrace "$1" </dev/null 2>asked.err | grep -q "$2" && [[ ${PIPESTATUS[0]} == 0 && ! -s asked.err ]]; }
check "stacktrace -?: help on standard output, and 0" asked "-?" "passthru: write what is read"
check "stacktrace --usage: all options in a line, and 0" asked --usage '^Usage: .*-?.*\[-m mode\].*\[--format=format\]'
for how in -V --version; do
	check "stacktrace $how: the version, and 0" asked "$how" '^perf stacktrace [0-9]'
done
head -c 256 stacks.syscap >empty.syscap
"$PERF" stacktrace -i empty.syscap -o out.syscap 2>/dev/null
check "stacktrace: 2 where there are no frames" test $? = 2
"$PERF" stacktrace -i /nowhere -o out.syscap 2>/dev/null
check "stacktrace: 1 for a failure" test $? = 1
