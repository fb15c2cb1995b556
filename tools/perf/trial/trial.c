// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/trial.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "compare/noise.h"
#include "trial/tree_files.h"

#define CONFIDENCE 0.05
#define MOST_SAID  1500 /* bytes of a failed command's output in a message */

enum trial_side { BEFORE, AFTER, NR_SIDES };

static const char *const side_names[NR_SIDES] = { "before", "after" };

struct trial {
	const struct trial_options *o;
	char *folder; /* of all copies */
	char *list;   /* file with the paths to copy */
	bool listed;  /* only they are copied */
	char *trees[NR_SIDES];
	char *inner; /* the current folder, relative to the tree; "" */
	char **commands[NR_SIDES];
	GArray *seconds[NR_SIDES][TRIAL_NR_MEASURES]; /* double */
	char *outputs[NR_SIDES];		      /* checksum of the first run's output */
	bool varies[NR_SIDES];			      /* some later run's differs */
};

static int compare_doubles(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

static double median(const double *values, u32 nr)
{
	g_autofree double *sorted = g_memdup2(values, nr * sizeof(*values));

	qsort(sorted, nr, sizeof(*sorted), compare_doubles);
	return nr % 2 ? sorted[nr / 2] : (sorted[nr / 2 - 1] + sorted[nr / 2]) / 2;
}

/* Ratios are compared by their logarithms, so that twice and half weigh the same. */
struct trial_measure trial_measure_of(const double *before, const double *after, u32 nr)
{
	double mean = 0, squares = 0, half;

	for (u32 i = 0; i < nr; i++)
		mean += log(MAX(after[i], 1e-9) / MAX(before[i], 1e-9)) / nr;
	for (u32 i = 0; i < nr; i++) {
		double d = log(MAX(after[i], 1e-9) / MAX(before[i], 1e-9)) - mean;

		squares += d * d;
	}
	half = noise_t_of(CONFIDENCE, nr - 1) * sqrt(squares / (nr - 1) / nr);
	return (struct trial_measure){ .before = median(before, nr),
				       .after = median(after, nr),
				       .saved = 1 - exp(mean),
				       .low = 1 - exp(mean + half),
				       .high = 1 - exp(mean - half) };
}

/* Runs in the child. @log: of both outputs, if @out is -1, else of errors. */
struct child {
	const char *folder;
	const char *const *command;
	int out, log;
};

static void set_up(void *arg)
{
	const struct child *c = arg;

	dup2(c->out >= 0 ? c->out : c->log, STDOUT_FILENO);
	dup2(c->log, STDERR_FILENO);
}

/* The exit status; -1 with @error if it cannot be started. */
static int run_child(struct child *c, struct rusage *usage, GError **error)
{
	int status;
	pid_t pid;

	if (!g_spawn_async(c->folder, (char **)c->command, NULL,
			   G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, set_up, c, &pid, error))
		return -1;
	while (wait4(pid, &status, 0, usage) < 0)
		if (errno != EINTR) {
			error_set_errno(error, errno, "wait");
			return -1;
		}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The end of what it printed, for a message. */
static char *tail_of(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END), from = MAX(size - MOST_SAID, 0);
	char *text = g_malloc0(MOST_SAID + 1);

	if (pread(fd, text, MOST_SAID, from) < 0)
		*text = 0;
	g_strchomp(text);
	return text;
}

static int temporary(const struct trial *t, GError **error)
{
	g_autofree char *path = g_build_filename(t->folder, "out-XXXXXX", NULL);
	int fd = g_mkstemp(path);

	if (fd < 0)
		error_set_errno(error, errno, "%s: create", path);
	else
		unlink(path);
	return fd;
}

/* A command that must succeed. @what: "build", for the message. */
static bool must_run(const struct trial *t, const char *folder, const char *const *command,
		     const char *what, GError **error)
{
	struct child c = { folder, command, -1, temporary(t, error) };
	g_autofree char *said = NULL;
	struct rusage usage;
	int status;

	if (c.log < 0)
		return false;
	status = run_child(&c, &usage, error);
	said = tail_of(c.log);
	close(c.log);
	if (!status || status < 0)
		return !status;
	return error_set(error, PERF_ERROR_SYSTEM, "%s: exit status %d%s%s", what, status,
			 *said ? "\n" : "", said);
}

static bool copy_tree(const struct trial *t, enum trial_side side, GError **error)
{
	g_autofree char *from = g_strconcat(t->o->tree, "/.", NULL);
	const char *const all[] = { "cp", "-a", "--", from, t->trees[side], NULL };
	const char *const listed[] = { "xargs",	    "-0", "-a",		  t->list, "cp", "-a",
				       "--parents", "-t", t->trees[side], "--",	   NULL };
	g_autofree char *file = NULL;

	if (mkdir(t->trees[side], 0700))
		return error_set_errno(error, errno, "%s: create", t->trees[side]);
	if (!must_run(t, t->o->tree, t->listed ? listed : all, "copy of the sources", error))
		return false;
	if (side == BEFORE)
		return true;
	file = g_build_filename(t->trees[side], t->o->file, NULL);
	return g_file_set_contents(file, t->o->text, -1, error);
}

/* Both get a new time, so that a build finds the same to do in both. */
static bool touch_file(const struct trial *t, enum trial_side side, GError **error)
{
	g_autofree char *file = g_build_filename(t->trees[side], t->o->file, NULL);

	return !utimensat(AT_FDCWD, file, NULL, 0) || error_set_errno(error, errno, "%s", file);
}

/* So that a full disk is no surprise. Builds need more. */
static bool is_room(const struct trial *t, const struct tree_files *files, GError **error)
{
	u64 need = 2 * files->bytes;
	struct statvfs fs;
	u64 have;

	if (statvfs(t->folder, &fs))
		return true;
	have = (u64)fs.f_bavail * fs.f_frsize;
	return need < have ||
	       error_set(error, PERF_ERROR_SYSTEM,
			 "two copies of %s need %.1f MiB, and %s has %.1f MiB: TMPDIR=FOLDER names "
			 "another place",
			 t->o->tree, (double)need / (1 << 20), g_get_tmp_dir(),
			 (double)have / (1 << 20));
}

static bool choose_files(struct trial *t, GError **error)
{
	struct tree_files files;

	if (!tree_files_find(t->o->tree, t->o->most, t->list, &files, error) ||
	    !is_room(t, &files, error))
		return false;
	t->listed = files.listed;
	if (t->listed && t->o->progress)
		fprintf(t->o->progress, "copying the %" PRIu64 " files that git does not ignore\n",
			files.nr);
	return true;
}

static bool build(const struct trial *t, enum trial_side side, GError **error)
{
	const char *const command[] = { "sh", "-c", t->o->build, NULL };
	g_autofree char *what = g_strdup_printf("build (%s)", side_names[side]);

	if (t->o->progress)
		fprintf(t->o->progress, "building (%s): %s\n", side_names[side], t->o->build);
	return touch_file(t, side, error) && must_run(t, t->trees[side], command, what, error);
}

/* Words of the command that are paths in the tree are those of the copy. */
static char **command_of(const struct trial *t, enum trial_side side)
{
	u32 nr = g_strv_length((char **)t->o->command);
	char **command = g_new0(char *, nr + 1);
	size_t size = strlen(t->o->tree);

	for (u32 i = 0; i < nr; i++) {
		const char *word = t->o->command[i];
		bool below = !strncmp(word, t->o->tree, size) && word[size] == '/';

		command[i] = below ? g_strconcat(t->trees[side], word + size, NULL)
				   : g_strdup(word);
	}
	return command;
}

/* The command's program in the copy, if it is one that a compiler made; NULL: a script, or a program from elsewhere. */
static GMappedFile *program_of(const struct trial *t, enum trial_side side)
{
	const char *name = t->commands[side][0];
	g_autofree char *path = g_path_is_absolute(name)
					? g_strdup(name)
					: g_build_filename(t->trees[side], t->inner, name, NULL);
	GMappedFile *program = strchr(name, '/') && g_str_has_prefix(path, t->folder)
				       ? g_mapped_file_new(path, FALSE, NULL)
				       : NULL;

	if (program && (g_mapped_file_get_length(program) < SELFMAG ||
			memcmp(g_mapped_file_get_contents(program), ELFMAG, SELFMAG) != 0))
		g_clear_pointer(&program, g_mapped_file_unref);
	return program;
}

/* A build that does not use the copy makes the same program twice, and both would be as fast. */
static bool programs_differ(const struct trial *t, GError **error)
{
	GMappedFile *before = program_of(t, BEFORE), *after = program_of(t, AFTER);
	size_t size = before ? g_mapped_file_get_length(before) : 0;
	bool same = before && after && g_mapped_file_get_length(after) == size &&
		    !memcmp(g_mapped_file_get_contents(before), g_mapped_file_get_contents(after),
			    size);

	if (before)
		g_mapped_file_unref(before);
	if (after)
		g_mapped_file_unref(after);
	return !same ||
	       error_set(error, PERF_ERROR_UNSUPPORTED,
			 "the build made the same program with and without the change: does it "
			 "use %s of the folder in which it runs?",
			 t->o->file);
}

static char *checksum_of(int fd)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	u8 buffer[65536];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buffer, sizeof(buffer), at)) > 0) {
		g_checksum_update(sum, buffer, n);
		at += n;
	}
	return g_strdup(g_checksum_get_string(sum));
}

static void note_output(struct trial *t, enum trial_side side, int fd)
{
	g_autofree char *sum = checksum_of(fd);

	if (!t->outputs[side])
		t->outputs[side] = g_steal_pointer(&sum);
	else
		t->varies[side] |= strcmp(t->outputs[side], sum) != 0;
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static bool run_once(struct trial *t, enum trial_side side, bool counts, GError **error)
{
	g_autofree char *folder = g_build_filename(t->trees[side], t->inner, NULL);
	struct child c = { folder, (const char *const *)t->commands[side], temporary(t, error),
			   -1 };
	double took[TRIAL_NR_MEASURES];
	g_autofree char *said = NULL;
	struct rusage usage;
	u64 began;
	int status = -1;

	if (c.out >= 0)
		c.log = temporary(t, error);
	if (c.log >= 0) {
		began = clock_ns(CLOCK_MONOTONIC);
		status = run_child(&c, &usage, error);
		took[TRIAL_CLOCK] = (double)(clock_ns(CLOCK_MONOTONIC) - began) / 1e9;
	}
	if (status > 0) {
		said = tail_of(c.log);
		error_set(error, PERF_ERROR_SYSTEM, "%s (%s): exit status %d%s%s",
			  t->commands[side][0], side_names[side], status, *said ? "\n" : "", said);
	}
	if (!status) {
		took[TRIAL_CPU] = seconds(&usage.ru_utime) + seconds(&usage.ru_stime);
		note_output(t, side, c.out);
	}
	for (u32 i = 0; !status && counts && i < TRIAL_NR_MEASURES; i++)
		g_array_append_val(t->seconds[side][i], took[i]);
	if (c.out >= 0)
		close(c.out);
	if (c.log >= 0)
		close(c.log);
	return !status;
}

/* A first run of each is not counted: it brings files into memory. Then before after, after before, ... */
static bool run_all(struct trial *t, GError **error)
{
	if (!run_once(t, BEFORE, false, error) || !run_once(t, AFTER, false, error))
		return false;
	for (u32 i = 0; i < t->o->runs; i++) {
		if (t->o->progress)
			fprintf(t->o->progress, "\rrun %u of %u%s", i + 1, t->o->runs,
				i + 1 == t->o->runs ? "\n" : "");
		if (!run_once(t, i % 2 ? AFTER : BEFORE, true, error) ||
		    !run_once(t, i % 2 ? BEFORE : AFTER, true, error))
			return false;
	}
	return true;
}

static bool prepare(struct trial *t, GError **error)
{
	g_autofree char *current = g_get_current_dir();
	size_t size = strlen(t->o->tree);

	t->folder = g_build_filename(g_get_tmp_dir(), "perf-try-XXXXXX", NULL);
	if (!g_mkdtemp(t->folder))
		return error_set_errno(error, errno, "%s: create", t->folder);
	t->list = g_build_filename(t->folder, "list", NULL);
	t->inner = g_strdup(!strncmp(current, t->o->tree, size) && current[size] == '/'
				    ? current + size + 1
				    : "");
	for (u32 i = 0; i < NR_SIDES; i++) {
		t->trees[i] = g_build_filename(t->folder, side_names[i], NULL);
		t->commands[i] = command_of(t, i);
		for (u32 k = 0; k < TRIAL_NR_MEASURES; k++)
			t->seconds[i][k] = g_array_new(FALSE, FALSE, sizeof(double));
	}
	return true;
}

static void tell(const struct trial *t, struct trial_result *r)
{
	for (u32 k = 0; k < TRIAL_NR_MEASURES; k++)
		r->measures[k] = trial_measure_of(
			(const double *)(const void *)t->seconds[BEFORE][k]->data,
			(const double *)(const void *)t->seconds[AFTER][k]->data, t->o->runs);
	r->pairs = t->o->runs;
	r->same_output = t->varies[BEFORE] || t->varies[AFTER] ||
			 !strcmp(t->outputs[BEFORE], t->outputs[AFTER]);
}

static void remove_copies(struct trial *t)
{
	const char *const command[] = { "rm", "-rf", "--", t->folder, NULL };

	g_spawn_sync(NULL, (char **)command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
		     NULL, NULL);
}

bool trial_run(const struct trial_options *o, struct trial_result *result, GError **error)
{
	struct trial t = { .o = o };
	bool ok = prepare(&t, error) && choose_files(&t, error);

	*result = (struct trial_result){ 0 };
	for (u32 i = 0; ok && i < NR_SIDES; i++)
		ok = copy_tree(&t, i, error) && build(&t, i, error);
	ok = ok && programs_differ(&t, error) && run_all(&t, error);
	if (ok)
		tell(&t, result);
	if (t.trees[0] && o->keep)
		result->kept = g_strdup(t.folder);
	else if (t.trees[0])
		remove_copies(&t);
	for (u32 i = 0; i < NR_SIDES; i++) {
		g_free(t.trees[i]);
		g_strfreev(t.commands[i]);
		g_free(t.outputs[i]);
		for (u32 k = 0; k < TRIAL_NR_MEASURES; k++)
			g_clear_pointer(&t.seconds[i][k], g_array_unref);
	}
	g_free(t.folder);
	g_free(t.list);
	g_free(t.inner);
	return ok;
}

void trial_result_release(struct trial_result *result)
{
	g_free(result->kept);
}
