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
	struct evsel *const *evsels; /* as the file states them */
	u32 nr_evsels;
	const struct perfdata_info *info; /* of every part */
	struct keep_limits keep;	  /* of --keep */
	int max_parts;			  /* of --switch-max-files; 0: all are kept */
	struct perfdata_writer *file;	  /* NULL once closed */
	char *present_name; /* of the last one that was closed; NULL: it was removed */
	GQueue parts;	    /* char *: names of the parts that exist */
	u64 past_bytes;	    /* of finished parts */
	double ratio;	    /* of the last part, compressed */
	GError *error;	    /* the first failure; what follows is dropped */
};

/*
 * @evsels and @info must stay until output_release(). A file at opts->output is renamed to *.old. What @info says
 * when a part ends is what that part states.
 */
bool output_open(struct output *out, const struct record_options *opts, struct evsel *const *evsels,
		 u32 nr_evsels, const struct perfdata_info *info, GError **error);

/* Bytes of all parts so far. */
u64 output_bytes(const struct output *out);

/* Hands what was gathered to the system. */
void output_flush(struct output *out);

/* Ends the file with its features. A file that somebody has removed meanwhile is a failure. */
bool output_finish(struct output *out);

/*
 * Gives the file that output_finish() ended the name of a part: its path, a dot and the local
 * time, which is returned (output's own). NULL when it could not be renamed. The oldest part above max_parts
 * is deleted.
 */
const char *output_set_aside(struct output *out);

/* A new file at the path, behind output_set_aside(). */
bool output_begin_part(struct output *out);

void output_release(struct output *out);

/* "2026112107585560": local time to hundredths of a second, to be freed. */
char *output_timestamp(s64 realtime_us);

#endif
