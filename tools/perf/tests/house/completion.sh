# SPDX-License-Identifier: GPL-2.0-or-later
# What bash would propose for words of a perf command line.
. "$SRC/tools/perf/tests/tap"
source "$SRC/tools/perf/completion.bash"
plan 17

proposes() { # word that must be among the proposals, words of the line; the last is completed
	local wanted=$1
	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_perf
	if [[ " ${COMPREPLY[*]} " == *" $wanted "* ]]; then
		echo "ok - ${*:1:$#-1} '${*: -1}' proposes $wanted"
	else
		echo "proposals: ${COMPREPLY[*]}"
		echo "not ok - ${*:1:$#-1} '${*: -1}' proposes $wanted"
	fi
}

touch some.data
proposes record perf rec
proposes --version perf --ver
proposes report perf help rep
proposes --sort perf report --so
proposes --sample-tls perf record -a --sam
proposes json perf report --format j
proposes csv perf script --format = c
proposes stdio perf annotate --format =
proposes comm,dso perf report --sort comm,d
proposes comm,brstacksym perf script --fields comm,brst
proposes some.data perf report -i some
proposes true perf record -- tru
proposes drill perf query dr

# Commands of the next perf on PATH are completed, too.
mkdir -p next
cat >next/perf <<'SH'
#!/bin/sh
case $* in
--list-cmds) echo "teleport " ;;
"teleport --list-opts") echo "--fly " ;;
esac
SH
chmod +x next/perf
PATH=$PWD/next:$PATH
COMP_PERF=$PERF
perf() { "$COMP_PERF" "$@"; }
proposes teleport perf tele
proposes --fly perf teleport --f
proposes tail perf detached t
proposes status perf core-handler s
