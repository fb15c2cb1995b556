/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoders for the bytes of each layout. Each layout has one decoder and one source file. layout.c finds the bytes and
 * calls the decoder through a table.
 *
 * A decoder gets all bytes that were read; @size may be less than the layout's size. It also gets an activity that is
 * zero, except for its process and for what is known about missing labels. It fills in ids or a value, and the labels,
 * and returns the state. If the state is not OK, the fields are dropped. It must not return OK for bytes that may be a
 * mix of two activities.
 */
#ifndef ACTIVITY_DECODERS_H
#define ACTIVITY_DECODERS_H

#include "activity/layout.h"

/* libactivity's record: decode_inline.c. */
enum activity_state activity_decode_inline(const u8 *bytes, size_t size, struct activity *a);

/* OTEP 4947: what the pointer points to, 28 bytes and the attributes: decode_otep.c. */
enum activity_state activity_decode_otep(const u8 *bytes, size_t size, struct activity *a);

/* The same record at the end of Node.js's walk: decode_node.c. */
enum activity_state activity_decode_node(const u8 *bytes, size_t size, struct activity *a);

/* Elastic's correlation record, what the pointer points to: decode_elastic.c. */
enum activity_state activity_decode_elastic(const u8 *bytes, size_t size, struct activity *a);

/* Label pairs as a BPF program wrote them (bpf/sample_tls.h): decode_labels.c. */
enum activity_state activity_decode_labels(const u8 *bytes, size_t size, struct activity *a);

/* {u8 trace_id[16]; u8 span_id[8]}: decode_obi.c. */
enum activity_state activity_decode_obi(const u8 *bytes, size_t size, struct activity *a);

static inline bool activity_all_zero(const u8 *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i])
			return false;
	}
	return true;
}

/* Makes the text of @a's labels its value: for layouts that have no other identity. */
void activity_value_of_labels(struct activity *a);

#endif
