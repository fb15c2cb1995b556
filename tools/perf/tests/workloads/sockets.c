// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that wait for a socket of each kind. The name of a thread is its kind. Prints a line for each: the name, and the text that
 * a recording should have for its socket, by the program's own knowledge; "no NAME" if such a socket cannot be made here. Then
 * "ready". "elsewhere" is a UDP socket of a network namespace of its own. Ends when its input does.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <linux/netlink.h>
#include <net/ethernet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

struct kind {
	const char *name, *protocol;
	int family, type, number;
	bool (*open)(const struct kind *kind, int *fd);
	const char *state; /* in its text */
};

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_said;

/* 127.0.0.1 or ::1, any port. Returns the address's size. */
static socklen_t loopback(int family, union address *a)
{
	memset(a, 0, sizeof(*a));
	a->any.sa_family = (sa_family_t)family;
	if (family == AF_INET) {
		a->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return sizeof(a->in);
	}
	a->in6.sin6_addr = in6addr_loopback;
	return sizeof(a->in6);
}

static bool open_plain(const struct kind *k, int *fd)
{
	*fd = socket(k->family, k->type, k->number);
	return *fd >= 0;
}

static bool open_bound(const struct kind *k, int *fd)
{
	union address a;
	socklen_t size = loopback(k->family, &a);

	return open_plain(k, fd) && !bind(*fd, &a.any, size);
}

static bool open_listening(const struct kind *k, int *fd)
{
	return open_bound(k, fd) && !listen(*fd, 1);
}

/* To another socket of this process. */
static bool open_connected(const struct kind *k, int *fd)
{
	union address a;
	socklen_t size = sizeof(a);
	int other;

	if (!(k->type == SOCK_STREAM ? open_listening(k, &other) : open_bound(k, &other)))
		return false;
	return !getsockname(other, &a.any, &size) && open_plain(k, fd) &&
	       !connect(*fd, &a.any, size);
}

static bool open_pair(const struct kind *k, int *fd)
{
	struct stat here, there;
	int fds[2];

	if (socketpair(k->family, k->type, k->number, fds) || fstat(fds[0], &here) ||
	    fstat(fds[1], &there))
		return false;
	*fd = fds[0];
	printf("%s unix:[%lu]->[%lu]\n", k->name, (unsigned long)here.st_ino,
	       (unsigned long)there.st_ino);
	return true;
}

static bool open_netlink(const struct kind *k, int *fd)
{
	struct sockaddr_nl a = { .nl_family = AF_NETLINK };

	return open_plain(k, fd) && !bind(*fd, (void *)&a, sizeof(a));
}

static bool open_elsewhere(const struct kind *k, int *fd)
{
	union address a = { .in = { .sin_family = AF_INET, .sin_port = htons(4711) } };

	return !unshare(CLONE_NEWNET) && open_plain(k, fd) && !bind(*fd, &a.any, sizeof(a.in));
}

static void print_end(const union address *a, unsigned int port)
{
	char text[INET6_ADDRSTRLEN];

	if (a->any.sa_family == AF_INET)
		printf("%s:%u", inet_ntop(AF_INET, &a->in.sin_addr, text, sizeof(text)), port);
	else
		printf("[%s]:%u", inet_ntop(AF_INET6, &a->in6.sin6_addr, text, sizeof(text)), port);
}

static void print_text(const struct kind *k, int fd)
{
	union address a;
	socklen_t size = sizeof(a);

	if (k->family == AF_UNIX)
		return;
	printf("%s %s", k->name, k->protocol);
	if ((k->family == AF_INET || k->family == AF_INET6) && k->open != open_plain) {
		printf(" ");
		getsockname(fd, &a.any, &size);
		/* The kernel's port of a raw socket is its protocol. */
		print_end(&a, k->type == SOCK_RAW ? (unsigned int)k->number : ntohs(a.in.sin_port));
		size = sizeof(a);
		if (k->open == open_connected && !getpeername(fd, &a.any, &size)) {
			printf("->");
			print_end(&a, ntohs(a.in.sin_port));
		}
	}
	printf("%s\n", k->state);
}

static const struct kind kinds[] = {
	{ "tcp", "TCP", AF_INET, SOCK_STREAM, 0, open_connected, " ESTABLISHED" },
	{ "listen", "TCP", AF_INET, SOCK_STREAM, 0, open_listening, " LISTEN" },
	{ "tcp6", "TCP", AF_INET6, SOCK_STREAM, 0, open_connected, " ESTABLISHED" },
	{ "udp", "UDP", AF_INET, SOCK_DGRAM, 0, open_bound, "" },
	{ "udp_peer", "UDP", AF_INET, SOCK_DGRAM, 0, open_connected, " ESTABLISHED" },
	{ "udp6", "UDP", AF_INET6, SOCK_DGRAM, 0, open_bound, "" },
	{ "unbound", "UDP", AF_INET, SOCK_DGRAM, 0, open_plain, "" },
	{ "raw", "RAW", AF_INET, SOCK_RAW, IPPROTO_ICMP, open_bound, "" },
	{ "packet", "PACKET", AF_PACKET, SOCK_RAW, 0, open_plain, "" },
	{ "netlink", "NETLINK ROUTE", AF_NETLINK, SOCK_RAW, NETLINK_ROUTE, open_netlink, "" },
	{ "uevent", "NETLINK KOBJECT_UEVENT", AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT,
	  open_netlink, "" },
	{ "stream", "unix", AF_UNIX, SOCK_STREAM, 0, open_pair, "" },
	{ "dgram", "unix", AF_UNIX, SOCK_DGRAM, 0, open_pair, "" },
	{ "elsewhere", "UDP", AF_INET, SOCK_DGRAM, 0, open_elsewhere, "" },
};

#define NR_KINDS (sizeof(kinds) / sizeof(*kinds))

static void *wait_for(void *arg)
{
	const struct kind *k = arg;
	char bytes[64];
	int fd = -1;
	bool made;

	pthread_setname_np(pthread_self(), k->name);
	pthread_mutex_lock(&printing);
	made = k->open(k, &fd);
	if (made)
		print_text(k, fd);
	else
		printf("no %s\n", k->name);
	pthread_mutex_unlock(&printing);
	pthread_barrier_wait(&all_said);
	while (made && (k->open == open_listening ? accept(fd, NULL, NULL) >= 0
						  : recv(fd, bytes, sizeof(bytes), 0) >= 0))
		;
	return NULL;
}

int main(void)
{
	pthread_t threads[NR_KINDS];
	char byte;

	pthread_barrier_init(&all_said, NULL, NR_KINDS + 1);
	for (size_t i = 0; i < NR_KINDS; i++)
		if (pthread_create(&threads[i], NULL, wait_for, (void *)&kinds[i]))
			return 1;
	pthread_barrier_wait(&all_said);
	printf("ready\n");
	fflush(stdout);
	return read(0, &byte, 1) < 0;
}
