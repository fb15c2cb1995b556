#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --off-cpu: a thread waits for several descriptors in epoll_wait(), poll() or select(). Which one became ready, and
# who made it ready, also over the loopback?
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --off-cpu -o try.data true 2>why; then
	skip_all_refused "descriptors that become ready" why
fi
cat >ready.c <<'END'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { PIPE, UNIX, TCP, EVENT, KINDS };
static int from[KINDS], to[KINDS];
static const char *kinds[] = { "pipe", "unix", "tcp", "eventfd" };

static void make_ends(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int pair[2], server = socket(AF_INET, SOCK_STREAM, 0);

	if (pipe(pair))
		abort();
	from[PIPE] = pair[0];
	to[PIPE] = pair[1];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		abort();
	from[UNIX] = pair[0];
	to[UNIX] = pair[1];
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(server, (struct sockaddr *)&address, size) || listen(server, 1) ||
	    getsockname(server, (struct sockaddr *)&address, &size))
		abort();
	to[TCP] = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(to[TCP], (struct sockaddr *)&address, size))
		abort();
	from[TCP] = accept(server, NULL, NULL);
	from[EVENT] = to[EVENT] = eventfd(0, 0);
}

static void *make_ready(void *kind)
{
	static const char eight[8] = { 1 };
	long i = (long)kind;

	prctl(PR_SET_NAME, "writer");
	usleep(100000);
	if (write(to[i], eight, 8) != 8)
		abort();
	return NULL;
}

static void wait_for_any(const char *call)
{
	struct pollfd polled[KINDS];
	struct epoll_event events[KINDS] = { { .events = EPOLLIN } };
	int epoll = epoll_create1(0);
	fd_set set;

	FD_ZERO(&set);
	for (int i = 0; i < KINDS; i++) {
		polled[i] = (struct pollfd){ .fd = from[i], .events = POLLIN };
		epoll_ctl(epoll, EPOLL_CTL_ADD, from[i], events);
		FD_SET(from[i], &set);
	}
	if (!strcmp(call, "poll"))
		poll(polled, KINDS, 10000);
	else if (!strcmp(call, "select"))
		select(32, &set, NULL, NULL, NULL);
	else
		epoll_wait(epoll, events, 1, -1);
	close(epoll);
}

int main(int argc, char **argv)
{
	long kind = 0;
	pthread_t thread;
	struct itimerspec at = { .it_value = { 0, 100000000 } };
	struct epoll_event event = { .events = EPOLLIN };
	char bytes[8];

	prctl(PR_SET_NAME, "waiter");
	if (argc < 3) { /* a timer */
		int timer = timerfd_create(CLOCK_MONOTONIC, 0), epoll = epoll_create1(0);

		epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event);
		timerfd_settime(timer, 0, &at, NULL);
		return epoll_wait(epoll, &event, 1, -1) != 1;
	}
	while (strcmp(kinds[kind], argv[2]))
		kind++;
	make_ends();
	pthread_create(&thread, NULL, make_ready, (void *)kind);
	wait_for_any(argv[1]);
	if (read(from[kind], bytes, 8) != 8)
		return 1;
	pthread_join(thread, NULL);
	return 0;
}
END
${CC:-cc} -O1 -g -pthread ready.c -o ready 2>err || cat err
plan 16
# lock|waker of the longest wait
longest() {
	record_waits --off-cpu -o ready.data -- ./ready "$@"
	"$PERF" report -i ready.data --stdio -q -F period,lock,waker -t '|' --comms waiter 2>/dev/null |
		sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' | awk -F'|' '$1 >= 50e6 && $2 ~ /events/' >found
}
declare -A shown=([pipe]='pipe:\[[0-9]+\]' [unix]='unix:\[.*' [tcp]='TCP 127\.0\.0\.1:[0-9]+->127\.0\.0\.1:[0-9]+ ESTABLISHED of (writer|waiter)\[[0-9]+\]' [eventfd]='anon_inode:\[eventfd\]')
for call in epoll poll select; do
	for kind in pipe unix tcp eventfd; do
		longest "$call" "$kind"
		check "$call: a $kind, and who wrote to it" grep -Eq "\|${shown[$kind]} \(events\)\|writer" found
	done
done
longest
check "a timer" grep -Eq '\|anon_inode:\[timerfd\] \(events\)\|' found
"$PERF" report -i ready.data --critical="$("$PERF" script -i ready.data --comms waiter -F tid 2>/dev/null | awk '{ print $1; exit }')" --stdio >found 2>&1
check "on a path it is a timer" grep -Eq 'blocked in epoll_wait: timerfd, until a timer' found

# A child by its pidfd: its end is the wake-up, and it is the waker.
cat >ends.c <<'END'
#define _GNU_SOURCE
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct pollfd polled = { .events = POLLIN };
	siginfo_t info;
	int pid = fork();

	prctl(PR_SET_NAME, pid ? "waiter" : "child");
	if (!pid) {
		usleep(100000);
		_exit(0);
	}
	polled.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (!strcmp(argv[1], "poll"))
		poll(&polled, 1, -1);
	return waitid(3 /* P_PIDFD */, polled.fd, &info, WEXITED);
}
END
${CC:-cc} -O1 -g ends.c -o ends 2>err || cat err
for call in poll:events waitid:child; do
	record_waits --off-cpu -o ends.data -- ./ends "${call%:*}"
	"$PERF" report -i ends.data --stdio -q -F period,syscall,lock,waker -t '|' --comms waiter 2>/dev/null |
		sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' | awk -F'|' '$1 >= 50e6' >found
	check "${call%:*} on a pidfd: the child ended it" grep -Eq "\|${call%:*}\|\(${call#*:}\)\|child \([0-9]+\)$" found
done
