// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keys of thread states, running or waiting, from samples of record --wall. Any other sample is of a running thread.
 */
#include <inttypes.h>
#include <string.h>

#include "dso/dso.h"
#include "fields/idle.h"
#include "fields/private.h"
#include "fields/waits.h"
#include "perfdata/event.h"
#include "perfdata/offcpu.h"

#define NONE "-"

/*
 * The thread's state. Upstream's samples of waits do not tell it, nor do those of a profile that was imported. A sample of
 * another event is of a running thread.
 */
static struct wait wait_at(const struct place *p)
{
	struct wait w = { .raw = { .state = WALL_RUNNING, .syscall = -1 },
			  .wchan = "",
			  .file = "",
			  .connection = "",
			  .waker = "",
			  .result = "",
			  .owner = "" };

	if (!wait_of(p->evsel, p->sample, &w) && (offcpu_is(p->evsel) || wait_is_event(p->evsel)))
		w.raw.state = WALL_UNKNOWN;
	return w;
}

static u64 text_key(struct lexicon *lex, const char *text)
{
	return intern_id(lex->texts, *text ? text : NONE);
}

static u64 key_state(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return wait_at(p).raw.state;
}

static void print_state(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	g_string_append(out, wait_state_name((enum wall_state)key));
}

static void append_call(const struct wait *w, GString *out)
{
	const char *name = wait_syscall_name(w->raw.syscall);

	if (name)
		g_string_append(out, name);
	else
		g_string_append_printf(out, "%d", w->raw.syscall);
}

/*
 * A running thread has the registers of its last kernel entry; that system call may be over. Its name then ends in
 * "(last)".
 */
static u64 key_syscall(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w = wait_at(p);
	g_autoptr(GString) text = g_string_new(NULL);

	if (w.raw.flags & WALL_NO_CALL)
		return intern_id(lex->texts, "(not readable)");
	if (w.raw.syscall < 0)
		return intern_id(lex->texts, NONE);
	append_call(&w, text);
	if (w.raw.flags & WALL_LAST_CALL)
		g_string_append(text, " (last)");
	return intern_id(lex->texts, text->str);
}

static u64 key_sysarg(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w = wait_at(p);
	g_autoptr(GString) text = g_string_new(NULL);

	if (w.raw.syscall < 0)
		return intern_id(lex->texts, NONE);
	append_call(&w, text);
	g_string_append_c(text, '(');
	for (u32 i = 0; i < wait_syscall_nr_args(w.raw.syscall); i++)
		g_string_append_printf(text, "%s0x%" PRIx64, i ? ", " : "", w.raw.args[i]);
	g_string_append_c(text, ')');
	return intern_id(lex->texts, text->str);
}

/* The kernel function that waits: as /proc states it, else the innermost kernel function on the stack. */
static u64 key_wchan(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w = wait_at(p);

	if (*w.wchan || w.raw.state == WALL_RUNNING || w.raw.state == WALL_QUEUED)
		return text_key(lex, w.wchan);
	if (p->ip->level != 'k' || !p->ip->symbol)
		return intern_id(lex->texts, NONE);
	return intern_id(lex->texts, p->ip->symbol->raw);
}

static u64 key_file(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return text_key(lex, wait_at(p).file);
}

static u64 key_conn(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return text_key(lex, wait_at(p).connection);
}

/* The thread that ended the wait: "worker (4711)". */
static u64 key_waker(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w = wait_at(p);
	g_autofree char *text = NULL;

	if (w.raw.flags & WALL_IRQ_WAKER) /* the interrupted thread is not the waker */
		return intern_id(lex->texts, "(interrupt)");
	if (w.raw.killed)
		return intern_id(lex->texts, "(killed)");
	if (!w.raw.waker_tid)
		return intern_id(lex->texts, NONE);
	text = g_strdup_printf("%s (%u)", w.waker, w.raw.waker_tid);
	return intern_id(lex->texts, text);
}

/* "7/7 (4711/4711)": pid and tid in the process's own pid namespace, then in the recorder's. */
static u64 key_nspid(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w = wait_at(p);
	g_autofree char *text = NULL;

	if (!w.raw.inner_tid)
		return intern_id(lex->texts, NONE);
	text = g_strdup_printf("%u/%u (%u/%u)", w.raw.inner_pid, w.raw.inner_tid, p->sample->pid,
			       p->sample->tid);
	return intern_id(lex->texts, text);
}

u64 field_busy_key(struct lexicon *lex)
{
	return intern_id(lex->texts, "busy");
}

static u64 key_idle(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct wait w = wait_at(p);
	const char *why = idle_reason(lex->idle_rules, &w, p);
	g_autofree char *text = why ? g_strdup_printf("idle (%s)", why) : NULL;

	return text ? intern_id(lex->texts, text) : field_busy_key(lex);
}

const struct field field_state = {
	.name = "state",
	.header = "State",
	.family = FIELD_NORMAL,
	.needs = NEED_SAMPLE,
	.key = key_state,
	.print = print_state,
};

#define WAIT_FIELD(word, title, more)                                                              \
	const struct field field_##word = {                                                        \
		.name = #word,                                                                     \
		.header = title,                                                                   \
		.family = FIELD_NORMAL,                                                            \
		.needs = NEED_SAMPLE | (more),                                                     \
		.key = key_##word,                                                                 \
		.order = order_texts,                                                              \
		.print = print_text,                                                               \
	}

WAIT_FIELD(syscall, "System Call", 0);
WAIT_FIELD(sysarg, "System Call and Arguments", 0);
WAIT_FIELD(wchan, "Wait Channel", NEED_SYMBOL);
WAIT_FIELD(file, "File", 0);
WAIT_FIELD(conn, "Connection", 0);
WAIT_FIELD(idle, "Idle", NEED_CHAIN | NEED_SYMBOL);
WAIT_FIELD(waker, "Waker", 0);
WAIT_FIELD(nspid, "Pid in Namespace", 0);
