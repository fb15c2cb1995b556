// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages of a client of the Model Context Protocol, one a line: each answer is a line of JSON. Their handles are read, too. */
#include <stdlib.h>
#include <string.h>

#include "ask/handle.h"
#include "mcp/server.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void list(void *arg, struct json_out *j)
{
	json_out_null(j);
}

/* What is read as conditions is written and read as the same. */
static void read_handle(const char *handle)
{
	g_autoptr(GArray) terms = terms_new();
	g_autoptr(GArray) again = terms_new();
	g_autoptr(GString) text = g_string_new(NULL);

	if (!handle_parse(handle, terms, NULL))
		return;
	for (u32 i = 0; i < terms->len; i++)
		if (terms_at(terms, i)->exact)
			handle_append(text, terms_at(terms, i)->field->name,
				      terms_at(terms, i)->exact);
	if (text->len && !handle_parse(text->str, again, NULL))
		abort();
	g_free(handle_last_key(handle));
}

static enum mcp_outcome call(void *arg, const char *tool, const struct json_value *arguments,
			     GString *text)
{
	const char *handle = value_string(value_member(arguments, "handle"));

	if (handle)
		read_handle(handle);
	g_string_append(text, tool);
	return *tool ? MCP_ANSWER : MCP_NO_TOOL;
}

static void take(const struct mcp_server *server, const char *line, size_t size)
{
	g_autofree char *message = g_strndup(line, size);
	g_autoptr(GString) out = g_string_new(NULL);
	struct json_value *answer;

	mcp_server_take(server, message, strlen(message), out);
	if (!out->len)
		return;
	answer = value_parse(out->str, out->len, NULL);
	if (!answer || strchr(out->str, '\n') != out->str + out->len - 1)
		abort();
	value_free(answer);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct mcp_server server = {
		.name = "n", .version = "1", .instructions = "i", .list = list, .call = call
	};
	const char *line = (const char *)data, *end = line + size;

	while (line < end) {
		const char *next = memchr(line, '\n', (size_t)(end - line)) ?: end;

		take(&server, line, (size_t)(next - line));
		line = next + 1;
	}
	return 0;
}
