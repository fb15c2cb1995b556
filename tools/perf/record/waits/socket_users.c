// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/waits/socket_users.h"

#include <glib.h>
#include <linux/types.h>
#include <string.h>
#include <sys/socket.h>

#include "base/table.h"
#include "bpf/wall.h"

#define MOST_ENDS 65536

/* Of a Unix socket, @local is its inode, and the rest is 0. */
struct end {
	u8 local[16], remote[16];
	u16 local_port, remote_port, family, udp;
};

struct user {
	struct end end;
	u32 pid;
	char comm[16];
};

struct socket_users {
	GHashTable *users; /* struct user */
};

static guint hash_end(gconstpointer p)
{
	u64 words[sizeof(struct end) / sizeof(u64)], hash = 0;

	memcpy(words, p, sizeof(words));
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		hash = table_mix(hash, words[i]);
	return table_fold(hash);
}

static gboolean equal_ends(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct end));
}

struct socket_users *socket_users_new(void)
{
	struct socket_users *u = g_new0(struct socket_users, 1);

	u->users = g_hash_table_new_full(hash_end, equal_ends, g_free, NULL);
	return u;
}

void socket_users_free(struct socket_users *u)
{
	if (!u)
		return;
	g_hash_table_unref(u->users);
	g_free(u);
}

/* IPv6 addresses that stand for IPv4 are the same end. */
static void set_address(u8 *to, const u8 *address, u16 family)
{
	static const u8 mapped[12] = { [10] = 0xff, 0xff };

	if (family == AF_INET6 && !memcmp(address, mapped, sizeof(mapped)))
		memcpy(to, address + sizeof(mapped), 4);
	else
		memcpy(to, address, family == AF_INET ? 4 : 16);
}

/* out: @end, of @s or of its other end. False: it has none. */
static bool find_end(struct end *end, const struct wall_bpf_socket *s, u64 inode, bool other)
{
	u64 number = other ? s->peer_inode : inode;

	*end = (struct end){ .family = s->family == AF_UNIX ? AF_UNIX : AF_INET,
			     .udp = s->protocol[0] == 'U' };
	if (s->family == AF_UNIX) {
		memcpy(end->local, &number, sizeof(number));
		return number;
	}
	if ((s->family != AF_INET && s->family != AF_INET6) || !s->remote_port)
		return false;
	end->local_port = other ? s->remote_port : s->local_port;
	end->remote_port = other ? s->local_port : s->remote_port;
	set_address(end->local, other ? s->remote : s->local, s->family);
	set_address(end->remote, other ? s->local : s->remote, s->family);
	return true;
}

static void see(struct socket_users *u, const struct end *end, u32 pid, const char *comm)
{
	struct user *known = g_hash_table_lookup(u->users, end);

	if (!pid || (known && known->pid == pid))
		return;
	if (!known) {
		if (g_hash_table_size(u->users) >= MOST_ENDS)
			g_hash_table_remove_all(u->users);
		known = g_new0(struct user, 1);
		known->end = *end;
		g_hash_table_insert(u->users, known, known);
	}
	known->pid = pid;
	memcpy(known->comm, comm, sizeof(known->comm) - 1);
}

void socket_users_see(struct socket_users *u, const struct wall_bpf_socket *s, u64 inode, u32 pid,
		      const char comm[16])
{
	struct end end;

	if (find_end(&end, s, inode, false))
		see(u, &end, pid, comm);
}

void socket_users_see_peer(struct socket_users *u, const struct wall_bpf_socket *s, u32 pid,
			   const char comm[16])
{
	struct end end;

	if (find_end(&end, s, 0, true))
		see(u, &end, pid, comm);
}

char *socket_users_tell(const struct socket_users *u, const struct wall_bpf_socket *s, char *text)
{
	const struct user *user = NULL;
	struct end end;
	char *longer;

	if (text && find_end(&end, s, 0, true))
		user = g_hash_table_lookup(u->users, &end);
	if (!user)
		return text;
	longer = g_strdup_printf("%s of %s[%u]", text, user->comm, user->pid);
	g_free(text);
	return longer;
}
