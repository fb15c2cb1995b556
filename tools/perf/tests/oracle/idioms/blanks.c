// SPDX-License-Identifier: GPL-2.0-or-later
/* Connections that are cleared, copied and compared as wholes. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct address {
	uint32_t host;
	uint16_t port, family;
};

struct limits {
	double rate;
	unsigned int burst;
	int depth;
};

struct conn {
	int fd, state;
	struct address local, peer;
	struct limits limits;
	unsigned long sent, received;
	struct conn *next;
	char user[24];
};

/* Large enough for rep stos and rep movs. */
struct session {
	struct conn conns[4];
	unsigned int nr, max;
	unsigned long started;
	struct limits defaults;
	long histogram[48];
	struct session *parent;
};

struct small {
	long a, b;
};

__attribute__((noinline)) static void conn_reset(struct conn *c)
{
	memset(c, 0, sizeof(*c));
	c->fd = -1;
}

__attribute__((noinline)) static void session_init(struct session *s, struct session *parent)
{
	*s = (struct session){ .max = 4,
			       .parent = parent,
			       .defaults = { .rate = 1.5, .burst = 8 } };
}

__attribute__((noinline)) static void session_clear(struct session *s)
{
	memset(s, 0, sizeof(*s));
}

__attribute__((noinline)) static void session_copy(struct session *to, const struct session *from)
{
	*to = *from;
	to->parent = NULL;
}

__attribute__((noinline)) static void conn_copy(struct conn *to, const struct conn *from)
{
	*to = *from;
	to->next = NULL;
}

__attribute__((noinline)) static void histogram_clear(struct session *s)
{
	memset(s->histogram, 0, sizeof(s->histogram));
}

__attribute__((noinline)) static struct conn *session_add(struct session *s, int fd)
{
	struct conn *c = &s->conns[s->nr++ & 3];

	*c = (struct conn){ .fd = fd, .limits = s->defaults, .peer = { .port = 80 } };
	c->local = c->peer;
	snprintf(c->user, sizeof(c->user), "user%d", fd);
	return c;
}

__attribute__((noinline)) static int same_conn(const struct conn *a, const struct conn *b)
{
	return !memcmp(&a->local, &b->local, sizeof(a->local)) &&
	       !memcmp(&a->limits, &b->limits, sizeof(a->limits));
}

__attribute__((noinline)) static void swap(struct conn *a, struct conn *b)
{
	struct conn t = *a;

	*a = *b;
	*b = t;
}

__attribute__((noinline)) static struct small flip(struct small s)
{
	struct small r = { s.b, s.a };

	return r;
}

__attribute__((noinline)) static unsigned long total(struct session s)
{
	unsigned long sum = 0;

	for (unsigned int i = 0; i < s.nr; i++)
		sum += s.conns[i].sent + s.conns[i].received;
	for (int i = 0; i < 48; i++)
		sum += (unsigned long)s.histogram[i];
	return sum;
}

int main(void)
{
	struct session *a = create(struct session), *b = create(struct session);
	struct conn *spare = create(struct conn), local;
	struct small *pair = create(struct small);
	struct session scratch;
	unsigned long sum = 0;

	session_init(a, b);
	session_clear(b);
	for (int i = 0; i < 4; i++) {
		struct conn *c = session_add(a, 3 + i);

		c->sent = 100u * (unsigned int)i;
		c->received = 7;
		a->histogram[i * 5]++;
	}
	session_copy(b, a);
	swap(&b->conns[0], &b->conns[3]);
	conn_copy(spare, &a->conns[2]);
	conn_copy(&local, spare);
	sum += (unsigned long)same_conn(spare, &local) + (unsigned long)local.fd;
	conn_reset(spare);
	conn_reset(&b->conns[1]);
	session_init(&scratch, a);
	session_copy(&scratch, b);
	sum += total(scratch) + total(*a);
	histogram_clear(b);
	*pair = flip((struct small){ 3, 4 });
	sum += (unsigned long)pair->a + total(*b);
	printf("%lu %s %d\n", sum, a->conns[1].user, spare->fd);
	return 0;
}
