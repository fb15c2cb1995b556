#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --off-cpu: whose is the other end of the socket that a thread waits for? A client and a server over TCP and over a Unix socket.
. "$SRC/tools/perf/tests/live/common"
if ! "$PERF" record -q --off-cpu -o try.data true 2>why; then
	skip_all_refused "peers" why
fi
plan 14
cat >peers.c <<'END_OF_C'
/*
 * peers tcp|unix|epoll: "asker" asks "keeper", another process, 30 times; the last question has no answer: then there is a file "done". Writes
 * their numbers to a file "pids", and begins when there is a file "go".
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define QUESTIONS 30

static struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "socket" };
static struct sockaddr_in port = { .sin_family = AF_INET };

static void serve(int listener)
{
	int fd = accept(listener, NULL, NULL);
	char c;

	while (read(fd, &c, 1) == 1) {
		usleep(2000);
		if (c != 'x')
			write(fd, &c, 1);
		else
			close(creat("done", 0600));
	}
}

static void wait_for(int fd)
{
	struct epoll_event e = { .events = EPOLLIN };
	int epoll = epoll_create1(0);

	epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
	epoll_wait(epoll, &e, 1, -1);
	close(epoll);
}

static void ask(int fd, int by_epoll)
{
	char c = 'a';

	for (int i = 0; i < QUESTIONS; i++) {
		if (i == QUESTIONS - 1)
			c = 'x';
		write(fd, &c, 1);
		if (by_epoll)
			wait_for(fd);
		read(fd, &c, 1);
	}
}

int main(int argc, char **argv)
{
	int is_unix = !strcmp(argv[1], "unix"), listener, fd, child;
	struct sockaddr *address = is_unix ? (void *)&name : (void *)&port;
	socklen_t size = is_unix ? sizeof(name) : sizeof(port);
	FILE *pids;

	unlink(name.sun_path);
	port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(address->sa_family, SOCK_STREAM, 0);
	/* A service has the lower one of two ports. */
	for (int i = 3000; i < 4000; i++) {
		port.sin_port = htons(i);
		if (!bind(listener, address, size))
			break;
	}
	listen(listener, 1);
	getsockname(listener, (void *)&port, &(socklen_t){ sizeof(port) });
	child = fork();
	if (!child) {
		prctl(PR_SET_NAME, "keeper");
		prctl(PR_SET_PDEATHSIG, 9);
		serve(listener);
		_exit(0);
	}
	close(listener);
	prctl(PR_SET_NAME, "asker");
	pids = fopen("pids.new", "w");
	fprintf(pids, "%d %d\n", getpid(), child);
	fclose(pids);
	rename("pids.new", "pids");
	while (access("go", F_OK))
		usleep(10000);
	fd = socket(address->sa_family, SOCK_STREAM, 0);
	if (connect(fd, address, size))
		return 1;
	ask(fd, !strcmp(argv[1], "epoll"));
	return 0;
}
END_OF_C
${CC:-cc} -O1 -w peers.c -o peers 2>err || cat err
# Records the processes while one asks: "both" or "asker".
ask() { # kind, which
	rm -f pids go done
	(./peers "$1" &)
	until [[ -e pids ]]; do sleep 0.02; done
	read -r asker keeper <pids
	pids=$asker
	[[ $2 != both ]] || pids+=,$keeper
	# At the end, the asker waits: in read() (0) or epoll_wait() (232).
	"$PERF" record -q --off-cpu=10us -p "$pids" -o p.data -- sh -c '
		: >go
		for i in $(seq 500); do
			sleep 0.02
			[ ! -e done ] || ! grep -Eq "^(0|232) " /proc/$0/syscall || break
		done' "$asker" 2>err
	kill -9 "$asker" "$keeper"
	"$PERF" report -i p.data --stdio -q -g none --no-children -F period,comm,lock -t '|' 2>>err | sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' >found
	"$PERF" report -i p.data --critical="$asker" --stdio --percent-limit=0 >path 2>>err
}
port='127\.0\.0\.1:[0-9]+'
ask tcp both
check "TCP: the server" grep -Eq "^[0-9]+\|asker\|TCP $port->$port ESTABLISHED of keeper\[$keeper\] \(socket\)$" found
check "TCP: the client" grep -Eq "^[0-9]+\|keeper\|TCP $port->$port ESTABLISHED of asker\[$asker\] \(socket\)$" found
check "TCP: on a path" grep -Eq "blocked in read: TCP $port of keeper\[$keeper\]" path
check "... which is not over, too" grep -Eq "blocked in read: TCP $port of keeper\[$keeper\][:,] until the end of the recording" path
ask tcp asker
check "TCP: the server is not recorded, but was seen when it answered" grep -Eq "^[0-9]+\|asker\|TCP $port->$port ESTABLISHED of keeper\[$keeper\] \(socket\)$" found
ask epoll asker
check "TCP and epoll_wait()" grep -Eq "^[0-9]+\|asker\|TCP $port->$port ESTABLISHED of keeper\[$keeper\] \(events\)$" found
ask unix both
check "Unix socket: the server" grep -Eq "^[0-9]+\|asker\|unix:\[[0-9]+\]->\[[0-9]+\].* of keeper\[$keeper\] \(socket\)$" found
check "Unix socket: the client" grep -Eq "^[0-9]+\|keeper\|unix:\[[0-9]+\]->\[[0-9]+\].* of asker\[$asker\] \(socket\)$" found
ask unix asker
check "Unix socket: the server is not recorded" grep -Eq "^[0-9]+\|asker\|unix:\[[0-9]+\]->\[[0-9]+\].* of keeper\[$keeper\] \(socket\)$" found
check "Unix socket: on a path" grep -Eq "blocked in read: unix socket of keeper\[$keeper\]" path

# Over IPv6, from a UDP socket without a connection; of three messages of one call, the thread waits for the last one. Also from a
# client of IPv4 to a socket for both: by UDP ("plain") and TCP ("send").
cat >datagrams.c <<'END'
#define _GNU_SOURCE
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define NR 3

static struct sockaddr_in6 to[NR];
static int stream; /* the client's end */

static void *send_all(void *call)
{
	struct iovec bytes = { "abc", 3 };
	struct mmsghdr messages[NR] = { 0 };
	int fd = socket(AF_INET6, SOCK_DGRAM, 0);

	struct sockaddr_in plain = { .sin_family = AF_INET, .sin_port = to[NR - 1].sin6_port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	prctl(PR_SET_NAME, "sends");
	usleep(100000);
	if (!strcmp(call, "send") && send(stream, "abc", 3, 0) == 3)
		return NULL;
	if (!strcmp(call, "plain")) {
		sendto(socket(AF_INET, SOCK_DGRAM, 0), "abc", 3, 0, (void *)&plain, sizeof(plain));
		return NULL;
	}
	for (int i = 0; i < NR; i++)
		messages[i].msg_hdr = (struct msghdr){ .msg_name = &to[i], .msg_namelen = sizeof(to[i]), .msg_iov = &bytes, .msg_iovlen = 1 };
	if (!strcmp(call, "sendto"))
		sendto(fd, "abc", 3, 0, (void *)&to[NR - 1], sizeof(to[0]));
	else
		sendmmsg(fd, messages, NR, 0);
	return NULL;
}

/* A server for both families, and a client of IPv4. */
static int accept_plain(void)
{
	struct sockaddr_in6 any = { .sin6_family = AF_INET6 };
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(any);
	int server = socket(AF_INET6, SOCK_STREAM, 0);

	if (bind(server, (void *)&any, size) || listen(server, 1) || getsockname(server, (void *)&any, &size))
		return -1;
	at.sin_port = any.sin6_port;
	stream = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(stream, (void *)&at, sizeof(at)))
		return -1;
	return accept(server, NULL, NULL);
}

int main(int argc, char **argv)
{
	bool plain = !strcmp(argv[1], "plain");
	socklen_t size = sizeof(to[0]);
	pthread_t thread;
	char bytes[3];
	int fd;

	prctl(PR_SET_NAME, "receives");
	for (int i = 0; i < NR; i++) {
		to[i] = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_addr = plain ? in6addr_any : in6addr_loopback };
		fd = socket(AF_INET6, SOCK_DGRAM, 0);
		if (bind(fd, (void *)&to[i], size) || getsockname(fd, (void *)&to[i], &size))
			return 77;
	}
	if (!strcmp(argv[1], "send"))
		fd = accept_plain();
	pthread_create(&thread, NULL, send_all, argv[1]);
	if (recv(fd, bytes, sizeof(bytes), 0) != sizeof(bytes))
		return 1;
	return pthread_join(thread, NULL);
}
END
${CC:-cc} -O1 -pthread datagrams.c -o datagrams 2>err || cat err
# The lock and the waker of what the thread receives.
receive() { # CALL
	record_waits --off-cpu -o d.data -- ./datagrams "$1"
	"$PERF" report -i d.data --stdio -q -F period,lock,waker -t '|' --comms receives 2>/dev/null | sed -E 's/ *[|] */|/g; s/^ *//; s/ *$//' >found
}
if [[ ! -e /proc/net/if_inet6 ]]; then
	skip "sockets of IPv6: who sent it" "this machine has no IPv6" 4
	exit 0
fi
for call in sendto sendmmsg; do
	receive "$call"
	check "UDP over IPv6, $call(): who sent it" grep -Eq "\|UDP \[::1\]:[0-9]+ \(socket\)\|sends \([0-9]+\)$" found
done
receive plain
check "UDP from IPv4 to a socket for both: who sent it" grep -Eq "\|UDP \[::\]:[0-9]+ \(socket\)\|sends \([0-9]+\)$" found
receive send
check "TCP from IPv4 to a socket for both: who sent it" grep -Eq "\|TCP \[::ffff:127\.0\.0\.1\]:.* of sends\[[0-9]+\] \(socket\)\|sends \([0-9]+\)$" found
