/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One frame of a sysprof capture: an event with its process and time. A capture is a header of 256 bytes, followed by
 * frames. A frame's size is a multiple of 8 and at most 65535 bytes:
 *
 *	u32 magic 0xfdca975e, u8 version 1, u8 little_endian, u16 0, char date[64], s64 time, end_time, char suffix[168]
 *	u16 size, s16 cpu, s32 pid, s64 time (ns, CLOCK_MONOTONIC), u8 type, u8 0[3], u32 0; then the type's fields
 *
 * Sources: the headers of libsysprof-capture 3.46 to 49, which is LGPL or BSD; for type 18, eu-stacktrace of elfutils
 * 0.192.
 */
#ifndef SYSPROF_FRAME_H
#define SYSPROF_FRAME_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

#define SYSPROF_MAGIC	   0xfdca975eu
#define SYSPROF_VERSION	   1
#define SYSPROF_HEADER	   256 /* bytes */
#define SYSPROF_FRAME_HEAD 24  /* bytes */
#define SYSPROF_FRAME_MAX  65535
/* An address in a sample with these bits set is JIT code: it is the key of a name in a JITMAP frame. */
#define SYSPROF_JIT_MARK 0xe000000000000000ull

enum sysprof_type {
	SYSPROF_TIMESTAMP =
		1, /* also FrameIndex, of newer captures: where the frame before it is */
	SYSPROF_SAMPLE = 2,
	SYSPROF_MAP = 3,
	SYSPROF_PROCESS = 4,
	SYSPROF_FORK = 5,
	SYSPROF_EXIT = 6,
	SYSPROF_JITMAP = 7,
	SYSPROF_CTRDEF = 8,
	SYSPROF_CTRSET = 9,
	SYSPROF_MARK = 10,
	SYSPROF_METADATA = 11,
	SYSPROF_LOG = 12,
	SYSPROF_FILE_CHUNK = 13,
	SYSPROF_ALLOCATION = 14,
	SYSPROF_OVERLAY = 15,
	SYSPROF_TRACE = 16,
	SYSPROF_DBUS = 17,
	SYSPROF_STACK_USER = 18, /* eu-stacktrace's input: registers and a copy of the stack */
	SYSPROF_TYPE_MAX,
};

struct sysprof_header {
	bool foreign;  /* has the other byte order */
	char date[65]; /* when it was made: ISO 8601 */
	s64 time, end_time;
	const u8 *raw; /* SYSPROF_HEADER bytes */
};

struct sysprof_sample {
	s32 tid;
	u32 nr;
	const u64 *addrs; /* innermost first, with PERF_CONTEXT_* markers */
};

struct sysprof_map {
	u64 start, end, offset, inode;
	const char *filename;
	const char *build_id; /* hexadecimal digits, or NULL */
};

struct sysprof_stack {
	s32 tid;
	u64 size; /* of the copy, which begins at the stack pointer */
	const u8 *bytes;
	u32 nr_regs, abi; /* in the order of linux/asm/perf_regs.h, without flags and segments */
	const u64 *regs;
};

/* A decoded frame, in host order. Its pointers live as long as the bytes that it was decoded from. */
struct sysprof_frame {
	u32 type;
	s32 cpu; /* -1: none */
	s32 pid; /* -1: none */
	s64 time;
	const u8 *raw; /* as in the capture */
	u32 size;
	union {
		struct sysprof_sample sample;
		struct sysprof_map map;
		const char *cmdline;	    /* PROCESS */
		s32 child;		    /* FORK */
		struct sysprof_stack stack; /* STACK_USER */
	};
};

/* False: the header is malformed. out: *@part, the part that was expected. */
bool sysprof_header_decode(const u8 raw[SYSPROF_HEADER], struct sysprof_header *out,
			   const char **part);

/*
 * The size in bytes of the frame whose head is at @raw; 0 with *@part: it is malformed. @foreign: it has the other byte
 * order.
 */
u32 sysprof_frame_size(const u8 raw[SYSPROF_FRAME_HEAD], bool foreign, const char **part);

/*
 * Decodes @size bytes at @raw, which is 8-aligned. If the frame is foreign and its type is known, its bytes are swapped
 * in place, so *@raw changes. False with *@part: it is malformed.
 */
bool sysprof_frame_decode(u8 *raw, u32 size, bool foreign, struct sysprof_frame *out,
			  const char **part);

/* "Sample", or NULL. */
const char *sysprof_type_name(u32 type);

/* Appends a header. sysprof_frame_encode() appends a frame: TIMESTAMP, EXIT, or a type with a member in the union. */
void sysprof_header_encode(const struct sysprof_header *header, GByteArray *out);
/* False: the frame would have more than SYSPROF_FRAME_MAX bytes; nothing is appended. */
bool sysprof_frame_encode(const struct sysprof_frame *frame, GByteArray *out);

#endif
