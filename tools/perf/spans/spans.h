/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of the spans whose ids samples carry? Tracing systems export them: name,
 * service, parent, status, times, attributes. This is the store of what such files say, found by
 * trace id and span id; load.h reads the files. How a sample gets its ids is left to
 * resolve/activity.h, what a report makes of names to fields/.
 *
 * A span takes 48 bytes and about 12 of index; names, services and attributes are kept once each,
 * and attributes only under keys that were asked for before loading.
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

/* Spans around a span that are looked at: what files say may go in circles. */
#define SPANS_MAX_DEPTH 64

/* Ids of 8 bytes as numbers: the id's first byte is the most significant one. */
struct span {
	u64 id;
	u64 parent;   /* 0: none */
	u64 start_ns; /* since 1970; 0: not stated */
	u64 duration_ns;
	u32 trace; /* number of its trace id */
	u32 name;  /* text */
	u32 labels;
	u32 owner : 24, status : 4, kind : 4; /* enum span_status, enum span_kind */
};

/* The 8 bytes of an id as such a number, and back. */
u64 span_number(const u8 *id);
void span_bytes(u64 number, u8 *id);

/*
 * The @size bytes of an id from @length hexadecimal digits, of which leading zeros may be left out.
 * False, and @id undefined, where @text is something else.
 */
bool span_id_parse(const char *text, size_t length, u8 *id, u32 size);

/* What a file's reader tells of one span. Texts are cleaned and copied. */
struct span_facts {
	u8 trace_id[SPAN_TRACE_ID_SIZE];
	u64 id, parent, start_ns, duration_ns;
	u32 name, labels; /* spans_text_id(), spans_add_label() */
	enum span_status status;
	enum span_kind kind;
	bool shared; /* a server's view of a span that its client exports under the same id */
};

struct spans_counts {
	u64 spans;
	u64 repeated; /* further records of a span that is known */
	u64 nameless; /* records without trace id or span id: left out */
	u64 cut;      /* files that end inside a value: what stands before is in */
};

struct spans;

struct spans *spans_new(void);
void spans_free(struct spans *spans);

/* Attributes called @key are kept: to be said before anything is loaded. */
void spans_keep(struct spans *spans, const char *key);

u32 spans_nr(const struct spans *spans);
const struct spans_counts *spans_counts(const struct spans *spans);

/* NULL: no file told of it. Pointers are good until something is added. */
const struct span *spans_find(const struct spans *spans, const u8 *trace_id, u64 id);
const struct span *spans_parent(const struct spans *spans, const struct span *span);

/*
 * The span with this id in any trace, or, with @trace_low, in one whose id ends in these 8 bytes.
 * NULL: there is none, or several. To be asked when all is loaded.
 */
const struct span *spans_find_alone(struct spans *spans, const u8 *trace_low, u64 id);
/* All spans are there: from now on several threads may look some up. */
void spans_settle(struct spans *spans);

/* SPAN_TRACE_ID_SIZE bytes, good until something is added. */
const u8 *spans_trace_id(const struct spans *spans, const struct span *span);

/* Never NULL; "" where the file did not say. They live as long as the store. */
const char *spans_name(const struct spans *spans, const struct span *span);
const char *spans_service(const struct spans *spans, const struct span *span);

/*
 * An attribute of the span, else of the nearest span around it that has it (a query's route is
 * that of the request it was made for), else of the span's resource, its process. NULL: none.
 */
const char *spans_label(const struct spans *spans, const struct span *span, const char *key);

/* The outermost span around @span, or itself, that its service made. */
const struct span *spans_root(const struct spans *spans, const struct span *span);

/* Whether spans of several services have its name. */
bool spans_is_ambiguous(const struct spans *spans, const struct span *span);

/*
 * For readers of files. Spans come in batches. Within a batch, a span names its process by a small
 * number that the reader chooses; spans_end_batch() says which process each number is, because
 * files often say so after the spans.
 */
struct span_owner {
	u32 service; /* spans_text_id() */
	u32 labels;
};

/* The number of @text as it may be shown: valid UTF-8, no control characters, 200 bytes. */
u32 spans_text_id(struct spans *spans, const char *text, size_t size);

bool spans_is_kept(const struct spans *spans, const char *key, size_t size);

/* @labels (0: none yet) with one more; of equal keys the last one counts. */
u32 spans_add_label(struct spans *spans, u32 labels, const char *key, size_t key_size,
		    const char *value, size_t value_size);

void spans_add(struct spans *spans, const struct span_facts *facts, u32 owner);
/* @owners[n] is who added spans as number n; numbers from @nr on are nobody. */
void spans_end_batch(struct spans *spans, const struct span_owner *owners, u32 nr);
/* The file being read ends in the middle. */
void spans_note_cut(struct spans *spans);

/* "unset", "ok", "error"; "unspecified", "internal", "server", ... */
const char *span_status_name(enum span_status status);
const char *span_kind_name(enum span_kind kind);

#endif
