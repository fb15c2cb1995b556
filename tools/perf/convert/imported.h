/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a recording from samples of another tool's profile, which have names instead of addresses. The result is a packed
 * recording (dso/packed.h), so that every command reads it as any other:
 *
 *  - Each function gets a place of its own: a few bytes in an ELF file that is made for its object, and packed.
 *  - Labels become those of an activity (custom-labels), so trace_id, span_id and label:KEY are keys of reports.
 *  - Names of spans are packed as a file of spans.
 *
 * What the profile has of lines and addresses is lost.
 */
#ifndef CONVERT_IMPORTED_H
#define CONVERT_IMPORTED_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

#define IMPORTED_MOST_FRAMES 1024u /* of a sample; further ones are left out */

struct imported;

struct imported_event {
	char *name;   /* not NULL */
	bool is_time; /* values are nanoseconds */
};

struct imported_sample {
	u32 event, pid, tid;
	const char *comm; /* "": not known */
	u64 time;	  /* ns; 0: not known, then samples are in order */
	u64 period;
	const u64 *frames; /* from imported_frame(), the innermost first */
	u32 nr_frames;
	const GByteArray *labels; /* by imported_label() */
};

/* The recording is written to @fd, which stays the caller's. NULL with @error. */
struct imported *imported_new(int fd, const struct imported_event *events, u32 nr, GError **error);
void imported_free(struct imported *im);

/*
 * The place of @function in @object; a number to be used in samples. Without a function (""), the place is called by the object and
 * the @address: "libc.so.6+0x1234". @object "": not known. 0 with @error: there are too many objects or functions.
 */
u64 imported_frame(struct imported *im, const char *object, const char *function, u64 address,
		   GError **error);

/* Appends a label to @labels. One whose key or value is too long is cut, and counts as cut. */
void imported_label(GByteArray *labels, const char *key, const char *value);

/* States the name and service ("": none) of a span; ids are hexadecimal digits. */
void imported_span(struct imported *im, const char *trace_id, const char *span_id, const char *name,
		   const char *service);

bool imported_add(struct imported *im, const struct imported_sample *sample, GError **error);

/* @host: NULL if it is not known. @from: the format. @has_wall: times are since 1970. */
bool imported_finish(struct imported *im, const char *host, const char *from, bool has_wall,
		     GError **error);

#endif
