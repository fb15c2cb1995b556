// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/writer.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "perfdata/evsel.h"
#include "perfdata/format.h"
#include "record/buildids.h"
#include "record/mmaps.h"
#include "record/synth.h"

struct writer {
	struct writer_setup setup;
	const struct record_options *opts;
	GThread *thread;
	struct writer_counts counts;
	struct buildids *buildids;
	GHashTable *pids; /* the processes that are followed, by pid; NULL: all */
	bool build_ids;	  /* our events ask for them in MMAP2 */
	bool started;	  /* the command's exec() was let go: from then on its maps are its own */
	u64 part_began;	  /* output_bytes() at the start of this file */
	int time_word;	  /* of a sample: which u64 behind the header is its time; -1: none */
	u64 wakes;	  /* the drainer's so far */
};

/* The place of the time is the same in all events: what stands before it is, too. */
static int time_word(const GPtrArray *evsels)
{
	const struct evsel *first = g_ptr_array_index(evsels, 0);
	u64 type = first->attr.sample_type;

	if (!(type & PERF_SAMPLE_TIME))
		return -1;
	return !!(type & PERF_SAMPLE_IDENTIFIER) + !!(type & PERF_SAMPLE_IP) +
	       !!(type & PERF_SAMPLE_TID);
}

static void synthesize_targets(struct writer *w, struct synth *s)
{
	const struct target *target = w->setup.target;
	GHashTableIter iter;
	void *pid;

	if (!w->pids) {
		if (w->opts->synth & SYNTH_TASKS)
			synth_all(s);
		return;
	}
	if (target->kind == TARGET_COMMAND && !w->started) {
		synth_comm(s, g_array_index(target->pids, pid_t, 0));
		return;
	}
	if (!(w->opts->synth & SYNTH_TASKS))
		return;
	g_hash_table_iter_init(&iter, w->pids);
	while (g_hash_table_iter_next(&iter, &pid, NULL))
		synth_process(s, GPOINTER_TO_INT(pid));
}

static void synthesize(struct writer *w)
{
	struct output *output = w->setup.output;
	const struct recording *rec = w->setup.rec;
	struct synth s = {
		.paths = rec->paths,
		.evsel = g_ptr_array_index(output->evsels, 0),
		.out = &output->outlet,
		.buildids = w->opts->no_buildid ? NULL : w->buildids,
		.build_ids_in_maps = w->build_ids,
		.data = w->opts->data || w->opts->data_mmap,
		.no_maps = !(w->opts->synth & SYNTH_MAPS),
		.namespaces = w->opts->namespaces,
	};

	synth_kernel(&s, &rec->kernel);
	if (w->opts->all_cgroups && w->opts->synth & SYNTH_CGROUPS)
		synth_cgroups(&s);
	synthesize_targets(w, &s);
	for (u32 i = 0; i < rec->sources->len; i++) {
		struct source *src = g_ptr_array_index(rec->sources, i);

		if (src->ops->synthesize)
			src->ops->synthesize(src, &output->outlet);
	}
	if (s.error && !output->error)
		output->error = g_steal_pointer(&s.error);
	g_clear_error(&s.error);
}

static void put_bare_record(struct outlet *out, u32 type)
{
	struct perf_event_header record = { .type = type, .size = sizeof(record) };

	outlet_put(out, &record, sizeof(record));
}

static void begin_file(struct writer *w)
{
	if (!w->opts->tail_synthesize)
		synthesize(w);
	put_bare_record(&w->setup.output->outlet, PERFDATA_FINISHED_INIT);
	output_flush(w->setup.output);
	w->part_began = w->setup.output->past_bytes;
}

static void end_file(struct writer *w)
{
	struct perfdata_info *info = w->setup.output->info;

	if (w->opts->tail_synthesize)
		synthesize(w);
	if (w->counts.first_time) {
		perfdata_info_set(info, FEAT_SAMPLE_TIME);
		info->first_sample_time = w->counts.first_time;
		info->last_sample_time = w->counts.last_time;
	}
	if (!w->opts->no_buildid) {
		if (info->build_ids)
			g_ptr_array_set_size(info->build_ids, 0);
		buildids_tell(w->buildids, info);
	}
	output_finish(w->setup.output);
}

static void say_part(struct writer *w, const char *name)
{
	if (w->setup.say)
		fprintf(w->setup.say, "[ perf record: dump data: Woken up %" PRIu64 " times ]\n",
			w->wakes - w->counts.wakes);
	w->counts.wakes = w->wakes;
	if (name && w->setup.say)
		fprintf(w->setup.say, "[ perf record: Dump %s ]\n", name);
}

static void switch_file(struct writer *w)
{
	if (w->setup.output->error)
		return;
	end_file(w);
	say_part(w, output_set_aside(w->setup.output));
	w->counts.parts++;
	w->counts.first_time = w->counts.last_time = 0;
	if (output_begin_part(w->setup.output))
		begin_file(w);
}

static u64 word_at(const struct perf_event_header *record, u32 word)
{
	u64 value = 0;
	size_t at = sizeof(*record) + 8 * (size_t)word;

	if (at + sizeof(value) <= record->size)
		memcpy(&value, (const u8 *)record + at, sizeof(value));
	return value;
}

static void see_sample(struct writer *w, const struct perf_event_header *record)
{
	u64 time;

	w->counts.samples++;
	if (w->time_word < 0)
		return;
	time = word_at(record, (u32)w->time_word);
	if (!w->counts.first_time || time < w->counts.first_time)
		w->counts.first_time = time;
	w->counts.last_time = MAX(w->counts.last_time, time);
}

static bool asks_for_build_ids(const GPtrArray *evsels)
{
	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		if (evsel->attr.build_id)
			return true;
	}
	return false;
}

/*
 * The kernel makes one record for all events that are told of a mapping, and the bit that another
 * recorder's event with attr.build_id sets stays set in ours, which hold device and inode. Upstream's
 * readers believe the bit, so it must not get into the file.
 */
static void clear_false_build_id(const struct writer *w, struct perf_event_header *record)
{
	if (record->type == PERF_RECORD_MMAP2 && !w->build_ids)
		record->misc &= (u16)~PERF_RECORD_MISC_MMAP_BUILD_ID;
}

/* Remembers the file's build-id, or puts it into the record where the name is another file's. */
static void see_map(struct writer *w, struct perf_event_header *record)
{
	bool kernel = (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	const struct build_id *id;
	struct event_mmap map;
	bool is_told;

	if (record->type != PERF_RECORD_MMAP && record->type != PERF_RECORD_MMAP2)
		return;
	if (w->opts->no_buildid || record->misc & PERF_MISC_MMAP_DATA ||
	    !mmap_of_record(record, &map) || map.has_build_id)
		return;
	id = buildids_get(w->buildids, &map, kernel, &is_told);
	if (!is_told)
		mmap_record_set_build_id(record, id);
}

/* FORK and EXIT: {pid, ppid}, {tid, ptid}, time. */
static void see_task(struct writer *w, const struct perf_event_header *record)
{
	int pid = (int)(u32)word_at(record, 0);
	int tid = (int)(u32)word_at(record, 1);

	if (!w->pids)
		return;
	if (record->type == PERF_RECORD_FORK)
		g_hash_table_add(w->pids, GINT_TO_POINTER(pid));
	else if (pid == tid)
		g_hash_table_remove(w->pids, GINT_TO_POINTER(pid));
}

static void observe(struct writer *w, const struct perf_event_header *record)
{
	const GPtrArray *sources = w->setup.rec->sources;

	for (u32 i = 0; i < sources->len; i++) {
		struct source *src = g_ptr_array_index(sources, i);

		if (src->ops->observe)
			src->ops->observe(src, record, &w->setup.output->outlet);
	}
}

static void see_record(struct writer *w, const struct perf_event_header *record)
{
	w->counts.records++;
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		see_sample(w, record);
		return;
	case PERF_RECORD_LOST:
		w->counts.lost_records += word_at(record, 1);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		w->counts.lost_samples += word_at(record, 0);
		break;
	case PERF_RECORD_THROTTLE:
		w->counts.throttled++;
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		see_task(w, record);
		break;
	case PERF_RECORD_COMM:
		w->started |= record->misc & PERF_MISC_COMM_EXEC;
		break;
	}
	observe(w, record);
}

/* Upstream's readers give up a file with a record that says more bytes than it has. */
static void cut_false_size(const struct writer *w, struct queue_buffer *buffer,
			   struct perf_event_header *record)
{
	u32 size = record_true_size(w->setup.output->evsels, record), more = record->size - size;
	u8 *rest = (u8 *)record + record->size;

	if (!more)
		return;
	memmove((u8 *)record + size, rest, (size_t)(buffer->data + buffer->used - rest));
	buffer->used -= more;
	record->size = (u16)size;
}

static void write_buffer(struct writer *w, struct queue_buffer *buffer)
{
	struct output *output = w->setup.output;
	struct perf_event_header *record;

	for (size_t at = 0; at < buffer->used; at += record->size) {
		record = (void *)(buffer->data + at);
		cut_false_size(w, buffer, record);
		clear_false_build_id(w, record);
		see_record(w, record);
		see_map(w, record);
	}
	w->wakes = buffer->wakes;
	outlet_put(&output->outlet, buffer->data, buffer->used);
	output_flush(output);
}

static bool part_is_full(const struct writer *w)
{
	u64 limit = w->opts->switch_output.size;

	return limit && output_bytes(w->setup.output) - w->part_began >= limit;
}

static void *write_all(void *arg)
{
	struct writer *w = arg;
	struct output *output = w->setup.output;
	struct queue_buffer *buffer;

	begin_file(w);
	alerts_raise(w->setup.alerts, ALERT_BEGUN);
	while (!output->error && (buffer = queue_pop(w->setup.queue))) {
		bool then_switch = buffer->then_switch;

		write_buffer(w, buffer);
		queue_return(w->setup.queue, buffer);
		if (then_switch || part_is_full(w))
			switch_file(w);
		if (w->opts->max_size && output_bytes(output) >= w->opts->max_size &&
		    !alerts_has(w->setup.alerts, ALERT_FULL))
			alerts_raise(w->setup.alerts, ALERT_FULL);
	}
	if (output->error) {
		queue_abandon(w->setup.queue);
		alerts_raise(w->setup.alerts, ALERT_WRITE_FAILED);
	}
	end_file(w);
	if (!output->error && (w->opts->switch_output.given || w->opts->timestamp_filename)) {
		w->counts.last_part = output_set_aside(output);
		w->counts.parts++;
	}
	return NULL;
}

struct writer *writer_start(const struct writer_setup *setup)
{
	struct writer *w = g_new0(struct writer, 1);

	w->setup = *setup;
	w->opts = setup->rec->opts;
	w->buildids = buildids_new(setup->rec->paths);
	w->time_word = time_word(setup->output->evsels);
	w->build_ids = asks_for_build_ids(setup->output->evsels);
	if (setup->target->pids) {
		w->pids = g_hash_table_new(NULL, NULL);
		for (u32 i = 0; i < setup->target->pids->len; i++)
			g_hash_table_add(w->pids, GINT_TO_POINTER(g_array_index(setup->target->pids,
										pid_t, i)));
	}
	w->thread = g_thread_new("perf-writer", write_all, w);
	return w;
}

void writer_join(struct writer *w, struct writer_counts *counts)
{
	g_thread_join(w->thread);
	*counts = w->counts;
	buildids_free(w->buildids);
	g_clear_pointer(&w->pids, g_hash_table_unref);
	g_free(w);
}
