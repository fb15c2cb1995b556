/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The store of facts about spans: name, service, parent, status, times, attributes. Tracing systems export them in
 * files; spans/load.h reads the files. A span is found by its trace id and span id. resolve/activity.h gets a sample's
 * ids, fields/ makes report columns from the names.
 *
 * A span takes 48 bytes and about 12 bytes of index. Equal names, services and attributes are stored once. Attributes
 * are stored only if their key was requested before loading.
 */
#ifndef SPANS_SPANS_H
#define SPANS_SPANS_H

#include "base/types.h"

enum span_status { SPAN_UNSET, SPAN_OK, SPAN_ERROR };

enum span_kind {
	SPAN_UNSPECIFIED,
	SPAN_INTERNAL,
	SPAN_SERVER,
	SPAN_CLIENT,
	SPAN_PRODUCER,
	SPAN_CONSUMER,
};

#define SPAN_TRACE_ID_SIZE 16

/* Limit of spans around a span that are visited. In a damaged file, parents can form a circle. */
#define SPANS_MAX_DEPTH 64

/* An 8-byte id is stored as a number; its first byte is the most significant one. */
struct span {
	u64 id;
	u64 parent;   /* 0: none */
	u64 start_ns; /* since 1970; 0: unknown */
	u64 duration_ns;
	u32 trace; /* number of its trace id */
	u32 name;  /* text */
	u32 labels;
	u32 owner : 24, status : 4, kind : 4; /* enum span_status, enum span_kind */
};

/* Converts the 8 bytes of an id to such a number, and back. */
u64 span_number(const u8 *id);
void span_bytes(u64 number, u8 *id);

/*
 * Parses the @size bytes of an id from @length hexadecimal digits; leading zeros may be missing. False: @text is no id.
 * Then @id is undefined.
 */
bool span_id_parse(const char *text, size_t length, u8 *id, u32 size);

/* The facts that a file has about one span. Texts are cleaned and copied. */
struct span_facts {
	u8 trace_id[SPAN_TRACE_ID_SIZE];
	u64 id, parent, start_ns, duration_ns;
	u32 name, labels; /* spans_text_id(), spans_add_label() */
	enum span_status status;
	enum span_kind kind;
	bool shared; /* a server's record of a span that the client exports with the same id */
};

struct spans_counts {
	u64 spans;
	u64 repeated; /* further records of a known span */
	u64 nameless; /* records without trace id or span id; not stored */
	u64 cut;      /* files that end inside a value; the spans before it are stored */
};

struct spans;

struct spans *spans_new(void);
void spans_free(struct spans *spans);

/* Keep attributes called @key. Call it before loading. */
void spans_keep(struct spans *spans, const char *key);

u32 spans_nr(const struct spans *spans);
/* One of them, in any order. */
const struct span *spans_at(const struct spans *spans, u32 i);
const struct spans_counts *spans_counts(const struct spans *spans);

/* NULL: no file has the span. Pointers are valid until a span is added. */
const struct span *spans_find(const struct spans *spans, const u8 *trace_id, u64 id);
const struct span *spans_parent(const struct spans *spans, const struct span *span);

/*
 * Finds the span with this id in any trace; @trace_low: only in traces whose id ends in these 8 bytes. NULL: there is
 * none, or several. Call it after loading.
 */
const struct span *spans_find_alone(struct spans *spans, const u8 *trace_low, u64 id);
/* Ends loading. After it, several threads may look up spans. */
void spans_settle(struct spans *spans);

/* SPAN_TRACE_ID_SIZE bytes, valid until a span is added. */
const u8 *spans_trace_id(const struct spans *spans, const struct span *span);

/* "": the file did not state it. Never NULL. Valid as long as the store. */
const char *spans_name(const struct spans *spans, const struct span *span);
const char *spans_service(const struct spans *spans, const struct span *span);

/*
 * Searches an attribute in the span, then in the spans around it, nearest first, then in the span's resource (its
 * process). Example: the span of a database query has the route of the request that it belongs to. NULL: there is none.
 */
const char *spans_label(const struct spans *spans, const struct span *span, const char *key);

/* The outermost span of the same service around @span; may be @span itself. */
const struct span *spans_root(const struct spans *spans, const struct span *span);

/* Do several services have spans with its name? */
bool spans_is_ambiguous(const struct spans *spans, const struct span *span);

/*
 * For file readers. Spans come in batches. Within a batch, a span names its process by a small number that the reader
 * chooses. spans_end_batch() tells the process for each number, because files often state it after the spans.
 */
struct span_owner {
	u32 service; /* spans_text_id() */
	u32 labels;
};

/* The number of @text in displayable form: valid UTF-8, no control characters, at most 200 bytes. */
u32 spans_text_id(struct spans *spans, const char *text, size_t size);

bool spans_is_kept(const struct spans *spans, const char *key, size_t size);

/* Returns the list @labels (0: empty) with one more label. Of labels with equal keys, the last one counts. */
u32 spans_add_label(struct spans *spans, u32 labels, const char *key, size_t key_size,
		    const char *value, size_t value_size);

void spans_add(struct spans *spans, const struct span_facts *facts, u32 owner);
/* @owners[n] is the owner of the spans added as number n. Spans with numbers from @nr on have no owner. */
void spans_end_batch(struct spans *spans, const struct span_owner *owners, u32 nr);
/* Notes that the present file ends inside a value. */
void spans_note_cut(struct spans *spans);

/* "unset", "ok", "error"; "unspecified", "internal", "server", ... */
const char *span_status_name(enum span_status status);
const char *span_kind_name(enum span_kind kind);

#endif
