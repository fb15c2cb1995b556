// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps an activity in the same place as Node.js, in objects with V8's layout:
 *
 *   nodelike CASE SECONDS [LATE]
 *
 * The activity is trace id 000102..0f, span id 1011..17, attributes root span 2021..27 and
 * route=/pay. Its entry is the last one of its bucket. CASE is a row of the table below: a variant of publishers, a state
 * without an activity, or malformed objects that no walk may follow. The program computes for SECONDS, and states V8's
 * layout after LATE seconds. The name of the process is CASE.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

typedef uint64_t word;

/* The published variable. */
__thread struct {
	word *slot;
	word *handle;
	int32_t hash;
	int32_t zero;
	word undefined;
} otel_thread_ctx_nodejs_v1;

#define HASH	    0x6b4cd /* hash of the storage: bucket 1 of 2, or of 4 */
#define OBJECT_SIZE 8	    /* words */

/* V8's heap. Pointers to its words have the lowest bit set. */
static word heap[4096];
static word nr_heap;

static word *allocate(size_t words)
{
	word *at = heap + nr_heap;

	nr_heap += words;
	return at;
}

static word pointer(const word *to)
{
	return (word)to | 1;
}

static word number(int64_t value)
{
	return (word)value << 32;
}

static uint8_t *make_record(bool valid)
{
	static const char root[] = "2021222324252627", route[] = "/pay";
	uint8_t *record = calloc(1, 640);

	for (int i = 0; i < 24; i++)
		record[i] = (uint8_t)i;
	record[24] = valid;
	record[25] = 1;
	record[26] = 2 + 16 + 2 + 4;
	record[28] = 0;
	record[29] = 16;
	memcpy(record + 30, root, 16);
	record[46] = 1;
	record[47] = 4;
	memcpy(record + 48, route, 4);
	return record;
}

/* A case: offsets in words, and changes of the objects. */
struct how {
	const char *name;
	unsigned table, header, field; /* 0: as in Node.js 24 */
	bool wrapped; /* the field points to the publisher's own object; its third word is the record */
	bool stated; /* the process context states the layout */
	unsigned tagged_size;
	void (*harm)(void);
};

static word *map, *table, *entry, *object, *storage, *undefined;
static uint8_t *record;
static const struct how *how;

static unsigned table_at(void)
{
	return how->table ?: 3;
}
static unsigned header_at(void)
{
	return how->header ?: 2;
}
static unsigned field_at(void)
{
	return how->field ?: 4;
}

static word slot;

static void nothing(void)
{
	slot = pointer(undefined);
}
static void a_number(void)
{
	slot = number(7);
}
static void detached(void)
{
	entry[1] = pointer(undefined);
}
static void value_number(void)
{
	entry[1] = number(7);
}
static void elsewhere(void)
{
	entry[0] = pointer(object);
}
static void ended(void)
{
	record[24] = 0;
}
static void torn_down(void)
{
	object[field_at()] = 0;
}
static void closed(void)
{
	otel_thread_ctx_nodejs_v1.slot = NULL;
}
static void replaced(void)
{
	table[header_at()] = pointer(object);
}
static void circle(void)
{
	entry[0] = pointer(object);
	entry[2] = number((entry - (table + header_at() + 3 + 2)) / 3);
}
static void beyond(void)
{
	entry[0] = pointer(object);
	entry[2] = number(1000);
}
static void three_buckets(void)
{
	table[header_at() + 2] = number(3);
}
static void no_buckets(void)
{
	table[header_at() + 2] = number(0);
}
static void no_table(void)
{
	map[table_at()] = number(1);
}
static void wild_table(void)
{
	map[table_at()] = 0x123456789abcdef1;
}
static void wild_record(void)
{
	object[field_at()] = 0x123456789abcdef0;
}
static void no_record(void)
{
	record[24] = 77;
}
static void long_record(void)
{
	record[27] = 100;
}

static const struct how hows[] = {
	{ .name = "node24" },
	{ .name = "node22", .field = 3 },
	{ .name = "stated", .table = 4, .header = 3, .field = 6, .stated = true, .tagged_size = 8 },
	{ .name = "wrapped", .wrapped = true, .stated = true, .tagged_size = 8 },
	{ .name = "nothing", .harm = nothing },
	{ .name = "detached", .harm = detached },
	{ .name = "elsewhere", .harm = elsewhere },
	{ .name = "ended", .harm = ended },
	{ .name = "torn-down", .stated = true, .harm = torn_down },
	{ .name = "closed", .harm = closed },
	{ .name = "replaced", .harm = replaced },
	{ .name = "compressed", .stated = true, .tagged_size = 4 },
	{ .name = "a-number", .harm = a_number },
	{ .name = "value-number", .harm = value_number },
	{ .name = "circle", .harm = circle },
	{ .name = "beyond", .harm = beyond },
	{ .name = "three-buckets", .harm = three_buckets },
	{ .name = "no-buckets", .harm = no_buckets },
	{ .name = "no-table", .harm = no_table },
	{ .name = "wild-table", .harm = wild_table },
	{ .name = "wild-record", .harm = wild_record },
	{ .name = "no-record", .harm = no_record },
	{ .name = "long-record", .harm = long_record },
};

/* Three entries in one bucket. Two are of other storages, the last one is ours. */
static void make_table(void)
{
	word *fields, *first;

	table = allocate(header_at() + 3 + 2 + 3 * 4);
	fields = table + header_at();
	fields[0] = number(2); /* elements, deleted, buckets, the buckets' heads */
	fields[1] = number(1);
	fields[2] = number(2);
	fields[3] = number(-1);
	fields[4] = number(0);
	first = fields + 5;
	for (int i = 0; i < 3; i++) {
		first[3 * i] = pointer(allocate(OBJECT_SIZE));
		first[3 * i + 1] = pointer(undefined);
		first[3 * i + 2] = number(i < 2 ? i + 1 : -1);
	}
	entry = first + 6;
	entry[0] = pointer(storage);
	entry[1] = pointer(object);
}

static void make(void)
{
	static word handle, own[4];

	undefined = allocate(OBJECT_SIZE);
	storage = allocate(OBJECT_SIZE);
	object = allocate(OBJECT_SIZE);
	map = allocate(OBJECT_SIZE);
	make_table();
	map[table_at()] = pointer(table);
	record = make_record(true);
	own[2] = (word)record;
	object[field_at()] = how->wrapped ? (word)own : (word)record;
	slot = pointer(map);
	handle = pointer(storage);
	otel_thread_ctx_nodejs_v1.handle = &handle;
	otel_thread_ctx_nodejs_v1.hash = HASH;
	otel_thread_ctx_nodejs_v1.undefined = pointer(undefined);
	__asm__ volatile("" ::: "memory");
	otel_thread_ctx_nodejs_v1.slot = &slot;
	if (how->harm)
		how->harm();
}

/* Protobuf: a field of @size bytes, below 128; KeyValue{key, AnyValue{int_value}} as attribute. */
static uint8_t *put_field(uint8_t *to, uint8_t nr, const void *bytes, size_t size)
{
	*to++ = (uint8_t)(nr << 3 | 2);
	*to++ = (uint8_t)size;
	memcpy(to, bytes, size);
	return to + size;
}

static uint8_t *put_number(uint8_t *to, const char *key, unsigned value)
{
	uint8_t any[2] = { 3 << 3, (uint8_t)value }, pair[128], *end;

	end = put_field(pair, 1, key, strlen(key));
	end = put_field(end, 2, any, sizeof(any));
	return put_field(to, 2, pair, (size_t)(end - pair));
}

static uint8_t *put_numbers(uint8_t *to)
{
	if (!how->stated)
		return to;
	to = put_number(to, "threadlocal.js_map_table_offset", 8 * table_at());
	to = put_number(to, "threadlocal.ordered_hash_map_header_size", 8 * header_at());
	if (how->tagged_size)
		to = put_number(to, "threadlocal.tagged_size", how->tagged_size);
	if (!how->wrapped)
		return put_number(to, "threadlocal.js_object_record_offset", 8 * field_at());
	to = put_number(to, "threadlocal.wrapped_object_offset", 8 * field_at());
	return put_number(to, "threadlocal.native_wrap_fields_offset", 16);
}

static void publish_context(void)
{
	static const char *const keys[] = { "datadog.local_root_span_id", "route" };
	static uint8_t payload[1024];
	uint8_t array[128], any[128], value[128], pair[256], *end = array;
	struct {
		char signature[8];
		uint32_t version, size;
		uint64_t published_ns;
		const void *payload;
	} * context;
	int fd = memfd_create("OTEL_CTX", MFD_CLOEXEC);

	for (int i = 0; i < 2; i++)
		end = put_field(end, 1, value,
				(size_t)(put_field(value, 1, keys[i], strlen(keys[i])) - value));
	end = put_field(any, 5, array, (size_t)(end - array));
	end = put_field(put_field(pair, 1, "threadlocal.attribute_key_map", 29), 2, any,
			(size_t)(end - any));
	end = put_field(payload, 2, pair, (size_t)(end - pair));
	end = put_numbers(end);
	if (ftruncate(fd, 4096) != 0)
		exit(1);
	context = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	close(fd);
	context->version = 2;
	context->size = (uint32_t)(end - payload);
	context->payload = payload;
	context->published_ns = 1;
	__asm__ volatile("" ::: "memory");
	memcpy(context->signature, "OTEL_CTX", 8);
	prctl(0x53564d41, 0, context, 4096, "OTEL_CTX");
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void compute(double until)
{
	while (cpu_seconds() < until)
		for (volatile int i = 0; i < 100000; i++)
			;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "cases") == 0) {
		for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++)
			puts(hows[i].name);
		return 0;
	}
	for (size_t i = 0; argc >= 3 && i < sizeof(hows) / sizeof(hows[0]); i++)
		if (strcmp(argv[1], hows[i].name) == 0)
			how = &hows[i];
	if (!how)
		return 1;
	prctl(PR_SET_NAME, how->name);
	make();
	compute(argc > 3 ? atof(argv[3]) : 0);
	publish_context();
	compute(atof(argv[2]));
	return 0;
}
