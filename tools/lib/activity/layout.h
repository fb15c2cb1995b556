/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the bytes below a thread's pointer say about its activity?
 *
 * A layout names a thread-local variable and how to read it: the record of libactivity, or any
 * variable of the user's choice. Together with the place of that variable in one process (its
 * offset from the thread pointer) it turns the bytes of a sample into an activity. How that
 * place is found is left to dso/tls.h and to the recorder; which layout a process had at which
 * time, to the machine.
 *
 * A window is the bytes of a sample that end at the thread pointer: the variable at offset
 * tpoff < 0 starts at data[size + tpoff]. Its ABI is that of PERF_SAMPLE_TLS_USER, see
 * Documentation/formats/perf-data-extensions.md.
 */
#ifndef ACTIVITY_LAYOUT_H
#define ACTIVITY_LAYOUT_H

#include "base/error.h"
#include "base/types.h"

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
	ACTIVITY_RECORD = 0, /* libactivity's record: trace id and span id */
	ACTIVITY_U64 = 1,    /* an unsigned number of 1, 2, 4 or 8 bytes, in the machine's order */
	ACTIVITY_HEX = 2,    /* bytes in the order of memory; all zero is no activity */
	ACTIVITY_UUID = 3,   /* 16 bytes in the order of memory; all zero is no activity */
	ACTIVITY_STRING = 4, /* up to a NUL or the end; empty is no activity */
};

/* What a file's layout record (perfdata/event.h, struct event_tls_layout) says of a process. */
enum activity_layout_state {
	ACTIVITY_PLACED = 0, /* the variable is at the offset stated */
	ACTIVITY_GONE = 1,   /* no longer: the process ended or executes another program */
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
};

/* A number: the states are counted and shown by reports. */
enum activity_state {
	ACTIVITY_NONE,	     /* the thread works for nothing, or nothing is known of its process */
	ACTIVITY_OK,	     /* what follows the state is what the thread had set at that instant */
	ACTIVITY_UPDATING,   /* the sample hit the middle of a change */
	ACTIVITY_UNREADABLE, /* the memory could not be read, or does not hold what it should */
	ACTIVITY_TRUNCATED,  /* the window does not reach down to the variable */
};

/*
 * What a sample says. Every byte that a state and format leave unused is zero, so that two
 * activities are equal exactly if their bytes are, see activity_equal().
 */
struct activity {
	u8 state;	 /* enum activity_state */
	u8 format;	 /* enum activity_format, where the state is OK */
	u8 value_size;	 /* bytes of value, 0 for ACTIVITY_RECORD */
	u8 trace_id[16]; /* ACTIVITY_RECORD only, in W3C's byte order, as is span_id */
	u8 span_id[8];
	u8 value[ACTIVITY_VALUE_MAX]; /* the other formats: the bytes as they were */
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
 * The layout in the process where its symbol, of @symbol_size bytes, lies @tpoff from the
 * thread pointer: a copy of @asked with nothing left open; it borrows asked->symbol. Fails with
 * PERF_ERROR_UNSUPPORTED where offset and size reach beyond the symbol (a symbol of size 0 is
 * taken to have what is asked for) or its type cannot have that size.
 */
bool activity_layout_place(const struct activity_layout *asked, s64 tpoff, u64 symbol_size,
			   struct activity_layout *placed, GError **error);

/* Whether numbers that come from a file make a placed layout that activity_decode() can use. */
bool activity_layout_valid(const struct activity_layout *layout);

/*
 * The window, in bytes, that holds what the placed @layout reads: a multiple of 8 and at least
 * ACTIVITY_WINDOW_MIN; 0 where that would be more than ACTIVITY_WINDOW_MAX.
 */
u32 activity_layout_window(const struct activity_layout *layout);

/*
 * What a window of @size bytes at @data says. Of them the first @dyn_size were readable.
 * @layout is that of the sample's process at the sample's time; NULL, like size 0, is state NONE.
 */
void activity_decode(const struct activity_layout *layout, const u8 *data, u64 size, u64 dyn_size,
		     struct activity *activity);

bool activity_equal(const struct activity *a, const struct activity *b);

/* Of activity_equal() activities equal. */
u32 activity_hash(const struct activity *activity);

/* The longest text of activity_print() with its NUL: a string of bytes that are all escaped. */
#define ACTIVITY_TEXT_MAX (4 * ACTIVITY_VALUE_MAX + 1)

/*
 * Writes @activity as text: "<trace id>:<span id>" in hexadecimal digits; a decimal number; plain
 * hexadecimal digits; a UUID with its dashes; a string, in which a byte that is not part of
 * printable UTF-8, and a backslash, is written \xNN. For the other states "(none)",
 * "(being updated)", "(unreadable)", "(truncated)". Returns @text.
 */
const char *activity_print(const struct activity *activity, char text[ACTIVITY_TEXT_MAX]);

/* "none", "ok", "being updated", "unreadable", "truncated". */
const char *activity_state_name(enum activity_state state);

#endif
