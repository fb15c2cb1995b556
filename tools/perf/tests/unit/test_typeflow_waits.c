// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which instructions may have been executed just before each instruction: functions in assembly, each with a word per
 * instruction. The instructions of a function are numbered from 0. A word is one of these, or several with a | between:
 *
 *	3	instruction 3
 *	e	the call of the function
 *	r3	the return of the function that instruction 3 calls
 *	k3	the kernel's return from system call 3
 *	m3	kernel code without interrupts, up to instruction 3
 *	.	the instruction itself
 *	?	not known
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "dso/dsos.h"
#include "insn/insn.h"
#include "typeflow/typeflow.h"

/* The call of a cold function makes gcc move what is around it out of parted(). */
#define SOURCE                                                                                     \
	"struct two { long a, b; };\n"                                                             \
	"__attribute__((cold, noinline)) void seldom(void) { asm volatile(\"\"); }\n"              \
	"__attribute__((noinline, optimize(\"O2\"))) long parted(struct two *p, long n) {\n"       \
	"	long v = p->a;\n"                                                                        \
	"	if (n) { seldom(); v = p->b; }\n"                                                        \
	"	asm volatile(\"add $1,%0\" : \"+r\"(v));\n"                                              \
	"	return v; }\n"                                                                           \
	"int main(void) { return 0; }\n"

struct function {
	const char *name, *code, *expected;
};

static const struct function functions[] = {
	{ "straight", "mov 8(%rdi),%rax; add %rsi,%rax; add $1,%rsi; ret", "e 0 1 2" },
	/* A compare and the jump behind it are one instruction, so what is behind the jump waited for the compare. */
	{ "fused", "cmp %rsi,(%rdi); je 1f; add $1,%rsi; 1: mov %rsi,%rax; ret", "e 0 0 0|2 3" },
	/* A constant and memory in one compare are not fused (Intel). */
	{ "not_fused", "cmpq $0,(%rdi); je 1f; add $1,%rsi; 1: mov %rsi,%rax; ret", "e 0 1 1|2 3" },
	{ "loop", "1: mov 8(%rdi),%rdi; test %rdi,%rdi; jne 1b; ret", "e|1 0 1 1" },
	/* The loop's head: the jump back, or the way in, which cannot have waited. */
	{ "head",
	  "mov (%rsi),%rcx; jmp 1f; 2: add $1,%rcx; 1: mov 8(%rdi),%rdi; cmp %rcx,%rdi; jne 2b; "
	  "ret",
	  "e 0 4 2 3 4 4" },
	/* Of a join's two ways, the one that ends with a jump cannot have waited. */
	{ "join",
	  "test %rsi,%rsi; je 1f; mov (%rdi),%rax; jmp 2f; 1: mov 8(%rdi),%rax; 2: add %rax,%rsi; "
	  "ret",
	  "e 0 0 2 0 4 5" },
	/* Nor one that ends with a move between registers, or with a register that is set to 0. */
	{ "moves",
	  "test %rsi,%rsi; je 1f; mov (%rdi),%rax; mov %rax,%rcx; jmp 2f; 1: xor %eax,%eax; 2: ret",
	  "e 0 0 2 3 0 4|5" },
	{ "both", "test %rsi,%rsi; je 1f; mov (%rdi),%rax; 1: add $1,%rax; ret", "e 0 0 0|2 3" },
	{ "only_jump", "mov (%rdi),%rax; jmp 1f; .byte 0xcc; 1: add $1,%rax; ret", "e 0 ? 1 3" },
	{ "after_call", "mov (%rdi),%rbx; call straight; add $1,%rbx; ret", "e 0 r1 2" },
	{ "after_syscall", "mov (%rdi),%rax; syscall; add $1,%rax; ret", "e 0 k1 2" },
	/* What empties the pipeline, waits for all before it, and has the samples behind it as others have. */
	{ "serialize", "mov (%rdi),%rax; cpuid; mfence; add $1,%rax; ret", "e 0 1 2 3" },
	/* It throws away what is behind it, and most samples are at the second instruction: no rule tells these from others. */
	{ "store_into_code", "movb $0x90,1f(%rip); add $1,%rax; 1: nop; ret", "e 0 1 2" },
	{ "repeat", "mov %rdx,%rcx; rep movsb; add $1,%rax; ret", "e . 1 2" },
	{ "one_step", "mov %rdx,%rcx; movsb; add $1,%rax; ret", "e 0 1 2" },
	{ "endless", "1: jmp 1b", "." },
	{ "endless_inside", "mov (%rdi),%rax; 1: jmp 1b", "e ." },
	{ "unreached", "ret; add $1,%rax; ret", "e ? 1" },
	{ "indirect", "jmp *(%rdi)", "e" },
	/* A label's address is taken: the jump through memory leads there, and the nops before it are padding. */
	{ "goto",
	  "lea 1f(%rip),%rax; test %rsi,%rsi; je 2f; 3: jmp *8(%rdi); nop; 1: add $1,%rax; jmp 3b; "
	  "2: ret",
	  "e 0 1 1 3 3 5 1" },
	{ "padding", "jmp *8(%rdi); nop; 1: add $1,%rax; ret", "e ? ? 2" },
	/* In a program, these do not switch interrupts. */
	{ "user", "popf; add $1,%rax; ret", "e 0 1" },
	/* Enough for the answers to be kept for the next run. */
	{ "long", "mov (%rdi),%rax; add $1,%rax; jmp 1f; .rept 50000; nop; .endr; 1: ret", NULL },
};

/* A constant and memory in one compare are fused on AMD's family 15h, and only compares are. */
static const struct function amd_compare_functions[] = {
	{ "constant", "cmpq $0,(%rdi); je 1f; add $1,%rsi; 1: mov %rsi,%rax; ret", "e 0 0 0|2 3" },
	{ "computed", "add %rsi,%rax; je 1f; add $1,%rsi; 1: mov %rsi,%rax; ret", "e 0 1 1|2 3" },
};

/* On AMD's family 19h, an interrupt comes between a compare of memory and the jump; not with registers only. */
static const struct function amd_functions[] = {
	{ "memory", "cmp %rsi,(%rdi); je 1f; add $1,%rsi; 1: mov %rsi,%rax; ret", "e 0 1 1|2 3" },
	{ "registers", "xor %rsi,%rax; je 1f; add $1,%rsi; 1: mov %rsi,%rax; ret", "e 0 0 0|2 3" },
};

static const struct function kernel_functions[] = {
	{ "restore", "push %rdi; popf; mov (%rsi),%rax; ret", "e 0 m1 2" },
	/* The instruction behind sti is executed before the interrupt. */
	{ "enable", "sti; mov (%rsi),%rax; add $1,%rax; add $2,%rax; ret", "e m0 m0 2 3" },
	{ "idle", "sti; hlt; ret", "e m0 ?" },
};

struct program {
	enum dso_kind kind;
	char *folder, *path;
	struct dsos *dsos;
	struct dso *dso;
};

static void open_program(struct program *p)
{
	bool kernel = p->kind == DSO_KERNEL;

	p->dsos = dsos_new(&(struct dso_options){ .buildid_dir = p->folder,
						  .vmlinux = kernel ? p->path : NULL });
	p->dso = dsos_get(p->dsos, kernel ? "[kernel.kallsyms]" : p->path, NULL, 0, p->kind);
}

/* @list: @nr of them. */
static void build(struct program *p, const struct function *list, u32 nr)
{
	g_autoptr(GString) source = g_string_new(SOURCE);
	g_autofree char *c = NULL, *line = NULL;

	p->folder = g_dir_make_tmp("waits-XXXXXX", NULL);
	c = g_build_filename(p->folder, "source.c", NULL);
	p->path = g_build_filename(p->folder, "program", NULL);
	for (u32 i = 0; i < nr; i++)
		g_string_append_printf(
			source, "asm(\".globl %s; .type %s,@function; %s: %s; .size %s,.-%s\");\n",
			list[i].name, list[i].name, list[i].name, list[i].code, list[i].name,
			list[i].name);
	assert_true(g_file_set_contents(c, source->str, -1, NULL));
	line = g_strdup_printf("gcc -g -no-pie -Wl,--build-id -o '%s' '%s'", p->path, c);
	assert_int_equal(system(line), 0);
	open_program(p);
}

static void remove_program(struct program *p)
{
	g_autofree char *line = g_strdup_printf("rm -r '%s'", p->folder);

	dsos_free(p->dsos);
	assert_int_equal(system(line), 0);
	g_free(p->folder);
	g_free(p->path);
}

static int compare_starts(const void *pa, const void *pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? -1 : a > b;
}

static void append_way(const struct waited_way *way, const GArray *starts, GString *out)
{
	static const char *const letters[NR_WAITED_HOW] = {
		[WAITED_UNKNOWN] = "?", [WAITED_HERE] = ".",   [WAITED_BEFORE] = "",
		[WAITED_ENTRY] = "e",	[WAITED_RETURN] = "r", [WAITED_KERNEL] = "k",
		[WAITED_MASKED] = "m",
	};
	guint at;

	g_string_append(out, letters[way->how]);
	if (way->how == WAITED_UNKNOWN || way->how == WAITED_HERE || way->how == WAITED_ENTRY)
		return;
	if (g_array_binary_search((GArray *)starts, &way->vaddr, compare_starts, &at))
		g_string_append_printf(out, "%u", at);
}

static int compare_ways(const void *pa, const void *pb)
{
	const struct waited_way *a = pa, *b = pb;

	return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

static GArray *starts_of(struct dso *dso, u64 start, u64 end)
{
	struct insn_decoder *decoder = insn_decoder_new(INSN_X86_64, NULL);
	GArray *starts = g_array_new(false, false, sizeof(u64));
	struct insn insn;

	for (u64 at = start; at < end; at += insn.size) {
		size_t left;
		const u8 *code = dso_code(dso, at, &left);

		assert_non_null(code);
		assert_true(insn_decode(decoder, code, left, at, &insn));
		g_array_append_val(starts, at);
	}
	insn_decoder_free(decoder);
	return starts;
}

static char *judge(struct typeflow *flow, struct dso *dso, u64 start, u64 end)
{
	g_autoptr(GArray) ways = g_array_new(false, false, sizeof(struct waited_way));
	g_autoptr(GArray) starts = starts_of(dso, start, end);
	GString *text = g_string_new(NULL);

	for (u32 i = 0; i < starts->len; i++) {
		g_string_append(text, i ? " " : "");
		typeflow_waited(flow, dso, g_array_index(starts, u64, i), false, ways);
		g_array_sort(ways, compare_ways);
		for (u32 k = 0; k < ways->len; k++) {
			g_string_append(text, k ? "|" : "");
			append_way(&g_array_index(ways, struct waited_way, k), starts, text);
		}
	}
	return g_string_free(text, false);
}

static char *judge_function(struct typeflow *flow, struct dso *dso, const char *name)
{
	const struct symbol *symbol = dso_symbol_named(dso, name);

	assert_non_null(symbol);
	return judge(flow, dso, symbol->start, symbol->end);
}

static void test_all(enum dso_kind kind, enum insn_fusion fusion, const struct function *list,
		     u32 nr)
{
	struct typeflow *flow = typeflow_new(fusion, NULL);
	struct program p = { kind };
	u32 failed = 0;

	build(&p, list, nr);
	for (u32 i = 0; i < nr; i++) {
		g_autofree char *got = list[i].expected ? judge_function(flow, p.dso, list[i].name)
							: NULL;

		if (!g_strcmp0(got, list[i].expected))
			continue;
		print_message("%s: %s, not %s\n", list[i].name, got, list[i].expected);
		failed++;
	}
	typeflow_free(flow);
	remove_program(&p);
	assert_int_equal(failed, 0);
}

static void test_rules(void **state)
{
	test_all(DSO_USER, FUSION_INTEL, functions, ARRAY_SIZE(functions));
}

static void test_amd(void **state)
{
	test_all(DSO_USER, FUSION_AMD_COMPARE, amd_compare_functions,
		 ARRAY_SIZE(amd_compare_functions));
	test_all(DSO_USER, FUSION_AMD, amd_functions, ARRAY_SIZE(amd_functions));
}

static void test_kernel(void **state)
{
	test_all(DSO_KERNEL, FUSION_INTEL, kernel_functions, ARRAY_SIZE(kernel_functions));
}

/* Answers of an earlier run say the same, and nothing is decoded for them. */
static void test_kept(void **state)
{
	g_autofree char *first = NULL, *second = NULL;
	struct typeflow_counts counts;
	struct program p = { DSO_USER };
	struct access access;
	struct typeflow *flow;

	build(&p, functions, ARRAY_SIZE(functions));
	flow = typeflow_new(FUSION_INTEL, p.folder);
	typeflow_expect_waited(flow);
	typeflow_lookup(flow, p.dso, dso_symbol_named(p.dso, "long")->start, &access);
	first = judge_function(flow, p.dso, "long");
	typeflow_free(flow);
	flow = typeflow_new(FUSION_INTEL, p.folder);
	second = judge_function(flow, p.dso, "long");
	typeflow_counts(flow, &counts);
	assert_int_equal(counts.instructions, 0);
	assert_true(g_str_has_prefix(first, "e 0 1 ? "));
	assert_string_equal(first, second);
	typeflow_free(flow);
	remove_program(&p);
}

/*
 * The compiler moves what is seldom executed to another place. The way to it is the test in the function, no call. Without debug
 * information the symbols' names tell which function that is; where they do not, the way is not known, but still no call.
 */
static const struct {
	const char *what, *changed;
	bool hot_first, found;
} colds[] = {
	{ "by debug information", NULL, false, true },
	{ "by symbols", "strip -g '%s'", false, true },
	{ "by symbols, the function was asked about before", "strip -g '%s'", true, true },
	{ "the function has another name", "objcopy -g --redefine-sym parted=halved '%s'", false,
	  false },
	{ "two cold parts have the name", "objcopy -g --redefine-sym main=parted.cold '%s'", false,
	  false },
};

static void check_cold(u32 row)
{
	struct typeflow *flow = typeflow_new(FUSION_INTEL, NULL);
	g_autoptr(GArray) ways = g_array_new(false, false, sizeof(struct waited_way));
	struct program p = { DSO_USER };
	const struct waited_way *way;
	u64 start, end, cold;

	build(&p, functions, ARRAY_SIZE(functions));
	start = dso_symbol_named(p.dso, "parted")->start;
	end = dso_symbol_named(p.dso, "parted")->end;
	cold = dso_symbol_named(p.dso, "parted.cold")->start;
	if (colds[row].changed) {
		g_autofree char *line = g_strdup_printf(colds[row].changed, p.path);

		dsos_free(p.dsos);
		assert_int_equal(system(line), 0);
		open_program(&p);
	}
	if (colds[row].hot_first)
		typeflow_waited(flow, p.dso, start, false, ways);
	typeflow_waited(flow, p.dso, cold, false, ways);
	assert_int_equal(ways->len, 1);
	way = &g_array_index(ways, struct waited_way, 0);
	if (way->how != (colds[row].found ? WAITED_BEFORE : WAITED_UNKNOWN) ||
	    (colds[row].found && (way->vaddr <= start || way->vaddr >= end)))
		fail_msg("%s: %u at %#lx", colds[row].what, way->how, (unsigned long)way->vaddr);
	typeflow_free(flow);
	remove_program(&p);
}

static void test_cold(void **state)
{
	for (u32 i = 0; i < ARRAY_SIZE(colds); i++)
		check_cold(i);
}

/* Without symbols there is no function, and so no way; but an instruction is what it is. */
static void test_stripped(void **state)
{
	struct typeflow *flow = typeflow_new(FUSION_INTEL, NULL);
	g_autofree char *strip = NULL, *got = NULL;
	const struct symbol *symbol;
	struct program p = { DSO_USER };
	struct access access;
	u64 start, end;

	build(&p, functions, ARRAY_SIZE(functions));
	symbol = dso_symbol_named(p.dso, "straight");
	assert_non_null(symbol);
	start = symbol->start;
	end = symbol->end;
	dsos_free(p.dsos);
	strip = g_strdup_printf("strip -s '%s'", p.path);
	assert_int_equal(system(strip), 0);
	open_program(&p);
	got = judge(flow, p.dso, start, end);
	assert_string_equal(got, "? ? ? ?");
	typeflow_lookup(flow, p.dso, end - 1, &access);
	assert_int_equal(access.why, ACCESS_NO_DEBUGINFO);
	typeflow_lookup(flow, p.dso, start + 4, &access);
	assert_int_equal(access.why, ACCESS_NO_MEMORY);
	typeflow_free(flow);
	remove_program(&p);
}

/* For how many samples addresses in a range were announced. */
static void test_expected(void **state)
{
	struct typeflow *flow = typeflow_new(FUSION_INTEL, NULL);
	struct program p = { DSO_USER };
	u64 start;

	build(&p, functions, ARRAY_SIZE(functions));
	start = dso_symbol_named(p.dso, "straight")->start;
	assert_int_equal(typeflow_expected(flow, p.dso, start, start + 9), 0);
	typeflow_expect(flow, p.dso, start + 4, false, 2);
	typeflow_expect(flow, p.dso, start, true, 1);
	typeflow_expect(flow, p.dso, start + 4, false, 1);
	assert_int_equal(typeflow_expected(flow, p.dso, start, start), 1);
	assert_int_equal(typeflow_expected(flow, p.dso, start, start + 3), 1);
	assert_int_equal(typeflow_expected(flow, p.dso, start, start + 4), 4);
	assert_int_equal(typeflow_expected(flow, p.dso, start + 5, UINT64_MAX), 0);
	typeflow_free(flow);
	remove_program(&p);
}

/* Where one instruction of a function is announced, the others can be asked about, too; the code is read once more for them. */
static void test_announced(void **state)
{
	struct typeflow *flow = typeflow_new(FUSION_INTEL, NULL);
	g_autoptr(GArray) ways = g_array_new(false, false, sizeof(struct waited_way));
	struct program p = { DSO_USER };
	struct typeflow_counts one, all;
	g_autofree char *got = NULL;
	u64 start;

	build(&p, functions, ARRAY_SIZE(functions));
	start = dso_symbol_named(p.dso, "straight")->start;
	typeflow_expect(flow, p.dso, start, true, 1);
	for (u32 i = 0; i < 2; i++) {
		typeflow_waited(flow, p.dso, start, false, ways);
		assert_int_equal(g_array_index(ways, struct waited_way, 0).how, WAITED_ENTRY);
		typeflow_counts(flow, &one);
	}
	assert_int_equal(one.instructions, 4);
	got = judge_function(flow, p.dso, "straight");
	assert_string_equal(got, functions[0].expected);
	typeflow_counts(flow, &all);
	assert_int_equal(all.instructions, 8);
	typeflow_free(flow);
	remove_program(&p);
}

/* The code that was read for the ways of an address that was not announced serves the data of what it is charged to, too. */
static void test_late(void **state)
{
	static const struct {
		u64 sampled, charged;
		u32 instructions;
	} steps[] = { { 4, 0, 4 }, { 7, 4, 8 }, { 4, 0, 8 } };
	struct typeflow *flow = typeflow_new(FUSION_INTEL, NULL);
	g_autoptr(GArray) ways = g_array_new(false, false, sizeof(struct waited_way));
	struct program p = { DSO_USER };
	struct typeflow_counts counts;
	struct access access;
	u64 start;

	build(&p, functions, ARRAY_SIZE(functions));
	start = dso_symbol_named(p.dso, "straight")->start;
	typeflow_expect_waited(flow);
	typeflow_expect(flow, p.dso, start + steps[0].sampled, true, 1);
	for (u32 i = 0; i < ARRAY_SIZE(steps); i++) {
		typeflow_waited(flow, p.dso, start + steps[i].sampled, true, ways);
		assert_int_equal(g_array_index(ways, struct waited_way, 0).vaddr,
				 start + steps[i].charged);
		typeflow_lookup(flow, p.dso, start + steps[i].charged, &access);
		typeflow_counts(flow, &counts);
		assert_int_equal(counts.instructions, steps[i].instructions);
	}
	typeflow_free(flow);
	remove_program(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),	 cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_kept),	 cmocka_unit_test(test_stripped),
		cmocka_unit_test(test_expected), cmocka_unit_test(test_announced),
		cmocka_unit_test(test_amd),	 cmocka_unit_test(test_cold),
		cmocka_unit_test(test_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
