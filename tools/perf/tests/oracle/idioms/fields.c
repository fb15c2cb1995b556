// SPDX-License-Identifier: GPL-2.0-or-later
/* Records described by tables of offsets, packets of bit fields, unions without names. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

enum kind { U8, U16, U32, U64, F64 };

struct field {
	const char *name;
	size_t offset;
	enum kind kind;
};

struct record {
	uint64_t id;
	uint32_t price, volume;
	uint8_t side, venue;
	uint16_t flags;
	double score;
	uint64_t times[3];
};

static const struct field fields[] = {
	{ "id", offsetof(struct record, id), U64 },
	{ "price", offsetof(struct record, price), U32 },
	{ "volume", offsetof(struct record, volume), U32 },
	{ "side", offsetof(struct record, side), U8 },
	{ "flags", offsetof(struct record, flags), U16 },
	{ "score", offsetof(struct record, score), F64 },
};

struct packet {
	unsigned int version : 4, length : 12, urgent : 1, window : 15;
	uint32_t sequence;
	union {
		struct {
			uint16_t from, to;
		};
		uint32_t ports;
	};
	union {
		uint64_t raw;
		uint8_t bytes[8];
		struct {
			uint32_t low, high;
		} half;
		double real;
	} body;
	uint16_t check;
};

struct option {
	int type;
	union {
		long number;
		const char *text;
		struct {
			short x, y;
		} point;
		struct packet *packet;
	};
	struct option *next;
};

__attribute__((noinline)) static double get(const struct record *r, const struct field *f)
{
	const char *at = (const char *)r + f->offset;

	switch (f->kind) {
	case U8:
		return *(const uint8_t *)at;
	case U16:
		return *(const uint16_t *)at;
	case U32:
		return *(const uint32_t *)at;
	case U64:
		return (double)*(const uint64_t *)at;
	default:
		return *(const double *)at;
	}
}

__attribute__((noinline)) static void set32(struct record *r, size_t offset, uint32_t x)
{
	*(uint32_t *)((char *)r + offset) = x;
}

/* The offset counts bytes, from a table. */
__attribute__((noinline)) static uint64_t sum_words(const struct record *r,
						    const unsigned char *offsets, int n)
{
	uint64_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += *(const uint64_t *)((const char *)r + offsets[i]);
	return sum;
}

__attribute__((noinline)) static unsigned int checksum(const void *data, size_t size)
{
	const unsigned char *p = data;
	unsigned int sum = 0;

	for (size_t i = 0; i < size; i++)
		sum = (sum << 1 | sum >> 31) ^ p[i];
	return sum;
}

__attribute__((noinline)) static void seal(struct packet *p, unsigned int length, int urgent)
{
	p->version = 4;
	p->length = length & 4095;
	p->urgent = urgent;
	p->window += 3;
	p->sequence++;
	p->from = 99;
	p->to = (uint16_t)(p->from + length);
	p->body.bytes[length & 7] ^= 0x5a;
	p->check = (uint16_t)checksum(p, offsetof(struct packet, check));
}

__attribute__((noinline)) static uint64_t open_packet(const struct packet *p)
{
	uint64_t r = p->length + p->window + p->ports;

	if (p->urgent)
		r += p->body.half.high;
	else
		r += p->body.raw >> 3;
	return r + p->check;
}

__attribute__((noinline)) static long value(const struct option *o)
{
	long sum = 0;

	for (; o; o = o->next)
		switch (o->type) {
		case 0:
			sum += o->number;
			break;
		case 1:
			sum += o->text[0];
			break;
		case 2:
			sum += o->point.x * o->point.y;
			break;
		default:
			sum += o->packet->sequence + o->packet->body.half.low;
		}
	return sum;
}

int main(void)
{
	struct record *r = create(struct record);
	struct packet *p = create(struct packet);
	struct option *o = NULL;
	static const unsigned char offsets[] = { offsetof(struct record, id),
						 offsetof(struct record, times),
						 offsetof(struct record, times) + 16 };
	double sum = 0;

	r->id = 4711;
	r->times[2] = 99;
	r->score = 0.5;
	set32(r, offsetof(struct record, price), 120);
	set32(r, offsetof(struct record, volume), 30);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		sum += get(r, &fields[i]);
	sum += (double)sum_words(r, offsets, 3);
	for (unsigned int i = 0; i < 6; i++) {
		struct option *n = create(struct option);

		seal(p, 100 + i, i & 1);
		sum += (double)open_packet(p);
		n->type = (int)(i & 3);
		if (n->type == 0)
			n->number = i;
		else if (n->type == 1)
			n->text = "text";
		else if (n->type == 2)
			n->point.x = n->point.y = (short)i;
		else
			n->packet = p;
		n->next = o;
		o = n;
	}
	printf("%.1f %ld %u\n", sum, value(o), checksum(r, sizeof(*r)));
	return 0;
}
