#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What others have put there is not read without being asked for: recordings of other owners.
set -u
. "$SRC/tools/perf/tests/tap"
verdict() { # name: of the command before, with out and err as explanation
	(($? == 0)) && echo "ok - $1" || { head -5 out err; echo "not ok - $1"; }
}
somebody=65534
printf 'event cpu-clock\ncomm pid=10 text=alpha\nsample pid=10 ip=0x1000 period=7\n' >text
"$FORGE" <text >own.data
if ((EUID)); then
	plan 3
	for name in report script; do
		"$PERF" $name -i own.data >out 2>err
		verdict "$name: the user's own file"
	done
	skip "files of other owners" "only root can make one"
	exit 0
fi
plan 84
cp own.data other.data
mkdir folder mixed
cp own.data folder/data && cp own.data mixed/data && : >mixed/data.0
chown $somebody other.data folder/data mixed/data.0
mkfifo other.fifo
chown $somebody other.fifo
ln -s other.data link.data

for command in "report --stdio" "report --header-only" "report -D" "report --stats" "script" "script -D" \
	"script --header-only" "annotate --stdio" evlist buildid-list "buildid-list -H"; do
	# annotate has nothing to say of such a file, but that it says.
	timeout 10 "$PERF" $command -i own.data >own.out 2>own.err
	own=$?
	((own == 0)) || [[ $command == annotate* ]]
	verdict "$command: root's file"
	reads() { # options...: the same is said of another's file
		timeout 10 "$PERF" $command "$@" >out 2>err
		(($? == own)) && cmp out own.out && ! grep -q "not owned" err
	}
	for file in other.data link.data folder other.fifo; do
		timeout 10 "$PERF" $command -i $file >out 2>err
		(($? == 255)) && [[ ! -s out && $(wc -l <err) == 1 ]] &&
			grep -q "File $file.* not owned by current user or root (use -f to override)\$" err
		verdict "$command: $file is refused"
	done
	chown $somebody own.data
	reads -f -i own.data
	verdict "$command -f: another's file is read"
	chown 0 own.data
	timeout 10 "$PERF" $command --force -i folder >out 2>err
	(($? == own)) && ! grep -q "not owned" err
	verdict "$command --force: a folder is read"
done
"$PERF" report --stdio -i own.data -i other.data >out 2>err
(($? == 255)) && grep -q "File other.data not owned" err
verdict "report: a second file is refused"
"$PERF" report -f --stdio -i own.data -i other.data >out 2>err
verdict "report -f: a second file is read"
"$PERF" report --stdio -i mixed >out 2>err
(($? == 255)) && grep -q "File mixed/data.0 not owned" err
verdict "report: a thread's file in a folder is refused"
# Who opens the file is not perf: no question of perf's.
"$PERF" script -i - <other.data >out 2>err
! grep -q "not owned" err
verdict "standard input is whose it may be"
# Another user reads root's files, and his own.
chmod 755 . && chmod 644 own.data other.data folder/data
if command -v setpriv >/dev/null && setpriv --reuid=$somebody --regid=$somebody --clear-groups test -x "$PERF" -a -r own.data; then
	for file in own.data other.data; do
		setpriv --reuid=$somebody --regid=$somebody --clear-groups "$PERF" script -i $file >out 2>err
		verdict "a user reads $file"
	done
	chown 12345 other.data
	setpriv --reuid=$somebody --regid=$somebody --clear-groups "$PERF" script -i other.data >out 2>err
	(($? == 255)) && grep -q "not owned by current user or root" err
	verdict "a user and another user's file: refused"
else
	skip "another user's look" "setpriv is missing, or other users cannot reach the program" 3
fi
