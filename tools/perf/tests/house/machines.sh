# SPDX-License-Identifier: GPL-2.0-or-later
# What a new machine needs: the groups of packages, make fresh, and what .ci/run starts from.

. "$SRC/tools/perf/tests/tap"
plan 11
verdict() { (($? == 0)) && pass "$1" || fail "$1"; }

# Simulates a Debian without installed packages. Its apt-get must not be called.
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
printf '#!/bin/sh\ncase $2 in *-18-*|*-19-*|linux-tools*) echo "  Candidate: (none)" ;; *) echo "  Candidate: 1.0-1" ;; esac\n' >bin/apt-cache
printf '#!/bin/sh\necho "apt-get $*"\n' >bin/apt-get
chmod +x bin/*
deps() { PATH=$PWD/bin:$PATH "$SRC/tools/build/deps" "$@"; }

deps -n build | sort >build
deps -n tests | sort >tests
deps -n page | sort >page
deps -n package | sort >package
deps -n build tests page package | sort >both
deps -n | sort >all
grep -qx gcc build && grep -qx libelf-dev build && grep -qx bpftool build
verdict "deps -n build: what make needs"
grep -qx golang-go tests && grep -qx debuginfod tests && grep -qx linux-perf tests && grep -qx libclang-rt-14-dev tests
verdict "deps -n tests: what the tests need besides"
[[ -z $(cat build tests page package | sort | uniq -d) ]] && sort build tests page package | cmp - both && cmp both all
verdict "the groups are apart, and all without a name"
! grep -q 'apt-get' all && ! grep -vE '^[a-z0-9][-a-z0-9+.]*$' all
verdict "-n only prints names of packages"
sed -i 's/\*-18-\*/chromium|&/' bin/apt-cache
grep -qx chromium page && deps -n page | grep -q . && ! deps -n page | grep chromium
verdict "what is wanted only where it is to be had is left out elsewhere"
deps -n nonsense 2>err
(($? == 2)) && grep -q nonsense err
verdict "an unknown group is refused"

make -n -C "$SRC" --no-print-directory O="$O" demo 2>/dev/null | grep -x 'tools/build/deps.*' >demo
[[ $(<demo) == "tools/build/deps build" ]]
verdict "make demo installs what make needs, and no more"

# make fresh itself takes root, a server and many minutes.
make -C "$SRC" --no-print-directory help | grep -q '^make fresh .*DIST=bookworm|trixie'
verdict "make help names make fresh"
"$SRC/tools/build/fresh" --help 2>err >out
(($? == 2)) && [[ ! -s out ]] && grep -q '^usage: .*fresh' err
verdict "fresh: an option is refused with its usage"
if ((EUID == 0)) && command -v setpriv >/dev/null && setpriv --reuid=65534 test -x "$SRC/tools/build/fresh"; then
	setpriv --reuid=65534 --regid=65534 --clear-groups "$SRC/tools/build/fresh" 2>err >out
	(($? == 1)) && [[ $(<err) == "fresh: needs root"* && ! -s out ]]
	verdict "fresh: needs root, and says so"
elif ((EUID)); then
	"$SRC/tools/build/fresh" 2>err >out
	(($? == 1)) && [[ $(<err) == "fresh: needs root"* && ! -s out ]]
	verdict "fresh: needs root, and says so"
else
	skip "fresh: needs root, and says so" "root cannot become another user who sees the tree here"
fi

printf '#!/bin/sh\nenv\necho "make $*"\n' >bin/make
chmod +x bin/make
env PATH="$PWD/bin:$PATH" HOME="$PWD" DEBUGINFOD_URLS=http://127.0.0.1:1 CFLAGS=-Werror http_proxy=http://proxy.invalid:1 \
	"$SRC/.ci/run" | grep -vE '^(PWD|SHLVL|_|OLDPWD)=' | sort >ci
printf '%s\n' "PATH=$PWD/bin:$PATH" http_proxy=http://proxy.invalid:1 "make check" | sort | diff - ci
verdict ".ci/run starts from PATH and the way to the packages"
