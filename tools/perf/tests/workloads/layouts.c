// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * layouts SHAPE [ROUNDS]: does one thing with one structure, whose members are in an order that suits it badly, or well. A comment before each
 * structure says what perf advise should propose first: "reorder: members" (those are then side by side), "close", "align", "nothing". The
 * program prints a number that does not depend on the layout.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
/* A round does the work again, though it has the same result. */
#define AGAIN() __asm__ volatile("" ::: "memory")

static unsigned *order_of(unsigned nr)
{
	unsigned *order = malloc(nr * sizeof(*order)), seed = 1;

	for (unsigned i = 0; i < nr; i++)
		order[i] = i;
	for (unsigned i = nr - 1; i; i--) {
		unsigned j, t;

		seed = seed * 1103515245 + 12345;
		j = (seed >> 8) % (i + 1);
		t = order[i];
		order[i] = order[j];
		order[j] = t;
	}
	return order;
}

/* reorder: price amount */
struct trade {
	long price;
	char buyer[56];
	char seller[56];
	char note[60];
	int amount;
};

static NOINLINE long trade_sum(const struct trade *t, const unsigned *order, unsigned nr)
{
	long sum = 0;

	for (unsigned i = 0; i < nr; i++)
		sum += t[order[i]].price * t[order[i]].amount;
	return sum;
}

static long trades(long rounds)
{
	unsigned nr = 300000, *order = order_of(nr);
	struct trade *t = calloc(nr, sizeof(*t));
	long sum = 0;

	for (unsigned i = 0; i < nr; i++) {
		t[i].price = i % 1000;
		t[i].amount = i % 7;
	}
	for (long i = 0; i < rounds; i++) {
		AGAIN();
		sum += trade_sum(t, order, nr);
	}
	return sum;
}

/* reorder: hits last */
struct counter {
	unsigned long hits;
	char name[100];
	unsigned long errors;
	char unit[60];
	unsigned long last;
};

static NOINLINE void counter_add(struct counter *c, const unsigned *order, unsigned nr,
				 unsigned long now)
{
	for (unsigned i = 0; i < nr; i++) {
		struct counter *one = &c[order[i]];

		one->hits++;
		one->last = now;
	}
}

static long counters(long rounds)
{
	unsigned nr = 250000, *order = order_of(nr);
	struct counter *c = calloc(nr, sizeof(*c));
	unsigned long sum = 0;

	for (long i = 0; i < rounds; i++) {
		AGAIN();
		counter_add(c, order, nr, (unsigned long)i);
	}
	for (unsigned i = 0; i < nr; i++)
		sum += c[i].hits + c[i].last;
	return (long)sum;
}

/* reorder: key value */
struct entry {
	unsigned key;
	char reason[120];
	unsigned flags;
	char owner[56];
	long value;
};

#define ENTRIES (1u << 18)

static NOINLINE long entry_find(const struct entry *e, const unsigned *keys, unsigned nr)
{
	long sum = 0;

	for (unsigned i = 0; i < nr; i++) {
		unsigned at = keys[i] * 2654435761u >> 14;

		while (e[at].key != keys[i])
			at = (at + 1) % ENTRIES;
		sum += e[at].value;
	}
	return sum;
}

static long entries(long rounds)
{
	unsigned nr = ENTRIES / 2, *keys = order_of(nr);
	struct entry *e = calloc(ENTRIES, sizeof(*e));
	long sum = 0;

	for (unsigned i = 0; i < nr; i++) {
		unsigned at = ++keys[i] * 2654435761u >> 14;

		while (e[at].key)
			at = (at + 1) % ENTRIES;
		e[at].key = keys[i];
		e[at].value = keys[i];
	}
	for (long i = 0; i < rounds; i++) {
		AGAIN();
		sum += entry_find(e, keys, nr);
	}
	return sum;
}

/* close: 40 bytes become 24 */
struct pair {
	char kind;
	long left;
	char side;
	long right;
	char flag;
};

static NOINLINE long pair_sum(const struct pair *p, const unsigned *order, unsigned nr)
{
	long sum = 0;

	for (unsigned i = 0; i < nr; i++) {
		const struct pair *one = &p[order[i]];

		if (one->kind && one->side && one->flag)
			sum += one->left - one->right;
	}
	return sum;
}

static long pairs(long rounds)
{
	unsigned nr = 1500000, *order = order_of(nr);
	struct pair *p = calloc(nr, sizeof(*p));
	long sum = 0;

	for (unsigned i = 0; i < nr; i++)
		p[i] = (struct pair){ .kind = 1, .left = i, .side = 1, .right = i / 2, .flag = 1 };
	for (long i = 0; i < rounds; i++) {
		AGAIN();
		sum += pair_sum(p, order, nr);
	}
	return sum;
}

/* nothing: the next job is waited for in any case */
struct job {
	struct job *next;
	char command[72];
	char folder[48];
	int state;
};

static NOINLINE long job_count(const struct job *j)
{
	long sum = 0;

	for (; j; j = j->next)
		sum += j->state;
	return sum;
}

static long jobs(long rounds)
{
	unsigned nr = 100000, *order = order_of(nr);
	struct job *j = calloc(nr, sizeof(*j));
	long sum = 0;

	for (unsigned i = 0; i < nr; i++) {
		j[order[i]].next = i + 1 < nr ? &j[order[i + 1]] : NULL;
		j[order[i]].state = 1;
	}
	for (long i = 0; i < rounds; i++) {
		AGAIN();
		sum += job_count(&j[order[0]]);
	}
	return sum;
}

/* align: reads writes */
struct traffic {
	unsigned long reads;
	unsigned long writes;
};

static struct traffic traffic __attribute__((aligned(64)));
static long traffic_rounds;
static pthread_barrier_t
	traffic_begins; /* else one thread may have ended before the other begins */

static NOINLINE void *traffic_reads(void *arg)
{
	struct traffic *t = arg;

	pthread_barrier_wait(&traffic_begins);
	for (long i = 0; i < traffic_rounds; i++)
		__atomic_fetch_add(&t->reads, 1, __ATOMIC_RELAXED);
	return NULL;
}

static NOINLINE void *traffic_writes(void *arg)
{
	struct traffic *t = arg;

	pthread_barrier_wait(&traffic_begins);
	for (long i = 0; i < traffic_rounds; i++)
		__atomic_fetch_add(&t->writes, 1, __ATOMIC_RELAXED);
	return NULL;
}

static long traffics(long rounds)
{
	pthread_t threads[2];

	traffic_rounds = rounds * 1000000;
	pthread_barrier_init(&traffic_begins, NULL, 2);
	pthread_create(&threads[0], NULL, traffic_reads, &traffic);
	pthread_create(&threads[1], NULL, traffic_writes, &traffic);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return (long)(traffic.reads + traffic.writes);
}

/* reorder: x y z */
struct body {
	double x;
	char name[72];
	double y;
	double mass;
	char colour[64];
	double z;
};

static NOINLINE double body_extent(const struct body *b, const unsigned *order, unsigned nr)
{
	double sum = 0;

	for (unsigned i = 0; i < nr; i++) {
		const struct body *one = &b[order[i]];

		sum += one->x + one->y + one->z;
	}
	return sum;
}

static long bodies(long rounds)
{
	unsigned nr = 250000, *order = order_of(nr);
	struct body *b = calloc(nr, sizeof(*b));
	double sum = 0;

	for (unsigned i = 0; i < nr; i++)
		b[i].x = b[i].y = b[i].z = i % 100;
	for (long i = 0; i < rounds; i++) {
		AGAIN();
		sum += body_extent(b, order, nr);
	}
	return (long)sum;
}

/* nothing: what is used lies in one line, and there are no holes */
struct good {
	long key, value;
	char rest[48];
};

static NOINLINE long good_sum(const struct good *g, const unsigned *order, unsigned nr)
{
	long sum = 0;

	for (unsigned i = 0; i < nr; i++)
		sum += g[order[i]].key + g[order[i]].value;
	return sum;
}

static long goods(long rounds)
{
	unsigned nr = 400000, *order = order_of(nr);
	struct good *g = aligned_alloc(64, nr * sizeof(*g));
	long sum = 0;

	memset(g, 0, nr * sizeof(*g));
	for (unsigned i = 0; i < nr; i++)
		g[i].key = g[i].value = i;
	for (long i = 0; i < rounds; i++) {
		AGAIN();
		sum += good_sum(g, order, nr);
	}
	return sum;
}

/* nothing: it is as small as it can be */
struct cell {
	int row, column;
};

static NOINLINE long cell_sum(const struct cell *c, const unsigned *order, unsigned nr)
{
	long sum = 0;

	for (unsigned i = 0; i < nr; i++)
		sum += c[order[i]].row - c[order[i]].column;
	return sum;
}

static long cells(long rounds)
{
	unsigned nr = 2000000, *order = order_of(nr);
	struct cell *c = calloc(nr, sizeof(*c));
	long sum = 0;

	for (unsigned i = 0; i < nr; i++)
		c[i] = (struct cell){ .row = (int)i, .column = (int)i / 3 };
	for (long i = 0; i < rounds; i++) {
		AGAIN();
		sum += cell_sum(c, order, nr);
	}
	return sum;
}

/* reorder: mass x y vx vy */
struct particle {
	double mass;
	char label[56];
	double x;
	char trail[56];
	double y;
	char colour[56];
	double vx;
	char history[56];
	double vy;
	char rest[56];
};

static NOINLINE double particle_energy(const struct particle *p, const unsigned *order, unsigned nr)
{
	double sum = 0;

	for (unsigned i = 0; i < nr; i++) {
		const struct particle *one = &p[order[i]];

		sum += one->mass * (one->y + one->vx * one->vx + one->vy * one->vy) - one->x;
	}
	return sum;
}

static long particles(long rounds)
{
	unsigned nr = 120000, *order = order_of(nr);
	struct particle *p = aligned_alloc(64, nr * sizeof(*p));
	double sum = 0;

	memset(p, 0, nr * sizeof(*p));
	for (unsigned i = 0; i < nr; i++)
		p[i].mass = p[i].x = p[i].y = p[i].vx = p[i].vy = i % 100;
	for (long i = 0; i < rounds; i++) {
		AGAIN();
		sum += particle_energy(p, order, nr);
	}
	return (long)sum;
}

/* close: 56 bytes become 32 */
struct packet {
	unsigned char kind;
	unsigned long from;
	unsigned char hops;
	unsigned long to;
	unsigned char flags;
	unsigned length;
	unsigned char queue;
	unsigned port;
	unsigned char state;
};

static NOINLINE unsigned long packet_sum(const struct packet *p, const unsigned *order, unsigned nr)
{
	unsigned long sum = 0;

	for (unsigned i = 0; i < nr; i++) {
		const struct packet *one = &p[order[i]];

		if (one->state && one->kind + one->hops + one->flags + one->queue)
			sum += one->length + one->port + one->from - one->to;
	}
	return sum;
}

static long packets(long rounds)
{
	unsigned nr = 1000000, *order = order_of(nr);
	struct packet *p = calloc(nr, sizeof(*p));
	unsigned long sum = 0;

	for (unsigned i = 0; i < nr; i++)
		p[i] = (struct packet){
			.kind = 1, .from = i, .to = i / 2, .length = 60, .state = 1
		};
	for (long i = 0; i < rounds; i++) {
		AGAIN();
		sum += packet_sum(p, order, nr);
	}
	return (long)sum;
}

/* align: jobs */
struct worker {
	unsigned long jobs;
	unsigned long last;
};

static struct worker workers[2] __attribute__((aligned(64)));
static long worker_rounds;
static pthread_barrier_t workers_begin;

static NOINLINE void *worker_runs(void *arg)
{
	struct worker *w = arg;

	pthread_barrier_wait(&workers_begin);
	for (long i = 0; i < worker_rounds; i++)
		__atomic_fetch_add(&w->jobs, 1, __ATOMIC_RELAXED);
	return NULL;
}

static long workers_run(long rounds)
{
	pthread_t threads[2];

	worker_rounds = rounds * 1000000;
	pthread_barrier_init(&workers_begin, NULL, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker_runs, &workers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return (long)(workers[0].jobs + workers[1].jobs);
}

static const struct shape {
	const char *name;
	long (*run)(long rounds);
	long rounds;
} shapes[] = {
	{ "trade", trades, 20 },       { "counter", counters, 20 }, { "entry", entries, 20 },
	{ "pair", pairs, 20 },	       { "job", jobs, 20 },	    { "traffic", traffics, 20 },
	{ "body", bodies, 20 },	       { "good", goods, 20 },	    { "cell", cells, 20 },
	{ "particle", particles, 20 }, { "packet", packets, 20 },   { "worker", workers_run, 20 },
};

int main(int argc, char **argv)
{
	for (unsigned i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		const struct shape *s = &shapes[i];

		if (argc > 1 && !strcmp(argv[1], s->name)) {
			printf("%ld\n", s->run(argc > 2 ? atol(argv[2]) : s->rounds));
			return 0;
		}
	}
	fprintf(stderr, "usage: layouts SHAPE [ROUNDS]\n");
	return 1;
}
