// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the recorded file. A profile is often read on another machine or at a later time, so a file with the same name
 * may be another one. A file is used only if its build-id is the recorded one. If no build-id was recorded, the name
 * decides.
 */
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "dso/debuginfod.h"
#include "dso/open_files.h"
#include "dso/packed.h"
#include "dso/private.h"

void absence_set(struct absence *a, enum dso_absent why, const char *fmt, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	g_free(a->text);
	a->why = why;
	a->text = text_shown(text);
}

void absence_clear(struct absence *a)
{
	g_free(a->text);
	*a = (struct absence){ 0 };
}

struct dso_absence absence_shown(const struct absence *a)
{
	return (struct dso_absence){ a->why, a->text ?: "" };
}

static void absence_of_error(struct absence *absence, const GError *error)
{
	enum dso_absent why = DSO_UNREADABLE;

	if (error->code == PERF_ERROR_FORMAT)
		why = DSO_BAD_FILE;
	else if (error->code == PERF_ERROR_ABSENT)
		why = DSO_NO_FILE;
	absence_set(absence, why, "%s", error->message);
}

const char *files_name(const struct dso *dso, const struct image *image)
{
	const char *cache = dso->table->options.buildid_dir;

	if (cache && *cache && g_str_has_prefix(image->path, cache))
		return dso->long_name;
	return g_str_has_prefix(image->path, "/proc/self/fd/") ? dso->long_name : image->path;
}

struct image *files_open(const char *path, const struct build_id *wanted, struct absence *absence)
{
	char want[BUILD_ID_HEX], has[BUILD_ID_HEX];
	g_autoptr(GError) error = NULL;
	struct image *image = image_open(path, &error);

	if (!image) {
		absence_of_error(absence, error);
		return NULL;
	}
	if (!wanted || !wanted->size || image_identified_by(image, wanted)) {
		absence_clear(absence);
		return image;
	}
	build_id_hex(wanted, want);
	if (image->build_id.size)
		absence_set(absence, DSO_OTHER_FILE,
			    "%s: has another build-id (%s, recorded was %s)", path,
			    build_id_hex(&image->build_id, has), want);
	else
		absence_set(absence, DSO_NO_BUILD_ID, "%s: has no build-id (recorded was %s)", path,
			    want);
	image_close(image);
	return NULL;
}

char *files_under_symfs(const struct dso_options *options, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!options->symfs)
		return g_strdup(path);
	if (options->symfs_flat)
		return g_build_filename(options->symfs, slash ? slash + 1 : path, NULL);
	return g_build_filename(options->symfs, path, NULL);
}

/* DIR/.build-id/xx/rest */
static char *path_by_id(const char *dir, const struct build_id *id)
{
	char hex[BUILD_ID_HEX];

	build_id_hex(id, hex);
	return g_strdup_printf("%s/.build-id/%.2s/%s", dir, hex, hex + 2);
}

static char *packed_by_id(const struct dso *dso, const struct build_id *id, const char *kind)
{
	g_autofree char *folder = path_by_id("", id);
	g_autofree char *name = g_build_filename(folder + 1, kind, NULL);

	return packed_path(dso->table->options.packed, name);
}

char *files_in_cache(const struct dso *dso, const struct build_id *id, const char *name)
{
	g_autofree char *dir = NULL;
	char *path;

	if (!id->size)
		return NULL;
	path = packed_by_id(dso, id, name);
	if (path)
		return path;
	dir = path_by_id(dso->table->options.buildid_dir, id);
	path = g_build_filename(dir, name, NULL);
	if (access(path, R_OK) == 0)
		return path;
	g_free(path);
	/* Caches of perf before 4.9 have the file itself under that name. */
	if (!strcmp(name, "elf") && g_file_test(dir, G_FILE_TEST_IS_REGULAR))
		return g_steal_pointer(&dir);
	return NULL;
}

/*
 * Several paths are tried; @absence keeps the most useful reason. The first one other than "no such
 * file" wins ("has another build-id"); otherwise the last path tried is named.
 */
static struct image *try_open(const char *path, const struct build_id *wanted,
			      struct absence *absence)
{
	struct absence here = { 0 };
	struct image *image = path ? files_open(path, wanted, &here) : NULL;

	if (image) {
		absence_clear(absence);
	} else if (path && (absence->why == DSO_PRESENT || absence->why == DSO_NO_FILE)) {
		absence_clear(absence);
		*absence = here;
		return NULL;
	}
	absence_clear(&here);
	return image;
}

/* Without a build-id, only a copy of the cache or a pack would be found. */
static void explain_by_contents(const struct dso *dso, struct absence *absence)
{
	if (absence->why == DSO_NO_BUILD_ID || absence->why == DSO_OTHER_FILE)
		absence_set(absence, DSO_OTHER_FILE,
			    "%s: the file here is another one than the recorded, which has no "
			    "build-id, and no copy of that is in the cache",
			    dso->long_name);
	else if (absence->why == DSO_NO_FILE)
		absence_set(absence, DSO_NO_FILE,
			    "%s: its file is not here, and has no build-id: no copy of it is in "
			    "the cache",
			    dso->long_name);
}

/* "No such file" does not say why: a file of a container, or one that was removed. */
static void explain_no_file(struct dso *dso, struct absence *absence)
{
	u32 pid = process_elsewhere(dso);

	if (dso->by_contents && !pid && !dso->table->options.symfs) {
		explain_by_contents(dso, absence);
		return;
	}
	if (absence->why != DSO_NO_FILE || dso->kind != DSO_USER || dso->table->options.symfs)
		return;
	if (pid)
		absence_set(
			absence, DSO_NO_FILE,
			"%s: the file is not visible here (process %u in another mount namespace): "
			"try as root while it runs",
			dso->long_name, pid);
	else
		absence_set(
			absence, DSO_NO_FILE,
			"%s: the file is not visible here: it was removed, or its process is in "
			"another mount namespace",
			dso->long_name);
}

struct image *files_find_code(struct dso *dso, struct absence *absence)
{
	const struct dso_options *options = &dso->table->options;
	const struct build_id *id = dso_final_id(dso);
	g_autofree char *cached = files_in_cache(dso, id, dso->kind == DSO_VDSO ? "vdso" : "elf");
	g_autofree char *held = options->held ? open_files_path(options->held, id) : NULL;
	g_autofree char *path = NULL, *fetched = NULL;
	struct image *image = try_open(cached, id, absence) ?: try_open(held, id, absence);

	if (dso->unknown) {
		absence_set(absence, DSO_NO_FILE,
			    "%s: the file is not visible here: its process had ended before record "
			    "could open "
			    "it",
			    dso->long_name);
		return NULL;
	}
	if (image || dso->kind == DSO_VDSO)
		return image;
	path = id->size ? NULL : packed_path_of(options->packed, dso->long_name);
	path = path ?: files_under_symfs(options, dso->long_name);
	image = try_open(path, id, absence);
	if (!image && !options->symfs && dso->kind == DSO_USER)
		image = process_find_code(dso);
	if (!image && id->size && !dso->by_contents) {
		fetched = debuginfod_find(id, false);
		image = try_open(fetched, id, absence);
	}
	if (image)
		absence_clear(absence);
	else
		explain_no_file(dso, absence);
	return image;
}

/* CRC-32 as gdb defines it for .gnu_debuglink (polynomial 0xedb88320, reflected). */
static u32 debuglink_crc(const u8 *bytes, size_t size)
{
	u32 table[256], crc = ~0u;

	for (u32 i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	for (size_t i = 0; i < size; i++)
		crc = crc >> 8 ^ table[(u8)(crc ^ bytes[i])];
	return ~crc;
}

struct debuglink {
	const char *name;
	u32 crc;
};

static bool read_debuglink(const struct image *image, struct debuglink *link)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = image_section(image, ".gnu_debuglink", &shdr);
	size_t size, name_size;
	const u8 *bytes = scn ? image_section_bytes(scn, &size) : NULL;
	const u8 *nul = bytes ? memchr(bytes, 0, size) : NULL;

	if (!nul)
		return false;
	name_size = ALIGN_UP((size_t)(nul - bytes) + 1, 4);
	if (name_size > size || size - name_size < 4 || !bytes[0])
		return false;
	link->name = (const char *)bytes;
	memcpy(&link->crc, bytes + name_size, sizeof(link->crc));
	return true;
}

/* If the build-ids are equal, the CRC is not checked: that could mean to read a gigabyte. */
static struct image *try_debuglink(const char *path, const struct image *code, u32 crc,
				   struct absence *absence)
{
	struct image *image = try_open(path, NULL, absence);

	if (!image)
		return NULL;
	if (build_id_equal(&image->build_id, &code->build_id) ||
	    ((!image->build_id.size || !code->build_id.size) &&
	     debuglink_crc(image->bytes, image->size) == crc))
		return image;
	absence_set(absence, DSO_OTHER_FILE, "%s: is not the debug file of %s (checksum differs)",
		    path, code->path);
	image_close(image);
	return NULL;
}

/* @code may be the copy in the build-id cache: its debug file is beside the recorded name. */
static struct image *find_by_debuglink(const struct dso *dso, const struct image *code,
				       struct absence *absence)
{
	const struct dso_options *options = &dso->table->options;
	g_autofree char *dir = g_path_get_dirname(code->path);
	g_autofree char *recorded = g_path_get_dirname(dso->long_name);
	const char *const dirs[] = { dir, recorded };
	struct debuglink link;
	struct image *image = NULL;

	if (!read_debuglink(code, &link) || strchr(link.name, '/'))
		return NULL;
	for (u32 i = 0; i < 3 * ARRAY_SIZE(dirs) && !image; i++) {
		const char *in = dirs[i / 3];
		g_autofree char *path =
			i % 3 == 0   ? g_build_filename(in, link.name, NULL)
			: i % 3 == 1 ? g_build_filename(in, ".debug", link.name, NULL)
				     : g_build_filename(options->debug_dir, in, link.name, NULL);

		if (strcmp(path, code->path))
			image = try_debuglink(path, code, link.crc, absence);
	}
	return image;
}

static struct image *find_by_id(struct dso *dso, const struct build_id *id, struct absence *absence)
{
	const struct dso_options *options = &dso->table->options;
	g_autofree char *plain = path_by_id(options->debug_dir, id);
	g_autofree char *path = g_strconcat(plain, ".debug", NULL);
	g_autofree char *below = options->symfs ? g_build_filename(options->symfs, path, NULL)
						: NULL;
	g_autofree char *inside = options->symfs ? NULL : process_path(dso, path);
	struct image *image = try_open(below, id, absence) ?: try_open(path, id, absence);

	return image ?: try_open(inside, id, absence);
}

/* Distributions keep the debug files of the kernel's modules under the modules' own paths. */
static struct image *find_by_path(const struct dso *dso, const struct build_id *id,
				  struct absence *absence)
{
	const struct dso_options *options = &dso->table->options;
	g_autofree char *path = g_build_filename(options->debug_dir, dso->long_name, NULL);
	g_autofree char *below = options->symfs ? g_build_filename(options->symfs, path, NULL)
						: NULL;
	struct image *image;

	if (dso->kind != DSO_MODULE || dso->long_name[0] != '/')
		return NULL;
	image = try_open(below, id, absence);
	return image ?: try_open(path, id, absence);
}

const char *files_hint_about_servers(void)
{
	static const char *const words[] = {
		[DEBUGINFOD_NO] = " or let perf fetch it: perf config debuginfod.fetch=ask",
		[DEBUGINFOD_ASK] = "",
		[DEBUGINFOD_YES] = "; the servers of DEBUGINFOD_URLS do not have it either",
	};

	return debuginfod_servers() ? words[debuginfod_consent()] : " or set DEBUGINFOD_URLS";
}

static char *hint(const struct dso *dso)
{
	return g_strconcat(dso->kind == DSO_KERNEL
				   ? "install the kernel's debug package (linux-image-...-dbg, "
				     "kernel-debuginfo), name its vmlinux with -k"
				   : "compile it with -g, install its debug package (-dbg, "
				     "-dbgsym, -debuginfo)",
			   files_hint_about_servers(), NULL);
}

struct image *files_find_debug(struct dso *dso, const struct image *code, struct absence *absence)
{
	const struct build_id none = { 0 },
			      *recorded = dso->by_contents ? &none : dso_final_id(dso);
	const struct build_id *id = code ? &code->build_id : recorded;
	g_autofree char *cached = files_in_cache(dso, id, "debug");
	g_autofree char *fetched = NULL;
	char hex[BUILD_ID_HEX];
	struct image *image = NULL;

	if (id->size)
		image = try_open(cached, id, absence)
				?: find_by_id(dso, id, absence)
					   ?: find_by_path(dso, id, absence);
	if (!image && code)
		image = find_by_debuglink(dso, code, absence);
	if (!image && id->size) {
		fetched = debuginfod_find(id, true);
		image = try_open(fetched, id, absence);
	}
	if (!image && (absence->why == DSO_PRESENT || absence->why == DSO_NO_FILE)) {
		g_autofree char *advice = hint(dso);

		absence_set(absence, DSO_NO_DEBUG_INFO, "%s: no debug information%s%s: %s",
			    code ? files_name(dso, code) : dso->long_name,
			    id->size ? " for build-id " : "", build_id_hex(id, hex), advice);
	}
	return image;
}

struct image *files_find_alt(struct dso *dso, const struct image *image, const char *name,
			     const struct build_id *id)
{
	const struct dso_options *options = &dso->table->options;
	g_autofree char *dir = g_path_get_dirname(image->path);
	g_autofree char *beside = g_build_filename(dir, name, NULL);
	g_autofree char *base = g_path_get_basename(name);
	g_autofree char *dwz = g_build_filename(options->debug_dir, ".dwz", base, NULL);
	g_autofree char *fetched = NULL;
	g_autofree char *cached = files_in_cache(dso, id, "debug");
	struct absence absence = { 0 };
	struct image *alt = try_open(cached, id, &absence) ?: find_by_id(dso, id, &absence);

	if (!alt)
		alt = try_open(name[0] == '/' ? name : beside, id, &absence)
			      ?: try_open(dwz, id, &absence);
	if (!alt) {
		fetched = debuginfod_find(id, true);
		alt = try_open(fetched, id, &absence);
	}
	absence_clear(&absence);
	return alt;
}
