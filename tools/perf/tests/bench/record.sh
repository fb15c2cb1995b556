#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What recording costs: samples, losses and the recorder's own CPU time beside stock perf's, on
# the same load: every CPU busy, SECONDS_EACH (5) seconds.
set -u
seconds=${SECONDS_EACH:-5}
stock=${STOCK_PERF:-/usr/bin/perf}
dir=$(mktemp -d)
trap 'kill $loads 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 1

if ! "$PERF" record -a -o probe.data -e cpu-clock -- true >probe.log 2>&1; then
	echo "perf record: not measured: $(tail -1 probe.log)"
	exit 0
fi
loads=
for cpu in $(seq "$(nproc)"); do
	bash -c 'while :; do :; done' &
	loads+=" $!"
done

measure() { # who, perf, options...
	local who=$1 perf=$2
	shift 2
	TIMEFORMAT='%U %S'
	{ time "$perf" record -a -e cpu-clock "$@" -o r.data -- sleep "$seconds" >r.log 2>&1; } 2>time.log
	"$stock" report --stats -i r.data 2>/dev/null >stats.log
	printf '%-22s %-6s %9s %7s %8s %8s %9s\n' "$*" "$who" \
		"$(awk '/ SAMPLE events:/ { n = $3 } END { print n + 0 }' stats.log)" \
		"$(awk '/LOST_SAMPLES events:/ { n = $3 } END { print n + 0 }' stats.log)" \
		$(cat time.log) "$(stat -c %s r.data)"
	rm -f r.data r.data.old
}

echo "perf record, $(nproc) CPUs, $seconds s"
printf '%-22s %-6s %9s %7s %8s %8s %9s\n' options perf samples lost user/s sys/s bytes
for options in "-F 1000" "-F 10000" "-F 10000 -g" "-F 10000 -g -z" "-F 50000 -g -m 16"; do
	measure ours "$PERF" $options
	measure stock "$stock" $options
done
