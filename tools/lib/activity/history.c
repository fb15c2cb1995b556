// SPDX-License-Identifier: GPL-2.0-or-later
#include "activity/history.h"

#include <glib.h>
#include <string.h>

#include "base/search.h"

/* More than the recorder's maximum of publishers. */
#define MAX_PUBLISHERS 8

/* The layouts of a process from a time on, and the record that caused this version. */
struct version {
	u64 time;
	u32 state; /* of the record: enum activity_layout_state */
	u32 nr;
	u64 sought; /* one bit for each publisher whose location is not known */
	u64 fresh;  /* one bit for each publisher whose samples may have no bytes */
	struct activity_layout change;
	struct activity_layout layouts[MAX_PUBLISHERS]; /* by rank */
};

struct activity_history {
	GHashTable *by_pid; /* pid -> GArray of struct version, ascending by time */
	bool everywhere;    /* there are versions for ACTIVITY_EVERY_PROCESS */
};

struct activity_history *activity_history_new(void)
{
	struct activity_history *h = g_new0(struct activity_history, 1);

	h->by_pid = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	return h;
}

void activity_history_free(struct activity_history *h)
{
	if (!h)
		return;
	g_hash_table_destroy(h->by_pid);
	g_free(h);
}

bool activity_history_any(const struct activity_history *h)
{
	return g_hash_table_size(h->by_pid) > 0;
}

static struct version *version_at(const GArray *versions, u32 i)
{
	return &g_array_index(versions, struct version, i);
}

/* The first version later than @time. */
static u32 upper_bound(const GArray *versions, u64 time)
{
	return SEARCH(i, 0, versions->len, version_at(versions, i)->time <= time);
}

static GArray *versions_of(struct activity_history *h, u32 pid)
{
	GArray *versions = g_hash_table_lookup(h->by_pid, GUINT_TO_POINTER(pid));

	if (!versions) {
		versions = g_array_new(FALSE, FALSE, sizeof(struct version));
		g_hash_table_insert(h->by_pid, GUINT_TO_POINTER(pid), versions);
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

/* Completes @version with what is still valid from the version @before. */
static void fold(struct version *version, const struct version *before)
{
	u64 bit = 1ull << version->change.publisher % 64;

	version->nr = 0;
	version->sought = version->fresh = 0;
	if (version->state == ACTIVITY_GONE)
		return;
	if (before) {
		version->nr = before->nr;
		version->sought = before->sought & ~bit;
		version->fresh = before->fresh & ~bit;
		memcpy(version->layouts, before->layouts, sizeof(version->layouts));
	}
	remove_publisher(version, version->change.publisher);
	if (version->state == ACTIVITY_PLACED) {
		add_publisher(version, &version->change);
		version->fresh |= version->change.fresh ? bit : 0;
	} else if (version->state == ACTIVITY_SOUGHT) {
		version->sought |= bit;
	}
}

void activity_history_apply(struct activity_history *h, const struct activity_change *change)
{
	GArray *versions = versions_of(h, change->pid);
	guint at = upper_bound(versions, change->time);
	struct version version = {
		.time = change->time,
		.state = change->state,
		.change = change->layout,
	};

	version.change.symbol = "";
	if (version.state == ACTIVITY_PLACED && !activity_layout_valid(&version.change))
		version.state = ACTIVITY_NOWHERE;
	h->everywhere |= change->pid == ACTIVITY_EVERY_PROCESS;
	g_array_insert_val(versions, at, version);
	for (; at < versions->len; at++)
		fold(version_at(versions, at), at ? version_at(versions, at - 1) : NULL);
}

/* The version of @pid that is valid at @time, or NULL. */
static const struct version *find_version(const struct activity_history *h, u32 pid, u64 time)
{
	const GArray *versions = g_hash_table_lookup(h->by_pid, GUINT_TO_POINTER(pid));
	guint later = versions ? upper_bound(versions, time) : 0;

	return later ? version_at(versions, later - 1) : NULL;
}

/* There may be an activity, and there are no bytes. */
static bool is_unread(const struct version *version, const struct activity_bytes *bytes)
{
	enum activity_unread why =
		bytes->absent ? ACTIVITY_UNREAD
			      : activity_unread(bytes->data, bytes->size, bytes->dyn_size);

	return why == ACTIVITY_UNSOUGHT || (why == ACTIVITY_UNREAD && version && version->nr);
}

static void decode(const struct version *version, const struct activity_bytes *bytes,
		   const struct activity_process *process, struct activity *activity)
{
	bool unread = is_unread(version, bytes);

	activity_decode_first(version ? version->layouts : NULL,
			      version && !unread ? version->nr : 0, bytes->data, bytes->size,
			      bytes->dyn_size, process, activity);
	if (version && activity->state == ACTIVITY_NONE &&
	    (version->sought || (version->fresh && bytes->size == 0)))
		activity->state = ACTIVITY_NOT_YET;
	if (activity->state == ACTIVITY_NONE && unread)
		activity->state = ACTIVITY_NOT_READ;
}

void activity_history_find(const struct activity_history *h, u32 pid, u64 time,
			   const struct activity_bytes *bytes,
			   const struct activity_process *process, struct activity *activity)
{
	struct activity of_all;

	decode(find_version(h, pid, time), bytes, process, activity);
	if (!h->everywhere ||
	    (activity->state != ACTIVITY_NONE && activity->state != ACTIVITY_NOT_YET))
		return;
	decode(find_version(h, ACTIVITY_EVERY_PROCESS, time), bytes, process, &of_all);
	if (of_all.state != ACTIVITY_NONE)
		*activity = of_all;
}
