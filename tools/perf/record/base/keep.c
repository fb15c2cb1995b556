// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --keep: which parts of earlier and present recordings are removed.
 *
 *	perf.data.2026112107585560	a part: the name of the file, a dot, sixteen digits
 *	perf.data.old			no part: it is kept
 *
 * The digits are a time, from the year down to hundredths of a second, so the order of names is the
 * order of time, and no file need be opened. From the newest part on, parts are kept as long as
 * their number or the sum of their sizes is within the limit.
 */
#include "record/base/keep.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options.h"

#define DIGITS 16 /* of a part's time: year to hundredths of a second */

bool keep_parse(const char *text, struct keep_limits *out, GError **error)
{
	guint64 files;
	u64 bytes;

	*out = (struct keep_limits){ 0 };
	if (g_ascii_string_to_unsigned(text, 10, 1, G_MAXUINT32, &files, NULL)) {
		out->files = (u32)files;
		return true;
	}
	if (options_parse_size(text, true, &bytes) && bytes) {
		out->bytes = bytes;
		return true;
	}
	return error_set(error, PERF_ERROR_USAGE,
			 "--keep: '%s' is neither a number of files nor a size (with B, K, M or G)",
			 text);
}

struct old_part {
	char *path;
	u64 bytes;
};

static gint newest_first(gconstpointer a, gconstpointer b)
{
	return -strcmp(((const struct old_part *)a)->path, ((const struct old_part *)b)->path);
}

static bool is_part(const char *name, const char *stem)
{
	size_t length = strlen(stem);

	return g_str_has_prefix(name, stem) && name[length] == '.' &&
	       strlen(name + length + 1) == DIGITS &&
	       strspn(name + length + 1, "0123456789") == DIGITS;
}

static GArray *find_parts(const char *path)
{
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct old_part));
	g_autofree char *folder = g_path_get_dirname(path), *stem = g_path_get_basename(path);
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		struct old_part part = { g_build_filename(folder, name, NULL), 0 };
		struct stat st;

		if (!is_part(name, stem) || lstat(part.path, &st) || !S_ISREG(st.st_mode)) {
			g_free(part.path);
			continue;
		}
		part.bytes = (u64)st.st_size;
		g_array_append_val(parts, part);
	}
	if (dir)
		g_dir_close(dir);
	g_array_sort(parts, newest_first);
	return parts;
}

void keep_remove_old(const char *path, const struct keep_limits *limits)
{
	g_autoptr(GArray) parts = find_parts(path);
	u64 bytes = 0;

	for (u32 i = 0; i < parts->len; i++) {
		struct old_part *part = &g_array_index(parts, struct old_part, i);

		bytes += part->bytes;
		/* The newest part is always kept. */
		if (i && ((limits->files && i >= limits->files) ||
			  (limits->bytes && bytes > limits->bytes)))
			unlink(part->path);
		g_free(part->path);
	}
}
