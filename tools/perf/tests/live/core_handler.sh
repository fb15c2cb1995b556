# SPDX-License-Identifier: GPL-2.0-or-later
# perf core-handler: in front of what core_pattern has, with the recording as a note of the core. The pattern is the
# machine's; it is put back whatever happens.
. "$SRC/tools/perf/tests/live/common"

pattern=/proc/sys/kernel/core_pattern
alone_with $pattern
old=$(cat $pattern)
if ! (echo "$old" >$pattern) 2>/dev/null || [[ $(id -u) != 0 ]]; then
	skip_all "recordings get into cores by a handler" "core_pattern may not be changed"
fi
name=handler-test-$$
restore() {
	echo "$old" >$pattern
	kill $target ${server-} 2>/dev/null
	"$PERF" detached rm $name >/dev/null 2>&1
}
trap restore EXIT
ulimit -c unlimited
# The kernel starts the handler without an environment: it looks where recordings are by default.
PERF_DETACHED_DIR=/dev/shm/perf-0
[[ -d /run/user/0 ]] && PERF_DETACHED_DIR=/run/user/0/perf
export PERF_DETACHED_DIR
crash=$WORKLOADS/crash
chmod 755 .

# The kernel does not wait for the handler, which writes the end of a core when the process is gone.
handled() {
	local i
	for ((i = 0; i < 3000; i++)); do pgrep -f "^$PWD/perf core-handler run " >/dev/null || return 0; sleep 0.01; done
}
crash_recorded() { # while it is recorded by pid, and not before
	rm -f core core.* go
	"$crash" segv 250 go &
	target=$!
	"$PERF" record --detached=$name --keep=1M -F 999 -g -p $target 2>err
	touch go
	crashed=$target
	wait $target 2>/dev/null
	handled
	target=
	"$PERF" detached rm $name
}

# The kernel starts handlers in the machine's own root: a test in another root does not see its own there.
printf '#!/bin/sh\n: >"%s/ran"\n' "$PWD" >probe
chmod 755 probe
echo "|$PWD/probe" >$pattern
"$crash" segv 1 2>/dev/null
for _ in {1..50}; do
	[[ -e ran ]] && break
	sleep 0.1
done
if [[ ! -e ran ]]; then
	skip_all "recordings get into cores by a handler" "the kernel starts no handler of this folder: it has another root"
fi
cp "$PERF" perf # so that the pattern is short enough wherever the tree is
plan 26
echo core >$pattern
mkdir "a b" && ln perf "a b/perf"
check "a path that the kernel would take apart is refused" eval '! "a b/perf" core-handler install --dir="$PWD/kept" 2>err && grep -q "paths without them" err'
if ! ./perf core-handler install --dir="$PWD/kept" 2>err; then
	cat err
	grep -q "longer than" err && skip "recordings get into cores by a handler" "the folder of the test has too long a name" 24 ||
		fail "recordings get into cores by a handler"
	exit 0
fi
check "status says what it is in front of" eval './perf core-handler status --dir="$PWD/kept" | grep -q "then go to core$"'
check "installed twice is installed once" eval './perf core-handler install --dir="$PWD/kept" && [[ $(cat kept/core_pattern) == core ]]'
check "the recording of a process is in its core" eval 'crash_recorded && "$PERF" script -i core 2>err | grep -q "work+"'
check "with who crashed" eval '"$PERF" report -i core --header-only 2>err | grep -qE "detached.crashed : [0-9]+/[0-9]+"'
check "and what killed it" eval '"$PERF" report -i core --header-only 2>err | grep -qE "detached.reason : killed by SIG(ABRT|SEGV|BUS|ILL|FPE)"'
check "as a note that readelf and eu-readelf show" eval 'readelf -nW core 2>/dev/null | grep -q "PERF .*0x50455246" && eu-readelf -n core 2>err | grep -q "PERF  " && [[ ! -s err ]]'
if gdb --version >/dev/null 2>&1; then
	check "gdb opens it" eval 'gdb -batch -nx -ex bt "$crash" core 2>err | grep -q "#0 .*parse_order"'
else
	skip "gdb opens it" "gdb is not here"
fi
check "perf data extract makes a file of it" eval '"$PERF" data extract core -o x.data && "$PERF" script -i x.data 2>err | grep -q "work+"'

# A recording of all CPUs without a process, which is root's.
if "$PERF" record --detached=$name --carrier=bpf --keep=1M -F 999 -g -a 2>err; then
	rm -f core
	"$crash" segv 250
	handled
	"$PERF" detached rm $name
	check "a pinned recording is in the core, too" eval '"$PERF" script -i core --comms crash 2>err | grep -q "work+"'
else
	skip_refused "a pinned recording is in the core, too" err
fi

# A later process with the number of a recorded one is another process. The kernel gives it, if no other process is started meanwhile.
# It has ended some time before: numbers come again after thousands of processes.
"$crash" none 300 &
earlier=$!
"$PERF" record --detached=$name --keep=1M -F 999 -g -p $earlier 2>err
wait $earlier
for ((i = 0; i < 500; i++)); do
	"$PERF" detached list 2>err | grep -q "^$name .*ended" && break
	sleep 0.01
done
sleep 0.1 # ticks of the kernel's clock, by which a process tells its start
same= last_pid=/proc/sys/kernel/ns_last_pid
rm -f core
for ((i = 0; i < 500 && same != earlier; i++)); do
	[[ -w $last_pid ]] && echo $((earlier - 1)) >$last_pid
	(((BASHPID == earlier)) && exec "$crash" segv 10) &
	same=$!
	wait $same
done
handled
if ((same == earlier)); then
	check "a later process with the number of a recorded one has its core as ever" eval '[[ -e core ]] && ! "$PERF" script -i core 2>err >out && grep -q "no recording is in this core" err'
else
	skip "a later process with the number of a recorded one" "no process got the number $earlier"
fi
"$PERF" detached rm $name

rm -f core
"$crash" segv 10
handled
check "a process that is not recorded has its core as ever" eval '[[ -e core ]] && ! "$PERF" script -i core 2>err >out && grep -q "no recording is in this core" err && ! grep -q "was not started\|was installed" err'
rm -f core
(ulimit -c 0; "$crash" segv 10)
handled
check "no core where the limit is 0" test ! -e core
mkdir -p theirs
chown 65534:65534 theirs
(cd theirs && setpriv --reuid=65534 --regid=65534 --clear-groups "$crash" segv 10)
handled
check "a core file is its user's" test "$(stat -c %u:%a theirs/core 2>err)" = 65534:600
echo old >theirs/core
(cd theirs && setpriv --reuid=65534 --regid=65534 --clear-groups "$crash" segv 10)
handled
check "it replaces that of an earlier crash" eval '[[ $(stat -c %u:%a theirs/core) == 65534:600 ]] && readelf -h theirs/core 2>err | grep -q "CORE"'

# A recording is put into cores of its own user, and into nobody else's.
nobody="env -u PERF_DETACHED_DIR -u XDG_RUNTIME_DIR HOME=$PWD/theirs setpriv --reuid=65534 --regid=65534 --clear-groups"
as_nobody() { $nobody "$@"; }
start_crash() { # until it is the program itself
	rm -f theirs/core theirs/go
	(cd theirs && exec $nobody "$crash" segv 400 go) &
	target=$!
	for ((i = 0; i < 300; i++)); do [[ $(cat /proc/$target/comm 2>/dev/null) == crash ]] && break; sleep 0.01; done
}
if (cd theirs && as_nobody "$PERF" record --detached=$name --keep=256K true 2>../err) && [[ ! -d /run/user/65534 ]]; then
	as_nobody "$PERF" detached rm $name
	start_crash
	"$PERF" record --detached=$name --keep=256K -F 999 -p "$target" 2>err
	touch theirs/go
	wait
	handled
	check "root's recording is not in another user's core" eval '[[ -e theirs/core ]] && ! "$PERF" script -f -i theirs/core >out 2>err && grep -q "no recording" err'
	"$PERF" detached rm $name
	start_crash
	as_nobody "$PERF" record --detached=$name --keep=256K -F 999 -g -p "$target" 2>err
	touch theirs/go
	wait
	handled
	check "the user's own is" eval '"$PERF" script -f -i theirs/core 2>err | grep -q "work+"'
	as_nobody "$PERF" detached rm $name
else
	skip_refused "root's recording is not in another user's core" err 2
fi
target=
./perf core-handler remove --dir="$PWD/kept" 2>err
check "remove puts the pattern back" test "$(cat $pattern)" = core

# In front of a program.
# Other programs of this machine may crash, too: each core has a file of its own.
cat >sink <<-EOF2
	#!/bin/sh
	echo "\$@" >"$PWD/sunk.words.\$1"
	cat >"$PWD/sunk.\$1"
EOF2
chmod 755 sink
echo "|$PWD/sink %p  %s %%" >$pattern
if [[ $(cat $pattern) == "|$PWD/sink %p  %s %%" ]] && ./perf core-handler install --dir="$PWD/kept" 2>err; then
	crash_recorded
	check "a program in core_pattern gets the core with the recording" eval '"$PERF" script -i sunk.$crashed 2>err | grep -q "work+"'
	check "and its words" grep -qE "^$crashed 11 %$" sunk.words.$crashed
	check "remove puts it back" eval './perf core-handler remove --dir="$PWD/kept" && [[ $(cat $pattern) == "|$PWD/sink %p  %s %%" ]]'
else
	skip "a program in core_pattern gets the core with the recording" "its name is too long" 3
fi
# In front of systemd's own handler, which hands the core on to a server behind a socket. Where systemd does not run, its tool
# stands in for the socket. SYSTEMD_COREDUMP=DIR: where the package is unpacked.
sd=${SYSTEMD_COREDUMP-}/lib/systemd/systemd-coredump
behind="systemd-coredump gets the core with the recording"
if [[ ! -x $sd ]]; then
	skip "$behind" "$sd is not here" 2
elif ! zstd --version >/dev/null 2>&1; then
	skip "$behind" "zstd is not here" 2
elif [[ ! -S /run/systemd/coredump ]] && ! systemd-socket-activate --version >/dev/null 2>&1; then
	skip "$behind" "systemd does not run, and systemd-socket-activate is not here" 2
else
	if [[ ! -S /run/systemd/coredump ]]; then
		mkdir -p /run/systemd
		systemd-socket-activate --accept --seqpacket -l /run/systemd/coredump "$sd" >activated 2>&1 &
		server=$!
		for ((i = 0; i < 300; i++)); do [[ -S /run/systemd/coredump ]] && break; sleep 0.01; done
	fi
	echo "|$sd %P %u %g %s %t %c %h" >$pattern
	if [[ $(cat $pattern) == *%h ]] && ./perf core-handler install --dir="$PWD/kept" 2>err; then
		crash_recorded
		for ((i = 0; i < 300; i++)); do stored=(/var/lib/systemd/coredump/core.crash.0.*."$crashed".*); [[ -s ${stored[0]} ]] && break; sleep 0.02; done
		check "$behind" eval 'zstd -qdc "${stored[0]}" >theirs/stored && "$PERF" script -i theirs/stored 2>err | grep -q "work+"'
		check "and remove puts it back" eval './perf core-handler remove --dir="$PWD/kept" && [[ $(cat $pattern) == "|$sd %P %u %g %s %t %c %h" ]]'
		rm -f "${stored[@]}"
	else
		skip "$behind" "its name is too long: $(head -n 1 err)" 2
	fi
	if [[ ${server-} ]]; then
		kill $server
		wait $server 2>/dev/null
		rm -f /run/systemd/coredump
	fi
fi

# What Ubuntu's apport is told; it needs nothing but a program that takes these words.
cat >apport <<-EOF2
	#!/bin/sh
	echo "\$@" >"$PWD/apport.words\$1"
	cat >"$PWD/apported\$1"
EOF2
chmod 755 apport
echo "|$PWD/apport -p%p -s%s -c%c -d%d -P%P -u%u -g%g -F%F -- %E" >$pattern
if [[ $(cat $pattern) == *%E ]] && ./perf core-handler install --dir="$PWD/kept" 2>err; then
	crash_recorded
	check "words as apport's are passed on" grep -qE "^-p$crashed -s11 -c[0-9]+ -d1 -P$crashed -u0 -g0 -F[0-9]+ -- !.*!crash$" "apport.words-p$crashed"
	check "with the core and the recording" eval '"$PERF" script -i apported-p$crashed 2>err | grep -q "work+"'
	./perf core-handler remove --dir="$PWD/kept"
else
	skip "words as apport's are passed on" "its name is too long: $(head -n 1 err)" 2
fi
check "remove without install is refused" eval '! ./perf core-handler remove --dir="$PWD/kept" 2>err && grep -q "not installed" err'
