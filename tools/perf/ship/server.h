/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ClickHouse server over HTTP, by libcurl, which is loaded when it is needed. All waits have an end. A request is never repeated
 * here: libcurl itself would do that on a connection that it uses again, so each insert has a new one.
 *
 * Passwords and tokens are not part of the URL, since command lines are readable by all users: they come from the
 * netrc file, or from $PERF_SHIP_TOKEN. Proxies are those of the environment, as with curl(1).
 */
#ifndef SHIP_SERVER_H
#define SHIP_SERVER_H

#include "base/error.h"
#include "base/types.h"

struct server_options {
	const char *url;   /* http[s]://[USER@]HOST[:PORT][/PREFIX][/DATABASE] */
	const char *netrc; /* file; NULL: ~/.netrc if it is there */
	const char
		*cacert; /* file with the certificates of authorities; NULL: those of the system */
	u32 timeout_s;	 /* without progress; a request takes ten times this at most */
	int stop_fd;	 /* readable: requests end at once */
};

enum server_result {
	SERVER_DONE,
	SERVER_UNSENT, /* there is no connection */
	SERVER_UNKNOWN, /* no answer, or a failure that may pass: it is not known whether it was done */
	SERVER_REFUSES, /* a failure that does not pass by itself: rights, tables, the address */
	SERVER_STOPPED,
};

struct server;

/* NULL with @error: the URL is wrong, or libcurl is missing (PERF_ERROR_UNSUPPORTED). Does not connect. */
struct server *server_new(const struct server_options *options, GError **error);
void server_free(struct server *server);

/*
 * Each of these sets @error unless the result is SERVER_DONE.
 *
 * greet: asks for the version, and for the time. *@offset_ms: the server's clock less ours; before version 20, which tells whole
 * seconds only, it is right to half a second. To be called first.
 */
enum server_result server_greet(struct server *server, s32 *offset_ms, GError **error);
/* @sql: a query whose answer is one number. */
enum server_result server_ask(struct server *server, const char *sql, u64 *number, GError **error);
/* @id: of the query. Servers that take deduplication tokens (22.2 and later) get it as one, too. */
enum server_result server_insert(struct server *server, const char *table, const char *id,
				 const void *block, size_t size, GError **error);

#endif
