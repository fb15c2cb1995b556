// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Example, /usr/bin/sort on Debian: /var/lib/dpkg/info/coreutils.list has the line "/usr/bin/sort", or "/bin/..." for a package that
 * is older than the merge of both folders. So its debug information is in coreutils-dbgsym, which Debian makes for each package.
 */
#include "dso/package.h"

#include <string.h>

#include "base/file.h"
#include "base/types.h"

#define LIST_MAX      (64u << 20)
#define NOTE_PACKAGE  0xcafe1a7eu /* the type of the note whose name is "FDO" */
#define NOTE_NAME_MAX 4096

/* Is @path a whole line of @text? */
static bool has_line(const char *text, const char *path)
{
	size_t size = strlen(path);

	for (const char *at = text; (at = strstr(at, path)); at += size)
		if ((at == text || at[-1] == '\n') && (at[size] == '\n' || !at[size]))
			return true;
	return false;
}

/* @path may have another name in a list: /usr/lib/x.so is /lib/x.so there. */
static bool lists_file(const char *text, const char *path)
{
	return has_line(text, path) ||
	       (g_str_has_prefix(path, "/usr/") && has_line(text, path + strlen("/usr")));
}

static char *find_in_dpkg(const char *root, const char *path)
{
	g_autofree char *folder = g_build_filename(root, "/var/lib/dpkg/info", NULL);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(folder, name, NULL);
		g_autofree char *text = NULL;

		if (!g_str_has_suffix(name, ".list"))
			continue;
		text = file_read(file, LIST_MAX, NULL, NULL);
		if (text && lists_file(text, path)) /* "libc6:amd64.list" */
			return g_strndup(name, strchr(name, ':') ? strcspn(name, ":")
								 : strlen(name) - strlen(".list"));
	}
	return NULL;
}

/* Records of lines "P:musl", "F:lib" (a folder), "R:ld-musl-x86_64.so.1" (a file in it). */
static char *find_in_apk(const char *root, const char *path)
{
	g_autofree char *file = g_build_filename(root, "/lib/apk/db/installed", NULL);
	g_autofree char *text = file_read(file, LIST_MAX, NULL, NULL);
	g_auto(GStrv) lines = text ? g_strsplit(text, "\n", -1) : NULL;
	const char *package = NULL, *folder = "";

	for (char **line = lines; line && *line; line++) {
		if (g_str_has_prefix(*line, "P:"))
			package = *line + 2;
		else if (g_str_has_prefix(*line, "F:"))
			folder = *line + 2;
		else if (package && g_str_has_prefix(*line, "R:") && path[0] == '/' &&
			 g_str_has_prefix(path + 1, folder) && path[1 + strlen(folder)] == '/' &&
			 !strcmp(path + strlen(folder) + 2, *line + 2))
			return g_strdup(package);
	}
	return NULL;
}

/* The string that JSON's object @text has under @key, without escapes. */
static char *member_of(const char *text, const char *key)
{
	g_autofree char *pattern = g_strdup_printf("\"%s\"\\s*:\\s*\"([^\"\\\\]+)\"", key);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

/* The description of the note "FDO", or NULL. */
static char *read_note(const struct image *image)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = image_section(image, ".note.package", &shdr);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t name, desc, at = 0;
	GElf_Nhdr note;

	while (data && (at = gelf_getnote(data, at, &note, &name, &desc)))
		if (note.n_type == NOTE_PACKAGE && note.n_namesz == 4 &&
		    !memcmp((char *)data->d_buf + name, "FDO", 4) && note.n_descsz <= NOTE_NAME_MAX)
			return g_strndup((char *)data->d_buf + desc, note.n_descsz);
	return NULL;
}

/* Names of packages are shown, as a part of a command: nothing but letters, digits and + - . _ */
static bool is_name(const char *name)
{
	return name && name[0] && name[0] != '-' &&
	       name[strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "+-._")] == '\0';
}

static bool find_rpm(const struct image *image, struct debug_package *found)
{
	g_autofree char *note = read_note(image);
	g_autofree char *type = note ? member_of(note, "type") : NULL;
	g_autofree char *name = note ? member_of(note, "name") : NULL;
	bool suse = note && strstr(note, "suse");

	if (!type || strcmp(type, "rpm") || !is_name(name))
		return false;
	found->install = suse ? "zypper install" : "dnf debuginfo-install";
	found->name = suse ? g_strconcat(name, "-debuginfo", NULL) : g_steal_pointer(&name);
	found->in_archive = false;
	return true;
}

bool package_with_debug(const char *root, const char *path, const struct image *image,
			struct debug_package *found)
{
	g_autofree char *deb = find_in_dpkg(root, path);
	g_autofree char *apk = deb ? NULL : find_in_apk(root, path);
	bool libc = deb && !strcmp(deb, "libc6");

	if (is_name(deb)) {
		found->install = "apt install";
		found->name = g_strconcat(deb, libc ? "-dbg" : "-dbgsym", NULL);
		found->in_archive = !libc;
		return true;
	}
	if (is_name(apk)) {
		found->install = "apk add";
		found->name = g_strconcat(apk, "-dbg", NULL);
		found->in_archive = false;
		return true;
	}
	return image && find_rpm(image, found);
}

void package_clear(struct debug_package *package)
{
	g_clear_pointer(&package->name, g_free);
}
