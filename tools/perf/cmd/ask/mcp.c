// SPDX-License-Identifier: GPL-2.0-or-later
/* perf mcp: the questions of ask.h for agents, by the Model Context Protocol on standard input and output. */
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "cmd/ask/ask_options.h"
#include "cmd/cmd.h"
#include "mcp/server.h"
#include "perfdata/read/reader.h"

struct mcp_options {
	struct report_options reading;
	GPtrArray *inputs;
};

#define AT(member) offsetof(struct mcp_options, member)

static const struct option_row rows[] = {
	{ 'i', "input", OPT_LIST, "file",
	  "input file name, as an argument (tables on a server cannot be asked yet)", AT(inputs) },
	ASK_OPTION_ROWS(AT(reading)),
};

static const char *const usage[] = { "perf mcp [<options>] [FILE...]", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

static const char instructions[] = "Profiles of programs: which request (span), data type, field, "
				   "function or lock the time went to. Begin with about: it says "
				   "what the recording covers and cannot answer. Then top; each "
				   "row has a handle, which drill continues from, and which "
				   "where= takes. Percentages are of all samples unless an answer "
				   "says otherwise. left_out says how many rows, and which share, "
				   "did not fit: ask with more rows or bytes, or within a handle. "
				   "compare says which differences are certain. derive shows why "
				   "a type is claimed.";

static void list_arguments(struct json_out *j, const struct ask_tool *tool)
{
	const struct ask_argument *argument;

	json_out_open(j, "properties", '{');
	for (u32 i = 0; (argument = ask_tool_argument(tool, i)); i++) {
		json_out_open(j, argument->name, '{');
		json_out_pair(j, "type", argument->is_number ? "number" : "string");
		json_out_pair(j, "description", argument->help);
		json_out_end(j, '}');
	}
	json_out_end(j, '}');
}

static void list_annotations(struct json_out *j)
{
	static const struct {
		const char *name;
		bool value;
	} all[] = { { "readOnlyHint", true },
		    { "idempotentHint", true },
		    { "openWorldHint", false } };

	json_out_open(j, "annotations", '{');
	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		json_out_key(j, all[i].name);
		json_out_bool(j, all[i].value);
	}
	json_out_end(j, '}');
}

static void list_tools(void *arg, struct json_out *j)
{
	const struct ask_tool *tool;

	for (u32 i = 0; (tool = ask_tool_at(i)); i++) {
		json_out_begin(j, '{');
		json_out_pair(j, "name", tool->name);
		json_out_pair(j, "title", tool->title);
		json_out_pair(j, "description", tool->help);
		json_out_open(j, "inputSchema", '{');
		json_out_pair(j, "type", "object");
		list_arguments(j, tool);
		json_out_key(j, "additionalProperties");
		json_out_bool(j, false);
		json_out_end(j, '}');
		list_annotations(j);
		json_out_end(j, '}');
	}
}

/* A list of texts is one text with commas. NULL: the value is no text, number or list of them. */
static char *argument_text(const struct json_value *value)
{
	GString *all;

	if (value_is_number(value, false))
		return g_strdup(value->text->str);
	if (value->kind != VALUE_ARRAY)
		return g_strdup(value_string(value));
	all = g_string_new(NULL);
	for (const struct json_value *v = value->first; v; v = v->next) {
		if (!value_string(v)) {
			g_string_free(all, TRUE);
			return NULL;
		}
		g_string_append_printf(all, "%s%s", all->len ? "," : "", v->text->str);
	}
	return g_string_free(all, FALSE);
}

/* The arguments by name. NULL with @error. */
static GHashTable *take_arguments(const struct json_value *object, GError **error)
{
	g_autoptr(GHashTable) all = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);

	for (const struct json_value *v = object ? object->first : NULL; v; v = v->next) {
		char *text;

		if (v->kind == VALUE_WORD && !strcmp(v->text->str, "null"))
			continue;
		text = argument_text(v);
		if (!text) {
			error_set(error, PERF_ERROR_USAGE,
				  "%s: expected a text or a number, not an object, true or false",
				  v->key);
			return NULL;
		}
		g_hash_table_insert(all, v->key, text);
	}
	return g_steal_pointer(&all);
}

#define MAX_ERROR 2048 /* bytes */

static enum mcp_outcome call(void *arg, const char *name, const struct json_value *object,
			     GString *text)
{
	const struct ask_tool *tool = ask_tool_find(name);
	g_autoptr(GHashTable) arguments = NULL;
	g_autoptr(GError) error = NULL;

	if (!tool)
		return MCP_NO_TOOL;
	arguments = take_arguments(object, &error);
	if (arguments && ask_run(arg, tool, arguments, text, &error))
		return MCP_ANSWER;
	g_string_append_len(text, error->message, (gssize)MIN(strlen(error->message), MAX_ERROR));
	return MCP_FAILED;
}

/* One that is too long is read to its end, and kept as far as it shows that. False: the input ends. */
static bool read_line(GString *line)
{
	int c;

	g_string_truncate(line, 0);
	while ((c = getc_unlocked(stdin)) != EOF && c != '\n')
		if (line->len <= VALUE_MAX_SIZE)
			g_string_append_c(line, (char)c);
	return c != EOF || line->len;
}

/* False, after a message: this build cannot read JSON. */
static bool can_serve(void)
{
	g_autoptr(GError) error = NULL;
	struct json_value *value = value_parse("{}", 2, &error);

	if (!value)
		fprintf(stderr, "perf mcp: %s\n", error->message);
	value_free(value);
	return !error;
}

/* Until the input ends, or nobody reads the answers. */
static int serve(const struct mcp_server *server)
{
	g_autoptr(GString) line = g_string_new(NULL);
	g_autoptr(GString) out = g_string_new(NULL);

	while (read_line(line)) {
		g_string_truncate(out, 0);
		mcp_server_take(server, line->str, line->len, out);
		fwrite(out->str, 1, out->len, stdout);
		if (fflush(stdout))
			return 1;
	}
	return 0;
}

static int run(struct mcp_options *o, const struct config *config)
{
	const struct ask_options options = { .config = config,
					     .reading = &o->reading,
					     .paths = o->inputs };
	const struct mcp_server server = { .name = "perf",
					   .version = version_text,
					   .instructions = instructions,
					   .list = list_tools,
					   .call = call,
					   .arg = ask_new(&options) };
	int status = serve(&server);

	ask_free(server.arg);
	return status;
}

static int mcp_run(const struct config *config, int argc, char **argv)
{
	struct mcp_options opts = { 0 };
	g_autoptr(GError) error = NULL;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (!can_serve())
		return 255;
	if (!opts.inputs)
		opts.inputs = g_ptr_array_new();
	for (int i = 0; i < argc; i++)
		g_ptr_array_add(opts.inputs, argv[i]);
	if (!opts.inputs->len)
		g_ptr_array_add(opts.inputs, (void *)perfdata_default_path());
	status = ask_reading_complete(&opts.reading, &error)
			 ? run(&opts, config)
			 : options_wrong(&spec, "%s", error->message);
	span_options_release(&opts.reading.spans);
	g_ptr_array_unref(opts.inputs);
	return status;
}

const struct command cmd_mcp = {
	"mcp", "Answer questions of agents about recordings (Model Context Protocol)", mcp_run
};
