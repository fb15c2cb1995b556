# SPDX-License-Identifier: GPL-2.0-or-later
# What does perf report --critical cost? A million waits of 100,000 requests in 32 threads, each with its waker, and 200,000 samples of
# running threads. Seconds of CPU until the first screen of the browser, by the program tools/key_times; seconds by the clock until the first line
# of the text; of the whole text: seconds by the clock and of the CPUs, and peak memory. Wanted are 2 s to the first screen. The
# recording is made once.
set -u
. "$SRC/tools/perf/tests/bench/common"

# Each request has ten waits of 90 us, in turn for one of eight locks; the thread with the next number has it, and gives it up.
waits() { # REQUESTS
	awk -v n="$1" '
	function u32(v) { return sprintf("%02x%02x%02x%02x", v % 256, int(v / 256) % 256, int(v / 65536) % 256, int(v / 16777216) % 256) }
	function u64(v) { return u32(v % 4294967296) u32(int(v / 4294967296)) }
	function wait(tid, owner, end, length_ns, lock,    zeros, head) {
		zeros = "0000000000000000"
		head = u32(10) u32(tid) u64(length_ns) zeros zeros
		head = head "04030000" u32(202) zeros zeros zeros zeros zeros zeros u64(length_ns) zeros zeros
		head = head u32(1) u32(0) u32(0) u32(0) u32(10) u32(owner) u32(0) u32(0) u64(140000000000000 + lock * 64) u32(owner) "02010000"
		printf "sample event=1 pid=10 tid=%d ip=0x1000 time=%d period=%d misc=user raw=%s000000000000%s\n", tid, end, length_ns, head, activity
		printf "sample event=2 pid=10 tid=%d ip=0x1000 time=%d addr=%d period=1 misc=user\n", owner, end, tid
	}
	BEGIN {
		split("cpu-clock:0 offcpu-time:10 offcpu-waker:10", events, " ")
		for (i = 1; i <= 3; i++) {
			split(events[i], part, ":")
			print "event " part[1] " type=1 config=" part[2] " sample_type=IDENTIFIER|IP|TID|TIME|ADDR|PERIOD|RAW|TLS_USER tls_user=64"
		}
		print "comm pid=10 text=server"
		for (i = 0; i < 32; i++) print "comm pid=10 tid=" 100 + i " text=worker"
		print "tls_layout pid=10 at=0 tp_offset=-64 size=64 kind=0 layout=activity symbol=activity_record object=/none/server"
		for (i = 0; i < n; i++) {
			tid = 100 + i % 32
			at = 1000000 + int(i / 32) * 1000000 + (i % 32) * 1000
			activity = sprintf(" activity=%032x:%016x", i + 1, i + 1)
			for (k = 0; k < 10; k++)
				wait(tid, 100 + (i + 1) % 32, at + 95000 * (k + 1), i % 100 ? 20000 : 90000, k % 8)
			printf "sample event=0 pid=10 tid=%d ip=0x1000 time=%d period=250000 misc=user%s\n", tid, at + 40000, activity
			printf "sample event=0 pid=10 tid=%d ip=0x1000 time=%d period=250000 misc=user%s\n", tid, at + 960000, activity
		}
	}'
}

if [[ ! -s requests.data ]]; then
	waits 100000 >requests.txt && "$FORGE" requests.txt requests.new && mv requests.new requests.data
	rm -f requests.txt
fi
middle() { sort -n | awk '{ s[NR] = $1 } END { printf "%.2f s", (s[int((NR + 1) / 2)] + s[int(NR / 2) + 1]) / 2 }'; }
screen() { # OPTION
	for ((i = 0; i < runs; i++)); do
		"$O/tests/tools/key_times" Tab report -i requests.data "$1" | awk '$1 == "start" { print $2 / 1000 }'
	done | middle
}
line() { # OPTION
	for ((i = 0; i < runs; i++)); do
		/usr/bin/time -o time.log -f %e sh -c '"$0" "$@" 2>/dev/null | head -n 1 >output' "$PERF" report --stdio -i requests.data "$1"
		tail -n 1 time.log
	done | middle
}
row='| %s | %s | %s | %s | %s | %s |\n'
printf "$row" "a million waits" "first screen, CPU" "first line" "all lines" CPU "peak memory"
echo '|---|--:|--:|--:|--:|--:|'
for what in '--critical=*:100,000 requests' '--critical=0000000000000065:one request' "--critical=100:a thread's whole life"; do
	option=${what%:*}
	/usr/bin/time -o time.log -f '%e %U %S %M' "$PERF" report --stdio -i requests.data "$option" >output 2>cost.log || exit
	read -r clock user system memory < <(tail -n 1 time.log)
	printf "$row" "\`$option\`, ${what##*:}" "$(screen "$option")" "$(line "$option")" "$clock s" \
		"$(awk -v a="$user" -v b="$system" 'BEGIN { printf "%.2f s", a + b }')" "$((memory / 1024)) MB"
done
printf '%s\n' "-s span,state: $(cost %e "$PERF" report --stdio -i requests.data -s span,state)"
