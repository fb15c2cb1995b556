// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf stacktrace: eu-stacktrace's command line. It replaces stacks by call chains and copies everything else:
 * between sysprof and its viewer, or in a pipe of perf's.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/version.h"
#include "cli/options.h"
#include "cmd/cmd.h"
#include "convert/record_tap.h"
#include "convert/stacktrace.h"
#include "machine/machine.h"
#include "options/recording.h"
#include "pass/callchains.h"
#include "pass/pipeline.h"
#include "perfdata/read/reader.h"
#include "sysprof/reader.h"

/* eu-stacktrace's. */
enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_NOTHING = 2, EXIT_WRONG_USAGE = 64 };

#define VERBOSE_VARIABLE "ELFUTILS_STACKTRACE_VERBOSE"
#define MAX_STACK	 1024

struct command_options {
	const char *input, *output, *mode, *format;
	bool debug, usage, version;
	int verbose;
};

#define AT(member) offsetof(struct command_options, member)

static const struct option_row rows[] = {
	{ 0, "debug", OPT_FLAG, NULL, "as --verbose", AT(debug) },
	{ 'f', "format", OPT_STRING, "format",
	  "what the input and the output are: sysprof (default) or perf", AT(format) },
	{ 'i', "input", OPT_STRING, "path", "file or fifo to read stacks from; - is standard input",
	  AT(input) },
	{ 'm', "mode", OPT_STRING, "mode",
	  "none: write nothing; passthru: write what is read; naive (default): unwind", AT(mode) },
	{ 'o', "output", OPT_STRING, "path",
	  "file or fifo to write call chains to; - is standard output", AT(output) },
	{ 0, "usage", OPT_FLAG, NULL, "print all options in a line", AT(usage),
	  .flags = OPT_NO_NEGATE },
	{ 'v', "verbose", OPT_COUNT, NULL, "print a line per stack, and how all ended",
	  AT(verbose) },
	{ 'V', "version", OPT_FLAG, NULL, "print the version", AT(version),
	  .flags = OPT_NO_NEGATE },
};

static const char *const usage[] = { "perf stacktrace [<options>]", NULL };
static const struct options_spec spec = {
	.usage = usage, .rows = rows, .nr_rows = ARRAY_SIZE(rows), .no_arguments = true
};

/* For the handler of SIGINT: what to stop. */
static struct sysprof_reader *stoppable_reader;
static struct record_tap *stoppable_tap;

/* The first ^C ends after a whole record, a second one at once. */
static void on_interrupt(int number)
{
	if (stoppable_reader)
		sysprof_stop(stoppable_reader);
	if (stoppable_tap)
		record_tap_stop(stoppable_tap);
}

static void catch_interrupt(void)
{
	struct sigaction action = { .sa_handler = on_interrupt,
				    .sa_flags = (int)(SA_RESTART | SA_RESETHAND) };

	sigaction(SIGINT, &action, NULL);
}

static int open_path(const char *path, bool write, GError **error)
{
	int fd;

	if (strcmp(path, "-") == 0)
		return write ? STDOUT_FILENO : STDIN_FILENO;
	fd = write ? file_create(path, O_WRONLY) : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		error_set_errno(error, errno, "%s", path);
	return fd;
}

static int run_sysprof(const struct command_options *o, const struct stacktrace_options *options,
		       GError **error)
{
	struct sysprof_reader *reader = sysprof_open(o->input, error);
	struct stacktrace_counts counts = { 0 };
	bool good = false;
	int fd;

	if (!reader)
		return EXIT_FAILED;
	fd = open_path(o->output, true, error);
	stoppable_reader = reader;
	catch_interrupt();
	if (fd >= 0)
		good = stacktrace_run(reader, fd, o->output, options, &counts, error);
	stoppable_reader = NULL;
	if (sysprof_header_of(reader)->foreign && counts.stacks)
		fprintf(stderr, "note: the capture has the other byte order: stacks are copied "
				"unchanged\n");
	sysprof_close(reader);
	if (fd > STDERR_FILENO)
		close(fd);
	if (!good)
		return EXIT_FAILED;
	if (counts.frames)
		return EXIT_GOOD;
	error_set(error, PERF_ERROR_FORMAT, "%s: it contains no frames", o->input);
	return EXIT_NOTHING;
}

static bool run_pipeline(struct perfdata *pd, const struct command_options *o,
			 const struct stacktrace_options *options, GError **error)
{
	const struct callchains_options chains = { .max_stack = options->max_stack };
	g_autoptr(GPtrArray) passes = g_ptr_array_new_with_free_func((GDestroyNotify)pass_free);
	struct pipeline_options pipeline = { .output = o->output };
	struct dsos *dsos = dsos_new(&(struct dso_options){ 0 });
	struct machine *machine = machine_new(dsos);
	struct stack_tally *tally = stack_tally_new();
	bool good;

	if (options->mode == STACKTRACE_UNWIND) {
		pipeline.machine = machine;
		g_ptr_array_add(passes, callchains_pass_new(machine, &chains, tally));
	}
	if (options->mode == STACKTRACE_NONE)
		pipeline.output = "/dev/null";
	good = pipeline_run(pd, &pipeline, passes, error);
	if (good && options->tell && options->mode == STACKTRACE_UNWIND) {
		stack_tally_print_elfutils(tally, machine, options->tell);
		stack_tally_print(tally, machine, options->tell);
	}
	g_ptr_array_set_size(passes, 0);
	stack_tally_free(tally);
	machine_free(machine);
	dsos_free(dsos);
	return good;
}

/*
 * An input that is not a regular file is read through a tap, so that it can end after a whole record.
 */
static bool tap_input(const char *path, struct record_tap **tap, GError **error)
{
	int fd = open_path(path, false, error), out;
	struct stat st;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		if (fd != STDIN_FILENO)
			close(fd);
		return true;
	}
	fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	*tap = record_tap_new(fd, &out, error);
	if (!*tap)
		return false;
	dup2(out, STDIN_FILENO);
	close(out);
	return true;
}

/*
 * An output that is a fifo becomes standard output, which gets the form of perf.data for pipes.
 */
static bool join_output(const char **path, GError **error)
{
	struct stat st;
	int fd;

	if (strcmp(*path, "-") == 0 || stat(*path, &st) || !S_ISFIFO(st.st_mode))
		return true;
	fd = open_path(*path, true, error);
	if (fd < 0)
		return false;
	dup2(fd, STDOUT_FILENO);
	close(fd);
	*path = "-";
	return true;
}

static int run_perf(struct command_options *o, const struct stacktrace_options *options,
		    GError **error)
{
	struct record_tap *tap = NULL;
	struct perfdata *pd;
	bool good;

	signal(SIGPIPE, SIG_IGN); /* of the tap; a closed output is detected by EPIPE */
	if (!tap_input(o->input, &tap, error) || !join_output(&o->output, error))
		return EXIT_FAILED;
	stoppable_tap = tap;
	catch_interrupt();
	pd = recording_open(tap ? "-" : o->input, false, error);
	good = pd && run_pipeline(pd, o, options, error);
	stoppable_tap = NULL;
	recording_close(pd, good);
	if (tap)
		close(STDIN_FILENO);
	record_tap_free(tap);
	return good ? EXIT_GOOD : EXIT_FAILED;
}

static bool find_mode(const char *word, enum stacktrace_mode *mode)
{
	static const char *const modes[] = { [STACKTRACE_NONE] = "none",
					     [STACKTRACE_PASSTHRU] = "passthru",
					     [STACKTRACE_UNWIND] = "naive" };

	for (u32 i = 0; i < ARRAY_SIZE(modes); i++)
		if (strcmp(modes[i], word) == 0) {
			*mode = (enum stacktrace_mode)i;
			return true;
		}
	return false;
}

/*
 * As in eu-stacktrace: on standard output, and not an error. (--help is the manual page, as for all commands.)
 */
static bool asks_for_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (strcmp(argv[i], "-?") == 0)
			return true;
	return false;
}

/* Options without arguments, then the others, then long ones. */
static void print_usage(void)
{
	printf("Usage: perf stacktrace [-?");
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].short_name && !rows[i].arg)
			printf("%c", rows[i].short_name);
	printf("]");
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].short_name && rows[i].arg)
			printf(" [-%c %s]", rows[i].short_name, rows[i].arg);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		printf(" [--%s%s%s]", rows[i].name, rows[i].arg ? "=" : "",
		       rows[i].arg ? rows[i].arg : "");
	printf(" [--help]\n");
}

static bool is_verbose(const struct command_options *o)
{
	static const char *const words[] = { "true", "verbose", "1", "debug", "2" };
	const char *variable = getenv(VERBOSE_VARIABLE);

	for (u32 i = 0; variable && i < ARRAY_SIZE(words); i++)
		if (strcmp(variable, words[i]) == 0)
			return true;
	return o->verbose || o->debug;
}

static int stacktrace_command(const struct config *config, int argc, char **argv)
{
	struct command_options opts = {
		.input = "-", .output = "-", .mode = "naive", .format = "sysprof"
	};
	struct stacktrace_options options = { .max_stack = MAX_STACK };
	g_autoptr(GError) error = NULL;
	bool is_perf;
	int status;

	if (asks_for_help(argc, argv)) {
		options_usage(&spec, NULL, stdout);
		return EXIT_GOOD;
	}
	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status == OPTIONS_EXIT_USAGE ? EXIT_WRONG_USAGE : status;
	if (opts.usage) {
		print_usage();
		return EXIT_GOOD;
	}
	if (opts.version) {
		printf("perf stacktrace %s\n", version_text);
		return EXIT_GOOD;
	}
	is_perf = strcmp(opts.format, "perf") == 0;
	if ((!is_perf && strcmp(opts.format, "sysprof") != 0) ||
	    !find_mode(opts.mode, &options.mode)) {
		options_wrong(&spec, "expected -m none, passthru or naive and -f sysprof or perf");
		return EXIT_WRONG_USAGE;
	}
	if (is_verbose(&opts))
		options.tell = stderr;
	fprintf(stderr, "\n=== starting perf stacktrace ===\n");
	status = is_perf ? run_perf(&opts, &options, &error) : run_sysprof(&opts, &options, &error);
	if (error)
		fprintf(stderr, "perf: %s\n", error->message);
	return status;
}

const struct command cmd_stacktrace = { "stacktrace", "Make call chains of stacks in a stream",
					stacktrace_command };
