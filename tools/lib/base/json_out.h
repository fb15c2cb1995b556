/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON (RFC 8259) as a stream, however deep and however long, with commas where they belong:
 *
 *	struct json_out j;
 *
 *	json_out_init(&j, stdout);
 *	json_out_begin(&j, '{');
 *	json_out_key(&j, "rows");
 *	json_out_u64(&j, 3);
 *	json_out_end(&j, '}');
 *	json_out_release(&j);
 *
 * Not by yajl, which reads the files of spans: its generator refuses nesting beyond 128 and text that
 * is no UTF-8, and call trees are deeper and names are what others chose.
 */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include <glib.h>
#include <stdio.h>

#include "base/types.h"

struct json_out {
	FILE *out;
	GString *text; /* not written yet */
	bool comma;    /* a value stands before the next one */
	bool one_line; /* json_out_line() breaks no line */
};

/* @out NULL: what is written gathers in text, and is the caller's to take. */
void json_out_init(struct json_out *json, FILE *out);
/* Writes what is left. Whether it arrived, @out's error mark says. */
void json_out_release(struct json_out *json);
void json_out_flush(struct json_out *json);

/* '{' and '}' or '[' and ']'. */
void json_out_begin(struct json_out *json, char bracket);
void json_out_end(struct json_out *json, char bracket);
/* A line break before the next value, for people. */
void json_out_line(struct json_out *json);

void json_out_key(struct json_out *json, const char *key);
/* What is no UTF-8 is written as text_append_shown() makes it. */
void json_out_text(struct json_out *json, const char *text);
void json_out_text_size(struct json_out *json, const char *text, size_t size);
void json_out_u64(struct json_out *json, u64 value);
void json_out_s64(struct json_out *json, s64 value);
/* With twelve digits; null where it is not finite. */
void json_out_real(struct json_out *json, double value);
/* "0x7f12": a number that readers must not take for a double. */
void json_out_hex(struct json_out *json, u64 value);
void json_out_bool(struct json_out *json, bool value);
void json_out_null(struct json_out *json);

#endif
