// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/objects.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "fields/waits.h"
#include "resolve/place.h"
#include "session/session.h"

/* Calls that wait for something else than their descriptor, if they have one. */
static const struct object_rule {
	const char *call, *kind;
} rules[] = {
	{ "nanosleep", "timer" },
	{ "clock_nanosleep", "timer" },
	{ "pause", "signal" },
	{ "rt_sigsuspend", "signal" },
	{ "rt_sigtimedwait", "signal" },
	{ "epoll_wait", "events" },
	{ "epoll_pwait", "events" },
	{ "epoll_pwait2", "events" },
	{ "poll", "events" },
	{ "ppoll", "events" },
	{ "select", "events" },
	{ "pselect6", "events" },
	{ "io_uring_enter", "requests" },
	{ "io_getevents", "requests" },
	{ "io_pgetevents", "requests" },
};

static const char *rule_of(const char *call)
{
	for (u32 i = 0; i < G_N_ELEMENTS(rules); i++)
		if (!strcmp(rules[i].call, call))
			return rules[i].kind;
	return NULL;
}

/* The number is that of the thread's own pid namespace, as it has passed it. */
static void append_child(s64 pid, GString *out)
{
	if (pid > 0)
		g_string_append_printf(out, "%" PRId64 " (child)", pid);
	else
		g_string_append(out, pid == -1 ? "any (child)" : "(child)");
}

static bool append_call(const struct wait *w, const char *call, GString *out)
{
	const u64 *args = w->raw.args;
	const char *kind = rule_of(call);

	if (kind && *w->ready)
		g_string_append_printf(out, "%s (%s)", w->ready, kind);
	else if (kind)
		g_string_append_printf(out, "(%s)", kind);
	else if (!strcmp(call, "futex"))
		g_string_append_printf(out, "%#" PRIx64 " (futex)", args[0]);
	else if (!strcmp(call, "wait4"))
		append_child((s32)args[0], out);
	else if (!strcmp(call, "waitid"))
		append_child(args[0] == P_PID ? (s32)args[1] : args[0] == P_ALL ? -1 : 0, out);
	else
		return false;
	return true;
}

static bool locks_file(const struct wait *w, const char *call)
{
	bool waits = w->raw.args[1] == F_SETLKW || w->raw.args[1] == F_OFD_SETLKW;

	return wall_lock_is_files(w->raw.lock.kind) || !strcmp(call, "flock") ||
	       (!strcmp(call, "fcntl") && waits);
}

/* What the call's descriptor is. */
static bool append_file(const struct wait *w, const char *call, GString *out)
{
	const char *kind = "file", *name = w->file;

	if (*w->connection) {
		kind = "socket";
		name = w->connection;
	} else if (g_str_has_prefix(w->file, "socket:")) {
		kind = "socket";
	} else if (g_str_has_prefix(w->file, "pipe:")) {
		kind = "pipe";
	} else if (locks_file(w, call)) {
		kind = "file lock";
	}
	if (*name)
		g_string_append_printf(out, "%s (%s)", name, kind);
	return *name;
}

bool object_is_disk(const struct wait *w)
{
	return g_str_has_prefix(w->ready, "disk ");
}

bool object_has_cause(const struct wait *w)
{
	return object_is_disk(w) || g_str_has_prefix(w->ready, "work ");
}

bool object_append(const struct wait *w, GString *out)
{
	const char *call = wait_syscall_name(w->raw.syscall) ?: "";
	gsize before = out->len;

	if (w->raw.state == WALL_QUEUED) {
		g_string_append(out, "(CPU)");
		return true;
	}
	if (w->raw.state != WALL_SLEEP && w->raw.state != WALL_DISK)
		return false;
	if (object_has_cause(w)) {
		append_file(w, call, out);
		g_string_append_printf(out, "%s%s", out->len > before ? ", " : "", w->ready);
		return true;
	}
	if (append_call(w, call, out) || append_file(w, call, out))
		return true;
	if (w->raw.state != WALL_DISK || !(w->raw.flags & WALL_IN_IO))
		return false;
	g_string_append(out, "(I/O)");
	return true;
}

void object_append_lock(const struct place *place, const struct wait *w, GString *out)
{
	if (!wall_lock_is_files(w->raw.lock.kind))
		session_append_lock(place->session, place, &w->raw.lock, out);
	else if (!object_append(w, out))
		g_string_append(out, "(file lock)");
}
