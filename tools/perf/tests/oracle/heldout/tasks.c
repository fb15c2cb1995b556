// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks as state machines on intrusive queues: timers in a heap, waiters, channels, an allocator of fixed blocks. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

#define NOINLINE	      __attribute__((noinline))
#define container_of(p, T, m) ((T *)((char *)(p)-offsetof(T, m)))

struct list {
	struct list *next, *prev;
};

struct task;
typedef int (*step)(struct task *);

struct wait_queue {
	struct list waiters;
	unsigned int nr;
};

struct waiter {
	struct list link;
	struct task *task;
	unsigned char exclusive;
	void (*wake)(struct waiter *, unsigned long);
};

struct timer {
	uint64_t when;
	int slot;
	void (*fire)(struct timer *);
};

struct task {
	int line; /* where to go on */
	unsigned short prio, state;
	uint64_t ran;
	struct list run, all;
	step step;
	struct timer timer;
	struct waiter waiter;
	char name[12];
	int result;
};

struct message {
	uint32_t from, len;
	union {
		double real;
		int64_t integer;
		struct {
			uint16_t a, b;
			uint32_t c;
		} part;
		char text[8];
	};
};

struct channel {
	struct wait_queue readers, writers;
	uint32_t head, tail;
	struct message ring[8];
};

struct producer {
	struct task task;
	struct channel *to;
	int left;
	double value;
};

struct consumer {
	uint64_t got;
	struct task task;
	struct channel *from;
	double sum;
	long counts[3];
};

struct pool_block {
	struct pool_block *next;
};

struct pool {
	struct pool_block *free;
	unsigned char *memory;
	uint32_t size, nr, used;
};

static struct {
	uint64_t now;
	struct list runnable[4], all;
	unsigned int bitmap;
	struct timer *heap[32];
	int nr_timers;
	struct task *current;
	uint64_t switches, wakes;
} sched;

static void list_init(struct list *l)
{
	l->next = l->prev = l;
}
static bool list_empty(const struct list *l)
{
	return l->next == l;
}

static void list_add_tail(struct list *n, struct list *head)
{
	n->prev = head->prev;
	n->next = head;
	head->prev->next = n;
	head->prev = n;
}

static void list_del(struct list *n)
{
	n->next->prev = n->prev;
	n->prev->next = n->next;
	n->next = n->prev = n;
}

NOINLINE void pool_init(struct pool *p, uint32_t size, uint32_t nr)
{
	p->size = size;
	p->nr = nr;
	p->memory = truth_alloc((size_t)size * nr, "unsigned char", (size_t)size * nr);
	p->free = NULL;
	for (uint32_t i = nr; i-- > 0;) {
		struct pool_block *b = (struct pool_block *)(p->memory + (size_t)i * size);
		placed(b, struct pool_block);
		b->next = p->free;
		p->free = b;
	}
}

NOINLINE void *pool_get(struct pool *p)
{
	struct pool_block *b = p->free;
	if (!b)
		return NULL;
	p->free = b->next;
	p->used++;
	return b;
}

NOINLINE void enqueue(struct task *t)
{
	list_add_tail(&t->run, &sched.runnable[t->prio]);
	sched.bitmap |= 1u << t->prio;
	t->state = 1;
}

NOINLINE struct task *pick(void)
{
	struct task *t;
	int prio;
	if (!sched.bitmap)
		return NULL;
	prio = __builtin_ctz(sched.bitmap);
	t = container_of(sched.runnable[prio].next, struct task, run);
	list_del(&t->run);
	if (list_empty(&sched.runnable[prio]))
		sched.bitmap &= ~(1u << prio);
	return t;
}

NOINLINE void sift_up(int i)
{
	struct timer *t = sched.heap[i];
	while (i > 0 && sched.heap[(i - 1) / 2]->when > t->when) {
		sched.heap[i] = sched.heap[(i - 1) / 2];
		sched.heap[i]->slot = i;
		i = (i - 1) / 2;
	}
	sched.heap[i] = t;
	t->slot = i;
}

NOINLINE void sift_down(int i)
{
	struct timer *t = sched.heap[i];
	for (;;) {
		int kid = 2 * i + 1;
		if (kid >= sched.nr_timers)
			break;
		if (kid + 1 < sched.nr_timers && sched.heap[kid + 1]->when < sched.heap[kid]->when)
			kid++;
		if (t->when <= sched.heap[kid]->when)
			break;
		(sched.heap[i] = sched.heap[kid])->slot = i;
		i = kid;
	}
	sched.heap[i] = t;
	t->slot = i;
}

NOINLINE void timer_arm(struct timer *t, uint64_t when)
{
	t->when = when;
	sched.heap[sched.nr_timers] = t;
	sift_up(sched.nr_timers++);
}

NOINLINE void timer_expire(void)
{
	while (sched.nr_timers && sched.heap[0]->when <= sched.now) {
		struct timer *t = sched.heap[0];
		sched.heap[0] = sched.heap[--sched.nr_timers];
		if (sched.nr_timers)
			sift_down(0);
		t->slot = -1;
		t->fire(t);
	}
}

NOINLINE void timer_wake(struct timer *t)
{
	struct task *task = container_of(t, struct task, timer);
	task->ran |= 1;
	enqueue(task);
}

NOINLINE void waiter_wake(struct waiter *w, unsigned long key)
{
	struct task *t = w->task;
	list_del(&w->link);
	t->result = (int)key;
	sched.wakes++;
	enqueue(t);
}

NOINLINE void wait_on(struct wait_queue *q, struct task *t, bool exclusive)
{
	t->waiter.exclusive = exclusive;
	t->waiter.task = t;
	t->waiter.wake = waiter_wake;
	t->state = 2;
	if (exclusive)
		list_add_tail(&t->waiter.link, &q->waiters);
	else
		list_add_tail(&t->waiter.link, q->waiters.next);
	q->nr++;
}

NOINLINE unsigned int wake_up(struct wait_queue *q, unsigned long key)
{
	unsigned int woken = 0;
	for (struct list *l = q->waiters.next, *next; l != &q->waiters; l = next) {
		struct waiter *w = container_of(l, struct waiter, link);
		bool last = w->exclusive;
		next = l->next;
		w->wake(w, key);
		q->nr--;
		woken++;
		if (last)
			break;
	}
	return woken;
}

#define BEGIN(t)                                                                                   \
	switch ((t)->line) {                                                                       \
	case 0:
#define YIELD(t)                                                                                   \
	do {                                                                                       \
		(t)->line = __LINE__;                                                              \
		return 1;                                                                          \
	case __LINE__:;                                                                            \
	} while (0)
#define END                                                                                        \
	}                                                                                          \
	return 0

NOINLINE int produce(struct task *t)
{
	struct producer *p = container_of(t, struct producer, task);
	struct message *m;
	BEGIN(t)
	while (p->left > 0) {
		while (p->to->head - p->to->tail == 8) {
			wait_on(&p->to->writers, t, true);
			YIELD(t);
		}
		m = &p->to->ring[p->to->head++ & 7];
		m->from = (uint32_t)p->left % 3;
		m->len = sizeof(*m);
		if (m->from == 0)
			m->real = p->value += 0.5;
		else if (m->from == 1)
			m->integer = p->left * 7l;
		else
			m->part.a = (uint16_t)p->left, m->part.b = 2, m->part.c = 77;
		p->left--;
		wake_up(&p->to->readers, m->from + 1);
		if (p->left % 5 == 0) {
			timer_arm(&t->timer, sched.now + (unsigned)p->left % 7);
			YIELD(t);
		}
	}
	END;
}

NOINLINE int consume(struct task *t)
{
	struct consumer *c = container_of(t, struct consumer, task);
	BEGIN(t)
	for (;;) {
		while (c->from->head == c->from->tail) {
			wait_on(&c->from->readers, t, c->got & 1);
			YIELD(t);
		}
		const struct message *m = &c->from->ring[c->from->tail++ & 7];
		c->counts[m->from]++;
		c->got++;
		switch (m->from) {
		case 0:
			c->sum += m->real;
			break;
		case 1:
			c->sum += (double)m->integer;
			break;
		default:
			c->sum += m->part.a * m->part.b + m->part.c;
		}
		wake_up(&c->from->writers, 9);
		if ((c->got & 3) == 0) {
			enqueue(t);
			YIELD(t);
		}
	}
	END;
}

NOINLINE void task_init(struct task *t, step s, unsigned short prio, const char *name)
{
	memset(t, 0, sizeof(*t));
	t->step = s;
	t->prio = prio;
	t->timer.fire = timer_wake;
	strncpy(t->name, name, sizeof(t->name) - 1);
	list_add_tail(&t->all, &sched.all);
	enqueue(t);
}

NOINLINE void run(void)
{
	for (sched.now = 0; sched.now < 200; sched.now++) {
		struct task *t;
		timer_expire();
		while ((t = pick())) {
			sched.current = t;
			sched.switches++;
			t->ran += 2;
			if (!t->step(t)) {
				t->state = 3;
				list_del(&t->all);
			}
		}
	}
}

int main(void)
{
	struct pool pool;
	struct channel *ch = create(struct channel);
	struct consumer *c = create(struct consumer);
	uint64_t left = 0;

	for (int i = 0; i < 4; i++)
		list_init(&sched.runnable[i]);
	list_init(&sched.all);
	list_init(&ch->readers.waiters);
	list_init(&ch->writers.waiters);
	pool_init(&pool, sizeof(struct producer), 6);
	for (int i = 0; i < 5; i++) {
		struct producer *p = pool_get(&pool);
		char name[12] = "producer0";
		placed(p, struct producer);
		name[8] = (char)('0' + i);
		task_init(&p->task, produce, (unsigned short)(i & 3), name);
		p->to = ch;
		p->left = 20 + i;
		p->value = i;
	}
	task_init(&c->task, consume, 2, "consumer");
	c->from = ch;
	run();
	for (struct list *l = sched.all.next; l != &sched.all; l = l->next)
		left += container_of(l, struct task, all)->ran +
			(unsigned char)container_of(l, struct task, all)->name[0];
	printf("%.2f %lu %ld/%ld/%ld %lu %lu %lu %u\n", c->sum, c->got, c->counts[0], c->counts[1],
	       c->counts[2], sched.switches, sched.wakes, left, pool.used);
	return 0;
}
