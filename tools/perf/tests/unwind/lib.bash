# SPDX-License-Identifier: GPL-2.0-or-later
# Programs to unwind, and who judges their call chains; sourced in an empty folder, with $O and $SRC set.
unwind_dir=$SRC/tools/perf/tests/unwind
programs=$unwind_dir/programs
compare=$O/tests/tools/unwind_compare
stops=$O/tests/tools/unwind_stops

# built NAME COMMAND...: ./NAME by that compiler; a named skip where there is none.
built() {
	local name=$1
	shift
	if ! command -v "$1" >/dev/null; then
		skipped "$name" "there is no $1"
	elif ! "$@" -o "$name" >log 2>&1; then
		skipped "$name" "$1 cannot build it: $(head -1 log | cut -c -80)"
	else
		return 0
	fi
	return 1
}

# built_c NAME COMPILER FLAGS...: programs/constructs.c
built_c() {
	built "$1" "${@:2}" -pthread -w "$programs/constructs.c" "$programs/hand.S"
}

built_rust() {
	rustc --version >/dev/null 2>&1 || { skipped rust "there is no rustc"; return 1; }
	built rust rustc -O "$programs/work.rs"
}

built_go() {
	go version >/dev/null 2>&1 || { skipped gowork "there is no go"; return 1; }
	HOME=$PWD GOFLAGS=-mod=mod GOCACHE=$PWD/go GOTOOLCHAIN=local go build -o gowork "$programs/work.go" >log 2>&1 && return
	skipped gowork "go cannot build it: $(head -1 log | cut -c -80)"
	return 1
}

# The program itself, not what starts it.
python_program() {
	python3 -c 'import sys; print(sys.executable)' 2>/dev/null
}

# A backend of postgres, alone, that works for ever; as another user where root must not: prints the command.
prepare_postgres() {
	local bin as=()
	bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
	[[ $bin ]] || bin=$(dirname "$(command -v initdb)" 2>/dev/null)
	[[ -x $bin/initdb && -x $bin/postgres ]] || return 1
	mkdir -p pg || return 1
	if ((EUID == 0)); then
		as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
		chmod 755 . && chown 65534:65534 pg || return 1
	fi
	[[ -f pg/PG_VERSION ]] || "${as[@]}" "$bin/initdb" -D "$PWD/pg" -N -A trust >initdb.log 2>&1 || return 1
	echo "select count(*), sum(length(md5(i::text) || upper(i::text))) from generate_series(1, 1000000000) i group by i % 97;" >query.sql
	postgres=("${as[@]}" "$bin/postgres" --single -D "$PWD/pg" postgres)
}

# Call chains of COMMAND, stopped under gdb: its own ones into FILE.
stopped_by_gdb() { # nr, file, command...
	local nr=$1 file=$2 pid status
	shift 2
	"$@" >/dev/null 2>&1 <"${STDIN:-/dev/null}" &
	pid=$!
	disown
	sleep "${WARM:-0.3}"
	timeout -k 2 "${GDB_SECONDS:-120}" gdb -nx -batch -ex "python nr, file = $nr, '$file'" -x "$unwind_dir/gdb_stops.py" -p "$pid" \
		>gdb.log 2>&1 </dev/null
	status=$?
	kill -9 "$pid" 2>/dev/null
	((status == 0)) && grep -q '^[1-9][0-9]* stacks' gdb.log
}

# The same, by single steps from a function on.
stepped_by_gdb() { # nr, file, function, command...
	local nr=$1 file=$2 from=$3
	shift 3
	timeout -k 2 "${GDB_SECONDS:-120}" gdb -nx -batch -ex "python nr, file, start = $nr, '$file', '$from'" \
		-x "$unwind_dir/gdb_stops.py" --args "$@" >gdb.log 2>&1 </dev/null &&
		grep -q '^[1-9][0-9]* stacks' gdb.log
}
