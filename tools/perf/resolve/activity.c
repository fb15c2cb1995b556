// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/activity.h"

#include <glib.h>
#include <string.h>

#include "base/search.h"
#include "perfdata/event.h"

/* More publishers than the recorder looks for. */
#define MAX_PUBLISHERS 8

/* What holds of one process from a time on, and the record that brought it about. */
struct version {
	u64 time;
	u32 state; /* of the record: enum activity_layout_state */
	struct activity_layout change;
	struct activity_layout layouts[MAX_PUBLISHERS]; /* by rank */
	u32 nr;
};

struct process_version {
	u64 time;
	struct activity_process *process; /* NULL: nothing any more */
};

struct activities {
	GHashTable *by_pid;    /* pid -> GArray of struct version, ascending by time */
	GHashTable *processes; /* pid -> GArray of struct process_version, likewise */
	bool everywhere;       /* there are versions for ACTIVITY_EVERY_PROCESS */
};

static void clear_process(void *version)
{
	activity_process_free(((struct process_version *)version)->process);
}

struct activities *activities_new(void)
{
	struct activities *a = g_new0(struct activities, 1);

	a->by_pid = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	a->processes = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	return a;
}

void activities_free(struct activities *a)
{
	if (!a)
		return;
	g_hash_table_destroy(a->by_pid);
	g_hash_table_destroy(a->processes);
	g_free(a);
}

bool activities_any(const struct activities *a)
{
	return g_hash_table_size(a->by_pid) > 0;
}

/* Both kinds of versions begin with their time. */
static u64 version_time(const GArray *versions, u32 i)
{
	u64 at;

	memcpy(&at, versions->data + (gsize)i * g_array_get_element_size((GArray *)versions),
	       sizeof(at));
	return at;
}

/* The first version later than @time. */
static u32 upper_bound(const GArray *versions, u64 time)
{
	return SEARCH(i, 0, versions->len, version_time(versions, i) <= time);
}

static GArray *versions_of(GHashTable *table, u32 pid, guint size)
{
	GArray *versions = g_hash_table_lookup(table, GUINT_TO_POINTER(pid));

	if (!versions) {
		versions = g_array_new(FALSE, FALSE, size);
		g_hash_table_insert(table, GUINT_TO_POINTER(pid), versions);
	}
	return versions;
}

static void remove_publisher(struct version *version, u32 publisher)
{
	u32 nr = 0;

	for (u32 i = 0; i < version->nr; i++) {
		if (version->layouts[i].publisher != publisher)
			version->layouts[nr++] = version->layouts[i];
	}
	version->nr = nr;
}

static void add_publisher(struct version *version, const struct activity_layout *layout)
{
	u32 at = version->nr;

	if (at == MAX_PUBLISHERS)
		return;
	for (; at > 0 &&
	       activity_rank(version->layouts[at - 1].format) > activity_rank(layout->format);
	     at--)
		version->layouts[at] = version->layouts[at - 1];
	version->layouts[at] = *layout;
	version->nr++;
}

/* What holds from @version on, given what held before. */
static void fold(struct version *version, const struct version *before)
{
	version->nr = 0;
	if (version->state == ACTIVITY_GONE)
		return;
	if (before) {
		version->nr = before->nr;
		memcpy(version->layouts, before->layouts, sizeof(version->layouts));
	}
	remove_publisher(version, version->change.publisher);
	if (version->state == ACTIVITY_PLACED)
		add_publisher(version, &version->change);
}

static void apply_layout(struct activities *a, const struct event_tls_layout *record)
{
	GArray *versions = versions_of(a->by_pid, record->pid, sizeof(struct version));
	guint at = upper_bound(versions, record->time);
	struct version version = {
		.time = record->time,
		.state = record->state,
		.change = { .format = record->kind,
			    .symbol = "",
			    .tpoff = record->tp_offset,
			    .size = record->size,
			    .where = (u8)record->where,
			    .publisher = (u8)record->publisher,
			    .framed = record->framed },
	};

	if (version.state == ACTIVITY_PLACED && !activity_layout_valid(&version.change))
		version.state = ACTIVITY_NOWHERE;
	a->everywhere |= record->pid == ACTIVITY_EVERY_PROCESS;
	g_array_insert_val(versions, at, version);
	for (; at < versions->len; at++)
		fold(&g_array_index(versions, struct version, at),
		     at ? &g_array_index(versions, struct version, at - 1) : NULL);
}

static void apply_process(struct activities *a, const struct event_process_facts *record)
{
	struct process_version version = { .time = record->time };
	GArray *versions = versions_of(a->processes, record->pid, sizeof(version));

	g_array_set_clear_func(versions, clear_process);
	version.process = activity_process_new(record->form, record->data, record->size);
	g_array_insert_val(versions, upper_bound(versions, version.time), version);
}

void activities_apply(struct activities *a, const struct event *event)
{
	if (event->type != PERFDATA_EVENT_TYPE)
		return;
	if (event->ext.kind == PERFDATA_EXT_TLS_LAYOUT)
		apply_layout(a, &event->ext.tls_layout);
	else if (event->ext.kind == PERFDATA_EXT_PROCESS)
		apply_process(a, &event->ext.process);
}

/* The version of @pid that holds at @time, or NULL. */
static const void *find_version(GHashTable *table, u32 pid, u64 time)
{
	GArray *versions = g_hash_table_lookup(table, GUINT_TO_POINTER(pid));
	guint later = versions ? upper_bound(versions, time) : 0;

	return later ? versions->data + (gsize)(later - 1) * g_array_get_element_size(versions)
		     : NULL;
}

const struct activity_process *activities_process(const struct activities *a, u32 pid, u64 time)
{
	const struct process_version *version = find_version(a->processes, pid, time);

	return version ? version->process : NULL;
}

static void decode(const struct version *version, const struct sample *sample,
		   const struct activity_process *process, struct activity *activity)
{
	activity_decode_first(version ? version->layouts : NULL, version ? version->nr : 0,
			      sample->tls.data, sample->tls.size, sample->tls.dyn_size, process,
			      activity);
}

void activities_find(const struct activities *a, const struct sample *sample, u32 pid, u64 time,
		     struct activity *activity)
{
	const struct version *version = find_version(a->by_pid, pid, time);

	const struct activity_process *process = activities_process(a, pid, time);

	decode(version, sample, process, activity);
	if (activity->state == ACTIVITY_NONE && a->everywhere)
		decode(find_version(a->by_pid, ACTIVITY_EVERY_PROCESS, time), sample, process,
		       activity);
}
