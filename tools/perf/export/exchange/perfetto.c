// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A trace of Perfetto: a StackSample packet for each sample, which has a weight and fits samples of waits, too. Spans and
 * waits are slices on tracks below the thread. Everything is written as it comes: what packets refer to by number stands in
 * a packet before the first one that does.
 */
#include <string.h>

#include "dso/buildid.h"
#include "dso/dso.h"
#include "export/exchange/format.h"
#include "protobuf/message.h"
#include "protobuf/perfetto.pb-c.h"

enum { FIELD_PACKET = 1 };
enum { KIND_NATIVE = 1, KIND_KERNEL = 2 };
enum { MODE_USER = 1, MODE_KERNEL = 2 };
enum { UNIT_NANOSECONDS = 1, UNIT_COUNT = 9 };
enum { SLICE_BEGIN = 1, SLICE_END = 2 };

#define SEQUENCE	  1
#define STATE_CLEARED	  1
#define STATE_NEEDED	  2
#define CLOCK_REALTIME_ID 1
#define MOST_FACTS	  5

/* The tracks of a thread. */
enum thread_track { TRACK_THREAD, TRACK_SPANS, TRACK_WAITS, NR_TRACKS };

/* Kinds of interned strings. A text has the same number in each. */
enum strings { STRINGS_FUNCTION, STRINGS_PATH, STRINGS_SOURCE, STRINGS_BUILD_ID, NR_STRINGS };

struct perfetto {
	struct message_out message;
	GByteArray *strings[NR_STRINGS], *frames, *stacks, *dsos; /* 1: it is written */
	GByteArray *tracks; /* by thread: bits of enum thread_track */
	GArray *path;	    /* u64 frames */
};

static void put_output(void *arg, const void *bytes, size_t size)
{
	fwrite(bytes, 1, size, arg);
}

/* The mark of number @id. */
static u8 *mark_of(GByteArray *marks, u32 id)
{
	u32 before = marks->len;

	if (before <= id) {
		g_byte_array_set_size(marks, MAX(id + 1, 2 * before));
		memset(marks->data + before, 0, marks->len - before);
	}
	return &marks->data[id];
}

/* True once for each number. */
static bool is_new(GByteArray *marks, u32 id)
{
	u8 *mark = mark_of(marks, id);
	bool was = *mark;

	*mark = 1;
	return !was;
}

static Perfetto__TracePacket packet_new(void)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	packet.has_trusted_packet_sequence_id = true;
	packet.trusted_packet_sequence_id = SEQUENCE;
	packet.has_sequence_flags = true;
	packet.sequence_flags = STATE_NEEDED;
	return packet;
}

static void put_packet(struct perfetto *p, const Perfetto__TracePacket *packet)
{
	message_put(&p->message, FIELD_PACKET, &packet->base);
}

/* The first packet: the clock, and the source of the samples. */
static void put_start(struct exchange *x)
{
	Perfetto__StackSampleDefaults samples = PERFETTO__STACK_SAMPLE_DEFAULTS__INIT;
	Perfetto__TracePacketDefaults defaults = PERFETTO__TRACE_PACKET_DEFAULTS__INIT;
	Perfetto__TracePacket packet = packet_new();

	packet.sequence_flags = STATE_CLEARED;
	samples.source = (char *)"linux.perf";
	defaults.stack_sample_defaults = &samples;
	defaults.has_timestamp_clock_id = x->has_wall;
	defaults.timestamp_clock_id = CLOCK_REALTIME_ID;
	packet.trace_packet_defaults = &defaults;
	put_packet(x->writer, &packet);
}

/* Times are those since 1970: this clock is that of the trace. */
static void put_clock(struct exchange *x, u64 time)
{
	Perfetto__Clock clock = PERFETTO__CLOCK__INIT, *clocks = &clock;
	Perfetto__ClockSnapshot snapshot = PERFETTO__CLOCK_SNAPSHOT__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	clock.has_clock_id = clock.has_timestamp = true;
	clock.clock_id = CLOCK_REALTIME_ID;
	clock.timestamp = time;
	snapshot.clocks = &clocks;
	snapshot.n_clocks = 1;
	snapshot.has_primary_trace_clock = true;
	snapshot.primary_trace_clock = CLOCK_REALTIME_ID;
	packet.clock_snapshot = &snapshot;
	put_packet(x->writer, &packet);
}

static bool open(struct exchange *x, GError **error)
{
	struct perfetto *p = g_new0(struct perfetto, 1);

	x->writer = p;
	message_out_init(&p->message, put_output, x->out);
	for (u32 i = 0; i < NR_STRINGS; i++)
		p->strings[i] = g_byte_array_new();
	p->frames = g_byte_array_new();
	p->stacks = g_byte_array_new();
	p->dsos = g_byte_array_new();
	p->tracks = g_byte_array_new();
	p->path = g_array_new(FALSE, FALSE, sizeof(u64));
	put_start(x);
	return true;
}

static void put_interned(struct exchange *x, Perfetto__InternedData *data)
{
	Perfetto__TracePacket packet = packet_new();

	packet.interned_data = data;
	put_packet(x->writer, &packet);
}

/* Returns the iid; 0: the text is empty. */
static u64 intern_bytes(struct exchange *x, enum strings kind, u32 text, const void *bytes,
			size_t size)
{
	Perfetto__InternedString string = PERFETTO__INTERNED_STRING__INIT, *strings = &string;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	struct perfetto *p = x->writer;
	const struct {
		size_t *nr;
		Perfetto__InternedString ***strings;
	} tables[NR_STRINGS] = {
		[STRINGS_FUNCTION] = { &data.n_function_names, &data.function_names },
		[STRINGS_PATH] = { &data.n_mapping_paths, &data.mapping_paths },
		[STRINGS_SOURCE] = { &data.n_source_paths, &data.source_paths },
		[STRINGS_BUILD_ID] = { &data.n_build_ids, &data.build_ids },
	};

	if (!text || !is_new(p->strings[kind], text))
		return text;
	string.has_iid = string.has_str = true;
	string.iid = text;
	string.str = (ProtobufCBinaryData){ size, (u8 *)bytes };
	*tables[kind].strings = &strings;
	*tables[kind].nr = 1;
	put_interned(x, &data);
	return text;
}

static u64 intern_string(struct exchange *x, enum strings kind, u32 text)
{
	const char *string = intern_text(x->tables.texts, text);

	return intern_bytes(x, kind, text, string, strlen(string));
}

static void intern_mapping(struct exchange *x, u32 number)
{
	Perfetto__Mapping mapping = PERFETTO__MAPPING__INIT, *mappings = &mapping;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	struct perfetto *p = x->writer;
	const struct exchange_dso *dso;
	char hex[BUILD_ID_HEX];
	struct build_id id;
	u64 path;

	if (!number || !is_new(p->dsos, number))
		return;
	dso = exchange_dso(&x->tables, number);
	id = dso_build_id(dso->dso);
	build_id_hex(&id, hex);
	path = intern_string(x, STRINGS_PATH, dso->name);
	mapping.has_iid = true;
	mapping.iid = number;
	mapping.path_string_ids = &path;
	mapping.n_path_string_ids = 1;
	if (id.size) {
		mapping.has_build_id = true;
		mapping.build_id = intern_bytes(x, STRINGS_BUILD_ID, exchange_text(&x->tables, hex),
						id.bytes, id.size);
	}
	data.mappings = &mappings;
	data.n_mappings = 1;
	put_interned(x, &data);
}

static void intern_frame(struct exchange *x, u32 number)
{
	Perfetto__Frame frame = PERFETTO__FRAME__INIT, *frames = &frame;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	struct perfetto *p = x->writer;
	const struct exchange_frame *f;

	if (!is_new(p->frames, number))
		return;
	f = exchange_frame(&x->tables, number);
	intern_mapping(x, f->dso);
	f = exchange_frame(&x->tables, number);
	frame.has_iid = true;
	frame.iid = number;
	frame.has_function_name_id = true;
	frame.function_name_id = intern_string(x, STRINGS_FUNCTION, f->name);
	frame.has_mapping_id = frame.has_rel_pc = f->dso;
	frame.mapping_id = f->dso;
	frame.rel_pc = f->address;
	frame.has_source_path_iid = f->file;
	frame.source_path_iid = intern_string(x, STRINGS_SOURCE, f->file);
	frame.has_line_number = f->line;
	frame.line_number = f->line;
	frame.has_kind = true;
	frame.kind = f->kernel ? KIND_KERNEL : KIND_NATIVE;
	data.frames = &frames;
	data.n_frames = 1;
	put_interned(x, &data);
}

static void intern_stack(struct exchange *x, u32 node)
{
	Perfetto__Callstack stack = PERFETTO__CALLSTACK__INIT, *stacks = &stack;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	struct perfetto *p = x->writer;

	if (!is_new(p->stacks, node))
		return;
	g_array_set_size(p->path, 0);
	for (u32 n = node; n; n = exchange_node(&x->tables, n)->parent) {
		u64 frame = exchange_node(&x->tables, n)->frame;

		intern_frame(x, (u32)frame);
		g_array_prepend_val(p->path, frame);
	}
	stack.has_iid = true;
	stack.iid = node;
	stack.frame_ids = (u64 *)(void *)p->path->data;
	stack.n_frame_ids = p->path->len;
	data.callstacks = &stacks;
	data.n_callstacks = 1;
	put_interned(x, &data);
}

static u64 uuid_of(u32 thread, enum thread_track track)
{
	return (u64)thread * NR_TRACKS + track + 1;
}

static void put_track(struct exchange *x, u32 thread, enum thread_track track)
{
	static const char *const names[NR_TRACKS] = { NULL, "spans", "waits" };
	const struct exchange_thread *t = exchange_thread(&x->tables, thread);
	g_autofree char *name = g_utf8_make_valid(intern_text(x->tables.texts, t->comm), -1);
	Perfetto__ThreadDescriptor of_thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
	Perfetto__TrackDescriptor descriptor = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__TracePacket packet = packet_new();
	struct perfetto *p = x->writer;
	u8 *mark = mark_of(p->tracks, thread);

	if (*mark & 1 << track)
		return;
	*mark |= (u8)(1 << track);
	descriptor.has_uuid = true;
	descriptor.uuid = uuid_of(thread, track);
	if (track == TRACK_THREAD) {
		of_thread.has_pid = of_thread.has_tid = true;
		of_thread.pid = (s32)t->pid;
		of_thread.tid = (s32)t->tid;
		of_thread.thread_name = name;
		descriptor.thread = &of_thread;
	} else {
		put_track(x, thread, TRACK_THREAD);
		descriptor.name = (char *)names[track];
		descriptor.has_parent_uuid = true;
		descriptor.parent_uuid = uuid_of(thread, TRACK_THREAD);
	}
	packet.track_descriptor = &descriptor;
	put_packet(p, &packet);
}

struct slice {
	u32 thread;
	enum thread_track track;
	const char *name;
	u64 from, to;
	Perfetto__DebugAnnotation facts[MOST_FACTS], *pointers[MOST_FACTS];
	u32 nr_facts;
};

static void add_fact(struct slice *s, const char *name, const char *value)
{
	Perfetto__DebugAnnotation *fact = &s->facts[s->nr_facts];

	if (!*value)
		return;
	*fact = (Perfetto__DebugAnnotation)PERFETTO__DEBUG_ANNOTATION__INIT;
	fact->name = (char *)name;
	fact->string_value = (char *)value;
	s->pointers[s->nr_facts++] = fact;
}

static void put_slice(struct exchange *x, struct slice *s)
{
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
	Perfetto__TracePacket packet = packet_new();
	g_autofree char *name = g_utf8_make_valid(s->name, -1);
	char *category = (char *)(s->track == TRACK_SPANS ? "span" : "wait");

	put_track(x, s->thread, s->track);
	event.has_type = event.has_track_uuid = true;
	event.type = SLICE_BEGIN;
	event.track_uuid = uuid_of(s->thread, s->track);
	event.name = name;
	event.categories = &category;
	event.n_categories = 1;
	event.debug_annotations = s->pointers;
	event.n_debug_annotations = s->nr_facts;
	packet.track_event = &event;
	packet.has_timestamp = true;
	packet.timestamp = s->from;
	put_packet(x->writer, &packet);
	event = (Perfetto__TrackEvent)PERFETTO__TRACK_EVENT__INIT;
	event.has_type = event.has_track_uuid = true;
	event.type = SLICE_END;
	event.track_uuid = uuid_of(s->thread, s->track);
	packet.timestamp = s->to;
	put_packet(x->writer, &packet);
}

static void put_wait(struct exchange *x, const struct exchange_sample *s)
{
	const struct intern *texts = x->tables.texts;
	struct slice slice = { .thread = s->thread,
			       .track = TRACK_WAITS,
			       .name = intern_text(texts, s->labels[LABEL_STATE]),
			       .from = exchange_begin(x, s),
			       .to = s->time };

	for (enum exchange_label i = LABEL_SYSCALL; i <= LABEL_LOCK; i++)
		add_fact(&slice, exchange_label_names[i], intern_text(texts, s->labels[i]));
	put_slice(x, &slice);
}

static bool stretch(struct exchange *x, const struct exchange_stretch *s, GError **error)
{
	const struct intern *texts = x->tables.texts;
	struct slice slice = { .thread = s->thread,
			       .track = TRACK_SPANS,
			       .name = s->name ? intern_text(texts, s->name) : "span",
			       .from = s->from,
			       .to = s->to };
	char trace_id[33], span_id[17];

	add_fact(&slice, "trace_id", exchange_hex(s->ids.trace_id, 16, trace_id));
	add_fact(&slice, "span_id", exchange_hex(s->ids.span_id, 8, span_id));
	add_fact(&slice, "service", intern_text(texts, s->service));
	put_slice(x, &slice);
	return true;
}

static void put_sample(struct exchange *x, const struct exchange_sample *s)
{
	const struct exchange_thread *t = exchange_thread(&x->tables, s->thread);
	const struct exchange_event *e = exchange_event(x, s->event);
	const struct exchange_node *leaf = exchange_node(&x->tables, s->stack);
	Perfetto__TaskContext task = PERFETTO__TASK_CONTEXT__INIT;
	Perfetto__ExecutionContext execution = PERFETTO__EXECUTION_CONTEXT__INIT;
	Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
	Perfetto__StackSample sample = PERFETTO__STACK_SAMPLE__INIT;
	Perfetto__TracePacket packet = packet_new();

	task.has_pid = task.has_tid = true;
	task.pid = t->pid;
	task.tid = t->tid;
	execution.has_cpu = s->cpu != (u32)-1;
	execution.cpu = s->cpu;
	execution.has_mode = true;
	execution.mode = exchange_frame(&x->tables, leaf->frame)->kernel ? MODE_KERNEL : MODE_USER;
	counter.name = (char *)e->name;
	counter.has_unit = true;
	counter.unit = e->is_time ? UNIT_NANOSECONDS : UNIT_COUNT;
	sample.task_context = &task;
	sample.execution_context = s->labels[LABEL_STATE] ? NULL : &execution;
	sample.primary_descriptor = &counter;
	sample.has_callstack_iid = sample.has_primary_weight = true;
	sample.callstack_iid = s->stack;
	sample.primary_weight = s->value;
	packet.has_timestamp = true;
	packet.timestamp = s->time;
	packet.stack_sample = &sample;
	put_packet(x->writer, &packet);
}

static bool sample(struct exchange *x, const struct exchange_sample *s, GError **error)
{
	if (x->has_wall && exchange_is_first(x))
		put_clock(x, x->first);
	put_track(x, s->thread, TRACK_THREAD);
	intern_stack(x, s->stack);
	if (s->labels[LABEL_STATE])
		put_wait(x, s);
	put_sample(x, s);
	return true;
}

static bool close_perfetto(struct exchange *x, GError **error)
{
	return true;
}

static void release(struct exchange *x)
{
	struct perfetto *p = x->writer;

	message_out_release(&p->message);
	for (u32 i = 0; i < NR_STRINGS; i++)
		g_byte_array_unref(p->strings[i]);
	g_byte_array_unref(p->frames);
	g_byte_array_unref(p->stacks);
	g_byte_array_unref(p->dsos);
	g_byte_array_unref(p->tracks);
	g_array_unref(p->path);
	g_free(p);
}

const struct exchange_format exchange_perfetto = {
	.name = "perfetto",
	.output = "perf.perfetto",
	.without_wall = "times are those of its clock",
	.open = open,
	.sample = sample,
	.stretch = stretch,
	.close = close_perfetto,
	.release = release,
};
