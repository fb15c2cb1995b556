# SPDX-License-Identifier: GPL-2.0-or-later
# record --realtime: which thread has which priority, and what is said where it is not permitted.
. "$SRC/tools/perf/tests/live/common"

if ! "$PERF" record -q -e cpu-clock -o probe.data true >err 2>&1; then
	skip_all_refused "--realtime" err
fi
plan 9
same() { # name, wanted, got
	[[ $3 == "$2" ]] && echo "ok - $1" || printf '# wanted: %s\n# got: %s\nnot ok - %s\n' "$2" "$3" "$1"
}

# "perf-drainer POLICY PRIORITY NICE" of a recording's threads (stat(5): fields 41, 40, 19) and of its command.
# Threads raise themselves: the recording has begun when the command runs.
threads() { # options...
	local recorder command i task
	"$PERF" record -q -e cpu-clock -o threads.data "$@" -- sleep 60 2>err &
	recorder=$!
	for ((i = 0; i < 200; i++)); do
		command=$(pgrep -P "$recorder" -x sleep) && break
		kill -0 "$recorder" 2>/dev/null || break
		sleep 0.05
	done
	for task in /proc/$recorder/task/* /proc/${command:-none}; do
		sed -E 's/^[0-9]+ \((.*)\) (.*)$/\1 \2/' "$task/stat" | awk '{print $1, $40, $39, $18}'
	done | sed -E 's/^perf /main /' | sort
	[[ $command ]] && kill "$command"
	wait "$recorder"
} 2>/dev/null

nice=$(nice)
may_raise=false
nice -n $((nice == 0 ? -20 : -nice - 20)) true 2>/dev/null && [[ $(nice -n -20 nice 2>/dev/null) == -20 ]] && may_raise=true
if $may_raise; then
	same "by default, nobody is real-time" "main 0 0 $nice
perf-collector 0 0 $nice
perf-drainer 0 0 -20
perf-files 0 0 -20
sleep 0 0 $nice" "$(threads)"
	same "-r 0 is the default" "perf-drainer 0 0 -20" "$(threads -r 0 | grep drainer)"
else
	skip "by default, nobody is real-time" "this user may not raise priorities" 2
fi
if chrt -f 30 true 2>/dev/null; then
	same "only what empties the rings is real-time" "main 0 0 $nice
perf-collector 0 0 $nice
perf-drainer 1 30 0
perf-files 0 0 -20
sleep 0 0 $nice" "$(threads --realtime 30 | sed "s/\(drainer 1 30\) .*/\1 0/")"
else
	skip "only what empties the rings is real-time" "this user may not"
fi

refused() { # name, wanted, command...
	local name=$1 wanted=$2 status
	shift 2
	"$@" >out 2>err
	status=$?
	same "$name" "$wanted 255" "$(grep -o 'Could not set realtime priority.*' err) $status"
}
for priority in -1 100; do
	"$PERF" record -e cpu-clock -r "$priority" touch ran 2>err | cat >out
	same "$priority writes nothing into a pipe" "0 1 no" "$(stat -c %s out) $(wc -l <err) $([[ -e ran ]] && echo ran || echo no)"
	rm -f ran
	refused "$priority is none" "Could not set realtime priority. Expected 1 to 99" \
		"$PERF" record -q -e cpu-clock -o none.data -r "$priority" true
done
"$PERF" record -r high -o none.data true >out 2>err
same "no number" "129" "$?"

if ((EUID == 0)) && command -v setpriv >/dev/null && [[ $(ulimit -Hr) == 0 ]]; then
	mkdir -m 0777 user && cp "$PERF" user/perf && chmod 0755 user/perf && chmod 0755 .
	refused "a user without the right" "Could not set realtime priority. --realtime needs CAP_SYS_NICE, or a limit above it (ulimit -r)" \
		setpriv --reuid=65534 --regid=65534 --clear-groups "$PWD/user/perf" record -q -e cpu-clock:u -o "$PWD/user/none.data" -r 1 true
else
	skip "a user without the right" "not root, or no setpriv(1), or a limit that permits it"
fi
