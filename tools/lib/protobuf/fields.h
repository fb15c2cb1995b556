/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks over the fields of a protocol buffer without unpacking it: for messages that do not fit into memory unpacked. Bytes are
 * untrusted.
 */
#ifndef PROTOBUF_FIELDS_H
#define PROTOBUF_FIELDS_H

#include "base/cursor.h"

enum protobuf_wire {
	PROTOBUF_VARINT = 0,
	PROTOBUF_FIXED64 = 1,
	PROTOBUF_BYTES = 2,
	PROTOBUF_FIXED32 = 5
};

struct protobuf_field {
	u32 number;
	u8 wire;	 /* enum protobuf_wire */
	u64 value;	 /* unless it is PROTOBUF_BYTES */
	const u8 *bytes; /* else these; they point into the message */
	size_t size;
};

/* False at the end, or with c->failed if the bytes are no message. */
bool protobuf_next(struct cursor *c, struct protobuf_field *field);

#endif
