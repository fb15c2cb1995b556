/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by kinds.c (the path), open.c (the file header), header.c (its features), reader.c (the records) and absorb.c
 * (records that describe the recording).
 */
#ifndef PERFDATA_READER_PRIVATE_H
#define PERFDATA_READER_PRIVATE_H

#include "perfdata/format.h"
#include "perfdata/read/inflate.h"
#include "perfdata/read/input.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/samples.h"

struct perfdata {
	char *path;
	bool force;	 /* files of other owners are read as well */
	bool pipe_form;	 /* 16-byte header; events and features are records */
	bool one_pass;	 /* the input cannot be read again */
	bool open_ended; /* data.size is 0: the recorder was killed */
	bool absorbed;	 /* a first pass has applied the records to events and info */

	struct format format;
	struct perfdata_info *info;
	struct perfdata_counts counts;
	enum perfdata_want want;
	struct perfdata_file_header header; /* seekable form */
	u64 mtime;			    /* of the file, s; 0 where it has none */

	struct input *input;
	u64 size;	       /* of all records, 0 for a pipe */
	GPtrArray *mappings;   /* GMappedFile * */
	GHashTable *copies;    /* aligned copies of misaligned records, by their address */
	GByteArray *assembled; /* the file that was made from an image; else NULL */
	GPtrArray *old_names;  /* of renamed events; some struct event may still show them */
	u64 bounce[65536 / 8]; /* the same for one record of a pipe */

	GArray *marks; /* struct perfdata_part: runs of plain records, added while the file is read */
	bool marked;   /* all records were read and are plain, so the marks cover the file */
	bool unmarked; /* some records are not plain */

	u64 taken;   /* bytes of the record given last, in the source or the inflated stream */
	u64 payload; /* bytes to skip after it */
	struct inflate *inflate; /* NULL until the first COMPRESSED record */
	bool inflating;
	u64 looked_foff;     /* records before it were looked at for COMPRESSED ones */
	u64 compressed_foff; /* of the COMPRESSED record being read */
	u16 compressed_size;
};

/* open.c: without input. */
struct perfdata *reader_new(const char *path);

/* open.c: a whole file of either form, in place until the close; or one that is read from @fd. */
bool reader_open_whole(struct perfdata *pd, const void *data, u64 size, GError **error);
bool reader_open_pipe(struct perfdata *pd, int fd, bool close_fd, GError **error);

/*
 * For an input without a file header: adds a copy of each of the @nr events. False with @error: their records could not
 * be told apart.
 */
bool reader_add_events(struct perfdata *pd, struct evsel *const *evsels, u32 nr, GError **error);

/* absorb.c: an error about the record at @foff. Always false. */
bool reader_fail_at(const struct perfdata *pd, u64 foff, GError **error, const char *fmt, ...)
	G_GNUC_PRINTF(4, 5);

/* absorb.c: applies a record to events and info. */
bool reader_absorb(struct perfdata *pd, const struct event *ev, GError **error);

/*
 * reader.c: skips consecutive samples from the next record on, in the file or in inflated bytes. Returns their size in
 * bytes. out: @at, their place, valid until the next call. 0: the next record is no sample.
 */
u64 reader_sample_run(struct perfdata *pd, struct perfdata_part *at);

/* look_ahead.c */
bool reader_is_compressed(u32 type);
/*
 * The payload of a COMPRESSED record at @at: the rest of the record. COMPRESSED2 has a u64 size and then that many
 * bytes. NULL: the bytes are missing.
 */
const void *reader_compressed_payload(const struct perf_event_header *header, const u8 *at,
				      u64 *size);
/* Announces COMPRESSED records to the inflater. The next record of the input must be one. */
void reader_look_ahead(struct perfdata *pd);

/* header.c: sets names, ids and groups from EVENT_DESC and GROUP_DESC. Events without a name get a default name. */
void reader_name_events(struct perfdata *pd);
void reader_rename(struct perfdata *pd, struct evsel *evsel, const char *name);

/* Reads the section of feature @feat, which is at @foff. Unknown features are counted. */
bool reader_take_feature(struct perfdata *pd, u64 feat, GBytes *bytes, u64 foff, GError **error);

#endif
