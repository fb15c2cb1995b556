/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads jitdump files (the kernel's jitdump specification, version 1). A just-in-time compiler writes a file
 * jit-PID.dump, which tells the code that it made, the code's address, and the time. The compiler also maps the file,
 * so the recording has an mmap record that names it.
 *
 * Untrusted input: sizes are checked against the number of bytes in the file.
 */
#ifndef JIT_JITDUMP_H
#define JIT_JITDUMP_H

#include <glib.h>

#include "base/cursor.h"
#include "base/error.h"
#include "base/types.h"

enum jitdump_kind {
	JITDUMP_LOAD = 0,      /* new code */
	JITDUMP_MOVE = 1,      /* code has moved to another address */
	JITDUMP_DEBUG = 2,     /* line numbers of the next LOAD's code */
	JITDUMP_CLOSE = 3,     /* end of the file */
	JITDUMP_UNWINDING = 4, /* call-frame information of the next LOAD's code */
};

struct jitdump_record {
	u32 kind; /* may be a kind that is not in the enum */
	u64 time; /* by the compiler's clock: CLOCK_MONOTONIC in ns, or the processor's cycle counter */
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

/* NULL with @error: no such file, it belongs to neither this user nor root (unless @force), or it is no jitdump. */
struct jitdump *jitdump_open(const char *path, bool force, GError **error);
/* Reads from memory, which must stay valid until the close; for tests. */
struct jitdump *jitdump_open_bytes(const char *name, const void *data, size_t size, GError **error);
void jitdump_close(struct jitdump *j);

u16 jitdump_machine(const struct jitdump *j); /* EM_X86_64 */
bool jitdump_counts_cycles(const struct jitdump *j);

/*
 * The next record: 1. At the end: 0, also if the last record is incomplete because the compiler was killed. -1 with
 * @error. Pointers in @out are valid until the close.
 */
int jitdump_next(struct jitdump *j, struct jitdump_record *out, GError **error);

/*
 * The next line of a DEBUG record. The caller zeroes @out before the first call and keeps it for the next ones. False:
 * there are no more.
 */
bool jitdump_line(struct jitdump_record *record, struct jitdump_line *out);

#endif
