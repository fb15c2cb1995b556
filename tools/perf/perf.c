// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/types.h"
#include "cli/config.h"
#include "cli/guard.h"
#include "cmd/cmd.h"
#include "cmd/help.h"
#include "options/next_perf.h"

static int run_help(const struct config *config, int argc, char **argv);

static const struct command help = { "help", "Show the manual of a command", run_help };

// clang-format off
static const struct command *const commands[] = {
	&cmd_advise,
	&cmd_annotate,
	&cmd_archive,
	&cmd_buildid_cache,
	&cmd_buildid_list,
	&cmd_c2c,
	&cmd_check,
	&cmd_config,
	&cmd_core_handler,
	&cmd_data,
	&cmd_detached,
	&cmd_diff,
	&cmd_doctor,
	&cmd_evlist,
	&help,
	&cmd_inject,
	&cmd_keep,
	&cmd_list,
	&cmd_mcp,
	&cmd_mem,
	&cmd_query,
	&cmd_record,
	&cmd_report,
	&cmd_script,
	&cmd_ship,
	&cmd_top,
	&cmd_stacktrace,
	&cmd_version,
	NULL,
};
// clang-format on

static int run_help(const struct config *config, int argc, char **argv)
{
	return help_run(commands, config, argc, argv);
}

/* The commands that `perf -X` and `perf --X` become. */
static const struct {
	const char *option;
	const char *command;
	const char *argument;
} aliases[] = {
	{ "-h", "help", NULL },
	{ "--help", "help", NULL },
	{ "-v", "version", NULL },
	{ "--version", "version", NULL },
	{ "-vv", "version", "--build-options" },
	{ "--build-options", "version", "--build-options" },
	{ "--list-cmds", "help", "--list-cmds" },
};

/* The options in front of the command. */
struct globals {
	bool no_fallback;
	bool no_pager;
	bool foreign; /* an option that only commands of the next perf know */
};

/* Upstream's options of one word or two that mean nothing to our commands. */
static bool is_foreign_option(const char *option, bool *has_value)
{
	static const char *const alone[] = { "-p", "--paginate" };
	static const char *const with_value[] = { "--debug", "--debug-file", "--debugfs-dir" };

	*has_value = false;
	for (size_t i = 0; i < ARRAY_SIZE(alone); i++)
		if (!strcmp(option, alone[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(with_value); i++) {
		size_t len = strlen(with_value[i]);

		if (strncmp(option, with_value[i], len) || (option[len] && option[len] != '='))
			continue;
		*has_value = !option[len];
		return true;
	}
	return !strncmp(option, "--exec-path=", 12);
}

/* Options for every command, which reach it through the environment as upstream's do. */
static bool take_global_option(struct globals *globals, int *argc, char ***argv)
{
	const char *option = (*argv)[0];
	const char *value = *argc > 1 ? (*argv)[1] : NULL;
	bool has_value;
	int used = 1;

	if (!strcmp(option, "--no-pager")) {
		globals->no_pager = true;
	} else if (!strcmp(option, "--no-fallback")) {
		globals->no_fallback = true;
	} else if (!strcmp(option, "--buildid-dir") && value) {
		setenv("PERF_BUILDID_DIR", value, 1);
		used = 2;
	} else if (!strncmp(option, "--buildid-dir=", 14)) {
		setenv("PERF_BUILDID_DIR", option + 14, 1);
	} else if (is_foreign_option(option, &has_value) && (!has_value || value)) {
		globals->foreign = true;
		used = has_value ? 2 : 1;
	} else {
		return false;
	}
	*argc -= used;
	*argv += used;
	return true;
}

static const struct command *command_find(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int run_alias(const struct config *config, const char *option, int argc, char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		char *words[] = { (char *)aliases[i].command, (char *)aliases[i].argument, NULL };

		if (strcmp(option, aliases[i].option))
			continue;
		if (aliases[i].argument)
			return command_find(words[0])->run(config, 2, words);
		argv[0] = words[0]; /* `perf --help record` */
		return command_find(words[0])->run(config, argc, argv);
	}
	if (!strcmp(option, "--list-opts")) { /* for shell completion, as each command's */
		puts("--help --version --build-options --no-pager --no-fallback --buildid-dir "
		     "--list-cmds --list-opts");
		return 0;
	}
	fprintf(stderr, "Unknown option: %s\n", option);
	help_print_usage(stderr);
	return 129;
}

/*
 * If a standard stream is closed, the next opened file would get its number, and a message could be written into a
 * recording. So /dev/null is opened in its place, in a mode in which its use fails, as with a closed stream.
 */
static void hold_standard_streams(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) < 0)
			break;
}

/* Recordings and ELF files are mapped: to read what somebody has cut off since raises SIGBUS. */
static void on_file_cut(int signal)
{
	static const char message[] = "perf: a file became shorter while perf read it: another "
				      "program is writing or copying it\n";

	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(2);
	_exit(1);
}

static void on_file_limit(int signal)
{
}

/* Before GLib ends perf by a signal because there is no memory: its own message does not pass the guard of stderr. */
static void on_glib_error(const char *domain, GLogLevelFlags level, const char *message, void *arg)
{
	fprintf(stderr, "perf: %s\n", message);
	fflush(stderr);
}

/*
 * A caller may ignore SIGCHLD: then no child can be waited for, and nothing tells that it has ended. A write beyond the
 * limit of files (ulimit -f) fails with EFBIG instead of ending perf; exec() resets this handler in commands that perf runs.
 */
static void sanitize_signals(void)
{
	signal(SIGCHLD, SIG_DFL);
	if (signal(SIGXFSZ, on_file_limit) == SIG_IGN)
		signal(SIGXFSZ, SIG_IGN);
	signal(SIGBUS, on_file_cut);
}

/* A report that did not reach its reader whole is a failure, whatever the command thinks. */
static int check_output(int status)
{
	bool failed = ferror(stdout);

	errno = 0;
	if ((fflush(stdout) == 0 && !failed) || status)
		return status;
	fprintf(stderr, "perf: the output could not be written%s%s\n", errno ? ": " : "",
		errno ? strerror(errno) : "");
	return 1;
}

/* Applies the settings in configuration files that hold for all commands. The environment and options win. */
static void apply_config(const struct config *config, const struct globals *globals,
			 const char *command)
{
	const char *dir = config_get(config, "buildid.dir"), *home = getenv("HOME");
	const char *fetch = config_get(config, "debuginfod.fetch");
	g_autofree char *pager = g_strconcat("pager.", command, NULL);
	g_autofree char *below_home = NULL;

	if (globals->no_pager || !config_get_bool(config, pager, true))
		setenv("PERF_PAGER", "cat", 1);
	if (fetch)
		setenv("PERF_DEBUGINFOD", fetch, 0);
	if (!dir)
		return;
	if (home && !strncmp(dir, "~/", 2))
		dir = below_home = g_build_filename(home, dir + 2, NULL);
	setenv("PERF_BUILDID_DIR", dir, 0);
}

static int run_command(const struct config *config, const struct globals *globals, int argc,
		       char **argv)
{
	const struct command *command = command_find(argv[0]);

	apply_config(config, globals, argv[0]);
	if (globals->foreign)
		fprintf(stderr, "note: perf %s ignores debugging options\n", argv[0]);
	if (argv[0][0] == '-')
		return run_alias(config, argv[0], argc, argv);
	if (argc > 1 && !strcmp(argv[1], "--help"))
		return help_show_page(config, command);
	return command->run(config, argc, argv);
}

/*
 * The word that names a command of the next perf: we have no such command, or it was us who handed
 * these words on. NULL: the words are for us.
 */
static const char *foreign_word(char **words, bool fallback)
{
	const char *name = words[0];

	if (next_perf_came_back(words))
		return name;
	if (!strcmp(name, "--html-path") ||
	    !strcmp(name, "--exec-path")) { /* where its parts are */
		g_autofree char *next = fallback ? next_perf_find(words) : NULL;

		return next ? name : NULL;
	}
	if (!strcmp(name, "help") && words[1] && strcmp(words[1], "perf"))
		name = words[1];
	if (name[0] == '-' || command_find(name))
		return NULL;
	return help_is_foreign(commands, name, fallback) ? name : NULL;
}

/* All words of the command line, but for what only this perf understands. */
static void hand_on(char **words, int argc, char **argv)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (int i = 0; i < argc; i++)
		if (argv + i >= words || strcmp(argv[i], "--no-fallback"))
			g_ptr_array_add(all, argv[i]);
	g_ptr_array_add(all, NULL);
	next_perf_exec(words, (char *const *)all->pdata);
}

static int run_words(const struct config *config, const struct globals *globals, int argc,
		     char **argv, int nr)
{
	char **words = argv + (argc - nr);
	bool fallback = config_get_bool(config, "perf.fallback", true);
	const char *foreign = foreign_word(words, fallback), *meant = NULL;
	int status;

	if (foreign) {
		if (fallback)
			hand_on(words, argc, argv);
		return help_missing_command(foreign, fallback);
	}
	if (words[0][0] == '-' || command_find(words[0]))
		return run_command(config, globals, nr, words);
	status = help_unknown_command(commands, config, words[0], fallback, &meant);
	if (!meant)
		return status;
	words[0] = (char *)meant;
	return run_words(config, globals, argc, argv, nr);
}

static int run(int argc, char **argv)
{
	struct globals globals = { 0 };
	char **words = argv;
	int nr = argc, status;
	struct config *config;

	while (nr && take_global_option(&globals, &nr, &words))
		;
	if (!nr) {
		help_print_commands(commands, stdout);
		return 1;
	}
	config = config_load(CONFIG_ALL);
	if (globals.no_fallback)
		config_set(config, "the command line", "perf.fallback", "false", NULL);
	status = run_words(config, &globals, argc, argv, nr);
	config_free(config);
	return status;
}

int main(int argc, char **argv)
{
	struct guards *guards;
	int status;

	hold_standard_streams();
	guards = guard_output();
	sanitize_signals();
	/*
	 * glib makes its locale at the first conversion of a number. A thread that has to wait for this has an errno then, and
	 * g_ascii_string_to_unsigned() takes it for one of the number: 20 would be none.
	 */
	g_ascii_strtoull("0", NULL, 10);
	g_log_set_handler("GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION,
			  on_glib_error, NULL);
	status = check_output(run(argc - 1, argv + 1));
	guard_end(guards);
	return status;
}
