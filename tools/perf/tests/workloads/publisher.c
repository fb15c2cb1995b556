// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Publishes activities as other libraries do, by their specifications:
 *
 *   publisher LAYOUT[,LAYOUT...] SECONDS [half]
 *
 * LAYOUT is otep, elastic, labels, context (OTEP 4719's process context, with the names of the attributes), late (the
 * context appears after a third of the time), again (it changes at that time) or anonymous (its mapping is not a memfd).
 *
 * The activity is always the same: trace id 000102..0f, span id 1011..17, root span 2021..27, attributes route=/pay and
 * user=ann. An earlier user=bob is overridden. With "half", each record is left in the middle of an update. If built with
 * SCHEMA, the context states that schema.
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

#ifndef TLS
#define TLS __thread
#endif

TLS void *otel_thread_ctx_v1;
TLS void *elastic_apm_profiling_correlation_tls_v1;
void *elastic_apm_profiling_correlation_process_storage_v1;
TLS void *custom_labels_current_set;
const uint32_t custom_labels_abi_version = 1;

static void put_ids(uint8_t *to, uint8_t first, int nr)
{
	for (int i = 0; i < nr; i++)
		to[i] = (uint8_t)(first + i);
}

static uint8_t *put_attribute(uint8_t *to, uint8_t key, const char *value)
{
	*to++ = key;
	*to++ = (uint8_t)strlen(value);
	memcpy(to, value, strlen(value));
	return to + strlen(value);
}

static void publish_otep(bool half)
{
	uint8_t *record = calloc(1, 640), *end = record + 28;
	uint16_t size;

	put_ids(record, 0, 16);
	put_ids(record + 16, 0x10, 8);
	record[24] = !half;
	record[25] = 1;
	end = put_attribute(end, 0, "2021222324252627");
	end = put_attribute(end, 2, "bob");
	end = put_attribute(end, 1, "/pay");
	end = put_attribute(end, 2, "ann");
	size = (uint16_t)(end - record - 28);
	memcpy(record + 26, &size, 2);
	otel_thread_ctx_v1 = record;
}

static uint8_t *put_text(uint8_t *to, const char *text)
{
	uint32_t size = (uint32_t)strlen(text);

	memcpy(to, &size, 4);
	memcpy(to + 4, text, size);
	return to + 4 + size;
}

static void publish_elastic(bool half)
{
	uint8_t *record = calloc(1, 37), *storage = calloc(1, 256), *end;

	record[0] = 1;
	record[2] = !half;
	record[3] = 1;
	put_ids(record + 5, 0, 16);
	put_ids(record + 21, 0x10, 8);
	put_ids(record + 29, 0x20, 8);
	elastic_apm_profiling_correlation_tls_v1 = record;
	storage[0] = 1;
	end = put_text(storage + 2, "shop");
	end = put_text(end, "test");
	put_text(end, "/socket");
	elastic_apm_profiling_correlation_process_storage_v1 = storage;
}

struct text {
	size_t size;
	const char *bytes;
};

struct label {
	struct text key, value;
};

static void publish_labels(void)
{
	static struct label labels[] = {
		{ { 4, "gone" }, { 0, NULL } },	   { { 5, "route" }, { 0, NULL } },
		{ { 5, "route" }, { 4, "/pay" } }, { { 4, "user" }, { 3, "ann" } },
		{ { 4, "user" }, { 3, "bob" } },
	};
	static struct {
		struct label *storage;
		size_t count, capacity;
	} set = { labels, 5, 5 };

	labels[0].key.bytes = NULL;
	custom_labels_current_set = &set;
}

/* Protobuf: a length-delimited field. */
static size_t put_field(uint8_t *to, uint8_t number, const void *bytes, size_t size)
{
	size_t at = 0;

	to[at++] = (uint8_t)(number << 3 | 2);
	if (size > 127) {
		to[at++] = (uint8_t)(size | 128);
		to[at++] = (uint8_t)(size >> 7);
	} else {
		to[at++] = (uint8_t)size;
	}
	memcpy(to + at, bytes, size);
	return at + size;
}

static size_t put_pair(uint8_t *to, const char *key, const uint8_t *any, size_t any_size)
{
	uint8_t pair[1024];
	size_t size = put_field(pair, 1, key, strlen(key));

	size += put_field(pair + size, 2, any, any_size);
	return put_field(to, 1, pair, size);
}

static size_t put_text_pair(uint8_t *to, const char *key, const char *value)
{
	uint8_t any[256];

	return put_pair(to, key, any, put_field(any, 1, value, strlen(value)));
}

static size_t make_context(uint8_t *to)
{
	static const char *const keys[] = { "datadog.local_root_span_id", "route", "user" };
	uint8_t resource[2048], array[512], any[512], pair[1024];
	size_t size = put_text_pair(resource, "service.name", "shop"), nr = 0, part;

	size += put_text_pair(resource + size, "deployment.environment.name", "test");
	for (int i = 0; i < 3; i++) {
		part = put_field(any, 1, keys[i], strlen(keys[i]));
		nr += put_field(array + nr, 1, any, part);
	}
	part = put_field(any, 5, array, nr);
	size = put_field(to, 1, resource, size);
	nr = put_pair(pair, "threadlocal.attribute_key_map", any, part);
	pair[0] = 2 << 3 | 2;
	memcpy(to + size, pair, nr);
	size += nr;
#ifdef SCHEMA
	part = put_field(any, 1, SCHEMA, strlen(SCHEMA));
	nr = put_pair(pair, "threadlocal.schema_version", any, part);
	pair[0] = 2 << 3 | 2;
	memcpy(to + size, pair, nr);
	size += nr;
#endif
	return size;
}

struct context {
	char signature[8];
	uint32_t version, size;
	uint64_t published_ns;
	const void *payload;
};

static struct context *publish_context(bool anonymous)
{
	static uint8_t payload[4096];
	struct context *context;
	int fd = -1;

	if (!anonymous) {
		fd = memfd_create("OTEL_CTX", MFD_CLOEXEC);
		if (ftruncate(fd, sizeof(*context)) != 0)
			exit(1);
	}
	context = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | (anonymous ? MAP_ANONYMOUS : 0), fd, 0);
	if (fd >= 0)
		close(fd);
	madvise(context, 4096, MADV_DONTFORK);
	context->size = (uint32_t)make_context(payload);
	context->version = 2;
	context->payload = payload;
	context->published_ns = 1;
	__asm__ volatile("" ::: "memory");
	memcpy(context->signature, "OTEL_CTX", 8);
	prctl(0x53564d41, 0, context, 4096, "OTEL_CTX");
	return context;
}

static void publish_again(struct context *context)
{
	static uint8_t payload[4096];

	context->published_ns = 0;
	__asm__ volatile("" ::: "memory");
	context->size = (uint32_t)make_context(payload);
	payload[context->size++] = 4 << 3; /* an unknown field */
	payload[context->size++] = 1;
	context->payload = payload;
	__asm__ volatile("" ::: "memory");
	context->published_ns = 2;
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void work(double until)
{
	while (cpu_seconds() < until)
		for (volatile int i = 0; i < 100000; i++)
			;
}

int main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 0;
	bool half = argc > 3;
	struct context *context = NULL;
	bool anonymous;

	if (argc < 3)
		return 1;
	anonymous = strstr(argv[1], "anonymous");
	if (strstr(argv[1], "otep"))
		publish_otep(half);
	if (strstr(argv[1], "elastic"))
		publish_elastic(half);
	if (strstr(argv[1], "labels"))
		publish_labels();
	if (strstr(argv[1], "context"))
		context = publish_context(anonymous);
	work(seconds / 3);
	if (strstr(argv[1], "late"))
		publish_context(anonymous);
	if (context && strstr(argv[1], "again"))
		publish_again(context);
	work(seconds);
	return 0;
}
