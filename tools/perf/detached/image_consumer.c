// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/image_consumer.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "detached/side.h"
#include "perfdata/abi.h"
#include "perfdata/write/writer.h"

struct kept_image {
	struct image_store *writer;
	struct side *side;
};

struct image_consumer {
	struct consumer consumer;
	bool by_cpu;
	struct image_watch *watch;
	GArray *kept; /* struct kept_image */
	struct perfdata_decoder *decoder;
	/* index of the u64 in samples; -1: absent, or at different places */
	s32 time_word, tid_word, key_word;
	bool triggered;
};

static struct image_consumer *image_consumer(struct consumer *c)
{
	return container_of(c, struct image_consumer, consumer);
}

static struct kept_image *kept_at(const struct image_consumer *ic, u32 i)
{
	return &g_array_index(ic->kept, struct kept_image, i);
}

/*
 * Index of the u64 after a sample's header that has the field of this bit. Fields are in this
 * order.
 */
static s32 word_of_field(u64 type, u64 bit)
{
	static const u64 order[] = { PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,   PERF_SAMPLE_TID,
				     PERF_SAMPLE_TIME,	     PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
				     PERF_SAMPLE_STREAM_ID,  PERF_SAMPLE_CPU };
	s32 word = 0;

	if (!(type & bit))
		return -1;
	for (u32 i = 0; i < ARRAY_SIZE(order) && order[i] != bit; i++)
		word += !!(type & order[i]);
	return word;
}

static s32 common_word(const struct consumer_about *about, u64 bit)
{
	s32 word = -1;

	for (u32 i = 0; i < about->nr_evsels; i++) {
		s32 one = word_of_field(about->evsels[i]->attr.sample_type, bit);

		if (i && one != word)
			return -1;
		word = one;
	}
	return word;
}

/* Makes a perf.data file without records, through a memfd. */
static GBytes *make_facts(const struct consumer_about *about, GError **error)
{
	const struct perfdata_options options = { 0 };
	struct perfdata_writer *w;
	GMappedFile *mapped = NULL;
	GBytes *bytes = NULL;
	int fd = memfd_create("perf-facts", MFD_CLOEXEC);

	if (fd < 0) {
		error_set_errno(error, errno, "memfd_create");
		return NULL;
	}
	w = perfdata_create_fd(fd, "facts", &options, about->evsels, about->nr_evsels, NULL, error);
	if (w && perfdata_finish(w, about->info, error))
		mapped = g_mapped_file_new_from_fd(fd, false, error);
	close(fd);
	if (mapped) {
		bytes = g_mapped_file_get_bytes(mapped);
		g_mapped_file_unref(mapped);
	}
	return bytes;
}

static bool begin_image(struct image_consumer *ic, struct kept_image *kept, GBytes *facts,
			GError **error)
{
	struct image_header *h = image_store_header(kept->writer);

	kept->side = side_new(ic->decoder);
	h->time_word = ic->time_word;
	h->tid_word = ic->tid_word;
	h->by_cpu = ic->by_cpu;
	return image_store_facts(kept->writer, g_bytes_get_data(facts, NULL),
				 g_bytes_get_size(facts), error);
}

static bool begin(struct consumer *c, const struct consumer_about *about, GError **error)
{
	struct image_consumer *ic = image_consumer(c);
	GBytes *facts;
	bool fine = true;

	ic->decoder = perfdata_decoder_new(about->evsels, about->nr_evsels, error);
	facts = ic->decoder ? make_facts(about, error) : NULL;
	if (!facts)
		return false;
	ic->time_word = common_word(about, PERF_SAMPLE_TIME);
	ic->tid_word = common_word(about, PERF_SAMPLE_TID);
	ic->key_word = ic->by_cpu ? common_word(about, PERF_SAMPLE_CPU) : ic->tid_word;
	for (u32 i = 0; i < ic->kept->len && fine; i++)
		fine = begin_image(ic, kept_at(ic, i), facts, error);
	g_bytes_unref(facts);
	return fine;
}

static u64 word_at(const struct perf_event_header *record, s32 word)
{
	u64 value = 0, at = sizeof(*record) + 8 * (u64)(u32)word;

	if (word >= 0 && at + sizeof(value) <= record->size)
		memcpy(&value, (const u8 *)record + at, sizeof(value));
	return value;
}

static void put(struct image_consumer *ic, u64 key, u64 time,
		const struct perf_event_header *record)
{
	for (u32 i = 0; i < ic->kept->len; i++)
		image_store_put(kept_at(ic, i)->writer, key, time, record);
}

static void take_sample(struct image_consumer *ic, const struct perf_event_header *record)
{
	/* The word has pid and tid, or cpu and a reserved half: the lower half is the key. */
	u64 key = (u32)word_at(record, ic->key_word);

	if (ic->watch && ic->watch->sample)
		ic->triggered |= ic->watch->sample(ic->watch, ic->decoder, &record);
	put(ic, key, word_at(record, ic->time_word), record);
}

/*
 * True for side records about a moment: they are dropped with the samples of that time. Other side
 * records describe things that exist.
 */
static bool is_of_a_moment(u32 type)
{
	switch (type) {
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_READ:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
	case PERF_RECORD_AUX:
	case PERF_RECORD_CALLCHAIN_DEFERRED:
		return true;
	}
	return false;
}

static void count_lost(struct image_consumer *ic, const struct event *ev)
{
	if (ev->type != PERF_RECORD_LOST_SAMPLES)
		return;
	for (u32 i = 0; i < ic->kept->len; i++)
		image_store_header(kept_at(ic, i)->writer)->lost += ev->lost.lost;
}

static void take_side(struct image_consumer *ic, const struct perf_event_header *record)
{
	struct event ev;

	if (record->type == PERFDATA_FINISHED_ROUND || record->type == PERFDATA_FINISHED_INIT ||
	    !perfdata_decoder_decode(ic->decoder, record, &ev))
		return;
	if (is_of_a_moment(record->type)) {
		count_lost(ic, &ev);
		put(ic, ic->by_cpu ? ev.id.cpu : ev.id.pid, ev.id.time, record);
		return;
	}
	if (ic->watch && ic->watch->side)
		ic->watch->side(ic->watch, &ev);
	for (u32 i = 0; i < ic->kept->len; i++) {
		struct kept_image *kept = kept_at(ic, i);

		side_take(kept->side, &ev, record, kept->writer);
		if (ev.type == PERF_RECORD_EXIT && ev.task.pid == ev.task.tid && !ic->by_cpu)
			image_store_end_key(kept->writer, ev.task.pid);
	}
}

static void take_records(struct consumer *c, const void *records, size_t size)
{
	struct image_consumer *ic = image_consumer(c);
	const struct perf_event_header *record;

	for (size_t at = 0; at < size; at += record->size) {
		record = (const void *)((const u8 *)records + at);
		if (record->type == PERF_RECORD_SAMPLE)
			take_sample(ic, record);
		else
			take_side(ic, record);
	}
}

static void tell_save(struct image_consumer *ic, bool triggered)
{
	if (ic->watch && ic->watch->save)
		ic->watch->save(ic->watch, triggered);
}

static enum consumer_wish flush(struct consumer *c)
{
	struct image_consumer *ic = image_consumer(c);

	if (ic->triggered)
		tell_save(ic, true);
	ic->triggered = false;
	return CONSUMER_MORE;
}

/* SIGUSR2. Image files have no parts. */
static bool next_part(struct consumer *c)
{
	tell_save(image_consumer(c), false);
	return false;
}

/* Readers that asked later are not meant: some of what they ask for may still be in the rings. */
static void answer(struct consumer *c, u64 asked)
{
	struct image_consumer *ic = image_consumer(c);

	for (u32 i = 0; i < ic->kept->len; i++) {
		struct image_header *h = image_store_header(kept_at(ic, i)->writer);

		__atomic_store_n(&h->flush_done, asked, __ATOMIC_RELEASE);
	}
}

/* No later reader has to wait. */
static void end(struct consumer *c)
{
	answer(c, G_MAXUINT64);
}

static void close_images(struct consumer *c)
{
	struct image_consumer *ic = image_consumer(c);

	for (u32 i = 0; i < ic->kept->len; i++) {
		side_free(kept_at(ic, i)->side);
		image_store_free(kept_at(ic, i)->writer);
	}
	g_array_unref(ic->kept);
	perfdata_decoder_free(ic->decoder);
	g_free(ic);
}

static const struct consumer_ops image_ops = {
	.name = "image",
	.begin = begin,
	.records = take_records,
	.flush = flush,
	.next_part = next_part,
	.answer = answer,
	.end = end,
	.close = close_images,
};

struct consumer *image_consumer_new(bool by_cpu, struct image_watch *watch)
{
	struct image_consumer *ic = g_new0(struct image_consumer, 1);

	ic->consumer.ops = &image_ops;
	ic->by_cpu = by_cpu;
	ic->watch = watch;
	ic->kept = g_array_new(false, true, sizeof(struct kept_image));
	return &ic->consumer;
}

struct image_header *image_consumer_add(struct consumer *c, void *memory,
					const struct image_layout *layout)
{
	struct kept_image kept = { .writer = image_store_new(memory, layout) };

	g_array_append_val(image_consumer(c)->kept, kept);
	return image_store_header(kept.writer);
}
