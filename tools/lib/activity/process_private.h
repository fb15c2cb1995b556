/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What are the facts of a process while they are being read? For process.c and what reads the
 * forms that need a library (process_otel.c); everybody else has process.h.
 */
#ifndef ACTIVITY_PROCESS_PRIVATE_H
#define ACTIVITY_PROCESS_PRIVATE_H

#include "activity/process.h"

#define FACTS_MAX_ATTRIBUTES 1024
#define FACTS_MAX_KEYS	     256 /* an index is one byte */

struct facts {
	GStringChunk *strings; /* all text */
	GPtrArray *keys;       /* const char * */
	GArray *attributes;    /* struct activity_attribute */
	struct activity_process process;
};

/* facts.c; freed by activity_process_free(&facts->process) */
struct facts *facts_new(void);

/* A copy of @text up to @size bytes or a NUL, made valid UTF-8. Owned by @f. */
const char *facts_string(struct facts *f, const char *text, size_t size);

/* Both strings are @f's own, or live longer. What is beyond the limit is dropped. */
void facts_add(struct facts *f, const char *key, const char *value);

/* False where this build has no libprotobuf-c: process_otel_none.c. */
bool facts_can_read_otel(void);
/* OTEP 4719's ProcessContext message. False where @data is none. */
bool facts_read_otel(struct facts *f, const void *data, size_t size);

#endif
