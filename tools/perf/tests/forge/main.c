// SPDX-License-Identifier: GPL-2.0-or-later
/* forge [TEXT [PERF.DATA]]: from standard input to standard output where not named. */
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

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	FILE *in = argc > 1 ? fopen(argv[1], "r") : stdin;
	FILE *out = argc > 2 ? fopen(argv[2], "w") : stdout;
	g_autoptr(GBytes) bytes = NULL;
	GString *text;
	size_t size;

	if (!in || !out) {
		perror(in ? argv[2] : argv[1]);
		return 1;
	}
	text = read_all(in);
	bytes = forge_text(text->str, &error);
	g_string_free(text, true);
	if (!bytes) {
		fprintf(stderr, "forge: %s: %s\n", argc > 1 ? argv[1] : "-", error->message);
		return 1;
	}
	size = g_bytes_get_size(bytes);
	return fwrite(g_bytes_get_data(bytes, NULL), 1, size, out) != size || fclose(out);
}
