/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes protocol buffers whose outermost message does not fit into memory: its fields are written one by one. This is
 * possible because a message is the sequence of its fields, in any order, and the elements of a repeated field need not be
 * together. Inner messages are packed by libprotobuf-c.
 */
#ifndef PROTOBUF_MESSAGE_H
#define PROTOBUF_MESSAGE_H

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

#include "base/types.h"

struct message_out {
	void (*put)(void *arg, const void *bytes, size_t size);
	void *arg;
	GByteArray *buffer;
};

void message_out_init(struct message_out *out, void (*put)(void *, const void *, size_t),
		      void *arg);
void message_out_release(struct message_out *out);

/* @message as the field number @field. */
void message_put(struct message_out *out, u32 field, const ProtobufCMessage *message);
/* The fields of @message as fields of the outermost message. */
void message_put_fields(struct message_out *out, const ProtobufCMessage *message);
/* A string, bytes, or a message that is packed already. */
void message_put_bytes(struct message_out *out, u32 field, const void *bytes, size_t size);
/* What stands before the @size bytes of such a field. The caller writes them. */
void message_put_head(struct message_out *out, u32 field, u64 size);

#endif
