// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions as capstone understands them, as struct insn: what our own decoder is compared
 * with.
 *
 * capstone's operands, widths and implicit registers are used as they are. Its notes on
 * who reads and writes are not to be trusted for a memory operand that comes first:
 * version 4 calls most vector stores and a few others reads. So the role of a first memory
 * operand follows from the instruction: ids[] lists what reads only or reads and writes,
 * and everything else that capstone calls a read is a store.
 */
#include <string.h>

#include <capstone/capstone.h>

#include "base/error.h"
#include "tests/insn/reference.h"

struct reg_row {
	u8 number; /* DWARF's, plus 1 so that an absent row is 0 */
	bool high;
};

// clang-format off
#define R(name, num) [X86_REG_##name] = { (num) + 1, false }
#define H(name, num) [X86_REG_##name] = { (num) + 1, true }
#define LEGACY(q, d, w, l, num) R(q, num), R(d, num), R(w, num), R(l, num)
#define NUMBERED(n)							       \
	R(R##n, n), R(R##n##D, n), R(R##n##W, n), R(R##n##B, n)
#define VECTOR(n, num) R(XMM##n, num), R(YMM##n, num), R(ZMM##n, num)

// clang-format on
static const struct reg_row regs[X86_REG_ENDING] = {
	LEGACY(RAX, EAX, AX, AL, 0),
	LEGACY(RDX, EDX, DX, DL, 1),
	LEGACY(RCX, ECX, CX, CL, 2),
	LEGACY(RBX, EBX, BX, BL, 3),
	LEGACY(RSI, ESI, SI, SIL, 4),
	LEGACY(RDI, EDI, DI, DIL, 5),
	LEGACY(RBP, EBP, BP, BPL, 6),
	LEGACY(RSP, ESP, SP, SPL, 7),
	H(AH, 0),
	H(DH, 1),
	H(CH, 2),
	H(BH, 3),
	NUMBERED(8),
	NUMBERED(9),
	NUMBERED(10),
	NUMBERED(11),
	NUMBERED(12),
	NUMBERED(13),
	NUMBERED(14),
	NUMBERED(15),
	R(RIP, X86_RIP),
	R(EIP, X86_RIP),
	VECTOR(0, 17),
	VECTOR(1, 18),
	VECTOR(2, 19),
	VECTOR(3, 20),
	VECTOR(4, 21),
	VECTOR(5, 22),
	VECTOR(6, 23),
	VECTOR(7, 24),
	VECTOR(8, 25),
	VECTOR(9, 26),
	VECTOR(10, 27),
	VECTOR(11, 28),
	VECTOR(12, 29),
	VECTOR(13, 30),
	VECTOR(14, 31),
	VECTOR(15, 32),
	VECTOR(16, 67),
	VECTOR(17, 68),
	VECTOR(18, 69),
	VECTOR(19, 70),
	VECTOR(20, 71),
	VECTOR(21, 72),
	VECTOR(22, 73),
	VECTOR(23, 74),
	VECTOR(24, 75),
	VECTOR(25, 76),
	VECTOR(26, 77),
	VECTOR(27, 78),
	VECTOR(28, 79),
	VECTOR(29, 80),
	VECTOR(30, 81),
	VECTOR(31, 82),
	R(ST0, 33),
	R(ST1, 34),
	R(ST2, 35),
	R(ST3, 36),
	R(ST4, 37),
	R(ST5, 38),
	R(ST6, 39),
	R(ST7, 40),
	R(MM0, 41),
	R(MM1, 42),
	R(MM2, 43),
	R(MM3, 44),
	R(MM4, 45),
	R(MM5, 46),
	R(MM6, 47),
	R(MM7, 48),
	R(EFLAGS, X86_RFLAGS),
	R(ES, X86_ES),
	R(CS, X86_CS),
	R(SS, X86_SS),
	R(DS, X86_DS),
	R(FS, X86_FS),
	R(GS, X86_GS),
	R(K0, 118),
	R(K1, 119),
	R(K2, 120),
	R(K3, 121),
	R(K4, 122),
	R(K5, 123),
	R(K6, 124),
	R(K7, 125),
};

/* How a first memory operand is used, where it is not simply stored to. */
enum first_role {
	FIRST_UNSAID,
	FIRST_READ,
	FIRST_BOTH,
	FIRST_NONE,
};

struct id_row {
	u8 op;	  /* enum insn_op */
	u8 first; /* enum first_role */
};

#define I(name, op, first) [X86_INS_##name] = { op, first }

static const struct id_row ids[X86_INS_ENDING] = {
	I(NOP, INSN_NOP, FIRST_NONE),
	I(MOV, INSN_MOV, 0),
	I(MOVABS, INSN_MOV, 0),
	I(MOVZX, INSN_MOV, 0),
	I(MOVSX, INSN_MOV, 0),
	I(MOVSXD, INSN_MOV, 0),
	I(MOVAPS, INSN_MOV, 0),
	I(MOVAPD, INSN_MOV, 0),
	I(MOVUPS, INSN_MOV, 0),
	I(MOVUPD, INSN_MOV, 0),
	I(MOVDQA, INSN_MOV, 0),
	I(MOVDQU, INSN_MOV, 0),
	I(MOVQ, INSN_MOV, 0),
	I(MOVD, INSN_MOV, 0),
	I(VMOVAPS, INSN_MOV, 0),
	I(VMOVUPS, INSN_MOV, 0),
	I(VMOVDQA, INSN_MOV, 0),
	I(VMOVDQU, INSN_MOV, 0),
	I(VMOVQ, INSN_MOV, 0),
	I(VMOVD, INSN_MOV, 0),
	I(LEA, INSN_LEA, FIRST_NONE),
	I(ADD, INSN_ADD, FIRST_BOTH),
	I(SUB, INSN_SUB, FIRST_BOTH),
	I(INC, INSN_INC, FIRST_BOTH),
	I(DEC, INSN_DEC, FIRST_BOTH),
	I(AND, INSN_AND, FIRST_BOTH),
	I(OR, INSN_OR, FIRST_BOTH),
	I(XOR, INSN_XOR, FIRST_BOTH),
	I(SHL, INSN_SHL, FIRST_BOTH),
	I(SAL, INSN_SHL, FIRST_BOTH),
	I(IMUL, INSN_MUL, FIRST_READ),
	I(MUL, INSN_MULWIDE, FIRST_READ),
	I(DIV, INSN_DIV, FIRST_READ),
	I(IDIV, INSN_DIV, FIRST_READ),
	I(ADC, INSN_ADC, FIRST_BOTH),
	I(SBB, INSN_SBB, FIRST_BOTH),
	I(SHR, INSN_SHR, FIRST_BOTH),
	I(SAR, INSN_SAR, FIRST_BOTH),
	I(RORX, INSN_ROTATE, 0),
	I(NOT, INSN_NOT, FIRST_BOTH),
	I(NEG, INSN_NEG, FIRST_BOTH),
	I(BSWAP, INSN_BSWAP, 0),
	I(MOVBE, INSN_BSWAP, 0),
	I(BTS, INSN_BTS, FIRST_BOTH),
	I(BTR, INSN_BTS, FIRST_BOTH),
	I(BTC, INSN_BTS, FIRST_BOTH),
	I(BSF, INSN_COUNT, 0),
	I(BSR, INSN_COUNT, 0),
	I(TZCNT, INSN_COUNT, 0),
	I(LZCNT, INSN_COUNT, 0),
	I(POPCNT, INSN_COUNT, 0),
	I(CWD, INSN_SIGN, 0),
	I(CDQ, INSN_SIGN, 0),
	I(CQO, INSN_SIGN, 0),
	I(SYSCALL, INSN_SYSCALL, 0),
	I(STI, INSN_IRQ_ON, 0),
	I(SETAE, INSN_SETCC, 0),
	I(SETA, INSN_SETCC, 0),
	I(SETBE, INSN_SETCC, 0),
	I(SETB, INSN_SETCC, 0),
	I(SETE, INSN_SETCC, 0),
	I(SETGE, INSN_SETCC, 0),
	I(SETG, INSN_SETCC, 0),
	I(SETLE, INSN_SETCC, 0),
	I(SETL, INSN_SETCC, 0),
	I(SETNE, INSN_SETCC, 0),
	I(SETNO, INSN_SETCC, 0),
	I(SETNP, INSN_SETCC, 0),
	I(SETNS, INSN_SETCC, 0),
	I(SETO, INSN_SETCC, 0),
	I(SETP, INSN_SETCC, 0),
	I(SETS, INSN_SETCC, 0),
	I(CMP, INSN_CMP, FIRST_READ),
	I(TEST, INSN_TEST, FIRST_READ),
	I(BT, INSN_BT, FIRST_READ),
	I(ROL, INSN_ROTATE, FIRST_BOTH),
	I(ROR, INSN_ROTATE, FIRST_BOTH),
	I(RCL, INSN_ROTATE, FIRST_BOTH),
	I(RCR, INSN_ROTATE, FIRST_BOTH),
	I(XCHG, INSN_XCHG, FIRST_BOTH),
	I(XADD, INSN_XADD, FIRST_BOTH),
	I(CMPXCHG, INSN_CMPXCHG, FIRST_BOTH),
	I(CMPXCHG8B, INSN_OTHER, FIRST_BOTH),
	I(CMPXCHG16B, INSN_OTHER, FIRST_BOTH),
	I(CMOVA, INSN_CMOV, 0),
	I(CMOVAE, INSN_CMOV, 0),
	I(CMOVB, INSN_CMOV, 0),
	I(CMOVBE, INSN_CMOV, 0),
	I(CMOVE, INSN_CMOV, 0),
	I(CMOVG, INSN_CMOV, 0),
	I(CMOVGE, INSN_CMOV, 0),
	I(CMOVL, INSN_CMOV, 0),
	I(CMOVLE, INSN_CMOV, 0),
	I(CMOVNE, INSN_CMOV, 0),
	I(CMOVNO, INSN_CMOV, 0),
	I(CMOVNP, INSN_CMOV, 0),
	I(CMOVNS, INSN_CMOV, 0),
	I(CMOVO, INSN_CMOV, 0),
	I(CMOVP, INSN_CMOV, 0),
	I(CMOVS, INSN_CMOV, 0),
	I(PUSH, INSN_PUSH, FIRST_READ),
	I(PUSHF, INSN_PUSH, 0),
	I(PUSHFQ, INSN_PUSH, 0),
	I(POP, INSN_POP, 0),
	I(POPF, INSN_POP, 0),
	I(POPFQ, INSN_POP, 0),
	I(LEAVE, INSN_LEAVE, 0),
	I(CALL, INSN_CALLS, FIRST_READ),
	I(LCALL, INSN_CALLS, FIRST_READ),
	I(RET, INSN_RETURNS, 0),
	I(RETF, INSN_RETURNS, 0),
	I(RETFQ, INSN_RETURNS, 0),
	I(IRET, INSN_RETURNS, 0),
	I(IRETD, INSN_RETURNS, 0),
	I(IRETQ, INSN_RETURNS, 0),
	I(JMP, INSN_JUMPS, FIRST_READ),
	I(LJMP, INSN_JUMPS, FIRST_READ),
	I(MOVSB, INSN_STRING, 0),
	I(MOVSW, INSN_STRING, 0),
	I(MOVSQ, INSN_STRING, 0),
	I(STOSB, INSN_STRING, 0),
	I(STOSW, INSN_STRING, 0),
	I(STOSD, INSN_STRING, 0),
	I(STOSQ, INSN_STRING, 0),
	I(LODSB, INSN_STRING, 0),
	I(LODSW, INSN_STRING, 0),
	I(LODSD, INSN_STRING, 0),
	I(LODSQ, INSN_STRING, 0),
	I(SCASB, INSN_STRING, FIRST_READ),
	I(SCASW, INSN_STRING, FIRST_READ),
	I(SCASD, INSN_STRING, FIRST_READ),
	I(SCASQ, INSN_STRING, FIRST_READ),
	I(CMPSB, INSN_STRING, FIRST_READ),
	I(CMPSW, INSN_STRING, FIRST_READ),
	I(CMPSQ, INSN_STRING, FIRST_READ),
	I(PREFETCH, INSN_PREFETCH, FIRST_READ),
	I(PREFETCHNTA, INSN_PREFETCH, FIRST_READ),
	I(PREFETCHT0, INSN_PREFETCH, FIRST_READ),
	I(PREFETCHT1, INSN_PREFETCH, FIRST_READ),
	I(PREFETCHT2, INSN_PREFETCH, FIRST_READ),
	I(PREFETCHW, INSN_PREFETCH, FIRST_READ),
	I(CLFLUSH, INSN_OTHER, FIRST_READ),
	I(CLFLUSHOPT, INSN_OTHER, FIRST_READ),
	I(CLWB, INSN_OTHER, FIRST_READ),
	I(INVLPG, INSN_OTHER, FIRST_NONE),
	I(LDMXCSR, INSN_OTHER, FIRST_READ),
	I(VLDMXCSR, INSN_OTHER, FIRST_READ),
	I(FXRSTOR, INSN_OTHER, FIRST_READ),
	I(FXRSTOR64, INSN_OTHER, FIRST_READ),
	I(XRSTOR, INSN_OTHER, FIRST_READ),
	I(XRSTOR64, INSN_OTHER, FIRST_READ),
	I(XRSTORS, INSN_OTHER, FIRST_READ),
	I(XRSTORS64, INSN_OTHER, FIRST_READ),
	I(FRSTOR, INSN_OTHER, FIRST_READ),
	I(FLD, INSN_OTHER, FIRST_READ),
	I(FILD, INSN_OTHER, FIRST_READ),
	I(FBLD, INSN_OTHER, FIRST_READ),
	I(FLDCW, INSN_OTHER, FIRST_READ),
	I(FLDENV, INSN_OTHER, FIRST_READ),
	I(FADD, INSN_OTHER, FIRST_READ),
	I(FIADD, INSN_OTHER, FIRST_READ),
	I(FSUB, INSN_OTHER, FIRST_READ),
	I(FSUBR, INSN_OTHER, FIRST_READ),
	I(FISUB, INSN_OTHER, FIRST_READ),
	I(FISUBR, INSN_OTHER, FIRST_READ),
	I(FMUL, INSN_OTHER, FIRST_READ),
	I(FIMUL, INSN_OTHER, FIRST_READ),
	I(FDIV, INSN_OTHER, FIRST_READ),
	I(FDIVR, INSN_OTHER, FIRST_READ),
	I(FIDIV, INSN_OTHER, FIRST_READ),
	I(FIDIVR, INSN_OTHER, FIRST_READ),
	I(FCOM, INSN_OTHER, FIRST_READ),
	I(FCOMP, INSN_OTHER, FIRST_READ),
	I(FICOM, INSN_OTHER, FIRST_READ),
	I(FICOMP, INSN_OTHER, FIRST_READ),
	I(LGDT, INSN_OTHER, FIRST_READ),
	I(LIDT, INSN_OTHER, FIRST_READ),
	I(LLDT, INSN_OTHER, FIRST_READ),
	I(LTR, INSN_OTHER, FIRST_READ),
	I(LMSW, INSN_OTHER, FIRST_READ),
	I(VERR, INSN_OTHER, FIRST_READ),
	I(VERW, INSN_OTHER, FIRST_READ),
	I(VMPTRLD, INSN_OTHER, FIRST_READ),
	I(OUTSB, INSN_STRING, FIRST_READ),
	I(OUTSW, INSN_STRING, FIRST_READ),
	I(OUTSD, INSN_STRING, FIRST_READ),
};

static u8 reg_number(unsigned int reg)
{
	return reg < ARRAY_SIZE(regs) && regs[reg].number ? regs[reg].number - 1 : INSN_NO_REG;
}

static void mark(u64 *set, u8 reg)
{
	if (reg < INSN_NR_REGS)
		set[reg / 64] |= (u64)1 << (reg % 64);
}

static struct insn_operand *add_operand(struct insn *out)
{
	if (out->nr_operands == INSN_MAX_OPERANDS)
		return NULL;
	return &out->operands[out->nr_operands++];
}

/* A memory operand that the assembly text does not write. */
static void add_implicit(struct insn *out, u8 base, u8 index, s64 disp, u16 width, u8 access)
{
	struct insn_operand *op = add_operand(out);

	if (!op)
		return;
	*op = (struct insn_operand){
		.kind = INSN_MEM,
		.access = access,
		.width = width,
		.implicit = true,
		.mem = { .base = base, .index = index, .scale = 1, .disp = disp },
	};
	mark(out->reads, base);
	mark(out->reads, index);
}

static void read_memory(const cs_insn *cs, const cs_x86_op *from, struct insn_operand *op,
			struct insn *out)
{
	op->kind = INSN_MEM;
	op->mem.segment = from->mem.segment == X86_REG_FS   ? INSN_SEG_FS
			  : from->mem.segment == X86_REG_GS ? INSN_SEG_GS
							    : INSN_SEG_NONE;
	op->mem.base = reg_number(from->mem.base);
	op->mem.index = reg_number(from->mem.index);
	op->mem.scale = (u8)from->mem.scale;
	op->mem.disp = from->mem.disp;
	if (op->mem.base == X86_RIP) {
		op->mem.base = INSN_NO_REG;
		op->mem.disp = (s64)((u64)op->mem.disp + out->vaddr + out->size);
		op->relative = true;
	}
	mark(out->reads, op->mem.base);
	mark(out->reads, op->mem.index);
	if (op->mem.index >= X86_XMM0 && op->mem.index != INSN_NO_REG)
		out->op = INSN_GATHER;
}

static u8 first_memory_role(unsigned int id, u8 access)
{
	switch (id < ARRAY_SIZE(ids) ? ids[id].first : FIRST_UNSAID) {
	case FIRST_READ:
		return INSN_READ;
	case FIRST_BOTH:
		return INSN_READ | INSN_WRITE;
	case FIRST_NONE:
		return 0;
	default:
		return access == INSN_READ || access == 0 ? INSN_WRITE : access;
	}
}

static u16 memory_width(unsigned int id, u16 width)
{
	switch (id) {
	case X86_INS_COMISD:
	case X86_INS_UCOMISD:
	case X86_INS_VCOMISD:
	case X86_INS_VUCOMISD:
		return 8;
	case X86_INS_COMISS:
	case X86_INS_UCOMISS:
	case X86_INS_VCOMISS:
	case X86_INS_VUCOMISS:
		return 4;
	default:
		return width;
	}
}

static void read_operands(const cs_insn *cs, struct insn *out)
{
	const cs_x86 *x86 = &cs->detail->x86;

	for (u32 i = 0; i < x86->op_count && i < ARRAY_SIZE(x86->operands); i++) {
		const cs_x86_op *from = &x86->operands[i];
		struct insn_operand *op = add_operand(out);

		if (!op)
			return;
		op->width = from->size;
		op->access = from->access & (INSN_READ | INSN_WRITE);
		/* Where capstone does not say: the first is written, the others are read. */
		if (!op->access)
			op->access = i ? INSN_READ : INSN_WRITE;
		/* A move that may not happen keeps what was there. */
		if (i == 0 && out->op == INSN_CMOV)
			op->access |= INSN_READ;
		if (from->type == X86_OP_MEM) {
			read_memory(cs, from, op, out);
			op->width = out->op == INSN_GATHER ? 0 : memory_width(cs->id, from->size);
			if (i == 0)
				op->access = first_memory_role(cs->id, from->access);
			else if (out->op == INSN_LEA || out->op == INSN_NOP)
				op->access = 0;
		} else if (from->type == X86_OP_REG) {
			op->kind = INSN_REG;
			op->reg = reg_number(from->reg);
			op->high = from->reg < ARRAY_SIZE(regs) && regs[from->reg].high;
			if (op->access & INSN_READ)
				mark(out->reads, op->reg);
			if (op->access & INSN_WRITE)
				mark(out->writes, op->reg);
		} else {
			op->kind = INSN_IMM;
			op->access = INSN_READ;
			op->imm = from->imm;
		}
	}
}

static void set_flow(const cs_insn *cs, struct insn *out)
{
	bool direct = out->nr_operands == 1 && out->operands[0].kind == INSN_IMM;

	switch (cs->id) {
	case X86_INS_JMP:
	case X86_INS_LJMP:
		out->flow = INSN_JUMP;
		out->indirect = !direct;
		break;
	case X86_INS_CALL:
	case X86_INS_LCALL:
		out->flow = INSN_CALL;
		out->indirect = !direct;
		break;
	case X86_INS_RET:
	case X86_INS_RETF:
	case X86_INS_RETFQ:
	case X86_INS_IRET:
	case X86_INS_IRETD:
	case X86_INS_IRETQ:
	case X86_INS_SYSRET:
	case X86_INS_SYSEXIT:
		out->flow = INSN_RET;
		return;
	case X86_INS_UD2:
	case X86_INS_HLT:
	case X86_INS_INT3:
		out->flow = INSN_STOP;
		return;
	default:
		for (u32 i = 0; i < cs->detail->groups_count; i++)
			if (cs->detail->groups[i] == X86_GRP_BRANCH_RELATIVE)
				out->flow = INSN_COND;
		break;
	}
	if (out->flow != INSN_NEXT && direct)
		out->target = (u64)out->operands[0].imm;
}

/* What an instruction does to the stack by its nature. */
static void add_stack(const cs_insn *cs, struct insn *out)
{
	/* Operand size 16 by prefix; push and pop have no 32-bit form in 64-bit mode. */
	u16 width = cs->detail->x86.prefix[2] == X86_PREFIX_OPSIZE ? 2 : 8;

	switch (out->op) {
	case INSN_PUSH:
	case INSN_CALLS:
		if (out->op == INSN_CALLS)
			width = 8;
		add_implicit(out, X86_RSP, INSN_NO_REG, -(s64)width, width, INSN_WRITE);
		break;
	case INSN_POP:
		add_implicit(out, X86_RSP, INSN_NO_REG, 0, width, INSN_READ);
		break;
	case INSN_RETURNS:
		add_implicit(out, X86_RSP, INSN_NO_REG, 0, 8, INSN_READ);
		break;
	case INSN_LEAVE:
		add_implicit(out, X86_RBP, INSN_NO_REG, 0, 8, INSN_READ);
		break;
	default:
		if (cs->id != X86_INS_ENTER)
			return;
		add_implicit(out, X86_RSP, INSN_NO_REG, -8, 8, INSN_WRITE);
		mark(out->writes, X86_RBP);
		break;
	}
	mark(out->writes, X86_RSP);
	out->stack_op = true;
}

/* Registers that capstone forgets. */
static void add_forgotten(const cs_insn *cs, struct insn *out)
{
	switch (cs->id) {
	case X86_INS_CMPXCHG:
		mark(out->writes, X86_RAX);
		mark(out->writes, X86_RFLAGS);
		break;
	case X86_INS_SYSCALL:
		mark(out->writes, X86_RAX);
		mark(out->writes, X86_RCX);
		mark(out->writes, 11);
		break;
	case X86_INS_XLATB:
		add_implicit(out, X86_RBX, X86_RAX, 0, 1, INSN_READ);
		out->operands[out->nr_operands - 1].implicit = false;
		mark(out->writes, X86_RAX);
		break;
	case X86_INS_MASKMOVDQU:
	case X86_INS_VMASKMOVDQU:
		add_implicit(out, X86_RDI, INSN_NO_REG, 0, 16, INSN_WRITE);
		out->operands[out->nr_operands - 1].implicit = false;
		break;
	default:
		/* A gather clears its mask as it goes. */
		for (u32 i = 0; out->op == INSN_GATHER && i < out->nr_operands; i++)
			if (out->operands[i].kind == INSN_REG)
				mark(out->writes, out->operands[i].reg);
		break;
	}
}

/* What the opcode's last byte and the operands tell beyond capstone's details. */
static void add_kinds(const cs_insn *cs, struct insn *out)
{
	const u8 *opcode = cs->detail->x86.opcode;
	const struct insn_operand *to = &out->operands[0], *from = &out->operands[1];
	u8 code = opcode[0] == 0x0f ? opcode[1] : opcode[0];

	if (out->flow == INSN_COND)
		out->cond = code >= 0xe0 && code <= 0xe3 ? INSN_COND_RCX : (code & 0xf) + 1;
	else if (out->op == INSN_CMOV || out->op == INSN_SETCC)
		out->cond = (code & 0xf) + 1;
	if (out->op == INSN_MOV && to->kind == INSN_REG && from->width < to->width)
		out->extends = cs->id == X86_INS_MOVSX || cs->id == X86_INS_MOVSXD
				       ? INSN_EXTEND_SIGN
				       : INSN_EXTEND_ZERO;
	out->zero = (out->op == INSN_XOR || out->op == INSN_SUB) && to->kind == INSN_REG &&
		    from->kind == INSN_REG && to->reg == from->reg && to->high == from->high;
	out->notrack = out->indirect && cs->detail->x86.prefix[1] == X86_PREFIX_DS;
}

static void read_insn(const cs_insn *cs, struct insn *out)
{
	const cs_detail *detail = cs->detail;
	u8 prefix = detail->x86.prefix[0];

	out->op = cs->id < ARRAY_SIZE(ids) ? ids[cs->id].op : INSN_OTHER;
	/* "movsd" and "cmpsd" are a string and a vector instruction each. */
	if ((cs->id == X86_INS_MOVSD || cs->id == X86_INS_CMPSD) && detail->x86.opcode[0] != 0x0f)
		out->op = INSN_STRING;
	out->lock = prefix == X86_PREFIX_LOCK;
	out->rep = out->op == INSN_STRING &&
		   (prefix == X86_PREFIX_REP || prefix == X86_PREFIX_REPNE);
	for (u32 i = 0; i < detail->regs_read_count; i++)
		mark(out->reads, reg_number(detail->regs_read[i]));
	for (u32 i = 0; i < detail->regs_write_count; i++)
		mark(out->writes, reg_number(detail->regs_write[i]));
	read_operands(cs, out);
	set_flow(cs, out);
	add_stack(cs, out);
	add_forgotten(cs, out);
	add_kinds(cs, out);
}

struct reference {
	csh handle;
	cs_insn *insn;
};

struct reference *reference_new(void)
{
	struct reference *reference = g_new0(struct reference, 1);

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &reference->handle) != CS_ERR_OK)
		g_error("capstone does not open");
	cs_option(reference->handle, CS_OPT_DETAIL, CS_OPT_ON);
	reference->insn = cs_malloc(reference->handle);
	return reference;
}

void reference_free(struct reference *reference)
{
	cs_free(reference->insn, 1);
	cs_close(&reference->handle);
	g_free(reference);
}

bool reference_decode(struct reference *reference, const u8 *code, size_t left, u64 vaddr,
		      struct insn *out, const char **mnemonic, const char **operands)
{
	u64 next = vaddr;

	memset(out, 0, sizeof(*out));
	out->vaddr = vaddr;
	*mnemonic = *operands = "";
	if (!cs_disasm_iter(reference->handle, &code, &left, &next, reference->insn))
		return false;
	*mnemonic = reference->insn->mnemonic;
	*operands = reference->insn->op_str;
	out->size = (u8)reference->insn->size;
	read_insn(reference->insn, out);
	return true;
}
