// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/help.h"

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/edits.h"
#include "base/types.h"
#include "base/version.h"
#include "cli/config.h"
#include "cli/options.h"
#include "options/next_perf.h"

void help_print_usage(FILE *out)
{
	fprintf(out, "\n usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n\n");
}

void help_print_commands(const struct command *const *all, FILE *out)
{
	help_print_usage(out);
	fprintf(out, " The most commonly used perf commands are:\n");
	for (int i = 0; all[i]; i++)
		fprintf(out, "   %-15s %s\n", all[i]->name, all[i]->summary);
	fprintf(out,
		"\n 'perf help -a' lists all commands, including those that another perf on PATH "
		"runs.\n See 'perf help COMMAND' for more information on a specific command.\n\n");
}

/* The page installed with this binary, in the build directory, or in the tree around it; NULL: man finds it. */
static char *page_file(const char *page)
{
	static const char *const places[] = { "../share/man/man1", "man/man1",
					      "../Documentation/man" };
	static const char *const suffixes[] = { "", ".gz" }; /* packages compress pages */
	g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *dir = exe ? g_path_get_dirname(exe) : NULL;

	for (size_t i = 0; dir && i < ARRAY_SIZE(places) * ARRAY_SIZE(suffixes); i++) {
		g_autofree char *file = g_strdup_printf("%s/%s/%s.1%s", dir,
							places[i / ARRAY_SIZE(suffixes)], page,
							suffixes[i % ARRAY_SIZE(suffixes)]);

		if (g_file_test(file, G_FILE_TEST_EXISTS))
			return g_steal_pointer(&file);
	}
	return NULL;
}

/* Returns only if the viewer cannot be started. */
static void run_viewer(const struct config *config, const char *page)
{
	const char *viewer = config_get(config, "man.viewer") ?: "man";
	g_autofree char *command_key = g_strdup_printf("man.%s.cmd", viewer);
	g_autofree char *path_key = g_strdup_printf("man.%s.path", viewer);
	const char *command = config_get(config, command_key);
	const char *path = config_get(config, path_key);

	if (command) {
		g_autofree char *quoted = g_shell_quote(page);
		g_autofree char *line = g_strdup_printf("%s %s", command, quoted);

		execl("/bin/sh", "sh", "-c", line, NULL);
	} else if (!strcmp(viewer, "man")) {
		execlp(path ?: "man", "man", page, NULL);
	} else {
		fprintf(stderr,
			"perf: man.viewer=%s needs man.%s.cmd, which is not set: using man\n",
			viewer, viewer);
		execlp("man", "man", page, NULL);
	}
}

int help_show_page(const struct config *config, const struct command *command)
{
	g_autofree char *page = command ? g_strconcat("perf-", command->name, NULL)
					: g_strdup("perf");
	g_autofree char *file = page_file(page);

	run_viewer(config, file ? file : page);
	fprintf(stderr, "perf: cannot run man to show %s: %s\n", file ? file : page,
		g_strerror(errno));
	return 1;
}

static bool is_ours(const struct command *const *all, const char *name)
{
	for (int i = 0; all[i]; i++)
		if (!strcmp(all[i]->name, name))
			return true;
	return false;
}

/* The commands of the next perf that are not ours, from its own list; NULL: no other perf. */
static char **next_commands(const struct command *const *all)
{
	g_autofree char *text = next_perf_ask("--list-cmds");
	g_auto(GStrv) words = text ? g_strsplit_set(text, " \n", -1) : NULL;
	GPtrArray *names = words ? g_ptr_array_new() : NULL;

	for (char **word = words; word && *word; word++)
		if (**word && !is_ours(all, *word))
			g_ptr_array_add(names, g_strdup(*word));
	if (!names)
		return NULL;
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

bool help_is_foreign(const struct command *const *all, const char *name, bool ask)
{
	g_auto(GStrv) next = NULL;

	if (foreign_command_find(name))
		return true;
	next = ask ? next_commands(all) : NULL;
	return next && g_strv_contains((const char *const *)next, name);
}

int help_missing_command(const char *name, bool fallback)
{
	g_autofree char *package = next_perf_package();

	if (fallback)
		fprintf(stderr,
			"perf: '%s' is a command of the kernel's perf, but no other perf is on "
			"PATH: %s\n",
			name, package);
	else
		fprintf(stderr,
			"perf: '%s' is a command of the kernel's perf, but --no-fallback or "
			"perf.fallback=false forbids to run it\n",
			name);
	return 1;
}

/* "Did you mean": the most similar names, if they are similar enough. */
static GPtrArray *look_like(const struct command *const *all, const char *name, char *const *next)
{
	GPtrArray *names = g_ptr_array_new(), *nearest = g_ptr_array_new();
	u32 least = UINT32_MAX;

	for (int i = 0; all[i]; i++)
		g_ptr_array_add(names, (char *)all[i]->name);
	for (; next && *next; next++)
		g_ptr_array_add(names, *next);
	for (u32 i = 0; i < names->len; i++)
		least = MIN(least, edits_between(name, names->pdata[i]));
	for (u32 i = 0; i < names->len && least <= strlen(name) / 2; i++)
		if (edits_between(name, names->pdata[i]) == least)
			g_ptr_array_add(nearest, names->pdata[i]);
	g_ptr_array_unref(names);
	return nearest;
}

/* help.autocorrect: tenths of a second to wait before the command is run; below 0: run at once. */
static bool autocorrects(const struct config *config, const char *name, const char *meant)
{
	const char *text = config_get(config, "help.autocorrect");
	long tenths = text ? strtol(text, NULL, 10) : 0;

	if (!tenths)
		return false;
	fprintf(stderr,
		"WARNING: there is no perf command '%s': going on with '%s', which looks like it",
		name, meant);
	if (tenths > 0) {
		fprintf(stderr, ", in %ld.%ld s\n", tenths / 10, tenths % 10);
		g_usleep((gulong)MIN(tenths, 600) * 100000);
	} else {
		fputc('\n', stderr);
	}
	return true;
}

int help_unknown_command(const struct command *const *all, const struct config *config,
			 const char *name, bool fallback, const char **meant)
{
	g_auto(GStrv) next = fallback ? next_commands(all) : NULL;
	g_autoptr(GPtrArray) nearest = strlen(name) <= 32 ? look_like(all, name, next) : NULL;

	if (nearest && nearest->len == 1 && autocorrects(config, name, nearest->pdata[0])) {
		*meant = g_intern_string(nearest->pdata[0]);
		return 0;
	}
	fprintf(stderr, "perf: '%s' is not a perf-command. See 'perf --help'.\n", name);
	for (u32 i = 0; nearest && i < nearest->len; i++)
		fprintf(stderr, "%s\t%s\n", i ? "" : "\nDid you mean this?\n",
			(const char *)nearest->pdata[i]);
	return 1;
}

/* Our commands, and those that the next perf runs for us. */
static void list_commands(const struct command *const *all, bool fallback)
{
	g_auto(GStrv) next = fallback ? next_commands(all) : NULL;

	for (int i = 0; all[i]; i++)
		printf("%s ", all[i]->name);
	for (char **name = next; name && *name; name++)
		printf("%s ", *name);
	printf("\n");
}

static void print_next_commands(const struct command *const *all)
{
	char *words[] = { (char *)"--list-cmds", NULL };
	g_auto(GStrv) next = next_commands(all);
	g_autofree char *path = next_perf_find(words), *version = next_perf_ask("--version");

	if (!next) {
		g_autofree char *package = next_perf_package();

		printf("\n Commands of the kernel's perf, which is not installed (%s):\n", package);
		for (const struct foreign_command *c = foreign_commands; c->name; c++)
			if (!is_ours(all, c->name))
				printf("   %-15s %s\n", c->name, c->summary);
		return;
	}
	printf("\n Commands that %s (%s) runs:\n", path, version ?: "unknown version");
	for (char **name = next; *name; name++) {
		const struct foreign_command *known = foreign_command_find(*name);

		printf("   %-15s %s\n", *name, known ? known->summary : "");
	}
}

static void print_all_commands(const struct command *const *all, bool fallback)
{
	help_print_usage(stdout);
	printf(" Commands of this perf (version %s):\n", version_text);
	for (int i = 0; all[i]; i++)
		printf("   %-15s %s\n", all[i]->name, all[i]->summary);
	if (fallback)
		print_next_commands(all);
	printf("\n See 'perf help COMMAND' for more information on a specific command.\n\n");
}

struct help_options {
	bool all, list_cmds;
};

#define AT(member) offsetof(struct help_options, member)

static const struct option_row rows[] = {
	{ 'a', "all", OPT_FLAG, NULL,
	  "print all commands: those of this perf, and those of the other perf on PATH", AT(all) },
	{ 0, "list-cmds", OPT_FLAG, NULL, "print the names of all commands, for shell completion",
	  AT(list_cmds), .flags = OPT_NO_NEGATE },
};
static const char *const usage[] = { "perf help [<options>] [<command>]", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

int help_run(const struct command *const *all, const struct config *config, int argc, char **argv)
{
	struct help_options opts = { 0 };
	bool fallback;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	fallback = config_get_bool(config, "perf.fallback", true);
	if (opts.list_cmds)
		list_commands(all, fallback);
	else if (opts.all)
		print_all_commands(all, fallback);
	else if (!argc)
		help_print_commands(all, stdout);
	else if (!strcmp(argv[0], "perf"))
		return help_show_page(config, NULL);
	if (opts.list_cmds || opts.all || !argc)
		return 0;
	for (int i = 0; all[i]; i++)
		if (!strcmp(all[i]->name, argv[0]))
			return help_show_page(config, all[i]);
	return help_unknown_command(all, config, argv[0], fallback, &(const char *){ NULL });
}
