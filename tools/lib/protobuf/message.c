// SPDX-License-Identifier: GPL-2.0-or-later
#include "protobuf/message.h"

#define LENGTH_DELIMITED 2
#define VARINT_MOST	 10 /* bytes */

static u32 varint(u8 *out, u64 value)
{
	u32 size = 0;

	for (; value >= 0x80; value >>= 7)
		out[size++] = (u8)(value | 0x80);
	out[size++] = (u8)value;
	return size;
}

void message_out_init(struct message_out *out, void (*put)(void *, const void *, size_t), void *arg)
{
	*out = (struct message_out){ .put = put, .arg = arg, .buffer = g_byte_array_new() };
}

void message_out_release(struct message_out *out)
{
	g_byte_array_unref(out->buffer);
}

static void pack(struct message_out *out, const ProtobufCMessage *message)
{
	g_byte_array_set_size(out->buffer, (u32)protobuf_c_message_get_packed_size(message));
	protobuf_c_message_pack(message, out->buffer->data);
}

void message_put_head(struct message_out *out, u32 field, u64 size)
{
	u8 head[2 * VARINT_MOST];
	u32 head_size = varint(head, (u64)field << 3 | LENGTH_DELIMITED);

	head_size += varint(head + head_size, size);
	out->put(out->arg, head, head_size);
}

void message_put_bytes(struct message_out *out, u32 field, const void *bytes, size_t size)
{
	message_put_head(out, field, size);
	if (size)
		out->put(out->arg, bytes, size);
}

void message_put(struct message_out *out, u32 field, const ProtobufCMessage *message)
{
	pack(out, message);
	message_put_bytes(out, field, out->buffer->data, out->buffer->len);
}

void message_put_fields(struct message_out *out, const ProtobufCMessage *message)
{
	pack(out, message);
	if (out->buffer->len)
		out->put(out->arg, out->buffer->data, out->buffer->len);
}
