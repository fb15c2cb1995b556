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

#define META		 "io.modelcontextprotocol/"
#define MODERN		 "2026-07-28"
#define LIST_IS_VALID_MS 3600000

/* The newest first. */
static const char *const versions[] = { MODERN, "2025-11-25", "2025-06-18", "2024-11-05" };

struct mcp_server {
	const struct mcp_server_options *o;
	const struct json_value *current; /* id of the request that runs; NULL: none */
};

/* A message that is being answered. */
struct request {
	struct mcp_server *server;
	const struct json_value *id; /* NULL: a notification */
	const struct json_value *params;
	bool modern;
	struct json_out *json; /* the answer */
	bool silent;	       /* there is no answer */
};

struct mcp_server *mcp_server_new(const struct mcp_server_options *o)
{
	struct mcp_server *s = g_new0(struct mcp_server, 1);

	s->o = o;
	return s;
}

void mcp_server_free(struct mcp_server *s)
{
	g_free(s);
}

/* An id that cannot be read is left out, as MCP's schema wants it. */
static void write_id(struct json_out *j, const struct json_value *id)
{
	if (!id)
		return;
	json_out_key(j, "id");
	if (id->kind == VALUE_STRING) {
		json_out_text_size(j, id->text, id->size);
	} else { /* as written: it may be longer than 64 bits */
		g_string_append_len(j->text, id->text, (gssize)id->size);
		j->comma = true;
	}
}

static void begin(struct json_out *j, const struct json_value *id)
{
	json_out_begin(j, '{');
	json_out_key(j, "jsonrpc");
	json_out_text(j, "2.0");
	write_id(j, id);
}

/* Begins the result, an object. */
static void begin_result(const struct request *r)
{
	struct json_out *j = r->json;

	begin(j, r->id);
	json_out_key(j, "result");
	json_out_begin(j, '{');
	if (r->modern) {
		json_out_key(j, "resultType");
		json_out_text(j, "complete");
	}
}

static void end_result(const struct request *r)
{
	json_out_end(r->json, '}');
	json_out_end(r->json, '}');
}

/* Begins the error, an object that may get "data". */
static void begin_error(struct json_out *j, const struct json_value *id, int code,
			const char *message)
{
	begin(j, id);
	json_out_key(j, "error");
	json_out_begin(j, '{');
	json_out_key(j, "code");
	json_out_s64(j, code);
	json_out_key(j, "message");
	json_out_text(j, message);
}

static void write_error(struct json_out *j, const struct json_value *id, int code,
			const char *message)
{
	begin_error(j, id, code, message);
	json_out_end(j, '}');
	json_out_end(j, '}');
}

static void fail(const struct request *r, int code, const char *message)
{
	write_error(r->json, r->id, code, message);
}

static void write_server_info(const struct mcp_server *s, struct json_out *j, const char *key)
{
	json_out_key(j, key);
	json_out_begin(j, '{');
	json_out_key(j, "name");
	json_out_text(j, s->o->name);
	json_out_key(j, "version");
	json_out_text(j, s->o->version);
	json_out_end(j, '}');
}

static void write_capabilities(const struct mcp_server *s, struct json_out *j)
{
	json_out_key(j, "capabilities");
	json_out_begin(j, '{');
	json_out_key(j, "tools");
	json_out_begin(j, '{');
	json_out_end(j, '}');
	json_out_end(j, '}');
	json_out_key(j, "instructions");
	json_out_text(j, s->o->instructions);
}

/* What a modern client may keep. */
static void write_caching(const struct request *r)
{
	if (!r->modern)
		return;
	json_out_key(r->json, "ttlMs");
	json_out_u64(r->json, LIST_IS_VALID_MS);
	json_out_key(r->json, "cacheScope");
	json_out_text(r->json, "private");
}

static void write_versions(struct json_out *j, const char *key)
{
	json_out_key(j, key);
	json_out_begin(j, '[');
	for (u32 i = 0; i < ARRAY_SIZE(versions); i++)
		json_out_text(j, versions[i]);
	json_out_end(j, ']');
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

	if (!asked) {
		fail(r, INVALID_PARAMS, "initialize: protocolVersion must be a string");
		return;
	}
	begin_result(r);
	json_out_key(r->json, "protocolVersion");
	json_out_text(r->json, is_known(asked) && strcmp(asked, MODERN) ? asked : versions[1]);
	write_server_info(r->server, r->json, "serverInfo");
	write_capabilities(r->server, r->json);
	end_result(r);
}

static void discover(struct request *r)
{
	r->modern = true; /* only modern versions have it */
	begin_result(r);
	write_versions(r->json, "supportedVersions");
	write_capabilities(r->server, r->json);
	write_caching(r);
	json_out_key(r->json, "_meta");
	json_out_begin(r->json, '{');
	write_server_info(r->server, r->json, META "serverInfo");
	json_out_end(r->json, '}');
	end_result(r);
}

static void ping(struct request *r)
{
	begin_result(r);
	end_result(r);
}

static void list_tools(struct request *r)
{
	/* All tools are on the first page, so there is no cursor that could be right. */
	if (value_member(r->params, "cursor")) {
		fail(r, INVALID_PARAMS, "tools/list: there is no such cursor");
		return;
	}
	begin_result(r);
	json_out_key(r->json, "tools");
	json_out_begin(r->json, '[');
	r->server->o->list(r->server->o->arg, r->json);
	json_out_end(r->json, ']');
	write_caching(r);
	end_result(r);
}

static void write_call(struct request *r, const GString *text, bool failed)
{
	struct json_out *j = r->json;

	begin_result(r);
	json_out_key(j, "content");
	json_out_begin(j, '[');
	json_out_begin(j, '{');
	json_out_key(j, "type");
	json_out_text(j, "text");
	json_out_key(j, "text");
	json_out_text_size(j, text->str, text->len);
	json_out_end(j, '}');
	json_out_end(j, ']');
	json_out_key(j, "isError");
	json_out_bool(j, failed);
	end_result(r);
}

static void call_tool(struct request *r)
{
	const char *name = value_string(value_member(r->params, "name"));
	const struct json_value *arguments = value_member(r->params, "arguments");
	const struct mcp_server_options *o = r->server->o;
	g_autoptr(GString) text = NULL;
	enum mcp_outcome outcome;

	if (!name || (arguments && arguments->kind != VALUE_OBJECT)) {
		fail(r, INVALID_PARAMS,
		     "tools/call: name must be a string, and arguments an object");
		return;
	}
	text = g_string_new(NULL);
	r->server->current = r->id;
	outcome = o->call(o->arg, name, arguments, text);
	r->server->current = NULL;
	if (outcome == MCP_CANCELLED)
		r->silent = true;
	else if (outcome == MCP_NO_TOOL)
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

/* The version that the request states in its own metadata; NULL: none. Sets @wrong if it is no string. */
static const char *stated_version(const struct request *r, bool *wrong)
{
	const struct json_value *v =
		value_member(value_member(r->params, "_meta"), META "protocolVersion");

	*wrong = v && !value_string(v);
	return value_string(v);
}

/* False: it was answered by an error. */
static bool take_version(struct request *r)
{
	bool wrong;
	const char *version = stated_version(r, &wrong);

	r->modern = version != NULL;
	if (!wrong && (!version || is_known(version)))
		return true;
	begin_error(r->json, r->id, UNSUPPORTED_VERSION, "Unsupported protocol version");
	json_out_key(r->json, "data");
	json_out_begin(r->json, '{');
	write_versions(r->json, "supported");
	json_out_key(r->json, "requested");
	json_out_text(r->json, version ?: "");
	json_out_end(r->json, '}');
	json_out_end(r->json, '}');
	json_out_end(r->json, '}');
	return false;
}

static void run(struct request *r, const char *method)
{
	if (!take_version(r))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(methods); i++) {
		if (strcmp(methods[i].name, method) != 0)
			continue;
		methods[i].run(r);
		return;
	}
	fail(r, METHOD_NOT_FOUND, "there is no such method");
}

static void answer(struct mcp_server *s, const struct json_value *message, struct json_out *j,
		   bool *silent)
{
	const struct json_value *id = value_member(message, "id");
	const char *method = value_string(value_member(message, "method"));
	const char *version = value_string(value_member(message, "jsonrpc"));
	struct request r = { .server = s, .id = id, .json = j };

	r.params = value_member(message, "params");
	/* The answer to a request that was never sent. */
	if (!method && !value_member(message, "method") &&
	    (value_member(message, "result") || value_member(message, "error"))) {
		*silent = true;
		return;
	}
	if (message->kind != VALUE_OBJECT || !method || g_strcmp0(version, "2.0") ||
	    (id && !value_is_id(id)) || (r.params && r.params->kind != VALUE_OBJECT)) {
		write_error(j, value_is_id(id) ? id : NULL, INVALID_REQUEST,
			    "not a request of JSON-RPC 2.0 with a string or integer as its id, and "
			    "an object as its params");
		return;
	}
	/* A notification: initialized, or the cancellation of a request that has been answered. */
	if (!id) {
		*silent = true;
		return;
	}
	run(&r, method);
	*silent = r.silent;
}

static bool is_blank(const char *message, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!g_ascii_isspace(message[i]))
			return false;
	return true;
}

static void flush(struct json_out *j, bool silent, GString *out)
{
	if (!silent) {
		g_string_append_len(out, j->text->str, (gssize)j->text->len);
		g_string_append_c(out, '\n');
	}
	json_out_release(j);
}

void mcp_server_take(struct mcp_server *s, const char *text, size_t size, GString *out)
{
	g_autoptr(GError) error = NULL;
	struct json_value *message;
	struct json_out j;
	bool silent = false;

	if (is_blank(text, size))
		return;
	message = value_parse(text, size, &error);
	json_out_init(&j, NULL);
	j.one_line = true;
	if (message)
		answer(s, message, &j, &silent);
	else
		write_error(&j, NULL, PARSE_ERROR, error->message);
	flush(&j, silent, out);
	value_free(message);
}

void mcp_server_take_too_long(struct mcp_server *s, GString *out)
{
	struct json_out j;

	json_out_init(&j, NULL);
	j.one_line = true;
	write_error(&j, NULL, PARSE_ERROR, "the message is longer than 1 MiB");
	flush(&j, false, out);
}

bool mcp_server_is_cancelled_by(const struct mcp_server *s, const char *text, size_t size)
{
	struct json_value *message;
	bool is;

	if (!s->current || !strstr(text, "notifications/cancelled"))
		return false;
	message = value_parse(text, size, NULL);
	is = !g_strcmp0(value_string(value_member(message, "method")), "notifications/cancelled") &&
	     value_same_id(value_member(value_member(message, "params"), "requestId"), s->current);
	value_free(message);
	return is;
}
