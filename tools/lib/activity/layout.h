/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the activity of a thread from the bytes below its thread pointer.
 *
 * A layout names a thread-local variable and the format of its bytes: the record of libactivity, or any variable that the
 * user chooses. A placed layout also has the variable's offset from the thread pointer in one process. With it, the bytes
 * of a sample are decoded into an activity. The recorder finds the offset (dso/tls.h). The history (activity/history.h)
 * knows which layouts a process had at which time.
 *
 * A window is the bytes of a sample that end at the thread pointer: the variable at offset
 * tpoff < 0 starts at data[size + tpoff]. Its ABI is that of PERF_SAMPLE_TLS_USER, see
 * Documentation/formats/perf-data-extensions.md.
 */
#ifndef ACTIVITY_LAYOUT_H
#define ACTIVITY_LAYOUT_H

#include <glib.h>
#include <stddef.h>

#include "activity/cpu_context.h"
#include "base/error.h"
#include "base/types.h"

struct activity_process; /* activity/process.h */

/* The smallest window, in which libactivity's record is in most programs. */
#define ACTIVITY_WINDOW_MIN 64

/* The window of a process of which nothing is known yet: static programs fit in, too. */
#define ACTIVITY_WINDOW_DEFAULT 256

/* The largest window, a multiple of 8: a variable that begins further down reads as truncated. */
#define ACTIVITY_WINDOW_MAX 4096

/* The bytes of a variable that are looked at, at most. */
#define ACTIVITY_VALUE_MAX 64

/* How to read the bytes. The numbers are written into files. */
enum activity_format {
	ACTIVITY_RECORD = 0,  /* libactivity's record */
	ACTIVITY_U64 = 1,     /* an unsigned number of 1, 2, 4 or 8 bytes, in the machine's order */
	ACTIVITY_HEX = 2,     /* bytes in the order of memory; all zero is no activity */
	ACTIVITY_UUID = 3,    /* 16 bytes in the order of memory; all zero is no activity */
	ACTIVITY_STRING = 4,  /* up to a NUL or the end; empty is no activity */
	ACTIVITY_OTEP = 5,    /* OTEP 4947: a pointer to an OpenTelemetry thread context */
	ACTIVITY_ELASTIC = 6, /* a pointer to the record of Elastic's profiling correlation, v1 */
	ACTIVITY_LABELS = 7,  /* a pointer to a label set of Polar Signals' custom-labels, v1 */
	ACTIVITY_GO = 8,      /* pprof labels of a Go program */
	ACTIVITY_OBI = 9,   /* the trace context that OpenTelemetry's eBPF instrumentation keeps */
	ACTIVITY_NODE = 10, /* Node.js: where the walk to an OpenTelemetry thread context begins */
	ACTIVITY_NR_FORMATS
};

/* What a file's layout record (perfdata/event.h, struct event_tls_layout) says of a process. */
enum activity_layout_state {
	ACTIVITY_PLACED = 0, /* the variable is where the record states */
	ACTIVITY_GONE =
		1, /* no publisher any more: the process ended or executes another program */
	ACTIVITY_NOWHERE = 2, /* this publisher no longer: its library was unloaded */
	ACTIVITY_SOUGHT = 3,  /* a library has its variable, and its place is not known yet */
};

/* As the pid of a layout record: it holds of all processes, behind their own layouts. */
#define ACTIVITY_EVERY_PROCESS 0xffffffffu

/* Where the bytes of a layout are in a sample's section. The numbers are written into files. */
enum activity_where {
	ACTIVITY_IN_WINDOW = 0, /* at tpoff; of a pointer layout only the pointer is */
	ACTIVITY_APPENDED = 1,	/* in the frame's entry for the publisher, see activity_decode() */
};

/*
 * What to read, and in a given process where. @size is 0 as long as it is left to the symbol's
 * own size, and @tpoff is 0 as long as the symbol has not been found in a process.
 */
struct activity_layout {
	enum activity_format format;
	const char *symbol; /* the thread-local variable; owned by whoever made the layout */
	s64 tpoff;	    /* of the variable's first byte from the thread pointer; negative */
	u32 offset;	    /* of the first byte read, from the variable's first byte */
	u32 size;	    /* bytes read */
	u8 where;	    /* enum activity_where */
	u8 publisher;	    /* its number among those of the process */
	bool framed;	    /* the process's samples have a frame in front of the window */
	bool fresh;	    /* samples without any bytes may be from before it was known */
	u16 mark;	    /* of its place: entries of another one are not its own; 0: any is */
};

/*
 * In front of the window, in samples that a BPF program read: first struct activity_frame, then
 * @nr times struct activity_entry with @size bytes and zeros up to a multiple of 8. The program
 * writes them as bpf/sample_tls.h has them.
 */
struct activity_frame {
	u16 size; /* of all that is in front of the window, this struct included */
	u8 version, nr;
	u8 context; /* enum cpu_context: what the sampling event hit */
	u8 zero[3];
};

struct activity_entry {
	u8 publisher;
	u8 format; /* enum activity_format: how the bytes were found */
	u8 state;  /* enum activity_state: OK where all was read, else what prevented it */
	u8 cut;	   /* 0: all is there; else 1 and the labels that were left out, see below */
	u16 size;
	u16 mark; /* of the place that was read, as in struct activity_layout; 0: not stated */
};

/* As many labels were left out, or more. */
#define ACTIVITY_MISSING_MOST 254

#define ACTIVITY_FRAME_VERSION 1

/* A number: the states are counted and shown by reports. */
enum activity_state {
	ACTIVITY_NONE,	     /* the thread works for nothing, or nothing is known of its process */
	ACTIVITY_OK,	     /* what follows the state is what the thread had set at that instant */
	ACTIVITY_UPDATING,   /* the sample hit the middle of a change */
	ACTIVITY_UNREADABLE, /* the memory could not be read, or does not hold what it should */
	ACTIVITY_TRUNCATED,  /* the bytes that were read do not hold the variable, or all of it */
	ACTIVITY_INEXACT,    /* it was set, but could not be read at the instant of the sample */
	ACTIVITY_NOT_YET,    /* its place was not known when the sample was taken */
	ACTIVITY_INTERRUPT,  /* an interrupt or softirq ran, which is not the activity's work */
	ACTIVITY_NR_STATES
};

/* What of an activity is known: bits of activity.has. */
enum activity_has {
	ACTIVITY_HAS_IDS = 1 << 0,    /* trace_id and span_id; without it the id is the value */
	ACTIVITY_HAS_PARENT = 1 << 1, /* parent_id */
	ACTIVITY_HAS_ROOT = 1 << 2,   /* root_span */
	ACTIVITY_HAS_FLAGS = 1 << 3,  /* flags */
};

/* In a size of ACTIVITY_LABELS_PAIRS: the text was longer. */
#define ACTIVITY_TEXT_CUT 0x80

/* How activity_labels.data is to be read. */
enum activity_label_form {
	ACTIVITY_LABELS_NONE = 0,
	ACTIVITY_LABELS_OTEP, /* {u8 key index, u8 size, value}; the last of a key counts */
	/* {u8 key size, u8 value size, key, value}; the first counts. ACTIVITY_TEXT_CUT */
	ACTIVITY_LABELS_PAIRS,
};

/* The names of key indexes, of one process (activity/process.h). */
struct activity_keys {
	const char *const *names;
	u32 nr;
};

/* Borrowed: the bytes are the sample's, the keys the process's. */
struct activity_labels {
	const u8 *data;
	u32 size;
	u8 form;     /* enum activity_label_form */
	bool cut;    /* not all of them was read */
	u16 missing; /* of them are not there at all; see struct activity_entry */
	const struct activity_keys *keys;
};

/*
 * What a sample says. Two activities are the same where their ids are, whichever layout they were
 * read by (or their values, see activity_equal()); the rest tells more of it, and may be known
 * of one sample of it and not of another. `labels` and `process` are borrowed from the sample and
 * the session: who keeps an activity longer than the sample keeps it without, see
 * activity_identity().
 *
 * An activity is either a pair of ids (HAS_IDS: libactivity, OTEP, Elastic, OBI) or a value: the
 * variable's bytes, or, where labels are all that there is, their text "key=value key=value",
 * which ends in "..#" and a hash of the whole where that does not fit. In that text ".." stands
 * behind a key or value that was cut, and " +N" for labels that were left out; its state is then
 * TRUNCATED: of two activities with that text nobody knows whether they are one.
 */
struct activity {
	u8 state;      /* enum activity_state */
	u8 format;     /* enum activity_format, where there are ids or a value */
	u8 has;	       /* enum activity_has */
	u8 flags;      /* HAS_FLAGS: of the W3C trace context */
	u8 value_size; /* bytes of value, 0 where there are ids */
	u8 zero[3];
	union {
		struct {
			u8 trace_id[16]; /* in W3C's byte order, as are the others */
			u8 span_id[8];
			u8 parent_id[8]; /* the span around this one, in this process */
			u8 root_span[8]; /* the outermost span of this process or service */
		};
		u8 value[ACTIVITY_VALUE_MAX];
	};
	struct activity_labels labels;
	const struct activity_process *process; /* NULL: nothing is known of it */
};

/*
 * Reads the LAYOUT of a command line into @layout:
 *
 *	activity				libactivity's record (also for NULL and "")
 *	SYMBOL[:offset[:size[:u64|hex|uuid|string]]]	numbers decimal or 0x hexadecimal
 *
 * Without a size it is what the symbol has from the offset on. Without a type it is u64 for 1, 2,
 * 4 or 8 bytes, else hex. On success the caller frees layout->symbol with g_free(). Fails with
 * PERF_ERROR_USAGE.
 */
bool activity_layout_parse(const char *text, struct activity_layout *layout, GError **error);

/*
 * The layouts of a command line, separated by commas: "otep", "activity", "elastic", "labels",
 * "go", "node", or what activity_layout_parse() takes; "auto", NULL and "" stand for those six. Returns structs
 * activity_layout in the order of the text, each with its number as publisher, and at most @max;
 * free with g_array_unref(). NULL with PERF_ERROR_USAGE.
 */
GArray *activity_layouts_parse(const char *text, u32 max, GError **error);

/*
 * The layout in the process where its symbol, of @symbol_size bytes, lies @tpoff from the
 * thread pointer: a copy of @asked with nothing left open; it borrows asked->symbol. Fails with
 * PERF_ERROR_UNSUPPORTED where offset and size reach beyond the symbol (a symbol of size 0 is
 * taken to have what is asked for) or its type cannot have that size.
 */
bool activity_layout_place(const struct activity_layout *asked, s64 tpoff, u64 symbol_size,
			   struct activity_layout *placed, GError **error);

/*
 * Whether numbers that come from a file make a placed layout that activity_decode() can use: tpoff
 * and offset are then small enough to be added.
 */
bool activity_layout_valid(const struct activity_layout *layout);

/*
 * The window, in bytes, that holds what the placed @layout reads: a multiple of 8 and at least
 * ACTIVITY_WINDOW_MIN; 0 where that would be more than ACTIVITY_WINDOW_MAX, or where the
 * variable is not below the thread pointer.
 */
u32 activity_layout_window(const struct activity_layout *layout);

/*
 * What a section of @size bytes at @data says. Of them the first @dyn_size were readable.
 * @layout is that of the sample's process at the sample's time; NULL, like size 0, is state NONE.
 * @process: what is known of the process, or NULL; it is passed on in the activity. A pointer
 * layout of which only the window is there is INEXACT where the pointer is set, else NONE.
 */
void activity_decode(const struct activity_layout *layout, const u8 *data, u64 size, u64 dyn_size,
		     const struct activity_process *process, struct activity *activity);

/*
 * Decodes by the first of several @layouts of one process that has an activity. The layouts must be sorted by preference,
 * see activity_rank().
 */
void activity_decode_first(const struct activity_layout *layouts, u32 nr, const u8 *data, u64 size,
			   u64 dyn_size, const struct activity_process *process,
			   struct activity *activity);

/* Whether the variable is a pointer to what says the activity. */
bool activity_is_pointer(enum activity_format format);

/* 0 for the layout that is asked first where a process has several: OTEP, then the others. */
u32 activity_rank(enum activity_format format);

/*
 * What the sampling event hit, by the frame in front of a section of which @dyn_size bytes were
 * read: UNKNOWN where there is none, or it does not say. Where nothing could be read (0) the frame is there too.
 */
enum cpu_context activity_cpu_context(const u8 *data, u64 size, u64 dyn_size);

/* For a sample that hit an interrupt: removes the thread's activity and sets the state INTERRUPT. */
void activity_interrupt(struct activity *activity);

/* There is a value to show: of state OK, or of TRUNCATED the part that was read. */
static inline bool activity_has_value(const struct activity *activity)
{
	return activity->value_size && !(activity->has & ACTIVITY_HAS_IDS) &&
	       (activity->state == ACTIVITY_OK || activity->state == ACTIVITY_TRUNCATED);
}

/* Do both have the same state, and the same ids or the same value in the same format? */
bool activity_equal(const struct activity *a, const struct activity *b);

/* A hash: activities that are equal by activity_equal() have the same. */
u32 activity_hash(const struct activity *activity);

/* A total order of identities, those with an id first. Negative: @a comes before @b. */
int activity_compare(const struct activity *a, const struct activity *b);

/* A copy of @activity without the borrowed pointers, so that it can be kept. */
struct activity activity_identity(const struct activity *activity);

/*
 * Labels are there in state OK, and in state TRUNCATED those that were read, cut ones with what
 * there is of their value.
 *
 * The value of the label @key: @size bytes at @value, which are not text for certain and live as
 * long as the sample. False where the activity has no such label.
 */
bool activity_label(const struct activity *activity, const char *key, const char **value,
		    size_t *size);

/* Of the label @key, where there is one: what is known of its value is not all. */
bool activity_label_is_cut(const struct activity *activity, const char *key);

/* Each label that counts, in the order of memory, a key once. Keys need not end in NUL. */
typedef void (*activity_label_fn)(const char *key, size_t key_size, const char *value, size_t size,
				  void *arg);
void activity_each_label(const struct activity *activity, activity_label_fn fn, void *arg);

/*
 * Appends what of the labels was not read: the keys of those that were cut, each with ".." behind
 * the part that is missing, and "+N" for those left out, separated by commas; nothing where all
 * are whole.
 */
void activity_cut_labels(const struct activity *activity, GString *out);

/* The longest text of activity_print() with its NUL: a string of bytes that are all escaped. */
#define ACTIVITY_TEXT_MAX (4 * ACTIVITY_VALUE_MAX + 1)

/*
 * Writes @activity as text: "<trace id>:<span id>" in hexadecimal digits; a decimal number; plain
 * hexadecimal digits; a UUID with its dashes; a string, in which a byte that is not part of
 * printable UTF-8, and a backslash, is written \xNN. For the other states "(none)",
 * "(being updated)", "(unreadable)", "(truncated)" where no part is known, "(inexact)",
 * "(not looked up yet)", "(interrupt)". Returns @text.
 */
const char *activity_print(const struct activity *activity, char text[ACTIVITY_TEXT_MAX]);

/* "none", "ok", "being updated", "unreadable", "truncated", "inexact", "not looked up yet", "interrupt". */
const char *activity_state_name(enum activity_state state);

#endif
