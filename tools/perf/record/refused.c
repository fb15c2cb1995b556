// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --wall without any event. In most containers, and for an ordinary user who asks for other users'
 * processes, perf_event_open() fails. Thread states come from /proc, so the recording goes on, and
 * says what is missing.
 *
 * Whether events are permitted is tried, not derived from settings: seccomp filters, security
 * modules and paranoid levels all answer in their own way. The trial opens a dummy event of the
 * target and closes it.
 *
 * Without events nobody tells when the target's processes end. So each gets a pidfd, which becomes
 * readable at its end (Linux 5.3).
 */
#include "record/refused.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "perfevent/parse.h"
#include "record/config.h"

struct refused_source {
	struct source source;
	const struct target *target;
	char *missing;
	GArray *alive; /* int: pidfds of the target's processes that have not ended */
	bool others;   /* there are processes without a pidfd, so nobody knows the end */
};

static struct refused_source *refused_source(struct source *src)
{
	return container_of(src, struct refused_source, source);
}

/*
 * A trial on one CPU. What else the user's options need is not tried: only a lack of permission counts, or a kernel or
 * a sandbox without perf_event_open().
 */
static bool is_refused(const struct recorder *r, const pid_t *tids, u32 nr_tids, GError **why)
{
	struct open_target first = { r->target.open.cpus, 1, tids, nr_tids, 0 };
	struct event_list trial;
	struct openset *set;

	event_list_init(&trial);
	event_list_add_dummy(&trial);
	set = openset_open(&trial, &first, r->rec.paths, why);
	openset_close(set);
	event_list_release(&trial);
	return !set && (g_error_matches(*why, PERF_ERROR, PERF_ERROR_PERMISSION) ||
			g_error_matches(*why, PERF_ERROR, PERF_ERROR_UNSUPPORTED));
}

/*
 * True if the events of all threads on all CPUs would take more than half of the files that the process may open, and leave
 * too few to work with. out: how many it would have to open.
 */
static bool lacks_files(const struct recorder *r, u64 *needed, u64 *limit)
{
	const struct open_target *t = &r->target.open;
	u64 nr_events = 1 + config_needs_side_event(r->opts, r->target.kind);
	u64 nr_fds = nr_events * t->nr_cpus * t->nr_tids;

	if (r->target.kind != TARGET_PROCESSES && r->target.kind != TARGET_THREADS)
		return false;
	*needed = openset_files(nr_fds);
	*limit = file_limit_for(*needed);
	return *needed > *limit && nr_fds > *limit / 2;
}

/* False: the kernel permits the events, and there are enough descriptors. Else a note says why not. */
static bool note_why(struct recorder *r)
{
	const struct target *t = &r->target;
	g_autoptr(GError) why = NULL;
	const char *reason;
	u64 nr, limit;

	if (is_refused(r, t->open.tids, t->open.nr_tids, &why)) {
		reason = strstr(why->message, ": "); /* after the event's name */
		recorder_note(r, g_strdup_printf("thread states are recorded without the kernel's "
						 "events%s",
						 reason ? reason : ""));
		return true;
	}
	if (!lacks_files(r, &nr, &limit))
		return false;
	r->few_files = true;
	recorder_note(r, g_strdup_printf("thread states are recorded without the kernel's events: "
					 "%u threads on %u CPUs need %" PRIu64
					 " open files, and this process may open %" PRIu64
					 ": allow more (as root: ulimit -n %" PRIu64
					 "), or record all processes (-a)",
					 t->open.nr_tids, t->open.nr_cpus, nr, limit, nr));
	return true;
}

void recorder_leave_out_refused(struct recorder *r)
{
	const struct record_options *opts = r->opts;
	g_autoptr(GError) of_command = NULL;

	if (!opts->wall.hz || !opts->events_are_own || opts->no_events || opts->off_cpu.given ||
	    opts->tls.layout || opts->wall.latency_of || !note_why(r))
		return;
	event_list_release(&r->events);
	event_list_init(&r->events);
	r->refused = true;
	r->only_command = r->target.kind == TARGET_CPUS && r->command.pid >= 0 &&
			  !is_refused(r, &r->command.pid, 1, &of_command);
}

static bool open_pidfds(struct source *src, struct recording *rec, GError **error)
{
	struct refused_source *s = refused_source(src);
	const GArray *pids = s->target->pids;
	u64 most = file_limit_for(0) / 2;

	for (u32 i = 0; pids && i < pids->len && !s->others; i++) {
		int fd = (int)syscall(SYS_pidfd_open, g_array_index(pids, pid_t, i), 0);

		s->others = fd < 0 ? errno == EMFILE : (u64)fd >= most;
		if (fd >= 0 && s->others)
			close(fd);
		else if (fd >= 0)
			g_array_append_val(s->alive, fd);
	}
	return true;
}

static void poll_fds(struct source *src, GArray *fds)
{
	struct refused_source *s = refused_source(src);

	for (u32 i = 0; i < s->alive->len; i++) {
		struct pollfd fd = { .fd = g_array_index(s->alive, int, i), .events = POLLIN };

		g_array_append_val(fds, fd);
	}
}

/* False: all processes of the target have ended. */
static bool polled(struct source *src, const struct pollfd *fds, u32 nr)
{
	struct refused_source *s = refused_source(src);

	for (u32 i = nr; i-- > 0;) {
		if (!fds[i].revents)
			continue;
		close(fds[i].fd);
		g_array_remove_index(s->alive, i);
	}
	return s->alive->len || s->others || s->target->kind == TARGET_CPUS;
}

/* A thread's exact end is told by the kernel's events or by BPF, which may be available where descriptors are few. */
static char *missing_text(const struct recorder *r)
{
	if (r->few_files)
		return g_strdup("there are too few descriptors for the kernel's events; missing "
				"are: processes and mappings that are new since the start, and by "
				"/proc the exact times at which threads end");
	return g_strdup_printf(
		"the kernel permits no events here%s; missing are: system calls, files, stacks and "
		"mappings of other users' processes, %s, and the exact times at which threads end",
		r->only_command ? " except the command's" : "",
		r->target.kind == TARGET_CPUS
			? "mappings that are new since the start"
			: "processes and mappings that are new since the start");
}

char *recorder_missing(const struct recorder *r)
{
	return r->refused ? missing_text(r) : NULL;
}

static char *summary(struct source *src)
{
	return g_strdup(refused_source(src)->missing);
}

static void close_source(struct source *src)
{
	struct refused_source *s = refused_source(src);

	for (u32 i = 0; i < s->alive->len; i++)
		close(g_array_index(s->alive, int, i));
	g_array_unref(s->alive);
	g_free(s->missing);
	g_free(s);
}

struct source *refused_source_new(const struct recorder *r)
{
	static const struct source_ops ops = {
		.name = "refused",
		.open = open_pidfds,
		.poll_fds = poll_fds,
		.polled = polled,
		.summary = summary,
		.close = close_source,
	};
	struct refused_source *s = g_new0(struct refused_source, 1);

	s->source.ops = &ops;
	s->target = &r->target;
	s->missing = missing_text(r);
	s->alive = g_array_new(FALSE, FALSE, sizeof(int));
	return &s->source;
}
