// SPDX-License-Identifier: GPL-2.0-or-later
/* Where Go's runtime has changed to another stack, there is no caller, whatever the rules say of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <glib/gstdio.h>

#include "chains/go_stacks.h"
#include "tests/unit/rules.h"

#define TEXT 0x10000

/* Functions as the runtime of Go 1.19 has them; what is no changer of stacks may do what it wants. */
static const char code[] = "	.cfi_sections .debug_frame\n"
			   "	.text\n"
			   "	.type runtime.systemstack.abi0, @function\n"
			   "runtime.systemstack.abi0:\n"
			   "	.cfi_startproc\n"
			   "	mov 0x8(%rsp), %rdi\n"	/* 0 */
			   "	cmp %rdx, %rax\n"	/* 5 */
			   "	je 1f\n"		/* 8 */
			   "	mov 0x38(%rdx), %rsp\n" /* a */
			   "	call *%rdi\n"		/* e */
			   "	mov 0x38(%rax), %rsp\n" /* 10 */
			   "	ret\n"			/* 14 */
			   "1:	jmp *%rdi\n"		/* 15 */
			   "	.cfi_endproc\n"
			   "	.size runtime.systemstack.abi0, . - runtime.systemstack.abi0\n"
			   "	.type runtime.asmcgocall, @function\n"
			   "runtime.asmcgocall:\n"
			   "	.cfi_startproc\n"
			   "	sub $64, %rsp\n"  /* 17 */
			   "	and $~15, %rsp\n" /* 1b */
			   "	call *%rax\n"	  /* 1f */
			   "	mov %rsi, %rsp\n" /* 21 */
			   "	ret\n"		  /* 24 */
			   "	.cfi_endproc\n"
			   "	.size runtime.asmcgocall, . - runtime.asmcgocall\n"
			   "	.type runtime.mcallback, @function\n"
			   "runtime.mcallback:\n"
			   "	.cfi_startproc\n"
			   "	mov %rsi, %rsp\n" /* 25 */
			   "	ret\n"
			   "	.cfi_endproc\n"
			   "	.size runtime.mcallback, . - runtime.mcallback\n"
			   "	.type gogo, @function\n"
			   "gogo:	.cfi_startproc\n"
			   "	mov %rbx, %rsp\n" /* 29 */
			   "	jmp *%rbx\n"	  /* 2c */
			   "	.cfi_endproc\n"
			   "	.size gogo, . - gogo\n";

static const char table[] = "	.section .gopclntab, \"a\"\n	.long 0xfffffff0\n";

static char *rules_of(const char *text)
{
	g_autofree char *dir = g_dir_make_tmp("go_stacks.XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "f", NULL);
	g_autofree char *s = g_build_filename(dir, "f.s", NULL);
	g_autofree char *command =
		g_strdup_printf("gcc -nostdlib -shared -Wl,-Ttext=%#x -o %s %s", TEXT, path, s);
	struct image *image;
	struct cfi *cfi;
	char *rules;

	assert_true(g_file_set_contents(s, text, -1, NULL));
	assert_int_equal(system(command), 0);
	image = image_open(path, NULL);
	cfi = cfi_open(image, NULL);
	assert_non_null(cfi);
	go_stacks_tell(image, cfi);
	rules = rules_text(cfi, TEXT, 0x30);
	cfi_close(cfi);
	image_close(image);
	g_unlink(s);
	g_unlink(path);
	g_rmdir(dir);
	return rules;
}

static void test_changes(void **state)
{
	g_autofree char *go = g_strconcat(code, table, NULL);
	g_autofree char *rules = rules_of(go);

	assert_string_equal(rules, "0: rsp+8 rip@-8\n"
				   "e: rsp+0 rsp? rip?\n"
				   "14: rsp+8 rip@-8\n"
				   "1f: rsp+0 rsp? rip?\n"
				   "24: rsp+8 rip@-8\n"
				   "2c: rsp+0 rsp? rip?\n"
				   "2e: none\n");
}

/* Names alone do not make a Go program. */
static void test_others(void **state)
{
	g_autofree char *rules = rules_of(code);

	assert_string_equal(rules, "0: rsp+8 rip@-8\n"
				   "2e: none\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
