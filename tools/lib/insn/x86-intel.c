// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converts capstone's Intel text to binutils' form: sizes in capitals, hexadecimal numbers, displacements and scales as
 * encoded, no blanks between operands.
 *
 *	dword ptr [rdi + r9 + 4], 8	->	DWORD PTR [rdi+r9*1+0x4],0x8
 */
#include <stdlib.h>
#include <string.h>

#include "insn/arch.h"
#include "insn/x86-decode.h"

struct intel_text {
	const cs_insn *detail;
	GString *out;
	size_t bracket;	 /* 1 + the position of the open '['; 0: none is open */
	u32 nr_added;	 /* terms of the bracket so far */
	bool has_scale;	 /* the bracket has a '*' */
	bool has_number; /* ... or a displacement */
};

static bool is_direct_branch(const cs_insn *detail)
{
	const cs_x86 *x86 = &detail->detail->x86;

	for (u32 i = 0; i < detail->detail->groups_count; i++)
		if (detail->detail->groups[i] == X86_GRP_BRANCH_RELATIVE)
			return true;
	return (detail->id == X86_INS_JMP || detail->id == X86_INS_CALL) && x86->op_count == 1 &&
	       x86->operands[0].type == X86_OP_IMM;
}

/* "dword ptr " -> "DWORD PTR ". Returns the text behind it; NULL: there is no size. */
static const char *append_size(struct intel_text *t, const char *at)
{
	size_t len = strcspn(at, " ,");
	g_autofree char *word = g_strndup(at, len);
	g_autofree char *upper = NULL;

	if (strncmp(at + len, " ptr ", 5) != 0)
		return NULL;
	upper = g_ascii_strup(word, -1);
	g_string_append_printf(t->out, "%s PTR ", upper);
	return at + len + 5;
}

/* A negative immediate has the bits of its operand. */
static u64 immediate_of(const cs_insn *detail, u64 magnitude)
{
	u32 width = detail->detail->x86.op_count ? detail->detail->x86.operands[0].size : 8;

	return (0 - magnitude) & (width >= 8 || !width ? UINT64_MAX : ((u64)1 << (width * 8)) - 1);
}

/* A scale is printed in decimal. The targets of branches have no "0x". A shift by 1 may have no immediate. */
static const char *append_number(struct intel_text *t, const char *at)
{
	bool negative = *at == '-';
	char *end;
	u64 value = strtoull(at + negative, &end, 0);
	char before = t->out->len ? t->out->str[t->out->len - 1] : '\0';

	if (negative)
		value = immediate_of(t->detail, value);
	if (before == '*' ||
	    (value == 1 && !t->bracket && !t->detail->detail->x86.encoding.imm_offset))
		g_string_append_printf(t->out, "%llu", (unsigned long long)value);
	else
		g_string_append_printf(t->out, "%s%llx", is_direct_branch(t->detail) ? "" : "0x",
				       (unsigned long long)value);
	t->has_number |= before != '*';
	return end;
}

/* The index is the second register. Its scale of 1 and a displacement of 0 are implied in capstone's text. */
static void append_scale(struct intel_text *t)
{
	if (t->nr_added == 2 && !t->has_scale && !t->has_number)
		g_string_append(t->out, "*1");
}

static void append_sign(struct intel_text *t, char sign)
{
	append_scale(t);
	t->nr_added++;
	g_string_append_c(t->out, sign);
}

static void end_bracket(struct intel_text *t)
{
	const cs_x86 *x86 = &t->detail->detail->x86;
	size_t open = t->bracket - 1;
	bool after_segment = open && t->out->str[open - 1] == ':';

	t->bracket = 0;
	if (t->nr_added == 1 && t->has_number && after_segment) { /* fs:0x28 */
		g_string_erase(t->out, (gssize)open, 1);
		return;
	}
	append_scale(t);
	if (x86->encoding.disp_offset && !x86->disp && !t->has_number)
		g_string_append(t->out, "+0x0");
	g_string_append_c(t->out, ']');
}

static const char *append_next(struct intel_text *t, const char *at)
{
	char before = t->out->len ? t->out->str[t->out->len - 1] : '\0';
	const char *behind = g_ascii_isalpha(*at) && !g_ascii_isalnum(before) ? append_size(t, at)
									      : NULL;

	if (behind)
		return behind;
	if ((g_ascii_isdigit(*at) && !g_ascii_isalnum(before)) || (*at == '-' && !t->bracket))
		return append_number(t, at);
	t->has_scale |= *at == '*';
	if (*at == '[') {
		t->bracket = 1 + t->out->len;
		t->nr_added = 1;
		t->has_scale = t->has_number = false;
	}
	if (*at == ']' && t->bracket)
		end_bracket(t);
	else if (t->bracket && (*at == '+' || *at == '-'))
		append_sign(t, *at);
	else if (*at != ' ')
		g_string_append_c(t->out, *at);
	return at + 1;
}

/* "nop WORD PTR cs:[...]": binutils writes the prefix first, and calls a nop of two bytes by its encoding. */
static void name_nop(const cs_insn *detail, char *mnemonic, GString *operands)
{
	char *prefix = strstr(operands->str, "cs:");

	if (detail->id != X86_INS_NOP)
		return;
	if (prefix) {
		g_string_erase(operands, prefix - operands->str, 3);
		g_strlcpy(mnemonic, "cs nop", 32);
	} else if (detail->size == 2 && detail->bytes[0] == 0x66) {
		g_strlcpy(mnemonic, "xchg", 32);
		g_string_assign(operands, "ax,ax");
	}
}

void insn_x86_tidy_intel(const cs_insn *detail, char *mnemonic, char *operands, size_t size)
{
	g_autoptr(GString) out = g_string_new(NULL);
	struct intel_text text = { .detail = detail, .out = out };

	for (const char *at = operands; *at;)
		at = append_next(&text, at);
	name_nop(detail, mnemonic, out);
	g_strlcpy(operands, out->str, size);
}
