#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every sample of a machine full of forks, execs, threads and interpreters: is its thread's
# name, its dso and its symbol what stock perf says? All must agree, but for the stubs of the
# PLT, which perf 6.1 leaves without a name or names by their number.
set -u

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

if ! "$STOCK_PERF" record -q -a -F 5000 -o churn.data bash churn.sh 2>record.log; then
	echo "ok - places # skip no recording here: $(tail -1 record.log)"
	exit 0
fi

# COMM TID TIME IP SYMBOL (DSO), by time and thread: the files are alike, the order of equal
# times is not.
lines() {
	sed -E 's/^ *//; s/ +/ /g' | LC_ALL=C sort
}
fields=comm,pid,tid,time,ip,sym,dso
"$STOCK_PERF" script -i churn.data --ns -F $fields 2>/dev/null | lines >stock.txt
if ! "$PERF" script -i churn.data --ns -F $fields 2>ours.err | lines >ours.txt; then
	sed 's/^/# /' ours.err
	echo "not ok - places: perf script fails"
	exit 1
fi

total=$(wc -l <stock.txt)
[[ $(wc -l <ours.txt) == "$total" ]] && ((total > 1000)) && echo "ok - places: as many samples" ||
	echo "not ok - places: $(wc -l <ours.txt) samples, stock perf $total"

# The stubs: compare without the symbol where either side is inside a PLT.
paste -d '\n' stock.txt ours.txt | awk '
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
		print (wrong ? "not ok" : "ok") " - places: thread, dso and symbol of every sample"
	}'
