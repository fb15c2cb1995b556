// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ClickHouse states failures as "Code: 252, e.displayText() = ...", newer versions as "Code: 252. DB::Exception: ...", with
 * a status of 4xx or 5xx, and with 200 if they happened after the beginning of the answer.
 */
#include "ship/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 300 /* characters of an answer in a message */

/* Failures that stay until somebody changes tables, rights or settings (ErrorCodes.cpp). */
static bool stays(long code)
{
	static const short codes[] = {
		16,  /* no such column */
		47,  /* unknown identifier */
		50,  /* unknown type */
		53,  /* types differ */
		60,  /* unknown table */
		62,  /* syntax */
		73,  /* unknown format */
		81,  /* unknown database */
		115, /* unknown setting */
		164, /* read-only */
		192, /* unknown user */
		193, /* wrong password */
		194, /* a password is required */
		195, /* this address is not allowed */
		291, /* no access to the database */
		497, /* no access */
		516, /* authentication failed */
	};

	for (u32 i = 0; i < ARRAY_SIZE(codes); i++)
		if (codes[i] == code)
			return true;
	return false;
}

static char *first_line(const char *body)
{
	size_t size = strcspn(body, "\r\n");
	g_autofree char *line = g_strndup(body, MIN(size, SHOWN));

	return g_utf8_make_valid(line, -1);
}

static enum server_result fail(enum server_result result, long status, const char *body,
			       GError **error)
{
	g_autofree char *line = first_line(body);

	error_set(error, PERF_ERROR_SYSTEM, "the server answers %ld: %s", status,
		  *line ? line : "(nothing)");
	return result;
}

enum server_result answer_check(long status, const char *body, GError **error)
{
	long code = 0;

	if (sscanf(body, "Code: %ld", &code) == 1)
		return fail(stays(code) ? SERVER_REFUSES : SERVER_UNKNOWN, status, body, error);
	if (status == 200)
		return SERVER_DONE;
	if (status >= 300 && status < 400) {
		error_set(error, PERF_ERROR_SYSTEM,
			  "the server answers %ld: it is at another address, which must be named",
			  status);
		return SERVER_REFUSES;
	}
	if (status >= 400 && status < 500 && status != 408 && status != 425 && status != 429)
		return fail(SERVER_REFUSES, status, body, error);
	return fail(SERVER_UNKNOWN, status, body, error);
}

bool answer_number(const char *body, u64 *number, GError **error)
{
	char *end = NULL;
	g_autofree char *line = first_line(body);

	*number = g_ascii_strtoull(body, &end, 10);
	if (g_ascii_isdigit(*body) && end - body < 20 && *end == '\n' && !end[1])
		return true;
	return error_set(error, PERF_ERROR_FORMAT, "the server's answer is no number: %s", line);
}

bool answer_version(const char *body, u32 *version, GError **error)
{
	u32 major, minor;
	g_autofree char *line = first_line(body);

	if (g_ascii_isdigit(*body) && sscanf(body, "%4u.%3u.", &major, &minor) == 2) {
		*version = major * 1000 + minor;
		return true;
	}
	return error_set(error, PERF_ERROR_FORMAT,
			 "this is no ClickHouse server: its version is %s", line);
}
