#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Other users choose the names of threads, files, functions, events and spans. No command may write their control
# characters to the terminal; text in UTF-8 stays readable.
. "$SRC/tools/perf/tests/live/common"
set -u
export DEBUGINFOD_URLS=

# ESC and BEL (a window's title), a newline that fakes a row, CR, C1 in UTF-8 and raw, a bidi override, no UTF-8.
bad=$'\e]0;T\a\e[2J\e[31mQNLQ\r\xc2\x9b31m\x9b\xe2\x80\xaef\xc3\xbcr\xff'
newlines() { LC_ALL=C sed 's/QNLQ/\nINJ/g'; }
real=$(newlines <<<"$bad")

# A program whose file, function and type are called so.
mkdir fs jit
cat >bad.c <<'C'
#include <sys/prctl.h>
struct PLACEHOLDERTYPE { volatile long member; } object;
#define SOME object.member += i; object.member ^= i; object.member -= n;
/* Most of its instructions access the type, wherever a timer finds it. */
__attribute__((noinline)) void placeholder(long n) { for (long i = 0; i < n; i++) { SOME SOME SOME SOME } }
int main(int argc, char **argv) { prctl(PR_SET_NAME, argv[argc - 1]); for (int i = 0; i < 4; i++) placeholder(10000000); return 0; }
C
${CC:-cc} -O1 -g -o plain bad.c 2>err && objcopy --redefine-sym "placeholder=placeholder$real" plain "fs/bad$real" 2>>err || {
	cat err
	echo "not ok - the program is built"
}
# A type's name is bytes of .debug_str, to be changed in place.
LC_ALL=C sed -i $'s/PLACEHOLDERTYPE/T\e[31m\\x0aINJ\a\\x9b_YP/' "fs/bad$real"

controls=$'[\\x00-\\x08\\x0b-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]|\\xe2\\x80[\\xa8-\\xae]'
clean() { # name, perf's words...
	local name=$1 why=
	shift
	timeout 60 "$PERF" "$@" >raw 2>&1 <"${asked:-/dev/null}"
	case $name:$? in
	recorded:0 | words:* | "every command":* | forged:0 | forged:255) ;;
	*) why="exit status" ;;
	esac
	[[ -s raw ]] || why="no word"
	LC_ALL=C sed -E $'s/\e\\[(3[124])?m//g' raw >out
	LC_ALL=C grep -qaP "$controls" out && why="control characters"
	iconv -f utf-8 -t utf-8 out >iconv.out 2>/dev/null || why="not UTF-8"
	[[ $name != words ]] && grep -qa '^ *INJ' out && why="a line of its own"
	[[ $why ]] || return 0
	echo "# perf $* ($name): $why"
	LC_ALL=C grep -naP '[\x00-\x08\x0b-\x1f\x7f-\xff]|^ *INJ' out | head -n 3 | cat -v
	failures=$((failures + 1))
}
verdict() {
	((failures)) && echo "not ok - $1" || echo "ok - $1"
	failures=0
}
shown() { # what, perf's words...
	timeout 60 "$PERF" "${@:2}" >out 2>/dev/null </dev/null
	grep -qaF "$1" out || { echo "# perf ${*:2}: no $1"; head -n 20 out | cat -v; failures=$((failures + 1)); }
}
failures=0

# Recorded.
plan 10
if ! (cd fs && "$PERF" record -F 499 -g -o ../perf.data -- "./bad$real" "$real") >rec 2>&1; then
	skip_refused "a program with such names" rec 3
else
	LC_ALL=C grep -qaP "$controls" rec && { echo "# record"; cat -v rec; failures=1; }
	for words in "report --stdio" "report --stdio -v" "report --stdio -g none -s comm,dso,sym,srcline,type,typeoff" \
		"report -g caller --no-children" "report -D" "report --tasks" "report --mmaps" "report --stats" "report --header-only -I" \
		"report --hierarchy -s comm,dso,sym" "report -t, -s comm,dso,sym,symoff,type" "report --no-demangle" "report -g folded -g caller" \
		"script" "script -v" "script -D" "script --header" "script --show-task-events --show-mmap-events" \
		"script -F +srcline,+symoff,+dsoff" "script --no-demangle" "annotate --stdio" "annotate --stdio -l -P" \
		"annotate --data-type" "annotate --code-with-type" "annotate --data-type --type-stat" "evlist" "evlist -v" "evlist -F" \
		"evlist -g" "buildid-list" "buildid-list -H" "report --stdio-color always" "annotate --stdio --stdio-color never"; do
		clean recorded $words
	done
	verdict "a recorded program's names in every view"
	shown 'für\xff' report --stdio -s sym -g none
	shown 'bad\x1b]0;T\x07\x1b[2J\x1b[31m\x0aINJ' report --stdio -s dso -g none
	shown '\x1b]0;T\x07\x1b[2J' script -F comm # 15 bytes of it
	shown 'T\x1b[31m\x0aINJ\x07\x9b' report --stdio -s type -g none
	verdict "names are there, escaped, and UTF-8 as it is"
	# The user's own words are printed unchanged, except for control characters.
	clean words record -o nowhere/perf.data -- "./$real"
	clean words record -e "$real" -o x.data -- true
	clean words report -i "$real"
	clean words report -s "$real"
	clean words annotate -s "$real"
	clean words annotate --why "$real"
	verdict "errors about what is called so"
fi

# Forged: what needs rights or luck to record.
cat >in.txt <<IN
info hostname="host$bad" osrelease="r$bad" version="v$bad" arch="x86_64$bad" cpudesc="c$bad" cpuid="i$bad" cmdline="perf record -- $bad" nrcpus=2
note "key$bad=value$bad"
buildid file="/bin/b$bad" id=0123456789abcdef0123456789abcdef01234567
event "event$bad" sample_type=IDENTIFIER|IP|TID|TIME|PERIOD|CALLCHAIN|CGROUP|TLS_USER tls_user=8
event "other$bad" type=tracepoint config=77
cgroup cgid=77 path="/slice/$bad"
comm pid=10 text="comm$bad"
fork pid=10 ppid=10 tid=11 ptid=10 time=5
comm pid=10 tid=11 text="w$bad" time=6
mmap2 pid=10 start=0x400000 len=0x1000 file="/bin/b$bad" misc=user
mmap pid=10 start=0x500000 len=0x1000 file="[heap$bad]" misc=user
comm pid=$$ text="jit$bad"
mmap pid=$$ start=0x600000 len=0x1000 file="//anon" misc=user
ksymbol addr=0xffffffffc0001000 len=64 type=1 name="bpf_prog_$bad"
tls_layout pid=10 at=0 tp_offset=-8 size=8 kind=1 layout="l$bad" symbol="s$bad" object="/o$bad"
process pid=10 form=1 attributes="service.name=$bad" keys="k$bad"
sample pid=10 ip=0x400010 time=1000 period=3 misc=user chain=user,0x400010,0x500020 cgroup=77 tls=2a00000000000000
sample pid=$$ ip=0x600010 time=2000 period=4 misc=user chain=user,0x600010 cgroup=77
sample pid=10 tid=11 ip=0xffffffffc0001010 time=3000 period=5 misc=kernel chain=kernel,0xffffffffc0001010 cgroup=77
lost id=101 lost=3 time=4000
exit pid=10 ppid=10 tid=11 ptid=10 time=5000
IN
"$FORGE" in.txt 2>err | newlines >forged.data
[[ -s forged.data ]] || { cat err; echo "not ok - such a recording is forged"; }
trap 'rm -f "/tmp/perf-$$.map"' EXIT
printf '600000 100 jit%s\n' "${bad/QNLQ/}" >"/tmp/perf-$$.map"
printf '[{"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","id":"000000000000002a","name":"a\\u001b[31m\\nINJ\\u009b","localEndpoint":{"serviceName":"s\\u0007"}}]' >spans.json
for words in "report --stdio" "report --stdio -v" "report --stdio -s comm,dso,sym,cgroup,activity,host,service --spans spans.json" \
	"report --stdio -s span,label:k --spans spans.json" "report --activity-tree --spans spans.json" \
	"report -D" "report --tasks" "report --tasks --mmaps" "report --stats" "report --header-only -I" "report --header" \
	"script" "script -F comm,tid,time,event,ip,sym,dso,cgroup" "script -D" "script --header -I" "script -F comm,tls,activity,span --spans spans.json" \
	"script --show-task-events --show-mmap-events --show-cgroup-events --show-bpf-events --show-lost-events" \
	"script --per-event-dump" "annotate --stdio" "annotate --data-type" "evlist" "evlist -v" "evlist -F" "evlist -g" "evlist --trace-fields" \
	"buildid-list" "buildid-list -H" "buildid-list --with-hits" "query about" "query top keys=comm,sym,cgroup"; do
	clean forged $words -i forged.data
done
cat >questions <<'END'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"top","arguments":{"keys":["comm","sym"]}}}
END
asked=questions # by the programs that perf mcp serves
for command in $("$PERF" --list-cmds); do
	[[ $command == record || $command == inject ]] || clean "every command" "$command" -i forged.data
done
asked=
clean words list "$real"
verdict "forged names in every view, and in every command that there is"
shown 'comm\x1b]0;T\x07' report --stdio -i forged.data -s comm
shown 'jit\x1b]0;T\x07' report --stdio -i forged.data -s sym
shown 'event\x1b]0;T\x07' evlist -i forged.data
shown 'host\x1b]0;T\x07' report --header-only -i forged.data
shown 'comm\x1b]0;T\x07' report -D -i forged.data
verdict "the forged names are there"

# A terminal gets colours, and no other escape sequences. script(1) makes a terminal.
if command -v script >/dev/null; then
	TERM=xterm PAGER=cat script -qec "'$PERF' report --stdio -i forged.data" /dev/null >out 2>&1 </dev/null
	if LC_ALL=C sed -E $'s/\e\\[(3[124])?m//g; s/\r$//' out | LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]'; then
		cat -v out | head -n 20
		echo "not ok - a terminal gets our colours and no others"
	elif LC_ALL=C grep -qa $'\e\\[3[12]m' out; then
		echo "ok - a terminal gets our colours and no others"
	else
		cat -v out | head -n 20
		echo "not ok - a terminal gets our colours"
	fi

	# A recording is for other programs: its names are as they were recorded.
	TERM=xterm script -qec "'$PERF' record -e cpu-clock -o - touch ran" /dev/null >out 2>&1 </dev/null
	if [[ $(tr -d '\r' <out) == "perf: standard output is a terminal"* && $(wc -l <out) == 1 && ! -e ran ]]; then
		echo "ok - no recording is written to a terminal"
	else
		cat -v out | head -n 5
		echo "not ok - no recording is written to a terminal"
	fi

	# By its name, too; and a pipe by its name does not get half of a file.
	for command in "record -q -e cpu-clock -o /dev/stdout touch ran" "inject -i forged.data -o /dev/stdout" \
		"data convert --to=sysprof -i forged.data -o /dev/stdout"; do
		script -qec "'$PERF' $command" /dev/null >>named 2>&1 </dev/null
	done
	"$PERF" record -q -e cpu-clock -o /dev/stdout touch ran 2>>named | cat >>named
	if [[ $(grep -c '^perf: /dev/stdout: .* cannot hold a ' named) == 4 && $(wc -l <named) == 4 && ! -e ran ]]; then
		echo "ok - no recording is written to a terminal, or into a pipe, by its name"
	else
		cat -v named | head -n 12
		echo "not ok - no recording is written to a terminal, or into a pipe, by its name"
	fi

	# Names of types fit there, and are whole for programs, with -v and where it is asked for.
	"$SRC/tools/perf/tests/oracle/asked" stdlib | "$FORGE" >types.data
	on_terminal() { TERM=xterm PAGER=cat script -qec "'$PERF' $*" /dev/null 2>&1 </dev/null | sed -E $'s/\e\\[[0-9]*m//g; s/\r$//'; }
	types="report --stdio -i types.data --symfs . -s type"
	on_terminal "$types" >out
	# A pager that is no cat gets the same.
	printf '#!/bin/sh\nexec cat\n' >pager && chmod +x pager
	PERF_PAGER=$PWD/pager on_terminal "$types" >paged
	"$PERF" $types >piped
	on_terminal "$types --type-names=full" >full
	on_terminal "$types -v" >verbose
	if awk '/^[^#]/ && length($0) > 80 { long = 1 } END { exit !long }' out || ! cmp out paged; then
		cat out
		echo "not ok - types fit 80 columns on a terminal"
	elif ! awk 'length($0) > 80 { long = 1 } END { exit !long }' piped || ! grep -q '<.*>' full || ! grep -q '<.*>' verbose ||
		grep -q '<.*>' out || [[ $(grep -c '%' out) != "$(grep -c '%' piped)" ]]; then
		paste -d '\n' out piped | head -n 40
		echo "not ok - types are short on a terminal, whole elsewhere, and the same rows"
	else
		echo "ok - types fit 80 columns on a terminal, and are whole elsewhere"
	fi
	# A pager that is not there, or cannot run, takes no output away. One that ends early is the user's choice.
	: >no_program
	for pager in "/none/pager -R" "$PWD/no_program"; do
		PERF_PAGER=$pager on_terminal "$types" | grep -v "sh: .*\(pager\|no_program\): " >unpaged
		cmp out unpaged || break
	done
	PERF_PAGER="/none/pager; head -n 3" on_terminal "$types" >short
	PERF_PAGER=true on_terminal "$types" >none
	if cmp out unpaged && [[ $(wc -l <short) == 4 && ! -s none ]]; then
		echo "ok - output is printed without a pager that cannot be run"
	else
		cat unpaged short none
		echo "not ok - output is printed without a pager that cannot be run"
	fi
else
	skip "a terminal gets our colours and no others" "there is no script(1)" 5
fi
