// SPDX-License-Identifier: GPL-2.0-or-later
/* Queues in rings: messages by value, bytes with a wrap, a timer wheel, a gap buffer with undo. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct message {
	uint32_t from, kind;
	uint64_t payload[2];
};

struct ring {
	uint32_t head, tail;
	struct message slots[8];
	uint64_t dropped;
};

struct pipe {
	uint16_t in, out;
	uint8_t bytes[64];
	uint32_t wraps;
};

struct timer {
	struct timer *next, **link;
	uint32_t when;
	int fired;
};

struct wheel {
	uint32_t now;
	struct timer *near[16];
	struct timer *far[4];
	int pending;
};

struct edit {
	int at;
	char what;
	uint8_t insert;
};

struct buffer {
	char text[48];
	int gap, gap_end;
	struct edit undo[16];
	int nr_undo;
	int saved;
};

__attribute__((noinline)) static int ring_put(struct ring *r, const struct message *m)
{
	if (r->head - r->tail == 8) {
		r->dropped++;
		return 0;
	}
	r->slots[r->head & 7] = *m;
	r->head++;
	return 1;
}

__attribute__((noinline)) static int ring_get(struct ring *r, struct message *m)
{
	if (r->head == r->tail)
		return 0;
	*m = r->slots[r->tail++ & 7];
	return 1;
}

__attribute__((noinline)) static uint64_t ring_peek_last(const struct ring *r)
{
	return r->slots[(r->head - 1) & 7].payload[1] + r->slots[(r->head - 1) % 8].from;
}

__attribute__((noinline)) static void pipe_put(struct pipe *p, uint64_t x)
{
	do {
		p->bytes[p->in] = (uint8_t)((x & 127) | (x > 127 ? 128 : 0));
		if (++p->in == sizeof(p->bytes)) {
			p->in = 0;
			p->wraps++;
		}
	} while (x >>= 7);
}

__attribute__((noinline)) static uint64_t pipe_get(struct pipe *p)
{
	uint64_t x = 0;

	for (int shift = 0;; shift += 7) {
		uint8_t b = p->bytes[p->out];

		p->out = (uint16_t)((p->out + 1) % sizeof(p->bytes));
		x |= (uint64_t)(b & 127) << shift;
		if (!(b & 128))
			return x;
	}
}

__attribute__((noinline)) static void arm(struct wheel *w, struct timer *t, uint32_t when)
{
	struct timer **list;

	if (when - w->now < 16)
		list = &w->near[when & 15];
	else
		list = &w->far[when >> 4 & 3];
	t->when = when;
	t->next = *list;
	t->link = list;
	if (t->next)
		t->next->link = &t->next;
	*list = t;
	w->pending++;
}

static void disarm(struct wheel *w, struct timer *t)
{
	*t->link = t->next;
	if (t->next)
		t->next->link = t->link;
	w->pending--;
}

__attribute__((noinline)) static void tick(struct wheel *w)
{
	struct timer **list;

	if (!(++w->now & 15)) {
		struct timer *t = w->far[w->now >> 4 & 3];

		w->far[w->now >> 4 & 3] = NULL;
		while (t) {
			struct timer *next = t->next;

			w->pending--;
			arm(w, t, t->when);
			t = next;
		}
	}
	list = &w->near[w->now & 15];
	while (*list) {
		struct timer *t = *list;

		disarm(w, t);
		t->fired++;
	}
}

static void move_gap(struct buffer *b, int at)
{
	while (b->gap > at)
		b->text[--b->gap_end] = b->text[--b->gap];
	while (b->gap < at)
		b->text[b->gap++] = b->text[b->gap_end++];
}

__attribute__((noinline)) static void type_char(struct buffer *b, int at, char c)
{
	move_gap(b, at);
	b->text[b->gap++] = c;
	b->undo[b->nr_undo++ & 15] = (struct edit){ at, c, 1 };
}

__attribute__((noinline)) static int undo(struct buffer *b)
{
	struct edit *e;

	if (!b->nr_undo)
		return 0;
	e = &b->undo[--b->nr_undo];
	move_gap(b, e->at);
	if (e->insert)
		b->gap_end++;
	if (b->nr_undo && b->undo[b->nr_undo - 1].at == e->at)
		b->saved++;
	return 1;
}

int main(void)
{
	struct ring *r = create(struct ring);
	struct pipe *p = create(struct pipe);
	struct wheel *w = create(struct wheel);
	struct buffer *b = create(struct buffer);
	struct timer *timers = new_array(struct timer, 12);
	struct message m = { 1, 2, { 3, 4 } };
	uint64_t sum = 0;

	for (uint32_t i = 0; i < 12; i++) {
		m.from = i;
		ring_put(r, &m);
		sum += ring_peek_last(r);
		if (i & 1)
			sum += (uint64_t)ring_get(r, &m);
	}
	for (uint64_t i = 1; i < 40; i++) {
		pipe_put(p, i * i * i);
		sum += pipe_get(p);
	}
	for (uint32_t i = 0; i < 12; i++)
		arm(w, &timers[i], i * 4 + 1);
	for (int i = 0; i < 50; i++)
		tick(w);
	b->gap_end = sizeof(b->text);
	for (int i = 0; i < 12; i++)
		type_char(b, i * 5 % (i + 1), (char)('a' + i));
	while (undo(b))
		;
	printf("%lu %u %d %d %lu\n", (unsigned long)sum, p->wraps, w->pending, b->saved,
	       (unsigned long)r->dropped);
	return 0;
}
