// SPDX-License-Identifier: GPL-2.0-or-later
#include "mcp/server.h"

#include <string.h>

/* Codes of errors: of JSON-RPC 2.0, and of MCP. */
enum {
	PARSE_ERROR = -32700,
	INVALID_REQUEST = -32600,
	METHOD_NOT_FOUND = -32601,
	INVALID_PARAMS = -32602,
	UNSUPPORTED_VERSION = -32022,
};

#define META   "io.modelcontextprotocol/"
#define MODERN "2026-07-28"

/* The newest first. */
static const char *const versions[] = { MODERN, "2025-11-25", "2025-06-18", "2024-11-05" };

/* A message that is being answered. */
struct request {
	const struct mcp_server *server;
	const struct json_value *id; /* NULL: it has none, or it cannot be read */
	const struct json_value *params;
	bool modern;
	struct json_out json; /* the answer; empty: there is none */
};

/* What an id may be. */
static bool is_id(const struct json_value *v)
{
	return v && (v->kind == VALUE_STRING || value_is_number(v, true));
}

/* Appends members or values as they are. */
static void append(struct json_out *j, const char *text)
{
	g_string_append_printf(j->text, "%s%s", j->comma ? "," : "", text);
	j->comma = true;
}

/* An id that cannot be read is left out, as MCP's schema wants it. */
static void begin(struct request *r, const char *key)
{
	struct json_out *j = &r->json;

	json_out_begin(j, '{');
	append(j, "\"jsonrpc\":\"2.0\"");
	if (r->id) {
		json_out_key(j, "id");
		if (r->id->kind == VALUE_STRING)
			json_out_text_size(j, r->id->text->str, r->id->text->len);
		else /* as written: it may be longer than 64 bits */
			append(j, r->id->text->str);
	}
	json_out_open(j, key, '{');
}

static void end(struct request *r)
{
	json_out_end(&r->json, '}');
	json_out_end(&r->json, '}');
}

static void begin_result(struct request *r)
{
	begin(r, "result");
	if (r->modern)
		append(&r->json, "\"resultType\":\"complete\"");
}

/* Begins the error, an object that may get "data". */
static void begin_error(struct request *r, int code, const char *message)
{
	begin(r, "error");
	json_out_key(&r->json, "code");
	json_out_s64(&r->json, code);
	json_out_pair(&r->json, "message", message);
}

static void fail(struct request *r, int code, const char *message)
{
	begin_error(r, code, message);
	end(r);
}

static void write_server_info(struct request *r, const char *key)
{
	json_out_open(&r->json, key, '{');
	json_out_pair(&r->json, "name", r->server->name);
	json_out_pair(&r->json, "version", r->server->version);
	json_out_end(&r->json, '}');
}

static void write_capabilities(struct request *r)
{
	append(&r->json, "\"capabilities\":{\"tools\":{}}");
	json_out_pair(&r->json, "instructions", r->server->instructions);
}

/* What a modern client may keep for an hour. */
static void write_caching(struct request *r)
{
	if (r->modern)
		append(&r->json, "\"ttlMs\":3600000,\"cacheScope\":\"private\"");
}

static void write_versions(struct request *r, const char *key)
{
	json_out_open(&r->json, key, '[');
	for (u32 i = 0; i < ARRAY_SIZE(versions); i++)
		json_out_text(&r->json, versions[i]);
	json_out_end(&r->json, ']');
}

static bool is_known(const char *version)
{
	for (u32 i = 0; i < ARRAY_SIZE(versions); i++)
		if (!g_strcmp0(version, versions[i]))
			return true;
	return false;
}

/* A client that asks for a version that is not known, or for a modern one, gets the newest one with a handshake. */
static void initialize(struct request *r)
{
	const char *asked = value_string(value_member(r->params, "protocolVersion"));
	bool has = asked && is_known(asked) && strcmp(asked, MODERN) != 0;

	if (!asked) {
		fail(r, INVALID_PARAMS, "initialize: protocolVersion must be a string");
		return;
	}
	begin_result(r);
	json_out_pair(&r->json, "protocolVersion", has ? asked : versions[1]);
	write_server_info(r, "serverInfo");
	write_capabilities(r);
	end(r);
}

static void discover(struct request *r)
{
	r->modern = true; /* only modern versions have it */
	begin_result(r);
	write_versions(r, "supportedVersions");
	write_capabilities(r);
	write_caching(r);
	json_out_open(&r->json, "_meta", '{');
	write_server_info(r, META "serverInfo");
	json_out_end(&r->json, '}');
	end(r);
}

static void ping(struct request *r)
{
	begin_result(r);
	end(r);
}

static void list_tools(struct request *r)
{
	/* All tools are on the first page, so there is no cursor that could be right. */
	if (value_member(r->params, "cursor")) {
		fail(r, INVALID_PARAMS, "tools/list: there is no such cursor");
		return;
	}
	begin_result(r);
	json_out_open(&r->json, "tools", '[');
	r->server->list(r->server->arg, &r->json);
	json_out_end(&r->json, ']');
	write_caching(r);
	end(r);
}

static void write_call(struct request *r, const GString *text, bool failed)
{
	begin_result(r);
	json_out_open(&r->json, "content", '[');
	json_out_begin(&r->json, '{');
	json_out_pair(&r->json, "type", "text");
	json_out_key(&r->json, "text");
	json_out_text_size(&r->json, text->str, text->len);
	json_out_end(&r->json, '}');
	json_out_end(&r->json, ']');
	json_out_key(&r->json, "isError");
	json_out_bool(&r->json, failed);
	end(r);
}

static void call_tool(struct request *r)
{
	const char *name = value_string(value_member(r->params, "name"));
	const struct json_value *arguments = value_member(r->params, "arguments");
	g_autoptr(GString) text = g_string_new(NULL);
	enum mcp_outcome outcome;

	if (!name || (arguments && arguments->kind != VALUE_OBJECT)) {
		fail(r, INVALID_PARAMS,
		     "tools/call: name must be a string, and arguments an object");
		return;
	}
	outcome = r->server->call(r->server->arg, name, arguments, text);
	if (outcome == MCP_NO_TOOL)
		fail(r, INVALID_PARAMS, "tools/call: there is no tool of this name");
	else
		write_call(r, text, outcome == MCP_FAILED);
}

static const struct {
	const char *name;
	void (*run)(struct request *r);
} methods[] = {
	{ "initialize", initialize }, { "server/discover", discover }, { "ping", ping },
	{ "tools/list", list_tools }, { "tools/call", call_tool },
};

/* The version that the request states in its own metadata. False: it was answered by an error. */
static bool take_version(struct request *r)
{
	const struct json_value *stated =
		value_member(value_member(r->params, "_meta"), META "protocolVersion");
	const char *version = value_string(stated);

	r->modern = version != NULL;
	if (!stated || is_known(version))
		return true;
	begin_error(r, UNSUPPORTED_VERSION, "Unsupported protocol version");
	json_out_open(&r->json, "data", '{');
	write_versions(r, "supported");
	json_out_pair(&r->json, "requested", version ?: "");
	json_out_end(&r->json, '}');
	end(r);
	return false;
}

static void run(struct request *r, const char *method)
{
	if (!take_version(r))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(methods); i++)
		if (!strcmp(methods[i].name, method)) {
			methods[i].run(r);
			return;
		}
	fail(r, METHOD_NOT_FOUND, "there is no such method");
}

/* The answer to a request that was never sent. */
static bool is_answer(const struct json_value *message)
{
	return !value_member(message, "method") &&
	       (value_member(message, "result") || value_member(message, "error"));
}

static void answer(struct request *r, const struct json_value *message)
{
	const struct json_value *id = value_member(message, "id");
	const char *method = value_string(value_member(message, "method"));
	const char *version = value_string(value_member(message, "jsonrpc"));

	if (is_answer(message))
		return;
	r->id = is_id(id) ? id : NULL;
	r->params = value_member(message, "params");
	if (!method || g_strcmp0(version, "2.0") || (id && !r->id) ||
	    (r->params && r->params->kind != VALUE_OBJECT))
		fail(r, INVALID_REQUEST,
		     "not a request of JSON-RPC 2.0 with a string or integer as its id, and an "
		     "object as its params");
	else if (
		id) /* else a notification: initialized, or a cancellation of what has been answered */
		run(r, method);
}

static bool is_blank(const char *message, size_t size)
{
	return strspn(message, " \t\r") == size;
}

void mcp_server_take(const struct mcp_server *s, const char *text, size_t size, GString *out)
{
	struct request r = { .server = s };
	g_autoptr(GError) error = NULL;
	struct json_value *message;

	if (is_blank(text, size))
		return;
	message = value_parse(text, size, &error);
	json_out_init(&r.json, NULL);
	r.json.one_line = true;
	if (message)
		answer(&r, message);
	else
		fail(&r, PARSE_ERROR, error->message);
	if (r.json.text->len)
		g_string_append_printf(out, "%s\n", r.json.text->str);
	json_out_release(&r.json);
	value_free(message);
}
