// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The consumer that writes perf.data. It adds to output.c what a consumer decides: when a part is
 * full (--switch-output=SIZE), when the recording has enough (--max-size), and what upstream's
 * lines say about a part.
 *
 * flush() is called after each buffer of the queue, so a limit is passed by one buffer at most.
 */
#include "record/consumer_file.h"

#include <inttypes.h>

static struct file_consumer *file_consumer(struct consumer *c)
{
	return container_of(c, struct file_consumer, consumer);
}

static bool begin(struct consumer *c, const struct consumer_about *about, GError **error)
{
	struct file_consumer *f = file_consumer(c);

	return output_open(&f->output, f->opts, about->evsels, about->nr_evsels, about->info,
			   error);
}

static void take_records(struct consumer *c, const void *records, size_t size)
{
	outlet_put(&file_consumer(c)->output.outlet, records, size);
}

/* Takes over a failure of the output. */
static bool is_fine(struct file_consumer *f)
{
	if (f->output.error && !f->consumer.error)
		f->consumer.error = g_error_copy(f->output.error);
	return !f->output.error;
}

static enum consumer_wish flush(struct consumer *c)
{
	struct file_consumer *f = file_consumer(c);
	u64 part_limit = f->opts->switch_output.size;

	output_flush(&f->output);
	if (!is_fine(f))
		return CONSUMER_FAILED;
	if (part_limit && output_bytes(&f->output) - f->part_began >= part_limit)
		return CONSUMER_PART;
	if (f->opts->max_size && output_bytes(&f->output) >= f->opts->max_size)
		return CONSUMER_ENOUGH;
	return CONSUMER_MORE;
}

static const char *set_aside(struct file_consumer *f)
{
	f->parts++;
	return output_set_aside(&f->output);
}

static void say_part(struct file_consumer *f, const char *name)
{
	if (f->say)
		fprintf(f->say, "[ perf record: dump data: Woken up %" PRIu64 " times ]\n",
			f->consumer.wakes - f->told_wakes);
	f->told_wakes = f->consumer.wakes;
	if (name && f->say)
		fprintf(f->say, "[ perf record: Dump %s ]\n", name);
}

static bool next_part(struct consumer *c)
{
	struct file_consumer *f = file_consumer(c);

	output_finish(&f->output);
	say_part(f, set_aside(f));
	f->part_began = f->output.past_bytes;
	return output_begin_part(&f->output) && is_fine(f);
}

static void end(struct consumer *c)
{
	struct file_consumer *f = file_consumer(c);

	output_finish(&f->output);
	if (!f->output.error && (f->opts->switch_output.given || f->opts->timestamp_filename))
		f->last_part = set_aside(f);
	is_fine(f);
}

static void close_file(struct consumer *c)
{
	struct file_consumer *f = file_consumer(c);

	output_release(&f->output);
	g_free(f);
}

static const struct consumer_ops file_ops = {
	.name = "file",
	.begin = begin,
	.records = take_records,
	.flush = flush,
	.next_part = next_part,
	.end = end,
	.close = close_file,
};

struct file_consumer *file_consumer_new(const struct record_options *opts)
{
	struct file_consumer *f = g_new0(struct file_consumer, 1);

	f->consumer.ops = &file_ops;
	f->opts = opts;
	f->say = opts->quiet ? NULL : stderr;
	return f;
}
