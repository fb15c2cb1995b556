// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/script/script_files.h"

#include <errno.h>

#include "base/file.h"

struct script_files {
	const char *input;
	GPtrArray *files; /* FILE * by evsel's idx, NULL where none was needed yet */
	GArray *samples;  /* u64 by evsel's idx */
};

struct script_files *script_files_new(const char *input)
{
	struct script_files *f = g_new0(struct script_files, 1);

	f->input = input;
	f->files = g_ptr_array_new();
	f->samples = g_array_new(false, true, sizeof(u64));
	return f;
}

static char *dump_path(const struct script_files *out, const struct evsel *evsel)
{
	g_autofree char *name = g_strdup(evsel->name);

	return g_strdup_printf("%s.%s.dump", out->input, g_strdelimit(name, "/", '_'));
}

/* The output file for samples of @evsel; NULL with @error. */
FILE *script_files_of(struct script_files *out, const struct evsel *evsel, GError **error)
{
	g_autofree char *path = NULL;
	FILE *file;

	if (evsel->idx >= out->files->len) {
		g_ptr_array_set_size(out->files, (int)evsel->idx + 1);
		g_array_set_size(out->samples, evsel->idx + 1);
	}
	g_array_index(out->samples, u64, evsel->idx)++;
	file = g_ptr_array_index(out->files, evsel->idx);
	if (file)
		return file;
	path = dump_path(out, evsel);
	file = file_create_stream(path);
	if (!file)
		error_set_errno(error, errno, "%s", path);
	g_ptr_array_index(out->files, evsel->idx) = file;
	return file;
}

bool script_files_close(struct script_files *out, const GPtrArray *evsels, GError **error)
{
	bool good = true;

	for (u32 i = 0; i < out->files->len; i++) {
		FILE *file = g_ptr_array_index(out->files, i);
		g_autofree char *path = dump_path(out, g_ptr_array_index(evsels, i));
		long size = file ? ftell(file) : 0;

		if (!file)
			continue;
		if (fclose(file) != 0 && good)
			good = error_set_errno(error, errno, "%s", path);
		else
			printf("[ perf script: Wrote %.3f MB %s (%" G_GUINT64_FORMAT
			       " samples) ]\n",
			       (double)size / 1024 / 1024, path,
			       g_array_index(out->samples, u64, i));
	}
	g_ptr_array_free(out->files, TRUE);
	g_array_free(out->samples, TRUE);
	g_free(out);
	return good;
}
