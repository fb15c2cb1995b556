# SPDX-License-Identifier: GPL-2.0-or-later
# Commands that this perf does not have are run by the next perf on PATH, as if this one were not
# there; two that would call each other for ever do not.
. "$SRC/tools/perf/tests/tap"
plan 50
export HOME=$PWD PERF_CONFIG=/dev/null
unset PERF_HANDED_ON
mkdir ours next again forks none
ln -s "$PERF" ours/perf
ln -s "$PERF" again/perf2 && ln -s perf2 again/perf # a link to a link: still ourselves
cat >next/perf <<'SH'
#!/bin/sh
case $1 in
--version) echo "perf version 9.9"; exit ;;
--list-cmds) echo "record stat teleport "; exit ;;
esac
for word in "$@"; do printf '<%s>' "$word"; done
echo
[ "$2" = die ] && kill -TERM $$
[ "$2" = fds ] && ls /proc/self/fd | wc -l
exit 42
SH
cat >forks/perf <<SH
#!/bin/sh
"$PERF" "\$@" "and one more"
SH
chmod +x next/perf forks/perf
printf '#!/bin/sh\nexec "%s" "$@"\n' "$PERF" >none/perf && chmod +x none/perf # only calls us
system=/usr/bin:/bin
mkdir system # all that scripts need, and no perf
for tool in sh ls wc printf; do ln -s "$(command -v "$tool")" system/; done
system=$PWD/system

is() { # name, expected, got
	if [[ $2 == "$3" ]]; then
		echo "ok - $1"
	else
		printf 'expected: %s\ngot: %s\n' "$2" "$3"
		echo "not ok - $1"
	fi
}

PATH_NEXT=$PWD/ours:$PWD/again:$PWD/next:$system
PATH_NONE=$PWD/ours:$PWD/again:$system
run() { # PATH, words...
	PATH=$1 "$PERF" "${@:2}" 2>&1
	echo "status $?"
}

is "words and exit status are the next perf's" $'<stat><-e><a b><--><><*>\nstatus 42' \
	"$(run "$PATH_NEXT" stat -e "a b" -- "" "*")"
is "a signal is the next perf's" 143 "$( (PATH=$PATH_NEXT "$PERF" stat die >/dev/null 2>&1; echo $?) 2>/dev/null)"
is "global options go along" $'<--no-pager><--debug><verbose=1><stat><x>\nstatus 42' \
	"$(run "$PATH_NEXT" --no-pager --debug verbose=1 stat x)"
is "a command that only the next perf knows" $'<teleport><home>\nstatus 42' "$(run "$PATH_NEXT" teleport home)"
is "its help" $'<help><stat>\nstatus 42' "$(run "$PATH_NEXT" help stat)"
is "its --help" $'<stat><--help>\nstatus 42' "$(run "$PATH_NEXT" stat --help)"
is "no file descriptor is left to it" "$(PATH=$PATH_NEXT next/perf stat fds 2>&1 <&- | tail -1)" \
	"$(run "$PATH_NEXT" stat fds <&- | sed -n 2p)"
is "metrics are the next perf's to list" $'<list><--raw-dump><metrics>\nstatus 42' "$(run "$PATH_NEXT" list --raw-dump metrics)"
is "upstream's options of list are, too" $'<list><-vj><--unit=msr><hw>\nstatus 42' "$(run "$PATH_NEXT" list -vj --unit=msr hw)"
is "a file of list that is called so is ours" "status 0" "$(run "$PATH_NEXT" list -o metrics sw)"
is "a script is the next perf's, with its words" $'<script><-i><x.data><-s><a.py><x><-o><--all>\nstatus 42' \
	"$(run "$PATH_NEXT" script -i x.data -s a.py x -o --all)"
is "so is a script's name" $'<script><-i><x.data><report><syscall-counts><-h>\nstatus 42' \
	"$(run "$PATH_NEXT" script -i x.data report syscall-counts -h)"
is "options for hardware traces are, too" $'<report><-i><x.data><x><--itrace=i1us><-s><sym>\nstatus 42' \
	"$(run "$PATH_NEXT" report -i x.data x --itrace=i1us -s sym)"
is "so are blocks by cycles" $'<report><--total-cycles><--branch-history>\nstatus 42' \
	"$(run "$PATH_NEXT" report --total-cycles --branch-history)"
is "so is what inject leaves to it" $'<inject><-i><x><--itr=i1us><--strip>\nstatus 42' \
	"$(run "$PATH_NEXT" inject -i x --itr=i1us --strip)"
is "nobody there to inject a guest's recording" "status 129" "$(run "$PATH_NONE" inject --guest-data | tail -1)"
is "perf annotate --itr is --itrace" $'<annotate><--itr>\nstatus 42' "$(run "$PATH_NEXT" annotate --itr)"
is "--no-itrace is what we do" "status 255" "$(run "$PATH_NEXT" report -i x.data --no-itrace | tail -1)"
is "nobody there to run a script" "but it is not on PATH" "$(run "$PATH_NONE" script top.py | grep -o "but it is not on PATH")"
is "--no-fallback: nobody runs a script" "status 129" "$(run "$PATH_NEXT" --no-fallback script -s a.py | tail -1)"
is "nobody there to list metrics: exit status" "status 129" "$(run "$PATH_NONE" list metrics | tail -1)"
is "data convert --help is ours" "    or: perf data convert --to=xcapture [-i <perf.data>] -o <folder>" \
	"$(run "$PATH_NEXT" data convert --help 2>&1 | grep xcapture | head -1)"
is "--html-path is the next perf's" $'<--html-path>\nstatus 42' "$(run "$PATH_NEXT" --html-path)"
is "nobody there: --html-path is no option" "Unknown option: --html-path" "$(run "$PATH_NONE" --html-path | head -1)"
is "--list-opts is for completion" 1 "$(run "$PATH_NEXT" --list-opts | grep -cw -- --no-pager)"
is "--list-cmds has both" yes "$(run "$PATH_NEXT" --list-cmds | grep -q 'report .*stat teleport' && echo yes)"
is "help -a says whose" " Commands that $PWD/next/perf (perf version 9.9) runs:" \
	"$(run "$PATH_NEXT" help -a | grep 'runs:')"
is "help -a does not name ours twice" 1 "$(run "$PATH_NEXT" help -a | grep -c '^ *record ')"
is "a mistyped command of the next perf" $'\tteleport' "$(run "$PATH_NEXT" telepor | sed -n 4p)"

missing="perf: 'stat' is a command of the kernel's perf, but no other perf is on PATH: "
is "nobody there: what to install" "$missing" "$(run "$PATH_NONE" stat x | head -1 | sed 's/\(PATH: \).*/\1/')"
is "nobody there: exit status" "status 1" "$(run "$PATH_NONE" stat x | tail -1)"
is "nobody there: help -a says so" 1 "$(run "$PATH_NONE" help -a | grep -c 'which is not installed (')"
is "folders that are not absolute are not looked into" "status 1" "$(run "ours:next:$PATH_NONE" stat x | tail -1)"
is "a script that runs us ends" "$missing" "$(run "$PWD/none:$PATH_NONE" stat x | head -1 | sed 's/\(PATH: \).*/\1/')"
is "a script that runs us is passed over" $'<stat><x>\nstatus 42' "$(run "$PWD/none:$PATH_NEXT" stat x)"
is "one is passed over for questions, too" 1 "$(run "$PWD/none:$PATH_NEXT" help -a | grep -c 'perf version 9.9')"
is "a script that runs us with more words ends" "status 1" "$(run "$PWD/forks:$PATH_NONE" stat x | tail -1)"
is "perf below perf" $'<stat><--><perf><stat><x>\nstatus 42' "$(run "$PATH_NEXT" stat -- perf stat x)"

refused="perf: 'stat' is a command of the kernel's perf, but --no-fallback or perf.fallback=false forbids to run it"
is "--no-fallback" "$refused"$'\nstatus 1' "$(run "$PATH_NEXT" --no-fallback stat x)"
PATH=$PATH_NEXT PERF_CONFIG=$PWD/config "$PERF" config perf.fallback=false
is "perf.fallback=false" "$refused"$'\nstatus 1' "$(PERF_CONFIG=$PWD/config run "$PATH_NEXT" stat x)"
is "--no-fallback --list-cmds has ours alone" 0 "$(run "$PATH_NEXT" --no-fallback --list-cmds | grep -c teleport)"

printf '[help]\n\tautocorrect = -1\n' >config
is "help.autocorrect" "<teleport><x>" "$(PERF_CONFIG=$PWD/config run "$PATH_NEXT" telepor x | sed -n 2p)"
printf '[man]\n\tviewer = mine\n[man "mine"]\n\tcmd = echo page\n' >config
is "man.viewer" yes "$(PERF_CONFIG=$PWD/config run "$PATH_NEXT:/usr/bin:/bin" help record | grep -q '^page .*perf-record' && echo yes)"
printf '[man "man"]\n\tpath = %s\n' "$PWD/next/perf" >config
is "man.man.path" yes "$(PERF_CONFIG=$PWD/config run "$PATH_NEXT" help record | grep -q '^<.*perf-record' && echo yes)"

# A user's file that another user can write is neither read nor replaced.
if (($(id -u))); then
	skip "a configuration file of another user" "needs root, to make one" 2
else
	printf '[report]\n\tsort_order = dso\n' >.perfconfig
	chown 12345 .perfconfig
	is "a configuration file of another user is named" "File $PWD/.perfconfig not owned by current user or root, ignoring it." \
		"$(unset PERF_CONFIG; "$PERF" config report.sort_order 2>&1)"
	is "a configuration file of another user stays" "255 sort_order" \
		"$(unset PERF_CONFIG; "$PERF" config a.b=1 >/dev/null 2>&1; echo $? "$(grep -o sort_order .perfconfig)")"
	rm .perfconfig
fi

# The system's configuration file of an installation with another prefix.
mkdir -p root/bin root/etc
cp "$PERF" root/bin/perf
printf '[a]\n\tb = of the prefix\n' >root/etc/perfconfig
is "prefix/etc/perfconfig" "a.b=of the prefix" "$(unset PERF_CONFIG; root/bin/perf config --system -l)"

# buildid.dir: a program that is only in the folder that it names, found by its build-id.
id=$(readelf -n "$WORKLOADS/orders" | sed -n 's/.*Build ID: //p')
mkdir -p "cache/.build-id/${id:0:2}/${id:2}"
cp "$WORKLOADS/orders" "cache/.build-id/${id:0:2}/${id:2}/elf"
main=$(nm "$WORKLOADS/orders" | sed -n "s/ T main$//p")
echo "event cpu-clock sample_type=IP|TID|TIME
buildid file=/none/orders id=$id misc=user
mmap2 pid=1 start=0 len=0x100000 file=/none/orders misc=user
sample pid=1 ip=0x$main time=1 misc=user" | "$FORGE" >perf.data
printf '[buildid]\n\tdir = ~/cache\n' >config
for command in "report --stdio" script annotate; do
	is "buildid.dir: perf $command" main "$(unset PERF_BUILDID_DIR; PERF_CONFIG=$PWD/config "$PERF" $command 2>/dev/null | grep -ow main | head -1)"
done
