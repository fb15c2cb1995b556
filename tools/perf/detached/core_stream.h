/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds a note to a core dump while the dump streams from the kernel to another program.
 *
 * The kernel writes ELF header, program headers, notes and memory, in this order:
 *
 *	before:  ELF header | program headers | notes            | memory
 *	after:   ELF header | program headers | notes | new note | padding to a page | memory
 *
 * The first program header describes the notes. The new note follows them, and everything after it
 * moves by whole pages. So the offsets in all later program headers change, and the offset of the
 * section header that counts the program headers if there are more than 65534. Only headers and
 * notes are held in memory. Input that is not such a core is passed unchanged.
 */
#ifndef DETACHED_CORE_STREAM_H
#define DETACHED_CORE_STREAM_H

#include "base/error.h"
#include "base/types.h"

/*
 * Copies @in to @out until @in ends. @note: the content of a note IMAGE_NOTE_NAME, IMAGE_NOTE_TYPE;
 * NULL: none. @limit: maximum number of bytes written; the rest is read and dropped. out: *@added,
 * true if the core has the note. False with @error.
 */
bool core_stream(int in, int out, const void *note, u64 note_size, u64 limit, bool *added,
		 GError **error);

#endif
