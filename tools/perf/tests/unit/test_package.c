// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which package has the debug information of a file? Forged lists of dpkg (deb-files in /var/lib/dpkg/info, dpkg(1)) and of apk
 * (its installed database: P, F and R lines), and forged notes by systemd's "Package Metadata for Executable Files".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "dso/package.h"

static char *root;

static void write_file(const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(root, name, NULL);
	g_autofree char *folder = g_path_get_dirname(path);

	assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static int set_up(void **state)
{
	root = g_dir_make_tmp("test-package-XXXXXX", NULL);
	return 0;
}

static int tear_down(void **state)
{
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", root);
	int status = system(command);

	g_clear_pointer(&root, g_free);
	return status;
}

static void expect(const char *path, const struct image *image, const char *install,
		   const char *name, bool in_archive)
{
	struct debug_package found = { 0 };

	assert_true(package_with_debug(root, path, image, &found));
	assert_string_equal(found.install, install);
	assert_string_equal(found.name, name);
	assert_int_equal(found.in_archive, in_archive);
	package_clear(&found);
}

static void expect_none(const char *path, const struct image *image)
{
	struct debug_package found = { 0 };

	assert_false(package_with_debug(root, path, image, &found));
}

static void dpkg_names_the_owner(void **state)
{
	write_file("var/lib/dpkg/info/coreutils.list", "/.\n/bin\n/usr/bin\n/usr/bin/sort\n");
	write_file("var/lib/dpkg/info/libc6:amd64.list",
		   "/lib/x86_64-linux-gnu/libc.so.6\n/lib/x86_64-linux-gnu");
	write_file("var/lib/dpkg/info/python3.11.list", "/usr/bin/python3.11\n");
	write_file("var/lib/dpkg/info/other.md5sums", "/usr/bin/none\n");
	expect("/usr/bin/sort", NULL, "apt install", "coreutils-dbgsym", true);
	/* /lib is a link to /usr/lib: the process has mapped the file there. */
	expect("/usr/lib/x86_64-linux-gnu/libc.so.6", NULL, "apt install", "libc6-dbg", false);
	expect("/usr/bin/python3.11", NULL, "apt install", "python3.11-dbgsym", true);
	expect_none("/usr/bin/sor", NULL);
	expect_none("/usr/bin/sort2", NULL);
	expect_none("sort", NULL);
	expect_none("/usr/bin/none", NULL);
}

static void apk_names_the_owner(void **state)
{
	write_file("lib/apk/db/installed",
		   "P:musl\nV:1.2.4\nF:lib\nR:ld-musl-x86_64.so.1\na:0:0:755\n\n"
		   "P:redis\nF:usr\nF:usr/bin\nR:redis-server\n");
	expect("/lib/ld-musl-x86_64.so.1", NULL, "apk add", "musl-dbg", false);
	expect("/usr/bin/redis-server", NULL, "apk add", "redis-dbg", false);
	expect_none("/usr/redis-server", NULL);
	expect_none("/usr/bin/redis", NULL);
	expect_none("lib/ld-musl-x86_64.so.1", NULL);
}

/* What is no name of a package would be a part of a command that somebody copies. */
static void odd_names_are_not_shown(void **state)
{
	write_file("var/lib/dpkg/info/a; rm x.list", "/usr/bin/sort\n");
	expect_none("/usr/bin/sort", NULL);
	write_file("lib/apk/db/installed", "P:-x\nF:bin\nR:y\n");
	expect_none("/bin/y", NULL);
}

/* A program with the note's bytes @words. */
static struct image *with_note(const char *text, u32 desc_size, u32 type)
{
	g_autofree char *note = g_build_filename(root, "note", NULL);
	g_autofree char *program = g_build_filename(root, "program", NULL);
	g_autofree char *command = g_strdup_printf(
		"cd '%s' && echo 'int main(void) { return 0; }' | gcc -x c -o program - && "
		"objcopy --add-section .note.package=note --set-section-flags "
		".note.package=noload,readonly program && "
		"objcopy --set-section-alignment .note.package=4 program",
		root);
	u32 head[3] = { 4, desc_size, type };
	GByteArray *bytes = g_byte_array_new();
	struct image *image;

	g_byte_array_append(bytes, (u8 *)head, sizeof(head));
	g_byte_array_append(bytes, (const u8 *)"FDO", 4);
	g_byte_array_append(bytes, (const u8 *)text, (u32)strlen(text) + 1);
	g_byte_array_set_size(bytes, (bytes->len + 3) & ~3u);
	assert_true(g_file_set_contents(note, (char *)bytes->data, bytes->len, NULL));
	g_byte_array_unref(bytes);
	assert_int_equal(system(command), 0);
	image = image_open(program, NULL);
	assert_non_null(image);
	return image;
}

static void expect_of_note(const char *text, const char *install, const char *name)
{
	struct image *image = with_note(text, (u32)strlen(text) + 1, 0xcafe1a7e);

	if (name)
		expect("/usr/bin/x", image, install, name, false);
	else
		expect_none("/usr/bin/x", image);
	image_close(image);
}

static void a_note_names_the_package_of_rpm(void **state)
{
	struct image *image;

	expect_of_note("{\"type\":\"rpm\",\"name\":\"bash\",\"version\":\"5.2-1.fc38\","
		       "\"architecture\":\"x86_64\"}",
		       "dnf debuginfo-install", "bash");
	expect_of_note("{ \"name\" : \"bash\", \"os\" : \"opensuse\", \"type\" : \"rpm\" }",
		       "zypper install", "bash-debuginfo");
	expect_of_note("{\"type\":\"rpm\",\"name\":\"a b\"}", NULL, NULL);
	expect_of_note("{\"type\":\"rpm\"}", NULL, NULL);
	expect_of_note("{\"type\":\"deb\",\"name\":\"source-of-several\"}", NULL, NULL);
	image = with_note("{\"type\":\"rpm\",\"name\":\"bash\"}", 1 << 30,
			  0xcafe1a7e); /* too long */
	expect_none("/usr/bin/x", image);
	image_close(image);
	image = with_note("{\"type\":\"rpm\",\"name\":\"bash\"}", 30, 1); /* another note */
	expect_none("/usr/bin/x", image);
	image_close(image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(dpkg_names_the_owner, set_up, tear_down),
		cmocka_unit_test_setup_teardown(apk_names_the_owner, set_up, tear_down),
		cmocka_unit_test_setup_teardown(odd_names_are_not_shown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_note_names_the_package_of_rpm, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
