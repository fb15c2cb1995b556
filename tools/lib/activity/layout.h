/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the activity of a thread from the bytes below its thread pointer.
 *
 * A layout names a thread-local variable and the format of its bytes: the record of libactivity, or any variable that
 * the user chooses. A placed layout also has the variable's offset from the thread pointer in one process. With it, the
 * bytes of a sample are decoded into an activity. The recorder finds the offset (dso/tls.h). The history
 * (activity/history.h) knows which layouts a process had at which time.
 *
 * A window is the bytes of a sample that end at the thread pointer. A variable at offset tpoff < 0 starts at data[size
 * + tpoff]. The ABI is that of PERF_SAMPLE_TLS_USER, see Documentation/formats/perf-data-extensions.md.
 */
#ifndef ACTIVITY_LAYOUT_H
#define ACTIVITY_LAYOUT_H

#include <glib.h>
#include <stddef.h>

#include "activity/cpu_context.h"
#include "base/error.h"
#include "base/types.h"

struct activity_process; /* activity/process.h */

/* The smallest window. In most programs it contains libactivity's record. */
#define ACTIVITY_WINDOW_MIN 64

/* The window for a process that has not been examined yet: large enough for static programs, too. */
#define ACTIVITY_WINDOW_DEFAULT 256

/* The largest window, a multiple of 8. A variable that starts below it is reported as truncated. */
#define ACTIVITY_WINDOW_MAX 4096

/* The maximum of bytes that are read from a variable. */
#define ACTIVITY_VALUE_MAX 64

/* The format of the bytes. The numbers are written into files. */
enum activity_format {
	ACTIVITY_RECORD = 0,  /* libactivity's record */
	ACTIVITY_U64 = 1,     /* a number of 1, 2, 4 or 8 bytes, unsigned, in machine byte order */
	ACTIVITY_HEX = 2,     /* bytes in memory order; all zero: no activity */
	ACTIVITY_UUID = 3,    /* 16 bytes in memory order; all zero: no activity */
	ACTIVITY_STRING = 4,  /* up to a NUL or the end; empty: no activity */
	ACTIVITY_OTEP = 5,    /* OTEP 4947: a pointer to an OpenTelemetry thread context */
	ACTIVITY_ELASTIC = 6, /* a pointer to the record of Elastic's profiling correlation, v1 */
	ACTIVITY_LABELS = 7,  /* a pointer to a label set of Polar Signals' custom-labels, v1 */
	ACTIVITY_GO = 8,      /* pprof labels of a Go program */
	ACTIVITY_OBI = 9,     /* the trace context kept by OpenTelemetry's eBPF instrumentation */
	ACTIVITY_NODE = 10,   /* Node.js: start of the walk to an OpenTelemetry thread context */
	ACTIVITY_NR_FORMATS
};

/* The state in a file's layout record (struct event_tls_layout of perfdata/event.h). */
enum activity_layout_state {
	ACTIVITY_PLACED = 0, /* the variable is at the recorded offset */
	ACTIVITY_GONE =
		1, /* no publisher any more: the process ended, or it executes another program */
	ACTIVITY_NOWHERE = 2, /* this publisher has gone: its library was unloaded */
	ACTIVITY_SOUGHT = 3,  /* a library has the variable, but its location is not known yet */
};

/* As the pid of a layout record: it is valid for all processes. Their own layouts come first. */
#define ACTIVITY_EVERY_PROCESS 0xffffffffu

/* The location of a layout's bytes in the sample's section. The numbers are written into files. */
enum activity_where {
	ACTIVITY_IN_WINDOW = 0, /* at tpoff; for a pointer layout, only the pointer is there */
	ACTIVITY_APPENDED = 1,	/* in the frame's entry for the publisher, see activity_decode() */
};

/*
 * A variable and its format; in a placed layout also its location in one process. @size is 0 if the symbol's own size
 * decides. @tpoff is 0 until the symbol has been found in a process.
 */
struct activity_layout {
	enum activity_format format;
	const char *symbol; /* the thread-local variable; owned by the creator of the layout */
	s64 tpoff;	    /* from the thread pointer to the variable's first byte; negative */
	u32 offset;	    /* from the variable's first byte to the first byte read */
	u32 size;	    /* bytes read */
	u8 where;	    /* enum activity_where */
	u8 publisher;	    /* its number in the process */
	bool framed;	    /* the process's samples have a frame before the window */
	bool fresh;	    /* samples without bytes may be older than the layout */
	u16 mark; /* of its location: entries with another mark are not used; 0: all are */
};

/*
 * The bytes before the window, in samples that a BPF program has read: one struct activity_frame, then @nr times a
 * struct activity_entry with @size bytes, padded with zeros to a multiple of 8. bpf/sample_tls.h has the program's
 * definition of them.
 */
struct activity_frame {
	u16 size; /* of all bytes before the window, with this struct */
	u8 version, nr;
	u8 context; /* enum cpu_context: what the sampling event interrupted */
	u8 unread;  /* enum activity_unread */
	u8 zero[2];
};

struct activity_entry {
	u8 publisher;
	u8 format; /* enum activity_format: how the bytes were found */
	u8 state;  /* enum activity_state: OK if all bytes were read, else the reason */
	u8 cut;	   /* 0: complete; else 1 plus the number of missing labels, see below */
	u16 size;
	u16 mark; /* of the location that was read, see struct activity_layout; 0: not stated */
};

/* So many labels are missing, or more. */
#define ACTIVITY_MISSING_MOST 254

#define ACTIVITY_FRAME_VERSION 1

/* Nothing follows the frame, and why. */
enum activity_unread {
	ACTIVITY_IS_READ,
	ACTIVITY_UNSOUGHT, /* nobody has looked whether the sample's process has activities */
	ACTIVITY_UNREAD,   /* nobody has read the thread's activity at that time */
};

/* Reports count samples by state and show the counts. */
enum activity_state {
	ACTIVITY_NONE,	   /* the thread has no activity, or the process is not known to have any */
	ACTIVITY_OK,	   /* the activity that the thread had set at this instant */
	ACTIVITY_UPDATING, /* the sample hit the middle of an update */
	ACTIVITY_UNREADABLE, /* the memory could not be read, or its content is invalid */
	ACTIVITY_TRUNCATED, /* the bytes that were read contain only a part of the variable, or nothing */
	ACTIVITY_INEXACT,   /* an activity was set, but could not be read at the sample's time */
	ACTIVITY_NOT_YET,   /* the location was not known when the sample was taken */
	ACTIVITY_INTERRUPT, /* an interrupt or softirq ran, which is not work for the activity */
	ACTIVITY_NOT_READ, /* the event's samples have no bytes, or nobody looked for the process's activities */
	ACTIVITY_NR_STATES
};

/* Bits of activity.has: the known parts of an activity. */
enum activity_has {
	ACTIVITY_HAS_IDS = 1 << 0, /* trace_id and span_id; without this bit, the value is the id */
	ACTIVITY_HAS_PARENT = 1 << 1, /* parent_id */
	ACTIVITY_HAS_ROOT = 1 << 2,   /* root_span */
	ACTIVITY_HAS_FLAGS = 1 << 3,  /* flags */
};

/* A bit in a size of ACTIVITY_LABELS_PAIRS: the text was longer. */
#define ACTIVITY_TEXT_CUT 0x80

/* The format of activity_labels.data. */
enum activity_label_form {
	ACTIVITY_LABELS_NONE = 0,
	ACTIVITY_LABELS_OTEP, /* {u8 key index, u8 size, value}; the last one of a key is valid */
	/*
	 * {u8 key size, u8 value size, key, value}; the first one of a key is valid. Sizes may have ACTIVITY_TEXT_CUT.
	 */
	ACTIVITY_LABELS_PAIRS,
};

/* The names of the key indexes in one process (activity/process.h). */
struct activity_keys {
	const char *const *names;
	u32 nr;
};

/* Borrowed: the bytes belong to the sample, the keys to the process. */
struct activity_labels {
	const u8 *data;
	u32 size;
	u8 form;     /* enum activity_label_form */
	bool cut;    /* some labels were not read */
	u16 missing; /* number of labels that are missing completely; see struct activity_entry */
	const struct activity_keys *keys;
};

/*
 * The activity of a sample. Two activities are the same if their ids are the same (or their values, see
 * activity_equal()), even if they come from different layouts. The other fields are details, which may be known in one
 * sample of the activity and unknown in another. `labels` and `process` are borrowed from the sample and the session.
 * To keep an activity longer than the sample, drop them.
 *
 * An activity is either a pair of ids (HAS_IDS: libactivity, OTEP, Elastic, OBI) or a value. The value is the bytes of
 * the variable. If there are only labels, the value is their text "key=value key=value". A text that is too long ends
 * in "..#" and a hash of the whole text. In the text, ".." follows a key or value that was cut, and " +N" stands for N
 * missing labels. The state is then TRUNCATED: two activities with this text may be different ones.
 */
struct activity {
	u8 state;      /* enum activity_state */
	u8 format;     /* enum activity_format, if there are ids or a value */
	u8 has;	       /* enum activity_has */
	u8 flags;      /* HAS_FLAGS: flags of the W3C trace context */
	u8 value_size; /* bytes of value; 0 if there are ids */
	u8 zero[3];
	union {
		struct {
			u8 trace_id[16]; /* in W3C's byte order, like the other ids */
			u8 span_id[8];
			u8 parent_id[8]; /* the enclosing span in this process */
			u8 root_span[8]; /* the outermost span of this process or service */
		};
		u8 value[ACTIVITY_VALUE_MAX];
	};
	struct activity_labels labels;
	const struct activity_process *process; /* NULL: nothing is known about it */
};

/*
 * Parses the LAYOUT of a command line into @layout:
 *
 *	activity				libactivity's record (also for NULL and "")
 *	SYMBOL[:offset[:size[:u64|hex|uuid|string]]]	numbers decimal or 0x hexadecimal
 *
 * The default size is the symbol's size after the offset. The default type is u64 for 1, 2, 4 or 8 bytes, else hex. On
 * success the caller frees layout->symbol with g_free(). Fails with PERF_ERROR_USAGE.
 */
bool activity_layout_parse(const char *text, struct activity_layout *layout, GError **error);

/*
 * Parses the layouts of a command line, separated by commas: "otep", "activity", "elastic", "labels", "go", "node", or
 * the syntax of activity_layout_parse(). "auto", NULL and "" mean these six. Returns an array of struct activity_layout
 * in the order of the text, at most @max; each has its number as publisher. Free it with g_array_unref(). NULL with
 * PERF_ERROR_USAGE.
 */
GArray *activity_layouts_parse(const char *text, u32 max, GError **error);

/*
 * Places @asked in a process whose symbol has @symbol_size bytes and starts @tpoff bytes from the thread pointer. The
 * result is a complete copy of @asked that borrows asked->symbol. Fails with PERF_ERROR_UNSUPPORTED if offset and size
 * reach beyond the symbol, or if the type cannot have this size. A symbol of size 0 is assumed to be large enough.
 */
bool activity_layout_place(const struct activity_layout *asked, s64 tpoff, u64 symbol_size,
			   struct activity_layout *placed, GError **error);

/*
 * Are the numbers, which come from a file, a placed layout that activity_decode() can use? Then tpoff and offset are so
 * small that they can be added.
 */
bool activity_layout_valid(const struct activity_layout *layout);

/*
 * The size in bytes of the window that contains the bytes of the placed @layout: a multiple of 8, at least
 * ACTIVITY_WINDOW_MIN. 0: it would be more than ACTIVITY_WINDOW_MAX, or the variable is not below the thread pointer.
 */
u32 activity_layout_window(const struct activity_layout *layout);

/*
 * Decodes a section of @size bytes at @data; the first @dyn_size bytes were readable. @layout is the layout of the
 * sample's process at the sample's time. If @layout is NULL or @size is 0, the state is NONE. @process: the facts about
 * the process, or NULL; the activity refers to it. If only the window of a pointer layout is there, the state is
 * INEXACT if the pointer is not NULL, else NONE.
 */
void activity_decode(const struct activity_layout *layout, const u8 *data, u64 size, u64 dyn_size,
		     const struct activity_process *process, struct activity *activity);

/*
 * Decodes by the first of several @layouts of one process that has an activity. The layouts must be sorted by
 * preference, see activity_rank().
 */
void activity_decode_first(const struct activity_layout *layouts, u32 nr, const u8 *data, u64 size,
			   u64 dyn_size, const struct activity_process *process,
			   struct activity *activity);

/* Is the variable a pointer to the activity's data? */
bool activity_is_pointer(enum activity_format format);

/* The preference of a layout if a process has several: 0 (OTEP) is tried first. */
u32 activity_rank(enum activity_format format);

/*
 * The context that the sampling event interrupted, from the frame at the start of a section. @dyn_size bytes of the
 * section were read. UNKNOWN: there is no frame, or the frame does not have the context. The frame is also there if
 * nothing could be read (@dyn_size is 0).
 */
enum cpu_context activity_cpu_context(const u8 *data, u64 size, u64 dyn_size);

/* Why a section has no activity, if it is a frame alone that says so. */
enum activity_unread activity_unread(const u8 *data, u64 size, u64 dyn_size);

/* For a sample that hit an interrupt: removes the thread's activity and sets the state INTERRUPT. */
void activity_interrupt(struct activity *activity);

/*
 * Labels exist in the states OK and TRUNCATED. In TRUNCATED, they are the labels that were read; a cut label has the
 * part of its value that was read.
 *
 * The value of the label @key: @size bytes at @value. They may be no text, and are valid as long as the sample. False:
 * the activity has no such label.
 */
bool activity_label(const struct activity *activity, const char *key, const char **value,
		    size_t *size);

/* Is the label @key there, but only with a part of its value? */
bool activity_label_is_cut(const struct activity *activity, const char *key);

/* Calls back for each valid label, in memory order, once for each key. Keys need not end in NUL. */
typedef void (*activity_label_fn)(const char *key, size_t key_size, const char *value, size_t size,
				  void *arg);
void activity_each_label(const struct activity *activity, activity_label_fn fn, void *arg);

/*
 * Appends a description of the missing parts of labels, separated by commas: the keys of cut labels, with ".." after
 * the part that was cut, and "+N" for N labels that are missing. Appends nothing if all labels are complete.
 */
void activity_cut_labels(const struct activity *activity, GString *out);

#endif
