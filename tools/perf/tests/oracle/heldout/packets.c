// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets: headers of lengths that they state themselves, options, flows in a hash table, rules as a tree of byte tests. */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

#define NOINLINE __attribute__((noinline))

struct ether {
	uint8_t to[6], from[6];
	uint16_t type;
} __attribute__((packed));

struct ipv4 {
	uint8_t ihl : 4, version : 4;
	uint8_t tos;
	uint16_t len, id, frag;
	uint8_t ttl, proto;
	uint16_t check;
	uint32_t from, to;
};

struct tcp {
	uint16_t from, to;
	uint32_t seq, ack;
	uint16_t flags;
	uint16_t window, check, urgent;
};

struct udp {
	uint16_t from, to, len, check;
};

struct dns {
	uint16_t id, flags, questions, answers, authority, additional;
};

struct key {
	uint32_t a, b;
	uint16_t port_a, port_b;
	uint8_t proto;
};

enum state { NEW, SYN, OPEN, CLOSING, CLOSED };

struct half {
	uint32_t seq, ack;
	uint64_t bytes;
	uint16_t window;
	uint8_t scale;
};

struct flow {
	struct flow *next;
	struct key key;
	enum state state;
	struct half side[2];
	double rate;
	uint64_t first, last;
	struct timestamp {
		uint32_t value, echo;
	} stamps[2];
};

struct rule {
	uint8_t offset, mask, value;
	bool leaf;
	union {
		struct {
			struct rule *yes, *no;
		};
		struct {
			int action;
			float weight;
			uint64_t hits;
		};
	};
};

struct packet {
	const uint8_t *data, *end;
	uint64_t when;
	const struct ipv4 *ip;
	const uint8_t *payload;
};

static struct flow *flows[16];
static struct {
	uint64_t packets, bytes, bad;
	uint32_t by_proto[3];
	struct {
		uint16_t port;
		uint32_t count;
	} ports[8];
} stats;
static uint16_t sum_fold(uint32_t s)
{
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return (uint16_t)~s;
}

NOINLINE uint16_t checksum(const void *data, size_t len)
{
	const uint16_t *p = data;
	uint32_t s = 0;
	for (; len > 1; len -= 2)
		s += *p++;
	if (len)
		s += *(const uint8_t *)p;
	return sum_fold(s);
}

NOINLINE bool parse_ip(struct packet *p)
{
	const struct ether *e = (const struct ether *)p->data;
	const struct ipv4 *ip = (const struct ipv4 *)(e + 1);
	if (ntohs(e->type) != 0x800 || p->data + sizeof(*e) + sizeof(*ip) > p->end)
		return false;
	if (ip->version != 4 || (const uint8_t *)ip + ip->ihl * 4 > p->end)
		return false;
	p->ip = ip;
	p->payload = (const uint8_t *)ip + ip->ihl * 4;
	stats.by_proto[ip->proto == 6 ? 0 : ip->proto == 17 ? 1 : 2]++;
	return true;
}

NOINLINE uint32_t hash_key(const struct key *k)
{
	uint32_t h = k->a * 0x9e3779b1u ^ k->b;
	h = (h ^ k->port_a) * 0x85ebca6bu ^ k->port_b;
	return h ^ k->proto ^ h >> 15;
}

NOINLINE struct flow *find_flow(const struct key *k, uint64_t now)
{
	struct flow **at = &flows[hash_key(k) & 15], *f;
	for (f = *at; f; at = &f->next, f = *at)
		if (f->key.a == k->a && f->key.b == k->b && f->key.port_a == k->port_a &&
		    f->key.port_b == k->port_b && f->key.proto == k->proto)
			break;
	if (!f) {
		f = create(struct flow);
		f->key = *k;
		f->first = now;
		*at = f;
	}
	f->last = now;
	return f;
}

NOINLINE void parse_options(struct flow *f, int side, const uint8_t *o, const uint8_t *end)
{
	while (o < end) {
		switch (*o) {
		case 0:
			return;
		case 1:
			o++;
			continue;
		case 3:
			f->side[side].scale = o[2];
			break;
		case 8:
			f->stamps[side].value = ntohl(*(const uint32_t *)(o + 2));
			f->stamps[side].echo = ntohl(*(const uint32_t *)(o + 6));
			break;
		}
		if (o[1] < 2)
			return;
		o += o[1];
	}
}

NOINLINE void track_tcp(const struct packet *p)
{
	const struct tcp *t = (const struct tcp *)p->payload;
	uint16_t flags = ntohs(t->flags);
	unsigned int header = (flags >> 12) * 4;
	bool swap = ntohs(t->from) > ntohs(t->to);
	struct key k = { p->ip->from, p->ip->to, t->from, t->to, p->ip->proto };
	struct flow *f;
	struct half *h;
	uint32_t len = ntohs(p->ip->len) - p->ip->ihl * 4u - header;
	if (swap)
		k = (struct key){ k.b, k.a, k.port_b, k.port_a, k.proto };
	f = find_flow(&k, p->when);
	h = &f->side[swap];
	switch (f->state) {
	case NEW:
		f->state = flags & 2 ? SYN : OPEN;
		break;
	case SYN:
		if (flags & 0x10)
			f->state = OPEN;
		break;
	case OPEN:
		if (flags & 5)
			f->state = CLOSING;
		break;
	case CLOSING:
		f->state = flags & 1 ? CLOSED : CLOSING;
		break;
	default:
		f->side[!swap].ack = 0;
	}
	h->seq = ntohl(t->seq);
	h->ack = ntohl(t->ack);
	h->window = ntohs(t->window);
	h->bytes += len;
	if (header > sizeof(*t))
		parse_options(f, swap, (const uint8_t *)(t + 1), p->payload + header);
	f->rate = (double)(f->side[0].bytes + f->side[1].bytes) / (double)(f->last - f->first + 1);
}

NOINLINE unsigned int parse_name(const uint8_t *p, char *out)
{
	unsigned int n = 0;
	while (*p) {
		memcpy(out + n, p + 1, *p);
		n += *p;
		out[n++] = '.';
		p += *p + 1;
	}
	out[n] = 0;
	return n;
}

NOINLINE unsigned int track_udp(const struct packet *p)
{
	const struct udp *u = (const struct udp *)(const void *)p->payload;
	char name[64];
	for (int i = 0; i < 8; i++)
		if (stats.ports[i].port == u->to || !stats.ports[i].port) {
			stats.ports[i].port = u->to;
			stats.ports[i].count++;
			break;
		}
	if (ntohs(u->to) == 53) {
		const struct dns *d = (const struct dns *)(u + 1);
		if (ntohs(d->questions) == 1)
			return parse_name((const uint8_t *)(d + 1), name) + ntohs(d->id);
	}
	return ntohs(u->len);
}

NOINLINE struct rule *make_rule(int depth, unsigned int seed)
{
	struct rule *r = create(struct rule);
	if (!depth) {
		r->leaf = true;
		r->action = (int)(seed % 5);
		r->weight = (float)seed * 0.25f;
		return r;
	}
	r->offset = (uint8_t)(12 + seed % 20);
	r->mask = (uint8_t)(1 << seed % 8);
	r->value = (uint8_t)(seed & r->mask);
	r->yes = make_rule(depth - 1, seed * 5 + 1);
	r->no = make_rule(depth - 1, seed * 3 + 2);
	return r;
}

NOINLINE float match(struct rule *r, const struct packet *p)
{
	while (!r->leaf)
		r = (p->data[r->offset] & r->mask) == r->value ? r->yes : r->no;
	r->hits++;
	return r->weight * (float)r->action;
}

NOINLINE size_t build(uint8_t *buffer, unsigned int i)
{
	struct ether *e = (struct ether *)buffer;
	struct ipv4 *ip;
	uint8_t *rest;
	placed(e, struct ether);
	memset(e->to, (int)i, 6);
	memset(e->from, 0x77, 6);
	e->type = htons(i % 11 ? 0x800 : 0x86dd);
	ip = (struct ipv4 *)(e + 1);
	placed(ip, struct ipv4);
	ip->version = 4;
	ip->ihl = i % 4 ? 5 : 7;
	ip->proto = i % 3 ? 6 : 17;
	ip->ttl = 64;
	ip->from = i % 2 ? 0x0100007f : 0x0200007f;
	ip->to = i % 2 ? 0x0200007f : 0x0100007f;
	rest = (uint8_t *)ip + ip->ihl * 4;
	if (ip->proto == 6) {
		struct tcp *t = (struct tcp *)rest;
		bool options = i % 5 == 0;
		placed(t, struct tcp);
		t->from = htons(i % 2 ? 80 : 1024);
		t->to = htons(i % 2 ? 1024 : 80);
		t->seq = htonl(i * 100);
		t->flags = htons((uint16_t)((options ? 8 : 5) << 12 | (i < 3	? 2
								       : i > 70 ? 1
										: 0x10)));
		rest = (uint8_t *)(t + 1);
		if (options) {
			static const uint8_t some[] = { 3, 3, 7, 8, 10, 0, 0, 1, 0, 0, 0, 2 };
			truth_object(rest, sizeof(some), "unsigned char", 13, sizeof(some));
			memcpy(rest, some, sizeof(some));
			rest += sizeof(some);
		}
	} else {
		struct udp *u = (struct udp *)rest;
		struct dns *d = (struct dns *)(u + 1);
		placed(u, struct udp);
		placed(d, struct dns);
		u->to = htons(i % 2 ? 53 : (uint16_t)(100 + i % 3));
		u->len = htons(40);
		d->id = htons((uint16_t)i);
		d->questions = htons(1);
		rest = (uint8_t *)(d + 1);
		truth_object(rest, 13, "unsigned char", 13, 13);
		memcpy(rest, "\3www\7example", 13);
		rest += 13;
	}
	ip->len = htons((uint16_t)(rest - (uint8_t *)ip + i % 50));
	ip->check = checksum(ip, ip->ihl * 4u);
	return (size_t)(rest - buffer);
}

int main(void)
{
	struct rule *rules = make_rule(4, 7);
	uint8_t *buffer = truth_alloc(256, "unsigned char", 256);
	double sum = 0;
	unsigned int names = 0;

	for (unsigned int i = 1; i < 90; i++) {
		struct packet p = { .data = buffer, .when = i * 10 };
		size_t len = build(buffer, i);
		p.end = buffer + len;
		stats.packets++;
		stats.bytes += len;
		sum += (double)match(rules, &p);
		if (!parse_ip(&p)) {
			stats.bad++;
			continue;
		}
		if (p.ip->proto == 6)
			track_tcp(&p);
		else
			names += track_udp(&p);
	}
	for (int i = 0; i < 16; i++)
		for (const struct flow *f = flows[i]; f; f = f->next)
			sum += f->rate + f->state + f->stamps[0].value + f->stamps[1].echo +
			       f->side[1].scale;
	printf("%.3f %u %lu/%lu/%lu %u/%u/%u\n", sum, names, stats.packets, stats.bytes, stats.bad,
	       stats.by_proto[0], stats.by_proto[1], stats.by_proto[2]);
	return 0;
}
