// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/types.h"
#include "cli/guard.h"
#include "cmd/cmd.h"
#include "cmd/help.h"

// clang-format off
const struct command *const commands[] = {
	&cmd_annotate,
	&cmd_buildid_list,
	&cmd_evlist,
	&cmd_help,
	&cmd_list,
	&cmd_record,
	&cmd_report,
	&cmd_script,
	&cmd_version,
	NULL,
};
// clang-format on

/* What `perf -X` and `perf --X` become: a command. */
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

/* Options for every command, which reach it through the environment as upstream's do. */
static bool take_global_option(int *argc, char ***argv)
{
	const char *option = (*argv)[0];
	const char *value = *argc > 1 ? (*argv)[1] : NULL;
	int used = 1;

	if (!strcmp(option, "--no-pager")) {
		setenv("PERF_PAGER", "cat", 1);
	} else if (!strcmp(option, "--buildid-dir") && value) {
		setenv("PERF_BUILDID_DIR", value, 1);
		used = 2;
	} else if (!strncmp(option, "--buildid-dir=", 14)) {
		setenv("PERF_BUILDID_DIR", option + 14, 1);
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

static int run_alias(const char *option, int argc, char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		char *words[] = { (char *)aliases[i].command, (char *)aliases[i].argument, NULL };

		if (strcmp(option, aliases[i].option))
			continue;
		if (aliases[i].argument)
			return command_find(words[0])->run(2, words);
		argv[0] = words[0]; /* `perf --help record` */
		return command_find(words[0])->run(argc, argv);
	}
	fprintf(stderr, "Unknown option: %s\n", option);
	help_print_usage(stderr);
	return 129;
}

/*
 * Where a standard stream is closed, the next file would take its place: a message would then
 * land in a recording. What stands in for it refuses to be used, as a closed one does.
 */
static void hold_standard_streams(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			break;
}

/* Recordings and ELF files are mapped: to read what somebody has cut off since raises SIGBUS. */
static void on_file_cut(int signal)
{
	static const char message[] = "perf: a file became shorter while it was read: it is "
				      "written or copied at present\n";

	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(2);
	_exit(1);
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

static int run(int argc, char **argv)
{
	const struct command *command;

	while (argc && take_global_option(&argc, &argv))
		;
	if (!argc) {
		help_print_commands(stdout);
		return 1;
	}
	if (argv[0][0] == '-')
		return run_alias(argv[0], argc, argv);
	command = command_find(argv[0]);
	if (!command)
		return help_unknown_command(argv[0]);
	if (argc > 1 && !strcmp(argv[1], "--help"))
		return help_show_page(command);
	return command->run(argc, argv);
}

int main(int argc, char **argv)
{
	hold_standard_streams();
	guard_output();
	signal(SIGBUS, on_file_cut);
	return check_output(run(argc - 1, argv + 1));
}
