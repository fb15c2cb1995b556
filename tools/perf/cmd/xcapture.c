// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/xcapture.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cmd/recordings.h"
#include "cmd/xcapture_files.h"
#include "dso/dso.h"
#include "dso/symtab.h"
#include "fields/waits.h"
#include "machine/machine.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

#define NS_PER_S  1000000000ull
#define FNV_BASIS 0xcbf29ce484222325ull
#define FNV_PRIME 0x100000001b3ull

struct writer_of_rows {
	struct xcapture_files *files;
	GHashTable *programs; /* pid -> char *: what it runs, of the present session */
	u64 step_ns, rows;
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
	u64 hash = FNV_BASIS;
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
	for (const char *c = w->stack->str; *c; c++)
		hash = (hash ^ (u8)*c) * FNV_PRIME;
	return nr ? hash : 0;
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

/* What does not change within a stretch: all behind the time so far. */
static void append_rest(struct writer_of_rows *w, const struct wait *wait, u64 kstack, u64 ustack)
{
	g_autofree char *connection = g_strdup(wait->connection);

	g_string_append_printf(w->line, ",%" PRIu64 ",0", wait->raw.sequence);
	for (u32 i = 0; i < ARRAY_SIZE(wait->raw.args); i++)
		g_string_append_printf(w->line, ",%" PRIx64, wait->raw.args[i]);
	append_quoted(w->line, wait->file);
	if (*connection) {
		g_free(connection);
		connection = g_strconcat("TCP ", wait->connection, NULL);
	}
	append_quoted(w->line, connection);
	append_quoted(w->line, "");
	append_quoted(w->line, "");
	g_string_append_printf(w->line, ",%" PRIx64 ",%" PRIx64, kstack, ustack);
}

static void append_row(struct writer_of_rows *w, const struct place *place, const struct wait *wait,
		       u64 wall, u64 in_state)
{
	bool kernel = wait->raw.flags & WALL_KERNEL;

	g_string_truncate(w->line, 0);
	xcapture_append_time(w->line, wall);
	g_string_append_printf(w->line, ",%" PRIu64 ",%u,%u,0,%" PRIu64 ",%s%s",
			       (w->step_ns / 1000), place->thread->tid, place->thread->pid,
			       wait->raw.cgroup, state_name(wait),
			       wait->raw.flags & WALL_MIGRATING ? "M" : "");
	append_quoted(w->line, "-"); /* whose process it is nobody has recorded */
	append_quoted(w->line, kernel ? "[kernel]" : program_of(w, place));
	append_quoted(w->line, place->comm);
	g_string_append_printf(w->line, ",%s,%s,,%" PRIu64, call_name(wait), active_call(wait),
			       in_state);
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
	w->rows++;
	return out && fprintf(out, "%s\n", w->line->str);
}

/* A call that has ended, of record --latency-of=syscall. What it returned is not recorded. */
static bool write_end(struct writer_of_rows *w, const struct place *place, const struct wait *wait,
		      u64 end, GError **error)
{
	u64 period = place->sample->period;
	FILE *out = xcapture_files_at(w->files, XCAPTURE_SYSCEND, end, error);

	if (!out)
		return false;
	g_string_printf(w->line, "SYSC_END,%u,%u", place->thread->tid, place->thread->pid);
	append_quoted(w->line, call_name(wait));
	g_string_append_printf(w->line, ",%" PRIu64 ",,%" PRIu64 ",", period, wait->raw.sequence);
	xcapture_append_time(w->line, end - MIN(end, period));
	fprintf(out, "%s\n", w->line->str);
	return true;
}

static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct writer_of_rows *w = arg;
	u64 end = place->time + (u64)w->to_wall;
	u64 start = end - MIN(end, place->sample->period);
	struct wait wait;

	if (!wait_of(place->evsel, place->sample, &wait))
		return true;
	if (!g_strcmp0(place->evsel->name, LATENCY_SYSCALL_EVENT))
		return write_end(w, place, &wait, end, error);
	if (g_strcmp0(place->evsel->name, WALL_EVENT))
		return true;
	for (u64 at = (start / w->step_ns + 1) * w->step_ns; at <= end; at += w->step_ns)
		if (!write_instant(w, place, &wait, at, end, error))
			return false;
	return true;
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
		       "%s does not say what time of day its clock was at: record with --keep or "
		       "'-k monotonic'",
		       path);
	w->to_wall = (s64)(info->clock_data_wall_ns - info->clock_data_clock_ns);
	w->programs = g_hash_table_new(NULL, NULL);
	ok = ok && session_each_sample(session, NEED_SAMPLE | NEED_SYMBOL | NEED_CHAIN | NEED_COMM,
				       take, w, error);
	g_hash_table_unref(w->programs);
	session_close(session);
	return ok;
}

bool xcapture_write(const struct xcapture_options *o, u64 *rows, GError **error)
{
	struct writer_of_rows w = { .step_ns = NS_PER_S / o->hz };
	g_autoptr(GPtrArray) inputs = g_ptr_array_new();
	struct recordings r;
	bool ok;

	g_ptr_array_add(inputs, (void *)o->input);
	ok = recordings_choose(&r, inputs, NULL, o->force, error);
	w.files = ok ? xcapture_files_new(o->folder, error) : NULL;
	ok = w.files;
	w.line = g_string_new(NULL);
	w.stack = g_string_new(NULL);
	for (u32 i = 0; ok && i < r.paths->len; i++)
		ok = write_recording(&w, r.paths->pdata[i], o->force, error);
	if (w.files && !xcapture_files_close(w.files, ok ? error : NULL))
		ok = false;
	g_string_free(w.line, TRUE);
	g_string_free(w.stack, TRUE);
	recordings_release(&r);
	*rows = w.rows;
	return ok;
}
