/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an answer of a ClickHouse server means. Answers may come from anything else, such as a proxy, and are not trusted. */
#ifndef SHIP_ANSWER_H
#define SHIP_ANSWER_H

#include "ship/server.h"

#define ANSWER_MOST (64u * 1024) /* bytes; a longer answer is none of a server that we ask */

/* @status: of HTTP. @body: with a NUL. SERVER_DONE: the answer is no failure; @body may still be none that was asked for. */
enum server_result answer_check(long status, const char *body, GError **error);

/* False with @error: it is not one number in a line. */
bool answer_number(const char *body, u64 *number, GError **error);
/* "22.3.1.1" -> 22003. False with @error: it is no version. */
bool answer_version(const char *body, u32 *version, GError **error);

#endif
