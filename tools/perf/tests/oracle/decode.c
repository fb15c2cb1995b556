// SPDX-License-Identifier: GPL-2.0-or-later
#include <err.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "decode.h"

struct decoder {
	csh handle;
	cs_insn *insn;
};

struct decoder *decoder_new(void)
{
	struct decoder *decoder = g_new0(struct decoder, 1);

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->handle) != CS_ERR_OK)
		errx(2, "capstone does not start");
	cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
	cs_option(decoder->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	decoder->insn = cs_malloc(decoder->handle);
	return decoder;
}

void decoder_free(struct decoder *decoder)
{
	cs_free(decoder->insn, 1);
	cs_close(&decoder->handle);
	g_free(decoder);
}

/* vpgatherdq: dword indices, quadword elements; p or nothing before the sizes. */
static void decode_gather(const char *mnemonic, struct decoded *out)
{
	const char *at = strstr(mnemonic, "gather");

	if (!at || strlen(at) < 8)
		return;
	at += strlen("gather");
	out->index_size = at[0] == 'q' ? 8 : 4;
	out->element_size = at[strlen(at) - 1] == 'd' && strchr("dq", at[1]) == NULL ? 8
			    : at[strlen(at) - 1] == 'q' || !strcmp(at + 1, "pd")     ? 8
										     : 4;
}

static bool no_access(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_LEA:
	case X86_INS_NOP:
		return true;
	default:
		/* endbr and multi-byte nops of other encodings are all read as nop. */
		return !strncmp(insn->mnemonic, "nop", 3) || !strncmp(insn->mnemonic, "endbr", 5);
	}
}

static bool is_stack_op(const cs_insn *insn)
{
	return !strncmp(insn->mnemonic, "push", 4) ||
	       (!strncmp(insn->mnemonic, "pop", 3) && strncmp(insn->mnemonic, "popcnt", 6)) ||
	       strstr(insn->mnemonic, "call") || strstr(insn->mnemonic, "ret") ||
	       insn->id == X86_INS_LEAVE || insn->id == X86_INS_ENTER;
}

/* capstone calls the number that comisd, ucomiss and their kind compare a whole vector. */
static u8 width_of(const cs_insn *insn, const cs_x86_op *op)
{
	size_t n = strlen(insn->mnemonic);

	if (!strstr(insn->mnemonic, "comis"))
		return op->size;
	return insn->mnemonic[n - 1] == 'd' ? 8 : 4;
}

void decode(struct decoder *decoder, const u8 *bytes, size_t size, u64 ip, struct decoded *out)
{
	cs_insn *insn = decoder->insn;
	const cs_x86 *x86;

	*out = (struct decoded){ 0 };
	if (!cs_disasm_iter(decoder->handle, &bytes, &size, &ip, insn))
		return;
	x86 = &insn->detail->x86;
	out->size = (u8)insn->size;
	out->stack_op = is_stack_op(insn);
	out->call = strstr(insn->mnemonic, "call") != NULL;
	out->ret = strstr(insn->mnemonic, "ret") != NULL;
	g_strlcpy(out->text, insn->mnemonic, sizeof(out->text));
	g_strlcat(out->text, " ", sizeof(out->text));
	g_strlcat(out->text, insn->op_str, sizeof(out->text));
	if (no_access(insn))
		return;
	decode_gather(insn->mnemonic, out);
	for (u8 i = 0; i < x86->op_count; i++) {
		const cs_x86_op *op = &x86->operands[i];

		if (out->index_size && op->type == X86_OP_REG && i == 0)
			out->mask = op->reg; /* AT&T order: the mask comes first */
		if (op->type != X86_OP_MEM || out->nr_operands == ARRAY_SIZE(out->operands))
			continue;
		out->operands[out->nr_operands++] =
			(struct operand){ op->mem, width_of(insn, op), op->access };
	}
}

static u64 reg_value(x86_reg reg, u64 next, const struct user_regs_struct *r)
{
	switch (reg) {
	case X86_REG_RAX:
		return r->rax;
	case X86_REG_RBX:
		return r->rbx;
	case X86_REG_RCX:
		return r->rcx;
	case X86_REG_RDX:
		return r->rdx;
	case X86_REG_RSI:
		return r->rsi;
	case X86_REG_RDI:
		return r->rdi;
	case X86_REG_RBP:
		return r->rbp;
	case X86_REG_RSP:
		return r->rsp;
	case X86_REG_R8:
		return r->r8;
	case X86_REG_R9:
		return r->r9;
	case X86_REG_R10:
		return r->r10;
	case X86_REG_R11:
		return r->r11;
	case X86_REG_R12:
		return r->r12;
	case X86_REG_R13:
		return r->r13;
	case X86_REG_R14:
		return r->r14;
	case X86_REG_R15:
		return r->r15;
	case X86_REG_EAX:
		return (u32)r->rax;
	case X86_REG_EBX:
		return (u32)r->rbx;
	case X86_REG_ECX:
		return (u32)r->rcx;
	case X86_REG_EDX:
		return (u32)r->rdx;
	case X86_REG_ESI:
		return (u32)r->rsi;
	case X86_REG_EDI:
		return (u32)r->rdi;
	case X86_REG_EBP:
		return (u32)r->rbp;
	case X86_REG_R8D:
		return (u32)r->r8;
	case X86_REG_R9D:
		return (u32)r->r9;
	case X86_REG_R10D:
		return (u32)r->r10;
	case X86_REG_R11D:
		return (u32)r->r11;
	case X86_REG_R12D:
		return (u32)r->r12;
	case X86_REG_R13D:
		return (u32)r->r13;
	case X86_REG_R14D:
		return (u32)r->r14;
	case X86_REG_R15D:
		return (u32)r->r15;
	case X86_REG_RIP:
		return next;
	default:
		return 0;
	}
}

/* The number of a vector register, -1: it is none. @size: its bytes. */
static int vector_of(x86_reg reg, u32 *size)
{
	if (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM15) {
		*size = 16;
		return (int)(reg - X86_REG_XMM0);
	}
	if (reg >= X86_REG_YMM0 && reg <= X86_REG_YMM15) {
		*size = 32;
		return (int)(reg - X86_REG_YMM0);
	}
	return -1;
}

/* Elements whose mask has its highest bit set. */
static u32 gather_addresses(const struct decoded *insn, u64 base, const x86_op_mem *mem,
			    const struct vectors *vectors, u64 *out, u32 max)
{
	u32 index_bytes = 16, mask_bytes = 16, n, nr = 0;
	int index = vector_of(mem->index, &index_bytes), mask = vector_of(insn->mask, &mask_bytes);

	if (index < 0 || mask < 0 || !vectors)
		return 0;
	n = MIN(index_bytes / insn->index_size, mask_bytes / insn->element_size);
	for (u32 i = 0; i < n && nr < max; i++) {
		s64 value = 0;

		if (!(vectors->regs[mask][(i + 1) * insn->element_size - 1] & 0x80))
			continue;
		memcpy(&value, &vectors->regs[index][i * insn->index_size], insn->index_size);
		if (insn->index_size == 4)
			value = (s32)value;
		out[nr++] = base + (u64)value * (u64)mem->scale;
	}
	return nr;
}

u32 operand_addresses(const struct decoded *insn, u32 i, u64 ip,
		      const struct user_regs_struct *regs, const struct vectors *vectors, u64 *out,
		      u32 max)
{
	const x86_op_mem *mem = &insn->operands[i].mem;
	u64 base = reg_value(mem->base, ip + insn->size, regs) + (u64)mem->disp;

	if (mem->segment == X86_REG_FS)
		base += regs->fs_base;
	else if (mem->segment == X86_REG_GS)
		base += regs->gs_base;
	if (insn->index_size)
		return gather_addresses(insn, base, mem, vectors, out, max);
	out[0] = base + reg_value(mem->index, 0, regs) * (u64)mem->scale;
	return 1;
}
