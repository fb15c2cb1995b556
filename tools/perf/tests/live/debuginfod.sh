#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Types whose debug information comes from a server: of a program, a module and a kernel of which
# this machine has no more than the build-id or the stripped file. The server is debuginfod, where
# it is installed, and one that only hands out files by the addresses that debuginfod's have.
. "$SRC/tools/perf/tests/live/common"
set -u


if ! ldconfig -p 2>/dev/null | grep -q 'libdebuginfod\.so\.1'; then
	skip_all "types from a server" "libdebuginfod.so.1 is not installed"
fi
plan 16
unset DEBUGINFOD_URLS
export PERF_DEBUGINFOD=yes
cases=$SRC/tools/perf/tests/cases
data=$SRC/tools/perf/tests/data
server=
trap '[[ -z $server ]] || kill $server' EXIT

# What the cases are made of; whole in served, and on this machine what is left of it.
mkdir -p served local/bin local/lib/modules/6.1.0/extra
tar -xJf "$data/kernel/kernel.tar.xz" -C served
tar -xJf "$data/idioms/chains.tar.xz" -C served
mv served/orders-mod.stripped local/lib/modules/6.1.0/extra/orders-mod.ko
objcopy --strip-debug served/chains local/bin/chains
for c in chains module kernel; do "$FORGE" "$cases/types-of-$c/in.txt" "$c.data" || exit; done

list() { # recording, options...
	local from=$1
	shift
	"$PERF" report -i "$from.data" --stdio -q -F symoff,type,typeoff -s symoff,type,typeoff -t, "$@" 2>"$from.err" |
		sed -E -e 's/ *(,|$)/\1/g' -e '/^$/d' | sort -V
}
local_types() { list "$1" --symfs "$PWD/local"; }
whole_types() {
	case $1 in
	kernel) list "$1" -k served/vmlinux ;;
	module) install -D served/orders-mod.ko whole/lib/modules/6.1.0/extra/orders-mod.ko && list "$1" --symfs "$PWD/whole" ;;
	chains) install -D served/chains whole/bin/chains && list "$1" --symfs "$PWD/whole" ;;
	esac
}
id_of() { # file
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}
for c in chains module kernel; do
	whole_types "$c" >"$c.whole"
	grep -q 'struct ' "$c.whole" || fail "$c has types with its file"
	if local_types "$c" | grep -q 'struct '; then fail "$c has no types without a server"; else pass "$c has no types without a server"; fi
done

# The package manager's lists below --symfs know the file.
mkdir -p local/var/lib/dpkg/info
printf '/.\n/bin\n/bin/chains\n' >local/var/lib/dpkg/info/chain-tools:amd64.list
"$PERF" report -i chains.data --stdio -s type --symfs "$PWD/local" >out 2>err
check "a note names the package with the debug information" grep -q '^note: packages of .*debug archive.*: apt install chain-tools-dbgsym$' err

check_all() { # server's name
	for c in chains module kernel; do
		[[ -e $c.data ]] || { skip "$c: types from $1" "it serves no such files" && continue; }
		local_types "$c" >"$c.out"
		diff "$c.whole" "$c.out" && pass "$c: types from $1" || { cat "$c.err"; fail "$c: types from $1"; }
	done
}
start() { # command..., with PORT for the port
	local port
	for _ in 1 2 3 4 5; do
		port=$((20000 + RANDOM % 20000))
		"${@//PORT/$port}" >server.log 2>&1 </dev/null &
		server=$!
		for _ in $(seq 100); do
			kill -0 $server 2>/dev/null || break
			if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
				export DEBUGINFOD_URLS=http://127.0.0.1:$port
				return 0
			fi
			sleep 0.1
		done
		kill $server 2>/dev/null
		server=
	done
	return 1
}
stop() {
	kill $server && wait $server 2>/dev/null
	server=
}

# The client remembers for minutes what a server did not have: so it is asked with another cache.
indexed() {
	for _ in $(seq 100); do
		DEBUGINFOD_CACHE_PATH=$PWD/probe.$RANDOM debuginfod-find debuginfo "$(id_of served/$1)" >/dev/null 2>&1 && return
		sleep 0.1
	done
	return 1
}

if ! command -v debuginfod >/dev/null; then
	skip "types from debuginfod" "debuginfod is not installed" 4
elif ! start debuginfod --port=PORT --database="$PWD/index.sqlite" --scan-file-dir "$PWD/served"; then
	cat server.log
	fail "debuginfod starts"
elif ! { indexed vmlinux && indexed chains; }; then
	cat server.log
	fail "debuginfod finds what it is to serve"
else
	export DEBUGINFOD_CACHE_PATH=$PWD/cache.debuginfod
	indexed orders-mod.ko || mv module.data not-served.data # some leave relocatable files out
	check_all debuginfod
	mv not-served.data module.data 2>/dev/null
	stop
	local_types chains | diff chains.whole - && pass "what was fetched is there without the server" ||
		fail "what was fetched is there without the server"
fi

if ! command -v python3 >/dev/null; then
	skip "types from a plain server" "python3 is not installed" 5
	exit 0
fi
for f in chains orders-mod.ko vmlinux; do
	install -D "served/$f" "plain/buildid/$(id_of "served/$f")/debuginfo"
done
start python3 -m http.server --bind 127.0.0.1 --directory "$PWD/plain" PORT || {
	cat server.log
	fail "a plain server starts"
	exit
}
export DEBUGINFOD_CACHE_PATH=$PWD/cache.plain
check_all "a plain server"

# A server can hand out anything: what has another build-id is not believed.
install -D served/vmlinux "plain/buildid/$(id_of served/chains)/debuginfo"
export DEBUGINFOD_CACHE_PATH=$PWD/cache.wrong
if local_types chains | grep -q 'struct '; then fail "another file is not believed"; else pass "another file is not believed"; fi
rm -r "plain/buildid/$(id_of served/chains)"
export DEBUGINFOD_CACHE_PATH=$PWD/cache.none
if local_types chains | grep -q 'struct '; then fail "a server without the file"; else pass "a server without the file"; fi

# Without consent, nothing is asked of a server. "ask": sizes, and then the user, on a terminal.
install -D served/chains "plain/buildid/$(id_of served/chains)/debuginfo"
asked() { grep -c "GET /buildid/$(id_of served/chains)/debuginfo" server.log; }
on_terminal() { # answer
	echo "$1" | TERM=dumb PERF_PAGER=cat script -qec "'$PERF' report -i chains.data --stdio -s type --symfs '$PWD/local'" /dev/null >out 2>&1
}
before=$(asked)
export DEBUGINFOD_CACHE_PATH=$PWD/cache.ask
PERF_DEBUGINFOD='' local_types chains >out
printf '[debuginfod]\n\tfetch = ask\n' >ask.conf
unset PERF_DEBUGINFOD
PERF_CONFIG=$PWD/ask.conf local_types chains >>out
check "without consent, or without a terminal, no server is asked" eval '[[ $(asked) == "$before" ]] && ! grep -q "struct " out'
if ! script -qec true /dev/null >/dev/null 2>&1; then
	skip "the user is asked" "no script(1) with a terminal" 2
else
	export PERF_CONFIG=$PWD/ask.conf
	on_terminal n
	check "the files and their sizes are offered; no is no" eval \
		'grep -Eq "^ +[0-9.]+ MB  chains" out && grep -q "Fetch [0-9.]* MB?" out && ! grep -q "struct " out && [[ ! -e cache.ask/$(id_of served/chains) ]]'
	on_terminal y
	check "yes fetches them before the report" grep -q 'struct ' out
fi
stop
