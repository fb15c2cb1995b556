// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/xcapture.h"

#include <inttypes.h>
#include <pwd.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "dso/dso.h"
#include "dso/symtab.h"
#include "export/xcapture_files.h"
#include "fields/waits.h"
#include "machine/machine.h"
#include "options/recording.h"
#include "options/recordings.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

#define PID_NS_INDEX 3 /* of PERF_RECORD_NAMESPACES */
#define PASSWD_ROOM  16384
#define MAX_ERRNO    4095

struct writer_of_rows {
	struct xcapture_files *files;
	GHashTable *programs; /* pid -> char *: what it runs, of the present session */
	GHashTable *users;    /* user id + 1 -> char *: its name */
	u64 step_ns;
	struct xcapture_counts counts;
	bool of_requests; /* numbers are of requests, not of calls */
	s64 to_wall;
	GString *line, *stack;
};

static const char *state_name(const struct wait *w)
{
	static const char *const names[WALL_NR_STATES] = {
		[WALL_UNKNOWN] = "-",	  [WALL_RUNNING] = "RUN", [WALL_QUEUED] = "RUNQ",
		[WALL_SLEEP] = "SLEEP",	  [WALL_DISK] = "DISK",	  [WALL_STOPPED] = "STOPPED",
		[WALL_TRACED] = "TRACED", [WALL_ZOMBIE] = "DEAD", [WALL_IDLE] = "IDLE",
		[WALL_FROZEN] = "FROZEN",
	};

	return names[w->raw.state];
}

/* In single quotes, as xcapture has texts; a quote in it is doubled. */
static void append_quoted(GString *out, const char *text)
{
	g_autofree char *shown = text_shown(text);

	g_string_append(out, ",'");
	for (const char *c = shown; *c; c++) {
		if (*c == '\'')
			g_string_append_c(out, '\'');
		g_string_append_c(out, *c);
	}
	g_string_append_c(out, '\'');
}

static void first_program(const struct map *map, u64 start, u64 end, void *arg)
{
	const char **path = arg;

	if (!*path && !map->data && *dso_long_name(map->dso) == '/')
		*path = dso_long_name(map->dso);
}

/* The file that is mapped lowest is the program itself. */
static const char *program_of(struct writer_of_rows *w, const struct place *place)
{
	const struct thread *thread = place->thread;
	void *pid = GUINT_TO_POINTER(thread->pid);
	const char *path = g_hash_table_lookup(w->programs, pid);

	if (path)
		return path;
	machine_each_map(session_machine(place->session), thread, place->time, first_program,
			 &path);
	if (path)
		g_hash_table_insert(w->programs, pid, (void *)path);
	return path ?: "";
}

/* Names of the kernel's frames, or of the others, the innermost first; the hash of them, 0: there are none. */
static u64 stack_of(struct writer_of_rows *w, const struct place *place, bool kernel)
{
	u32 nr = 0;

	g_string_truncate(w->stack, 0);
	for (u32 i = 0; i < place->nr_chain; i++) {
		const struct code *code = place->chain[i];

		if ((code->level == 'k') != kernel)
			continue;
		if (nr++)
			g_string_append_c(w->stack, ';');
		if (code->symbol)
			g_string_append_printf(w->stack, "%s+0x%" PRIx64,
					       dso_symbol_name(code->dso, code->symbol),
					       (code->vaddr - code->symbol->start));
		else
			g_string_append_printf(w->stack, "%" PRIx64, code->va);
	}
	return nr ? hash_text(HASH_START, w->stack->str) : 0;
}

static bool note_stack(struct writer_of_rows *w, enum xcapture_file which, u64 hash, u64 wall,
		       GError **error)
{
	g_autoptr(GString) line = g_string_new(NULL);
	FILE *out;

	if (!hash || xcapture_files_has(w->files, which, wall, hash))
		return true;
	out = xcapture_files_at(w->files, which, wall, error);
	g_string_append_printf(line, "%" PRIx64, hash);
	append_quoted(line, w->stack->str);
	return out && fprintf(out, "%s\n", line->str);
}

/* By the names of the machine that converts; the number of a user who has none. */
static const char *user_name(struct writer_of_rows *w, u32 user)
{
	void *key = GUINT_TO_POINTER(user);
	const char *name = user ? g_hash_table_lookup(w->users, key) : "-";
	struct passwd entry, *found = NULL;
	char room[PASSWD_ROOM];

	if (name)
		return name;
	getpwuid_r(user - 1, &entry, room, sizeof(room), &found);
	name = found ? g_strdup(found->pw_name) : g_strdup_printf("%u", user - 1);
	g_hash_table_insert(w->users, key, (char *)name);
	return name;
}

/* A call that is gone on with, not the last one of a thread that runs. */
static const char *active_call(const struct wait *w)
{
	if (w->raw.flags & WALL_KERNEL)
		return "-";
	if (w->raw.syscall < 0 || w->raw.flags & (WALL_LAST_CALL | WALL_NO_CALL))
		return "?";
	return wait_syscall_name(w->raw.syscall) ?: "?";
}

static const char *call_name(const struct wait *w)
{
	if (w->raw.flags & WALL_KERNEL || w->raw.syscall < 0)
		return "-";
	return wait_syscall_name(w->raw.syscall) ?: "?";
}

/*
 * "TCP 127.0.0.1:80 LISTEN": the state of a connection apart. Others have none: "UDP 127.0.0.1:53", "unix:[1]->[2] pid
 * 3".
 */
static void append_connection(GString *out, const char *text)
{
	const char *last = strrchr(text, ' ');
	const char *state = last && last > text && last[-1] >= '0' && last[-1] <= '9' &&
					    g_ascii_isupper(last[1])
				    ? last
				    : text + strlen(text);
	g_autofree char *ends = g_strndup(text, (gsize)(state - text));

	append_quoted(out, ends);
	append_quoted(out, *state ? state + 1 : "");
}

/* JSON, as xcapture has further facts. */
static void append_extra(GString *out, const struct wait *wait)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (wait->raw.inner_tid)
		g_string_append_printf(text, "{\"nspid\":%u,\"nstid\":%u}", wait->raw.inner_pid,
				       wait->raw.inner_tid);
	append_quoted(out, text->str);
}

/* Appends all columns after the time in the state. They do not change within a stretch. */
static void append_rest(struct writer_of_rows *w, const struct wait *wait, u64 kstack, u64 ustack)
{
	u64 call = w->of_requests ? 0 : wait->raw.sequence;
	u64 request = w->of_requests ? wait->raw.sequence : 0;

	g_string_append_printf(w->line, ",%" PRIu64 ",%" PRIu64, call, request);
	for (u32 i = 0; i < ARRAY_SIZE(wait->raw.args); i++)
		g_string_append_printf(w->line, ",%" PRIx64, wait->raw.args[i]);
	append_quoted(w->line, wait->file);
	append_connection(w->line, wait->connection);
	append_extra(w->line, wait);
	g_string_append_printf(w->line, ",%" PRIx64 ",%" PRIx64, kstack, ustack);
}

/* 0 if the recording does not have it. */
static u64 pid_namespace(const struct place *place, const struct wait *wait)
{
	const struct namespace_link *links;
	u32 nr = 0;

	if (wait->raw.pid_ns)
		return wait->raw.pid_ns;
	links = machine_namespaces(session_machine(place->session), place->thread, place->time,
				   &nr);
	return links && nr > PID_NS_INDEX ? links[PID_NS_INDEX].ino : 0;
}

static void append_row(struct writer_of_rows *w, const struct place *place, const struct wait *wait,
		       u64 wall, u64 in_state)
{
	bool kernel = wait->raw.flags & WALL_KERNEL;

	g_string_truncate(w->line, 0);
	xcapture_append_time(w->line, wall);
	g_string_append_printf(w->line, ",%" PRIu64 ",%u,%u,%" PRIu64 ",%" PRIu64 ",%s%s",
			       (w->step_ns / 1000), place->thread->tid, place->thread->pid,
			       pid_namespace(place, wait), wait->raw.cgroup, state_name(wait),
			       wait->raw.flags & WALL_MIGRATING ? "M" : "");
	append_quoted(w->line, user_name(w, wait->raw.user));
	append_quoted(w->line, kernel ? "[kernel]" : program_of(w, place));
	append_quoted(w->line, place->comm);
	g_string_append_printf(w->line, ",%s,%s,", call_name(wait), active_call(wait));
	/* A thread that waits in a call entered the call when the state began, or just before. */
	if (*active_call(wait) != '?' && *active_call(wait) != '-')
		xcapture_append_time(w->line, wall - MIN(in_state, wall));
	g_string_append_printf(w->line, ",%" PRIu64, in_state);
}

static bool note_cgroup(struct writer_of_rows *w, const struct place *place, u64 id, u64 wall,
			GError **error)
{
	const char *path = id ? machine_cgroup(session_machine(place->session), id) : NULL;
	FILE *out;

	if (!path || xcapture_files_has(w->files, XCAPTURE_CGROUPS, wall, id))
		return true;
	out = xcapture_files_at(w->files, XCAPTURE_CGROUPS, wall, error);
	return out && fprintf(out, "%" PRIu64 ",%s\n", id, path);
}

static bool write_instant(struct writer_of_rows *w, const struct place *place,
			  const struct wait *wait, u64 wall, u64 end, GError **error)
{
	u64 kstack, ustack, after = end - wall;
	FILE *out;

	kstack = stack_of(w, place, true);
	if (!note_stack(w, XCAPTURE_KSTACKS, kstack, wall, error))
		return false;
	ustack = stack_of(w, place, false);
	if (!note_stack(w, XCAPTURE_USTACKS, ustack, wall, error) ||
	    !note_cgroup(w, place, wait->raw.cgroup, wall, error))
		return false;
	append_row(w, place, wait, wall, wait->raw.in_state - MIN(wait->raw.in_state, after));
	append_rest(w, wait, kstack, ustack);
	out = xcapture_files_at(w->files, XCAPTURE_SAMPLES, wall, error);
	w->counts.rows++;
	return out && fprintf(out, "%s\n", w->line->str);
}

/*
 * As xcapture does: errors and small numbers are decimal, others, as addresses, are not. Older recordings do not have
 * it.
 */
static void append_result(GString *out, const char *text)
{
	char *end;
	s64 result = g_ascii_strtoll(text, &end, 10);

	if (!*text || *end)
		return;
	if (result >= -MAX_ERRNO && result <= 16 << 20)
		g_string_append_printf(out, "%" PRId64, result);
	else
		g_string_append_printf(out, "0x%" PRIx64, (u64)result);
}

/* A call that has ended, of record --latency-of=syscall. */
static bool write_end(struct writer_of_rows *w, const struct place *place, const struct wait *wait,
		      u64 end, GError **error)
{
	u64 period = place->sample->period;
	FILE *out = xcapture_files_at(w->files, XCAPTURE_SYSCEND, end, error);

	if (!out)
		return false;
	g_string_printf(w->line, "SYSC_END,%u,%u", place->thread->tid, place->thread->pid);
	append_quoted(w->line, call_name(wait));
	g_string_append_printf(w->line, ",%" PRIu64 ",", period);
	append_result(w->line, wait->result);
	g_string_append_printf(w->line, ",%" PRIu64 ",", wait->raw.sequence);
	xcapture_append_time(w->line, end - MIN(end, period));
	w->counts.ends++;
	fprintf(out, "%s\n", w->line->str);
	return true;
}

/* "'WRITE|SYNC'". The flags stand behind the operation's 8 bits, where Linux has them since 4.10. */
static void append_operation(GString *out, u32 flags)
{
	static const char *const names[] = {
		[0] = "READ",	 [1] = "WRITE",	       [2] = "FLUSH",
		[3] = "DISCARD", [5] = "SECURE_ERASE", [9] = "WRITE_ZEROES"
	};
	static const struct {
		u32 bit;
		const char *name;
	} more[] = { { 11, "SYNC" }, { 12, "META" }, { 13, "PRIO" }, { 17, "FUA" }, { 19, "RA" } };
	u8 operation = (u8)flags;
	bool known = operation < ARRAY_SIZE(names) && names[operation];

	g_string_append_printf(out, "'%s", known ? names[operation] : "OTHER");
	for (u32 i = 0; i < ARRAY_SIZE(more); i++)
		if (flags >> more[i].bit & 1)
			g_string_append_printf(out, "|%s", more[i].name);
	g_string_append_c(out, '\'');
}

/*
 * Tid and process of who issued it, and of the thread that the CPU ran when it completed: 0 is the idle task. Older
 * recordings have only the issuer's tid.
 */
static void append_threads(GString *out, const struct wall_raw *raw)
{
	u32 issue_pid = (u32)(raw->args[4] >> 32), issue_tid = (u32)(raw->args[5] >> 32);

	g_string_append_printf(out, ",%u,", issue_tid);
	if (issue_pid || !issue_tid)
		g_string_append_printf(out, "%u", issue_pid);
	if (raw->waker_tid || raw->flags & WALL_IRQ_WAKER)
		g_string_append_printf(out, ",%u,%u", raw->waker_tid, raw->waker_pid);
	else
		g_string_append(out, ",,");
}

/* A request to a block device that has ended, of record --latency-of=block-io: args as record/waits/latency.c puts them. */
static bool write_request(struct writer_of_rows *w, const struct place *place,
			  const struct wait *wait, u64 end, GError **error)
{
	const u64 *args = wait->raw.args;
	u64 period = place->sample->period;
	FILE *out = xcapture_files_at(w->files, XCAPTURE_IORQEND, end, error);
	u32 major = 0, minor = 0;

	if (!out)
		return false;
	sscanf(wait->file, "block:%u:%u", &major, &minor);
	g_string_printf(w->line, "IORQ_END,%u,%u", place->thread->tid, place->thread->pid);
	append_threads(w->line, &wait->raw);
	g_string_append_printf(w->line, ",%u,%u,%" PRIu64 ",%" PRIu64 ",", major, minor, args[0],
			       args[1]);
	append_operation(w->line, (u32)args[4]);
	g_string_append_printf(w->line, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
			       wait->raw.sequence, period, args[3], args[2]);
	xcapture_append_time(w->line, end - MIN(end, period));
	g_string_append_printf(w->line, ",%d", (s32)(u32)args[5]);
	w->counts.ends++;
	return fprintf(out, "%s\n", w->line->str) > 0;
}

/* A row for each instant that a thread's state covers; a short one may cover none. */
static bool write_state(struct writer_of_rows *w, const struct place *place,
			const struct wait *wait, u64 end, GError **error)
{
	u64 start = end - MIN(end, place->sample->period);

	w->counts.states++;
	for (u64 at = (start / w->step_ns + 1) * w->step_ns; at <= end; at += w->step_ns)
		if (!write_instant(w, place, wait, at, end, error))
			return false;
	return true;
}

static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct writer_of_rows *w = arg;
	u64 end = place->time + (u64)w->to_wall;
	struct wait wait;

	if (!wait_of(place->evsel, place->sample, &wait))
		return true;
	if (!g_strcmp0(place->evsel->name, WALL_EVENT))
		return write_state(w, place, &wait, end, error);
	if (!g_strcmp0(place->evsel->name, LATENCY_SYSCALL_EVENT))
		return write_end(w, place, &wait, end, error);
	if (!g_strcmp0(place->evsel->name, LATENCY_BLOCK_IO_EVENT))
		return write_request(w, place, &wait, end, error);
	return true;
}

static bool has_event(struct session *session, const char *name)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(session));

	for (u32 i = 0; i < evsels->len; i++)
		if (!g_strcmp0(((const struct evsel *)evsels->pdata[i])->name, name))
			return true;
	return false;
}

static bool write_recording(struct writer_of_rows *w, const char *path, bool force, GError **error)
{
	const struct session_options options = { .input = path, .force = force };
	struct session *session = session_open(&options, error);
	const struct perfdata_info *info;
	bool ok;

	if (!session)
		return false;
	info = perfdata_info(session_perfdata(session));
	ok = perfdata_info_has(info, FEAT_CLOCK_DATA) ||
	     error_set(error, PERF_ERROR_ABSENT,
		       "%s does not record the time of day of its clock: record with --keep or '-k "
		       "monotonic'",
		       path);
	w->to_wall = (s64)(info->clock_data_wall_ns - info->clock_data_clock_ns);
	w->of_requests = has_event(session, LATENCY_BLOCK_IO_EVENT);
	w->programs = g_hash_table_new(NULL, NULL);
	ok = ok && session_each_sample(session, NEED_SAMPLE | NEED_SYMBOL | NEED_CHAIN | NEED_COMM,
				       take, w, error);
	if (ok)
		recording_tell_cut(session_perfdata(session));
	g_hash_table_unref(w->programs);
	session_close(session);
	return ok;
}

bool xcapture_write(const struct xcapture_options *o, struct xcapture_counts *counts,
		    GError **error)
{
	struct writer_of_rows w = { .step_ns = NS_PER_S / o->hz };
	g_autoptr(GPtrArray) inputs = g_ptr_array_new();
	struct recordings r;
	bool ok;

	g_ptr_array_add(inputs, (void *)o->input);
	ok = recordings_choose(&r, inputs, NULL, o->force, error);
	w.files = ok ? xcapture_files_new(o->folder, error) : NULL;
	ok = w.files;
	w.users = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	w.line = g_string_new(NULL);
	w.stack = g_string_new(NULL);
	for (u32 i = 0; ok && i < r.paths->len; i++)
		ok = write_recording(&w, r.paths->pdata[i], o->force, error);
	if (w.files && !xcapture_files_close(w.files, ok ? error : NULL))
		ok = false;
	g_hash_table_unref(w.users);
	g_string_free(w.line, TRUE);
	g_string_free(w.stack, TRUE);
	recordings_release(&r);
	*counts = w.counts;
	return ok;
}
