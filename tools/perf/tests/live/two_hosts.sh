#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf report --critical over the recordings of two hosts: a client waits for a server on the other one, whose clock is wrong. Here both are
# of one machine, by two names, and one recording's clock is shifted afterwards: so the truth is known.
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --off-cpu -o try.data true 2>why; then
	skip_all_refused "two hosts" why
fi
if ! unshare --uts sh -c 'hostname try' 2>why; then
	skip_all "two hosts" "no host name of one's own: $(head -n 1 why)"
fi
if ! python3 -c 'import json'; then
	skip_all "two hosts" "python3 is not here"
fi
plan 11
cat >pair.c <<'END_OF_C'
/* pair server|client PORT_FILE: asks for 40 answers, each of which takes 5 ms of sleep and then 2 ms of work. Logs from when to when. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void __attribute__((noinline)) work(void)
{
	for (long long end = now() + 2000000; now() < end;)
		;
}

/* Waits by epoll_wait(), as servers do. */
static int wait_for(int fd)
{
	static int epoll;
	struct epoll_event e = { .events = EPOLLIN };

	if (!epoll) {
		epoll = epoll_create1(0);
		epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
	}
	return epoll_wait(epoll, &e, 1, -1);
}

static __thread unsigned long asked __attribute__((used)); /* which request it works for; 0: none */

static void serve(int fd)
{
	unsigned char c;

	while (wait_for(fd) == 1 && read(fd, &c, 1) == 1) {
		long long from = now(), to;

		asked = c;
		usleep(5000);
		work();
		to = now();
		write(fd, &c, 1);
		asked = 0;
		printf("%lld %lld\n", from, to);
	}
}

static void ask(int fd)
{
	for (int i = 0; i < 40; i++) {
		unsigned char c = i + 1;

		asked = c;
		write(fd, &c, 1);
		read(fd, &c, 1);
		asked = 0;
		usleep(1000);
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
	unsigned port;
	FILE *f;

	if (!strcmp(argv[1], "server")) {
		bind(fd, (struct sockaddr *)&a, sizeof(a));
		listen(fd, 1);
		getsockname(fd, (struct sockaddr *)&a, &size);
		f = fopen("port.new", "w");
		fprintf(f, "%u\n", ntohs(a.sin_port));
		fclose(f);
		rename("port.new", argv[2]);
		fd = accept(fd, NULL, NULL);
	} else {
		while (!(f = fopen(argv[2], "r")))
			usleep(10000);
		if (fscanf(f, "%u", &port) != 1)
			return 1;
		a.sin_port = htons((unsigned short)port);
		if (connect(fd, (struct sockaddr *)&a, sizeof(a)))
			return 1;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (!strcmp(argv[1], "server"))
		serve(fd);
	else
		ask(fd);
	return 0;
}
END_OF_C
${CC:-cc} -O1 -g -w pair.c -o pair 2>err || cat err
cat >shift.py <<'END_OF_PYTHON'
"""
shift FILE NS: the file's clock goes wrong by NS. Prints the time of day minus the clock before. Bytes 8 to 15 of the header's section
CLOCK_DATA are the time of day, and 16 to 23 the clock then.
"""
import struct
import sys

with open(sys.argv[1], "r+b") as file:
    header = file.read(104)
    data_at, data_size = struct.unpack_from("<QQ", header, 40)
    bits = int.from_bytes(header[72:104], "little")
    section = data_at + data_size + 16 * bin(bits & ((1 << 29) - 1)).count("1")
    file.seek(section)
    (at,) = struct.unpack("<Q", file.read(8))
    file.seek(at + 8)
    wall, clock = struct.unpack("<QQ", file.read(16))
    print(wall - clock)
    file.seek(at + 8)
    file.write(struct.pack("<Q", wall + int(sys.argv[2])))
END_OF_PYTHON
record() { # host name, data, command
	unshare --uts sh -c 'hostname "$1"; shift; exec "$@"' sh "$1" "$PERF" record -q -k mono --sample-tls=asked:0:8:u64 --off-cpu=10us -g -e cpu-clock -F 2000 -o "$2" -- "${@:3}"
}
cat >truth.py <<'END_OF_PYTHON'
"""
truth OFFSET TID: while the server worked for an answer (file served), and the client TID was blocked, the path must be at the server, for 98 %
of that time. OFFSET: the time of day minus the clock that the log has.
"""
import json
import sys

offset, tid = int(sys.argv[1]), int(sys.argv[2])
report = json.load(open("found.json"))
rows = [page["rows"] for page in report["pages"] if page["title"] == "Path"][0]
right = wrong = 0
for line in open("served"):
    start, end = (int(word) + offset for word in line.split())
    for row in rows:
        cells = row["cells"]
        a = report["facts"]["begin"] + cells["begin"]
        both = min(end, a + cells["duration"]) - max(start, a)
        if both <= 0:
            continue
        if "pair on there" in cells["thread"]:
            right += both
        elif cells["what"].startswith("blocked"):
            wrong += both
print(f"# at the server {right} ns, elsewhere {wrong} ns")
sys.exit(not (right > 40 * 2000000 and right >= 0.98 * (right + wrong)))
END_OF_PYTHON
record_both() {
	rm -f port
	record there there.data ./pair server port >served 2>server.err &
	record here here.data ./pair client port 2>client.err
	wait $!
	tid=$("$PERF" script -i here.data --comms pair -F tid 2>/dev/null | awk '{ print $1; exit }')
	offset=$(python3 shift.py here.data 0)
}
report() { # recordings' -i
	"$PERF" report "$@" --critical="$tid" --percent-limit=0 --stdio >found 2>err &&
		"$PERF" report "$@" --critical="$tid" --percent-limit=0 --format=json >found.json 2>>err
}
# A program may be interrupted between what it does and what it logs: on a busy machine, it is tried again.
good() {
	for _ in 1 2 3 4 5; do
		record_both
		report -i here.data -i there.data
		python3 truth.py "$offset" "$tid" && return
	done
	return 1
}
clocks() { # pattern
	grep '^note: the clock' err | sort -u >notes
	cat notes
	grep -Eq "$1" notes
}
check "while the server works, the path is there" good
check "who sent the answer" grep -Eq 'ended by what was sent by pair on there( in .*)?$' found
check "what the server ran" grep -Eq '[|`]-- .*clock_gettime' found
check "the clocks of one machine agree" clocks 'the clock of there agrees with that of here, give or take [0-9.]+ [mun]?s, by [0-9]+ messages there and [0-9]+ back$'

# The truth is within the error that is told.
is_ahead() { # seconds
	python3 - "$1" <<'END_OF_PYTHON'
import re
import sys

note = open("notes").read()
m = re.search(r"is ([0-9.]+) s (ahead of|behind) that of here, give or take ([0-9.]+) (\w+),", note)
ahead = float(m[1]) * (1 if m[2] == "ahead of" else -1)
error = float(m[3]) * {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[m[4]]
print(f"# {ahead} +- {error}, and it is {sys.argv[1]}")
sys.exit(not abs(ahead - float(sys.argv[1])) <= error + 1e-6)
END_OF_PYTHON
}
python3 shift.py there.data 3700000000 >out
report -i here.data -i there.data
check "a clock that is ahead: the path is the same" python3 truth.py "$offset" "$tid"
check "by how much, and that it is corrected" clocks 'by [0-9]+ messages there and [0-9]+ back: its times are corrected$'
check "... which is so" is_ahead 3.7
python3 shift.py there.data -90003700000000 >out
report -i here.data -i there.data
check "a clock that is a day behind: the path is the same" python3 truth.py "$offset" "$tid"
clocks . >out
check "... by how much" is_ahead -90000
# Requests, whose numbers both hosts have, and a key: the times that it compares with are corrected, too.
"$PERF" report -i here.data -i there.data --critical='2?' -s critical,comm,host --stdio -q -g none --no-children -F period,critical,comm,host -t '|' 2>err | sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' | grep -v '^$' >found
check "the server's samples are on the paths" grep -Eq '^[0-9]+\|yes\|pair\|there' found
record other other.data true 2>err
report -i here.data -i other.data
check "no messages with a host: its clock is taken as it is" clocks 'the clock of other is taken as it is: no messages both ways between it and a host whose clock is known are recorded'
