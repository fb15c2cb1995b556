# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings that outlive who made them: perf record --detached, perf detached, perf keep.
. "$SRC/tools/perf/tests/live/common"

export PERF_DETACHED_DIR=$PWD/shelf
crash=$WORKLOADS/crash
trap 'kill $target $other 2>/dev/null; "$PERF" detached rm $(ls shelf) >/dev/null 2>&1' EXIT

if ! "$PERF" record --detached=try --keep=256K -e cpu-clock true >err 2>&1; then
	skip_all_refused "detached recordings" err
fi
plan 47

state() { "$PERF" detached list | awk -v name="$1" '$1 == name' | sed -E 's/.*:[0-9]{2}  //; s/   +.*//'; }
until_state() { # NAME PATTERN. Gives up if the list has had no such recording for 30 times.
	local i now missing=0
	for ((i = 0; i < 300 && missing < 30; i++)); do
		now=$(state "$1")
		[[ $now == $2 ]] && return 0
		[[ $now ]] && missing=0 || ((++missing))
		sleep 0.02
	done
	"$PERF" detached list
	return 1
}
samples() { "$PERF" detached list | awk -v name="$1" '$1 == name { print $4 }'; }
pid_of() { "$PERF" detached list | awk -v name="$1" '$1 == name { print $6 }'; }
keeper_pid() { for p in /proc/[0-9]*; do [[ $(tr '\0' ' ' <"$p/cmdline" 2>/dev/null) == "perf keep " ]] && grep -qz "^PERF_DETACHED_DIR=$PERF_DETACHED_DIR$" "$p/environ" 2>/dev/null && basename "$p"; done; }
grows() { local first=$(samples "$1") i; for ((i = 0; i < 300; i++)); do "$PERF" detached read "$1" -o grows.data 2>/dev/null; (($(samples "$1") > first)) && return 0; sleep 0.02; done; return 1; }

# A command goes on, its end ends the recording, and says how.
check "the command's end ends the recording, with its status" until_state try "ended: exit status 0"
"$PERF" record --detached=busy -F 1999 -g -- "$crash" calm 60000 >out 2>err
check "record --detached returns, and the recording goes on" until_state busy recording
until_work() { local i; for ((i = 0; i < 300; i++)); do "$PERF" detached read busy -o 1.data && "$PERF" report -i 1.data --stdio -g none 2>err | grep -q work && return 0; sleep 0.02; done; return 1; }
check "read gives an ordinary file" until_work
ln -s linked.data link.data
check "read writes to where a symbolic link leads" eval '"$PERF" detached read busy -o link.data && [[ -L link.data && -s linked.data ]]'
check "read does not end it" grows busy
mkdir c.data.part
check "what somebody else writes beside the output does not concern it" eval '"$PERF" detached read busy -o c.data && "$PERF" script -i c.data 2>err >out && [[ $(ls -d c.data*) == "c.data"$'"'\n'"'"c.data.part" ]]'
check "stock perf reads what read has written" eval '[[ -z $STOCK_PERF ]] || "$STOCK_PERF" report -i 1.data --stdio -g none 2>err | grep -q work'
check "report reads it where it is" eval '"$PERF" report -i shelf/busy --stdio -g none 2>err | grep -q work'
check "a second one of that name is refused" eval '! "$PERF" record --detached=busy true 2>err && grep -q "already" err'
check "a command that is not there is a failure" eval '! "$PERF" record --detached=no ./is-not-there 2>err && grep -q "No such file" err && [[ ! -e shelf/no ]]'
target=$(pgrep -P "$(pid_of busy)" crash)

# Readers.
"$PERF" detached tail busy >tail1 2>err &
tail1=$!
"$PERF" detached tail busy -o tail2.data 2>err &
tail2=$!
for ((i = 0; i < 300; i++)); do grep -q work+ tail1 && [[ -s tail2.data ]] && break; sleep 0.02; done
kill -9 $tail2
wait $tail2 2>/dev/null
check "tail prints samples as they come" grep -q "work+" tail1
check "a reader that is killed ends nothing" grows busy

# Who records it goes on where its target is left alone.
"$PERF" detached stop busy
check "stop ends the recording" until_state busy "ended: stopped"
check "and not what it records" kill -0 "$target"
wait $tail1
check "tail ends with the recording" true
"$PERF" detached read busy -o a.data && "$PERF" detached read busy -o b.data
check "two readers see the same" cmp a.data b.data

# Attached; the maker and its session are killed; a plain rm ends it.
"$PERF" record --detached=keepit --keep=256K -F 1999 -p "$target" 2>err # so that the keeper is outside
setsid bash -c '"$0" record --detached=orphan --keep=256K -F 1999 -p "$1"; touch made; sleep 60' "$PERF" "$target" 2>err &
maker=$!
for ((i = 0; i < 300; i++)); do [[ -e made ]] && break; sleep 0.02; done
kill -9 -- -"$(ps -o pgid= -p $maker | tr -d ' ')" 2>/dev/null
check "its maker and all of its session killed, it goes on" grows orphan
"$PERF" detached tail orphan -o tail3.data 2>err &
tail3=$!
for ((i = 0; i < 300; i++)); do [[ -s tail3.data ]] && break; sleep 0.02; done
worker=$(pid_of orphan)
rm shelf/orphan
for ((i = 0; i < 300; i++)); do [[ -d /proc/$worker ]] || break; sleep 0.02; done
check "rm of the file ends it" test ! -d "/proc/$worker"
wait $tail3
check "its reader keeps what it has, and ends" eval '"$PERF" script -i tail3.data 2>err | grep -q crash'

cgroup=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/perf-detached-$$
if mkdir "$cgroup" 2>/dev/null && [[ -w $cgroup/cgroup.kill ]]; then
	rm -f made
	bash -c 'echo $$ >"$2/cgroup.procs"; "$0" record --detached=scoped --keep=256K -F 1999 -p "$1"; touch made; sleep 60' "$PERF" "$target" "$cgroup" 2>err &
	for ((i = 0; i < 300; i++)); do [[ -e made ]] && break; sleep 0.02; done
	echo 1 >"$cgroup/cgroup.kill"
	wait $! 2>/dev/null
	check "the control group of its maker ended, it goes on" grows scoped
	"$PERF" detached rm scoped
else
	skip "the control group of its maker ended, it goes on" "no control group can be made"
fi
rmdir "$cgroup" 2>/dev/null

# Idle: nobody wakes up.
sleep 60 &
other=$!
"$PERF" record --detached=idle --keep=256K -p $other 2>err
switches() { cat /proc/"$(pid_of idle)"/task/*/status | awk '/ctxt_switches/ { sum += $2 } END { print sum }'; }
before= now=$(switches)
for ((i = 0; i < 20; i++)); do before=$now; sleep 0.3; now=$(switches); [[ $before == "$now" ]] && break; done
sleep 0.3
check "a recording of what sleeps wakes nobody up" test "$now" = "$(switches)"

# Other users.
if [[ $(id -u) == 0 ]] && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	chmod 755 . shelf
	as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
	check "another user is denied to read" eval '! as_nobody "$PERF" report -i "$PWD/shelf/keepit" 2>err >out && grep -q "Permission denied" err'
	check "and to remove" eval '! as_nobody "$PERF" detached rm "$PWD/shelf/keepit" 2>err && [[ -e shelf/keepit ]]'
	check "and to call the keeper" eval '! as_nobody "$PERF" record --detached=theirs true 2>err && [[ ! -e shelf/theirs ]]'
	ln -s "$PWD/theirs.data" link.of.theirs && chown -h 65534 link.of.theirs
	check "read does not follow another user's link" eval '"$PERF" detached read keepit -o link.of.theirs && [[ ! -L link.of.theirs && -s link.of.theirs && ! -e theirs.data ]]'
else
	skip "another user is denied" "only root can try" 4
fi

# Limits.
check "more than a user may have is refused, with the sums" eval '! "$PERF" record --detached=big --keep=10G true 2>err && grep -q "64 MB" err && [[ ! -e shelf/big ]]'
check "the list accounts for it" eval '"$PERF" detached list | tail -n 1 | grep -qE "^# [0-9]+ of 64 recordings, [0-9.]+ MB of [0-9]+ MB"'

# Each child has a ring of its own.
"$PERF" record --detached=forks --keep=32M -e page-faults -c 1 -- "$crash" forks 1000 0 2>err
until_state forks "ended*"
check "a thousand forks have a ring each" eval '(($("$PERF" detached list | awk "\$1 == \"forks\" { print \$5 }") >= 1000))'
check "and samples" eval '(($("$PERF" script -i shelf/forks -F pid 2>err | sort -u | wc -l) >= 1000))'
"$PERF" record --detached=herd --keep=256K -e page-faults -c 1 -- "$crash" herd 60 300 2>err
until_state herd "ended*"
place() { PERF_DETACHED_DIR=$1 "$PERF" detached list | head -n 1; }
check "the list says where recordings are kept" eval '[[ $(stat -f -c %T /dev/shm) != tmpfs ]] || { place /dev/shm/none | grep -q ": in memory;" && place /proc | grep -q ": on a disk;"; }'
check "the limit reached, it is said" eval '"$PERF" detached list | grep -q "ring buffers of running processes"'

"$PERF" record --detached=exec --keep=256K -F 999 -- "$crash" exec 50 sleep 0.1 2>err
check "what executes another program is followed" eval 'until_state exec "ended: exit status 0" && "$PERF" script -i shelf/exec --show-task-events 2>err | grep -q "COMM exec: sleep"'

# Killed, and nobody has waited for it yet.
"$PERF" record --detached=dead --keep=256K -p "$target" 2>err
keeper=$(keeper_pid)
kill -STOP "$keeper"
kill -9 "$(pid_of dead)"
check "a process that is dead does not record, whether it was waited for or not" until_state dead "ended: its process was killed"
kill -CONT "$keeper"
"$PERF" detached rm dead
# What is left of a recording that was killed while it began.
echo rest >shelf/.new
check "what a killed process left does not keep others from beginning" eval '"$PERF" record --detached=dead --keep=256K -p "$target" 2>err && until_state dead recording && [[ ! -e shelf/.new ]]'
"$PERF" detached rm dead

# The recording's process has no number in another pid namespace.
if unshare -p -f --mount-proc true 2>/dev/null; then
	"$PERF" record --detached=far --keep=256K -F 1999 -p "$target" 2>err
	elsewhere() { unshare -p -f --mount-proc "$@"; }
	check "in another pid namespace, it records" eval 'elsewhere "$PERF" detached list | grep -q "^far .* recording (other namespace)"'
	# Nobody can ask for a flush from there.
	read_there() { local i; for ((i = 0; i < 300; i++)); do elsewhere "$PERF" detached read far -o far.data && "$PERF" script -i far.data | grep -q crash && return 0; sleep 0.02; done; return 1; }
	check "and can be read there" eval 'read_there 2>err'
	check "stop says who can" eval '! elsewhere "$PERF" detached stop far 2>err && grep -q "in another pid namespace" err && [[ $(state far) == recording ]]'
	check "rm ends it" eval 'elsewhere "$PERF" detached rm far 2>err && [[ ! -e shelf/far ]]'
else
	skip "in another pid namespace, it records" "no pid namespace can be made" 4
fi

# The keeper is killed: its recordings end as files that can be read. The next call starts another one.
kill -9 $(keeper_pid)
check "the keeper killed, its recordings end" until_state keepit "ended: stopped"
check "and can be read" eval '"$PERF" script -i shelf/keepit 2>err | grep -q crash'
check "the next call has a keeper" eval '"$PERF" record --detached=next --keep=256K -p "$target" 2>err && until_state next recording'
kill -9 "$(pid_of next)"
check "a recording whose process is killed can be read" eval 'until_state next "ended: its process was killed" && "$PERF" script -i shelf/next >out 2>err'
# A restart of the machine, as far as that can be had: the file says that it was begun in another one.
boot=$(tr -d '-' </proc/sys/kernel/random/boot_id)
if [[ $(od -An -tx1 -j 96 -N 16 shelf/next | tr -d ' \n') == "$boot" ]]; then
	head -c 16 /dev/zero | dd of=shelf/next bs=1 seek=96 conv=notrunc 2>err
	check "a recording of before a restart says so" eval 'until_state next "ended: the machine was restarted*" && "$PERF" script -i shelf/next >out 2>err'
else
	echo "not ok - a recording of before a restart says so: the file has the machine's boot_id at another place"
fi
"$PERF" detached rm $(ls shelf) 2>err
for ((i = 0; i < 300; i++)); do [[ $(keeper_pid) ]] || break; sleep 0.02; done
check "the last recording gone, so is the keeper" test -z "$(keeper_pid)" -a ! -e shelf/.keep
# With SIGCHLD ignored, as the children of some daemons have it, a keeper does not hear of the ends of its processes: it
# would go on to send SIGTERM to their numbers, which others get meanwhile.
env --ignore-signal=CHLD "$PERF" record --detached=ignored --keep=256K -F 1999 -p "$target" 2>err
check "the caller ignores SIGCHLD: it records" until_state ignored recording
kill $(keeper_pid)
for ((i = 0; i < 150; i++)); do [[ $(keeper_pid) ]] || break; sleep 0.02; done
check "the caller ignores SIGCHLD: the keeper ends at SIGTERM" test -z "$(keeper_pid)"
check "the caller ignores SIGCHLD: what it recorded can be read" eval '"$PERF" script -i shelf/ignored >out 2>err'
