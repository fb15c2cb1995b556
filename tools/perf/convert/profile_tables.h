/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the readers of profiles share: tables of messages in untrusted bytes, and samples by their labels. */
#ifndef CONVERT_PROFILE_TABLES_H
#define CONVERT_PROFILE_TABLES_H

#include <glib.h>

#include "convert/imported.h"

#define PROFILE_MOST_ENTRIES (1u << 24) /* of a table */

/* Bytes in the profile. */
struct profile_bytes {
	const u8 *data;
	size_t size;
};

/* The table's element, or NULL. */
static inline const struct profile_bytes *profile_entry(const GArray *table, u64 i)
{
	return i < table->len ? &g_array_index(table, struct profile_bytes, i) : NULL;
}

/* Appends an element. False with @error: there are too many. */
bool profile_add_entry(GArray *table, const void *data, size_t size, GError **error);

/* Texts of a profile, with a NUL behind them; made at the first use. */
struct profile_texts {
	GArray *table;	 /* struct profile_bytes */
	GPtrArray *made; /* char *, or NULL */
};

void profile_texts_init(struct profile_texts *t);
void profile_texts_release(struct profile_texts *t);
/* "": there is no such text. Without control characters. */
const char *profile_text(struct profile_texts *t, u64 i);

/* @text without control characters, and not too long. The caller frees it. */
char *profile_clean(const char *text);

/* A sample that is put together label by label. */
struct profile_sample {
	struct imported_sample sample;
	GByteArray *labels;
	char *trace_id, *span_id, *span_name, *service;
	char *comm;
};

void profile_sample_start(struct profile_sample *s);
void profile_sample_label(struct profile_sample *s, const char *key, const char *value);
/* The same for numbers; "pid" and "tid" are the thread's. The CPU's is left out, since an activity is not of one. */
void profile_sample_number(struct profile_sample *s, const char *key, s64 value);
/* Tells @im the name of the span. */
void profile_sample_settle(struct profile_sample *s, struct imported *im);
void profile_sample_release(struct profile_sample *s);

#endif
