// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions as binutils encodes them, against what the manuals say that they read,
 * write and jump to. An operand reads: ~ implicit, r read, w written, width in bytes, then
 * %register or segment[base+index*scale+displacement], registers by DWARF number; the
 * registers written stand in braces, the flags left out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "insn/fusion.h"
#include "insn/insn.h"

static const struct {
	const char *assembly, *bytes, *expected;
	const char *newer; /* by capstone 5, where it knows more than version 4 */
} rows[] = {
	{ "mov 8(%rdi),%rax", "488b4708", "mov w8%0 r8[5+8] {0}" },
	{ "mov %al,-1(%rbp,%rcx,4)", "88448dff", "mov w1[6+2*4-1] r1%0 {}" },
	{ "movl $5,8(%r12)", "41c744240805000000", "mov w4[12+8] $5 {}" },
	{ "movabs 0x1122334455667788,%rax", "48a18877665544332211",
	  "mov w8%0 r8[+1234605616436508552] {0}" },
	{ "movzbl 8(%r13),%eax", "410fb64508", "mov w4%0 r1[13+8] {0}" },
	{ "movsbl %ah,%eax", "0fbec4", "mov w4%0 r1%0h {0}" },
	{ "lea 8(%rdi,%rsi,4),%rax", "488d44b708", "lea w8%0 8[5+4*4+8] {0}" },
	{ "mov 0x1000(%rip),%rdx", "488b1500100000", "mov w8%1 r8[+8199] {1}" },
	{ "mov 0x404048(,%rax,8),%rbx", "488b1cc548404000", "mov w8%3 r8[+0*8+4210760] {3}" },
	{ "mov 0x404048,%rbx", "488b1c2548404000", "mov w8%3 r8[+4210760] {3}" },
	{ "mov %fs:0x28,%rax", "64488b042528000000", "mov w8%0 r8fs[+40] {0}" },
	{ "mov %fs:-8(%r9),%ecx", "64418b49f8", "mov w4%2 r4fs[9-8] {2}" },
	{ "mov %gs:0x28,%rax", "65488b042528000000", "mov w8%0 r8gs[+40] {0}" },
	{ "add %rax,8(%rdi)", "48014708", "add rw8[5+8] r8%0 {}" },
	{ "add 8(%rdi),%rax", "48034708", "add rw8%0 r8[5+8] {0}" },
	{ "incl 8(%rdi)", "ff4708", "inc rw4[5+8] {}" },
	{ "notl 8(%rdi)", "f75708", "not rw4[5+8] {}" },
	{ "rolw $2,8(%rdi)", "66c1470802", "rotate rw2[5+8] $2 {}" },
	{ "shl %cl,8(%rdi)", "d36708", "shl rw4[5+8] r1%2 {}" },
	{ "mulq 8(%rdi)", "48f76708", "mulwide r8[5+8] {0 1}" },
	{ "divl 8(%rdi)", "f77708", "div r4[5+8] {0 1}" },
	{ "imul $12,8(%rdi),%rax", "486b47080c", "mul w8%0 r8[5+8] $12 {0}" },
	{ "cmpb $3,8(%rdi)", "807f0803", "cmp r1[5+8] $3 {}" },
	{ "cmp 8(%rdi),%rax", "483b4708", "cmp r8%0 r8[5+8] {}" },
	{ "testb $1,8(%rdi)", "f6470801", "test r1[5+8] $1 {}" },
	{ "bt %rax,8(%rdi)", "480fa34708", "bt r8[5+8] r8%0 {}" },
	{ "btsl $3,8(%rdi)", "0fba6f0803", "bts rw4[5+8] $3 {}" },
	{ "popcnt 8(%rdi),%rax", "f3480fb84708", "count w8%0 r8[5+8] {0}" },
	{ "movbe %rax,8(%rdi)", "480f38f14708", "bswap w8[5+8] r8%0 {}" },
	{ "cmovne 8(%rdi),%rax", "480f454708", "cmov rw8%0 r8[5+8] {0}" },
	{ "sete 8(%rdi)", "0f944708", "setcc w1[5+8] {}" },
	{ "xchg %rax,8(%rdi)", "48874708", "xchg rw8[5+8] rw8%0 {0}" },
	{ "lock xadd %rax,8(%rdi)", "f0480fc14708", "xadd rw8[5+8] rw8%0 {0} lock" },
	{ "lock cmpxchg %rdx,8(%rdi)", "f0480fb15708", "cmpxchg rw8[5+8] r8%1 {0} lock" },
	{ "lock cmpxchg16b 8(%rdi)", "f0480fc74f08", "other rw16[5+8] {0 1} lock" },
	{ "push %rbx", "53", "push r8%3 ~w8[7-8] {7} stack" },
	{ "push 8(%rdi)", "ff7708", "push r8[5+8] ~w8[7-8] {7} stack" },
	{ "pop %rbx", "5b", "pop w8%3 ~r8[7+0] {3 7} stack" },
	{ "pop 8(%rdi)", "8f4708", "pop w8[5+8] ~r8[7+0] {7} stack" },
	{ "pushfq", "9c", "push ~w8[7-8] {7} stack" },
	{ "call .+16", "e80b000000", "calls $4112 ~w8[7-8] {7} call stack ->1010" },
	{ "call *8(%rdi)", "ff5708", "calls r8[5+8] ~w8[7-8] {7} call indirect stack" },
	{ "call *%rax", "ffd0", "calls r8%0 ~w8[7-8] {7} call indirect stack" },
	{ "jmp .+16", "eb0e", "jumps $4112 {} jump ->1010" },
	{ "jmp *8(%rdi)", "ff6708", "jumps r8[5+8] {} jump indirect" },
	{ "notrack jmp *0x400000(,%rax,8)", "3eff24c500004000",
	  "jumps r8[+0*8+4194304] {} jump indirect" },
	{ "jne .+16", "750e", "other $4112 {} cond ->1010" },
	{ "ret", "c3", "returns ~r8[7+0] {7} ret stack" },
	{ "leave", "c9", "leave ~r8[6+0] {6 7} stack" },
	{ "enter $8,$0", "c8080000", "other $8 $0 ~w8[7-8] {6 7} stack" },
	{ "ud2", "0f0b", "other {} stop" },
	{ "hlt", "f4", "other {} stop" },
	{ "endbr64", "f30f1efa", "other {}" },
	{ "nopw 8(%rdi)", "660f1f4708", "nop 2[5+8] {}" },
	{ "rep movsq", "f348a5", "string w8[5+0] r8[4+0] {2 4 5} rep" },
	{ "rep stosq", "f348ab", "string w8[5+0] r8%0 {2 5} rep" },
	{ "lodsb", "ac", "string w1%0 r1[4+0] {0 4}" },
	{ "repe cmpsb", "f3a6", "string r1[4+0] r1[5+0] {2 4 5} rep" },
	{ "xlat", "d7", "other r1[3+0*1+0] {0}" },
	{ "prefetcht0 8(%rdi)", "0f184f08", "prefetch r1[5+8] {}" },
	{ "clflush 8(%rdi)", "0fae7f08", "other r1[5+8] {}" },
	{ "ldmxcsr 8(%rdi)", "0fae5708", "other r4[5+8] {}" },
	{ "stmxcsr 8(%rdi)", "0fae5f08", "other w4[5+8] {}" },
	{ "fldt 8(%rdi)", "db6f08", "other r10[5+8] {}" },
	{ "fstps 8(%rdi)", "d95f08", "other w4[5+8] {}" },
	{ "fadds 8(%rdi)", "d84708", "other r4[5+8] {}" },
	{ "fnstcw 8(%rdi)", "d97f08", "other w2[5+8] {}" },
	{ "fisttpll 8(%rdi)", "dd4f08", "other w8[5+8] {}" },
	{ "movss %xmm0,8(%rdi)", "f30f114708", "other w4[5+8] r16%17 {}" },
	{ "movups %xmm9,8(%rdi)", "440f114f08", "mov w16[5+8] r16%26 {}" },
	{ "movdqa 8(%rdi),%xmm0", "660f6f4708", "mov w16%17 r16[5+8] {17}" },
	{ "movdqa %xmm0,8(%rdi)", "660f7f4708", "mov w16[5+8] r16%17 {}" },
	{ "movq %xmm0,8(%rdi)", "660fd64708", "mov w8[5+8] r16%17 {}" },
	{ "movhps %xmm0,8(%rdi)", "0f174708", "other w8[5+8] r16%17 {}" },
	{ "movnti %eax,8(%rdi)", "0fc34708", "other w4[5+8] r4%0 {}" },
	{ "addsd 8(%rdi),%xmm0", "f20f584708", "other rw16%17 r8[5+8] {17}" },
	{ "ucomisd 8(%rdi),%xmm0", "660f2e4708", "other r16%17 r8[5+8] {}" },
	{ "cvtsi2sdl 8(%rdi),%xmm0", "f20f2a4708", "other w16%17 r4[5+8] {17}" },
	{ "movsd 8(%rdi),%xmm0", "f20f104708", "other w16%17 r8[5+8] {17}" },
	{ "pextrd $1,%xmm0,8(%rdi)", "660f3a16470801", "other w4[5+8] r16%17 $1 {}" },
	{ "vmovdqu %ymm0,8(%rdi)", "c5fe7f4708", "mov w32[5+8] r32%17 {}" },
	{ "vmovdqu 8(%rdi),%ymm0", "c5fe6f4708", "mov w32%17 r32[5+8] {17}" },
	{ "vmovdqu64 %zmm17,64(%rdi)", "62e1fe487f4f01", "other w64[5+64] r64%68 {}" },
	{ "vpaddd 8(%rdi),%ymm1,%ymm0", "c5f5fe4708", "other w32%17 r32%18 r32[5+8] {17}" },
	{ "vpaddd 8(%rdi){1to16},%zmm1,%zmm0", "62f17558fe4702",
	  "other w64%17 r64%18 r4[5+8] {17}" },
	{ "vextracti128 $1,%ymm0,8(%rdi)", "c4e37d39470801", "other w16[5+8] r32%17 $1 {}" },
	{ "vfmadd231sd 8(%rdi),%xmm1,%xmm0", "c4e2f1b94708", "other rw16%17 r16%18 r8[5+8] {17}" },
	{ "vpgatherdd %ymm1,8(%rdi,%ymm2,4),%ymm0", "c4e27590449708",
	  "gather w32%17 r0[5+19*4+8] r32%18 {17 18}" },
	{ "vbroadcasti128 8(%rdi),%ymm0", "c4e27d5a4708", "other r16[5+8] {0 17}",
	  "other w32%17 r16[5+8] {17}" },
	{ "kmovq 8(%rdi),%k1", "c4e1f8904f08", "other r8[5+8] {2 18}",
	  "other w2%119 r8[5+8] {119}" },
	{ "vpcmpeqb 0x1000(%rdi),%zmm1,%k0", "62f17548744740", "bad 7",
	  "other w2%118 r64%18 r64[5+4096] {118}" },
	{ "vpcmpeqb 64(%rdi),%zmm1,%k0", "62f17548744701", "bad 7",
	  "other w2%118 r64%18 r64[5+64] {118}" },
	{ "rdsspq %rax", "f3480f1ec8", "other {0 2 17 18}", "other w8%0 {0}" },
	{ "syscall", "0f05", "syscall {0 2 11}" },
	{ "cpuid", "0fa2", "other {0 1 2 3}" },
};

static const char *const op_names[] = {
	[INSN_OTHER] = "other",	    [INSN_NOP] = "nop",		[INSN_MOV] = "mov",
	[INSN_LEA] = "lea",	    [INSN_ADD] = "add",		[INSN_SUB] = "sub",
	[INSN_INC] = "inc",	    [INSN_DEC] = "dec",		[INSN_AND] = "and",
	[INSN_OR] = "or",	    [INSN_XOR] = "xor",		[INSN_SHL] = "shl",
	[INSN_MUL] = "mul",	    [INSN_CMP] = "cmp",		[INSN_TEST] = "test",
	[INSN_CMOV] = "cmov",	    [INSN_XCHG] = "xchg",	[INSN_XADD] = "xadd",
	[INSN_CMPXCHG] = "cmpxchg", [INSN_PUSH] = "push",	[INSN_POP] = "pop",
	[INSN_LEAVE] = "leave",	    [INSN_CALLS] = "calls",	[INSN_RETURNS] = "returns",
	[INSN_JUMPS] = "jumps",	    [INSN_STRING] = "string",	[INSN_PREFETCH] = "prefetch",
	[INSN_GATHER] = "gather",   [INSN_ADC] = "adc",		[INSN_SBB] = "sbb",
	[INSN_SHR] = "shr",	    [INSN_SAR] = "sar",		[INSN_ROTATE] = "rotate",
	[INSN_NOT] = "not",	    [INSN_NEG] = "neg",		[INSN_BSWAP] = "bswap",
	[INSN_SETCC] = "setcc",	    [INSN_BT] = "bt",		[INSN_BTS] = "bts",
	[INSN_COUNT] = "count",	    [INSN_MULWIDE] = "mulwide", [INSN_DIV] = "div",
	[INSN_SIGN] = "sign",	    [INSN_LANES] = "lanes",	[INSN_SYSCALL] = "syscall",
};

static size_t parse_hex(const char *hex, u8 *out)
{
	size_t size = strlen(hex) / 2;

	for (size_t i = 0; i < size; i++)
		out[i] = (u8)(g_ascii_xdigit_value(hex[2 * i]) * 16 +
			      g_ascii_xdigit_value(hex[2 * i + 1]));
	return size;
}

static void describe_operand(const struct insn_operand *op, GString *out)
{
	static const char *const segments[] = { "", "fs", "gs" };

	if (op->kind == INSN_IMM) {
		g_string_append_printf(out, " $%lld", (long long)op->imm);
		return;
	}
	g_string_append_printf(out, " %s%s%s%u", op->implicit ? "~" : "",
			       op->access & INSN_READ ? "r" : "",
			       op->access & INSN_WRITE ? "w" : "", op->width);
	if (op->kind == INSN_REG) {
		g_string_append_printf(out, "%%%u%s", op->reg, op->high ? "h" : "");
		return;
	}
	g_string_append_printf(out, "%s[", segments[op->mem.segment]);
	if (op->mem.base != INSN_NO_REG)
		g_string_append_printf(out, "%u", op->mem.base);
	if (op->mem.index != INSN_NO_REG)
		g_string_append_printf(out, "+%u*%u", op->mem.index, op->mem.scale);
	g_string_append_printf(out, "%+lld]", (long long)op->mem.disp);
}

static char *describe(const struct insn *insn)
{
	static const char *const flows[] = { "", " jump", " cond", " call", " ret", " stop" };
	GString *out = g_string_new(op_names[insn->op]);
	const char *blank = "";

	for (u32 i = 0; i < insn->nr_operands; i++)
		describe_operand(&insn->operands[i], out);
	g_string_append(out, " {");
	for (u8 r = 0; r < INSN_NR_REGS; r++) {
		if (!insn_writes(insn, r) || r == X86_RFLAGS)
			continue;
		g_string_append_printf(out, "%s%u", blank, r);
		blank = " ";
	}
	g_string_append_printf(out, "}%s%s%s%s%s", flows[insn->flow],
			       insn->indirect ? " indirect" : "", insn->rep ? " rep" : "",
			       insn->lock ? " lock" : "", insn->stack_op ? " stack" : "");
	if (insn->target)
		g_string_append_printf(out, " ->%llx", (unsigned long long)insn->target);
	return g_string_free(out, false);
}

static void test_operands(void **state)
{
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u8 code[16];
		size_t size = parse_hex(rows[i].bytes, code);
		struct insn insn;
		g_autofree char *text = insn_decode(dec, code, size, 0x1000, &insn)
						? describe(&insn)
						: g_strdup_printf("bad %u", insn.size);

		if ((strcmp(text, rows[i].expected) && g_strcmp0(text, rows[i].newer)) ||
		    insn.size != size)
			fail_msg("%s: '%s', %u bytes, expected '%s', %zu bytes", rows[i].assembly,
				 text, insn.size, rows[i].expected, size);
	}
	insn_decoder_free(dec);
}

/* An instruction cut short is none, and nothing is read or claimed beyond its end. */
static void test_truncated(void **state)
{
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u8 code[16];
		size_t size = parse_hex(rows[i].bytes, code);

		for (size_t left = 1; left < size; left++) {
			u8 *exact = g_memdup2(code, left);
			struct insn insn;

			insn_decode(dec, exact, left, 0x1000, &insn);
			assert_in_range(insn.size, 1, left);
			g_free(exact);
		}
	}
	insn_decoder_free(dec);
}

#define JE    "7405"
#define NEVER 0

/* Which memory instruction and jump are executed as one, by the processors that do so. */
static const struct {
	const char *assembly, *first, *second;
	u32 fusing; /* bits by enum insn_fusion */
} pairs[] = {
	{ "cmp 8(%rdi),%rax; je", "483b4708", JE, 0x1e },
	{ "cmp %rax,8(%rdi); je", "48394708", JE, 0x1e },
	{ "test %rax,8(%rdi); je", "48854708", JE, 0x1e },
	{ "cmpl $5,8(%rdi); je", "837f0805", JE, 1 << FUSION_AMD_COMPARE | 1 << FUSION_AMD },
	{ "add 8(%rdi),%rax; je", "48034708", JE, 1 << FUSION_INTEL | 1 << FUSION_AMD },
	{ "or 8(%rdi),%rax; je", "480b4708", JE, 1 << FUSION_AMD },
	{ "add %rax,8(%rdi); je", "48014708", JE, NEVER },
	{ "decl 8(%rdi); je", "ff4f08", JE, NEVER },
	{ "mov 8(%rdi),%rax; je", "488b4708", JE, NEVER },
	{ "cmp 8(%rdi),%rax; jmp", "483b4708", "eb05", NEVER },
	{ "cmp 8(%rdi),%rax; jrcxz", "483b4708", "e305", NEVER },
	{ "cmp 8(%rdi),%rax; mov %rax,%rbx", "483b4708", "4889c3", NEVER },
	{ "cmp 8(%rdi),%rax; sete %al", "483b4708", "0f94c0", NEVER },
};

static void test_fusion(void **state)
{
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);

	for (u32 i = 0; i < ARRAY_SIZE(pairs); i++) {
		struct insn first, second;
		u32 fusing = 0;
		u8 code[16];

		assert_true(
			insn_decode(dec, code, parse_hex(pairs[i].first, code), 0x1000, &first));
		assert_true(insn_decode(dec, code, parse_hex(pairs[i].second, code),
					0x1000 + first.size, &second));
		for (u32 fusion = FUSION_NONE; fusion <= FUSION_AMD; fusion++)
			if (insn_fuses(fusion, &first, &second))
				fusing |= 1u << fusion;
		if (fusing != pairs[i].fusing)
			fail_msg("%s: fuses for %#x, expected %#x", pairs[i].assembly, fusing,
				 pairs[i].fusing);
		second.vaddr++;
		assert_false(insn_fuses(FUSION_AMD, &first, &second));
	}
	insn_decoder_free(dec);
}

static void test_processors(void **state)
{
	assert_int_equal(insn_fusion_of(NULL), FUSION_NONE);
	assert_int_equal(insn_fusion_of(""), FUSION_NONE);
	assert_int_equal(insn_fusion_of("GenuineIntel"), FUSION_NONE);
	assert_int_equal(insn_fusion_of("0x00000000410fd0c0"), FUSION_NONE);
	assert_int_equal(insn_fusion_of("GenuineIntel,6,29,1"), FUSION_NONE);
	assert_int_equal(insn_fusion_of("GenuineIntel,6,30,5"), FUSION_INTEL_COMPARE);
	assert_int_equal(insn_fusion_of("GenuineIntel,6,85,7"), FUSION_INTEL);
	assert_int_equal(insn_fusion_of("GenuineIntel,15,85,7"), FUSION_NONE);
	assert_int_equal(insn_fusion_of("AuthenticAMD,16,2,3"), FUSION_NONE);
	assert_int_equal(insn_fusion_of("AuthenticAMD,23,49,0"), FUSION_AMD_COMPARE);
	assert_int_equal(insn_fusion_of("AuthenticAMD,25,33,2"), FUSION_AMD);
	assert_int_equal(insn_fusion_of("HygonGenuine,24,0,1"), FUSION_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_fusion),
		cmocka_unit_test(test_processors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
