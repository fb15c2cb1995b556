// SPDX-License-Identifier: GPL-2.0-or-later
/* forge < text > perf.data */
#include <stdbool.h>
#include <stdio.h>

#include "forge.h"

static GString *read_all(FILE *in)
{
	GString *text = g_string_new(NULL);
	char buf[65536];
	size_t n;

	while ((n = fread(buf, 1, sizeof(buf), in)))
		g_string_append_len(text, buf, (gssize)n);
	return text;
}

int main(void)
{
	g_autoptr(GError) error = NULL;
	GString *text = read_all(stdin);
	g_autoptr(GBytes) bytes = forge_text(text->str, &error);

	g_string_free(text, true);
	if (!bytes) {
		fprintf(stderr, "forge: %s\n", error->message);
		return 1;
	}
	return fwrite(g_bytes_get_data(bytes, NULL), 1, g_bytes_get_size(bytes), stdout) !=
	       g_bytes_get_size(bytes);
}
