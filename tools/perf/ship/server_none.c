// SPDX-License-Identifier: GPL-2.0-or-later
/* Build without libcurl: there is no server. */
#include "ship/server.h"

struct server *server_new(const struct server_options *options, GError **error)
{
	error_set(error, PERF_ERROR_UNSUPPORTED,
		  "perf ship needs libcurl, which this build lacks (package libcurl4-openssl-dev)");
	return NULL;
}

void server_free(struct server *server)
{
}

enum server_result server_greet(struct server *server, s32 *offset_ms, GError **error)
{
	return SERVER_REFUSES;
}

enum server_result server_ask(struct server *server, const char *sql, u64 *number, GError **error)
{
	return SERVER_REFUSES;
}

enum server_result server_insert(struct server *server, const char *table, const char *id,
				 const void *block, size_t size, GError **error)
{
	return SERVER_REFUSES;
}
