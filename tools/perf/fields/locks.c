// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keys of waits for locks (record --off-cpu): the lock, or what else the thread waits for (objects.h); its owner, and the request that the owner worked for. The keys of
 * the owner's activity are those of the thread's own (activities.c), with another activity. Where the owner was, and where
 * the waker of any wait, other samples tell (session/beside.h).
 */
#include <inttypes.h>
#include <string.h>

#include "activity/layout.h"
#include "fields/objects.h"
#include "fields/private.h"
#include "fields/waits.h"
#include "perfdata/abi.h"
#include "perfdata/event.h"
#include "resolve/locks.h"
#include "session/session.h"

#define NONE	  "-"
#define NOT_READ  "(not read)"
#define NOT_KNOWN "(not known)"
#define FUTEX	  202

/* False: the thread waits for no lock. @w is filled anyway. */
static bool lock_at(const struct place *p, struct wait *w)
{
	return wait_of(p->evsel, p->sample, w) && w->raw.lock.kind != WALL_LOCK_NONE;
}

/* A wait that had begun before the recording did: nobody has read its lock. */
static bool is_not_read(const struct place *p)
{
	struct wait w;

	return wait_is_exact(p->evsel) && wait_of(p->evsel, p->sample, &w) &&
	       w.raw.syscall == FUTEX && w.raw.state == WALL_SLEEP;
}

/* What stands for the lock and its owner where there is none. */
static const char *without_lock(const struct place *p)
{
	return is_not_read(p) ? NOT_READ : NONE;
}

static u64 key_lock(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w;
	g_autoptr(GString) text = g_string_new(NULL);

	if (lock_at(p, &w))
		object_append_lock(p, &w, text);
	else if (is_not_read(p) || !wait_of(p->evsel, p->sample, &w) || !object_append(&w, text))
		g_string_assign(text, without_lock(p));
	return intern_id(lex->texts, text->str);
}

/* What is known of the owner, if not who it is. NULL: it is known. */
static const char *owner_absence(const struct place *p, const struct wait *w)
{
	static const char *const texts[WALL_NR_OWNERS] = {
		[WALL_OWNER_NONE] = "(no owner)",
		[WALL_OWNER_READERS] = "(readers)",
		[WALL_OWNER_UNREADABLE] = "(not known: the lock could not be read)",
		[WALL_OWNER_STRANGER] = "(not known: the lock names no thread)",
		[WALL_OWNER_CHANGED] = "(not known: it changed unseen)",
		[WALL_OWNER_IDLE] = "(idle)",
		[WALL_OWNER_UNSEEN] = "(not known: nobody saw who ran)",
	};

	enum wall_owner owner = lock_owner_of(p, &w->raw.lock);

	if (w->raw.lock.kind == WALL_LOCK_CPU && owner == WALL_OWNER_STRANGER)
		return "(not known: of another pid namespace)";
	if (wall_lock_is_files(w->raw.lock.kind) && owner == WALL_OWNER_UNSEEN)
		return "(not known: a thread that took it before)";
	return texts[owner];
}

static u64 key_owner(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w;
	const char *absence;
	g_autofree char *text = NULL;

	if (!lock_at(p, &w))
		return intern_id(lex->texts, without_lock(p));
	absence = owner_absence(p, &w);
	if (absence)
		return intern_id(lex->texts, absence);
	text = g_strdup_printf("%s (%u)", w.owner, w.raw.lock.owner_tid);
	return intern_id(lex->texts, text);
}

/* The key of @field for the owner's activity, which @of is a field of. */
static u64 key_of_owner(const struct field *of, struct lexicon *lex, const struct place *p)
{
	struct activity activity;
	struct place place = *p;
	struct wait w;
	const char *absence = lock_at(p, &w) ? owner_absence(p, &w) : without_lock(p);

	if (!absence && !(p->sample->type & PERF_SAMPLE_TLS_USER))
		absence = NOT_READ;
	if (absence)
		return field_id_of_text(lex, absence);
	session_owner_activity(p->session, p, &w.raw.lock, w.owner_tls, &activity);
	place.activity = &activity;
	return of->key(of, lex, &place);
}

static u64 key_owner_activity(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return key_of_owner(&field_activity, lex, p);
}

static u64 key_owner_span(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return key_of_owner(&field_span, lex, p);
}

/* What the owner did when its share of the wait began: the state, and the system call where it is in one. */
static u64 key_owner_state(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w;
	const char *absence = lock_at(p, &w) ? owner_absence(p, &w) : without_lock(p), *call;
	g_autofree char *text = NULL;

	if (absence)
		return intern_id(lex->texts, absence);
	if (w.edge.owner_state == WALL_UNKNOWN)
		return intern_id(lex->texts, NOT_KNOWN);
	call = wait_syscall_name(w.edge.owner_syscall);
	text = g_strdup_printf("%s%s%s", wait_state_name(w.edge.owner_state), call ? " " : "",
			       call ?: "");
	return intern_id(lex->texts, text);
}

/* The function, or the address, with @more behind it. */
static u64 key_of_code(struct lexicon *lex, const struct code *code, const char *more)
{
	g_autofree char *bare = g_strdup_printf("%#" PRIx64, code_bare_address(code));
	g_autofree char *text = g_strconcat(code_name(code) ?: bare, more, NULL);

	return intern_id(lex->texts, text);
}

static u64 key_owner_sym(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w;
	const char *absence = lock_at(p, &w) ? owner_absence(p, &w) : without_lock(p);
	const struct code *code;

	if (absence)
		return intern_id(lex->texts, absence);
	code = session_beside(p->session, w.edge.owner_sample);
	if (code)
		return key_of_code(lex, code,
				   w.edge.owner_moment == WALL_OWNER_END ? " (unlocks)" : "");
	return intern_id(lex->texts, w.edge.owner_state == WALL_RUNNING ? "(running)" : NOT_KNOWN);
}

static u64 key_waker_sym(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w;
	bool woken = wait_of(p->evsel, p->sample, &w) && w.raw.waker_tid && !w.raw.killed;
	const struct code *code;

	if (!woken || w.raw.state == WALL_QUEUED)
		return intern_id(lex->texts, NONE);
	if (w.raw.flags & WALL_IRQ_WAKER)
		return intern_id(lex->texts, "(interrupt)");
	code = session_beside(p->session, w.edge.waker_sample);
	return code ? key_of_code(lex, code, "") : intern_id(lex->texts, NOT_KNOWN);
}

/* The key of @field for the activity of the thread that ended the wait, which @of is a field of. */
static u64 key_of_waker(const struct field *of, struct lexicon *lex, const struct place *p)
{
	struct wait w;
	bool woken = wait_of(p->evsel, p->sample, &w) && w.raw.waker_tid && !w.raw.killed;
	struct place place = *p;

	if (!woken || w.raw.state == WALL_QUEUED)
		return field_id_of_text(lex, NONE);
	if (w.raw.flags & WALL_IRQ_WAKER)
		return field_id_of_text(lex, "(interrupt)");
	place.activity = session_beside_activity(p->session, w.edge.waker_sample);
	return place.activity ? of->key(of, lex, &place) : field_id_of_text(lex, NOT_KNOWN);
}

static u64 key_waker_activity(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return key_of_waker(&field_activity, lex, p);
}

static u64 key_waker_span(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return key_of_waker(&field_span, lex, p);
}

#define LOCK_NEEDS (NEED_SAMPLE | NEED_CHAIN | NEED_SYMBOL)

#define LOCK_FIELD(word, title)                                                                    \
	const struct field field_##word = {                                                        \
		.name = #word,                                                                     \
		.header = title,                                                                   \
		.family = FIELD_NORMAL,                                                            \
		.needs = LOCK_NEEDS,                                                               \
		.key = key_##word,                                                                 \
		.order = order_texts,                                                              \
		.print = print_text,                                                               \
	}

LOCK_FIELD(lock, "Lock");
LOCK_FIELD(owner, "Owner");
LOCK_FIELD(owner_state, "Owner State");

#define BESIDE_FIELD(word, title)                                                                  \
	const struct field field_##word = {                                                        \
		.name = #word,                                                                     \
		.header = title,                                                                   \
		.family = FIELD_NORMAL,                                                            \
		.needs = LOCK_NEEDS | NEED_BESIDE,                                                 \
		.key = key_##word,                                                                 \
		.order = order_texts,                                                              \
		.print = print_text,                                                               \
	}

BESIDE_FIELD(owner_sym, "Owner Symbol");
BESIDE_FIELD(waker_sym, "Waker Symbol");

#define OWNER_FIELD(word, title)                                                                   \
	const struct field field_##word = {                                                        \
		.name = #word,                                                                     \
		.header = title,                                                                   \
		.family = FIELD_NORMAL,                                                            \
		.needs = LOCK_NEEDS | NEED_ACTIVITY,                                               \
		.id = true,                                                                        \
		.key = key_##word,                                                                 \
		.order = order_ids,                                                                \
		.print = print_id,                                                                 \
	}

OWNER_FIELD(owner_activity, "Owner Activity");
OWNER_FIELD(owner_span, "Owner Span");

#define WAKER_FIELD(word, title)                                                                   \
	const struct field field_##word = {                                                        \
		.name = #word,                                                                     \
		.header = title,                                                                   \
		.family = FIELD_NORMAL,                                                            \
		.needs = NEED_SAMPLE | NEED_ACTIVITY | NEED_BESIDE,                                \
		.id = true,                                                                        \
		.key = key_##word,                                                                 \
		.order = order_ids,                                                                \
		.print = print_id,                                                                 \
	}

WAKER_FIELD(waker_activity, "Waker Activity");
WAKER_FIELD(waker_span, "Waker Span");
