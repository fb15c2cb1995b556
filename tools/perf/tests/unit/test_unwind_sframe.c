// SPDX-License-Identifier: GPL-2.0-or-later
/* .sframe becomes the rules that it states, in all three versions; garbled sections give no rules, and quickly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include <glib/gstdio.h>

#include "tests/unit/rules.h"

#define TEXT 0x10000

/* A function with a frame pointer, one with a large frame. */
static const char code[] = "	.text\n"
			   "f:\n"
			   "	.cfi_startproc\n"
			   "	push %rbp\n"
			   "	.cfi_def_cfa_offset 16\n"
			   "	.cfi_offset rbp, -16\n"
			   "	.cfi_offset rbx, -24\n"
			   "	mov %rsp, %rbp\n"
			   "	.cfi_def_cfa_register rbp\n"
			   "	nop\n"
			   "	pop %rbp\n"
			   "	.cfi_def_cfa rsp, 8\n"
			   "	.cfi_restore rbp\n"
			   "	ret\n"
			   "	.cfi_endproc\n"
			   "g:\n"
			   "	.cfi_startproc\n"
			   "	sub $1000, %rsp\n"
			   "	.cfi_def_cfa_offset 1008\n"
			   "	.skip 300\n"
			   "	add $1000, %rsp\n"
			   "	.cfi_def_cfa_offset 8\n"
			   "	ret\n"
			   "	.cfi_endproc\n";

static const char expected[] = "0: rsp+8 rip@-8\n"
			       "1: rsp+16 rbp@-16 rip@-8\n"
			       "4: rbp+16 rbp@-16 rip@-8\n"
			       "6: rsp+8 rip@-8\n"
			       "e: rsp+1008 rip@-8\n"
			       "141: rsp+8 rip@-8\n"
			       "142: none\n";

/* The section by hand: %1 version, %2 flags, %3 what an address is relative to, %4 what is behind an FDE. */
static const char by_hand[] =
	"	.text\n"
	"f:	.skip 7\n"
	"g:	.skip 315\n"
	"plt:	.skip 44\n" /* two entries of 16 bytes, and some of a third */
	"start:	.skip 8\n"
	"	.section .by_hand,\"a\"\n" /* the linker makes .sframe anew */
	"8:	.short 0xdee2\n"
	"	.byte %d, %d, 3, 0, -8, 0\n"
	"	.long 4, 10, 3f - 2f, 0, 2f - 1f\n"
	"1:	.long f - %s, 7, 4f - 2f, 4\n"
	"	.byte 0%s\n"
	"	.long g - %s, 315, 5f - 2f, 3\n"
	"	.byte 1%s\n"
	"	.long plt - %s, 44, 6f - 2f, 2\n"
	"	.byte 0x10%s\n"
	"	.long start - %s, 8, 7f - 2f, 1\n"
	"	.byte 2%s\n"
	"2:\n"
	"4:	.byte 0, 0x03, 8;  .byte 1, 0x05, 16, -16;  .byte 4, 0x04, 16, -16;  .byte 6, "
	"0x03, 8\n"
	"5:	.short 0; .byte 0x03, 8;  .short 7; .byte 0x23; .short 1008;  .short 314; .byte "
	"0x43; "
	".long 8\n"
	"6:	.byte 0, 0x03, 16;  .byte 11, 0x03, 24\n"
	"7:	.long 0; .byte 0x01\n"
	"3:\n";

/*
 * Version 3: addresses have 8 bytes, and what belongs to a function stands in front of its rows. %1 flags, %2 what an address
 * is relative to. Behind the functions of above: a signal's frame, a stack that is realigned, and rows whose words have 2 bytes.
 */
static const char by_hand_3[] =
	"	.text\n"
	"f:	.skip 7\n"
	"g:	.skip 315\n"
	"plt:	.skip 44\n"
	"start:	.skip 8\n"
	"signal: .skip 9\n"
	"moved:	.skip 32\n"
	"wide:	.skip 8\n"
	"	.section .by_hand,\"a\"\n"
	"8:	.short 0xdee2\n"
	"	.byte 3, %d, 3, 0, -8, 0\n"
	"	.long 7, 18, 3f - 2f, 0, 2f - 1f\n"
	"1:	.quad f - %s;      .long 7, 40f - 2f\n"
	"	.quad g - %s;      .long 315, 50f - 2f\n"
	"	.quad plt - %s;    .long 44, 60f - 2f\n"
	"	.quad start - %s;  .long 8, 70f - 2f\n"
	"	.quad signal - %s; .long 9, 80f - 2f\n"
	"	.quad moved - %s;  .long 32, 90f - 2f\n"
	"	.quad wide - %s;   .long 8, 91f - 2f\n"
	"2:\n"
	"40:	.short 4; .byte 0, 0, 0\n"
	"	.byte 0, 0x03, 8;  .byte 1, 0x05, 16, -16;  .byte 4, 0x04, 16, -16;  .byte 6, "
	"0x03, 8\n"
	"50:	.short 3; .byte 1, 0, 0\n"
	"	.short 0; .byte 0x03, 8;  .short 7; .byte 0x23; .short 1008;  .short 314; .byte "
	"0x43; "
	".long 8\n"
	"60:	.short 2; .byte 0x10, 0, 16\n"
	"	.byte 0, 0x03, 16;  .byte 11, 0x03, 24\n"
	"70:	.short 1; .byte 2, 0, 0\n"
	"	.long 0; .byte 0x01\n"
	"80:	.short 1; .byte 0x80, 0, 0\n"
	"	.byte 0, 0x03, 40\n"
	/* CFA r10; CFA at rbp-8, rbp at rbp; the same, and the return address at rbp+8; as in all of the file */
	"90:	.short 4; .byte 0, 1, 0\n"
	"	.byte 0, 0x04, 0x51, 0\n"
	"	.byte 5, 0x0a, 0x33, -8, 0, 0x33, 0\n"
	"	.byte 9, 0x0c, 0x33, -8, 0x33, 8, 0x33, 0\n"
	"	.byte 30, 0x0a, 0x39, 8, 0, 0x02, -16\n"
	"91:	.short 2; .byte 0, 1, 0\n"
	"	.byte 0, 0x2a; .short 0x39, 1008, 0, 0x33, -600\n"
	"	.byte 4, 0x00\n"
	"3:\n";

static const char expected_by_hand[] = "0: rsp+8 rip@-8\n"
				       "1: rsp+16 rbp@-16 rip@-8\n"
				       "4: rbp+16 rbp@-16 rip@-8\n"
				       "6: rsp+8 rip@-8\n"
				       "e: rsp+1008 rip@-8\n"
				       "141: rsp+8 rip@-8\n"
				       "142: rsp+16 rip@-8\n"
				       "14d: rsp+24 rip@-8\n"
				       "152: rsp+16 rip@-8\n"
				       "15d: rsp+24 rip@-8\n"
				       "162: rsp+16 rip@-8\n"
				       "16d: rsp+24 rip@-8\n"
				       "16e: rsp+0 rip?\n"
				       "176: none\n";

static const char expected_by_hand_3[] = "16e: rsp+0 rip?\n"
					 "176: rsp+40 rip@-8 signal\n"
					 "17f: r10+0 rip@-8\n"
					 "184: (rbp-8) rbp@(rbp+0) rip@-8\n"
					 "188: (rbp-8) rbp@(rbp+0) rip@(rbp+8)\n"
					 "19d: rsp+8 rbp@-16 rip@-8\n"
					 "19f: rsp+1008 rbp@(rbp-600) rip@-8\n"
					 "1a3: rbp+0 rip?\n"
					 "1a7: none\n";

static char *dir, *path;

static int make_folder(void **state)
{
	dir = g_dir_make_tmp("sframe.XXXXXX", NULL);
	path = g_build_filename(dir, "f", NULL);
	return !dir;
}

static int remove_folder(void **state)
{
	g_unlink(path);
	g_rmdir(dir);
	g_free(path);
	g_free(dir);
	return 0;
}

/* False: this assembler cannot. */
static bool build(const char *text)
{
	g_autofree char *s = g_build_filename(dir, "f.s", NULL);
	g_autofree char *command = g_strdup_printf(
		"(gcc -nostdlib -shared -Wl,-Ttext=%#x -Wl,-z,noexecstack -o %s %s && "
		"objcopy --rename-section .by_hand=.sframe %s) 2>/dev/null",
		TEXT, path, s, path);
	bool built;

	assert_true(g_file_set_contents(s, text, -1, NULL));
	built = !system(command);
	g_unlink(s);
	return built;
}

/* @text without the registers whose places the format does not tell: every rule must say that they are unknown. */
static char *without_unknown(const char *text)
{
	static const char *const unknown[] = { " rbx?", " r12? r13? r14? r15?" };
	g_auto(GStrv) rules = g_strsplit(text, " rip", -1);
	char *left = g_strdup(text);

	for (u32 i = 0; i < ARRAY_SIZE(unknown); i++) {
		g_auto(GStrv) parts = g_strsplit(left, unknown[i], -1);

		assert_int_equal(g_strv_length(parts), g_strv_length(rules));
		g_free(left);
		left = g_strjoinv("", parts);
	}
	return left;
}

static void check_rules(const char *rules)
{
	struct image *image = image_open(path, NULL);
	struct cfi *cfi = cfi_open(image, NULL);
	g_autofree char *text = NULL, *known = NULL;

	assert_non_null(cfi);
	text = rules_text(cfi, TEXT, 0x200);
	known = without_unknown(text);
	assert_string_equal(known, rules);
	cfi_close(cfi);
	image_close(image);
}

static void test_by_assembler(void **state)
{
	g_autofree char *text = g_strconcat("	.cfi_sections .sframe\n", code, NULL);
	g_autofree char *both = g_strconcat("	.cfi_sections .eh_frame, .sframe\n", code, NULL);
	struct image *image;
	struct cfi *cfi;

	if (!build(text)) {
		print_message("this assembler makes no .sframe\n");
		skip();
	}
	check_rules(expected);
	/* .eh_frame says more, so it is taken where both are. */
	assert_true(build(both));
	image = image_open(path, NULL);
	cfi = cfi_open(image, NULL);
	assert_int_equal(cfi_stats(cfi).nr_functions, 2);
	assert_int_equal(cfi_find(cfi, TEXT + 4)->regs[CFI_RBX].how, CFI_AT);
	cfi_close(cfi);
	image_close(image);
}

static char *written(u32 version, u32 flags)
{
	const char *from = flags & 4 ? "." : "8b", *more = version > 1 ? ", 16, 0, 0" : "";

	if (version == 3)
		return g_strdup_printf(by_hand_3, flags, from, from, from, from, from, from, from);
	return g_strdup_printf(by_hand, version, flags, from, more, from, more, from, more, from,
			       more);
}

static void test_versions(void **state)
{
	static const u32 ways[][2] = { { 1, 1 }, { 2, 1 }, { 2, 5 }, { 3, 1 }, { 3, 5 } };
	const char *until = strstr(expected_by_hand, "16e:");
	g_autofree char *three = g_strdup_printf("%.*s%s", (int)(until - expected_by_hand),
						 expected_by_hand, expected_by_hand_3);

	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		g_autofree char *text = written(ways[i][0], ways[i][1]);

		assert_true(build(text));
		check_rules(ways[i][0] == 3 ? three : expected_by_hand);
	}
}

/* A function whose rows would be behind the section is left out. The others stay. */
static void test_rows_outside(void **state)
{
	static const char *const offsets[] = { "7, 4f - 2f", "7, 40f - 2f" };

	for (u32 i = 0; i < ARRAY_SIZE(offsets); i++) {
		g_autofree char *text = written(2 + i, 1);
		g_auto(GStrv) around = g_strsplit(text, offsets[i], -1);
		g_autofree char *bad = g_strjoinv("7, 0x7fffffff", around);
		struct image *image;
		struct cfi *cfi;

		assert_int_equal(g_strv_length(around), 2);
		assert_true(build(bad));
		image = image_open(path, NULL);
		cfi = cfi_open(image, NULL);
		assert_non_null(cfi);
		assert_int_equal(cfi_stats(cfi).nr_functions, i ? 6 : 3);
		assert_null(cfi_find(cfi, TEXT + 1));
		assert_non_null(cfi_find(cfi, TEXT + 7));
		cfi_close(cfi);
		image_close(image);
	}
}

static void test_other_versions(void **state)
{
	for (u32 version = 0; version < 5; version++) {
		g_autofree char *text = written(version == 4 ? 255 : version, 1);
		struct image *image;
		struct cfi *cfi;

		if (version >= 1 && version <= 3)
			continue;
		assert_true(build(text));
		image = image_open(path, NULL);
		cfi = cfi_open(image, NULL);
		assert_null(cfi);
		image_close(image);
	}
}

static void ask_all(void)
{
	struct image *image = image_open(path, NULL);
	struct cfi *cfi = image ? cfi_open(image, image) : NULL;

	if (cfi) {
		for (u64 vaddr = 0; vaddr < TEXT + 0x200; vaddr += 1 + vaddr % 3)
			cfi_find(cfi, vaddr);
		cfi_compile(cfi);
		assert_true(cfi_stats(cfi).nr_rows <= 2 * image->size);
	}
	cfi_close(cfi);
	image_close(image);
}

/* Bytes of the section changed, some at a time, by a generator that repeats itself; and cut off. */
static void test_garbled(void **state)
{
	for (u32 version = 1; version <= 3; version++) {
		g_autofree char *text = written(version, 1), *whole = NULL, *bad = NULL;
		struct image *image;
		u64 random = 1;
		GElf_Shdr shdr;
		gsize size;

		assert_true(build(text));
		assert_true(g_file_get_contents(path, &whole, &size, NULL));
		image = image_open(path, NULL);
		assert_non_null(image_section(image, ".sframe", &shdr));
		image_close(image);
		bad = g_malloc(size);
		for (u32 i = 0; i < 400; i++) {
			memcpy(bad, whole, size);
			for (u32 k = 0; k < 1 + i % 4; k++) {
				random = random * 6364136223846793005u + 1442695040888963407u;
				bad[shdr.sh_offset + (random >> 33) % shdr.sh_size] =
					(char)(random >> 56);
			}
			assert_true(g_file_set_contents_full(path, bad, (gssize)size,
							     G_FILE_SET_CONTENTS_NONE, 0600, NULL));
			ask_all();
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_by_assembler, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_versions, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_rows_outside, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_other_versions, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_garbled, make_folder, remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
