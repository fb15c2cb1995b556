# SPDX-License-Identifier: GPL-2.0-or-later
# What perf data convert costs: a table in Markdown, that of Documentation/exchange.md. For each format: user and system
# microseconds for each sample (median of RUNS runs), the size of the file for each sample, and peak memory. Of forged recordings:
# many samples of few call chains, twice as many, and as many as the first with a span of its own for each sample.
# Beside them what perf report takes to read the same file. As in a real recording, records come in rounds, each of which is in
# order of time with what comes after it.
set -u
source "$SRC/tools/perf/tests/bench/common"
many=$O/tests/tools/many_samples
nr=${SIZES:-1000000}
subject=$dir/subject # code to have samples in, at the same path for all
[[ -e $subject ]] || cp "$PERF" "$subject"

chains() { # file, samples
	[[ -s $1 ]] && return
	"$many" "$subject" "$2" 5000 1000 | awk '{ print } /^sample/ && ++n % 5000 == 0 { print "finished_round" }' >forge.txt &&
		"$FORGE" forge.txt "$1" && rm forge.txt
}
chains "chains-$nr.data" "$nr"
chains "chains-$((2 * nr)).data" "$((2 * nr))"
if [[ ! -s spans-$nr.data ]]; then
	mkdir -p spans
	(cd spans && "$SRC/tools/perf/tests/exchange/recording" "$nr" && mv perf.data "../spans-$nr.data")
fi

# "MICROSECONDS MB", for each of so many samples.
each() { # samples, command...
	local i samples=$1
	shift
	: >times.log
	for ((i = 0; i < runs; i++)); do
		/usr/bin/time -o time.log -f "%U %S %M" "$@" >output 2>cost.log || {
			tail -n 1 cost.log >&2
			echo "failed"
			return
		}
		tail -n 1 time.log >>times.log
	done
	awk -v nr="$samples" '{ print ($1 + $2) * 1e6 / nr, $3 }' times.log | sort -n |
		awk '{ s[NR] = $1; if ($2 > m) m = $2 } END { printf "%.2f us, %.0f MB", s[int((NR + 1) / 2)], m / 1024 }'
}

row() { # name, command with FILE for the recording and OUT for the output...
	local name=$1 file cells= samples size
	shift
	for file in "chains-$nr.data" "chains-$((2 * nr)).data" "spans-$nr.data"; do
		samples=${file#*-} samples=${samples%.data}
		rm -rf out
		cells+=" | $(each "$samples" "${@//FILE/$file}")"
		[[ -e out ]] && size=$(find out -type f -printf "%s\n" | awk '{ sum += $1 } END { print sum }') && cells+=", $(awk -v s="$size" -v n="$samples" 'BEGIN { printf "%.1f", s / n }') B"
	done
	echo "| $name$cells |"
}
millions=$((nr / 1000000))M
echo "| format | $millions samples, 1,000 chains of 30 | twice as many | $millions samples, each of its own span |"
echo "|---|--:|--:|--:|"
row "perf report, to compare" "$PERF" report --stdio -i FILE --threads 1 -s comm,dso,sym,span_id --max-ids 100 --no-children -g none
for format in folded pprof speedscope firefox otlp perfetto; do
	row $format "$PERF" data convert --to=$format -i FILE --symfs spans -o out
done
row parquet "$PERF" data convert --to=parquet -i FILE --symfs spans out
row "native, samples" "$PERF" data convert --to=native --table=samples -i FILE --symfs spans -o out
rm -rf out output

# Ids of real traces are random. What a sample takes then:
"$O/tests/tools/random_table" "$nr" random.parquet
rm -f random.parquet
