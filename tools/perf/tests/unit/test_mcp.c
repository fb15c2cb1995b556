// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages of the Model Context Protocol, and what hostile ones do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "mcp/server.h"

static void list(void *arg, struct json_out *j)
{
	json_out_begin(j, '{');
	json_out_key(j, "name");
	json_out_text(j, "say");
	json_out_end(j, '}');
}

static enum mcp_outcome call(void *arg, const char *tool, const struct json_value *arguments,
			     GString *text)
{
	const char *word = value_string(value_member(arguments, "word"));

	if (strcmp(tool, "say") != 0)
		return MCP_NO_TOOL;
	g_string_append(text, word ?: "nothing to say");
	return word ? MCP_ANSWER : MCP_FAILED;
}

static const struct mcp_server server = {
	.name = "n", .version = "1", .instructions = "i", .list = list, .call = call
};

static void assert_answer(const char *message, const char *expect)
{
	g_autoptr(GString) out = g_string_new(NULL);

	mcp_server_take(&server, message, strlen(message), out);
	assert_string_equal(out->str, expect);
}

/* The answer is one line that has @part. */
static void assert_part(const char *message, size_t size, const char *part)
{
	g_autoptr(GString) out = g_string_new(NULL);

	mcp_server_take(&server, message, size, out);
	assert_non_null(strstr(out->str, part));
	assert_ptr_equal(strchr(out->str, '\n'), out->str + out->len - 1);
}

#define HEAD	      "{\"jsonrpc\":\"2.0\","
#define META(version) "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" version "\"}"

static void older_clients_shake_hands(void **state)
{
	static const struct {
		const char *asked, *got;
	} rows[] = {
		{ "2025-11-25", "2025-11-25" }, { "2025-06-18", "2025-06-18" },
		{ "2024-11-05", "2024-11-05" }, { "2025-03-26", "2025-11-25" }, /* has batches */
		{ "2026-07-28", "2025-11-25" }, { "1999-01-01", "2025-11-25" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		g_autofree char *message =
			g_strdup_printf(HEAD "\"id\":1,\"method\":\"initialize\",\"params\":{"
					     "\"protocolVersion\":\"%s\"}}",
					rows[i].asked);
		g_autofree char *expect = g_strdup_printf(
			HEAD
			"\"id\":1,\"result\":{\"protocolVersion\":\"%s\",\"serverInfo\":{\"name\":"
			"\"n\",\"version\":\"1\"},\"capabilities\":{\"tools\":{}},"
			"\"instructions\":\"i\"}}\n",
			rows[i].got);

		assert_answer(message, expect);
	}
	assert_answer(HEAD "\"method\":\"notifications/initialized\"}", "");
	assert_answer(HEAD "\"id\":\"p\",\"method\":\"ping\"}",
		      HEAD "\"id\":\"p\",\"result\":{}}\n");
}

static void modern_clients_state_the_version_in_each_request(void **state)
{
	static const char discover[] = HEAD
		"\"id\":1,\"method\":\"server/discover\",\"params\":{" META("2026-07-28") "}}";
	static const char list_now[] = HEAD
		"\"id\":2,\"method\":\"tools/list\",\"params\":{" META("2026-07-28") "}}";
	static const char unknown[] = HEAD
		"\"id\":3,\"method\":\"tools/list\",\"params\":{" META("1999-01-01") "}}";

	assert_part(discover, strlen(discover), "\"supportedVersions\":[\"2026-07-28\",");
	assert_part(list_now, strlen(list_now),
		    "\"resultType\":\"complete\",\"tools\":[{\"name\":\"say\"}],\"ttlMs\":");
	assert_part(unknown, strlen(unknown),
		    "\"code\":-32022,\"message\":\"Unsupported protocol version\",\"data\":{"
		    "\"supported\":[\"2026-07-28\",");
}

#define CALL(id, arguments)                                                                        \
	HEAD "\"id\":" id                                                                          \
	     ",\"method\":\"tools/call\",\"params\":{\"name\":\"say\",\"arguments\":" arguments    \
	     "}}"

static void tools_answer_or_fail(void **state)
{
	assert_answer(CALL("7", "{\"word\":\"a\\\"b\"}"), HEAD
		      "\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a\\\"b\"}],"
		      "\"isError\":false}}\n");
	/* What is wrong with arguments is told to the model. */
	assert_part(CALL("7", "{}"), strlen(CALL("7", "{}")), "\"isError\":true");
	assert_part(CALL("7", "[]"), strlen(CALL("7", "[]")), "\"code\":-32602");
	assert_answer(HEAD "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":8}}",
		      "");
}

static void wrong_messages_get_an_error_and_notifications_none(void **state)
{
	static const struct {
		const char *message, *part;
	} rows[] = {
		{ "garbage", "\"code\":-32700" },
		{ "{", "\"code\":-32700" },
		{ "{} {}", "\"code\":-32700" },
		{ "\"\xff\"", "\"code\":-32700" },
		{ "1", "\"code\":-32600" },
		{ "[]", "\"code\":-32600" },
		/* No version that is served has batches. */
		{ "[" HEAD "\"id\":1,\"method\":\"ping\"}]", "\"code\":-32600" },
		{ "{\"id\":1,\"method\":\"ping\"}", "\"id\":1,\"error\":{\"code\":-32600" },
		{ HEAD "\"id\":null,\"method\":\"ping\"}", "\"code\":-32600" },
		{ HEAD "\"id\":1.5,\"method\":\"ping\"}", "\"code\":-32600" },
		{ HEAD "\"id\":1,\"method\":7}", "\"code\":-32600" },
		{ HEAD "\"id\":1,\"method\":\"ping\",\"params\":[]}", "\"code\":-32600" },
		{ HEAD "\"id\":1,\"method\":\"resources/list\"}", "\"code\":-32601" },
		{ HEAD "\"id\":1,\"method\":\"initialize\"}", "\"code\":-32602" },
		{ HEAD "\"id\":1,\"method\":\"tools/call\"}", "\"code\":-32602" },
		{ HEAD "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"no\"}}",
		  "\"code\":-32602" },
		{ HEAD "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"s\\u0000\"}}",
		  "\"code\":-32602" },
		{ HEAD "\"id\":1,\"method\":\"tools/list\",\"params\":{\"cursor\":\"x\"}}",
		  "\"code\":-32602" },
		/* As written, however long. */
		{ HEAD "\"id\":123456789012345678901234567890,\"method\":\"ping\"}",
		  "\"id\":123456789012345678901234567890,\"result\"" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		assert_part(rows[i].message, strlen(rows[i].message), rows[i].part);
	assert_part("{}\0", 3, "\"code\":-32700");
	assert_answer(" \t\r", "");
	assert_answer(HEAD "\"method\":\"tools/call\",\"params\":{\"name\":\"say\"}}", "");
	/* An answer to a request that nobody sent. */
	assert_answer(HEAD "\"id\":1,\"result\":{}}", "");
}

static void deep_and_long_messages_are_refused(void **state)
{
	g_autoptr(GString) deep = g_string_new(NULL);
	g_autofree char *many = g_strnfill(VALUE_MAX_SIZE + 1, '[');

	for (u32 i = 0; i < 100000; i++)
		g_string_append(deep, i & 1 ? "{\"a\":" : "[");
	assert_part(deep->str, deep->len, "nested too deep");
	assert_part(many, VALUE_MAX_SIZE + 1, "longer than 1 MiB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(older_clients_shake_hands),
		cmocka_unit_test(modern_clients_state_the_version_in_each_request),
		cmocka_unit_test(tools_answer_or_fail),
		cmocka_unit_test(wrong_messages_get_an_error_and_notifications_none),
		cmocka_unit_test(deep_and_long_messages_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
