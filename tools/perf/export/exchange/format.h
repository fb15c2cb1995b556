/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine gives to the writer of a format. */
#ifndef EXPORT_EXCHANGE_FORMAT_H
#define EXPORT_EXCHANGE_FORMAT_H

#include <stdio.h>

#include "base/error.h"
#include "export/exchange/tables.h"

struct access;
struct session;

/* Facts about a sample that are texts. Formats have them as labels of these names (exchange_label_names). */
enum exchange_label {
	LABEL_SPAN_NAME,
	LABEL_SERVICE,
	LABEL_CONTAINER, /* its whole id */
	LABEL_POD,
	LABEL_ACTIVITY, /* of a thread whose activity is no pair of ids */
	LABEL_TYPE,
	LABEL_FIELD,
	LABEL_STATE,
	LABEL_SYSCALL,
	LABEL_WCHAN,
	LABEL_LOCK,
	NR_EXCHANGE_LABELS,
};
extern const char *const exchange_label_names[NR_EXCHANGE_LABELS];

struct exchange_event {
	const char *name;
	const char *unit; /* of the values: "nanoseconds", "count" */
	u64 period;	  /* that the recording states for all samples; 0: none */
	bool stretch; /* a sample stands for the time before it, as long as its value; else for an instant */
	bool is_time;	    /* the unit is a time */
	u64 samples, value; /* sums of those that were given */
};

struct exchange_span {
	u8 trace_id[16], span_id[8];
};

struct exchange_sample {
	u32 event, thread, stack;	/* event: from 0 */
	u32 cpu;			/* (u32)-1: not known */
	u32 comm;			/* text: the thread's name at that time */
	u32 labels[NR_EXCHANGE_LABELS]; /* texts; 0: it has none */
	/*
	 * Number of the span, from 1; 0: none. Numbers are in the order of first use. A span that was not used for long may
	 * get another number.
	 */
	u32 span;
	struct exchange_span ids; /* of the span */
	u64 time;		  /* ns by the recording's clock, or since 1970 if x->has_wall */
	u64 value;		  /* in the event's unit */
	const struct access
		*access; /* with a type, if there is LABEL_TYPE; valid during the call */
};

/* A thread worked for one span in this time, as its samples tell. */
struct exchange_stretch {
	u32 thread;
	u32 name, service; /* texts; 0: not known */
	struct exchange_span ids;
	u64 from, to; /* of the first and the last sample: times as in the sample */
	u64 samples;
};

struct exchange {
	struct session *session;
	struct exchange_tables tables;
	GArray *events; /* struct exchange_event */
	bool has_wall;	/* times are since 1970 */
	u64 first,
		last; /* times of samples so far, the time that they stand for included; first > last: none */
	u64 lost;	/* samples that the recording lost; valid in close() */
	u64 nr_samples; /* so far */
	const char *
		table; /* the one that is wanted of a format with tables; NULL: all, in the folder @output */
	struct exchange_push
		*push;	    /* what the blocks of exchange_blocks go to; NULL: another format */
	FILE *out;	    /* NULL: the writer makes files in a folder */
	const char *output; /* its name, for messages */
	void *writer;	    /* what open() made */
};

struct exchange_format {
	const char *name, *output; /* output: of the file, if the user names none */
	bool tables;		   /* it has several tables, each of which is a file */
	const char *missing; /* the library that this build lacks; then there are no functions */
	const char *
		without_wall; /* what it lacks if the recording does not tell the time of day; NULL: nothing */
	/* Sets x->writer. */
	bool (*open)(struct exchange *x, GError **error);
	bool (*sample)(struct exchange *x, const struct exchange_sample *s, GError **error);
	bool (*stretch)(struct exchange *x, const struct exchange_stretch *s,
			GError **error); /* may be NULL */
	/* Writes what is left. */
	bool (*close)(struct exchange *x, GError **error);
	/* Frees x->writer, also after a failure. */
	void (*release)(struct exchange *x);
};

extern const struct exchange_format exchange_folded, exchange_pprof, exchange_speedscope,
	exchange_firefox, exchange_otlp, exchange_perfetto, exchange_parquet, exchange_native,
	exchange_blocks;

static inline struct exchange_event *exchange_event(const struct exchange *x, u32 event)
{
	return &g_array_index(x->events, struct exchange_event, event);
}

/* Is the sample that is given to the writer the first one? */
static inline bool exchange_is_first(const struct exchange *x)
{
	return x->nr_samples == 1;
}

/* Lower-case digits of @size bytes and a NUL into @hex, which is returned. */
static inline const char *exchange_hex(const u8 *bytes, u32 size, char *hex)
{
	for (u32 i = 0; i < size; i++) {
		hex[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	hex[2 * size] = 0;
	return hex;
}

/* The beginning of the time that a sample stands for. */
static inline u64 exchange_begin(const struct exchange *x, const struct exchange_sample *s)
{
	return exchange_event(x, s->event)->stretch ? s->time - MIN(s->time, s->value) : s->time;
}

#endif
