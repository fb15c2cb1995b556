// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/closing.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

static double megabytes(u64 bytes)
{
	return (double)bytes / 1024 / 1024;
}

static void say_lost_of(u64 nr, const char *what, const char *more, FILE *out)
{
	if (nr)
		fprintf(out, "[ perf record: The kernel lost %" PRIu64 " %s%s%s ]\n", nr, what,
			text_plural(nr), more);
}

/*
 * The kernel counts the losses of each event (read_format LOST): its samples, and if the event has them, records of forks,
 * exits and mappings. Where the kernel has no such counts, only the LOST records in the rings tell; they are of any event.
 * These are lines of their own: scripts expect nothing but " ]" after "(N samples)".
 */
static void say_lost(const struct closing_facts *facts, FILE *out)
{
	const struct collector_counts *w = &facts->collected;
	u64 told = w->lost_samples + w->lost_mixed;

	say_lost_of(w->lost_samples, "sample", "", out);
	say_lost_of(w->lost_mixed, "record",
		    ": samples, forks, exits and mappings, which it counts together", out);
	say_lost_of(MAX(facts->lost_side, w->lost_records - MIN(w->lost_records, told)),
		    told ? "other record" : "record", "", out);
	if (w->throttled)
		fprintf(out, "[ perf record: The kernel throttled events %" PRIu64 " time%s ]\n",
			w->throttled, text_plural(w->throttled));
}

void closing_keep(struct closing_facts *facts, const struct file_consumer *file)
{
	const struct output *output = &file->output;

	closing_release(facts);
	facts->path = file->parts ? g_strconcat(output->path, ".<timestamp>", NULL)
				  : g_strdup(output->present_name ?: output->path);
	facts->bytes = output_bytes(output);
	facts->ratio = output->ratio;
	facts->told_wakes = file->told_wakes;
	facts->last_part = g_strdup(file->last_part);
}

void closing_release(struct closing_facts *facts)
{
	g_clear_pointer(&facts->path, g_free);
	g_clear_pointer(&facts->last_part, g_free);
}

static void say_written(const struct closing_facts *facts, const struct record_options *opts,
			FILE *out)
{
	const struct collector_counts *c = &facts->collected;

	fprintf(out, "[ perf record: Captured and wrote %.3f MB %s", megabytes(facts->bytes),
		facts->path);
	if (c->samples)
		fprintf(out, " (%" PRIu64 " samples)", c->samples);
	if (opts->zstd_level)
		fprintf(out, ", compressed (original %.3f MB, ratio is %.3f)",
			megabytes((u64)((double)facts->bytes * facts->ratio)), facts->ratio);
	fprintf(out, " ]\n");
	say_lost(facts, out);
}

static void say_sources(const GPtrArray *sources, FILE *out)
{
	for (u32 i = 0; i < sources->len; i++) {
		struct source *src = g_ptr_array_index(sources, i);
		g_autofree char *text = src->ops->summary ? src->ops->summary(src) : NULL;

		g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", 0);

		for (char **line = lines; *line; line++)
			fprintf(out, "[ perf record: %s ]\n", *line);
	}
}

void closing_say(const struct closing_facts *facts, const struct record_options *opts,
		 const GPtrArray *sources, FILE *out)
{
	if (facts->enough)
		fprintf(out,
			"[ perf record: perf size limit reached (%" PRIu64
			" KB), stopping session ]\n",
			opts->max_size / 1024);
	fprintf(out, "[ perf record: Woken up %" PRIu64 " times to write data ]\n",
		facts->drained.wakes - facts->told_wakes);
	if (facts->last_part)
		fprintf(out, "[ perf record: Dump %s ]\n", facts->last_part);
	if (facts->path)
		say_written(facts, opts, out);
	if (facts->queue.waits)
		fprintf(out,
			"[ perf record: Writing the file was too slow %" PRIu64
			" time%s, for %.1f s in all: the ring buffers had to wait ]\n",
			facts->queue.waits, text_plural(facts->queue.waits),
			(double)facts->queue.waited_ns / 1e9);
	if (opts->verbose)
		fprintf(out,
			"[ perf record: %" PRIu64 " records, %u of %u buffers used at once ]\n",
			facts->collected.records, facts->queue.most_used, facts->queue.nr_buffers);
	say_sources(sources, out);
}
