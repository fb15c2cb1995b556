/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads an image (image.h). Its bytes are not trusted, and a writer may change them while they are read. Invalid parts
 * are skipped.
 */
#ifndef PERFDATA_IMAGE_READ_H
#define PERFDATA_IMAGE_READ_H

#include <glib.h>

#include "base/error.h"
#include "perfdata/image/image.h"

/* Do these bytes start like an image? */
bool image_fits(const void *data, u64 size);

/*
 * A copy of the header, with all places and sizes checked against @size and strings ended. False with
 * @error: what is there is no image, or of another version. @name is for messages.
 */
bool image_header_read(const char *name, const void *data, u64 size, struct image_header *header,
		       GError **error);

struct image_choice {
	u32 first_pid, first_tid; /* whose samples stand first in the file; 0: nobody's */
	u64 after;		  /* only chunks of later generations, see next */
	u64 *next;		  /* out, may be NULL: generation of the newest chunk seen */
	const GByteArray *more;	  /* records that describe what exists, besides; NULL: none */
};

/*
 * The image as a whole perf.data file: facts, descriptions of processes, samples, in this order. NULL
 * with @error where there is no image, or none that has begun.
 */
GByteArray *image_to_perfdata(const char *name, const void *data, u64 size,
			      const struct image_choice *choice, GError **error);

/*
 * Calls @fn with each whole record, descriptions first, then chunk by chunk in the order of their
 * generations. A record is valid during the call. @place tells the entry: it is higher for one that was
 * written later into the same chunk.
 */
typedef void image_record_fn(const struct perf_event_header *record,
			     const struct image_chunk *chunk, u64 place, void *arg);
void image_each_record(const void *data, const struct image_header *header, image_record_fn *fn,
		       void *arg);

/* Is there a ring of this process (or, with header->by_cpu, any)? */
bool image_has_key(const void *data, const struct image_header *header, u64 key);

/* "killed by SIGSEGV", "exit status 3"; g_free(). NULL: it goes on. */
char *image_reason_text(const struct image_header *header);

#endif
