// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/closing.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

static double megabytes(u64 bytes)
{
	return (double)bytes / 1024 / 1024;
}

/*
 * The counters of the events (read_format LOST) know each lost sample; a kernel without them, or the loss of
 * other records, shows only in the rings' LOST records, which count both.
 */
static void say_lost(const struct writer_counts *w, FILE *out)
{
	if (w->lost_samples)
		fprintf(out, ", lost %" PRIu64 " sample%s", w->lost_samples,
			text_plural(w->lost_samples));
	else if (w->lost_records)
		fprintf(out, ", lost %" PRIu64 " record%s", w->lost_records,
			text_plural(w->lost_records));
	if (w->throttled)
		fprintf(out, ", throttled %" PRIu64 " time%s", w->throttled,
			text_plural(w->throttled));
}

static void say_written(const struct closing_facts *facts, const struct record_options *opts,
			const struct output *output, FILE *out)
{
	const struct writer_counts *w = &facts->written;
	u64 bytes = output_bytes(output);

	fprintf(out, "[ perf record: Captured and wrote %.3f MB ", megabytes(bytes));
	if (w->parts)
		fprintf(out, "%s.<timestamp>", output->path);
	else
		fputs(output->present_name ?: output->path, out);
	if (opts->zstd_level)
		fprintf(out, ", compressed (original %.3f MB, ratio is %.3f)",
			megabytes((u64)((double)bytes * output->ratio)), output->ratio);
	if (w->samples)
		fprintf(out, " (%" PRIu64 " samples)", w->samples);
	say_lost(w, out);
	fprintf(out, " ]\n");
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
		 const struct output *output, const GPtrArray *sources, FILE *out)
{
	if (facts->size_limit)
		fprintf(out,
			"[ perf record: perf size limit reached (%" PRIu64
			" KB), stopping session ]\n",
			facts->size_limit / 1024);
	fprintf(out, "[ perf record: Woken up %" PRIu64 " times to write data ]\n",
		facts->drained.wakes - facts->written.wakes);
	if (facts->written.last_part)
		fprintf(out, "[ perf record: Dump %s ]\n", facts->written.last_part);
	say_written(facts, opts, output, out);
	if (facts->queue.waits)
		fprintf(out,
			"[ perf record: The file was too slow %" PRIu64
			" time%s, for %.1f s in all: the rings had to wait ]\n",
			facts->queue.waits, text_plural(facts->queue.waits),
			(double)facts->queue.waited_ns / 1e9);
	if (opts->verbose)
		fprintf(out,
			"[ perf record: %" PRIu64 " records, %u of %u buffers used at once ]\n",
			facts->written.records, facts->queue.most_used, facts->queue.nr_buffers);
	say_sources(sources, out);
}
