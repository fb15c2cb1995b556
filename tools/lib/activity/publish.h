/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Publishes facts about the whole process as a process context of OTEP 4719: the names of the attributes' key indexes,
 * and the facts from activity_describe().
 *
 * A private mapping called OTEL_CTX starts with a header that points to a protobuf message. While header and message
 * change, the header's time is 0. Each version has another time. Messages alternate between two buffers after the
 * header. A message is written backwards, from its end to its start, because then each length is known when it is
 * written.
 */
#ifndef ACTIVITY_PUBLISH_H
#define ACTIVITY_PUBLISH_H

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "activity/inline.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACTIVITY_TEXT_SIZE   64
#define ACTIVITY_RESOURCES   32
#define ACTIVITY_HEADER_ROOM 4096
#define ACTIVITY_BODY_ROOM   32768 /* all keys and resources need 22 KiB */
#define ACTIVITY_CTX_SIZE    (ACTIVITY_HEADER_ROOM + 2 * ACTIVITY_BODY_ROOM)

struct activity_otel_header {
	char signature[8];
	uint32_t version, size;
	uint64_t published_ns;
	const uint8_t *body;
};

struct activity_resource {
	char name[ACTIVITY_TEXT_SIZE], value[ACTIVITY_TEXT_SIZE];
};

struct activity_published {
	int locked, nr_keys, nr_resources, turn;
	bool forks; /* the fork handlers are installed */
	volatile struct activity_otel_header *header;
	char key[ACTIVITY_KEYS_MAX][ACTIVITY_TEXT_SIZE];
	struct activity_resource resource[ACTIVITY_RESOURCES];
};

extern ACTIVITY_PRIVATE struct activity_published activity_published;
ACTIVITY_PRIVATE struct activity_published activity_published;

static inline void activity_lock(void)
{
	while (__atomic_exchange_n(&activity_published.locked, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

static inline void activity_unlock(void)
{
	__atomic_store_n(&activity_published.locked, 0, __ATOMIC_RELEASE);
}

int activity_nr_keys(void);
ACTIVITY_SLOW int activity_nr_keys(void)
{
	return __atomic_load_n(&activity_published.nr_keys, __ATOMIC_ACQUIRE);
}

static inline uint8_t *activity_before(uint8_t *at, const char *text, size_t size)
{
	at -= size;
	memcpy(at, text, size);
	return at;
}

/* Prepends the header of the field @number with a length: its content is from @at to @end. */
static inline uint8_t *activity_field(uint8_t *at, const uint8_t *end, uint8_t number)
{
	size_t size = (size_t)(end - at);
	uint8_t varint[5], nr = 0;

	do {
		varint[nr++] = (uint8_t)((size & 0x7f) | (size > 0x7f ? 0x80 : 0));
		size >>= 7;
	} while (size);
	at -= nr;
	memcpy(at, varint, nr);
	*--at = (uint8_t)(number << 3 | 2);
	return at;
}

/* Writes an AnyValue with a string that ends at @end. */
static inline uint8_t *activity_string_value(uint8_t *end, const char *text)
{
	return activity_field(activity_before(end, text, strlen(text)), end, 1);
}

/* Makes a KeyValue of @name and the AnyValue from @at to @end. It is field @number of the enclosing message. */
static inline uint8_t *activity_key_value(uint8_t *at, const uint8_t *end, const char *name,
					  uint8_t number)
{
	uint8_t *value = activity_field(at, end, 2);

	at = activity_field(activity_before(value, name, strlen(name)), value, 1);
	return activity_field(at, end, number);
}

/* Writes the ProcessContext that ends at @end. Returns its start. */
static inline uint8_t *activity_message(uint8_t *end)
{
	const struct activity_published *p = &activity_published;
	uint8_t *at = end, *behind = end;

	for (int i = p->nr_keys - 1; i >= 0; i--) {
		uint8_t *after = at;

		at = activity_field(activity_string_value(at, p->key[i]), after, 1);
	}
	at = activity_field(at, behind, 5);
	at = activity_key_value(at, behind, "threadlocal.attribute_key_map", 2);
	behind = at;
	at = activity_string_value(at, "tlsdesc_v1_dev");
	at = activity_key_value(at, behind, "threadlocal.schema_version", 2);
	behind = at;
	for (int i = p->nr_resources - 1; i >= 0; i--) {
		uint8_t *after = at;

		at = activity_string_value(at, p->resource[i].value);
		at = activity_key_value(at, after, p->resource[i].name, 1);
	}
	return activity_field(at, behind, 1);
}

#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1u
#endif
#ifndef MFD_ALLOW_SEALING
#define MFD_ALLOW_SEALING 2u
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA	     0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif

static inline volatile struct activity_otel_header *activity_map(void)
{
	const unsigned int no_exec = 8; /* since Linux 6.3 */
	int fd = (int)syscall(SYS_memfd_create, "OTEL_CTX",
			      MFD_CLOEXEC | MFD_ALLOW_SEALING | no_exec);
	void *map = MAP_FAILED;

	if (fd < 0)
		fd = (int)syscall(SYS_memfd_create, "OTEL_CTX", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd >= 0) {
		if (ftruncate(fd, ACTIVITY_CTX_SIZE) == 0)
			map = mmap(NULL, ACTIVITY_CTX_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd,
				   0);
		close(fd);
	}
	if (map == MAP_FAILED)
		map = mmap(NULL, ACTIVITY_CTX_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return NULL;
	if (madvise(map, ACTIVITY_CTX_SIZE, MADV_DONTFORK)) {
		munmap(map, ACTIVITY_CTX_SIZE);
		return NULL;
	}
	return (volatile struct activity_otel_header *)map;
}

/* The caller holds the lock. */
static inline bool activity_publish(void)
{
	struct activity_published *p = &activity_published;
	volatile struct activity_otel_header *header = p->header;
	uint8_t *end, *body;
	struct timespec now;
	uint64_t now_ns;

	if (!header)
		header = activity_map();
	if (!header)
		return false;
	p->turn ^= 1;
	end = (uint8_t *)header + ACTIVITY_HEADER_ROOM + (1 + p->turn) * ACTIVITY_BODY_ROOM;
	body = activity_message(end);
	clock_gettime(CLOCK_BOOTTIME, &now);
	now_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	if (now_ns <= header->published_ns)
		now_ns = header->published_ns + 1;
	header->published_ns = 0;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (int i = 0; i < 8; i++)
		header->signature[i] = "OTEL_CTX"[i];
	header->version = 2;
	header->body = body;
	header->size = (uint32_t)(end - body);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	header->published_ns = now_ns;
	/* On each update, because readers may wait for the call. */
	prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, header, (unsigned long)ACTIVITY_CTX_SIZE,
	      "OTEL_CTX");
	p->header = header;
	return true;
}

/* The child does not inherit the mapping, and no other thread can hold the lock. */
static void activity_in_child(void)
{
	activity_published.header = NULL;
	activity_publish();
	activity_unlock();
}

static inline bool activity_publish_everywhere(void)
{
	struct activity_published *p = &activity_published;

	if (!p->forks)
		p->forks = pthread_atfork(activity_lock, activity_unlock, activity_in_child) == 0;
	return activity_publish();
}

static inline bool activity_text_fits(const char *text)
{
	size_t size = strnlen(text, ACTIVITY_TEXT_SIZE);

	return size && size < ACTIVITY_TEXT_SIZE;
}

ACTIVITY_SLOW int activity_key(const char *name)
{
	struct activity_published *p = &activity_published;
	int key;

	if (!activity_text_fits(name))
		return -1;
	activity_lock();
	for (key = 0; key < p->nr_keys; key++) {
		if (strcmp(p->key[key], name) == 0)
			break;
	}
	if (key == p->nr_keys) {
		if (key == ACTIVITY_KEYS_MAX) {
			key = -1;
		} else {
			strcpy(p->key[key], name);
			__atomic_store_n(&p->nr_keys, key + 1, __ATOMIC_RELEASE);
			if (!activity_publish_everywhere()) {
				__atomic_store_n(&p->nr_keys, key, __ATOMIC_RELEASE);
				key = -1;
			}
		}
	}
	activity_unlock();
	return key;
}

ACTIVITY_SLOW bool activity_describe(const char *name, const char *value)
{
	struct activity_published *p = &activity_published;
	bool done = false;
	int i;

	if (!activity_text_fits(name) || !activity_text_fits(value))
		return false;
	activity_lock();
	for (i = 0; i < p->nr_resources; i++) {
		if (strcmp(p->resource[i].name, name) == 0)
			break;
	}
	if (i < ACTIVITY_RESOURCES) {
		strcpy(p->resource[i].name, name);
		strcpy(p->resource[i].value, value);
		if (i == p->nr_resources)
			p->nr_resources++;
		done = activity_publish_everywhere();
	}
	activity_unlock();
	return done;
}

#ifdef __cplusplus
}
#endif

#endif
