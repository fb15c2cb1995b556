// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Problem: a sample says that a thread waited for a lock when it was looked at. For a deadlock, all threads of a circle
 * have to wait at one time. Approach: the number of runs of each such thread is read at the end of each frame. If the
 * number is the same two frames later, the thread has not run in between, so a sample that was taken since then is still
 * true. That the lock still names its owner is read at the end (record/waits/deadlocks.h).
 */
#include "cmd/top/top_waits.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/intern.h"
#include "fields/idle.h"
#include "fields/waits.h"
#include "machine/machine.h"
#include "pages/critical/critical_words.h"
#include "pages/notes/deadlock_notes.h"
#include "perfdata/event.h"
#include "record/waits/deadlocks.h"
#include "resolve/place.h"

#define MOST_WAITS  16384u     /* threads */
#define SHORT_NS    1000000ull /* a shorter wait is not listed */
#define LASTS	    2u	       /* frames: a sleeping thread has a sample in each second one */
#define SURE_FRAMES 2u

/* A thread, and its longest wait of the last frames. */
struct waiting_thread {
	u32 pid, tid, own_tid;
	u64 ns;
	u32 frame; /* of its last sample */
	bool now;  /* the wait was not over at that sample */
	struct wall_lock lock;
	s32 syscall;
	u8 state;
	char comm[16];
	char *words; /* "waits for ..." */
	char *name;  /* of the lock */
	char *span;  /* NULL: none */
	u64 runs;    /* since frame @since */
	u32 since;
};

struct top_waits {
	const struct kernel_paths *paths;
	GHashTable *threads; /* tid -> struct waiting_thread * */
	const struct field *lock, *owner, *span, *owner_span;
	u32 frame, self;
};

static void free_waiting(void *p)
{
	struct waiting_thread *t = p;

	g_free(t->words);
	g_free(t->name);
	g_free(t->span);
	g_free(t);
}

struct top_waits *top_waits_new(const struct kernel_paths *paths)
{
	struct top_waits *w = g_new0(struct top_waits, 1);

	w->paths = paths;
	w->self = (u32)getpid();
	w->threads = g_hash_table_new_full(NULL, NULL, NULL, free_waiting);
	w->lock = fields_find("lock", FIELD_NORMAL, NULL);
	w->owner = fields_find("owner", FIELD_NORMAL, NULL);
	w->span = fields_find("span", FIELD_NORMAL, NULL);
	w->owner_span = fields_find("owner_span", FIELD_NORMAL, NULL);
	return w;
}

void top_waits_free(struct top_waits *w)
{
	if (!w)
		return;
	g_hash_table_destroy(w->threads);
	g_free(w);
}

/* What the field says of the sample. NULL: nothing, as in "-" and "(none)". */
static char *text_of(const struct field *field, struct lexicon *lexicon, const struct place *place)
{
	GString *text = g_string_new(NULL);

	field_print(field, lexicon, field->key(field, lexicon, place), text);
	if (text->len && text->str[0] != '-' && text->str[0] != '(')
		return g_string_free(text, FALSE);
	g_string_free(text, TRUE);
	return NULL;
}

/* "waits for book.lock (mutex), held by two (4712) in report" */
static char *words_of(const struct top_waits *w, struct lexicon *lexicon, const struct place *place,
		      const struct wait *wait, const char *name)
{
	const char *call = wait_syscall_name(wait->raw.syscall);
	GString *out = g_string_new(NULL);
	g_autofree char *owner = NULL, *span = NULL;

	if (wait->raw.state == WALL_QUEUED) {
		g_string_append(out, "waits for a CPU");
		return g_string_free(out, FALSE);
	}
	if (name)
		g_string_append_printf(out, "waits for %s", name);
	else
		g_string_append_printf(out, "blocked in %s",
				       call	      ? call
				       : *wait->wchan ? wait->wchan
						      : "the kernel");
	if (wait->raw.lock.kind == WALL_LOCK_NONE)
		return g_string_free(out, FALSE);
	owner = text_of(w->owner, lexicon, place);
	span = owner ? text_of(w->owner_span, lexicon, place) : NULL;
	if (owner)
		g_string_append_printf(out, ", held by %s", owner);
	if (span)
		g_string_append_printf(out, " in %s", span);
	return g_string_free(out, FALSE);
}

static bool waits(const struct wall_raw *raw)
{
	return raw->state == WALL_QUEUED || raw->state == WALL_SLEEP || raw->state == WALL_DISK;
}

static bool is_same(const struct waiting_thread *t, const struct wait *wait)
{
	return t->words && t->syscall == wait->raw.syscall && t->state == wait->raw.state &&
	       t->lock.va == wait->raw.lock.va && t->lock.kind == wait->raw.lock.kind &&
	       t->lock.owner == wait->raw.lock.owner &&
	       t->lock.owner_tid == wait->raw.lock.owner_tid;
}

static struct waiting_thread *thread_of(struct top_waits *w, const struct place *place)
{
	u32 tid = place->sample->tid;
	struct waiting_thread *t = g_hash_table_lookup(w->threads, GUINT_TO_POINTER(tid));

	if (t && t->pid == place->sample->pid)
		return t;
	if (!t && g_hash_table_size(w->threads) >= MOST_WAITS)
		return NULL;
	t = g_new0(struct waiting_thread, 1);
	t->pid = place->sample->pid;
	t->tid = tid;
	g_hash_table_replace(w->threads, GUINT_TO_POINTER(tid), t);
	return t;
}

static void set_wait(struct top_waits *w, struct waiting_thread *t, struct lexicon *lexicon,
		     const struct place *place, const struct wait *wait)
{
	t->ns = wait->raw.in_state;
	t->own_tid = wait->raw.inner_tid ?: t->tid;
	g_strlcpy(t->comm, place->comm ?: "", sizeof(t->comm));
	if (is_same(t, wait))
		return;
	g_free(t->words);
	g_free(t->name);
	g_free(t->span);
	t->lock = wait->raw.lock;
	t->syscall = wait->raw.syscall;
	t->state = wait->raw.state;
	t->name = text_of(w->lock, lexicon, place);
	t->span = text_of(w->span, lexicon, place);
	t->words = words_of(w, lexicon, place, wait, t->name);
}

void top_waits_take(struct top_waits *w, struct lexicon *lexicon, const struct place *place)
{
	struct wait wait;
	struct waiting_thread *t;
	bool lists;

	if (place->sample->pid == w->self || !wait_of(place->evsel, place->sample, &wait) ||
	    wait_is_exact(place->evsel))
		return;
	t = g_hash_table_lookup(w->threads, GUINT_TO_POINTER(place->sample->tid));
	lists = waits(&wait.raw) && wait.raw.in_state >= SHORT_NS &&
		!(wait.raw.flags & WALL_KERNEL) && !idle_reason(lexicon->idle_rules, &wait, place);
	if (t && !lists)
		t->now = false;
	if (!lists)
		return;
	t = thread_of(w, place);
	/* A shorter wait of these frames does not replace a longer one that is over. */
	if (t && t->words && !t->now && w->frame - t->frame < LASTS && t->ns > wait.raw.in_state)
		return;
	if (!t)
		return;
	set_wait(w, t, lexicon, place, &wait);
	t->now = true;
	t->frame = w->frame;
}

static bool has_owner(const struct waiting_thread *t)
{
	return t->now && t->state == WALL_SLEEP && t->lock.owner == WALL_OWNER_KNOWN &&
	       t->lock.kind != WALL_LOCK_NONE && !wall_lock_is_shared(t->lock.kind);
}

/* The last number of schedstat: how often the thread has got a CPU. 0: not known. */
static u64 runs_of(const struct top_waits *w, const struct waiting_thread *t)
{
	g_autofree char *text =
		file_text("%s/%u/task/%u/schedstat", w->paths->proc, t->pid, t->tid);
	const char *last = text ? strrchr(text, ' ') : NULL;

	return last ? g_ascii_strtoull(last + 1, NULL, 10) : 0;
}

static gboolean ends(gpointer key, gpointer value, gpointer arg)
{
	struct top_waits *w = arg;
	struct waiting_thread *t = value;
	u64 runs;

	if (w->frame - t->frame >= LASTS)
		return TRUE;
	runs = has_owner(t) ? runs_of(w, t) : 0;
	if (!runs || runs != t->runs) {
		t->runs = runs;
		t->since = w->frame;
	}
	return FALSE;
}

void top_waits_next_frame(struct top_waits *w)
{
	g_hash_table_foreach_remove(w->threads, ends, w);
	w->frame++;
}

static gint longest_first(gconstpointer pa, gconstpointer pb)
{
	const struct waiting_thread *a = *(const struct waiting_thread *const *)pa,
				    *b = *(const struct waiting_thread *const *)pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

/* struct waiting_thread *, the longest wait first. */
static GPtrArray *ordered(const struct top_waits *w)
{
	GPtrArray *list = g_ptr_array_new();
	GHashTableIter iter;
	gpointer t;

	g_hash_table_iter_init(&iter, w->threads);
	while (g_hash_table_iter_next(&iter, NULL, &t))
		if (((struct waiting_thread *)t)->words)
			g_ptr_array_add(list, t);
	g_ptr_array_sort(list, longest_first);
	return list;
}

/* The circles as deadlocks_find() has them; NULL: none. */
static char *circles_of(const struct top_waits *w)
{
	struct deadlocks *d = deadlocks_new();
	GHashTableIter iter;
	gpointer p;
	char *found;

	g_hash_table_iter_init(&iter, w->threads);
	while (g_hash_table_iter_next(&iter, NULL, &p)) {
		const struct waiting_thread *t = p;
		struct stuck stuck = { .pid = t->pid,
				       .tid = t->tid,
				       .own_tid = t->own_tid,
				       .runs = t->runs,
				       .lock = t->lock };

		if (!has_owner(t) || !t->runs || t->frame < t->since + SURE_FRAMES)
			continue;
		g_strlcpy(stuck.comm, t->comm, sizeof(stuck.comm));
		deadlocks_add(d, &stuck);
	}
	found = deadlocks_find(d, w->paths, NULL);
	deadlocks_free(d);
	return found;
}

bool top_waits_has_deadlock(const struct top_waits *w)
{
	g_autofree char *found = circles_of(w);

	return found;
}

static void name_thread(u32 tid, struct deadlock_thread *out, void *arg)
{
	const struct top_waits *w = arg;
	const struct waiting_thread *t = g_hash_table_lookup(w->threads, GUINT_TO_POINTER(tid));

	out->comm = t ? g_strdup(t->comm) : NULL;
	out->lock = t ? g_strdup(t->name) : NULL;
}

static void append_deadlocks(const struct top_waits *w, GString *out)
{
	g_autofree char *found = circles_of(w);
	g_autoptr(GPtrArray) texts = found ? deadlock_words(found, name_thread, (void *)w) : NULL;

	for (u32 i = 0; texts && i < texts->len; i++)
		g_string_append_printf(out, "DEADLOCK: %s\n", (char *)texts->pdata[i]);
}

void top_waits_append(const struct top_waits *w, u32 most, GString *out)
{
	g_autoptr(GPtrArray) list = ordered(w);

	append_deadlocks(w, out);
	for (u32 i = 0; i < MIN(list->len, most); i++) {
		const struct waiting_thread *t = list->pdata[i];
		g_autoptr(GString) time = g_string_new(NULL);

		critical_append_time(time, t->ns);
		g_string_append_printf(out, "%9s%s  %s (%u)%s%s  %s\n", time->str,
				       t->now ? "" : ", over", t->comm, t->tid,
				       t->span ? " in " : "", t->span ?: "", t->words);
	}
}
