// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * orders: a small in-memory order server, to be profiled.
 *
 *	orders [SECONDS|REQUESTSr [WORKERS [SEED [SPANS]]]]
 *
 * A front end makes requests and hands them in batches to worker threads; each worker owns
 * a part of the market and works alone on it. A request carries the trace id of the client
 * that sent it and a span id for what it asks for; the worker publishes both while it
 * handles the request:
 *
 *	place	finds the book by symbol (hash table), the price level (tree), queues the order
 *		there (list) and files it by its id (hash table)
 *	match	takes orders from the best price, books the trades on both accounts (array)
 *	cancel	finds an order by its id (hash table) and unlinks it
 *	report	adds up positions over all accounts (array of structs)
 *
 * So each kind of request has its own hot structure, and a profile by activity and type must
 * tell them apart. The same seed makes the same requests. What the hot structures look like depends on how many
 * requests there were: "1000000r" makes so many, however busy the machine is.
 *
 * With SPANS, it exports its spans as tracing systems do: to SPANS.otlp.json, SPANS.jaeger.json and
 * SPANS.zipkin.json. Each client's requests are spans below one that is its session.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "activity/activity.h"

enum kind { PLACE, MATCH, CANCEL, REPORT, NR_KINDS };
enum side { BUY, SELL };

#define NR_SYMBOLS	64	  /* of one worker */
#define NR_ACCOUNTS	20000	  /* of one worker */
#define NR_ORDERS	(1 << 17) /* that can be open at one worker */
#define NR_ORDER_CHAINS (1 << 15)
#define NR_BOOK_CHAINS	16
#define NR_TRADES	4096
#define BATCH		256
#define NR_BATCHES	4

struct order {
	uint64_t id;
	struct order *id_next;	   /* in its chain of the orders by id */
	struct order *prev, *next; /* in the queue of its level */
	struct level *level;
	uint32_t account;
	uint32_t quantity;
	uint64_t placed_ns;
	char note[16];
};

struct level {
	uint32_t price;
	uint32_t priority; /* the tree is a heap by it: a treap */
	struct level *left, *right;
	struct order *first, *last;
	uint64_t quantity;
	uint32_t nr_orders;
	enum side side;
	struct book *book;
};

struct book {
	char symbol[8];
	struct book *next; /* in its chain of the books by symbol */
	struct level *side[2];
	uint32_t mid_price;
	uint64_t nr_trades;
};

struct account {
	uint64_t id;
	int64_t cash;
	int64_t position[8];
	uint64_t nr_trades;
	struct {
		uint32_t open_orders;
		uint32_t limit;
	} risk;
};

struct trade {
	uint32_t buyer, seller;
	uint32_t price, quantity;
	uint64_t time_ns;
};

struct totals {
	int64_t cash, position;
	uint64_t nr_trades, open_orders;
};

struct request {
	enum kind kind;
	enum side side;
	uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE];
	uint8_t span_id[ACTIVITY_SPAN_ID_SIZE];
	char symbol[8];
	uint32_t offset; /* of the price from the book's middle */
	uint32_t quantity;
	uint32_t account;
	uint32_t age; /* CANCEL: how many orders ago */
};

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct request batches[NR_BATCHES][BATCH];
	unsigned int head, tail; /* batches put in and taken out */
	bool closed;
};

struct shard {
	struct queue queue;
	struct book books[NR_SYMBOLS];
	struct book *book_chain[NR_BOOK_CHAINS];
	struct order *order_chain[NR_ORDER_CHAINS];
	struct order *orders, *free_orders;
	struct level *free_levels;
	struct account *accounts;
	struct trade trades[NR_TRADES];
	uint64_t next_id;
	uint64_t handled[NR_KINDS];
	struct totals totals; /* the last report's answer */
	uint64_t random;
	pthread_t thread;
};

static const char *const kind_names[NR_KINDS] = { "place", "match", "cancel", "report" };

/* Clients, and what each of them asks for, in shares of 100. */
static const struct client {
	const char *name;
	uint8_t trace_id[ACTIVITY_TRACE_ID_SIZE];
	uint8_t share[NR_KINDS];
} clients[] = {
	{ "maker",
	  { 0x4b, 0xf9, 0x2f, 0x35, 0x77, 0xb3, 0x4d, 0xa6, 0xa3, 0xce, 0x92, 0x9d, 0x0e, 0x0e,
	    0x47, 0x36 },
	  { 60, 0, 40, 0 } },
	{ "taker",
	  { 0x0a, 0xf7, 0x65, 0x19, 0x16, 0xcd, 0x43, 0xdd, 0x84, 0x48, 0xeb, 0x21, 0x1c, 0x80,
	    0x31, 0x9c },
	  { 20, 80, 0, 0 } },
	{ "auditor",
	  { 0xd4, 0xcd, 0xa9, 0x5b, 0x65, 0x2f, 0x4a, 0x15, 0x92, 0xb4, 0x49, 0xd5, 0x92, 0x9f,
	    0xda, 0x1b },
	  { 95, 0, 0, 5 } },
};
#define NR_CLIENTS (sizeof(clients) / sizeof(clients[0]))

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint32_t draw(uint64_t *state, uint32_t below) /* xorshift64* */
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * 0x2545f4914f6cdd1du) >> 33) % below;
}

/* Trees of price levels. */

static void split(struct level *tree, uint32_t price, struct level **below, struct level **above)
{
	if (!tree) {
		*below = *above = NULL;
	} else if (tree->price < price) {
		*below = tree;
		split(tree->right, price, &tree->right, above);
	} else {
		*above = tree;
		split(tree->left, price, below, &tree->left);
	}
}

static struct level *merge(struct level *below, struct level *above)
{
	if (!below || !above)
		return below ? below : above;
	if (below->priority > above->priority) {
		below->right = merge(below->right, above);
		return below;
	}
	above->left = merge(below, above->left);
	return above;
}

static struct level *level_find(struct level *tree, uint32_t price)
{
	while (tree && tree->price != price)
		tree = price < tree->price ? tree->left : tree->right;
	return tree;
}

static struct level *level_get(struct shard *shard, struct book *book, enum side side,
			       uint32_t price)
{
	struct level *level = level_find(book->side[side], price), *below, *above;

	if (level)
		return level;
	level = shard->free_levels;
	if (level)
		shard->free_levels = level->left;
	else
		level = malloc(sizeof(*level));
	*level = (struct level){ .price = price,
				 .priority = draw(&shard->random, UINT32_MAX),
				 .side = side,
				 .book = book };
	split(book->side[side], price, &below, &above);
	book->side[side] = merge(merge(below, level), above);
	return level;
}

static void level_drop(struct shard *shard, struct level *level)
{
	struct level **at = &level->book->side[level->side];

	while (*at != level)
		at = level->price < (*at)->price ? &(*at)->left : &(*at)->right;
	*at = merge(level->left, level->right);
	level->left = shard->free_levels;
	shard->free_levels = level;
}

/* The buyer who pays most, the seller who asks least. */
static struct level *level_best(const struct book *book, enum side side)
{
	struct level *level = book->side[side];

	while (level && (side == BUY ? level->right : level->left))
		level = side == BUY ? level->right : level->left;
	return level;
}

/* Orders: filed by id, queued at a level. */

static struct order **order_chain(struct shard *shard, uint64_t id)
{
	return &shard->order_chain[(id * 0x9e3779b97f4a7c15u) >> 32 & (NR_ORDER_CHAINS - 1)];
}

static struct order *order_find(struct shard *shard, uint64_t id)
{
	struct order *order = *order_chain(shard, id);

	while (order && order->id != id)
		order = order->id_next;
	return order;
}

static void order_remove(struct shard *shard, struct order *order)
{
	struct level *level = order->level;
	struct order **at = order_chain(shard, order->id);

	while (*at != order)
		at = &(*at)->id_next;
	*at = order->id_next;
	*(order->prev ? &order->prev->next : &level->first) = order->next;
	*(order->next ? &order->next->prev : &level->last) = order->prev;
	level->quantity -= order->quantity;
	if (!--level->nr_orders)
		level_drop(shard, level);
	shard->accounts[order->account].risk.open_orders--;
	order->next = shard->free_orders;
	shard->free_orders = order;
}

static struct book *book_find(struct shard *shard, const char *symbol)
{
	unsigned int hash = (unsigned char)symbol[1] * 31u + (unsigned char)symbol[2];
	struct book *book = shard->book_chain[hash % NR_BOOK_CHAINS];

	while (book && strcmp(book->symbol, symbol))
		book = book->next;
	return book;
}

/* The four requests. */

static void handle_place(struct shard *shard, const struct request *request)
{
	struct book *book = book_find(shard, request->symbol);
	struct account *account = &shard->accounts[request->account];
	struct order *order = shard->free_orders, **chain;
	struct level *level;
	uint32_t price;

	if (!order || account->risk.open_orders >= account->risk.limit)
		return;
	price = request->side == BUY ? book->mid_price - request->offset
				     : book->mid_price + request->offset;
	level = level_get(shard, book, request->side, price);
	shard->free_orders = order->next;
	chain = order_chain(shard, shard->next_id);
	*order = (struct order){ .id = shard->next_id++,
				 .id_next = *chain,
				 .prev = level->last,
				 .level = level,
				 .account = request->account,
				 .quantity = request->quantity,
				 .placed_ns = now_ns() };
	*chain = order;
	*(level->last ? &level->last->next : &level->first) = order;
	level->last = order;
	level->quantity += order->quantity;
	level->nr_orders++;
	account->risk.open_orders++;
}

static void book_trade(struct shard *shard, struct book *book, struct order *order, uint32_t taker,
		       uint32_t quantity)
{
	struct level *level = order->level;
	uint32_t buyer = level->side == BUY ? order->account : taker;
	uint32_t seller = level->side == BUY ? taker : order->account;
	struct account *b = &shard->accounts[buyer], *s = &shard->accounts[seller];
	int64_t amount = (int64_t)level->price * quantity;

	b->cash -= amount;
	s->cash += amount;
	b->position[level->price & 7] += quantity;
	s->position[level->price & 7] -= quantity;
	b->nr_trades++;
	s->nr_trades++;
	shard->trades[book->nr_trades++ % NR_TRADES] =
		(struct trade){ buyer, seller, level->price, quantity, order->placed_ns };
}

static void handle_match(struct shard *shard, const struct request *request)
{
	struct book *book = book_find(shard, request->symbol);
	uint32_t wanted = request->quantity;

	while (wanted) {
		struct level *level = level_best(book, !request->side);
		struct order *order;
		uint32_t quantity;

		if (!level)
			return;
		order = level->first;
		quantity = order->quantity < wanted ? order->quantity : wanted;
		book_trade(shard, book, order, request->account, quantity);
		wanted -= quantity;
		level->quantity -= quantity;
		order->quantity -= quantity;
		if (!order->quantity)
			order_remove(shard, order);
	}
}

static void handle_cancel(struct shard *shard, const struct request *request)
{
	uint64_t age = request->age < shard->next_id ? request->age : 0;
	struct order *order = order_find(shard, shard->next_id - age);

	if (order)
		order_remove(shard, order);
}

static void handle_report(struct shard *shard, const struct request *request)
{
	struct totals totals = { 0 };
	uint32_t group = request->account & 7;

	for (uint32_t i = group; i < NR_ACCOUNTS; i += 8) {
		const struct account *account = &shard->accounts[i];

		totals.cash += account->cash;
		totals.position += account->position[group];
		totals.nr_trades += account->nr_trades;
		totals.open_orders += account->risk.open_orders;
	}
	shard->totals = totals;
}

static void handle(struct shard *shard, const struct request *request)
{
	static void (*const handlers[NR_KINDS])(struct shard *, const struct request *) = {
		handle_place,
		handle_match,
		handle_cancel,
		handle_report,
	};

	activity_set(request->trace_id, request->span_id);
	handlers[request->kind](shard, request);
	shard->handled[request->kind]++;
	activity_clear();
}

/* The queue: the front end fills one batch while the worker empties another. */

static struct request *queue_next(struct queue *queue)
{
	struct request *batch;

	pthread_mutex_lock(&queue->lock);
	while (queue->head == queue->tail && !queue->closed)
		pthread_cond_wait(&queue->changed, &queue->lock);
	batch = queue->closed ? NULL : queue->batches[queue->tail % NR_BATCHES];
	pthread_mutex_unlock(&queue->lock);
	return batch;
}

static void queue_done(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->tail++;
	pthread_cond_signal(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
}

static void *work(void *arg)
{
	struct shard *shard = arg;
	struct request *batch;

	while ((batch = queue_next(&shard->queue))) {
		for (int i = 0; i < BATCH; i++)
			handle(shard, &batch[i]);
		queue_done(&shard->queue);
	}
	return NULL;
}

static void make_request(struct request *request, uint64_t *random)
{
	const struct client *client = &clients[draw(random, NR_CLIENTS)];
	uint32_t kind = 0, share = draw(random, 100), symbol = draw(random, NR_SYMBOLS);

	while (share >= client->share[kind])
		share -= client->share[kind++];
	*request = (struct request){
		.kind = kind,
		.side = draw(random, 2),
		.span_id = { 0, 0, 0, 0, 0, 0, 0, (uint8_t)(kind + 1) },
		.symbol = { 'S', (char)('A' + symbol / 8), (char)('A' + symbol % 8) },
		.offset = 1 + draw(random, 64) * draw(random, 64),
		.quantity = 1 + draw(random, 100),
		.account = draw(random, NR_ACCOUNTS),
		.age = 1 + draw(random, NR_ORDERS),
	};
	memcpy(request->trace_id, client->trace_id, sizeof(request->trace_id));
}

/* Fills a batch of @queue. False: none was free, and it waited a moment. */
static bool feed(struct queue *queue, uint64_t *random)
{
	bool room;

	pthread_mutex_lock(&queue->lock);
	room = queue->head - queue->tail < NR_BATCHES;
	pthread_mutex_unlock(&queue->lock);
	if (!room) {
		nanosleep(&(struct timespec){ .tv_nsec = 50000 }, NULL);
		return false;
	}
	for (int i = 0; i < BATCH; i++)
		make_request(&queue->batches[queue->head % NR_BATCHES][i], random);
	pthread_mutex_lock(&queue->lock);
	queue->head++;
	pthread_cond_signal(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
	return true;
}

static struct shard *shard_new(uint64_t seed)
{
	struct shard *shard = calloc(1, sizeof(*shard));

	pthread_mutex_init(&shard->queue.lock, NULL);
	pthread_cond_init(&shard->queue.changed, NULL);
	shard->random = seed;
	shard->orders = calloc(NR_ORDERS, sizeof(*shard->orders));
	shard->accounts = calloc(NR_ACCOUNTS, sizeof(*shard->accounts));
	/* A real heap's order of addresses is not that of time. */
	for (uint32_t i = 0; i < NR_ORDERS; i++) {
		struct order *order = &shard->orders[(i * 40503u) & (NR_ORDERS - 1)];

		order->next = shard->free_orders;
		shard->free_orders = order;
	}
	for (uint32_t i = 0; i < NR_ACCOUNTS; i++)
		shard->accounts[i] =
			(struct account){ .id = i, .cash = 1000000, .risk.limit = 1000 };
	for (uint32_t i = 0; i < NR_SYMBOLS; i++) {
		struct book *book = &shard->books[i], **chain;
		char a = (char)('A' + i / 8), b = (char)('A' + i % 8);

		*book = (struct book){ .symbol = { 'S', a, b }, .mid_price = 10000 + 10 * i };
		chain = &shard->book_chain[((unsigned int)a * 31u + (unsigned int)b) %
					   NR_BOOK_CHAINS];
		book->next = *chain;
		*chain = book;
	}
	pthread_create(&shard->thread, NULL, work, shard);
	return shard;
}

static void shard_stop(struct shard *shard, uint64_t handled[NR_KINDS])
{
	pthread_mutex_lock(&shard->queue.lock);
	shard->queue.closed = true;
	pthread_cond_signal(&shard->queue.changed);
	pthread_mutex_unlock(&shard->queue.lock);
	pthread_join(shard->thread, NULL);
	for (int k = 0; k < NR_KINDS; k++)
		handled[k] += shard->handled[k];
}

static void print_legend(void)
{
	for (size_t c = 0; c < NR_CLIENTS; c++) {
		printf("trace ");
		for (int i = 0; i < ACTIVITY_TRACE_ID_SIZE; i++)
			printf("%02x", clients[c].trace_id[i]);
		printf("  client %s\n", clients[c].name);
	}
	for (int k = 0; k < NR_KINDS; k++)
		printf("span  %016x                  %s\n", k + 1, kind_names[k]);
}

/* One span in three languages, each with: trace, id, parent, name, route, start, duration. */

#define SESSION 0x10 /* the span id of a client's session */

static const struct format {
	const char *name;
	const char *head, *tail; /* of the file */
	const char *span;
	bool in_us; /* times; else in ns, and the end instead of the duration */
} formats[] = {
	{ "otlp",
	  "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":"
	  "{\"stringValue\":\"orders\"}}]},\"scopeSpans\":[{\"spans\":[\n",
	  "]}]}]}\n",
	  "{\"traceId\":\"%1$s\",\"spanId\":\"%2$016x\",\"parentSpanId\":\"%3$016x\",\"name\":\"%4$"
	  "s\","
	  "\"kind\":2,\"startTimeUnixNano\":\"%6$llu\",\"endTimeUnixNano\":\"%7$llu\","
	  "\"attributes\":"
	  "[{\"key\":\"http.route\",\"value\":{\"stringValue\":\"%5$s\"}}]}",
	  false },
	{ "jaeger", "{\"data\":[{\"spans\":[\n",
	  "],\"processes\":{\"p1\":{\"serviceName\":\"orders\",\"tags\":[]}}}]}\n",
	  "{\"traceID\":\"%1$s\",\"spanID\":\"%2$x\",\"operationName\":\"%4$s\",\"references\":"
	  "[{\"refType\":\"CHILD_OF\",\"traceID\":\"%1$s\",\"spanID\":\"%3$x\"}],"
	  "\"startTime\":%6$llu,\"duration\":%7$llu,\"tags\":[{\"key\":\"http.route\",\"type\":"
	  "\"string\",\"value\":\"%5$s\"}],\"processID\":\"p1\"}",
	  true },
	{ "zipkin", "[\n", "]\n",
	  "{\"traceId\":\"%1$s\",\"id\":\"%2$016x\",\"parentId\":\"%3$016x\",\"name\":\"%4$s\","
	  "\"timestamp\":%6$llu,\"duration\":%7$llu,\"localEndpoint\":{\"serviceName\":\"orders\"},"
	  "\"tags\":{\"http.route\":\"%5$s\"}}",
	  true },
};

static void export_client(const struct format *format, const struct client *client, uint64_t start,
			  FILE *out)
{
	unsigned long long now = start / (format->in_us ? 1000 : 1), end = now + 250000;
	char trace[2 * ACTIVITY_TRACE_ID_SIZE + 1], text[64];

	for (int i = 0; i < ACTIVITY_TRACE_ID_SIZE; i++)
		sprintf(trace + 2 * i, "%02x", client->trace_id[i]);
	if (format->in_us)
		end -= now;
	snprintf(text, sizeof(text), "session of %s", client->name);
	fprintf(out, format->span, trace, SESSION, 0, text, "/sessions", now, end);
	for (int k = 0; k < NR_KINDS; k++) {
		if (!client->share[k])
			continue;
		snprintf(text, sizeof(text), "/orders/%s", kind_names[k]);
		fputs(",\n", out);
		fprintf(out, format->span, trace, k + 1, SESSION, kind_names[k], text, now, end);
	}
}

static void export_spans(const char *prefix)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
		char path[4096];
		FILE *out;

		snprintf(path, sizeof(path), "%s.%s.json", prefix, formats[f].name);
		out = fopen(path, "w");
		if (!out) {
			perror(path);
			exit(1);
		}
		fputs(formats[f].head, out);
		for (size_t c = 0; c < NR_CLIENTS; c++) {
			fputs(c ? ",\n" : "", out);
			export_client(&formats[f], &clients[c],
				      (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec, out);
		}
		fputs(formats[f].tail, out);
		fclose(out);
	}
}

/* Feeds the workers by turns: for some seconds, or if @by_number, so many requests. */
static void feed_all(struct shard **shards, uint64_t nr_workers, double amount, bool by_number,
		     uint64_t random)
{
	uint64_t end = now_ns() + (uint64_t)(amount * 1e9), nr = 0;

	for (uint64_t n = 0; by_number ? (double)nr < amount : now_ns() < end; n++)
		if (feed(&shards[n % nr_workers]->queue, &random))
			nr += BATCH;
}

int main(int argc, char **argv)
{
	char *unit = "";
	double amount = argc > 1 ? strtod(argv[1], &unit) : 3;
	int nr_workers = argc > 2 ? atoi(argv[2]) : 2;
	uint64_t random = argc > 3 ? strtoull(argv[3], NULL, 10) | 1 : 20240229;
	uint64_t handled[NR_KINDS] = { 0 };
	struct shard **shards;

	if (nr_workers < 1 || nr_workers > 1024 || amount <= 0 || (*unit && strcmp(unit, "r"))) {
		fprintf(stderr, "usage: orders [SECONDS|REQUESTSr [WORKERS [SEED [SPANS]]]]\n");
		return 2;
	}
	print_legend();
	if (argc > 4)
		export_spans(argv[4]);
	shards = calloc((size_t)nr_workers, sizeof(*shards));
	for (int i = 0; i < nr_workers; i++)
		shards[i] = shard_new(random + 2 * (uint64_t)i);
	feed_all(shards, (uint64_t)nr_workers, amount, *unit == 'r', random);
	for (int i = 0; i < nr_workers; i++)
		shard_stop(shards[i], handled);
	for (int k = 0; k < NR_KINDS; k++)
		printf("%-7s %llu\n", kind_names[k], (unsigned long long)handled[k]);
	return 0;
}
