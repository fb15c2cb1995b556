// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call-frame information becomes the rules that assembly code states, from each section that can hold it; garbled
 * sections give no rules, and quickly.
 */
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

/* The example at the head of cfi.c, padding, then every kind of instruction. */
static const char source[] =
	"%s\n"
	"	.text\n"
	"	.cfi_startproc\n"
	"	push %%rbx\n" /* 0 */
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset rbx, -16\n"
	"	mov %%rdi, %%rbx\n" /* 1 */
	"	nop; nop; nop; nop; nop\n"
	"	add %%rbx, %%rax\n" /* 9 */
	"	pop %%rbx\n"	    /* c */
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n" /* d */
	"	.cfi_endproc\n"
	"	nop; nop\n" /* e: between functions */
	"	.cfi_startproc\n"
	"	nop\n" /* 10 */
	"	.cfi_remember_state\n"
	"	.cfi_def_cfa rbp, 16\n"
	"	.cfi_offset rbp, -16\n"
	"	.cfi_val_offset r12, 32\n"
	"	.cfi_register r13, rax\n"
	"	nop\n" /* 11 */
	"	.cfi_restore_state\n"
	"	.cfi_undefined rip\n"
	"	nop\n"					/* 12 */
	"	.cfi_escape 0x0f,0x03,0x77,0x08,0x06\n" /* CFA: the word at rsp+8 */
	"	.cfi_escape 0x10,0x06,0x02,0x77,0x78\n" /* rbp: in memory at rsp-8 */
	"	.cfi_escape 0x16,0x03,0x02,0x77,0x78\n" /* rbx: rsp-8 */
	"	.cfi_restore rip\n"
	"	nop\n" /* 13 */
	"	.cfi_same_value rbx\n"
	"	.cfi_restore rbp\n"
	"	.cfi_def_cfa_register rsp\n" /* garbled: the CFA is an expression */
	"	nop\n"			     /* 14 */
	"	.cfi_endproc\n"
	"	.cfi_startproc\n"
	"	.cfi_signal_frame\n"
	"	.skip 300\n" /* 15 */
	"	.cfi_def_cfa_offset 24\n"
	"	.skip 70000\n"
	"	.cfi_def_cfa_offset 32\n"
	"	nop\n"
	"	.cfi_endproc\n";

static const char expected[] = "0: rsp+8 rip@-8\n"
			       "1: rsp+16 rbx@-16 rip@-8\n"
			       "d: rsp+8 rbx@-16 rip@-8\n"
			       "e: none\n"
			       "10: rsp+8 rip@-8\n"
			       "11: rbp+16 rbp@-16 r12=+32 r13=rax+0 rip@-8\n"
			       "12: rsp+8 rip?\n"
			       "13: [7708 06] rbx=[7778] rbp@[7778] rip@-8\n"
			       "14: none\n"
			       "15: rsp+8 rip@-8 signal\n"
			       "141: rsp+24 rip@-8 signal\n"
			       "112b1: rsp+32 rip@-8 signal\n"
			       "112b2: none\n";

/* i386: other numbers of registers, words of 4 bytes. */
static const char narrow_source[] =
	"	.text\n"
	"	.cfi_startproc\n"
	"	push %ebx\n" /* 0 */
	"	.cfi_def_cfa_offset 8\n"
	"	.cfi_offset ebx, -8\n"
	"	push %ebp\n" /* 1 */
	"	.cfi_def_cfa_offset 12\n"
	"	.cfi_offset ebp, -12\n"
	"	mov %esp, %ebp\n" /* 2 */
	"	.cfi_def_cfa_register ebp\n"
	"	.cfi_offset esi, -16\n"
	"	.cfi_offset edi, -20\n"
	"	.cfi_register eax, ecx\n"
	"	nop\n"					/* 4 */
	"	.cfi_escape 0x0f,0x03,0x75,0x7c,0x06\n" /* CFA: the word at ebp-4 */
	"	nop\n"					/* 5 */
	"	.cfi_endproc\n";

static const char narrow_expected[] =
	"0: rsp+4 rip@-4\n"
	"1: rsp+8 rbx@-8 rip@-4\n"
	"2: rsp+12 rbx@-8 rbp@-12 rip@-4\n"
	"4: rbp+12 rax=rcx+0 rbx@-8 rsi@-16 rdi@-20 rbp@-12 rip@-4\n"
	"5: [757c 06] rax=rcx+0 rbx@-8 rsi@-16 rdi@-20 rbp@-12 rip@-4\n"
	"6: none\n";

struct built {
	char *dir, *path;
};

static struct built build_text(const char *text, const char *link)
{
	struct built b = { .dir = g_dir_make_tmp("cfi.XXXXXX", NULL) };
	g_autofree char *s = g_build_filename(b.dir, "f.s", NULL);
	g_autofree char *command = NULL;

	b.path = g_build_filename(b.dir, "f", NULL);
	assert_true(g_file_set_contents(s, text, -1, NULL));
	command = g_strdup_printf(
		"gcc -nostdlib -shared -Wl,-Ttext=%#x -Wl,-z,noexecstack %s -o %s %s", TEXT, link,
		b.path, s);
	if (system(command))
		fail_msg("%s: failed", command);
	return b;
}

static struct built build(const char *sections, const char *link)
{
	g_autofree char *text = g_strdup_printf(source, sections);

	return build_text(text, link);
}

static void remove_built(struct built *b)
{
	g_autofree char *s = g_build_filename(b->dir, "f.s", NULL);

	g_unlink(s);
	g_unlink(b->path);
	g_rmdir(b->dir);
	g_free(b->dir);
	g_free(b->path);
}

static void check_rows(const char *sections, const char *link)
{
	struct built b = build(sections, link);
	struct image *image = image_open(b.path, NULL);
	struct cfi *cfi = cfi_open(image, NULL);
	g_autofree char *rows = NULL;
	struct cfi_stats stats;

	assert_non_null(cfi);
	rows = rules_text(cfi, TEXT, 0x11300);
	assert_string_equal(rows, expected);
	stats = cfi_stats(cfi);
	assert_int_equal(stats.nr_functions, 3);
	assert_int_equal(stats.nr_compiled, 3);
	cfi_close(cfi);
	image_close(image);
	remove_built(&b);
}

static void test_rows_by_header(void **state)
{
	check_rows("", "-Wl,--eh-frame-hdr");
}

static void test_rows_without_header(void **state)
{
	check_rows("", "-Wl,--no-eh-frame-hdr");
}

static void test_rows_of_debug_frame(void **state)
{
	check_rows(".cfi_sections .debug_frame", "");
	check_rows(".cfi_sections .debug_frame", "-Wl,--compress-debug-sections=zlib");
}

static void test_rows_of_32_bit(void **state)
{
	static const char *const ways[] = { "-m32 -Wl,--eh-frame-hdr", "-m32 -Wl,--no-eh-frame-hdr",
					    "-m32" };
	static const char *const sections[] = { "", "", ".cfi_sections .debug_frame\n" };

	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		g_autofree char *text = g_strconcat(sections[i], narrow_source, NULL);
		g_autofree char *rows = NULL;
		struct built b = build_text(text, ways[i]);
		struct image *image = image_open(b.path, NULL);
		struct cfi *cfi = cfi_open(image, NULL);

		assert_non_null(cfi);
		assert_true(cfi_is_narrow(cfi));
		rows = rules_text(cfi, TEXT, 0x100);
		assert_string_equal(rows, narrow_expected);
		cfi_close(cfi);
		image_close(image);
		remove_built(&b);
	}
}

/* An instruction that nobody knows may do anything: the rest of its function has no rules. Linkers read .eh_frame, so it is not there. */
static void test_unknown_instruction(void **state)
{
	static const char unknown[] = "	.cfi_sections .debug_frame\n"
				      "	.text\n"
				      "	.cfi_startproc\n"
				      "	nop\n"			 /* 0 */
				      "	.cfi_escape 0x30,0x03\n" /* 1 */
				      "	nop\n"
				      "	.cfi_endproc\n"
				      "	.cfi_startproc\n"
				      "	nop\n" /* 2 */
				      "	.cfi_endproc\n";
	struct built b = build_text(unknown, "");
	struct image *image = image_open(b.path, NULL);
	struct cfi *cfi = cfi_open(image, NULL);
	g_autofree char *rows = NULL;

	assert_non_null(cfi);
	rows = rules_text(cfi, TEXT, 0x10);
	assert_string_equal(rows, "0: rsp+8 rip@-8\n1: none\n2: rsp+8 rip@-8\n3: none\n");
	cfi_close(cfi);
	image_close(image);
	remove_built(&b);
}

/* A function is compiled when it is asked for, and not before. */
static void test_compiles_late(void **state)
{
	struct built b = build("", "");
	struct image *image = image_open(b.path, NULL);
	struct cfi *cfi = cfi_open(image, NULL);

	assert_int_equal(cfi_stats(cfi).nr_compiled, 0);
	assert_null(cfi_find(cfi, TEXT - 1));
	assert_int_equal(cfi_stats(cfi).nr_compiled, 0);
	assert_non_null(cfi_find(cfi, TEXT + 2));
	assert_int_equal(cfi_stats(cfi).nr_compiled, 1);
	assert_int_equal(cfi_stats(cfi).nr_rows, 3);
	cfi_compile(cfi);
	assert_int_equal(cfi_stats(cfi).nr_compiled, 3);
	cfi_close(cfi);
	image_close(image);
	remove_built(&b);
}

static void ask_all(const char *path)
{
	struct image *image = image_open(path, NULL);
	struct cfi *cfi = image ? cfi_open(image, image) : NULL;

	if (cfi) {
		struct cfi_stats stats;

		for (u64 vaddr = 0; vaddr < TEXT + 0x200; vaddr += 1 + vaddr % 3)
			cfi_find(cfi, vaddr);
		cfi_compile(cfi);
		stats = cfi_stats(cfi);
		assert_true(stats.nr_compiled <= stats.nr_functions);
		/* No byte of a program makes more than a row. */
		assert_true(stats.nr_rows <= 2 * image->size);
	}
	cfi_close(cfi);
	image_close(image);
}

/* Bytes of the sections changed, some at a time, by a generator that repeats itself. */
static void check_garbled(const char *sections, const char *link)
{
	struct built b = build(sections, link);
	g_autofree char *whole = NULL, *bad = NULL;
	struct image *image = image_open(b.path, NULL);
	GElf_Shdr eh, hdr;
	gsize size;
	u64 random = 1;

	assert_true(g_file_get_contents(b.path, &whole, &size, NULL));
	if (!image_section(image, ".eh_frame", &eh) || !eh.sh_size)
		assert_non_null(image_section(image, ".debug_frame", &eh));
	if (!image_section(image, ".eh_frame_hdr", &hdr))
		hdr = eh;
	image_close(image);
	bad = g_malloc(size);
	for (u32 i = 0; i < 400; i++) {
		memcpy(bad, whole, size);
		for (u32 k = 0; k < 1 + i % 4; k++) {
			const GElf_Shdr *in = i & 1 ? &eh : &hdr;

			random = random * 6364136223846793005u + 1442695040888963407u;
			bad[in->sh_offset + (random >> 33) % in->sh_size] = (char)(random >> 56);
		}
		assert_true(g_file_set_contents_full(b.path, bad, (gssize)size,
						     G_FILE_SET_CONTENTS_NONE, 0600, NULL));
		ask_all(b.path);
	}
	remove_built(&b);
}

static void test_garbled(void **state)
{
	check_garbled("", "-Wl,--eh-frame-hdr");
	check_garbled("", "-Wl,--no-eh-frame-hdr");
	check_garbled(".cfi_sections .debug_frame", "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_by_header),
		cmocka_unit_test(test_rows_without_header),
		cmocka_unit_test(test_rows_of_debug_frame),
		cmocka_unit_test(test_rows_of_32_bit),
		cmocka_unit_test(test_unknown_instruction),
		cmocka_unit_test(test_compiles_late),
		cmocka_unit_test(test_garbled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
