// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/idle.h"

#include <string.h>

#include "dso/dso.h"
#include "resolve/place.h"

struct idle_rule {
	const char *call;     /* system call's name, or "*": any */
	const char *function; /* pattern for a function on the stack; NULL: any stack */
	const char *why;      /* "-": it is not an idle wait */
};

/*
 * read() and recv() are not in the table: their callers mostly wait for an answer. A futex wait is idle only if a
 * function on the stack shows that the thread belongs to a pool of workers.
 */
static const struct idle_rule built_in[] = {
	{ "epoll_wait", NULL, "event loop" },
	{ "epoll_pwait", NULL, "event loop" },
	{ "epoll_pwait2", NULL, "event loop" },
	{ "poll", NULL, "event loop" },
	{ "ppoll", NULL, "event loop" },
	{ "select", NULL, "event loop" },
	{ "pselect6", NULL, "event loop" },
	{ "io_uring_enter", NULL, "event loop" },
	{ "io_getevents", NULL, "event loop" },
	{ "accept", NULL, "accept" },
	{ "accept4", NULL, "accept" },
	{ "pause", NULL, "signal" },
	{ "rt_sigsuspend", NULL, "signal" },
	{ "rt_sigtimedwait", NULL, "signal" },
	{ "nanosleep", NULL, "timer" },
	{ "clock_nanosleep", NULL, "timer" },
	{ "wait4", NULL, "child" },
	{ "waitid", NULL, "child" },
	{ "*", "inet_csk_accept", "accept" }, /* also if the call was restarted after a signal */
	{ "*", "unix_accept", "accept" },
	{ "restart_syscall", "ep_poll", "event loop" },
	{ "restart_syscall", "do_sys_poll", "event loop" },
	{ "restart_syscall", "hrtimer_nanosleep*", "timer" },
	{ "futex", "*pool_wait*", "worker pool" },
	{ "futex", "runtime.stopm", "worker pool" },   /* Go: a thread without work */
	{ "futex", "__kmp_*suspend*", "worker pool" }, /* LLVM's OpenMP */
	{ "futex", "*rayon_core*sleep*", "worker pool" },
	{ "futex", "*thread_pool*", "worker pool" },
	{ "futex", "*threadpool*", "worker pool" },
	{ "futex", "*ThreadPool*", "worker pool" },
	{ "futex", "*WorkerThread*", "worker pool" },
	{ "futex", "*worker_thread*", "worker pool" },
	{ "futex", "g_async_queue_*pop*", "worker pool" },
	{ "futex", "*GOMP_*barrier*", "worker pool" },
	{ "futex", "gomp_*wait*", "worker pool" },
};

struct idle_rules {
	GArray *list;	  /* struct idle_rule */
	GPtrArray *texts; /* char *: the texts that the rules point to */
};

/* Cuts the word at *@at off with a NUL. *@at then points to the text after it and after the blanks. */
static char *next_word(char **at)
{
	char *word = *at;

	*at += strcspn(*at, " \t");
	if (**at)
		*(*at)++ = '\0';
	*at += strspn(*at, " \t");
	return word;
}

static bool add_line(struct idle_rules *r, const char *line)
{
	char *at = g_strdup(line);
	struct idle_rule rule = { 0 };

	g_ptr_array_add(r->texts, at);
	rule.call = next_word(&at);
	rule.function = next_word(&at);
	rule.why = at;
	if (!*rule.function || !*rule.why)
		return false;
	if (!strcmp(rule.function, "*"))
		rule.function = NULL;
	g_array_append_val(r->list, rule);
	return true;
}

struct idle_rules *idle_rules_new(const char *path, GError **error)
{
	struct idle_rules *r = g_new0(struct idle_rules, 1);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	r->list = g_array_new(FALSE, FALSE, sizeof(struct idle_rule));
	r->texts = g_ptr_array_new_with_free_func(g_free);
	if (path && !g_file_get_contents(path, &text, NULL, error)) {
		idle_rules_free(r);
		return NULL;
	}
	lines = g_strsplit(text ?: "", "\n", -1);
	for (u32 i = 0; lines[i]; i++) {
		if (!*g_strstrip(lines[i]) || *lines[i] == '#' || add_line(r, lines[i]))
			continue;
		error_set(error, PERF_ERROR_USAGE,
			  "%s:%u: expected a system call, a function and a reason", path, i + 1);
		idle_rules_free(r);
		return NULL;
	}
	g_array_append_vals(r->list, built_in, ARRAY_SIZE(built_in));
	return r;
}

void idle_rules_free(struct idle_rules *r)
{
	if (!r)
		return;
	g_array_unref(r->list);
	g_ptr_array_unref(r->texts);
	g_free(r);
}

static bool has_function(const struct place *place, const char *pattern)
{
	for (u32 i = 0; i < place->nr_chain; i++) {
		const struct code *code = place->chain[i];

		if (code->symbol &&
		    g_pattern_match_simple(pattern, dso_symbol_name(code->dso, code->symbol)))
			return true;
	}
	return false;
}

static const struct idle_rule *find(const struct idle_rule *rules, u32 nr, const char *call,
				    const struct place *place)
{
	for (u32 i = 0; i < nr; i++) {
		const struct idle_rule *rule = &rules[i];

		if ((!strcmp(rule->call, call) || !strcmp(rule->call, "*")) &&
		    (!rule->function || has_function(place, rule->function)))
			return rule;
	}
	return NULL;
}

const char *idle_reason(const struct idle_rules *rules, const struct wait *w,
			const struct place *place)
{
	const char *call = wait_syscall_name(w->raw.syscall);
	const struct idle_rule *rule = NULL;

	if (w->raw.state != WALL_SLEEP && w->raw.state != WALL_IDLE)
		return NULL;
	if (w->raw.flags & WALL_KERNEL)
		return "kernel thread";
	if (call && rules)
		rule = find((const struct idle_rule *)(const void *)rules->list->data,
			    rules->list->len, call, place);
	else if (call)
		rule = find(built_in, ARRAY_SIZE(built_in), call, place);
	return rule && strcmp(rule->why, "-") ? rule->why : NULL;
}
