/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON (RFC 8259) as a stream, of any depth and length. Commas are added automatically:
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
 * yajl, which reads the files of spans, is not used for writing: its generator rejects nesting deeper than 128 and text
 * that is not UTF-8. Call trees are deeper, and names may be any bytes.
 */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include <glib.h>
#include <stdio.h>

#include "base/types.h"

struct json_out {
	FILE *out;
	GString *text; /* not written yet */
	bool comma;    /* the next value needs a comma before it */
	bool one_line; /* json_out_line() breaks no line */
};

/* @out NULL: the output stays in json->text, and the caller may take it. */
void json_out_init(struct json_out *json, FILE *out);
/* Writes what is still buffered. Check write errors with ferror() on the stream. */
void json_out_release(struct json_out *json);

/* '{' and '}' or '[' and ']'. */
void json_out_begin(struct json_out *json, char bracket);
void json_out_end(struct json_out *json, char bracket);
/* A line break before the next value, for people. */
void json_out_line(struct json_out *json);

void json_out_key(struct json_out *json, const char *key);
/* Bytes that are not UTF-8 are escaped as in text_append_shown(). */
void json_out_text(struct json_out *json, const char *text);
void json_out_text_size(struct json_out *json, const char *text, size_t size);
void json_out_u64(struct json_out *json, u64 value);
void json_out_s64(struct json_out *json, s64 value);
/* Writes twelve digits; null if @value is not finite. */
void json_out_real(struct json_out *json, double value);
/* "0x7f12": a number that readers must not take for a double. */
void json_out_hex(struct json_out *json, u64 value);
void json_out_bool(struct json_out *json, bool value);
void json_out_null(struct json_out *json);

/* A key and its value; and a key before '{' or '['. */
void json_out_pair(struct json_out *json, const char *key, const char *text);
void json_out_open(struct json_out *json, const char *key, char bracket);

#endif
