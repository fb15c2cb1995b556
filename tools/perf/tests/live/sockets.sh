#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --wall: the texts of sockets of each kind, by BPF and by /proc, are those that the program knows itself.
. "$SRC/tools/perf/tests/live/common"

coproc "$WORKLOADS/sockets"
exec 3<&"${COPROC[0]}" # bash closes its own when the process ends
pid=$COPROC_PID
while read -r -u 3 line && [[ $line != ready ]]; do
	echo "$line"
done >truth
rows=$(($(wc -l <truth) + 1))
((rows > 1)) || fail "there are sockets"
plan $((2 * rows))
# All of them wait: nobody has anything to read.
for _ in $(seq 100); do
	! grep -L '^State:	S' /proc/$pid/task/*/status 2>/dev/null | grep -q . && break
	sleep 0.02
done
for source in bpf proc; do
	if ! "$PERF" record --wall=50 --wall-source=$source -k monotonic -p $pid -o $source.data -- sleep 0.1 >err 2>&1; then
		skip_refused "$source: sockets" err "$rows"
		continue
	fi
	"$PERF" report -i $source.data --stdio -q -g none -F comm,conn -t '|' 2>err | sed 's/ *|/|/; s/ *$//' | grep -v '^$' >all
	while read -r name text; do
		if [[ $name = no ]]; then
			skip "$source: $text" "no such socket can be made here"
			continue
		fi
		# Only BPF knows the process at the other end of a Unix socket.
		[[ $source$text = bpfunix:* ]] && text+=" pid $pid"
		grep "^$name|" all >found
		check "$source: $name: $text" test "$(cut -d'|' -f2 found)" = "$text"
	done <truth
	"$PERF" data convert --to=xcapture -i $source.data -o $source.csv -F 50 >out 2>err
	cut -d, -f10,24,25 $source.csv/xcapture_samples_* | sort -u | grep -v COMM >found
	check "$source: xcapture's columns: protocol and addresses, and the state apart" eval 'grep -q "^.udp.,.UDP 127.0.0.1:[0-9]*.,..$" found && grep -q "^.tcp.,.TCP 127.0.0.1:[0-9]*->127.0.0.1:[0-9]*.,.ESTABLISHED.$" found && grep -q "^.netlink.,.NETLINK ROUTE.,..$" found && grep -q "^.listen.,.TCP 127.0.0.1:[0-9]*.,.LISTEN.$" found'
done
