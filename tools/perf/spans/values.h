/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the texts of values, as the exports of tracing systems write them. @text has no NUL at its end. */
#ifndef SPANS_VALUES_H
#define SPANS_VALUES_H

#include "base/types.h"
#include "spans/spans.h"

/* Ids are hexadecimal digits, or base64. All zero, or 0: the text is not an id. */
void value_trace_id(const char *text, size_t length, u8 id[SPAN_TRACE_ID_SIZE]);
u64 value_span_id(const char *text, size_t length);

/* The decimal number at the start of the text; 0: there is none, or it is too large. */
u64 value_number(const char *text, size_t length);

/* The same for a number of microseconds, in nanoseconds. */
u64 value_us(const char *text, size_t length);

/* A kind: OTLP's number, "SPAN_KIND_SERVER", "SERVER" or "server". */
enum span_kind value_kind(const char *text, size_t length);

/* A status: OTLP's number, "STATUS_CODE_ERROR", "ERROR" or "error". */
enum span_status value_status(const char *text, size_t length);

/* Compares without regard to case. */
bool value_ends_in(const char *text, size_t length, const char *end);

#endif
