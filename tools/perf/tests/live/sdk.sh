#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What tools/sdk has for other people's tracing libraries, with these libraries: the programs there
# check call by call what the thread's activity is, then they are recorded, and each sample in one of
# their functions must have the ids that they say this function was run with. Where the compiler does
# not look, OPENTELEMETRY_CPP=DIR names the folder with opentelemetry/ in it, and OPENTELEMETRY_PYTHON
# is a $PYTHONPATH with its API.
. "$SRC/tools/perf/tests/live/common"
sdk=$SRC/tools/sdk
export PKG_CONFIG_PATH=$PWD/usr/lib/pkgconfig LD_LIBRARY_PATH=$PWD/usr/lib
make -C "$SRC" --no-print-directory O="$O" install PREFIX="$PWD/usr" >install.log 2>&1 ||
	{ cat install.log; echo "not ok - sdk: installs"; exit; }

plan 6
"$PERF" record -q --sample-tls -o try.data true 2>why && records=1 || records=

# Whether each sample in a function that the program told of has its ids. Before the first sample
# with ids at all perf may not have found the variable yet.
hold() { # NAME, PROGRAM...
	local name=$1
	shift
	if [[ ! $records ]]; then
		skip_refused "$name, recorded" why
		return
	fi
	"$PERF" record -q --sample-tls -F 999 -o "$name.data" -- "$@" >truth 2>err || { cat err; echo "not ok - $name, recorded"; return; }
	"$PERF" script -i "$name.data" -F ip,sym,activity >samples 2>err || cat err
	if awk '
		NR == FNR { want[$1] = $2 ":" $3; functions++; next }
		{
			id = ""
			for (i = 1; i <= NF; i++)
				if ($i ~ /^(\(none\)|[0-9a-f]+:[0-9a-f]+)$/)
					id = $i
		}
		id ~ /:/ { found = 1 }
		{
			for (i = 1; i <= NF; i++) {
				if (!($i in want) || (!found && id !~ /:/))
					continue
				seen[$i]++
				if (id != want[$i]) { print "wrong: " $0 ", and not " want[$i]; bad++ }
			}
		}
		END {
			for (f in want) { print "# " f ": " seen[f] + 0 " samples"; if (seen[f] < 5) bad++ }
			exit bad || !functions
		}' truth samples >held; then
		echo "ok - $name, recorded"
	else
		cat held
		echo "not ok - $name, recorded"
	fi
}

called() { # NAME, PROGRAM...: the checks that the program itself does
	local name=$1
	shift
	if "$@" >out 2>&1; then
		echo "ok - $name, called"
	else
		cat out
		echo "not ok - $name, called"
		return 1
	fi
}

gcc -O2 -g -shared -fPIC -o libwork.so "$sdk/work.c"

# C++
cpp=(${OPENTELEMETRY_CPP:+-isystem "$OPENTELEMETRY_CPP"})
if ! echo '#include <opentelemetry/context/runtime_context.h>' | g++ "${cpp[@]}" -std=c++17 -x c++ -E - >/dev/null 2>&1; then
	skip "opentelemetry-cpp" "its headers are not here: OPENTELEMETRY_CPP=DIR" 2
elif ! g++ -std=c++17 -O2 -g -Wall -Wextra "${cpp[@]}" $(pkg-config --cflags libactivity) -o try_cc \
	"$sdk/opentelemetry-cpp/try.cc" -L. -lwork -Wl,-rpath,"$PWD" $(pkg-config --libs libactivity) -pthread >cc.log 2>&1; then
	cat cc.log
	echo "not ok - opentelemetry-cpp builds"
else
	called opentelemetry-cpp ./try_cc && hold opentelemetry-cpp ./try_cc 1000
fi

# Python: the module and its entry point lie where an installation would put them.
info=site/activity_otel-1.dist-info
mkdir -p $info
cp "$sdk/opentelemetry-python/"{activity_otel,try}.py site
printf 'Metadata-Version: 2.1\nName: activity-otel\nVersion: 1\n' >$info/METADATA
sed -n '/entry-points/,/^$/{s/project.entry-points.//;s/"//g;p}' "$sdk/opentelemetry-python/pyproject.toml" >$info/entry_points.txt
python=(env OTEL_PYTHON_CONTEXT=activity PYTHONPATH="$PWD/site${OPENTELEMETRY_PYTHON:+:$OPENTELEMETRY_PYTHON}" python3)
has_api() { "${python[@]}" -c 'import opentelemetry.trace' 2>/dev/null; }
why="OPENTELEMETRY_PYTHON=PATH, or make long where the package index can be reached"
if ! has_api && [[ ${LONG:-} ]]; then
	if ! python3 -m venv venv >venv.log 2>&1; then
		why="python3 makes no virtual environment: $(tail -n 1 venv.log)"
	elif ! timeout 120 venv/bin/python3 -m pip install -q --no-input --retries 0 --timeout 15 opentelemetry-sdk >pip.log 2>&1; then
		why="pip install: $(grep -m1 -iE 'error' pip.log | cut -c1-80)"
	else
		python[3]=venv/bin/python3
	fi
fi
if ! has_api; then
	skip "opentelemetry-python" "its API is not here: $why" 2
else
	called opentelemetry-python "${python[@]}" site/try.py &&
		hold opentelemetry-python "${python[@]}" site/try.py 1000 "$PWD/libwork.so"
fi

# Rust: the crates as Debian packages them, or a registry's copies that cargo can do without a network.
cp -r "$sdk/tracing" tracing
crates=/usr/share/cargo/registry
if [[ -d $crates ]]; then
	mkdir tracing/.cargo
	printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "%s"\n' $crates >tracing/.cargo/config.toml
fi
export ACTIVITY_LIBDIR=$PWD/usr/lib RUSTFLAGS="-g -C link-arg=-Wl,--export-dynamic-symbol=activity_record \
	-C link-arg=-Wl,--export-dynamic-symbol=otel_thread_ctx_v1"
if ! (cd tracing && cargo metadata --offline --format-version 1) >/dev/null 2>cargo.log; then
	skip "tracing" "no cargo with crates of its own here: $(grep -m1 . cargo.log)" 2
elif ! (cd tracing && cargo build --offline --release --example try) >cargo.log 2>&1; then
	cat cargo.log
	echo "not ok - tracing builds"
else
	called tracing tracing/target/release/examples/try && hold tracing tracing/target/release/examples/try 1000
fi
