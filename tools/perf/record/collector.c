// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What happens to a buffer of the queue. Example with one stage, which joins two records:
 *
 *	buffer		[ B1 E1 ] ring 0   [ MMAP2 E2 ] ring 1   mark: round 7 is over
 *
 *	link 0		stage "tls": gets B1, E1, MMAP2, E2 one by one, with the number of their ring
 *	link 1		no stage: collects E1', MMAP2, E2' in behind
 *	hand_on()	side records are decoded once and shown to the observers: MMAP2
 *	consumers	get E1' MMAP2 E2' with one call
 *	end_round()	the stage may put what it has held back; then FINISHED_ROUND
 *
 * Two steps, stages and hand_on(), are apart because of the order of the file: an observer may put
 * a record of its own (where a variable is, say), and this must be before the records of the buffer
 * that made it do so. So the buffer is handed on only after all its records were seen.
 *
 * Without stages, a buffer is handed on as it is, and nothing is copied.
 *
 * FINISHED_ROUND is a promise: no later record is older than the newest record of the round before.
 * Sources and stages with delayed records have a position. As long as one is before the newest time
 * of the last promise, no new promise is made.
 *
 * The thread ends when the queue has ended. If a consumer fails, it leaves the queue
 * (queue_abandon()), so that the drainer does not wait for it, and raises ALERT_FAILED. What the
 * consumers have is ended properly in both cases.
 *
 * All members are used by this thread only. The main thread reads counts after it was joined.
 */
#include "record/collector.h"

#include <string.h>

#include "perfdata/abi.h"
#include "perfdata/decoder.h"
#include "record/existing.h"
#include "record/kernel_code.h"
#include "record/mmaps.h"
#include "record/base/options.h"
#include "record/base/stage.h"

#define BEHIND_SIZE (256 * 1024)

/*
 * A link of the chain of stages: a record that is put into it goes to @stage, and what the stage
 * puts goes into the next link. The last link has no stage.
 */
struct collected {
	struct outlet outlet;
	struct collector *collector;
	struct stage *stage;
};

/* An outlet to all consumers, or to one of them. */
struct consumer_outlet {
	struct outlet outlet;
	struct consumer *const *consumers;
	u32 nr;
};

struct collector {
	struct collector_setup setup;
	const struct record_options *opts;
	GThread *thread;
	GError *error; /* the first failure, except those of consumers */
	bool failed;   /* the collector or a consumer has failed */
	struct collector_counts counts;
	u64 first_time, last_time; /* of the samples of this part, ns; 0: none */
	struct buildids *buildids;
	struct kernel_code *code; /* NULL: not recorded */
	struct existing *existing;
	struct perfdata_decoder *decoder;
	GPtrArray *observers; /* struct observer * */
	u64 wanted;	      /* OBSERVES() of the types that observers or the counts need */
	bool build_ids;	      /* our events request build-ids in MMAP2 */
	int time_word;	      /* index of a sample's time in u64s behind the header; -1: no time */
	struct consumer_outlet all;
	struct collected *links; /* one per stage, and the last link */
	GByteArray *behind;	 /* output of the last stage, not yet handed on */
	bool passed;		 /* records since the last FINISHED_ROUND */
	u64 newest;	  /* newest time of the records so far, ns; unobserved types do not count */
	u64 round_newest; /* value of newest at the last FINISHED_ROUND */
	u64 wakes;	  /* wake-ups of the drainer, as of its last mark */
	u64 answered;	  /* requests of readers */
};

/* Keeps the first error: later ones are mostly its consequences. */
static void fail(struct collector *c, GError *error)
{
	c->failed = true;
	if (c->error)
		g_error_free(error);
	else
		c->error = error;
}

static void put_to_consumers(struct outlet *outlet, const void *records, size_t size)
{
	const struct consumer_outlet *to = container_of(outlet, struct consumer_outlet, outlet);

	for (u32 i = 0; i < to->nr; i++)
		to->consumers[i]->ops->records(to->consumers[i], records, size);
}

static struct consumer_outlet outlet_to(struct consumer *const *consumers, u32 nr)
{
	return (struct consumer_outlet){ { put_to_consumers, OUTLET_NO_RING }, consumers, nr };
}

/* Index of TIME in a sample. It is the same for all events: they have the same fields before TIME. */
static int time_word(const struct evsel *first)
{
	u64 type = first->attr.sample_type;

	if (!(type & PERF_SAMPLE_TIME))
		return -1;
	return !!(type & PERF_SAMPLE_IDENTIFIER) + !!(type & PERF_SAMPLE_IP) +
	       !!(type & PERF_SAMPLE_TID);
}

/*
 * Samples are not decoded, as there are too many. Only the time is read, which is at the same place
 * in all of them.
 */
static void see_sample(struct collector *c, const struct perf_event_header *record)
{
	size_t at = sizeof(*record) + 8 * (size_t)c->time_word;
	u64 time;

	c->counts.samples++;
	if (c->code)
		kernel_code_see(c->code, record);
	if (c->time_word < 0 || at + sizeof(time) > record->size)
		return;
	memcpy(&time, (const u8 *)record + at, sizeof(time));
	if (!c->first_time || time < c->first_time)
		c->first_time = time;
	c->last_time = MAX(c->last_time, time);
	c->newest = MAX(c->newest, time);
}

/*
 * Remembers the build-id of the mapped file. If its path already has another file's build-id, the
 * record gets this one instead.
 */
static void see_map(struct collector *c, struct perf_event_header *record, const struct event *ev)
{
	bool kernel = (ev->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	const struct build_id *id;
	bool is_told;

	if (c->opts->no_buildid || ev->misc & PERF_MISC_MMAP_DATA || ev->mmap.has_build_id)
		return;
	id = buildids_get(c->buildids, &ev->mmap, kernel, &is_told);
	if (!is_told)
		mmap_record_set_build_id(record, id);
}

#define COUNTED_TYPES                                                                              \
	(OBSERVES(PERF_RECORD_LOST) | OBSERVES(PERF_RECORD_LOST_SAMPLES) |                         \
	 OBSERVES(PERF_RECORD_THROTTLE) | OBSERVES(PERF_RECORD_MMAP) |                             \
	 OBSERVES(PERF_RECORD_MMAP2))

static void count(struct collector *c, const struct event *ev)
{
	if (ev->type == PERF_RECORD_LOST)
		c->counts.lost_records += ev->lost.lost;
	else if (ev->type == PERF_RECORD_LOST_SAMPLES && ev->evsel &&
		 evsel_has_side_records(ev->evsel))
		c->counts.lost_mixed += ev->lost.lost;
	else if (ev->type == PERF_RECORD_LOST_SAMPLES)
		c->counts.lost_samples += ev->lost.lost;
	else if (ev->type == PERF_RECORD_THROTTLE)
		c->counts.throttled++;
}

/*
 * Most records are samples, so decoding the others costs little. The bit of the build-id is
 * repaired before anybody reads the record.
 */
static void see_side_record(struct collector *c, struct perf_event_header *record)
{
	struct event ev;

	if (!c->build_ids)
		mmap_record_clear_build_id(record);
	if (record->type >= 64 || !(c->wanted & OBSERVES(record->type)) ||
	    !perfdata_decoder_decode(c->decoder, record, &ev))
		return;
	count(c, &ev);
	c->newest = MAX(c->newest, ev.id.time);
	for (u32 i = 0; i < c->observers->len; i++) {
		struct observer *ob = g_ptr_array_index(c->observers, i);

		if (ob->types & OBSERVES(ev.type))
			ob->see(ob, &ev, &c->all.outlet);
	}
	if (ev.type == PERF_RECORD_MMAP || ev.type == PERF_RECORD_MMAP2)
		see_map(c, record, &ev);
}

/*
 * Upstream's readers reject the whole file if one record states a size that is too large.
 *
 * The kernel adds the size of the trailer to one shared header for each recorder (up to Linux 6.18
 * at least), so with two recorders the second one's KSYMBOL record states too much. The bytes
 * behind the true end are old ones of the ring.
 */
static u32 cut_false_size(const struct collector *c, struct perf_event_header *record,
			  const u8 *end)
{
	u32 size = perfdata_decoder_size(c->decoder, record), more = record->size - size;
	u8 *rest = (u8 *)record + record->size;

	if (!more)
		return 0;
	memmove((u8 *)record + size, rest, (size_t)(end - rest));
	record->size = (u16)size;
	return more;
}

/* Records are final here, except for what this function repairs in them. */
static void hand_on(struct collector *c, u8 *records, size_t size)
{
	struct perf_event_header *record;

	for (size_t at = 0; at < size; at += record->size) {
		record = (void *)(records + at);
		size -= cut_false_size(c, record, records + size);
		c->counts.records++;
		if (record->type == PERF_RECORD_SAMPLE)
			see_sample(c, record);
		else
			see_side_record(c, record);
	}
	if (size)
		outlet_put(&c->all.outlet, records, size);
	c->passed |= size > 0;
}

static void hand_on_behind(struct collector *c)
{
	hand_on(c, c->behind->data, c->behind->len);
	g_byte_array_set_size(c->behind, 0);
}

/*
 * The record may be in the middle of a buffer whose next records are not seen yet, so a stage puts
 * into the next link and never into the consumers. behind is handed on when it is full, at the end
 * of the buffer and of the round.
 */
static void link_put(struct outlet *outlet, const void *records, size_t size)
{
	struct collected *link = container_of(outlet, struct collected, outlet);
	const struct perf_event_header *record;
	struct collector *c = link->collector;

	if (!link->stage) {
		if (c->behind->len + size > BEHIND_SIZE)
			hand_on_behind(c);
		g_byte_array_append(c->behind, records, (guint)size);
		return;
	}
	link[1].outlet.ring = outlet->ring;
	for (size_t at = 0; at < size; at += record->size) {
		record = (const void *)((const u8 *)records + at);
		link->stage->ops->pass(link->stage, outlet->ring, record, &link[1].outlet);
	}
}

/* Passes each run with one call. The stages get its records one by one. */
static void pass_runs(struct collector *c, struct queue_buffer *buffer)
{
	size_t at = 0;

	for (guint i = 0; i < buffer->runs->len; i++) {
		const struct queue_run *run = &g_array_index(buffer->runs, struct queue_run, i);

		c->links[0].outlet.ring = run->ring;
		outlet_put(&c->links[0].outlet, buffer->data + at, run->end - at);
		at = run->end;
	}
}

/*
 * Stages in their order: what the first one puts at the end of a round still passes the others,
 * which then end their round.
 */
static void end_round(struct collector *c, const struct queue_mark *mark)
{
	const struct stage_round round = { mark->began_ns, mark->last, mark->position };
	u64 position = mark->position;
	struct perf_event_header finished = { .type = PERFDATA_FINISHED_ROUND,
					      .size = sizeof(finished) };

	for (struct collected *link = c->links; link->stage; link++) {
		link[1].outlet.ring = OUTLET_NO_RING;
		if (link->stage->ops->round)
			link->stage->ops->round(link->stage, &round, &link[1].outlet);
		if (link->stage->ops->position)
			position = MIN(position, link->stage->ops->position(link->stage));
	}
	hand_on_behind(c);
	/*
	 * FINISHED_ROUND tells a reader: sort and release every record up to the newest of the
	 * round before. Rings that overwrite are read at the end, and their records are older than
	 * any round: they get none.
	 */
	if (!c->passed || c->opts->overwrite || position < c->round_newest)
		return;
	hand_on(c, (u8 *)&finished, sizeof(finished));
	c->passed = false;
	c->round_newest = c->newest;
}

static void take(struct collector *c, struct queue_buffer *buffer)
{
	if (c->links->stage) {
		pass_runs(c, buffer);
		hand_on_behind(c);
	} else {
		hand_on(c, buffer->data, buffer->used);
	}
	if (!buffer->mark.round)
		return;
	c->wakes = buffer->mark.wakes;
	end_round(c, &buffer->mark);
}

static void put_existing(struct collector *c, struct outlet *out)
{
	GError *error = NULL;

	if (!existing_put(c->existing, out, &error))
		fail(c, error);
}

static void put_head(struct collector *c, struct outlet *out)
{
	struct perf_event_header finished = { .type = PERFDATA_FINISHED_INIT,
					      .size = sizeof(finished) };

	if (!c->opts->tail_synthesize)
		put_existing(c, out);
	outlet_put(out, &finished, sizeof(finished));
}

/* At the end of a part: only then it is known which functions were sampled. */
static void put_code(struct collector *c, struct outlet *out)
{
	if (c->code && !c->failed)
		kernel_code_put(c->code, out);
}

/* Why the file lacks the kernel's code: for the reader, who may wonder about missing data types. */
static void note_code(const struct collector *c, struct perfdata_info *info)
{
	const char *why = c->code ? kernel_code_absence(c->code) : NULL;

	if (why && !perfdata_info_note(info, "kernel.code"))
		perfdata_info_add_note(info, "kernel.code", why);
}

/*
 * Adds to the info what is known at the end of a part.
 *
 * perf.data's features are at the end of a file, so they may have what is known only then:
 * build-ids, first and last time.
 */
static void complete_info(struct collector *c)
{
	struct perfdata_info *info = c->setup.info;
	const GPtrArray *sources = c->setup.rec->sources;

	for (u32 i = 0; i < sources->len; i++) {
		struct source *src = g_ptr_array_index(sources, i);

		if (src->ops->conclude)
			src->ops->conclude(src, info);
	}
	note_code(c, info);
	if (c->first_time) {
		perfdata_info_set(info, FEAT_SAMPLE_TIME);
		info->first_sample_time = c->first_time;
		info->last_sample_time = c->last_time;
	}
	if (c->opts->no_buildid)
		return;
	if (info->build_ids)
		g_ptr_array_set_size(info->build_ids, 0);
	buildids_tell(c->buildids, info);
	c->counts.narrow = buildids_saw_narrow(c->buildids);
}

static enum consumer_wish flush(struct collector *c, struct consumer *consumer)
{
	enum consumer_wish wish = consumer->ops->flush(consumer);

	c->failed |= wish == CONSUMER_FAILED;
	return wish;
}

/*
 * A new file begins between two rounds: the drainer has marked the last buffer of the old file. The
 * new one begins with what exists at that moment, so it can be read alone. Counts of samples go on;
 * the first and last time start again.
 */
static void next_part(struct collector *c, struct consumer *consumer)
{
	struct consumer_outlet one = outlet_to(&consumer, 1);

	if (c->failed || !consumer->ops->next_part)
		return;
	if (c->opts->tail_synthesize)
		put_existing(c, &one.outlet);
	put_code(c, &one.outlet);
	complete_info(c);
	consumer->wakes = c->wakes;
	c->first_time = c->last_time = 0;
	if (consumer->ops->next_part(consumer))
		put_head(c, &one.outlet);
	flush(c, consumer);
}

static void begin_all(struct collector *c)
{
	put_head(c, &c->all.outlet);
	for (u32 i = 0; i < c->all.nr; i++)
		flush(c, c->all.consumers[i]);
}

static void answer_all(struct collector *c, u64 asked)
{
	for (u32 i = 0; i < c->all.nr && asked != c->answered; i++) {
		struct consumer *consumer = c->all.consumers[i];

		if (consumer->ops->answer)
			consumer->ops->answer(consumer, asked);
	}
	c->answered = asked;
}

static void flush_all(struct collector *c, bool then_switch)
{
	for (u32 i = 0; i < c->all.nr; i++) {
		struct consumer *consumer = c->all.consumers[i];
		enum consumer_wish wish = flush(c, consumer);

		if (wish == CONSUMER_PART || then_switch)
			next_part(c, consumer);
		if (wish == CONSUMER_ENOUGH && !alerts_has(c->setup.alerts, ALERT_FULL))
			alerts_raise(c->setup.alerts, ALERT_FULL);
	}
}

static void end_all(struct collector *c)
{
	if (c->opts->tail_synthesize)
		put_existing(c, &c->all.outlet);
	put_code(c, &c->all.outlet);
	complete_info(c);
	for (u32 i = 0; i < c->all.nr; i++) {
		struct consumer *consumer = c->all.consumers[i];

		consumer->wakes = c->wakes;
		if (consumer->ops->end)
			consumer->ops->end(consumer);
		c->failed |= consumer->error != NULL;
	}
}

/*
 * ALERT_BEGUN tells the main thread that what exists was written: it waits for that before it
 * enables the samples, so that reading /proc is not sampled.
 *
 * The mark is copied before the buffer is returned: the drainer may take and clear it at once.
 */
static void *collect_all(void *arg)
{
	struct collector *c = arg;
	struct queue_buffer *buffer;

	begin_all(c);
	alerts_raise(c->setup.alerts, ALERT_BEGUN);
	while (!c->failed && (buffer = queue_pop(c->setup.queue))) {
		const struct queue_mark mark = buffer->mark;

		take(c, buffer);
		queue_return(c->setup.queue, buffer);
		flush_all(c, mark.then_switch);
		if (mark.round)
			answer_all(c, mark.asked);
	}
	if (c->failed) {
		queue_abandon(c->setup.queue);
		alerts_raise(c->setup.alerts, ALERT_FAILED);
	}
	end_all(c);
	return NULL;
}

static bool asks_for_build_ids(const struct collector_setup *setup)
{
	for (u32 i = 0; i < setup->nr_evsels; i++) {
		if (setup->evsels[i]->attr.build_id)
			return true;
	}
	return false;
}

static void make_links(struct collector *c)
{
	const GPtrArray *stages = c->setup.rec->stages;

	c->links = g_new0(struct collected, stages->len + 1);
	for (u32 i = 0; i <= stages->len; i++) {
		c->links[i].outlet = (struct outlet){ link_put, OUTLET_NO_RING };
		c->links[i].collector = c;
		c->links[i].stage = i < stages->len ? g_ptr_array_index(stages, i) : NULL;
	}
	c->behind = g_byte_array_new();
}

static bool any_position(const GPtrArray *sources)
{
	for (u32 i = 0; i < sources->len; i++) {
		if (((const struct source *)g_ptr_array_index(sources, i))->ops->position)
			return true;
	}
	return false;
}

static void gather_observers(struct collector *c)
{
	const GPtrArray *asked = c->setup.rec->observers;

	c->observers = g_ptr_array_new();
	g_ptr_array_add(c->observers, existing_observer(c->existing));
	for (u32 i = 0; i < asked->len; i++)
		g_ptr_array_add(c->observers, g_ptr_array_index(asked, i));
	/* Positions are compared with the times of all records. */
	c->wanted = any_position(c->setup.rec->sources) ? G_MAXUINT64 : COUNTED_TYPES;
	for (u32 i = 0; i < c->observers->len; i++)
		c->wanted |= ((const struct observer *)g_ptr_array_index(c->observers, i))->types;
}

static void release(struct collector *c)
{
	existing_free(c->existing);
	buildids_free(c->buildids);
	kernel_code_free(c->code);
	perfdata_decoder_free(c->decoder);
	g_ptr_array_unref(c->observers);
	g_byte_array_unref(c->behind);
	g_free(c->links);
	g_free(c);
}

struct collector *collector_start(const struct collector_setup *setup, GError **error)
{
	struct perfdata_decoder *decoder =
		perfdata_decoder_new(setup->evsels, setup->nr_evsels, error);
	struct collector *c;

	if (!decoder)
		return NULL;
	c = g_new0(struct collector, 1);
	c->setup = *setup;
	c->opts = setup->rec->opts;
	c->decoder = decoder;
	c->buildids = buildids_new(setup->rec->paths, setup->rec->seen);
	if (!c->opts->no_buildid)
		c->code = kernel_code_new(setup->rec->paths, setup->evsels[0]);
	c->build_ids = asks_for_build_ids(setup);
	c->existing = existing_new(&(struct existing_setup){
		.rec = setup->rec,
		.target = setup->target,
		.evsel = setup->evsels[0],
		.buildids = c->opts->no_buildid ? NULL : c->buildids,
		.build_ids_in_maps = c->build_ids,
	});
	c->time_word = time_word(setup->evsels[0]);
	c->all =
		outlet_to((struct consumer *const *)setup->consumers->pdata, setup->consumers->len);
	gather_observers(c);
	make_links(c);
	c->thread = g_thread_try_new("perf-collector", collect_all, c, error);
	if (c->thread)
		return c;
	release(c);
	return NULL;
}

bool collector_join(struct collector *c, struct collector_counts *counts, GError **error)
{
	bool fine;

	g_thread_join(c->thread);
	*counts = c->counts;
	fine = !c->failed;
	for (u32 i = 0; i < c->all.nr && !c->error; i++)
		c->error = g_steal_pointer(&c->all.consumers[i]->error);
	if (c->error)
		g_propagate_error(error, c->error);
	release(c);
	return fine;
}
