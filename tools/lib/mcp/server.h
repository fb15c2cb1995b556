/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server of the Model Context Protocol that has tools and nothing else: JSON-RPC 2.0, a message a line. It serves clients of both
 * kinds (specification 2026-07-28, "Versioning and Compatibility"):
 *
 *	modern	each request states the version in params._meta; server/discover
 *	legacy	initialize and notifications/initialized first (2025-11-25, 2025-06-18, 2024-11-05)
 *
 * No request needs an earlier one, so a client may ask for tools at once. What is wrong with a message is answered with an
 * error, and the server goes on.
 */
#ifndef MCP_SERVER_H
#define MCP_SERVER_H

#include <glib.h>

#include "base/json_out.h"
#include "json/value.h"

enum mcp_outcome {
	MCP_ANSWER,  /* the text is the answer */
	MCP_FAILED,  /* the text says what is wrong: with an argument, or with the recording */
	MCP_NO_TOOL, /* there is no tool of this name */
};

struct mcp_server {
	const char *name, *version;
	const char *instructions; /* for a model: how to use the tools */
	/* Writes the values of "tools". */
	void (*list)(void *arg, struct json_out *json);
	/* @arguments: an object; NULL: none. Appends to @text. */
	enum mcp_outcome (*call)(void *arg, const char *tool, const struct json_value *arguments,
				 GString *text);
	void *arg;
};

/* Appends the answer to a message to @out, a line with its end; nothing for a notification. */
void mcp_server_take(const struct mcp_server *server, const char *message, size_t size,
		     GString *out);

#endif
