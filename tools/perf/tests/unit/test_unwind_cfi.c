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

#include "unwind/cfi.h"

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

static const char *const names[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
				     "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip" };

static void say_expression(GString *out, struct cfi *cfi, const struct cfi_rule *rule,
			   const struct cfi_place *p)
{
	const u8 *at = cfi_expression(cfi, rule, p);

	g_string_append_c(out, '[');
	for (u32 i = 0; i < p->size; i++)
		g_string_append_printf(out, "%s%02x", i && i % 2 == 0 ? " " : "", at[i]);
	g_string_append_c(out, ']');
}

static void say_place(GString *out, struct cfi *cfi, const struct cfi_rule *rule,
		      const struct cfi_place *p)
{
	switch ((enum cfi_how)p->how) {
	case CFI_SAME:
		g_string_append(out, "same");
		break;
	case CFI_UNDEFINED:
		g_string_append_c(out, '?');
		break;
	case CFI_AT:
		g_string_append_printf(out, "@%d", p->value);
		break;
	case CFI_PLUS:
		g_string_append_printf(out, "=%+d", p->value);
		break;
	case CFI_REG:
		g_string_append_printf(out, "=%s%+d", names[p->reg], p->value);
		break;
	case CFI_AT_EXPR:
	case CFI_EXPR:
		g_string_append_c(out, p->how == CFI_AT_EXPR ? '@' : '=');
		say_expression(out, cfi, rule, p);
		break;
	}
}

static void say_rule(GString *out, struct cfi *cfi, const struct cfi_rule *rule)
{
	if (!rule) {
		g_string_append(out, " none\n");
		return;
	}
	g_string_append_c(out, ' ');
	if (rule->cfa.how == CFI_EXPR)
		say_expression(out, cfi, rule, &rule->cfa);
	else
		g_string_append_printf(out, "%s%+d", names[rule->cfa.reg], rule->cfa.value);
	for (u32 i = 0; i < CFI_NR_REGS; i++) {
		if (!(rule->set >> i & 1))
			continue;
		g_string_append_printf(out, " %s", names[i]);
		say_place(out, cfi, rule, &rule->regs[i]);
	}
	g_string_append(out, rule->signal ? " signal\n" : "\n");
}

/* A line for each address whose rule is another than of the address before. */
static char *say_rows(struct cfi *cfi)
{
	g_autoptr(GString) out = g_string_new(NULL);
	const struct cfi_rule *last = NULL;

	for (u64 vaddr = TEXT; vaddr < TEXT + 0x11300; vaddr++) {
		const struct cfi_rule *rule = cfi_find(cfi, vaddr);

		if (rule == last)
			continue;
		g_string_append_printf(out, "%llx:", (unsigned long long)(vaddr - TEXT));
		say_rule(out, cfi, rule);
		last = rule;
	}
	return g_string_free(g_steal_pointer(&out), FALSE);
}

struct built {
	char *dir, *path;
};

static struct built build(const char *sections, const char *link)
{
	struct built b = { .dir = g_dir_make_tmp("cfi.XXXXXX", NULL) };
	g_autofree char *text = g_strdup_printf(source, sections);
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
	rows = say_rows(cfi);
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
		cmocka_unit_test(test_compiles_late),
		cmocka_unit_test(test_garbled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
