// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data addresses from registers: one instruction each, in assembly. Register number N (asm/perf_regs.h) has the value
 * 0x1000 * (N + 1) after or before the instruction.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <linux/perf_event.h>

#include "dso/dso.h"
#include "dso/dsos.h"
#include "perfdata/regs.h"
#include "resolve/data_address.h"

#define BIAS 0x10000 /* of the mapping: va - vaddr */

/* The values of registers: rax 0x1000, rbx 0x2000, rcx 0x3000, rdx 0x4000, rsi 0x5000, rdi 0x6000, rbp 0x7000, rsp 0x8000, r8 0x11000 */
static const struct row {
	const char *insn;
	bool executed; /* the registers are those after it */
	enum address_how how;
	u64 va;
} rows[] = {
	{ "mov 8(%rdi),%rax", true, ADDRESS_COMPUTED, 0x6008 },
	{ "mov -8(%rdi,%rcx,4),%eax", true, ADDRESS_COMPUTED, 0x6000 + 4 * 0x3000 - 8 },
	{ "mov %rax,(%r8)", true, ADDRESS_COMPUTED, 0x11000 },
	{ "mov 0x100(,%rbx,8),%rax", true, ADDRESS_COMPUTED, 8 * 0x2000 + 0x100 },
	{ "lock addq $1,16(%rsi)", true, ADDRESS_COMPUTED, 0x5010 },
	{ "call *8(%rbx)", true, ADDRESS_COMPUTED, 0x2008 },
	{ "jmp *(%rdx)", true, ADDRESS_COMPUTED, 0x4000 },
	{ "movups 4(%rbp),%xmm1", true, ADDRESS_COMPUTED, 0x7004 },
	/* A register that has another value now. */
	{ "mov 8(%rax),%rax", true, ADDRESS_OVERWRITTEN, 0 },
	{ "mov 8(%rax),%al", true, ADDRESS_OVERWRITTEN, 0 },
	{ "mov (%rbx,%rcx),%ecx", true, ADDRESS_OVERWRITTEN, 0 },
	{ "mov 8(%rax),%rax", false, ADDRESS_COMPUTED, 0x1008 },
	{ "xadd %rax,(%rdi)", true, ADDRESS_COMPUTED, 0x6000 },
	/* The stack pointer moves by what is known. */
	{ "push %rbx", true, ADDRESS_COMPUTED, 0x8000 },
	{ "push %rbx", false, ADDRESS_COMPUTED, 0x7ff8 },
	{ "pop %rbx", true, ADDRESS_COMPUTED, 0x7ff8 },
	{ "pop %rbx", false, ADDRESS_COMPUTED, 0x8000 },
	{ "pop %rsp", true, ADDRESS_OVERWRITTEN, 0 },
	{ "push 8(%rdi)", true, ADDRESS_COMPUTED, 0x6008 },
	{ "push 8(%rsp)", true, ADDRESS_COMPUTED, 0x8010 },
	{ "pop 8(%rsp)", true, ADDRESS_COMPUTED, 0x8008 },
	{ "call .+5", true, ADDRESS_COMPUTED, 0x8000 },
	{ "ret", true, ADDRESS_COMPUTED, 0x7ff8 },
	{ "ret $16", true, ADDRESS_COMPUTED, 0x7fe8 },
	{ "leave", true, ADDRESS_COMPUTED, 0x7ff8 },
	{ "leave", false, ADDRESS_COMPUTED, 0x7000 },
	{ "mov 8(%rsp),%rax", true, ADDRESS_COMPUTED, 0x8008 },
	/* String instructions go up; interrupted in the middle, they go on where the registers are. */
	{ "movsq", true, ADDRESS_COMPUTED, 0x5ff8 },
	{ "stosb", true, ADDRESS_COMPUTED, 0x5fff },
	{ "rep stosq", false, ADDRESS_COMPUTED, 0x6000 },
	{ "rep stosq", true, ADDRESS_COMPUTED, 0x5ff8 },
	{ "lodsl", true, ADDRESS_COMPUTED, 0x4ffc },
	/* What samples do not have. */
	{ "mov %fs:0x28,%rax", true, ADDRESS_THREAD, 0 },
	{ "vpgatherdd %xmm1,(%rdi,%xmm2,4),%xmm0", true, ADDRESS_UNCLEAR, 0 },
	/* No access. */
	{ "lea 8(%rdi),%rax", true, ADDRESS_NO_ACCESS, 0 },
	{ "add %rbx,%rax", true, ADDRESS_NO_ACCESS, 0 },
	{ "nopl 8(%rdi)", true, ADDRESS_NO_ACCESS, 0 },
	{ ".byte 0x06", true, ADDRESS_UNCLEAR, 0 },
};

/* What is moved from or to memory: in the low bytes of a register. */
static const struct value_row {
	const char *insn;
	bool executed, known;
	u64 value;
	u16 width;
} value_rows[] = {
	{ "mov 8(%rdi),%rax", true, true, 0x1000, 8 },
	{ "mov 8(%rdi),%eax", true, true, 0x1000, 4 },
	{ "movzbl 8(%rdi),%ecx", true, true, 0x3000, 1 },
	{ "movslq 8(%rdi),%rdx", true, true, 0x4000, 4 },
	{ "mov 8(%rax),%rax", true, true, 0x1000, 8 }, /* the address is gone, the value is not */
	{ "mov %fs:8,%rbx", true, true, 0x2000, 8 },
	{ "mov %r8w,(%rdi)", true, true, 0x11000, 2 },
	{ "mov %r8,(%rdi)", false, true, 0x11000, 8 },
	{ "movl $3,8(%rdi)", false, true, 3, 4 },
	{ "movb $200,8(%rdi)", true, true, 200, 1 },
	/* Not loaded yet; not a register's low bytes; not an integer; more than a move; no memory. */
	{ "mov 8(%rdi),%rax", false, false, 0, 8 },
	{ "mov %ah,(%rdi)", true, false, 0, 1 },
	{ "mov 8(%rdi),%ch", true, false, 0, 1 },
	{ "movss 8(%rdi),%xmm1", true, false, 0, 4 },
	{ "movsd %xmm1,8(%rdi)", true, false, 0, 8 },
	{ "movups 8(%rdi),%xmm1", true, false, 0, 16 },
	{ "add 8(%rdi),%rax", true, false, 0, 8 },
	{ "addl $3,8(%rdi)", true, false, 0, 4 },
	{ "xchg %rax,(%rdi)", true, false, 0, 8 },
	{ "cmpl $3,8(%rdi)", true, false, 0, 4 },
	{ "push %rbx", true, false, 0, 8 },
	{ "movsq", true, false, 0, 8 },
	{ "mov %rcx,%rax", true, false, 0, 0 },
	{ "lea 8(%rdi),%rax", true, false, 0, 0 },
};

struct program {
	char *folder, *path;
	struct dsos *dsos;
	struct dso *dso;
};

/* Each row is a function of its own: f0, f1 ... And one that reads `variable` by its distance. */
static void build(struct program *p)
{
	g_autoptr(GString)
		source = g_string_new("long variable = 1;\nint main(void) { return 0; }\n");
	g_autofree char *c = NULL, *line = NULL;

	p->folder = g_dir_make_tmp("address-XXXXXX", NULL);
	c = g_build_filename(p->folder, "source.c", NULL);
	p->path = g_build_filename(p->folder, "program", NULL);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		g_string_append_printf(
			source,
			"asm(\".globl f%u; .type f%u,@function; f%u: %s; .size f%u,.-f%u\");\n", i,
			i, i, rows[i].insn, i, i);
	for (u32 i = 0; i < ARRAY_SIZE(value_rows); i++)
		g_string_append_printf(
			source,
			"asm(\".globl v%u; .type v%u,@function; v%u: %s; .size v%u,.-v%u\");\n", i,
			i, i, value_rows[i].insn, i, i);
	g_string_append(source, "asm(\".globl distant; .type distant,@function; distant: mov "
				"variable(%rip),%rax; .size distant,.-distant\");\n");
	assert_true(g_file_set_contents(c, source->str, -1, NULL));
	line = g_strdup_printf("gcc -o '%s' '%s'", p->path, c);
	assert_int_equal(system(line), 0);
	p->dsos = dsos_new(&(struct dso_options){ .buildid_dir = p->folder });
	p->dso = dsos_get(p->dsos, p->path, NULL, 0, DSO_USER);
}

static void remove_program(struct program *p)
{
	g_autofree char *line = g_strdup_printf("rm -r '%s'", p->folder);

	dsos_free(p->dsos);
	assert_int_equal(system(line), 0);
	g_free(p->folder);
	g_free(p->path);
}

static struct code code_of(const struct program *p, const char *name, u32 id)
{
	const struct symbol *symbol = dso_symbol_named(p->dso, name);

	assert_non_null(symbol);
	return (struct code){
		.id = id, .dso = p->dso, .vaddr = symbol->start, .va = symbol->start + BIAS
	};
}

static u64 values[24];

static struct sample_regs registers(void)
{
	u32 nr = 0;

	for (u32 i = 0; i < 24; i++)
		if (REGS_GENERAL >> i & 1)
			values[nr++] = 0x1000 * (i + 1);
	return (struct sample_regs){ PERF_SAMPLE_REGS_ABI_64, REGS_GENERAL, values };
}

static void test_rows(void **state)
{
	struct data_addresses *addresses = data_addresses_new();
	struct sample_regs regs = registers();
	struct program p = { 0 };
	u32 failed = 0;

	build(&p);
	for (u32 i = 0; i < 2 * ARRAY_SIZE(rows); i++) { /* the second time from memory */
		const struct row *row = &rows[i % ARRAY_SIZE(rows)];
		g_autofree char *name = g_strdup_printf("f%u", (u32)(i % ARRAY_SIZE(rows)));
		struct code code = code_of(&p, name, (u32)(i % ARRAY_SIZE(rows)) + 1);
		enum address_how how;
		u64 va = 0;

		how = data_address(addresses, &code, row->executed, &regs, &va);
		if (how == row->how && (how != ADDRESS_COMPUTED || va == row->va))
			continue;
		print_message("%s: %s 0x%lx, not %s 0x%lx\n", row->insn, address_how_text(how), va,
			      address_how_text(row->how), row->va);
		failed++;
	}
	assert_int_equal(failed, 0);
	data_addresses_free(addresses);
	remove_program(&p);
}

static void test_values(void **state)
{
	struct data_addresses *addresses = data_addresses_new();
	struct sample_regs regs = registers(), none = { 0 };
	struct program p = { 0 };
	u32 failed = 0;

	build(&p);
	for (u32 i = 0; i < ARRAY_SIZE(value_rows); i++) {
		const struct value_row *row = &value_rows[i];
		g_autofree char *name = g_strdup_printf("v%u", i);
		struct code code = code_of(&p, name, i + 1);
		u64 value = 0;
		u16 width;
		bool known = data_value(addresses, &code, row->executed, &regs, &value);

		data_access(addresses, &code, &width);
		assert_false(data_value(addresses, &code, row->executed, &none, &value));
		if (known == row->known && width == row->width && (!known || value == row->value))
			continue;
		print_message("%s: %d 0x%lx, %u bytes\n", row->insn, known, value, width);
		failed++;
	}
	assert_int_equal(failed, 0);
	data_addresses_free(addresses);
	remove_program(&p);
}

/* The distance from the code counts where the code is mapped. */
static void test_relative(void **state)
{
	struct data_addresses *addresses = data_addresses_new();
	struct sample_regs regs = registers();
	struct program p = { 0 };
	struct code code;
	u64 va = 0;

	build(&p);
	code = code_of(&p, "distant", 1);
	assert_int_equal(data_address(addresses, &code, true, &regs, &va), ADDRESS_COMPUTED);
	assert_int_equal(va, dso_symbol_named(p.dso, "variable")->start + BIAS);
	data_addresses_free(addresses);
	remove_program(&p);
}

/* Registers of a 32-bit program, none at all, and a sample that lacks one of them. */
static void test_lacking(void **state)
{
	struct data_addresses *addresses = data_addresses_new();
	struct sample_regs regs = registers(), none = { 0 };
	struct program p = { 0 };
	struct code code;
	u64 va = 0, value;

	build(&p);
	code = code_of(&p, "f0", 1);
	assert_int_equal(data_address(addresses, &code, true, &none, &va), ADDRESS_NONE);
	regs.abi = PERF_SAMPLE_REGS_ABI_32;
	assert_int_equal(data_address(addresses, &code, true, &regs, &va), ADDRESS_NONE);
	regs = (struct sample_regs){ PERF_SAMPLE_REGS_ABI_64, 1 << REGS_SP, values };
	assert_int_equal(data_address(addresses, &code, true, &regs, &va), ADDRESS_NONE);
	assert_true(sample_register(&regs, REGS_SP, &value));
	assert_int_equal(value, 0x1000);
	assert_false(sample_register(&regs, REGS_BP, &value));
	data_addresses_free(addresses);
	remove_program(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_relative),
		cmocka_unit_test(test_lacking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
