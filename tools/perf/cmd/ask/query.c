// SPDX-License-Identifier: GPL-2.0-or-later
/* perf query: one question of those of perf mcp, for scripts. */
#include <stdio.h>
#include <string.h>

#include "cmd/ask/ask_options.h"
#include "cmd/cmd.h"
#include "perfdata/read/reader.h"

struct query_options {
	struct report_options reading;
	GPtrArray *inputs;
	const char *budget;
	bool list;
};

#define AT(member) offsetof(struct query_options, member)

static const struct option_row rows[] = {
	{ 'i', "input", OPT_LIST, "file",
	  "input file name; several: the first is asked about, the others for compare (tables on a "
	  "server cannot be asked yet)",
	  AT(inputs) },
	{ 0, "budget", OPT_STRING, "bytes",
	  "At most this many bytes of answer, such as 4k (default 8k)", AT(budget) },
	{ 0, "list", OPT_FLAG, NULL, "List the questions and their arguments", AT(list) },
	ASK_OPTION_ROWS(AT(reading)),
};

static const char *const usage[] = { "perf query [<options>] QUESTION [ARGUMENT=TEXT...] [FILE]",
				     "perf query --list", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

static void print_arguments(const struct ask_tool *tool, bool of_all)
{
	const struct ask_argument *argument;

	for (u32 i = 0; (argument = ask_tool_argument(tool, i)); i++)
		if (argument->of_all == of_all)
			printf("\t%s=\t%s\n", argument->name, argument->help);
}

static void print_tools(void)
{
	const struct ask_tool *tool;

	for (u32 i = 0; (tool = ask_tool_at(i)); i++) {
		printf("%s\n\t%s\n", tool->name, tool->help);
		print_arguments(tool, false);
	}
	printf("All of them:\n");
	print_arguments(ask_tool_at(0), true);
}

/* ARGUMENT=TEXT; a last word without "=" is the recording. False: it is neither. */
static bool take_word(struct query_options *o, GHashTable *arguments, char *word, bool last)
{
	char *equals = strchr(word, '=');

	if (equals && equals > word && !memchr(word, '/', (size_t)(equals - word))) {
		*equals = '\0';
		g_hash_table_insert(arguments, word, equals + 1);
		return true;
	}
	if (!last || o->inputs->len)
		return false;
	g_ptr_array_add(o->inputs, word);
	return true;
}

static bool take_words(struct query_options *o, GHashTable *arguments, int argc, char **argv)
{
	if (!o->inputs)
		o->inputs = g_ptr_array_new();
	for (int i = 1; i < argc; i++)
		if (!take_word(o, arguments, argv[i], i == argc - 1))
			return false;
	if (!o->inputs->len)
		g_ptr_array_add(o->inputs, (void *)perfdata_default_path());
	if (o->budget)
		g_hash_table_insert(arguments, "bytes", (void *)o->budget);
	return true;
}

static int answer(const struct query_options *o, const struct config *config,
		  const struct ask_tool *tool, GHashTable *arguments)
{
	const struct ask_options options = { .config = config,
					     .reading = &o->reading,
					     .paths = o->inputs };
	struct ask *ask = ask_new(&options);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	bool ok = ask_run(ask, tool, arguments, text, &error);

	if (ok)
		puts(text->str);
	else
		fprintf(stderr, "%s\n", error->message);
	ask_free(ask);
	return ok ? 0 : 255;
}

static int no_question(void)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (u32 i = 0; ask_tool_at(i); i++)
		g_string_append_printf(names, " %s", ask_tool_at(i)->name);
	return options_wrong(&spec, "expected a question:%s", names->str);
}

static int run(struct query_options *o, const struct config *config, int argc, char **argv)
{
	g_autoptr(GHashTable) arguments = g_hash_table_new(g_str_hash, g_str_equal);
	const struct ask_tool *tool = argc ? ask_tool_find(argv[0]) : NULL;
	g_autoptr(GError) error = NULL;

	if (!tool)
		return no_question();
	if (!take_words(o, arguments, argc, argv))
		return options_wrong(&spec, "expected ARGUMENT=TEXT, and at most one recording");
	if (!ask_reading_complete(&o->reading, &error))
		return options_wrong(&spec, "%s", error->message);
	return answer(o, config, tool, arguments);
}

static int query_run(const struct config *config, int argc, char **argv)
{
	struct query_options opts = { 0 };
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (opts.list || (argc == 1 && !strcmp(argv[0], "help"))) {
		print_tools();
		return 0;
	}
	status = run(&opts, config, argc, argv);
	span_options_release(&opts.reading.spans);
	g_clear_pointer(&opts.inputs, g_ptr_array_unref);
	return status;
}

const struct command cmd_query = { "query",
				   "Answer a question about a recording as JSON of a limited size",
				   query_run };
