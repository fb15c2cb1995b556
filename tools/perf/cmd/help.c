// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/help.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "base/edits.h"
#include "base/types.h"
#include "cli/options.h"

void help_print_usage(FILE *out)
{
	fprintf(out, "\n usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n\n");
}

void help_print_commands(FILE *out)
{
	help_print_usage(out);
	fprintf(out, " The most commonly used perf commands are:\n");
	for (int i = 0; commands[i]; i++)
		fprintf(out, "   %-15s %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out, "\n See 'perf help COMMAND' for more information on a specific command.\n\n");
}

/* The page beside this binary, installed or in the build's folder; NULL: leave it to man. */
static char *page_file(const char *page)
{
	static const char *const places[] = { "../share/man/man1", "man/man1" };
	g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *dir = exe ? g_path_get_dirname(exe) : NULL;

	for (size_t i = 0; dir && i < ARRAY_SIZE(places); i++) {
		g_autofree char *file = g_strdup_printf("%s/%s/%s.1", dir, places[i], page);

		if (g_file_test(file, G_FILE_TEST_EXISTS))
			return g_steal_pointer(&file);
	}
	return NULL;
}

int help_show_page(const struct command *command)
{
	g_autofree char *page = command ? g_strconcat("perf-", command->name, NULL)
					: g_strdup("perf");
	g_autofree char *file = page_file(page);

	execlp("man", "man", file ? file : page, NULL);
	fprintf(stderr, "perf: cannot run man to show %s: %s\n", file ? file : page,
		g_strerror(errno));
	return 1;
}

int help_unknown_command(const char *name)
{
	u32 least = UINT32_MAX;
	bool any = false;

	fprintf(stderr, "perf: '%s' is not a perf-command. See 'perf --help'.\n", name);
	if (strlen(name) > 32)
		return 1;
	for (int i = 0; commands[i]; i++)
		least = MIN(least, edits_between(name, commands[i]->name));
	for (int i = 0; commands[i]; i++) {
		if (least > strlen(name) / 2 || edits_between(name, commands[i]->name) != least)
			continue;
		if (!any)
			fprintf(stderr, "\nDid you mean this?\n");
		any = true;
		fprintf(stderr, "\t%s\n", commands[i]->name);
	}
	return 1;
}

static void list_commands(void)
{
	for (int i = 0; commands[i]; i++)
		printf("%s ", commands[i]->name);
	printf("\n");
}

struct help_options {
	bool list_cmds;
};

static const struct option_row rows[] = {
	{ 0, "list-cmds", OPT_FLAG, NULL, "print the names of all commands, for shell completion",
	  offsetof(struct help_options, list_cmds), .flags = OPT_NO_NEGATE },
};
static const char *const usage[] = { "perf help [<command>]", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

static int help_run(int argc, char **argv)
{
	struct help_options opts = { 0 };
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (opts.list_cmds) {
		list_commands();
		return 0;
	}
	if (!argc) {
		help_print_commands(stdout);
		return 0;
	}
	if (!strcmp(argv[0], "perf"))
		return help_show_page(NULL);
	for (int i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, argv[0]))
			return help_show_page(commands[i]);
	return help_unknown_command(argv[0]);
}

const struct command cmd_help = { "help", "Show the manual of a command", help_run };
