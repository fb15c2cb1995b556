# SPDX-License-Identifier: GPL-2.0-or-later
# make demo's script: its steps, live or on the shipped recording, whichever this machine allows; then the latter by force. Its
# answers are compared with what the program waits for.
. "$SRC/tools/perf/tests/tap"
. "$SRC/tools/perf/tests/orders_truth"
plan 17
shipped=$SRC/tools/perf/tests/data/orders

demo() { # name
	"$SRC/tools/perf/tests/demo" >out 2>&1
	local status=$?
	if ((status)) || ! grep -q '^# Overhead  Activity  *Data Type' out ||
		! grep -q ' struct [a-z]* *$' out || ! grep -q '^Annotate type: .struct ' out || ! grep -q '^Wrote .*/demo/perf.html ' out ||
		! grep -q 'perf report .*perf.data\|perf report .*orders.data' out || ! grep -q '^A (activities), Down, T (its types)' out ||
		! grep -q '^# The slowest 4 % of checkout .*waiting for store.lock (mutex)\|^demo: waits cannot be recorded here' out ||
		[[ ! -s demo/perf.html ]]; then
		cat out
		echo "not ok - $1"
	else
		echo "ok - $1"
	fi
}

# most SPAN: the structure that the report shows with most time of this span.
most() {
	awk -v span="$1" '$1 ~ /%$/ && $2 ~ (":0*" span "$") && $3 == "struct" { sum[$4] += $1 }
		END { for (t in sum) if (sum[t] > best) { best = sum[t]; type = t } print type }' out
}

# share FIELD...: per cent of these members of the structure in the table.
share() {
	awk -v names=" $* " '/^Annotate type:/ { inside = 1 } inside && $1 ~ /^[0-9.]+$/ { name = $NF; sub(/;$/, "", name)
		if (index(names, " " name " ")) sum += $1 } END { print sum + 0 }' table
}
least() { awk "BEGIN { exit !($1 >= $2) }"; }

account_is_right() { # program
	local first=open_orders hidden=nr_trades
	[[ $(first_of_two "$1") != trades ]] || first=nr_trades hidden=open_orders
	echo "# of struct account: cash $(share cash) %, position $(share position) %, $first $(share $first) %, $hidden $(share $hidden) %"
	least "$(share cash)" 15 && least "$(share position)" 10 && least "$(share $first)" 15 && least 10 "$(share $hidden)" &&
		least "$(share cash position $first)" 80
}

# The table that the demo prints, of whichever structure has most time.
table_is_right() { # program
	local type
	type=$(sed -n "s/^Annotate type: 'struct \([a-z]*\)'.*/\1/p" table)
	case $type in
	level) echo "# of struct level: price $(share price) %" && least "$(share price)" 50 ;;
	order) echo "# of struct order: id, id_next $(share id id_next) %" && least "$(share id id_next)" 50 ;;
	account) account_is_right "$1" ;;
	*) false ;;
	esac
}

# What the demo says of the two releases: the moved member is one row, and a line says how it moved.
releases() { # name
	check "$1: each request of both releases is counted" grep -q '^# Requests of each side: 50, 50 ' out
	check "$1: flags left the first cache line" \
		grep -qE '^# flags moved from \+0x10 to \+0x80, from line 0 to line 2 of 64 bytes, and costs ' out
}

answers() { # name, program, options of perf
	local name=$1 program=$2
	shift 2
	check "$name: place waits for levels" test "$(most 1)" = level
	check "$name: cancel waits for orders" test "$(most 3)" = order
	check "$name: report waits for accounts" test "$(most 4)" = account
	cp out table
	check "$name: of the structure with most time, for the field that is read first" table_is_right "$program"
	"$build/perf" annotate --stdio "$@" --data-type=account >table 2>err
	check "$name: of an account, for the fields that are read first of a line" account_is_right "$program"
}

build=$O
O=$PWD
mkdir tests
ln -s "$build/tests/workloads" tests/workloads
ln -s "$build/perf" perf
demo "the demo as this machine can"
if grep -q '^demo: recording is not possible here' out; then
	skip "live" "recording is not possible here" 7
else
	answers live "$build/tests/workloads/orders" -f -i demo/perf.data
	releases live
fi

# A perf that may not record.
rm perf
cat >perf <<SH
#!/bin/sh
[ "\$1" = record ] && { echo "perf: not permitted today" >&2; exit 255; }
exec "$build/perf" "\$@"
SH
chmod +x perf
demo "the demo without a right to record"
grep -q '^demo: recording is not possible here (perf: not permitted today)' out &&
	echo "ok - says why it does not record" || { cat out; echo "not ok - says why it does not record"; }
answers shipped "$shipped/opt/orders/orders" -f -i "$shipped/orders.data" --symfs "$shipped"
releases shipped
