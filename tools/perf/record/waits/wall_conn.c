// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/waits/wall_conn.h"

#include <arpa/inet.h>
#include <glib.h>
#include <inttypes.h>
#include <linux/netlink.h>
#include <linux/types.h>
#include <string.h>
#include <sys/socket.h>

#include "bpf/wall.h"

#define STATE_CLOSE 7 /* also of sockets that know no connections, such as UDP */

/* The states of TCP. Connected UDP sockets are ESTABLISHED, too. */
static const char *state_name(u8 state)
{
	static const char *const names[] = { NULL,	   "ESTABLISHED", "SYN_SENT",  "SYN_RECV",
					     "FIN_WAIT1",  "FIN_WAIT2",	  "TIME_WAIT", "CLOSE",
					     "CLOSE_WAIT", "LAST_ACK",	  "LISTEN",    "CLOSING" };

	return state < ARRAY_SIZE(names) && names[state] ? names[state] : "?";
}

/* "TCP" of the kernel's "TCPv6": the addresses show it. */
static GString *protocol_of(const struct wall_bpf_socket *s)
{
	GString *text = g_string_new(NULL);

	g_string_append_len(text, s->protocol, (gssize)strnlen(s->protocol, sizeof(s->protocol)));
	if (g_str_has_suffix(text->str, "v6"))
		g_string_truncate(text, text->len - 2);
	return text;
}

static void append_end(GString *text, u16 family, const u8 *address, u16 port)
{
	char shown[INET6_ADDRSTRLEN] = "?";

	inet_ntop(family, address, shown, sizeof(shown));
	g_string_append_printf(text, family == AF_INET6 ? "[%s]:%u" : "%s:%u", shown, port);
}

static void append_inet(GString *text, const struct wall_bpf_socket *s)
{
	if (!s->local_port && !s->remote_port)
		return;
	g_string_append_c(text, ' ');
	append_end(text, s->family, s->local, s->local_port);
	if (s->remote_port) {
		g_string_append(text, "->");
		append_end(text, s->family, s->remote, s->remote_port);
	}
	if (s->state != STATE_CLOSE || g_str_has_prefix(text->str, "TCP"))
		g_string_append_printf(text, " %s", state_name(s->state));
}

static void append_netlink(GString *text, u16 number)
{
	static const char *const names[] = {
		[NETLINK_ROUTE] = "ROUTE",	   [NETLINK_USERSOCK] = "USERSOCK",
		[NETLINK_SOCK_DIAG] = "SOCK_DIAG", [NETLINK_NFLOG] = "NFLOG",
		[NETLINK_XFRM] = "XFRM",	   [NETLINK_SELINUX] = "SELINUX",
		[NETLINK_ISCSI] = "ISCSI",	   [NETLINK_AUDIT] = "AUDIT",
		[NETLINK_CONNECTOR] = "CONNECTOR", [NETLINK_NETFILTER] = "NETFILTER",
		[NETLINK_GENERIC] = "GENERIC",	   [NETLINK_KOBJECT_UEVENT] = "KOBJECT_UEVENT",
		[NETLINK_RDMA] = "RDMA",	   [NETLINK_CRYPTO] = "CRYPTO",
	};

	if (number < ARRAY_SIZE(names) && names[number])
		g_string_append_printf(text, " %s", names[number]);
	else
		g_string_append_printf(text, " %u", number);
}

static void set_unix(GString *text, const struct wall_bpf_socket *s, u64 inode)
{
	g_string_printf(text, "unix:[%" PRIu64 "]", inode);
	if (s->peer_inode)
		g_string_append_printf(text, "->[%" PRIu64 "]", (u64)s->peer_inode);
	if (s->peer_pid)
		g_string_append_printf(text, " pid %u", s->peer_pid);
}

char *wall_conn_text(const struct wall_bpf_socket *s, u64 inode)
{
	g_autoptr(GString) text = protocol_of(s);

	if (s->family == AF_UNIX || g_str_has_prefix(text->str, "UNIX"))
		set_unix(text, s, inode);
	else if (s->family == AF_INET || s->family == AF_INET6)
		append_inet(text, s);
	else if (s->family == AF_NETLINK)
		append_netlink(text, s->number);
	return text->len ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}
