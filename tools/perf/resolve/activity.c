// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/activity.h"

#include <glib.h>

#include "perfdata/event.h"

/* What holds of one process from a time on. */
struct version {
	u64 time;
	bool placed;
	struct activity_layout layout;
};

struct activities {
	GHashTable *by_pid; /* pid -> GArray of struct version, ascending by time */
};

struct activities *activities_new(void)
{
	struct activities *a = g_new0(struct activities, 1);

	a->by_pid = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	return a;
}

void activities_free(struct activities *a)
{
	if (!a)
		return;
	g_hash_table_destroy(a->by_pid);
	g_free(a);
}

bool activities_any(const struct activities *a)
{
	return g_hash_table_size(a->by_pid) > 0;
}

/* The first version later than @time. */
static guint upper_bound(const GArray *versions, u64 time)
{
	guint low = 0, high = versions->len;

	while (low < high) {
		guint mid = low + (high - low) / 2;

		if (g_array_index(versions, struct version, mid).time <= time)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void activities_apply(struct activities *a, const struct event *event)
{
	const struct event_tls_layout *layout = &event->ext.tls_layout;
	struct version version = { 0 };
	GArray *versions;

	if (event->type != PERFDATA_EVENT_TYPE || event->ext.kind != PERFDATA_EXT_TLS_LAYOUT)
		return;
	version.time = layout->time;
	version.layout = (struct activity_layout){
		.format = layout->kind,
		.symbol = "",
		.tpoff = layout->tp_offset,
		.size = layout->size,
	};
	version.placed = layout->state == ACTIVITY_PLACED && activity_layout_valid(&version.layout);
	versions = g_hash_table_lookup(a->by_pid, GUINT_TO_POINTER(layout->pid));
	if (!versions) {
		versions = g_array_new(FALSE, FALSE, sizeof(struct version));
		g_hash_table_insert(a->by_pid, GUINT_TO_POINTER(layout->pid), versions);
	}
	g_array_insert_val(versions, upper_bound(versions, version.time), version);
}

void activities_find(const struct activities *a, const struct sample *sample, u32 pid, u64 time,
		     struct activity *activity)
{
	const GArray *versions = g_hash_table_lookup(a->by_pid, GUINT_TO_POINTER(pid));
	guint later = versions ? upper_bound(versions, time) : 0;
	const struct version *version = later ? &g_array_index(versions, struct version, later - 1)
					      : NULL;

	activity_decode(version && version->placed ? &version->layout : NULL, sample->tls.data,
			sample->tls.size, sample->tls.dyn_size, activity);
}
