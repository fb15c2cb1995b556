// SPDX-License-Identifier: GPL-2.0-or-later
/* The build-id of a file, of the running kernel and of its modules. */
#include "dso/buildid.h"

#include <string.h>

#include "dso/image.h"

bool build_id_read(const char *path, struct build_id *out, GError **error)
{
	struct image *image = image_open(path, error);

	*out = (struct build_id){ 0 };
	if (!image)
		return false;
	*out = image->build_id;
	image_close(image);
	if (!out->size)
		return error_set(error, PERF_ERROR_ABSENT, "%s: no build-id", path);
	return true;
}

bool build_id_fits(const char *path, const struct build_id *id, GError **error)
{
	struct image *image = image_open(path, error);
	bool fits;

	if (!image)
		return false;
	fits = image_identified_by(image, id) ||
	       error_set(error, PERF_ERROR_FORMAT, "%s: has another build-id", path);
	image_close(image);
	return fits;
}

static bool notes_file_read(const char *path, struct build_id *out, GError **error)
{
	g_autofree char *notes = NULL;
	g_autoptr(GError) failure = NULL;
	size_t size;

	*out = (struct build_id){ 0 };
	if (!g_file_get_contents(path, &notes, &size, &failure))
		return error_set(error, PERF_ERROR_SYSTEM, "%s", failure->message);
	if (!build_id_from_notes(notes, size, out))
		return error_set(error, PERF_ERROR_ABSENT, "%s: no build-id", path);
	return true;
}

bool build_id_read_kernel(struct build_id *out, GError **error)
{
	return notes_file_read("/sys/kernel/notes", out, error);
}

bool build_id_read_module(const char *name, struct build_id *out, GError **error)
{
	g_autofree char *path = g_strdup_printf("/sys/module/%s/notes/.note.gnu.build-id", name);

	*out = (struct build_id){ 0 };
	if (strchr(name, '/'))
		return error_set(error, PERF_ERROR_ABSENT, "%s: no name of a module", name);
	return notes_file_read(path, out, error);
}
