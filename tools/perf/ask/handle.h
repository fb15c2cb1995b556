/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A handle is a text that selects samples: "span=checkout;type=struct order". Each row of an answer has one, and the next
 * question may begin with it. It refers to nothing that the server keeps, so it is valid after a restart, and in another
 * recording.
 *
 *	KEY=TEXT	the samples whose sort key KEY reads TEXT
 *	KEY~TEXT	... contains TEXT, in either case
 *	;		and; "\;" and "\\" stand for themselves
 */
#ifndef ASK_HANDLE_H
#define ASK_HANDLE_H

#include "fields/term.h"

/* Appends the condition, and the ";" before it if @out is not empty, unless @out has it. */
void handle_append(GString *out, const char *key, const char *text);

/* Adds the conditions to @terms. NULL is none. False with PERF_ERROR_USAGE. */
bool handle_parse(const char *handle, GArray *terms, GError **error);

/* The key of the last condition, to be freed; NULL: there is none. */
char *handle_last_key(const char *handle);

#endif
