#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every sample of a machine full of forks, execs, threads and interpreters: is its thread's
# name, its dso and its symbol what stock perf says? All must agree, but for the stubs of the
# PLT, which perf 6.1 leaves without a name or names by their number. With -v it has the parameters
# of C++ functions, as perf 7 and ours do.
set -u
. "$SRC/tools/perf/tests/compat/common"

cat >churn.sh <<'CHURN'
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	(ls -l /usr/bin >/dev/null; for j in 1 2 3; do /bin/true; done) &
	awk 'BEGIN { for (i = 0; i < 300000; i++) s += i * i; print s }' >/dev/null &
	perl -e 'my $s = 0; for my $i (1 .. 200000) { $s += $i } fork;
		exec "/bin/sh", "-c", "exec sleep 0.01"' &
	(sh -c 'sh -c "exec sh -c :"') &
	((i % 4)) || wait
done
wait
CHURN

# A process with another root directory (a container, a chroot) has other files under the names that
# ours have. Stock perf may look at them in there: then only our own processes are recorded.
other_roots() {
	local root
	for root in /proc/[0-9]*/root; do
		[[ -e $root/. && ! $root/. -ef /. ]] && return
	done
	return 1
}
who=-a
other_roots && who=

if ! "$STOCK_PERF" record -q $who -F 5000 -o churn.data bash churn.sh 2>record.log; then
	skip_all_refused "places" record.log
fi
plan 3
if [[ $who ]]; then
	pass "all processes are recorded"
else
	skip "all processes are recorded" "some have another root directory"
fi

fields=comm,pid,tid,time,ip,sym,dso

# The lines are alike but for the width of columns and the order of equal times. Of what else
# runs on this machine only installed files count: others may be gone before both have looked.
lines() {
	sed -E 's/^ *//; s/ +/ /g' | grep -E '\((/usr/|/lib|\[).*\)$' | sort
}

compare() { # what, file, "-" where it is to come through a pipe
	local what=$1 file=$2 input=${3:-$2} total
	cat "$file" | "$STOCK_PERF" script -v -i "$input" --ns -F $fields 2>/dev/null | lines >stock.txt
	cat "$file" | "$PERF" script -i "$input" --ns -F $fields 2>ours.err | lines >ours.txt
	total=$(wc -l <stock.txt)
	if [[ $(wc -l <ours.txt) != "$total" ]] || ((total < 1000)); then
		sed 's/^/# /' ours.err
		echo "# $(wc -l <ours.txt) samples, stock perf $total"
		echo "not ok - places, $what: as many samples as stock perf"
		return
	fi
	paste -d '\n' stock.txt ours.txt | awk -v what="$what" '
		NR % 2 { stock = $0; next }
		$0 != stock {
			a = stock; b = $0
			if (b ~ /@plt \(/ || b ~ / \.plt \(/) {
				sub(/[^ ]+ \(/, "(", a); sub(/[^ ]+ \(/, "(", b)
				if (a == b) { stubs++; next }
			}
			if (++wrong <= 20) print "# stock: " stock "\n# ours:  " $0
		}
		END {
			print "# " NR / 2 " samples, " wrong + 0 " differ, " stubs + 0 " in stubs of a PLT"
			print (wrong ? "not ok" : "ok") " - places, " what ": thread, dso and symbol of every sample"
		}'
}

compare "a file" churn.data

"$STOCK_PERF" record -q $who -F 5000 -o - bash churn.sh >churn.pipe 2>/dev/null
compare "a pipe" churn.pipe -
