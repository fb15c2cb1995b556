/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines from a descriptor, with bounded memory. A line that is too long is thrown away to its end, and is read as one of its
 * own kind, so that the reader can complain.
 */
#ifndef MCP_LINE_READER_H
#define MCP_LINE_READER_H

#include <glib.h>

#include "base/types.h"

#define LINE_READER_MAX_QUEUED 64

struct line_reader;

enum line_got { LINE_READER_ONE, LINE_READER_TOO_LONG, LINE_READER_END };

/* @max: bytes of a line. The descriptor stays the caller's. */
struct line_reader *line_reader_new(int fd, size_t max);
void line_reader_free(struct line_reader *lines);

/* Waits for the next line, without its end. At LINE_READER_ONE, @line is the caller's. A last line without an end is a line. */
enum line_got line_reader_next(struct line_reader *lines, GString **line);

/*
 * Reads what has arrived, without waiting, and calls @fn for each line that was not seen this way before. The lines are still
 * returned by line_reader_next(). At most LINE_READER_MAX_QUEUED lines wait; the rest stays with the sender.
 */
void line_reader_peek(struct line_reader *lines, void (*fn)(void *arg, const GString *line),
		      void *arg);

#endif
