/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output file and what it replaces: perf.data, the previous recording (perf.data.old), and with
 * --switch-output one perf.data.<time> per part. The bytes of a file are perfdata/write/writer.h's.
 */
#ifndef RECORD_OUTPUT_H
#define RECORD_OUTPUT_H

#include "perfdata/write/writer.h"
#include "record/base/options.h"
#include "record/base/source.h"

struct output {
	struct outlet outlet; /* puts records into the file */
	const char *path;
	struct perfdata_options form;
	struct evsel *const *evsels; /* the events of the file */
	u32 nr_evsels;
	const struct perfdata_info *info; /* the same for all parts */
	struct keep_limits keep;	  /* of --keep */
	int max_parts;			  /* of --switch-max-files; 0: all are kept */
	struct perfdata_writer *file;	  /* NULL once closed */
	char *present_name;		  /* name of the last closed part; NULL: it was removed */
	GQueue parts;			  /* char *: names of the parts that exist */
	u64 past_bytes;			  /* bytes of finished parts */
	double ratio;			  /* compression ratio of the last part */
	GError *error;			  /* the first failure; later records are dropped */
};

/*
 * @evsels and @info must stay valid until output_release(). An existing file at opts->output is renamed to *.old. A
 * part contains @info as it is when the part ends.
 */
bool output_open(struct output *out, const struct record_options *opts, struct evsel *const *evsels,
		 u32 nr_evsels, const struct perfdata_info *info, GError **error);

/* Bytes of all parts so far. */
u64 output_bytes(const struct output *out);

/* Writes buffered bytes to the file. */
void output_flush(struct output *out);

/* Writes the features and ends the file. Fails if the file was removed meanwhile. */
bool output_finish(struct output *out);

/*
 * To be called after output_finish(): renames the file to the name of a part (path, dot, local time). Returns the name,
 * owned by the output; NULL: it could not be renamed. If there are more than max_parts, the oldest part is deleted.
 */
const char *output_set_aside(struct output *out);

/* Begins a new file at the path, after output_set_aside(). */
bool output_begin_part(struct output *out);

void output_release(struct output *out);

#endif
