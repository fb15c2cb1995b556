// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/guard.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/colour.h"

#define BLOCK	    64
#define BUFFER_SIZE (64 << 10)

struct guard {
	FILE *before; /* the stream that the guard replaces */
	FILE *file;   /* the guard's stream; NULL: there is no guard */
	int fd;
	bool colours; /* let our own colours pass: not on stderr, which has none */
	GString *cut; /* the first bytes of an incomplete character */
	GString *out;
};

struct guards {
	struct guard out, err;
};

static bool is_plain(u8 c)
{
	return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
}

/* Tests 16 bytes at once. Compilers make vector instructions of this. */
typedef u8 lanes __attribute__((vector_size(16)));

static lanes others(const char *text)
{
	lanes b;

	memcpy(&b, text, sizeof(b));
	return (lanes)((b - 0x20) > 0x5e) & (lanes)(b != '\n') & (lanes)(b != '\t');
}

static bool is_plain_block(const char *text)
{
	lanes any = others(text);
	u64 words[2];

	for (size_t i = sizeof(lanes); i < BLOCK; i += sizeof(lanes))
		any |= others(text + i);
	memcpy(words, &any, sizeof(words));
	return !(words[0] | words[1]);
}

/* The number of bytes at the start of @text that need no escape. */
static size_t plain_length(const char *text, size_t size)
{
	size_t at = 0;

	while (at + BLOCK <= size && is_plain_block(text + at))
		at += BLOCK;
	while (at < size && is_plain((u8)text[at]))
		at++;
	return at;
}

/* If @text starts with one of our own colours: its length in bytes. Otherwise 0. */
static size_t colour_length(const char *text, size_t size)
{
	static const char *const colours[] = { COLOUR_RESET, COLOUR_RED, COLOUR_GREEN,
					       COLOUR_BLUE };

	for (size_t i = 0; i < ARRAY_SIZE(colours); i++) {
		size_t length = strlen(colours[i]);

		if (size >= length && !memcmp(text, colours[i], length))
			return length;
	}
	return 0;
}

/* Is @text the incomplete start of a colour? Only colours start with ESC and pass. */
static bool may_be_colour(const char *text, size_t size)
{
	return text[0] == COLOUR_RED[0] && size < strlen(COLOUR_RED) &&
	       !memcmp(text, COLOUR_RED, MIN(size, 2)) && !memchr(text, 'm', size);
}

static size_t special_length(const char *text, size_t size)
{
	size_t at = 0;

	while (at < size && !is_plain((u8)text[at]) && text[at] != COLOUR_RED[0])
		at++;
	return at;
}

/* Moves the complete characters of @text to g->out, with escapes. Returns the number of bytes taken. */
static size_t judge(struct guard *g, const char *text, size_t size)
{
	size_t at = 0;

	while (at < size) {
		size_t length = plain_length(text + at, size - at), special, taken;

		if (!length && g->colours)
			length = colour_length(text + at, size - at);
		if (length) {
			g_string_append_len(g->out, text + at, (gssize)length);
			at += length;
			continue;
		}
		if (g->colours && may_be_colour(text + at, size - at))
			break;
		special = MAX(special_length(text + at, size - at), 1);
		taken = text_append_shown(g->out, text + at, special, at + special == size);
		if (!taken)
			break;
		at += taken;
	}
	return at;
}

static bool write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t done = write(fd, data, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		data += done;
		size -= (size_t)done;
	}
	return true;
}

static ssize_t guard_write(void *cookie, const char *text, size_t size)
{
	struct guard *g = cookie;
	size_t taken;

	if (!g->cut->len && plain_length(text, size) == size)
		return write_all(g->fd, text, size) ? (ssize_t)size : 0;
	g_string_append_len(g->cut, text, (gssize)size);
	g_string_truncate(g->out, 0);
	taken = judge(g, g->cut->str, g->cut->len);
	g_string_erase(g->cut, 0, (gssize)taken);
	return write_all(g->fd, g->out->str, g->out->len) ? (ssize_t)size : 0;
}

static void put_guard(struct guard *g, FILE **stream, int fd, int mode)
{
	const cookie_io_functions_t io = { .write = guard_write };

	*g = (struct guard){
		.before = *stream,
		.fd = fd,
		.colours = fd == STDOUT_FILENO,
		.cut = g_string_new(NULL),
		.out = g_string_new(NULL),
	};
	g->file = fopencookie(g, "w", io);
	if (!g->file)
		return;
	setvbuf(g->file, NULL, mode, mode == _IONBF ? 0 : BUFFER_SIZE);
	*stream = g->file;
}

struct guards *guard_output(void)
{
	struct guards *guards = g_new(struct guards, 1);

	put_guard(&guards->out, &stdout, STDOUT_FILENO, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
	put_guard(&guards->err, &stderr, STDERR_FILENO, _IONBF);
	return guards;
}

static void remove_guard(struct guard *g, FILE **stream)
{
	*stream = g->before;
	if (g->file)
		fclose(g->file);
	g_string_free(g->cut, TRUE);
	g_string_free(g->out, TRUE);
}

void guard_end(struct guards *guards)
{
	remove_guard(&guards->out, &stdout);
	remove_guard(&guards->err, &stderr);
	g_free(guards);
}
