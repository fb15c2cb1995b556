#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A report of a recording without a file. Where there is a file too, its report says the same: both are
# of the same records.
. "$SRC/tools/perf/tests/live/common"
plan 15
rows() { grep -v '^#' "$1" | grep -v '^$'; }

# work: some time in a program, in a child that it forks, in a thread that changes its name
cat >work.sh <<'END'
md5sum "$1" "$1" "$1" >/dev/null
(exec -a other sort -R "$1" >/dev/null)
END
head -c 20000000 /dev/urandom >food

"$PERF" record --report -F 2000 -- bash work.sh food >out 2>err
check "a report without a file" grep -q '^ .*%  *md5sum ' out
check "no file was written" test ! -e perf.data
check "no file is said to be written" eval '! grep -q Captured err'

for keys in comm,dso,sym pid,cpu,dso; do
	"$PERF" record --report=$keys -F 2000 -o both.data -- bash work.sh food >out 2>err
	"$PERF" report -i both.data --stdio -s $keys >of_file 2>err2
	rows out >live.rows
	rows of_file >file.rows
	check "$keys: the rows are those of the file" eval 'cmp live.rows file.rows && test -s live.rows'
	check "$keys: so is the number of samples" \
		test "$(grep '^# Samples' out)" = "$(grep '^# Samples' of_file)"
done
"$PERF" record --report=dso,sym -g -F 2000 -o both.data -- bash work.sh food >out 2>err
"$PERF" report -i both.data --stdio -s dso,sym >of_file 2>err2
check "with call chains, too" cmp <(rows out) <(rows of_file)

"$PERF" record --report -e cpu-clock -o - -- touch ran 2>err | cat >out
check "the recording on standard output, too, is refused in one line" eval \
	'! test -s out && ! test -e ran && grep -c "both write to standard output" err | grep -qx 1'

"$PERF" record --report=nosuch -o no.data -- touch ran >out 2>err
check "a key that is none is refused before anything runs" \
	test $? = 129 -a ! -e ran -a ! -e no.data
"$PERF" record --report -- sh -c 'exit 3' >out 2>err
check "the exit status is the command's" test $? = 3
"$PERF" record --report -- ./nothing_here >out 2>err
check "a command that is not there ends it" test $? != 0 -a ! -s out
# (A machine that is busy may take longer to begin.)
for seconds in 1 2 4 8; do
	timeout -s INT $seconds "$PERF" record --report -F 500 -a >out 2>err
	grep -q '^ .*%' out && break
done
check "an interrupt ends the recording, and prints" grep -q '^ .*%' out
if "$PERF" record -q --sample-tls -o try.data true 2>why; then
	"$PERF" record --report=activity --sample-tls -F 2000 -o both.data -- "$WORKLOADS/publisher" otep 0.5 >out 2>err
	"$PERF" report -i both.data --stdio -s activity >of_file 2>err2
	check "activities, too" cmp <(rows out) <(rows of_file)
	check "they are those of the program" grep -q '%  000102030405060708090a0b0c0d0e0f' out
else
	skip_refused "activities" why 2
fi
