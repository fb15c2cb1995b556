/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes machine instructions: what does an instruction read, write and jump to?
 *
 * The result is data, not text. Every operand has its access (read, written) and width. A memory operand is base +
 * index * scale + displacement. The stack accesses of push, pop, call and ret are implicit operands. typeflow/ finds
 * out what the values mean.
 *
 *	mov 8(%rdi),%rax	INSN_MOV; operand 0: rax, written, 8 bytes; operand 1: memory at rdi + 8, read, 8 bytes
 *
 * Registers have their DWARF numbers of the architecture, so operands and location lists use the same numbers (x86-64:
 * System V psABI, figure 3.36). A part of a register (eax, al, ah) has the whole register's number and its own width.
 */
#ifndef INSN_INSN_H
#define INSN_INSN_H

#include "base/error.h"
#include "base/types.h"

/* INSN_I386 and INSN_AARCH64 have no operands: they can be listed, but not analysed. */
enum insn_arch { INSN_X86_64, INSN_I386, INSN_AARCH64 };

#define INSN_MAX_OPERANDS 8
#define INSN_NR_REGS	  128 /* DWARF numbers are below this */
#define INSN_NO_REG	  0xff

/* x86-64 registers by their DWARF numbers; r8-r15 are 8-15, xmm0-15 are 17-32. */
enum insn_x86_reg {
	X86_RAX,
	X86_RDX,
	X86_RCX,
	X86_RBX,
	X86_RSI,
	X86_RDI,
	X86_RBP,
	X86_RSP,
	X86_R8,
	X86_R15 = 15,
	X86_RIP = 16,
	X86_XMM0 = 17,
	X86_XMM15 = 32,
	X86_ST0 = 33,
	X86_MM0 = 41,
	X86_RFLAGS = 49,
	X86_ES = 50,
	X86_CS = 51,
	X86_SS = 52,
	X86_DS = 53,
	X86_FS = 54,
	X86_GS = 55,
	X86_XMM16 = 67,
	X86_XMM31 = 82,
	X86_K0 = 118,
	X86_K7 = 125,
};

enum insn_segment { INSN_SEG_NONE, INSN_SEG_FS, INSN_SEG_GS };

/* The next instruction after this one. */
enum insn_flow {
	INSN_NEXT, /* only to the next instruction */
	INSN_JUMP,
	INSN_COND, /* to the target or to the next instruction */
	INSN_CALL,
	INSN_RET,
	INSN_STOP, /* nowhere: ud2, hlt, int3 */
};

/*
 * The operation, as far as typeflow/ needs it. All others are INSN_OTHER; their operands still tell what is read and
 * written.
 */
enum insn_op {
	INSN_OTHER,
	INSN_NOP,
	/*
	 * to = from. If the destination is wider, see insn.extends. If it is narrower, the source is a vector register,
	 * whose low part is stored in memory or a general register.
	 */
	INSN_MOV,
	INSN_LEA, /* to = address of the memory operand; the memory is not accessed */
	INSN_ADD,
	INSN_SUB,
	INSN_INC,
	INSN_DEC,
	INSN_AND,
	INSN_OR,
	INSN_XOR,
	INSN_SHL,
	INSN_MUL, /* two- or three-operand imul */
	INSN_CMP,
	INSN_TEST,
	INSN_CMOV,
	INSN_XCHG,
	INSN_XADD,
	INSN_CMPXCHG,
	INSN_PUSH,
	INSN_POP,
	INSN_LEAVE,
	INSN_CALLS,
	INSN_RETURNS,
	INSN_JUMPS,
	INSN_STRING, /* movs, stos, lods, cmps, scas, with or without rep */
	INSN_PREFETCH,
	INSN_GATHER, /* the index is a vector register; the width is that of one element */
	INSN_ADC,
	INSN_SBB,
	INSN_SHR,
	INSN_SAR,
	INSN_ROTATE, /* rol, ror, rcl, rcr, rorx */
	INSN_NOT,
	INSN_NEG,
	INSN_BSWAP,   /* also movbe, which has two operands */
	INSN_SETCC,   /* 0 or 1 */
	INSN_BT,      /* only tests the bit */
	INSN_BTS,     /* bts, btr, btc */
	INSN_COUNT,   /* a number of bits: bsf, bsr, tzcnt, lzcnt, popcnt */
	INSN_MULWIDE, /* rdx:rax = rax * operand (mul, one-operand imul) */
	INSN_DIV,     /* rax = rdx:rax / operand, rdx = the remainder */
	INSN_SIGN,    /* sets all bits of rdx to rax's sign (cwd, cdq, cqo) */
	INSN_LANES,   /* moves 8-byte lanes of vectors, see insn.lanes */
	INSN_SYSCALL,
	INSN_IRQ_ON,	 /* sti */
	INSN_VECTOR_AND, /* of vectors */
	NR_INSN_OPS,
};

/* How INSN_MOV fills the upper bits of a wider destination (movzx, movsx). */
enum insn_extend { INSN_EXTEND_NONE, INSN_EXTEND_ZERO, INSN_EXTEND_SIGN };

/* What an instruction does with one floating-point number: movsd copies it, addsd computes with it. */
enum insn_floats { INSN_FLOATS_NONE, INSN_FLOATS_MOVE, INSN_FLOATS_COMPUTE };

/* Conditions of jumps, cmov and setcc: the number in the opcode plus 1. */
enum insn_cond {
	INSN_COND_NONE,
	INSN_COND_O,
	INSN_COND_NO,
	INSN_COND_B,
	INSN_COND_AE,
	INSN_COND_E,
	INSN_COND_NE,
	INSN_COND_BE,
	INSN_COND_A,
	INSN_COND_S,
	INSN_COND_NS,
	INSN_COND_P,
	INSN_COND_NP,
	INSN_COND_L,
	INSN_COND_GE,
	INSN_COND_LE,
	INSN_COND_G,
	INSN_COND_RCX, /* jrcxz, loop: depends on rcx */
};

/*
 * The source of an 8-byte lane of a vector: lane n of operand i, zero, or unknown. If the operand is memory, lane n is
 * at its address + 8 * n.
 */
#define INSN_LANE(operand, n) ((u8)((operand) << 4 | (n)))
#define INSN_LANE_OPERAND(l)  ((l) >> 4)
#define INSN_LANE_NR(l)	      ((l)&0xf)
#define INSN_LANE_ZERO	      0xfe
#define INSN_LANE_UNKNOWN     0xff
#define INSN_MAX_LANES	      8

enum insn_kind { INSN_REG, INSN_IMM, INSN_MEM };

enum insn_access { INSN_READ = 1, INSN_WRITE = 2 };

struct insn_mem {
	u8 segment; /* enum insn_segment */
	u8 base;    /* INSN_NO_REG: none */
	u8 index;   /* INSN_NO_REG: none */
	u8 scale;   /* 1, 2, 4, 8 */
	/*
	 * Displacement in bytes. A rip-relative operand is resolved: it has no base, and this is the address as the ELF
	 * file states it.
	 */
	s64 disp;
};

struct insn_operand {
	u8 kind; /* enum insn_kind */
	/* bits of enum insn_access; 0: only the address is used (lea), or nothing (nop) */
	u8 access;
	u16 width;     /* bytes; 0: not fixed (xsave) */
	bool implicit; /* not in the assembly text: stack slots of push and call ... */
	bool high;     /* ah, bh, ch, dh */
	bool relative; /* memory: was rip-relative */
	u8 reg;	       /* INSN_REG */
	union {
		/* Signed in add, adc, sub, sbb and push. Else unsigned, truncated to the first operand's width. */
		s64 imm;
		struct insn_mem mem;
	};
};

struct insn {
	u64 vaddr;
	u64 target;    /* of a direct jump or call; else 0 */
	u8 size;       /* bytes */
	u8 op;	       /* enum insn_op */
	u8 flow;       /* enum insn_flow */
	bool indirect; /* jump or call whose target is an operand, not a constant */
	bool rep;      /* a string instruction with a repeat prefix */
	bool lock;
	bool stack_op; /* push, pop, call, ret, leave ...: always accesses the stack */
	/* an indirect jump with a notrack prefix, as in a switch: the target needs no endbr */
	bool notrack;
	bool zero; /* sets its first operand to 0 (xor, sub, pxor ... of a register with itself) */
	/* VEX or EVEX: writing a vector register clears the bits above the operand's width */
	bool vex;
	u8 floats;  /* enum insn_floats */
	u8 extends; /* enum insn_extend; writing a 32-bit register always clears the upper half */
	u8 cond;    /* enum insn_cond */
	u8 nr_operands;
	/* INSN_LANES: the sources of the first operand's 8-byte lanes; there are width / 8 of them. */
	u8 lanes[INSN_MAX_LANES];
	/* Registers read and written, including implicit ones: one bit per number. */
	u64 reads[INSN_NR_REGS / 64];
	u64 writes[INSN_NR_REGS / 64];
	/* Destination first (Intel's order), implicit operands last. The first three are 0 if unused. */
	struct insn_operand operands[INSN_MAX_OPERANDS];
};

struct insn_decoder;

/* Fails (UNSUPPORTED) if capstone, which makes the text, was built without the architecture. */
struct insn_decoder *insn_decoder_new(enum insn_arch arch, GError **error);
void insn_decoder_free(struct insn_decoder *dec);

/*
 * From now on, the code is that of an ELF file with this e_machine. EM_NONE is code without a file, such as a JIT's: the
 * same as EM_X86_64. False: no code of this machine can be decoded, and
 * the decoder stays as it was. Meant for a decoder that lists the code of many files; analysers ask for EM_X86_64.
 */
bool insn_decoder_select(struct insn_decoder *dec, u16 machine);

/*
 * Decodes the instruction at @code, as if it were at @vaddr. @left: readable bytes, at least 1. Returns false for an
 * unknown instruction. Then only @out->size is valid: the number of bytes to skip. It is the length if the encoding
 * tells it, else 1, and never more than @left.
 */
bool insn_decode(struct insn_decoder *dec, const u8 *code, size_t left, u64 vaddr,
		 struct insn *out);

/* From now on, insn_text() is in Intel's syntax, as binutils prints it: "mov    rdx,QWORD PTR [rax+0x8]". */
void insn_set_intel(struct insn_decoder *dec);

/*
 * The instruction's text in binutils' assembler syntax (AT&T), with separate mnemonic and operands; "(bad)" if it is
 * unknown. Returns the size in bytes, as insn_decode().
 */
u8 insn_text(struct insn_decoder *dec, const u8 *code, size_t left, u64 vaddr, char mnemonic[32],
	     char operands[192]);

static inline bool insn_reads(const struct insn *insn, u8 reg)
{
	return reg < INSN_NR_REGS && insn->reads[reg / 64] >> (reg % 64) & 1;
}

static inline bool insn_writes(const struct insn *insn, u8 reg)
{
	return reg < INSN_NR_REGS && insn->writes[reg / 64] >> (reg % 64) & 1;
}

#endif
