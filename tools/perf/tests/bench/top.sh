#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What perf top costs, as it says itself, in percent of one CPU: all CPUs at defaults, as text and as a browser (in tmux);
# and perf top --wall=20 of 2,000 threads, of which 100 wake up ten times a second, and of the whole machine with these.
# SECONDS_EACH (default 16): of each row.
. "$SRC/tools/perf/tests/bench/common"
each=${SECONDS_EACH:-16}

# Two CPUs are busy, or as many as there are.
busy=()
for ((i = 0; i < $(nproc); i++)); do
	md5sum /dev/zero >/dev/null 2>&1 &
	busy+=($!)
done
"$WORKLOADS/crowd" 2000 $((each * 6 + 60)) 100 >/dev/null 2>&1 &
sleepers=$!
trap 'kill "${busy[@]}" $sleepers 2>/dev/null' EXIT

own() { # FILE: of the fourth frame on, when symbols are known; not of the last one, which is of the moment at which it ends
	grep -o 'own:* [0-9.]*%' "$1" | tr -dc '0-9.\n' | awk '{ v[NR] = $1 } END { for (i = 4; i < NR; i++) { s += v[i]; n++ } printf "%.2f", n ? s / n : -1 }'
}
text() { # what, options...
	timeout -s INT "$each" "$PERF" top --stdio -d 2 "${@:2}" >top.out 2>top.err
	printf '%-44s %6s %%\n' "$1" "$(own top.out)"
}
browser() { # what, options...
	tmux -L bench$$ -f /dev/null new-session -d -x 120 -y 40 "'$PERF' top --tui -d 2 ${*:2}"
	: >top.out
	for ((i = 0; i < each / 2; i++)); do
		sleep 2
		tmux -L bench$$ capture-pane -p | head -1 >>top.out
	done
	tmux -L bench$$ kill-server
	printf '%-44s %6s %%\n' "$1" "$(own top.out)"
}
printf '%-44s %s\n' "perf top, by itself" "of a CPU"
text "text, defaults"
tmux -V >/dev/null 2>&1 && browser "browser, defaults"
text "text, --wall=20, 2,000 threads (-p)" --wall=20 -p $sleepers
tmux -V >/dev/null 2>&1 && browser "browser, --wall=20, 2,000 threads (-p)" --wall=20 -p $sleepers
text "text, --wall=20, all, 2,000 more threads" --wall=20
tmux -V >/dev/null 2>&1 && browser "browser, --wall=20, all, 2,000 more threads" --wall=20
