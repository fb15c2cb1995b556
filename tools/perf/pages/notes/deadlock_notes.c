// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/notes/deadlock_notes.h"

#include <string.h>

#include "fields/objects.h"
#include "fields/waits.h"
#include "machine/machine.h"
#include "perfdata/event.h"
#include "perfdata/read/reader.h"
#include "perfdata/wall.h"

#define MOST_CIRCLES 16 /* lines */
#define MOST_THREADS 64 /* of a circle */

/* The threads of all circles of one file. */
struct circles {
	const struct session *file;
	GHashTable *members; /* tid -> struct deadlock_thread * */
};

static void free_in_circle(void *p)
{
	struct deadlock_thread *m = p;

	g_free(m->comm);
	g_free(m->lock);
	g_free(m);
}

/* The last wait of a thread is the one that was not over. */
static bool take_place(const struct place *place, u32 filtered, void *arg, GError **error)
{
	const struct circles *c = arg;
	struct deadlock_thread *m =
		g_hash_table_lookup(c->members, GUINT_TO_POINTER(place->sample->tid));
	g_autoptr(GString) lock = NULL;
	struct wait w;

	if (!m || place->session != c->file || !wait_of(place->evsel, place->sample, &w) ||
	    !w.edge.open || w.raw.lock.kind == WALL_LOCK_NONE)
		return true;
	lock = g_string_new(NULL);
	object_append_lock(place, &w, lock);
	g_free(m->lock);
	g_free(m->comm);
	m->lock = g_strdup(lock->str);
	m->comm = g_strdup(place->comm);
	return true;
}

/* The threads of one circle (u32). Empty: the text is damaged. */
static GArray *threads_of(const char *circle)
{
	GArray *tids = g_array_new(FALSE, FALSE, sizeof(u32));
	g_auto(GStrv) words = g_strsplit(circle, " ", MOST_THREADS);

	for (u32 i = 0; words[i]; i++) {
		guint64 number;
		u32 tid;

		if (!g_ascii_string_to_unsigned(words[i], 10, 1, INT32_MAX, &number, NULL)) {
			g_array_set_size(tids, 0);
			break;
		}
		tid = (u32)number;
		g_array_append_val(tids, tid);
	}
	return tids;
}

static const struct deadlock_thread *find(GHashTable *members, u32 tid)
{
	return g_hash_table_lookup(members, GUINT_TO_POINTER(tid));
}

static void append_thread(GHashTable *members, u32 tid, GString *out)
{
	g_string_append_printf(out, "%s (%u)", find(members, tid)->comm ?: "thread", tid);
}

/* "left (12) waits for a.lock (mutex) that right (11) has, which waits for b.lock (mutex) that left (12) has" */
static char *words_of(GHashTable *members, const GArray *tids)
{
	GString *text = g_string_new(NULL);

	append_thread(members, g_array_index(tids, u32, 0), text);
	for (u32 i = 0; i < tids->len; i++) {
		u32 tid = g_array_index(tids, u32, i);

		g_string_append_printf(text, "%s waits for %s that ", i ? ", which" : "",
				       find(members, tid)->lock ?: "a lock");
		append_thread(members, g_array_index(tids, u32, (i + 1) % tids->len), text);
		g_string_append(text, " has");
	}
	return g_string_free(text, FALSE);
}

/* GArray of u32 for each circle in @text; empties @members for their threads. */
static GPtrArray *circles_of(const char *text, GHashTable *members)
{
	GPtrArray *circles = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	g_auto(GStrv) parts = g_strsplit(text, ", ", MOST_CIRCLES);

	for (u32 i = 0; parts[i]; i++) {
		g_autoptr(GArray) tids = threads_of(parts[i]);

		for (u32 k = 0; k < tids->len; k++)
			g_hash_table_replace(members, GUINT_TO_POINTER(g_array_index(tids, u32, k)),
					     g_new0(struct deadlock_thread, 1));
		if (tids->len)
			g_ptr_array_add(circles, g_steal_pointer(&tids));
	}
	return circles;
}

GPtrArray *deadlock_words(const char *text,
			  void (*name)(u32 tid, struct deadlock_thread *out, void *arg), void *arg)
{
	g_autoptr(GHashTable) members = g_hash_table_new_full(NULL, NULL, NULL, free_in_circle);
	g_autoptr(GPtrArray) circles = circles_of(text, members);
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter iter;
	gpointer tid, thread;

	g_hash_table_iter_init(&iter, members);
	while (g_hash_table_iter_next(&iter, &tid, &thread))
		name(GPOINTER_TO_UINT(tid), thread, arg);
	for (u32 i = 0; i < circles->len; i++)
		g_ptr_array_add(words, words_of(members, circles->pdata[i]));
	return words;
}

void notes_add_deadlocks(struct notes *notes, struct session *file)
{
	const struct perfdata *pd = session_perfdata(file);
	const char *found = perfdata_info_note(perfdata_info(pd), OFFCPU_DEADLOCKS_NOTE);
	g_autoptr(GHashTable) members = g_hash_table_new_full(NULL, NULL, NULL, free_in_circle);
	g_autoptr(GPtrArray) circles = circles_of(found ?: "", members);
	struct circles all = { file, members };

	if (circles->len && !perfdata_is_pipe(pd))
		session_each_sample(file, NEED_SAMPLE | NEED_SYMBOL | NEED_CHAIN | NEED_COMM,
				    take_place, &all, NULL);
	for (u32 i = 0; i < circles->len; i++) {
		g_autofree char *words = words_of(members, g_ptr_array_index(circles, i));

		notes_add(notes, NOTE_REMARK, "DEADLOCK: %s", words);
	}
}
