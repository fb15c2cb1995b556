/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The facts of a process while they are read. For process.c, and for process_otel.c, which needs a library. All others
 * use process.h.
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

/* Both strings belong to @f, or are valid longer than @f. Attributes beyond the limit are dropped. */
void facts_add(struct facts *f, const char *key, const char *value);

/* False: this build has no libprotobuf-c, see process_otel_none.c. */
bool facts_can_read_otel(void);
/* Decodes OTEP 4719's ProcessContext message. False: @data is not one. */
bool facts_read_otel(struct facts *f, const void *data, size_t size);

#endif
