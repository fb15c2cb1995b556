// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/triggers.h"

#include <unistd.h>
#include <stdlib.h>
#include <string.h>

#include "activity/history.h"
#include "activity/label_ids.h"
#include "base/clock.h"
#include "detached/crash_stack.h"
#include "detached/ends.h"
#include "detached/uprobe.h"
#include "perfdata/decoder.h"
#include "perfevent/tracepoint.h"
#include "perfevent/parse.h"
#include "record/base/callgraph.h"
#include "resolve/activity.h"

#define CRASH_EVENT "signal:signal_deliver"
/* SIGQUIT, ILL, TRAP, ABRT, BUS, FPE, SEGV, XCPU, XFSZ, SYS: ends_is_core_signal(). */
#define CRASH_FILTER                                                                               \
	"sig==3||sig==4||sig==5||sig==6||sig==7||sig==8||sig==11||sig==24||sig==25||sig==31"

/*
 * Stack bytes of crash samples, independent of --call-graph: the crashing function is often one
 * without a frame, or called abort(), which has none. The record must fit into the smallest chunk.
 */
#define CRASH_STACK (15u << 10)

#define MOST_COPIES  64u
#define COPIES_APART 1000000000ull /* ns */

/* Start of a thread's work for one activity. */
struct working {
	u64 since, hash;
	bool fired;
};

struct trigger {
	char *text;
	char *path;	       /* file of the uprobe; NULL: another trigger */
	struct event_set *set; /* set after preparation; NULL: no events */
	bool crash;	       /* not a trigger: reports crashing threads */
};

struct triggers {
	struct source source;
	struct recording *rec;
	GPtrArray *all; /* struct trigger * */
	u64 span_ns;	/* 0: no trigger of this kind */
	char *span_text;
	struct activity_history *history;
	GHashTable *working; /* tid -> struct working * */
	struct crashed_thread crash;
	bool died; /* at the last sample */
	struct crash_stacks *stacks;
	/* bytes from the raw data of a crash to its fields; 0: not known */
	u32 signal_at, handler_at;
	GByteArray *completed; /* the record of the last sample, if it was completed */
	u64 most, apart_ns;    /* the limit of copies */
	u64 nr_copies, nr_passed, last_ns;
	char *reason; /* of the last copy */
};

static void trigger_free(void *ptr)
{
	struct trigger *one = ptr;

	g_free(one->text);
	g_free(one->path);
	g_free(one);
}

/* "500ms", "2s", "100us". */
static bool parse_time(const char *text, u64 *ns)
{
	static const struct {
		const char *unit;
		u64 ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	char *end;
	u64 n = strtoull(text, &end, 10);

	for (u32 i = 0; i < ARRAY_SIZE(units); i++)
		if (end > text && !strcmp(end, units[i].unit) && n &&
		    n < G_MAXUINT64 / units[i].ns) {
			*ns = n * units[i].ns;
			return true;
		}
	return false;
}

static bool parse_limit(struct triggers *t, const char *text, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text ?: "", ",", 0);

	t->most = MOST_COPIES;
	t->apart_ns = COPIES_APART;
	for (char **part = parts; *part; part++)
		if (!parse_time(*part, &t->apart_ns) &&
		    !g_ascii_string_to_unsigned(*part, 10, 1, G_MAXUINT32, &t->most, NULL))
			return error_set(
				error, PERF_ERROR_USAGE,
				"--trigger-limit=%s: expected a number of copies, the time "
				"between two, or both: 64,1s",
				text);
	return true;
}

/* The reason for the copy that @text asks for; NULL: there is none, because of the limit. */
static const char *limited(struct triggers *t, const char *text)
{
	u64 now = clock_ns(CLOCK_MONOTONIC);

	if (t->nr_copies == t->most || (t->nr_copies && now - t->last_ns < t->apart_ns)) {
		t->nr_passed++;
		return NULL;
	}
	g_free(t->reason);
	t->reason = t->nr_passed
			    ? g_strdup_printf("%s, %" G_GUINT64_FORMAT " more since the last copy",
					      text, t->nr_passed)
			    : g_strdup(text);
	t->nr_copies++;
	t->nr_passed = 0;
	t->last_ns = now;
	return t->reason;
}

static void add(struct triggers *t, const char *text, bool crash)
{
	struct trigger *one = g_new0(struct trigger, 1);

	one->text = g_strdup(text);
	one->crash = crash;
	g_ptr_array_add(t->all, one);
}

/* The signal is a trigger of every detached recording (detached/worker.c). */
static bool is_signal(const char *text)
{
	return !g_ascii_strcasecmp(text, "SIGUSR2");
}

static bool parse(struct triggers *t, const char *text, GError **error)
{
	if (is_signal(text))
		return true;
	if (!g_str_has_prefix(text, "span>")) {
		add(t, text, false);
		return true;
	}
	if (!parse_time(text + 5, &t->span_ns))
		return error_set(error, PERF_ERROR_USAGE,
				 "--trigger=%s: expected a time such as span>500ms or span>2s",
				 text);
	g_free(t->span_text);
	t->span_text = g_strdup(text);
	return true;
}

static bool prepare_event(struct trigger *one, struct recording *rec, GError **error)
{
	bool is_uprobe = g_str_has_prefix(one->text, "uprobe:");

	one->set = recording_add_events(rec);
	if (!(is_uprobe ? uprobe_add(&one->set->list, rec->paths, one->text, &one->path, error)
			: event_list_parse(&one->set->list, rec->paths, one->text, error))) {
		g_prefix_error(error, "--trigger=%s: ", one->text);
		return false;
	}
	return true;
}

/* True if this user may open the event. If not, the recording works without it. */
static bool can_open(const struct kernel_paths *paths, const char *text)
{
	struct event_list list;
	bool fine;
	int fd = -1;

	event_list_init(&list);
	fine = event_list_parse(&list, paths, text, NULL);
	if (fine)
		fd = evsel_sys_open(event_list_at(&list, 0)->evsel, 0, -1, -1, 0);
	if (fd >= 0)
		close(fd);
	event_list_release(&list);
	return fd >= 0;
}

/* The offset of a field, by the tracepoint's format file: "field:unsigned long sa_handler;\toffset:24;". 0: none. */
static u32 offset_of(const char *format, const char *field)
{
	g_autofree char *name = g_strdup_printf(" %s;\toffset:", field);
	const char *at = strstr(format, name);

	return at ? (u32)strtoul(at + strlen(name), NULL, 10) : 0;
}

static void find_fields(struct triggers *t, const struct kernel_paths *paths)
{
	g_autofree char *format = tracepoint_format(paths, "signal", "signal_deliver", NULL);

	t->signal_at = format ? offset_of(format, "sig") : 0;
	t->handler_at = format ? offset_of(format, "sa_handler") : 0;
}

static u64 core_signals(void)
{
	u64 signals = 0;

	for (int i = 1; i < 64; i++)
		signals |= ends_is_core_signal(i) ? 1ull << i : 0;
	return signals;
}

static bool prepare_crash(struct trigger *one, struct recording *rec, GError **error)
{
	const struct callgraph graph = { .mode = CALLGRAPH_DWARF, .stack_size = CRASH_STACK };
	struct perf_event_attr *attr;

	if (!can_open(rec->paths, one->text))
		return true;
	if (!prepare_event(one, rec, error))
		return false;
	attr = &event_list_at(&one->set->list, 0)->evsel->attr;
	callgraph_config(&graph, 0, attr);
	attr->exclude_callchain_kernel = 1;
	return true;
}

static struct triggers *triggers_of(struct source *src)
{
	return container_of(src, struct triggers, source);
}

static bool prepare(struct source *src, struct recording *rec, GError **error)
{
	struct triggers *t = triggers_of(src);

	t->rec = rec;
	for (u32 i = 0; i < t->all->len; i++) {
		struct trigger *one = g_ptr_array_index(t->all, i);

		if (!(one->crash ? prepare_crash : prepare_event)(one, rec, error))
			return false;
		if (!one->crash || !one->set)
			continue;
		find_fields(t, rec->paths);
		t->stacks = crash_stacks_new(core_signals());
	}
	return true;
}

static bool set_filters(struct source *src, struct recording *rec, GError **error)
{
	struct triggers *t = triggers_of(src);

	for (u32 i = 0; i < t->all->len; i++) {
		struct trigger *one = g_ptr_array_index(t->all, i);

		if (one->path) /* the attribute has one of our pointers: keep it out of the file */
			event_list_at(&one->set->list, 0)->evsel->attr.config1 = 0;
		if (one->crash && one->set &&
		    !openset_filter(one->set->set, 0, CRASH_FILTER, error))
			return false;
	}
	return true;
}

static void close_source(struct source *src)
{
}

static const struct source_ops source_ops = {
	.name = "triggers",
	.prepare = prepare,
	.open = set_filters,
	.close = close_source,
};

struct triggers *triggers_new(const GPtrArray *texts, const char *limit, bool crashes,
			      GError **error)
{
	struct triggers *t = g_new0(struct triggers, 1);

	t->source.ops = &source_ops;
	t->all = g_ptr_array_new_with_free_func(trigger_free);
	t->history = activity_history_new();
	t->working = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	if (crashes)
		add(t, CRASH_EVENT, true);
	if (!parse_limit(t, limit, error)) {
		triggers_free(t);
		return NULL;
	}
	for (u32 i = 0; texts && i < texts->len; i++) {
		if (parse(t, g_ptr_array_index(texts, i), error))
			continue;
		triggers_free(t);
		return NULL;
	}
	return t;
}

void triggers_free(struct triggers *t)
{
	if (!t)
		return;
	g_ptr_array_unref(t->all);
	activity_history_free(t->history);
	g_hash_table_unref(t->working);
	g_free(t->span_text);
	g_free(t->reason);
	g_clear_pointer(&t->completed, g_byte_array_unref);
	crash_stacks_free(t->stacks);
	g_free(t);
}

struct source *triggers_source(struct triggers *t)
{
	return &t->source;
}

struct crashed_thread triggers_crash(const struct triggers *t)
{
	return t->crash;
}

bool triggers_is_death(const struct triggers *t)
{
	return t->died;
}

static bool is_of(const struct trigger *one, u64 id)
{
	const struct evsel *evsel;

	if (!one->set || !one->set->list.specs->len)
		return false;
	evsel = event_list_at(&one->set->list, 0)->evsel;
	for (u32 i = 0; i < evsel->nr_ids; i++)
		if (evsel->ids[i] == id)
			return true;
	return false;
}

static u64 field_at(const struct sample *s, u32 at, u32 size)
{
	u64 value = 0;

	if (at && at <= s->raw_size && size <= s->raw_size - at)
		memcpy(&value, (const u8 *)s->raw + at, size);
	return value;
}

/* A handler goes on; without one, the signal ends the process. */
static void take_crash(struct triggers *t, const struct event *ev)
{
	const struct sample *s = &ev->sample;
	u32 number = (u32)field_at(s, t->signal_at, sizeof(u32));

	t->died = t->handler_at && !field_at(s, t->handler_at, sizeof(u64));
	t->crash = (struct crashed_thread){ s->pid, s->tid, t->died ? (s32)number : 0 };
	t->completed = crash_stacks_complete(t->stacks, ev, CRASH_STACK);
}

/* If there are events of this source, each sample begins with its id. */
static const char *fired_event(struct triggers *t, const struct perfdata_decoder *decoder,
			       const struct perf_event_header *record)
{
	u64 id = *(const u64 *)(record + 1);

	for (u32 i = 0; i < t->all->len; i++) {
		const struct trigger *one = g_ptr_array_index(t->all, i);
		struct event ev;

		if (!is_of(one, id))
			continue;
		if (!one->crash)
			return one->text;
		if (perfdata_decoder_decode(decoder, record, &ev))
			take_crash(t, &ev);
	}
	return NULL;
}

static u64 hash_of(const struct activity *activity)
{
	u64 hash = 1469598103934665603ULL;
	const u8 *at = activity->has & ACTIVITY_HAS_IDS ? activity->trace_id : activity->value;
	u32 size = activity->has & ACTIVITY_HAS_IDS ? 24 : activity->value_size;

	for (u32 i = 0; i < size; i++)
		hash = (hash ^ at[i]) * 1099511628211ULL;
	return hash;
}

static bool span_is_long(struct triggers *t, const struct perfdata_decoder *decoder,
			 const struct perf_event_header *record)
{
	struct activity_bytes bytes;
	struct activity activity;
	struct working *w;
	struct event ev;
	void *tid;

	if (!perfdata_decoder_decode(decoder, record, &ev))
		return false;
	bytes = (struct activity_bytes){ ev.sample.tls.data, ev.sample.tls.size,
					 ev.sample.tls.dyn_size };
	activity_history_find(t->history, ev.sample.pid, ev.sample.time, &bytes, NULL, &activity);
	activity_take_label_ids(&activity, &(struct activity_id_names){ 0 });
	tid = GUINT_TO_POINTER(ev.sample.tid);
	if (activity.state != ACTIVITY_OK) {
		if (activity.state == ACTIVITY_NONE)
			g_hash_table_remove(t->working, tid);
		return false;
	}
	w = g_hash_table_lookup(t->working, tid);
	if (!w) {
		w = g_new0(struct working, 1);
		g_hash_table_insert(t->working, tid, w);
	}
	if (w->hash != hash_of(&activity) || ev.sample.time < w->since)
		*w = (struct working){ ev.sample.time, hash_of(&activity), false };
	if (w->fired || ev.sample.time - w->since <= t->span_ns)
		return false;
	w->fired = true;
	return true;
}

const char *triggers_sample(struct triggers *t, const struct perfdata_decoder *decoder,
			    const struct perf_event_header *record)
{
	const char *text;

	g_clear_pointer(&t->completed, g_byte_array_unref);
	t->died = false;
	text = t->all->len ? fired_event(t, decoder, record) : NULL;
	if (!text && t->span_ns && span_is_long(t, decoder, record))
		text = t->span_text;
	return text ? limited(t, text) : NULL;
}

const struct perf_event_header *triggers_record(const struct triggers *t,
						const struct perf_event_header *record)
{
	return t->completed ? (const void *)t->completed->data : record;
}

const char *triggers_limit(struct triggers *t, const char *text)
{
	return limited(t, text);
}

static void take_layout(struct triggers *t, const struct event_tls_layout *record)
{
	const struct activity_change change = activity_change_of(record);

	activity_history_apply(t->history, &change);
}

void triggers_side(struct triggers *t, const struct event *ev)
{
	if (ev->type == PERF_RECORD_EXIT)
		g_hash_table_remove(t->working, GUINT_TO_POINTER(ev->task.tid));
	else if (t->span_ns && ev->type == PERFDATA_EVENT_TYPE &&
		 ev->ext.kind == PERFDATA_EXT_TLS_LAYOUT)
		take_layout(t, &ev->ext.tls_layout);
}
