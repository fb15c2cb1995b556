// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/activity.h"

#include <glib.h>
#include <string.h>

#include "base/search.h"
#include "machine/changes.h"
#include "perfdata/abi.h"
#include "perfdata/event.h"

struct process_version {
	u64 time;
	struct activity_process *process; /* NULL: no activities from this time on */
};

struct activities {
	struct activity_history *layouts;
	GHashTable *processes; /* pid -> GArray of struct process_version, ascending by time */
	struct changes *changes;
};

static void clear_process(void *version)
{
	activity_process_free(((struct process_version *)version)->process);
}

struct activities *activities_new(void)
{
	struct activities *a = g_new0(struct activities, 1);

	a->layouts = activity_history_new();
	a->changes = changes_new();
	a->processes = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	return a;
}

void activities_free(struct activities *a)
{
	if (!a)
		return;
	activity_history_free(a->layouts);
	changes_free(a->changes);
	g_hash_table_destroy(a->processes);
	g_free(a);
}

bool activities_any(const struct activities *a)
{
	return activity_history_any(a->layouts);
}

/* The index of the first version later than @time. */
static u32 upper_bound(const GArray *versions, u64 time)
{
	return SEARCH(i, 0, versions->len,
		      g_array_index(versions, struct process_version, i).time <= time);
}

static GArray *versions_of(struct activities *a, u32 pid)
{
	GArray *versions = g_hash_table_lookup(a->processes, GUINT_TO_POINTER(pid));

	if (!versions) {
		versions = g_array_new(FALSE, FALSE, sizeof(struct process_version));
		g_array_set_clear_func(versions, clear_process);
		g_hash_table_insert(a->processes, GUINT_TO_POINTER(pid), versions);
	}
	return versions;
}

struct activity_change activity_change_of(const struct event_tls_layout *record)
{
	return (struct activity_change){
		.pid = record->pid,
		.state = record->state,
		.time = record->time,
		.layout = { .format = record->kind,
			    .tpoff = record->tp_offset,
			    .size = record->size,
			    .where = (u8)record->where,
			    .publisher = (u8)record->publisher,
			    .framed = record->framed,
			    .fresh = record->fresh,
			    .mark = (u16)record->mark },
	};
}

static void apply_layout(struct activities *a, const struct event_tls_layout *record)
{
	const struct activity_change change = activity_change_of(record);

	activity_history_apply(a->layouts, &change);
	if (record->pid == ACTIVITY_EVERY_PROCESS)
		changes_note_all(a->changes, record->time);
	else
		changes_note(a->changes, record->pid, record->time);
}

static void apply_process(struct activities *a, const struct event_process_facts *record)
{
	struct process_version version = { .time = record->time };
	GArray *versions = versions_of(a, record->pid);

	version.process = activity_process_new(record->form, record->data, record->size);
	g_array_insert_val(versions, upper_bound(versions, version.time), version);
	changes_note(a->changes, record->pid, record->time);
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

const struct activity_process *activities_process(const struct activities *a, u32 pid, u64 time)
{
	const GArray *versions = g_hash_table_lookup(a->processes, GUINT_TO_POINTER(pid));
	guint later = versions ? upper_bound(versions, time) : 0;

	return later ? g_array_index(versions, struct process_version, later - 1).process : NULL;
}

void activities_find(const struct activities *a, const struct sample *sample, u32 pid, u64 time,
		     struct activity *activity)
{
	const struct activity_bytes bytes = { sample->tls.data, sample->tls.size,
					      sample->tls.dyn_size,
					      !(sample->type & PERF_SAMPLE_TLS_USER) };

	activity_history_find(a->layouts, pid, time, &bytes, activities_process(a, pid, time),
			      activity);
}

void activities_settle(struct activities *a)
{
	changes_settle(a->changes);
}

void activities_window(const struct activities *a, u32 pid, u64 time, u64 *from, u64 *to)
{
	changes_window(a->changes, pid, time, from, to);
}
