// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The publishers of the matrix (live/matrix.sh), each by its specification. LAYOUT is INLINE,
 * OTEP, ELASTIC or LABELS; with PAD the object has that many more bytes of thread-local
 * variables, with ALIGN they are aligned to so much. Labels carry the ids as hexadecimal digits.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define INLINE	1
#define OTEP	2
#define ELASTIC 3
#define LABELS	4

#if LAYOUT == INLINE
#define ACTIVITY_HEADER_ONLY
#include "activity/activity.h"
#endif
#include "publish.h"

#ifdef PAD
#ifndef ALIGN
#define ALIGN 1
#endif
static __thread char pad[PAD] __attribute__((aligned(ALIGN)));

/* Initialized, so that its place in the file, and with it the block's, is not a round one. */
static __thread char odd[13] = { 1 };

__attribute__((used, visibility("default"))) char *publish_pad(void);
char *publish_pad(void)
{
	pad[0] = odd[0];
	return pad;
}
#endif

void publish(const void *trace, const void *span) __attribute__((visibility("default")));
void publish_half(const void *trace, const void *span) __attribute__((visibility("default")));

/* The compiler keeps the order; the CPU's own reader sees it. */
#define ORDER __asm__ volatile("" ::: "memory")

#if LAYOUT == INLINE

void publish(const void *trace, const void *span)
{
	static const struct activity_context none;

	/* Out of a half, too. */
	if (ACTIVITY_STATE == ACTIVITY_RECORD_UPDATING)
		activity_restore(&none);
	if (trace)
		activity_set(trace, span);
	else
		activity_clear();
}

void publish_half(const void *trace, const void *span)
{
	activity_set(trace, span);
	ACTIVITY_MARK;
}

#elif LAYOUT == OTEP

struct context {
	uint8_t trace[16], span[8];
	volatile uint8_t valid;
	uint8_t flags;
	uint16_t size;
};

__thread void *volatile otel_thread_ctx_v1 __attribute__((visibility("default")));
static __thread struct context context;

static void edit(const void *trace, const void *span)
{
	context.valid = 0;
	otel_thread_ctx_v1 = &context;
	ORDER;
	memcpy(context.trace, trace, 16);
	memcpy(context.span, span, 8);
	ORDER;
}

void publish(const void *trace, const void *span)
{
	if (!trace) {
		otel_thread_ctx_v1 = NULL;
		return;
	}
	edit(trace, span);
	context.valid = 1;
}

void publish_half(const void *trace, const void *span)
{
	edit(trace, span);
}

#elif LAYOUT == ELASTIC

struct correlation {
	uint16_t version;
	volatile uint8_t valid;
	uint8_t present, flags, trace[16], span[8], transaction[8];
} __attribute__((packed));

__thread void *volatile elastic_apm_profiling_correlation_tls_v1
	__attribute__((visibility("default")));
void *elastic_apm_profiling_correlation_process_storage_v1 __attribute__((visibility("default")));
static __thread struct correlation correlation;

static void edit(const void *trace, const void *span)
{
	correlation.valid = 0;
	elastic_apm_profiling_correlation_tls_v1 = &correlation;
	ORDER;
	correlation.version = 1;
	correlation.present = trace != NULL;
	if (trace) {
		memcpy(correlation.trace, trace, 16);
		memcpy(correlation.span, span, 8);
		memcpy(correlation.transaction, span, 8);
	}
	ORDER;
}

void publish(const void *trace, const void *span)
{
	edit(trace, span);
	correlation.valid = 1;
}

void publish_half(const void *trace, const void *span)
{
	edit(trace, span);
}

#else

struct text {
	size_t size;
	const char *bytes;
};

struct label {
	struct text key, value;
};

struct set {
	struct label *storage;
	size_t count, capacity;
};

const uint32_t custom_labels_abi_version __attribute__((visibility("default"))) = 1;
__thread struct set *volatile custom_labels_current_set __attribute__((visibility("default")));

/* Two to take turns: a set that is pointed to does not change. */
static __thread struct whole {
	struct set set;
	struct label label;
	char value[48];
} whole[2];
static __thread unsigned int turn;

static void put_hex(char *to, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		to[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		to[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
}

void publish(const void *trace, const void *span)
{
	struct whole *w = &whole[turn ^= 1];

	if (!trace) {
		custom_labels_current_set = NULL;
		return;
	}
	put_hex(w->value, trace, 16);
	put_hex(w->value + 32, span, 8);
	w->label.key.size = 2;
	w->label.key.bytes = "id";
	w->label.value.size = sizeof(w->value);
	w->label.value.bytes = w->value;
	w->set.storage = &w->label;
	w->set.count = w->set.capacity = 1;
	ORDER;
	custom_labels_current_set = &w->set;
}

/* A pointer has no middle. */
void publish_half(const void *trace, const void *span)
{
	publish(trace, span);
}

#endif
