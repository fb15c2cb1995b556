/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What code did a just-in-time compiler make, where, and when? It writes that into a file jit-PID.dump, which it also maps, so that
 * a recording knows of it (the kernel's jitdump specification, version 1).
 *
 * Untrusted input: sizes are checked against the bytes that are there.
 */
#ifndef JIT_JITDUMP_H
#define JIT_JITDUMP_H

#include <glib.h>

#include "base/cursor.h"
#include "base/error.h"
#include "base/types.h"

enum jitdump_kind {
	JITDUMP_LOAD = 0,      /* new code */
	JITDUMP_MOVE = 1,      /* code is somewhere else now */
	JITDUMP_DEBUG = 2,     /* lines of the code that the next LOAD loads */
	JITDUMP_CLOSE = 3,     /* the end */
	JITDUMP_UNWINDING = 4, /* call-frame information of the code that the next LOAD loads */
};

struct jitdump_record {
	u32 kind; /* also of kinds not known here */
	u64 time; /* of the clock that the compiler took: CLOCK_MONOTONIC, or the processor's (cycles) */
	u32 pid, tid;
	u64 address, old_address; /* of the code now, and (MOVE) before */
	u64 index;		  /* the code's number */
	const char *name;	  /* LOAD */
	const u8 *code;		  /* LOAD: size bytes */
	u64 size;		  /* of the code */
	u64 nr_lines;		  /* DEBUG: for jitdump_line() */
	const u8 *unwinding;	  /* UNWINDING: .eh_frame, then .eh_frame_hdr */
	u64 unwinding_size, eh_frame_hdr_size;
	struct cursor rest; /* DEBUG: the lines */
};

struct jitdump_line {
	u64 address;
	u32 line;
	const char *file;
};

struct jitdump;

/* NULL with @error: no such file, not of this user's or root's (unless @force), or no jitdump. */
struct jitdump *jitdump_open(const char *path, bool force, GError **error);
/* From bytes that stay in place; for tests. */
struct jitdump *jitdump_open_bytes(const char *name, const void *data, size_t size, GError **error);
void jitdump_close(struct jitdump *j);

u32 jitdump_pid(const struct jitdump *j);
u16 jitdump_machine(const struct jitdump *j); /* EM_X86_64 */
bool jitdump_counts_cycles(const struct jitdump *j);

/* 1; 0 at the end, also where the compiler was killed within a record; -1 with @error. Valid until the close. */
int jitdump_next(struct jitdump *j, struct jitdump_record *out, GError **error);

/* The next line of a DEBUG record: @out is zeroed before the first, and kept for the next. False: there are no more. */
bool jitdump_line(struct jitdump_record *record, struct jitdump_line *out);

#endif
