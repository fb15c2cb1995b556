// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/messages.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#define MOST_AHEAD ((s64)1 << 61) /* ns: damaged files have any times */

/* A connection, as the sender of the message has it. */
struct connection {
	u8 from[16], to[16];
	u16 from_port, to_port;
};

struct message {
	struct connection on;
	u32 end;
	u32 host, thread, activity;
	u64 time;
};

/* messages_add_call() */
struct message_call {
	u32 from_host, host;
	u64 sent, begun, ended, received;
};

struct messages {
	GArray *calls;		 /* struct message_call */
	GArray *sent, *received; /* struct message; after sealing by connection and end */
};

struct messages *messages_new(void)
{
	struct messages *m = g_new0(struct messages, 1);

	m->calls = g_array_new(FALSE, FALSE, sizeof(struct message_call));
	m->sent = g_array_new(FALSE, FALSE, sizeof(struct message));
	m->received = g_array_new(FALSE, FALSE, sizeof(struct message));
	return m;
}

void messages_free(struct messages *m)
{
	if (!m)
		return;
	g_array_unref(m->calls);
	g_array_unref(m->sent);
	g_array_unref(m->received);
	g_free(m);
}

/* As IPv6 has it: one end of a connection may use IPv4, and the other one ::ffff:1.2.3.4. */
static void set_address(u8 *to, const u8 *address, u16 family)
{
	if (family != AF_INET) {
		memcpy(to, address, 16);
		return;
	}
	to[10] = to[11] = 0xff;
	memcpy(to + 12, address, 4);
}

void messages_add(struct messages *m, const struct wall_message *w, u32 host, u32 thread,
		  u32 activity, u64 time)
{
	GArray *list = w->received ? m->received : m->sent;
	struct message new = {
		.end = w->end, .host = host, .thread = thread, .activity = activity, .time = time
	};

	if (list->len >= MESSAGES_MOST)
		return;
	new.on.from_port = w->received ? w->remote_port : w->local_port;
	new.on.to_port = w->received ? w->local_port : w->remote_port;
	set_address(new.on.from, w->received ? w->remote : w->local, w->family);
	set_address(new.on.to, w->received ? w->local : w->remote, w->family);
	g_array_append_val(list, new);
}

void messages_add_call(struct messages *m, u32 from_host, u32 host, u64 sent, u64 begun, u64 ended,
		       u64 received)
{
	const struct message_call call = { from_host, host, sent, begun, ended, received };

	if (m->calls->len < MESSAGES_MOST)
		g_array_append_val(m->calls, call);
}

static int by_connection(const void *pa, const void *pb)
{
	const struct message *a = pa, *b = pb;

	return memcmp(&a->on, &b->on, sizeof(a->on)) ?: (a->end > b->end) - (a->end < b->end);
}

/* Of several with one end, the first one has sent the bytes. */
static int by_time_too(const void *pa, const void *pb)
{
	const struct message *a = pa, *b = pb;

	return by_connection(a, b) ?: (a->time > b->time) - (a->time < b->time);
}

static void sort(GArray *list)
{
	if (list->len)
		qsort(list->data, list->len, sizeof(struct message), by_time_too);
}

/* Without what was received, nobody asks for what was sent. */
void messages_seal(struct messages *m)
{
	if (!m->received->len)
		g_array_set_size(m->sent, 0);
	sort(m->sent);
	sort(m->received);
}

/*
 * Both lists are in order. What was received twice up to the same byte, the first one has received. Numbers come again after 4 GB, and
 * ports with a new connection: if two sent up to the same number, nobody knows which one it was.
 */
void messages_each_pair(const struct messages *m, message_fn *fn, void *arg)
{
	const struct message *sent = (const void *)m->sent->data;
	const struct message *received = (const void *)m->received->data;
	u32 i = 0;

	for (u32 k = 0; k < m->received->len; k++) {
		const struct message *r = &received[k];

		while (i < m->sent->len && by_connection(&sent[i], r) < 0)
			i++;
		if (i == m->sent->len)
			return;
		if (by_connection(&sent[i], r) || (k && !by_connection(&r[-1], r)) ||
		    (i + 1 < m->sent->len && !by_connection(&sent[i], &sent[i + 1])))
			continue;
		fn(&(struct message_pair){ .sent = sent[i].time,
					   .received = r->time,
					   .from_host = sent[i].host,
					   .to_host = r->host,
					   .from = sent[i].thread,
					   .to = r->thread,
					   .activity = sent[i].activity },
		   arg);
	}
}

/* Of messages from one host to another: how many, and the smallest time that one took, by the two clocks. */
struct message_lane {
	u32 nr;
	s64 least;
};

struct message_lanes {
	u32 nr;
	struct message_lane *lane;  /* nr * nr: from * nr + to */
	struct message_lane *calls; /* the same, where there are no messages */
};

static void take_time(struct message_lane *lane, u64 sent, u64 received)
{
	s64 took = CLAMP((s64)(received - sent), -MOST_AHEAD, MOST_AHEAD);

	if (!lane->nr++ || took < lane->least)
		lane->least = took;
}

static void take_pair(const struct message_pair *pair, void *arg)
{
	struct message_lanes *lanes = arg;

	if (pair->from_host >= lanes->nr || pair->to_host >= lanes->nr ||
	    pair->from_host == pair->to_host)
		return;
	take_time(&lanes->lane[(size_t)pair->from_host * lanes->nr + pair->to_host], pair->sent,
		  pair->received);
}

static void take_calls(const struct messages *m, struct message_lanes *lanes)
{
	for (u32 i = 0; i < m->calls->len; i++) {
		const struct message_call *c = &g_array_index(m->calls, struct message_call, i);

		if (c->from_host >= lanes->nr || c->host >= lanes->nr || c->from_host == c->host)
			continue;
		take_time(&lanes->calls[(size_t)c->from_host * lanes->nr + c->host], c->sent,
			  c->begun);
		take_time(&lanes->calls[(size_t)c->host * lanes->nr + c->from_host], c->ended,
			  c->received);
	}
}

/* How far the clock of @host is ahead of that of @with. Clocks that agree as far as anybody can tell are left as they are. */
static struct message_clock compare(const struct message_lanes *lanes, u32 with, u32 host)
{
	size_t to = (size_t)with * lanes->nr + host, from = (size_t)host * lanes->nr + with;
	bool by_calls = !lanes->lane[to].nr || !lanes->lane[from].nr;
	const struct message_lane *all = by_calls ? lanes->calls : lanes->lane;
	const struct message_lane *there = &all[to], *back = &all[from];
	struct message_clock c = {
		.with = with, .there = there->nr, .back = back->nr, .error = UINT64_MAX
	};
	s64 most = there->least, least = -back->least;

	c.by_calls = by_calls;
	c.no_fit = by_calls && there->nr && most < least;
	c.is_known = there->nr && back->nr && !c.no_fit;
	if (!c.is_known)
		return c;
	c.ahead = least + (most - least) / 2;
	c.error = ((u64)llabs(most - least) + 1) / 2;
	if ((u64)llabs(c.ahead) <= c.error)
		c.ahead = 0;
	return c;
}

/* The host whose clock is known best by those that are known already. False: there is none. */
static bool find_next(const struct message_lanes *lanes, struct message_clock *clocks, u32 *next,
		      struct message_clock *found)
{
	bool any = false;

	for (u32 with = 0; with < lanes->nr; with++) {
		if (!clocks[with].is_known)
			continue;
		for (u32 i = 0; i < lanes->nr; i++) {
			struct message_clock c = compare(lanes, with, i);

			clocks[i].no_fit |= !clocks[i].is_known && c.no_fit;
			if (clocks[i].is_known || !c.is_known || (any && c.error >= found->error))
				continue;
			*found = c;
			*next = i;
			any = true;
		}
	}
	return any;
}

struct message_clock *messages_clocks(const struct messages *m, u32 nr)
{
	struct message_clock *clocks = g_new0(struct message_clock, nr), found;
	g_autofree struct message_lane *lane = g_new0(struct message_lane, (gsize)nr * nr);
	g_autofree struct message_lane *calls = g_new0(struct message_lane, (gsize)nr * nr);
	struct message_lanes lanes = { nr, lane, calls };
	u32 next;

	messages_each_pair(m, take_pair, &lanes);
	take_calls(m, &lanes);
	for (u32 i = 0; i < nr; i++)
		clocks[i] = (struct message_clock){ .is_known = !i, .error = i ? UINT64_MAX : 0 };
	while (find_next(&lanes, clocks, &next, &found)) {
		clocks[next] = found;
		clocks[next].correction =
			(s64)((u64)clocks[found.with].correction - (u64)found.ahead);
	}
	return clocks;
}

u64 messages_error(const struct message_clock *clocks, u32 host)
{
	u64 sum = 0;

	for (; host; host = clocks[host].with) {
		if (!clocks[host].is_known)
			return UINT64_MAX;
		sum += clocks[host].error;
	}
	return sum;
}
