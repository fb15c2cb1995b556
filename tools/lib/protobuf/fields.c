// SPDX-License-Identifier: GPL-2.0-or-later
#include "protobuf/fields.h"

static u64 varint(struct cursor *c)
{
	u64 value = 0;

	for (u32 shift = 0; shift < 64; shift += 7) {
		u8 byte = cursor_u8(c);

		value |= (u64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	c->failed = true;
	return 0;
}

bool protobuf_next(struct cursor *c, struct protobuf_field *field)
{
	u64 tag;

	if (c->failed || !cursor_left(c))
		return false;
	tag = varint(c);
	*field = (struct protobuf_field){ .wire = tag & 7, .number = (u32)(tag >> 3) };
	if (tag >> 3 == 0 || tag >> 32)
		c->failed = true;
	switch (field->wire) {
	case PROTOBUF_VARINT:
		field->value = varint(c);
		break;
	case PROTOBUF_FIXED64:
		field->value = cursor_u64(c);
		break;
	case PROTOBUF_FIXED32:
		field->value = cursor_u32(c);
		break;
	case PROTOBUF_BYTES:
		field->value = varint(c);
		field->size = field->value;
		field->bytes = cursor_bytes(c, field->value);
		break;
	default:
		c->failed = true;
	}
	return !c->failed;
}
