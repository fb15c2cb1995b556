/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --control: commands that another program writes into a pipe while the recording runs, one per line or before a NUL:
 *
 *   enable [EVENT], disable [EVENT]   what counts
 *   evlist [-v|-g|-F]                 the events, to standard error
 *   stop                              the recording ends
 *   ping, snapshot                    nothing but the acknowledgement
 *
 * Each is acknowledged by "ack" and a newline if there is a file descriptor for it. The recorder's commanding.c does
 * what they ask for.
 */
#ifndef RECORD_CONTROL_H
#define RECORD_CONTROL_H

#include "base/error.h"
#include "base/types.h"

#define CONTROL_LINE_SIZE 512 /* longer commands are unknown ones */

struct control {
	int fd, ack_fd;		      /* -1: none */
	bool is_ours;		      /* opened here, closed here */
	char text[CONTROL_LINE_SIZE]; /* read, and not yet taken */
	size_t used;
	bool more;     /* the buffer was full: what waits may continue the last line */
	bool too_long; /* the rest of a line is skipped */
};

/*
 * @text: "fd:CTL[,ACK]" or "fifo:CTL[,ACK]". Fifos are opened for reading and writing, so that they have no end. False
 * with @error.
 */
bool control_open(struct control *c, const char *text, GError **error);
void control_close(struct control *c);

/*
 * Reads what waits, with a single read(), which does not block after poll() said that there is something. At the end of
 * the input, or if it cannot be read, c->fd becomes -1.
 */
void control_fill(struct control *c);

/*
 * The next command of what was read, to be freed; NULL: there is none. The last one needs no newline if nothing more
 * waits: a program writes a command with one write().
 */
char *control_take(struct control *c);

/* A pipe that nobody reads gets as many as it holds. */
void control_ack(const struct control *c);

#endif
