// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converts capstone's AT&T text to binutils' form: no operand-size suffix if a register tells the size, hexadecimal
 * numbers, displacements and scales as encoded, no blanks between operands.
 */
#include <stdlib.h>
#include <string.h>

#include "insn/arch.h"
#include "insn/x86-decode.h"
#include "insn/zydis.h"

static bool is_shift(unsigned int id)
{
	return id == X86_INS_SHL || id == X86_INS_SAL || id == X86_INS_SHR || id == X86_INS_SAR ||
	       id == X86_INS_ROL || id == X86_INS_ROR || id == X86_INS_RCL || id == X86_INS_RCR;
}

/* A shift count in %cl does not tell the size of the shifted operand. */
static bool has_register(const cs_insn *detail)
{
	const cs_x86 *x86 = &detail->detail->x86;

	for (u32 i = 0; i < x86->op_count; i++) {
		const cs_x86_op *op = &x86->operands[i];

		if (op->type == X86_OP_REG && !(is_shift(detail->id) && i == 1))
			return true;
	}
	return x86->op_count == 0;
}

static bool sizes_itself(unsigned int id)
{
	return id == X86_INS_PUSH || id == X86_INS_POP || id == X86_INS_CALL || id == X86_INS_JMP ||
	       id == X86_INS_RET || id == X86_INS_LEAVE;
}

/* A text may begin with a prefix ("lock", "rep"). Only the mnemonic after it has a suffix. */
static void drop_suffix(const cs_insn *detail, char *mnemonic)
{
	size_t size = strlen(mnemonic), base = strlen(detail->mnemonic);

	if (size != base + 1 || strncmp(mnemonic, detail->mnemonic, base) ||
	    !strchr("bwlq", mnemonic[base]))
		return;
	if (has_register(detail) || sizes_itself(detail->id))
		mnemonic[base] = '\0';
}

static u64 mask_of(const cs_insn *detail)
{
	u32 width = detail->detail->x86.op_count ? detail->detail->x86.operands[0].size : 8;

	return width >= 8 || !width ? UINT64_MAX : ((u64)1 << (width * 8)) - 1;
}

static bool is_branch(const cs_insn *detail)
{
	for (u32 i = 0; i < detail->detail->groups_count; i++)
		if (detail->detail->groups[i] == X86_GRP_BRANCH_RELATIVE)
			return true;
	return detail->id == X86_INS_JMP || detail->id == X86_INS_CALL;
}

/* Appends the number at @from in the text: an immediate, a displacement or a branch's target. */
static const char *append_number(const cs_insn *detail, const char *from, GString *out)
{
	bool immediate = out->len && out->str[out->len - 1] == '$', negative = *from == '-';
	char *end;
	u64 value = strtoull(from + negative, &end, 0);

	if (immediate)
		g_string_append_printf(out, "0x%llx",
				       (unsigned long long)((negative ? 0 - value : value) &
							    mask_of(detail)));
	else if (*end != '(' && !negative && is_branch(detail) && out->len == 0)
		g_string_append_printf(out, "%llx", (unsigned long long)value);
	else
		g_string_append_printf(out, "%s0x%llx", negative ? "-" : "",
				       (unsigned long long)value);
	return end;
}

static void append_parenthesis(const cs_insn *detail, const char **from, GString *out)
{
	const cs_x86 *x86 = &detail->detail->x86;
	bool bare = !out->len || strchr(",*:", out->str[out->len - 1]);
	u32 commas = 0;

	if (bare && x86->encoding.disp_offset && !x86->disp)
		g_string_append(out, "0x0");
	for (; **from && **from != ')'; (*from)++) {
		if (**from == ' ')
			continue;
		commas += **from == ',';
		g_string_append_c(out, **from);
	}
	if (commas == 1)
		g_string_append(out, ",1");
	if (**from) {
		g_string_append_c(out, ')');
		(*from)++;
	}
}

/* "nopw %cs:0x0(...)": binutils writes the prefix first. */
static char *move_prefix(char *mnemonic, char *operands)
{
	g_autofree char *plain = NULL;

	if (!g_str_has_prefix(mnemonic, "nop") || !g_str_has_prefix(operands, "%cs:"))
		return operands;
	plain = g_strconcat("cs ", mnemonic, NULL);
	g_strlcpy(mnemonic, plain, 32);
	return operands + strlen("%cs:");
}

void insn_x86_tidy(const cs_insn *detail, char *mnemonic, char *operands, size_t size)
{
	g_autoptr(GString) out = g_string_new(NULL);

	drop_suffix(detail, mnemonic);
	if (detail->id == X86_INS_NOP && detail->size == 2 && detail->bytes[0] == 0x66) {
		g_strlcpy(mnemonic, "xchg", 32);
		g_strlcpy(operands, "%ax,%ax", size);
		return;
	}
	for (const char *at = move_prefix(mnemonic, operands); *at;) {
		bool begins = !out->len || strchr(",$*:", out->str[out->len - 1]);

		if (*at == ' ') {
			at++;
		} else if (*at == '(') {
			append_parenthesis(detail, &at, out);
		} else if (begins && (g_ascii_isdigit(*at) || *at == '-')) {
			at = append_number(detail, at, out);
		} else {
			g_string_append_c(out, *at++);
		}
	}
	g_strlcpy(operands, out->str, size);
}

static bool more_text(bool intel, const u8 *code, u8 size, u64 vaddr, char mnemonic[32],
		      char operands[192])
{
	return insn_zydis_text(true, intel, code, size, vaddr, mnemonic, operands);
}

const struct insn_arch_ops insn_x86_64 = {
	.open = insn_x86_open,
	.close = insn_x86_close,
	.decode = insn_x86_decode,
	.arch = CS_ARCH_X86,
	.mode = CS_MODE_64,
	.more_text = more_text,
	.tidy = insn_x86_tidy,
	.tidy_intel = insn_x86_tidy_intel,
};
