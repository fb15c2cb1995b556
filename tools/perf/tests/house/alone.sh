# SPDX-License-Identifier: GPL-2.0-or-later
# tests/alone: nothing of who runs the tests comes into them, and nothing of them stays.

. "$SRC/tools/perf/tests/tap"
plan 21
alone=$SRC/tools/perf/tests/alone
work=$PWD

# Simulates a developer's machine: a cache with a program that no other machine has, settings, a shim of
# rustc that needs the developer's home, a debuginfod server, language, terminal and umask.
mkdir -p poison/.cargo/bin poison/.config tmp
"$FORGE" "$SRC/tools/perf/tests/cases/types-of-chains/in.txt" chains.data
mkdir -p root/bin && tar -xJf "$SRC/tools/perf/tests/data/idioms/chains.tar.xz" -C root/bin
id=$(readelf -n root/bin/chains | sed -n 's/.*Build ID: //p')
mkdir -p "poison/.debug/.build-id/${id:0:2}/${id:2}"
cp root/bin/chains "poison/.debug/.build-id/${id:0:2}/${id:2}/elf"
printf '[buildid]\n\tdir = %s/poison/.debug\n[report]\n\tpercent-limit = 99\n[core]\n\tpager = false\n' "$work" >poison/.perfconfig
cat >poison/.cargo/bin/rustc <<'SH'
#!/bin/sh
[ -d "$HOME/.cargo" ] || { echo "rustup could not choose a version of rustc to run" >&2; exit 1; }
[ "$*" = "--print sysroot" ] && exec echo "$HOME/toolchain"
echo "a shim"
SH
chmod +x poison/.cargo/bin/rustc
echo 'echo "BASH_ENV was read"' >poison/bashrc
poisoned=(env -i PATH="$work/poison/.cargo/bin:$PATH" TMPDIR="$work/tmp" HOME="$work/poison" XDG_CONFIG_HOME="$work/poison/.config"
	XDG_CACHE_HOME="$work/poison" PERF_BUILDID_DIR="$work/poison/.debug" PERF_CONFIG="$work/poison/.perfconfig"
	PERF_PAGER=false PAGER=false DEBUGINFOD_URLS=http://127.0.0.1:1 http_proxy=http://127.0.0.1:1 PERF_TYPES_CACHE="$work/poison" PERF_UNWIND_CACHE="$work/poison"
	LC_ALL=C.UTF-8 LANGUAGE=de TZ=Asia/Kolkata TERM=xterm COLUMNS=7 LINES=3 POSIXLY_CORRECT=1 CDPATH=/ GIT_DIR="$work/absent"
	LD_LIBRARY_PATH="$work/poison" LIBRARY_PATH="$work/poison" CFLAGS=-Werror GOFLAGS=-mod=vendor)
clean=(env -i PATH="$PATH" TMPDIR="$work/tmp")

# The environment itself.
"${clean[@]}" "$alone" env | sort | sed "s|home-perf\.[^/:]*|HOME|g" >clean.env
"${poisoned[@]}" "$alone" env | sort | sed -e "s|home-perf\.[^/:]*|HOME|g" -e "s|$work/poison/.cargo/bin:||" >poisoned.env
diff clean.env poisoned.env && pass "the environment is the same whoever runs the tests" ||
	fail "the environment is the same whoever runs the tests"
for name in HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME; do
	grep -q "^$name=$work/tmp/HOME" clean.env && pass "$name is a new folder" || fail "$name is a new folder"
done
grep -q PERF_BUILDID_DIR clean.env poisoned.env && fail "the cache of build-ids is HOME/.debug, for stock perf, too" ||
	pass "the cache of build-ids is HOME/.debug, for stock perf, too"
grep -qx 'DEBUGINFOD_URLS=' clean.env && grep -qx 'PERF_CONFIG=/dev/null' clean.env && pass "no server and no configuration" ||
	fail "no server and no configuration"
(umask 077 && [[ $("${poisoned[@]}" "$alone" bash -c umask) == 0022 ]]) && pass "umask" || fail "umask"
(FROM_OUTSIDE=1 && export FROM_OUTSIDE && "$alone" -k FROM_OUTSIDE bash -c '[[ $FROM_OUTSIDE ]]' && ! "$alone" bash -c '[[ ${FROM_OUTSIDE:-} ]]') &&
	pass "-k keeps a variable" || fail "-k keeps a variable"

# Cases, on a build that has logs of its own.
mkdir -p own/tests
ln -s "$O/perf" own/perf
ln -s "$O/tests/forge" "$O/tests/workloads" own/tests/
suite=(env ONLY="types-of-chains report-rows config-files buildid-cache header annotate-types" "$SRC/tools/perf/tests/check" own cases)
"${clean[@]}" "${suite[@]}" >clean.out 2>&1
mv own/tests/log/cases clean.log
"${poisoned[@]}" "${suite[@]}" >poisoned.out 2>&1
[[ $(tail -n 1 clean.out) == "6 passed, 0 failed, 0 skipped" ]] && diff clean.log own/tests/log/cases &&
	pass "a suite says the same in a poisoned home" || { cat clean.out poisoned.out; fail "a suite says the same in a poisoned home"; }

# Control: a command that runs with this environment does read the program in the cache.
symbols() { "$@" "$PERF" report --stdio -q -i ids.data -s sym 2>/dev/null | grep -o '\[\.\] .*'; }
{
	echo "event cpu-clock sample_type=IP|TID|TIME|PERIOD"
	echo "buildid file=/none/chains id=$id misc=user"
	sed -n -e 's|file=/bin/chains|file=/none/chains|' -e '/^comm\|^mmap2/p' "$SRC/tools/perf/tests/cases/types-of-chains/in.txt"
	echo "sample misc=user pid=7 time=10 ip=0x555555555177 period=1"
} >ids.txt
"$FORGE" ids.txt ids.data
[[ $(symbols "${poisoned[@]}") != "$(symbols "${clean[@]}" "$alone")" ]] && pass "a poisoned home does change what perf says" ||
	fail "a poisoned home does change what perf says"
[[ $(symbols "${poisoned[@]}" "$alone") == "$(symbols "${clean[@]}" "$alone")" ]] && pass "and alone keeps it out" ||
	fail "and alone keeps it out"

# Shims of compilers: a shim that works gives its tool, a broken one counts as a missing tool.
mkdir -p poison/toolchain/bin
printf '#!/bin/sh\necho the tool itself\n' >poison/toolchain/bin/rustc
chmod +x poison/toolchain/bin/rustc
[[ $("${poisoned[@]}" "$alone" rustc --version) == "the tool itself" ]] && pass "a shim's tool is found" || fail "a shim's tool is found"
rm -r poison/toolchain
"${poisoned[@]}" "$alone" env SRC="$SRC" CMOCKA_MESSAGE_OUTPUT=TAP "$O/tests/unit/test_dwarf" "test_rust_*" >shim.log 2>&1
if (($(grep -c '# SKIP test_rust' shim.log) == 3)) && ! grep '^not ok' shim.log | grep -v '# SKIP test_rust'; then
	pass "a shim without its tool is no compiler: a skip"
else
	cat shim.log
	fail "a shim without its tool is no compiler: a skip"
fi
# Only the answer of a tool that runs is a path: not /bin/rustc, which may be another Rust.
mkdir broken
printf '#!/bin/sh\nexit 1\n' | tee broken/{rustc,cargo,go,python3} >/dev/null
chmod +x broken/*
source <(sed -n '/^real_path()/,/^}/p' "$alone")
for tool in rustc cargo go python3; do
	[[ -z $(PATH=$work/broken:$PATH real_path $tool) ]] && pass "a $tool that does not run has no path" || fail "a $tool that does not run has no path"
done
mkdir old
printf '#!/bin/sh\necho "rustc 1.63.0"\n' >old/rustc
printf '#!/bin/sh\necho "cargo 0.66.0"\n' >old/cargo
chmod +x old/*
"${clean[@]}" PATH="$work/old:$PATH" "$alone" bash -c 'rustc --version || cargo --version' >old.log 2>&1
[[ $? == 1 && $(sort -u old.log) == "this Rust is older than 1.66" ]] && pass "a Rust that is too old for the tests is no compiler" ||
	{ cat old.log; fail "a Rust that is too old for the tests is no compiler"; }

# All files are removed, also write-protected ones. The exit status of alone is that of its command.
"${clean[@]}" "$alone" bash -c 'mkdir -p "$HOME/go/pkg" && >"$HOME/go/pkg/file" && chmod -R a-w "$HOME/go"; exit 7'
[[ $? == 7 && -z $(ls tmp) ]] && pass "nothing is left" || { ls -R tmp; fail "nothing is left"; }
