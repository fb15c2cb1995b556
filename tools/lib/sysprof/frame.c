// SPDX-License-Identifier: GPL-2.0-or-later
#include "sysprof/frame.h"

#include <string.h>

#include "base/bytes.h"
#include "base/cursor.h"

static const char *const names[SYSPROF_TYPE_MAX] = {
	[SYSPROF_TIMESTAMP] = "Timestamp",
	[SYSPROF_SAMPLE] = "Sample",
	[SYSPROF_MAP] = "Map",
	[SYSPROF_PROCESS] = "Process",
	[SYSPROF_FORK] = "Fork",
	[SYSPROF_EXIT] = "Exit",
	[SYSPROF_JITMAP] = "JitMap",
	[SYSPROF_CTRDEF] = "CounterDefine",
	[SYSPROF_CTRSET] = "CounterSet",
	[SYSPROF_MARK] = "Mark",
	[SYSPROF_METADATA] = "Metadata",
	[SYSPROF_LOG] = "Log",
	[SYSPROF_FILE_CHUNK] = "FileChunk",
	[SYSPROF_ALLOCATION] = "Allocation",
	[SYSPROF_OVERLAY] = "Overlay",
	[SYSPROF_TRACE] = "Trace",
	[SYSPROF_DBUS] = "DBusMessage",
	[SYSPROF_STACK_USER] = "StackUser",
};

const char *sysprof_type_name(u32 type)
{
	return type < SYSPROF_TYPE_MAX ? names[type] : NULL;
}

/* Reads the numbers of a frame. If the frame has the other byte order, also swaps them in place. */
struct field_reader {
	struct cursor c;
	bool foreign;
};

static u16 read_u16(struct field_reader *r)
{
	u8 *at = (u8 *)r->c.pos;
	u16 v = cursor_u16(&r->c);

	if (r->foreign && !r->c.failed) {
		v = __builtin_bswap16(v);
		memcpy(at, &v, sizeof(v));
	}
	return v;
}

static u32 read_u32(struct field_reader *r)
{
	u8 *at = (u8 *)r->c.pos;
	u32 v = cursor_u32(&r->c);

	if (r->foreign && !r->c.failed) {
		v = __builtin_bswap32(v);
		memcpy(at, &v, sizeof(v));
	}
	return v;
}

static u64 read_u64(struct field_reader *r)
{
	u8 *at = (u8 *)r->c.pos;
	u64 v = cursor_u64(&r->c);

	if (r->foreign && !r->c.failed) {
		v = __builtin_bswap64(v);
		memcpy(at, &v, sizeof(v));
	}
	return v;
}

/* A pointer to the next @nr numbers. They are 8-aligned, because the frame is. */
static const u64 *read_u64s(struct field_reader *r, u64 nr)
{
	const u8 *at = r->c.pos;

	if (nr > cursor_left(&r->c) / sizeof(u64)) {
		r->c.failed = true;
		return NULL;
	}
	if (r->foreign)
		for (u64 i = 0; i < nr; i++)
			read_u64(r);
	else
		cursor_bytes(&r->c, nr * sizeof(u64));
	return (const void *)at;
}

bool sysprof_header_decode(const u8 raw[SYSPROF_HEADER], struct sysprof_header *out,
			   const char **part)
{
	struct cursor c = cursor_of(raw, SYSPROF_HEADER);
	u32 magic = cursor_u32(&c);
	u8 version = cursor_u8(&c);

	*out = (struct sysprof_header){ .raw = raw };
	out->foreign = magic == __builtin_bswap32(SYSPROF_MAGIC);
	*part = "the magic of a sysprof capture";
	if (magic != SYSPROF_MAGIC && !out->foreign)
		return false;
	*part = "version 1 of the format";
	if (version != SYSPROF_VERSION)
		return false;
	cursor_bytes(&c, 3);
	cursor_read(&c, out->date, 64);
	out->time = (s64)cursor_u64(&c);
	out->end_time = (s64)cursor_u64(&c);
	if (out->foreign) {
		out->time = (s64)__builtin_bswap64((u64)out->time);
		out->end_time = (s64)__builtin_bswap64((u64)out->end_time);
	}
	return true;
}

u32 sysprof_frame_size(const u8 raw[SYSPROF_FRAME_HEAD], bool foreign, const char **part)
{
	u16 size;

	memcpy(&size, raw, sizeof(size));
	if (foreign)
		size = __builtin_bswap16(size);
	*part = size < SYSPROF_FRAME_HEAD ? "a frame of at least 24 bytes"
					  : "the size of a frame to be a multiple of 8";
	return size < SYSPROF_FRAME_HEAD || size % 8 ? 0 : size;
}

static bool decode_sample(struct field_reader *r, struct sysprof_sample *s)
{
	s->nr = read_u16(r);
	read_u16(r);
	s->tid = (s32)read_u32(r);
	s->addrs = read_u64s(r, s->nr);
	return !r->c.failed;
}

static bool decode_map(struct field_reader *r, struct sysprof_map *m)
{
	m->start = read_u64(r);
	m->end = read_u64(r);
	m->offset = read_u64(r);
	m->inode = read_u64(r);
	m->filename = cursor_string(&r->c);
	if (m->filename && cursor_left(&r->c) && *r->c.pos == '@') {
		struct cursor c = r->c;
		const char *text = cursor_string(&c);

		m->build_id = text ? text + 1 : NULL;
	}
	return m->filename;
}

static bool decode_stack(struct field_reader *r, struct sysprof_stack *s)
{
	s->size = read_u64(r);
	s->tid = (s32)read_u32(r);
	read_u32(r);
	s->bytes = cursor_bytes(&r->c, s->size);
	if (!s->bytes || s->size % sizeof(u64))
		return false;
	s->nr_regs = read_u32(r);
	s->abi = read_u32(r);
	s->regs = read_u64s(r, s->nr_regs);
	return !r->c.failed;
}

bool sysprof_frame_decode(u8 *raw, u32 size, bool foreign, struct sysprof_frame *out,
			  const char **part)
{
	struct field_reader r = { cursor_of(raw, size), foreign };

	*out = (struct sysprof_frame){ .raw = raw, .size = size };
	read_u16(&r);
	out->cpu = (s16)read_u16(&r);
	out->pid = (s32)read_u32(&r);
	out->time = (s64)read_u64(&r);
	out->type = cursor_u8(&r.c);
	cursor_bytes(&r.c, 7);
	*part = "the fields of its type";
	switch (out->type) {
	case SYSPROF_SAMPLE:
		return decode_sample(&r, &out->sample);
	case SYSPROF_MAP:
		return decode_map(&r, &out->map);
	case SYSPROF_PROCESS:
		out->cmdline = cursor_string(&r.c);
		return out->cmdline;
	case SYSPROF_FORK:
		out->child = (s32)read_u32(&r);
		return !r.c.failed;
	case SYSPROF_STACK_USER:
		return decode_stack(&r, &out->stack);
	default:
		return !r.c.failed;
	}
}

static void put_string(GByteArray *out, const char *s)
{
	put(out, s, strlen(s) + 1);
}

void sysprof_header_encode(const struct sysprof_header *header, GByteArray *out)
{
	const u8 version[4] = { SYSPROF_VERSION, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };
	const u8 suffix[168] = { 0 };

	put_u32(out, SYSPROF_MAGIC);
	put(out, version, sizeof(version));
	put(out, header->date, 64);
	put_u64(out, (u64)header->time);
	put_u64(out, (u64)header->end_time);
	put(out, suffix, sizeof(suffix));
}

static void put_body(const struct sysprof_frame *f, GByteArray *out)
{
	switch (f->type) {
	case SYSPROF_SAMPLE:
		put_u16(out, (u16)f->sample.nr);
		put_u16(out, 0);
		put_u32(out, (u32)f->sample.tid);
		put(out, f->sample.addrs, f->sample.nr * sizeof(u64));
		break;
	case SYSPROF_MAP:
		put_u64(out, f->map.start);
		put_u64(out, f->map.end);
		put_u64(out, f->map.offset);
		put_u64(out, f->map.inode);
		put_string(out, f->map.filename);
		if (f->map.build_id) {
			put(out, "@", 1);
			put_string(out, f->map.build_id);
		}
		break;
	case SYSPROF_PROCESS:
		put_string(out, f->cmdline);
		break;
	case SYSPROF_FORK:
		put_u32(out, (u32)f->child);
		break;
	case SYSPROF_STACK_USER:
		put_u64(out, f->stack.size);
		put_u32(out, (u32)f->stack.tid);
		put_u32(out, 0);
		put(out, f->stack.bytes, f->stack.size);
		put_u32(out, f->stack.nr_regs);
		put_u32(out, f->stack.abi);
		put(out, f->stack.regs, f->stack.nr_regs * sizeof(u64));
		break;
	default:
		break;
	}
}

bool sysprof_frame_encode(const struct sysprof_frame *f, GByteArray *out)
{
	static const u8 zeros[8];
	u32 begin = out->len, size;
	u16 stated;

	put_u16(out, 0);
	put_u16(out, (u16)f->cpu);
	put_u32(out, (u32)f->pid);
	put_u64(out, (u64)f->time);
	put_u32(out, f->type);
	put_u32(out, 0);
	put_body(f, out);
	put(out, zeros, -out->len % 8u);
	size = out->len - begin;
	if (size > SYSPROF_FRAME_MAX) {
		g_byte_array_set_size(out, begin);
		return false;
	}
	stated = (u16)size;
	memcpy(out->data + begin, &stated, sizeof(stated));
	return true;
}
