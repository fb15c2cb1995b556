/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds a note to a core dump while it streams from the kernel to somebody else.
 *
 * The kernel writes ELF header, program headers, notes, memory. The first program header is the notes'. The new note goes
 * behind them, and everything after it moves by whole pages: the offsets in all later program headers, and that of
 * the section header that counts them when there are more than 65534. Nothing but the headers and notes is held
 * in memory. What is not such a core goes through unchanged.
 */
#ifndef DETACHED_CORE_STREAM_H
#define DETACHED_CORE_STREAM_H

#include "base/error.h"
#include "base/types.h"

/*
 * From @in to @out until @in ends. @note: the content of a note IMAGE_NOTE_NAME, IMAGE_NOTE_TYPE; NULL: none.
 * @limit: bytes that are written, at most; the rest is read and dropped. *@added: the core has it. False with @error.
 */
bool core_stream(int in, int out, const void *note, u64 note_size, u64 limit, bool *added,
		 GError **error);

#endif
