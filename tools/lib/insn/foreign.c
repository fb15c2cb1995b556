// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Architectures that are listed, but not analysed: capstone alone decodes them. The result has the length, the control
 * flow and the target of a direct jump or call, which is what a listing needs. It has no operands.
 *
 *	i386:     75 03        jne 0x15      2 bytes, INSN_COND, target 0x15
 *	AArch64:  03 00 00 94  bl  #0xc      4 bytes, INSN_CALL, target 0xc
 */
#include "insn/arch.h"
#include "insn/zydis.h"

struct foreign {
	csh handle;
	cs_insn *insn;
};

static void foreign_close(void *opened)
{
	struct foreign *f = opened;

	if (!f)
		return;
	if (f->insn)
		cs_free(f->insn, 1);
	cs_close(&f->handle);
	g_free(f);
}

/* NULL: this capstone does not have the architecture. */
static void *foreign_open(cs_arch arch, cs_mode mode)
{
	struct foreign *f = g_new0(struct foreign, 1);

	if (cs_open(arch, mode, &f->handle) != CS_ERR_OK) {
		g_free(f);
		return NULL;
	}
	cs_option(f->handle, CS_OPT_DETAIL, CS_OPT_ON);
	f->insn = cs_malloc(f->handle);
	return f;
}

static bool in_group(const cs_insn *insn, u8 group)
{
	for (u8 i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

/* @conditional: of a jump. */
static enum insn_flow flow_of(const cs_insn *insn, bool conditional)
{
	if (in_group(insn, CS_GRP_CALL))
		return INSN_CALL;
	if (in_group(insn, CS_GRP_RET))
		return INSN_RET;
	if (in_group(insn, CS_GRP_JUMP))
		return conditional ? INSN_COND : INSN_JUMP;
	return INSN_NEXT;
}

/* Decodes one instruction. NULL: unknown. */
static const cs_insn *foreign_decode(const void *opened, const u8 *code, size_t left, u64 vaddr,
				     struct insn *out)
{
	const struct foreign *f = opened;

	*out = (struct insn){ .vaddr = vaddr };
	if (!f || !cs_disasm_iter(f->handle, &code, &left, &vaddr, f->insn))
		return NULL;
	out->size = (u8)f->insn->size;
	return f->insn;
}

static void *i386_open(void)
{
	return foreign_open(CS_ARCH_X86, CS_MODE_32);
}

static bool i386_decode(const void *opened, const u8 *code, size_t left, u64 vaddr,
			struct insn *out)
{
	const cs_insn *insn = foreign_decode(opened, code, left, vaddr, out);
	const cs_x86_op *op = insn ? insn->detail->x86.operands : NULL;

	if (!insn)
		return false;
	out->flow = flow_of(insn, insn->id != X86_INS_JMP && insn->id != X86_INS_LJMP);
	if ((out->flow == INSN_JUMP || out->flow == INSN_COND || out->flow == INSN_CALL) &&
	    insn->detail->x86.op_count == 1) {
		out->indirect = op->type != X86_OP_IMM;
		out->target = out->indirect ? 0 : (u32)op->imm;
	}
	return true;
}

static bool i386_more_text(bool intel, const u8 *code, u8 size, u64 vaddr, char mnemonic[32],
			   char operands[192])
{
	return insn_zydis_text(false, intel, code, size, vaddr, mnemonic, operands);
}

static void *aarch64_open(void)
{
	return foreign_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN);
}

static bool aarch64_decode(const void *opened, const u8 *code, size_t left, u64 vaddr,
			   struct insn *out)
{
	const cs_insn *insn = foreign_decode(opened, code, left, vaddr, out);
	const cs_arm64 *arm;

	out->size = out->size ? out->size : (u8)MIN(left, 4);
	if (!insn)
		return false;
	arm = &insn->detail->arm64;
	out->flow = flow_of(insn, insn->id != ARM64_INS_B && insn->id != ARM64_INS_BR);
	if (insn->id == ARM64_INS_B && arm->cc != ARM64_CC_INVALID && arm->cc != ARM64_CC_AL)
		out->flow = INSN_COND;
	if (insn->id == ARM64_INS_BL || insn->id == ARM64_INS_BLR)
		out->flow = INSN_CALL;
	if (out->flow != INSN_NEXT && out->flow != INSN_RET && arm->op_count) {
		const cs_arm64_op *op = &arm->operands[arm->op_count - 1];

		out->indirect = op->type != ARM64_OP_IMM;
		out->target = out->indirect ? 0 : (u64)op->imm;
	}
	return true;
}

const struct insn_arch_ops insn_i386 = {
	.open = i386_open,
	.close = foreign_close,
	.decode = i386_decode,
	.arch = CS_ARCH_X86,
	.mode = CS_MODE_32,
	.more_text = i386_more_text,
	.tidy = insn_x86_tidy,
	.tidy_intel = insn_x86_tidy_intel,
};

const struct insn_arch_ops insn_aarch64 = {
	.open = aarch64_open,
	.close = foreign_close,
	.decode = aarch64_decode,
	.arch = CS_ARCH_ARM64,
	.mode = CS_MODE_LITTLE_ENDIAN,
};
