// SPDX-License-Identifier: GPL-2.0-or-later
/* Which process has the other end of a socket, by what was seen of both ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <glib.h>
#include <linux/types.h>
#include <string.h>

#include "bpf/wall.h"
#include "record/waits/socket_users.h"

static struct wall_bpf_socket tcp(u16 local, u16 remote)
{
	return (struct wall_bpf_socket){ .protocol = "TCP",
					 .family = AF_INET,
					 .local_port = local,
					 .remote_port = remote,
					 .local = { 127, 0, 0, 1 },
					 .remote = { 127, 0, 0, 1 } };
}

static struct wall_bpf_socket unix_socket(u64 peer)
{
	return (struct wall_bpf_socket){ .protocol = "UNIX",
					 .family = AF_UNIX,
					 .peer_inode = peer };
}

static void assert_told(const struct socket_users *u, struct wall_bpf_socket s,
			const char *expected)
{
	g_autofree char *text = socket_users_tell(u, &s, g_strdup("it"));

	assert_string_equal(text, expected);
}

static void see(struct socket_users *u, struct wall_bpf_socket s, u64 inode, u32 pid,
		const char *comm)
{
	char name[16] = { 0 };

	memcpy(name, comm, MIN(strlen(comm), sizeof(name)));
	socket_users_see(u, &s, inode, pid, name);
}

static void test_other_end(void **state)
{
	struct socket_users *u = socket_users_new();
	struct wall_bpf_socket client = tcp(40000, 80), mapped = tcp(80, 40001),
			       udp = tcp(40000, 80);
	char name[16] = "curl";

	assert_told(u, client, "it");
	see(u, tcp(80, 40000), 1, 9, "nginx");
	assert_told(u, client, "it of nginx[9]");
	assert_told(u, tcp(80, 40000), "it");
	assert_told(u, tcp(40002, 80), "it");
	/* By what the other end's thread did. */
	socket_users_see_peer(u, &(struct wall_bpf_socket){ 0 }, 7, name);
	mapped = tcp(80, 40000);
	socket_users_see_peer(u, &mapped, 7, name);
	assert_told(u, tcp(80, 40000), "it of curl[7]");
	/* Another protocol with the same ports. */
	memcpy(udp.protocol, "UDP", 4);
	assert_told(u, udp, "it");
	/* ::ffff:127.0.0.1 */
	mapped = (struct wall_bpf_socket){ .protocol = "TCPv6",
					   .family = AF_INET6,
					   .local_port = 40000,
					   .remote_port = 80,
					   .local = { [10] = 0xff, 0xff, 127, 0, 0, 1 },
					   .remote = { [10] = 0xff, 0xff, 127, 0, 0, 1 } };
	assert_told(u, mapped, "it of nginx[9]");
	socket_users_free(u);
}

static void test_unix(void **state)
{
	struct socket_users *u = socket_users_new();

	see(u, unix_socket(12), 11, 9, "postgres");
	assert_told(u, unix_socket(11), "it of postgres[9]");
	assert_told(u, unix_socket(12), "it");
	assert_told(u, unix_socket(0), "it");
	assert_null(socket_users_tell(u, &(struct wall_bpf_socket){ .family = AF_UNIX }, NULL));
	socket_users_free(u);
}

/* A name stays, until another process has the end. */
static void test_changes(void **state)
{
	struct socket_users *u = socket_users_new();

	see(u, tcp(80, 40000), 1, 9, "nginx");
	see(u, tcp(80, 40000), 1, 9, "worker");
	assert_told(u, tcp(40000, 80), "it of nginx[9]");
	see(u, tcp(80, 40000), 1, 12, "a long name of 1");
	assert_told(u, tcp(40000, 80), "it of a long name of [12]");
	see(u, tcp(80, 40000), 1, 0, "nobody"); /* of a pid namespace that is not seen */
	assert_told(u, tcp(40000, 80), "it of a long name of [12]");
	/* Listening sockets have no other end. */
	see(u, tcp(80, 0), 1, 9, "nginx");
	assert_told(u, tcp(0, 80), "it");
	/* Too many ends: they are forgotten. */
	for (u32 i = 0; i < 70000; i++)
		see(u, unix_socket(1), 1000 + i, 9, "many");
	assert_told(u, tcp(40000, 80), "it");
	assert_told(u, unix_socket(1000 + 69999), "it of many[9]");
	socket_users_free(u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_end),
		cmocka_unit_test(test_unix),
		cmocka_unit_test(test_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
