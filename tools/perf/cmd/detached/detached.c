// SPDX-License-Identifier: GPL-2.0-or-later
/* perf detached: manages recordings in the background (perf record --detached=NAME). */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/options.h"
#include "cmd/cmd.h"
#include "cmd/detached/detached_list.h"
#include "detached/pinned.h"
#include "detached/save.h"
#include "detached/shelf.h"
#include "detached/tail.h"

#define STOP_MS 10000

struct detached_words {
	const char *output;
	bool force;
};

#define AT(member) offsetof(struct detached_words, member)

static const struct option_row rows[] = {
	{ 'f', "force", OPT_FLAG, NULL, "read recordings of other owners, too", AT(force) },
	{ 'o', "output", OPT_STRING, "file",
	  "read: the file to write (default: perf.data); tail: write records instead of lines; - "
	  "is "
	  "standard output",
	  AT(output) },
};

static const char *const usage[] = { "perf detached list",
				     "perf detached read [-o <file>] <name>",
				     "perf detached tail [-o <file>] <name>",
				     "perf detached stop <name>...",
				     "perf detached rm <name>...",
				     NULL };
static const struct options_spec spec = { .usage = usage,
					  .rows = rows,
					  .nr_rows = ARRAY_SIZE(rows) };

static bool wait_for_end(const struct shelf_image *image, GError **error)
{
	for (int ms = 0; ms < STOP_MS && shelf_is_written(image); ms += 5)
		g_usleep(5000);
	return !shelf_is_written(image) ||
	       error_set(error, PERF_ERROR_SYSTEM, "%s: the recording did not stop",
			 image->header.name);
}

static bool stop_one(const struct detached_words *words, const char *path, GError **error)
{
	struct shelf_image *image = shelf_open(path, error);
	bool fine;

	if (!image)
		return false;
	fine = shelf_signal(image, SIGTERM, error) && wait_for_end(image, error);
	shelf_close(image);
	return fine;
}

/* The recorder notices that its file was unlinked, and ends. Readers keep the open file. */
static bool remove_one(const struct detached_words *words, const char *path, GError **error)
{
	struct shelf_image *image = shelf_open(path, NULL);
	bool fine;

	if (!image) /* only what is one is removed here */
		return shelf_open(path, error);
	fine = !unlink(path) || error_set_errno(error, errno, "%s", path);
	if (fine && shelf_is_written(image))
		fine = wait_for_end(image, error);
	shelf_close(image);
	return fine;
}

/* The output of `read`; NULL with @error. */
static const char *output_of(const struct detached_words *words, GError **error)
{
	const char *output = words->output ? words->output : "perf.data";

	if (strcmp(output, "-") || !isatty(STDOUT_FILENO))
		return output;
	error_set(error, PERF_ERROR_USAGE,
		  "standard output is a terminal: name a file with -o, or a pipe");
	return NULL;
}

static bool read_one(const struct detached_words *words, const char *path, GError **error)
{
	const char *output = output_of(words, error);

	if (!output)
		return false;
	shelf_flush(path);
	return save_image(path, output, words->force, error);
}

/* Chooses how to follow the recording, and checks that it can be opened. */
struct tail_kind {
	bool (*can_open)(const char *path, GError **error);
	bool (*tail)(const char *path, int fd, GError **error);
};

static bool can_open_image(const char *path, GError **error)
{
	struct shelf_image *image = shelf_open(path, error);

	if (image)
		shelf_close(image);
	return image;
}

static bool can_open_pinned(const char *path, GError **error)
{
	struct pinned_image *p = pinned_open(path, error);

	if (p)
		pinned_close(p);
	return p;
}

static const struct tail_kind tail_of_image = { can_open_image, tail_image };
static const struct tail_kind tail_of_pinned = { can_open_pinned, pinned_tail };

/* perf script prints the lines; its input is the output of the tail. */
static bool tail_as_lines(const struct tail_kind *kind, const char *path, GError **error)
{
	int pipe_fds[2], status = 0;
	pid_t child;
	bool fine;

	if (!kind->can_open(path, error)) /* before a reader waits for it */
		return false;
	if (pipe(pipe_fds))
		return error_set_errno(error, errno, "pipe");
	child = fork();
	if (!child) {
		dup2(pipe_fds[0], STDIN_FILENO);
		close(pipe_fds[0]);
		close(pipe_fds[1]);
		execl("/proc/self/exe", "perf", "--no-pager", "script", "-i", "-", NULL);
		_exit(127);
	}
	close(pipe_fds[0]);
	signal(SIGPIPE, SIG_IGN);
	fine = child > 0 && kind->tail(path, pipe_fds[1], error);
	close(pipe_fds[1]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	/* The reader closed the pipe: this is not an error. */
	if (!fine && error && *error && strstr((*error)->message, g_strerror(EPIPE))) {
		g_clear_error(error);
		return true;
	}
	return fine;
}

static bool tail_with(const struct tail_kind *kind, const struct detached_words *words,
		      const char *path, GError **error)
{
	FILE *out;
	bool fine;

	if (!words->output)
		return tail_as_lines(kind, path, error);
	if (!strcmp(words->output, "-"))
		return kind->tail(path, STDOUT_FILENO, error);
	out = file_create_stream(words->output);
	if (!out)
		return error_set_errno(error, errno, "%s", words->output);
	fine = kind->tail(path, fileno(out), error);
	fclose(out);
	return fine;
}

static bool tail_one(const struct detached_words *words, const char *path, GError **error)
{
	return tail_with(&tail_of_image, words, path, error);
}

static bool read_pinned(const struct detached_words *words, const char *path, GError **error)
{
	const char *output = output_of(words, error);

	return output && pinned_save(path, output, error);
}

static bool tail_pinned(const struct detached_words *words, const char *path, GError **error)
{
	return tail_with(&tail_of_pinned, words, path, error);
}

static bool stop_pinned(const struct detached_words *words, const char *path, GError **error)
{
	return pinned_stop(path, error);
}

static bool remove_pinned(const struct detached_words *words, const char *path, GError **error)
{
	return pinned_remove(path, error);
}

typedef bool verb_fn(const struct detached_words *words, const char *path, GError **error);

struct verb {
	const char *name;
	verb_fn *run, *run_pinned; /* for a file; for a recording pinned in bpffs */
	bool several;
};

static const struct verb verbs[] = {
	{ "read", read_one, read_pinned, false },
	{ "tail", tail_one, tail_pinned, false },
	{ "stop", stop_one, stop_pinned, true },
	{ "rm", remove_one, remove_pinned, true },
};

static const struct verb *verb_named(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	return NULL;
}

/* Users without access to bpffs get no message about it. */
static void print_denied(const char *name)
{
	g_autofree char *dir = pinned_dir();

	if (dir && !strchr(name, '/') && access(dir, F_OK) && errno == EACCES)
		fprintf(stderr, "perf: %s/%s: %s\n", dir, name, g_strerror(EACCES));
}

static int run_verb(const struct verb *verb, const struct detached_words *words, int argc,
		    char **argv)
{
	int status = 0;

	if (!argc || (argc > 1 && !verb->several))
		return options_wrong(&spec, "name a recording, as perf detached list shows them");
	for (int i = 0; i < argc; i++) {
		g_autofree char *path = shelf_path(argv[i]), *pinned = NULL;
		GError *error = NULL;

		pinned = access(path, F_OK) ? pinned_path(argv[i]) : NULL;
		if (pinned ? verb->run_pinned(words, pinned, &error)
			   : verb->run(words, path, &error))
			continue;
		fprintf(stderr, "perf: %s\n", error->message);
		if (!pinned && access(path, F_OK))
			print_denied(argv[i]);
		g_clear_error(&error);
		status = 1;
	}
	return status;
}

static int detached_run(const struct config *config, int argc, char **argv)
{
	struct detached_words words = { 0 };
	const char *word = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
	const struct verb *verb = verb_named(word);
	int status;

	if (word) {
		argc--;
		argv++;
	}
	if (!options_parse(&spec, &argc, &argv, &words, &status))
		return status;
	if (verb)
		return run_verb(verb, &words, argc, argv);
	if (word && !strcmp(word, "list") && !argc)
		return detached_list_print();
	return options_wrong(&spec, "expected list, read, tail, stop or rm");
}

const struct command cmd_detached = { "detached", "List, read, follow and end detached recordings",
				      detached_run };
