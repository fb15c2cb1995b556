/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For unit tests that run commands: makes perf.data files from text, by the forge. */
#ifndef UNIT_FORGED_H
#define UNIT_FORGED_H

#include <stdlib.h>
#include <unistd.h>

#include <glib.h>

#include "base/types.h"
#include "tests/forge/forge.h"

/* Makes a file from @text by the forge. Returns its path; the caller frees it and removes the file. */
static inline char *forged_file(const char *text)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) bytes = forge_text(text, &error);
	char path[] = "/tmp/test-perf-forged.XXXXXX";
	int fd = mkstemp(path);

	assert_null(error);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes)),
			 g_bytes_get_size(bytes));
	close(fd);
	return g_strdup(path);
}

/* A pseudo-random number below @below; @state is the seed (xorshift). */
static inline u64 forged_draw(u64 *state, u64 below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

/* Teardown of a fixture: *@state is such a path. */
static inline int forged_remove(void **state)
{
	unlink(*state);
	g_free(*state);
	return 0;
}

#endif
