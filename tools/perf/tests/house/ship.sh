#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf ship: whatever a server does, each sample arrives once, and files that were not sent are counted. tests/ship/fake_server fails as it is
# told to; a ClickHouse server of the distribution, where it is installed, is killed for real.
. "$SRC/tools/perf/tests/tap"
has_curl() { "$PERF" version --build-options | grep -q 'libcurl: \[ on'; }
mkdir nothing
if ! has_curl; then
	plan 1
	"$PERF" ship --once nothing http://127.0.0.1:1 >out 2>err
	check "without libcurl: a sentence" test "$? $(<err)" == "1 perf: perf ship needs libcurl, which this build lacks (package libcurl4-openssl-dev)"
	exit
fi
python3 -V >/dev/null 2>&1 || skip_all "perf ship" "no python3"
plan 56
here=$SRC/tools/perf/tests/ship
rows=${FORGE%/*}/tools/table_rows
servers=()
trap 'kill "${servers[@]}" 2>/dev/null' EXIT

# wait_for CONDITION...: until it holds.
wait_for() {
	local i
	for ((i = 0; i < 600; i++)); do
		"$@" && return
		sleep 0.05
	done
	echo "waited in vain for: $*"
	return 1
}

# part FOLDER STAMP DAYS: a part of a recording with 10 samples on each of so many days. Blocks are of one day: so it has as many of them.
part() {
	mkdir -p "$1"
	{
		echo "info hostname=host wall=1700000000000000000 clock=0"
		echo "event cpu-clock type=software config=0 period=1000000 sample_type=IDENTIFIER|IP|TID|TIME|PERIOD"
		echo "comm pid=20 text=plain$2 time=1"
		echo "mmap2 pid=20 start=0x5000 len=0x1000 prot=5 flags=2 file=/none/prog time=1"
		for ((day = 0; day < $3; day++)); do
			for ((i = 0; i < 10; i++)); do
				echo "sample pid=20 ip=0x500$i time=$((day * 86400000000000 + 4000000 + i)) period=4 misc=user"
			done
		done
	} | "$FORGE" >part.data
	mv part.data "$1/perf.data.$2"
}

# serve NAME [VERSION [OFFSET]]: a new server; $url is its address.
serve() {
	mkdir -p "$1"
	"$here/fake_server" "$@" 2>"$1/err" &
	servers+=($!)
	wait_for test -e "$1/url"
	url=$(<"$1/url")
}
plan_of() { printf '%s\n' "${@:2}" >"$1/plan"; }
ship() { "$PERF" ship --once -v "$@" >out 2>err; }
inserts() { cat "$1/log" 2>/dev/null | grep -c '^INSERT'; }
# What was recorded: samples, pushes, and the files and bytes that pushes say were dropped.
recorded() {
	local file
	echo "$(awk '{ n += $3 } END { print n + 0 }' "$1/samples" 2>/dev/null) $(ls "$1/stored" | grep -c ^pushes) $(
		for file in "$1"/stored/pushes.*; do [[ -e $file ]] && "$rows" "$file" dropped_files dropped_bytes | tail -n +2; done |
			awk '{ f += $1; b += $2 } END { print f + 0, b + 0 }')"
}

# It arrives, and arrives once.
serve plain
for stamp in 2026010100000000 2026010101000000; do part folder $stamp 3; done
ship folder "$url"
check "two files are sent" test "$? $(recorded plain)" == "0 60 2 0 0"
check "the summary says so" test "$(<out)" == "2 files with 60 samples are sent, 0 were there already"
check "a block is of one day: three inserts of samples for each file" test "$(grep -c 'INSERT samples' plain/log)" == 6
check "what samples refer to is there before them, and the push is the last" \
	test "$(grep '^INSERT' plain/log | head -8 | cut -d' ' -f2 | uniq | xargs)" == "locations stacks hosts events samples pushes"
check "nobody else may read the ledger" test "$(stat -c %a folder/.perf-ship)" == 600
before=$(wc -l <plain/log)
ship folder "$url"
check "a second run sends nothing, and asks nothing" test "$? $(wc -l <plain/log)" == "0 $before"
rm folder/.perf-ship
before=$(inserts plain)
ship folder "$url"
check "without its ledger, it asks the server, and sends nothing" test "$? $(inserts plain) $(<out)" == "0 $before 0 files with 0 samples are sent, 2 were there already"
mkdir copy && cp folder/perf* copy
ship copy "$url"
check "a copy of a file is the same push" test "$? $(inserts plain)" == "0 $before"
"$PERF" report -i folder -s sym --stdio >out 2>err
check "the ledger does not disturb perf report" test "$? $(grep -c 'left out' err)" == "0 0"

# Failures: the inserts of a file are locations, stacks, hosts, events, three of samples, pushes.
exactly() { # name, words of the plan...
	serve "$1"
	plan_of "$1" "${@:2}"
	part "of-$1" 2026010200000000 3
	ship --timeout 1 "of-$1" "$url"
	check "$1: each sample once" test "$? $(recorded "$1" | cut -d' ' -f1)" == "0 30"
}
to_samples=(ok ok ok ok)
exactly lost "${to_samples[@]}" lost ok lost lost lost
exactly early "${to_samples[@]}" early early ok early ok early
exactly others lost early ok 'error 252' cut ok html 'status 503' ok lost
exactly cut "${to_samples[@]}" cut cut
exactly late "${to_samples[@]}" late
exactly busy "${to_samples[@]}" 'error 252' 'error 252' 'status 429'
check "a failure that goes on is told once" test "$(grep -c 'trying again' err)" == 1
exactly full "${to_samples[@]}" 'error 243' 'stored 243' 'error 241'
exactly slow "${to_samples[@]}" hold
exactly hostile "${to_samples[@]}" endless 'status 502' html

# Nothing helps but a person.
serve refuses
part refused 2026010300000000 1
for word in redirect 'error 60' 'error 516' 'status 401' 'status 404'; do
	plan_of refuses "$word"
	ship refused "$url"
	check "$word: an end with a sentence" test "$? $(wc -l <err)" == "1 1"
done
ship refused "$url"
check "then it is sent" test "$? $(recorded refuses)" == "0 10 1 0 0"
ship --retry 1s refused http://127.0.0.1:1/
check "nothing to send: no server is needed" test $? == 0
part refused 2026010300000001 1
ship --retry 1s refused http://127.0.0.1:1/
check "no server: an end after --retry" test "$? $(tail -1 err)" == "1 perf: http://127.0.0.1:1/: Couldn't connect to server"

# kill -9 in the middle of samples: the server has the second block, and perf does not know.
serve killed
part murder 2026010400000000 4
plan_of killed "${to_samples[@]}" ok hold
"$PERF" ship --once murder "$url" >out 2>err &
victim=$!
wait_for grep -qs held killed/log
"$PERF" ship --once murder "$url" >out 2>err
check "two at a time: the second one says so" test "$? $(<err)" == "1 perf: murder: another perf ship sends this folder"
kill -9 $victim
wait $victim 2>/dev/null
ship murder "$url"
check "killed and started again: each sample once" test "$? $(recorded killed)" == "0 40 1 0 0"
# And after the push itself: what it told is not told again.
part murder 2026010400000001 1
part murder 2026010400000002 1
ship --limit 1 murder http://127.0.0.1:1/ --retry 1s
check "more than the limit waits: all are dropped" test "$? $(tail -1 out | cut -d' ' -f1-2)" == "0 2 files"
bytes=$(cat murder/*1 murder/*2 | wc -c)
part murder 2026010400000003 1
plan_of killed "${to_samples[@]}" ok hold
"$PERF" ship --once murder "$url" >out 2>err &
victim=$!
wait_for eval '(($(grep -cs held killed/log) == 2))'
kill -9 $victim
wait $victim 2>/dev/null
part murder 2026010400000004 1
ship murder "$url"
check "sent and told as dropped are what there was" test "$? $(recorded killed)" == "0 60 3 2 $bytes"

# The server is away, and the recorder removes and makes files.
serve away
part coming 2026010500000000 1
plan_of away 'status 503' 'status 503'
"$PERF" ship -v --timeout 1 coming "$url" >out 2>err &
shipper=$!
wait_for eval '(($(ls away/stored | grep -c ^pushes) == 1))'
part coming 2026010500000001 1
wait_for eval '(($(ls away/stored | grep -c ^pushes) == 2))'
check "it follows the folder" test "$(recorded away)" == "20 2 0 0"
for ((i = 0; i < 20; i++)); do echo status 503; done >away/plan
part coming 2026010500000002 1
wait_for eval '(($(wc -l <away/plan) < 19))'
part coming 2026010500000003 1
part coming 2026010500000004 1
bytes=$(stat -c %s coming/perf.data.2026010500000003)
wait_for grep -q 000004 coming/.perf-ship
rm coming/perf.data.2026010500000003 away/plan
wait_for eval '(($(ls away/stored | grep -c ^pushes) == 4))'
kill -TERM $shipper
wait $shipper
check "SIGTERM is an end without a failure" test $? == 0
check "a file that vanished before it was sent is counted, and told" test "$(recorded away)" == "40 4 1 $bytes"

# Files of a hostile folder.
serve hostile_folder
part odd 2026010600000000 1
part other 2026010600000001 1
mv other/perf* target
ln -s "$PWD/target" odd/link.2026010600000001
mkfifo odd/fifo.2026010600000002
echo text >odd/text.2026010600000003
: >odd/empty.2026010600000004
mkdir odd/folder.2026010600000005
cp target odd/perf.data
head -c 150 target >odd/cut.2026010600000006
{ printf PERFILE2; head -c 5000 /dev/zero; } >odd/zero.2026010600000007
cp odd/perf.data.2026010600000000 $'odd/new\nline.2026010600000008' && printf x >>$'odd/new\nline.2026010600000008'
timeout 60 "$PERF" ship --once -v odd "$url" >out 2>err
check "only recordings are sent; damaged ones are counted" test "$? $(recorded hostile_folder | cut -d' ' -f1-2) $(tail -1 out)" == \
	"0 20 2 2 files ($(cat odd/cut* odd/zero* | wc -c) bytes) were dropped so far"
ship odd "$url"
check "and once" test "$? $(recorded hostile_folder | cut -d' ' -f1-2)" == "0 20 2"
for text in 'perf ship ledger 1
waiting' "$(head -c 300 /dev/urandom | tr -d '\0')" 'perf ship ledger 1
telling 1 5 5' 'perf ship ledger 1
sent 1 1 1 1 1 ../x'; do
	echo "$text" >odd/.perf-ship
	ship odd "$url"
	echo "$? $(grep -c 'is damaged' err)"
done >found
check "a damaged ledger: the server is asked" test "$(sort -u found) $(recorded hostile_folder | cut -d' ' -f1)" == "0 1 20"
ship --remove odd "$url"
check "--remove takes only what is done with" test "$? $(cd odd && ls | wc -l)" == "0 6"

# Newer servers, clocks, secrets, privacy.
serve newer 24.8.1.1 -7200
part private 2026010700000000 1
printf 'machine 127.0.0.1 login sender password secret\n' >netrc
ship --netrc netrc --columns comm,symbol --only 'comm=p*' private "$url"
offset=$("$rows" newer/stored/pushes* clock_offset | tail -1)
check "the clock's distance is told" test $((offset > -7205000 && offset < -7195000)) == 1
check "deduplication token for newer servers only" test "$(grep -c insert_deduplication_token=perf-ship- newer/asked) $(grep -c token plain/asked)" == "6 0"
check "password by netrc" test "$(cut -d' ' -f2- newer/asked | sort -u)" == "Basic $(printf sender:secret | base64)"
check "columns that are not named are empty" test "$("$rows" newer/stored/samples* dso comm event host | tail -1)" == $'\tplain2026010700000000\tcpu-clock\thost'
rm private/.perf-ship newer/stored/* newer/samples
PERF_SHIP_TOKEN=abc ship --only 'comm=q*' private "$url"
check "texts that fit no pattern are hidden" test "$("$rows" newer/stored/samples* comm | tail -1) $(tail -1 newer/asked | cut -d' ' -f2-)" == "(hidden) Bearer abc"
ship private http://me:secret@127.0.0.1/
check "no password in a command line" test "$? $(grep -c netrc err)" == "1 1"

# The way to the server.
part proxied 2026010700000001 1
http_proxy=${url%/perf} ship proxied http://samples.invalid/perf
check "through a proxy of the environment" test "$? $(grep -c 'samples.invalid' newer/asked)" == "0 6"
if openssl version >/dev/null 2>&1; then
	mkdir tls
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -keyout key -out cert 2>err
	cat cert key >tls/cert.pem
	serve tls
	part secure 2026010700000002 1
	ship secure "$url"
	check "TLS: a certificate of nobody known is an end" test "$? $(inserts tls) $(wc -l <err)" == "1 0 1"
	ship --cacert cert secure "$url"
	check "TLS: sent to the authority that is named" test "$? $(recorded tls)" == "0 10 1 0 0"
else
	skip "TLS" "no openssl" 2
fi
part full 2026010700000003 1
TMPDIR=$PWD/missing ship --retry 1s full "$(<plain/url)"
check "no temporary file: it waits for one, and ends" test "$? $(grep -c 'trying again' err) $(tail -1 err)" == "1 1 perf: temporary file in $PWD/missing: No such file or directory"
ship full "$(<plain/url)"
check "and the file is still there to be sent" test "$? $(head -1 out | cut -d' ' -f1-5)" == "0 1 files with 10 samples"

# A real server, which is killed, too. 18.16 has neither codecs nor indices of this kind.
if ! command -v clickhouse-server >/dev/null || ! command -v curl >/dev/null; then
	skip "a ClickHouse server" "clickhouse-server or curl is not installed" 7
	exit
fi
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1] % 20000 + 10000)')
url=http://sender@127.0.0.1:$port/fleet
ask() { curl -s "http://127.0.0.1:$port/?database=fleet" --data-binary "$1"; }
start_server() {
	"$here/clickhouse" real "$port" 2>err
	servers+=("$(<real/pid)")
}
# The server's samples, their weight, different ones, and pushes.
there() { echo "$(ask 'SELECT count(), sum(weight), uniqExact(tuple(time, push_id)) FROM samples') $(ask 'SELECT count() FROM pushes FINAL')" | xargs; }
start_server
curl -s "http://127.0.0.1:$port/" --data-binary 'CREATE DATABASE fleet'
sed -E '/^--/d; s/CODEC\(Delta, ZSTD\)//; /INDEX by_trace/d; s/^(\tpush_id UInt64),$/\1/' "$SRC/tools/perf/sql/clickhouse/schema.sql" |
	awk 'BEGIN { RS = ";\n" } NF { printf "%s", $0 > ("create." NR) }'
for file in create.*; do ask "@$file"; done >err
check "the server has the tables" test ! -s err
for stamp in 1 2 3; do part fleet 202601080000000$stamp 15; done
"$PERF" ship --once --netrc netrc fleet "$url" >out 2>err &
victim=$!
wait_for eval '[[ $(ask "SELECT count() > 0 FROM samples") == 1 ]]'
kill -9 $victim
wait $victim 2>/dev/null
ship --netrc netrc fleet "$url"
check "perf was killed: each sample once" test "$? $(there)" == "0 450 1800 450 3"
for stamp in 4 5 6; do part fleet 202601080000000$stamp 15; done
"$PERF" ship --once --netrc netrc fleet "$url" >out 2>err &
victim=$!
wait_for eval '(($(ask "SELECT count() FROM samples") > 450))'
kill -9 "$(<real/pid)"
start_server
wait $victim
check "the server was killed: each sample once" test "$? $(there)" == "0 900 3600 900 6"
rm fleet/.perf-ship
ship --netrc netrc fleet "$url"
check "without the ledger: nothing is sent again" test "$? $(there)" == "0 900 3600 900 6"
check "samples find their stacks and these their locations" test "$(ask 'SELECT count() FROM samples ALL INNER JOIN (SELECT stack_id, arrayJoin(frames) AS location_id FROM (SELECT DISTINCT stack_id, frames FROM stacks)) USING (stack_id) WHERE location_id IN (SELECT location_id FROM locations)')" == 900
printf 'machine 127.0.0.1 login sender password wrong\n' >wrong
part fleet 2026010800000007 1
ship --netrc wrong fleet "$url"
check "a wrong password: an end with a sentence" test "$? $(wc -l <err) $(grep -c 'Code: 193' err)" == "1 1 1"

# "Too many parts" of one day, until the server merges them.
ask 'DROP TABLE samples'
sed 's/$/ SETTINGS parts_to_delay_insert = 2, parts_to_throw_insert = 3/;$!s/ SETTINGS.*//' create.1 >create.busy
ask @create.busy >err
ask 'SYSTEM STOP MERGES' >>err
for stamp in 1 2 3 4 5; do part busy 202601090000000$stamp 1; done
"$PERF" ship --once --netrc netrc busy "$url" >out 2>err &
shipper=$!
wait_for grep -q 'Code: 252' err
ask 'SYSTEM START MERGES'
ask 'OPTIMIZE TABLE samples' >/dev/null
wait $shipper
check "too many parts: it waits, and each sample is there once" test "$? $(there)" == "0 50 200 50 11"
