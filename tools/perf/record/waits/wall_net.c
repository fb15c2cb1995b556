// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The addresses of a socket, from the tables of its network namespace. Example, of a thread that
 * waits in recvfrom(5):
 *
 *	readlink /proc/800/fd/5			socket:[4711]
 *	getxattr system.sockprotoname		TCP			so the table is "tcp"
 *	/proc/800/task/815/net/tcp		0: 0100007F:1F90 0200007F:D431 01 ... 4711 ...
 *	=					TCP 127.0.0.1:8080->127.0.0.2:54321 ESTABLISHED
 *
 * A table lists all sockets of the namespace, so one reading serves all threads. It is read again
 * if a socket is not in it, or if it is older than a second, but never more than ten times a
 * second, and so seldom that reading takes at most one part in SHARE of the time: a table that
 * takes 50 ms to read, with some ten thousand connections, is read every five seconds at most.
 *
 * What is not found: sockets of another namespace than the thread's (a descriptor that was passed
 * on), sockets behind the 65,536th, and protocols without a table. Such a socket has its protocol
 * only.
 */
#include "record/waits/wall_net.h"

#include <glib.h>
#include <inttypes.h>
#include <linux/types.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "base/table.h"
#include "bpf/wall.h"
#include "record/waits/wall_conn.h"
#include "record/waits/wall_peer.h"

#define SOONEST	     100000  /* us between two readings of a table */
#define LATEST	     1000000 /* us after which a table is old */
#define SHARE	     100     /* of the time goes to reading a long table: one of so many parts */
#define MOST_SOCKETS 65536   /* of a table */
#define MOST_TABLES  256     /* one more empties the cache */

/* The tables, by the kernel's name of the protocol. A name that is not here: no table has its sockets. */
static const struct protocol {
	const char *name, *table;
	u16 family;
} protocols[] = {
	{ "TCP", "tcp", AF_INET },
	{ "TCPv6", "tcp6", AF_INET6 },
	{ "UDP", "udp", AF_INET },
	{ "UDPv6", "udp6", AF_INET6 },
	{ "UDP-Lite", "udplite", AF_INET },
	{ "UDPLITEv6", "udplite6", AF_INET6 },
	{ "RAW", "raw", AF_INET },
	{ "RAWv6", "raw6", AF_INET6 },
	{ "PING", "icmp", AF_INET },
	{ "PINGv6", "icmp6", AF_INET6 },
	{ "NETLINK", "netlink", AF_NETLINK },
};

struct table_key {
	u64 dev, inode; /* of the network namespace */
	const struct protocol *protocol;
};

/*
 * after 0: it was never read. If the file cannot be read, the table is empty, and is tried again as
 * if it could.
 */
struct table_of_sockets {
	GHashTable *sockets;   /* u64 *: inode -> struct wall_bpf_socket * */
	gint64 read_at, after; /* us: when it was read; when it may be read again */
};

struct wall_net {
	char *proc;
	GHashTable *tables; /* struct table_key * -> struct table_of_sockets * */
	struct wall_peer *peer;
};

static guint hash_key(gconstpointer p)
{
	const struct table_key *k = p;

	return table_fold(table_mix(table_mix(table_mix(0, k->dev), k->inode),
				    (u64)(k->protocol - protocols)));
}

static gboolean equal_keys(gconstpointer x, gconstpointer y)
{
	const struct table_key *a = x, *b = y;

	return a->dev == b->dev && a->inode == b->inode && a->protocol == b->protocol;
}

static void table_free(void *p)
{
	struct table_of_sockets *t = p;

	g_hash_table_unref(t->sockets);
	g_free(t);
}

struct wall_net *wall_net_new(const char *proc)
{
	struct wall_net *n = g_new0(struct wall_net, 1);

	n->proc = g_strdup(proc);
	n->tables = g_hash_table_new_full(hash_key, equal_keys, g_free, table_free);
	n->peer = wall_peer_new();
	return n;
}

void wall_net_free(struct wall_net *n)
{
	if (!n)
		return;
	g_hash_table_unref(n->tables);
	wall_peer_free(n->peer);
	g_free(n->proc);
	g_free(n);
}

/* out: @address. The file has an address as words of 32 bits in the byte order of the machine: "0100007F". */
static void parse_address(const char *hex, u8 *address)
{
	for (u32 i = 0; i < 4 && strlen(hex) >= 8; i++, hex += 8) {
		char digits[9] = { 0 };
		u32 word;

		memcpy(digits, hex, 8);
		word = (u32)g_ascii_strtoull(digits, NULL, 16);
		memcpy(address + 4 * i, &word, sizeof(word));
	}
}

/*
 * "0: 0100007F:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 4711 ..." Returns the inode; 0: none.
 */
static u64 parse_inet(const char *line, struct wall_bpf_socket *s)
{
	char local[33], remote[33];
	unsigned int local_port, remote_port, state;
	u64 inode;

	if (sscanf(line,
		   " %*u: %32[0-9A-Fa-f]:%4x %32[0-9A-Fa-f]:%4x %2x %*x:%*x %*x:%*x %*x %*u %*d "
		   "%" SCNu64,
		   local, &local_port, remote, &remote_port, &state, &inode) != 6)
		return 0;
	parse_address(local, s->local);
	parse_address(remote, s->remote);
	s->local_port = (u16)local_port;
	s->remote_port = (u16)remote_port;
	s->state = (u8)state;
	return inode;
}

/* "00000000c3e6cf3f 15 815 ... 4711": the second column is the protocol, the last one the inode. */
static u64 parse_netlink(char *line, struct wall_bpf_socket *s)
{
	const char *last = strrchr(g_strchomp(line), ' ');
	unsigned int number;

	if (!last || sscanf(line, "%*s %u", &number) != 1)
		return 0;
	s->number = (u16)number;
	return g_ascii_strtoull(last, NULL, 10);
}

static void read_table(const struct wall_net *n, u32 pid, u32 tid, const struct protocol *p,
		       struct table_of_sockets *t)
{
	g_autofree char *path =
		g_strdup_printf("%s/%u/task/%u/net/%s", n->proc, pid, tid, p->table);
	FILE *f = fopen(path, "re");
	char line[512];

	g_hash_table_remove_all(t->sockets);
	while (f && fgets(line, sizeof(line), f) && g_hash_table_size(t->sockets) < MOST_SOCKETS) {
		struct wall_bpf_socket s = { .family = p->family };
		u64 inode = p->family == AF_NETLINK ? parse_netlink(line, &s)
						    : parse_inet(line, &s);

		if (inode)
			g_hash_table_insert(t->sockets, g_memdup2(&inode, sizeof(inode)),
					    g_memdup2(&s, sizeof(s)));
	}
	if (f)
		fclose(f);
}

/*
 * A namespace is known by device and inode of its file in /proc. NULL: the thread has ended, or may
 * not be traced.
 */
static struct table_of_sockets *table_of(struct wall_net *n, u32 pid, u32 tid,
					 const struct protocol *p)
{
	g_autofree char *path = g_strdup_printf("%s/%u/task/%u/ns/net", n->proc, pid, tid);
	struct table_of_sockets *t;
	struct table_key key;
	struct stat st;

	if (stat(path, &st))
		return NULL;
	key = (struct table_key){ st.st_dev, st.st_ino, p };
	t = g_hash_table_lookup(n->tables, &key);
	if (t)
		return t;
	if (g_hash_table_size(n->tables) >= MOST_TABLES)
		g_hash_table_remove_all(n->tables);
	t = g_new0(struct table_of_sockets, 1);
	t->sockets = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_hash_table_insert(n->tables, g_memdup2(&key, sizeof(key)), t);
	return t;
}

/* Sets the members of @s that a table has. */
static void look_up(struct wall_net *n, u32 pid, u32 tid, u64 inode, struct wall_bpf_socket *s)
{
	const struct protocol *p = NULL;
	const struct wall_bpf_socket *found;
	struct table_of_sockets *t;
	gint64 now;

	for (u32 i = 0; i < ARRAY_SIZE(protocols); i++)
		if (!strcmp(protocols[i].name, s->protocol))
			p = &protocols[i];
	t = p ? table_of(n, pid, tid, p) : NULL;
	if (!t)
		return;
	now = g_get_monotonic_time();
	found = g_hash_table_lookup(t->sockets, &inode);
	if (now >= t->after && (!found || now >= t->read_at + LATEST)) {
		read_table(n, pid, tid, p, t);
		t->read_at = g_get_monotonic_time();
		t->after = t->read_at + MAX(SOONEST, SHARE * (t->read_at - now));
		found = g_hash_table_lookup(t->sockets, &inode);
	}
	if (!found)
		return;
	*s = *found;
	g_strlcpy(s->protocol, p->name, sizeof(s->protocol));
}

char *wall_net_ask(struct wall_net *n, u32 pid, u32 tid, u64 fd, const char *file)
{
	static const char head[] = "socket:[";
	struct wall_bpf_socket s = { 0 };
	char path[PATH_MAX], name[64];
	ssize_t size;
	u64 inode;

	if (!file || !g_str_has_prefix(file, head))
		return NULL;
	inode = g_ascii_strtoull(file + strlen(head), NULL, 10);
	snprintf(path, sizeof(path), "%s/%u/fd/%" PRIu64, n->proc, pid, fd);
	size = getxattr(path, "system.sockprotoname", name, sizeof(name) - 1);
	if (size <= 0)
		return NULL;
	name[size] = 0;
	g_strlcpy(s.protocol, name, sizeof(s.protocol));
	if (g_str_has_prefix(name, "UNIX"))
		s.peer_inode = wall_peer_of(n->peer, inode);
	else
		look_up(n, pid, tid, inode, &s);
	return wall_conn_text(&s, inode);
}
