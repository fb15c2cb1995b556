/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of the rows in the x86-64 opcode tables (x86-general.c, x86-vector.c).
 *
 * An operand is named almost as in the manual's opcode map (Intel SDM volume 2, appendix A.2): a letter for its
 * position in the encoding, and a letter for its size. Ev is the register or memory in ModRM.rm, with the operand size.
 * The macro around it tells the access: R() read, W() written, RW() both, N() not accessed.
 *
 *	{ ROW_ONE(0x8b), DOES(MOV), OPS(W(Gv), R(Ev)) }		8b: mov, writes Gv, reads Ev
 */
#ifndef INSN_X86_ROW_H
#define INSN_X86_ROW_H

#include "insn/insn.h"

enum x86_map { MAP_1, MAP_0F, MAP_0F38, MAP_0F3A, MAP_4, MAP_5, MAP_6, NR_MAPS };

/* Encoding of the opcode. A row has a bit set, an instruction has a number. */
enum x86_encoding { ENC_LEGACY, ENC_VEX, ENC_EVEX, NR_ENCODINGS };
#define LEG  (1 << ENC_LEGACY)
#define VEX  (1 << ENC_VEX)
#define EVEX (1 << ENC_EVEX)
#define LV   (LEG | VEX)
#define VE   (VEX | EVEX)
#define LVE  (LEG | VEX | EVEX)

/* Prefixes that select an instruction, numbered as in VEX.pp. A row has a bit set. */
enum x86_simd { SIMD_NONE, SIMD_66, SIMD_F3, SIMD_F2, NR_SIMD };
#define NP  (1 << SIMD_NONE)
#define P66 (1 << SIMD_66)
#define PF3 (1 << SIMD_F3)
#define PF2 (1 << SIMD_F2)
#define ANY (NP | P66 | PF3 | PF2)

/* An operand's position in the encoding. */
enum x86_where {
	AT_NOTHING,
	AT_E, /* ModRM.rm: general register or memory */
	AT_G, /* ModRM.reg: general register */
	AT_B, /* VEX.vvvv: general register */
	AT_Z, /* the opcode's low three bits */
	AT_AX,
	AT_CX,
	AT_DX,
	AT_W, /* ModRM.rm: vector register or memory */
	AT_V, /* ModRM.reg: vector register */
	AT_H, /* VEX.vvvv: vector register; a legacy encoding has none and uses the first operand */
	AT_L, /* bits 7-4 of an immediate byte: vector register */
	AT_Q, /* ModRM.rm: MMX register or memory */
	AT_P, /* ModRM.reg: MMX register */
	AT_KE, /* ModRM.rm: mask register or memory */
	AT_KG, /* ModRM.reg: mask register */
	AT_KH, /* VEX.vvvv: mask register */
	AT_T,  /* ModRM.rm: memory with a vector of indexes */
	AT_S,  /* ModRM.reg: segment register */
	AT_FS,
	AT_GS,
	AT_CR,	 /* a register that has no number here: control, debug, tile */
	AT_I,	 /* immediate, sign-extended */
	AT_U,	 /* immediate, zero-extended */
	AT_ONE,	 /* the number 1 */
	AT_J,	 /* immediate, relative to the next instruction */
	AT_O,	 /* an 8-byte address */
	AT_X,	 /* memory at rsi */
	AT_Y,	 /* memory at rdi */
	AT_XLAT, /* memory at rbx + al */
};

/* The size of an operand, in bytes. */
enum x86_size {
	SIZE_0, /* not fixed */
	SIZE_1,
	SIZE_2,
	SIZE_4,
	SIZE_8,
	SIZE_10,
	SIZE_16,
	SIZE_28,
	SIZE_32,
	SIZE_64,
	SIZE_108,
	SIZE_512,
	NR_FIXED_SIZES,
	SIZE_V = NR_FIXED_SIZES, /* the operand size: 2, 4, 8 */
	SIZE_Z,			 /* the operand size, but 4 instead of 8 */
	SIZE_Y,			 /* 4, or 8 with W */
	SIZE_STACK,		 /* 8, or 2 with 66 */
	SIZE_HALF_V,
	SIZE_V2,  /* register: the operand size; memory: 2 bytes */
	SIZE_D1,  /* register: 4 bytes; memory: 1 byte */
	SIZE_D2,  /* register: 4 bytes; memory: 2 bytes */
	SIZE_2Y,  /* 8, or 16 with W */
	SIZE_FAR, /* an offset of the operand size, and a selector */
	SIZE_X,	  /* the vector: 16, 32, 64 */
	SIZE_X2,  /* half, quarter, eighth of the vector */
	SIZE_X4,
	SIZE_X8,
	SIZE_DUP, /* the vector; but 8 bytes if it has 16 */
	NR_SIZES,
};

#define AT(where, size) ((AT_##where) | (SIZE_##size) << 5)
#define R(operand)	((operand) | INSN_READ << 10)
#define W(operand)	((operand) | INSN_WRITE << 10)
#define RW(operand)	((operand) | (INSN_READ | INSN_WRITE) << 10)
#define N(operand)	(operand)
#define HIDDEN(operand) ((operand) | 1 << 12) /* not in the assembly text */

#define OPERAND_WHERE(o)  ((o)&0x1f)
#define OPERAND_SIZE(o)	  ((o) >> 5 & 0x1f)
#define OPERAND_ACCESS(o) ((o) >> 10 & 3)
#define OPERAND_HIDDEN(o) ((o) >> 12 & 1)

enum {
	Eb = AT(E, 1),
	Ew = AT(E, 2),
	Ed = AT(E, 4),
	Eq = AT(E, 8),
	Ev = AT(E, V),
	Ey = AT(E, Y),
	Es = AT(E, STACK),
	Evw = AT(E, V2),
	Edb = AT(E, D1),
	Edw = AT(E, D2),
	Gb = AT(G, 1),
	Gw = AT(G, 2),
	Gd = AT(G, 4),
	Gq = AT(G, 8),
	Gv = AT(G, V),
	Gz = AT(G, Z),
	Gy = AT(G, Y),
	By = AT(B, Y),
	Zb = AT(Z, 1),
	Zv = AT(Z, V),
	Zs = AT(Z, STACK),
	AL = AT(AX, 1),
	rAX = AT(AX, V),
	eAX = AT(AX, Z),
	hAX = AT(AX, HALF_V),
	CL = AT(CX, 1),
	DX = AT(DX, 2),
	rDX = AT(DX, V),
	Ib = AT(I, 1),
	Iw = AT(I, 2),
	Iz = AT(I, Z),
	Iv = AT(I, V),
	Ub = AT(U, 1),
	Uw = AT(U, 2),
	One = AT(ONE, 1),
	Jb = AT(J, 1),
	Jz = AT(J, 4),
	Ob = AT(O, 1),
	Ov = AT(O, V),
	Xb = AT(X, 1),
	Xv = AT(X, V),
	Xz = AT(X, Z),
	Yb = AT(Y, 1),
	Yv = AT(Y, V),
	Yz = AT(Y, Z),
	XLAT = AT(XLAT, 1),
	Sw = AT(S, 2),
	FSw = AT(FS, 2),
	GSw = AT(GS, 2),
	CRq = AT(CR, 8),
	Mx0 = AT(E, 0), /* memory without a fixed size */
	M28 = AT(E, 28),
	M10 = AT(E, 10),
	M16 = AT(E, 16),
	M64 = AT(E, 64),
	M108 = AT(E, 108),
	M512 = AT(E, 512),
	M2y = AT(E, 2Y),
	Mp = AT(E, FAR),
	Vx = AT(V, X),
	Vh = AT(V, X2),
	Vf = AT(V, X4),
	Ve = AT(V, X8),
	Vo = AT(V, 16),
	Vqq = AT(V, 32),
	Hx = AT(H, X),
	Ho = AT(H, 16),
	Hqq = AT(H, 32),
	Lx = AT(L, X),
	Wx = AT(W, X),
	Wh = AT(W, X2),
	Wf = AT(W, X4),
	We = AT(W, X8),
	Wb = AT(W, 1),
	Ww = AT(W, 2),
	Wd = AT(W, 4),
	Wq = AT(W, 8),
	Wy = AT(W, Y),
	Wo = AT(W, 16),
	Wqq = AT(W, 32),
	Wdup = AT(W, DUP),
	Pq = AT(P, 8),
	Qd = AT(Q, 4),
	Qq = AT(Q, 8),
	KG = AT(KG, 8),
	KH = AT(KH, 8),
	KEb = AT(KE, 1),
	KEw = AT(KE, 2),
	KEd = AT(KE, 4),
	KEq = AT(KE, 8),
	Ty = AT(T, Y),
};

/* Registers that are read and written in addition to the operands (x86-decode.c has the sets). */
enum x86_implicit {
	IMPLICIT_NONE,
	IMPLICIT_AX,	   /* ax = ax op ... */
	IMPLICIT_MUL,	   /* rdx:rax = rax op ... */
	IMPLICIT_DIV,	   /* rax, rdx = rdx:rax op ... */
	IMPLICIT_CMPXCHG,  /* rax */
	IMPLICIT_CMPXCHG8, /* also reads rcx:rbx */
	IMPLICIT_LOOP,
	IMPLICIT_JCXZ,
	IMPLICIT_ENTER,
	IMPLICIT_MAKES_RAX,
	IMPLICIT_TAKES_RAX,
	IMPLICIT_TSC,	 /* rdx:rax = something */
	IMPLICIT_RDTSCP, /* also sets rcx */
	IMPLICIT_RDMSR,	 /* rdx:rax = a value that rcx selects */
	IMPLICIT_WRMSR,	 /* the value that rcx selects = rdx:rax */
	IMPLICIT_CPUID,
	IMPLICIT_SYSCALL,
	IMPLICIT_SYSRET,
	IMPLICIT_MONITOR,
	IMPLICIT_XSAVE,	  /* reads rdx:rax and all vector registers */
	IMPLICIT_XRSTOR,  /* sets the vector registers */
	IMPLICIT_VECTORS, /* sets the upper halves, or all of them */
	IMPLICIT_XMM0,
	IMPLICIT_MULX,
	IMPLICIT_ESTRI,
	IMPLICIT_ESTRM,
	IMPLICIT_ISTRI,
	IMPLICIT_ISTRM,
	IMPLICIT_X87,
	IMPLICIT_GS,
	NR_IMPLICIT,
};

/*
 * Patterns for insn.lanes. a1 is lane 1 of the first source (legacy encodings: of the destination), b1 of the last one.
 */
enum x86_lanes {
	LANES_NONE,
	LANES_LOW,	   /* b0 a1 */
	LANES_HIGH,	   /* a0 b0 */
	LANES_HIGH_LOW,	   /* b1 a1 */
	LANES_UNPACK_HIGH, /* a1 b1 */
	LANES_DUP,	   /* b0 b0 */
	LANES_ZERO_HIGH,   /* b0 zero */
	LANES_STORE_HIGH,  /* b1 */
	LANES_MERGE_LOW4,  /* ? a1 */
	LANES_SPREAD_8,	   /* b0 in all lanes */
	LANES_SPREAD_16,   /* b0 b1, repeated */
	/* Depending on the immediate: */
	LANES_SHUFFLE_4, /* pshufd */
	LANES_SHUFFLE_8, /* shufpd */
	LANES_ALIGN,	 /* palignr */
	LANES_SHIFT_RIGHT,
	LANES_SHIFT_LEFT,
	LANES_PERMUTE,	/* vpermq */
	LANES_INSERT_8, /* pinsrq */
	LANES_EXTRACT_8,
	LANES_INSERT_16, /* vinserti128 */
	LANES_EXTRACT_16,
	LANES_PERMUTE_16, /* vperm2i128 */
	LANES_BLEND_4,
	LANES_BLEND_8,
};

enum x86_row_flags {
	RF = 1 << 0,	/* reads the flags */
	WF = 1 << 1,	/* writes the flags */
	SX = 1 << 2,	/* a move with sign extension */
	SAME0 = 1 << 3, /* the result is zero if both sources are the same register */
	MEM = 1 << 4,	/* ModRM.rm must be memory */
	REG = 1 << 5,	/* ModRM.rm must be a register */
	W0 = 1 << 6,	/* only without W */
	W1 = 1 << 7,	/* only with W */
	L0 = 1 << 8,	/* only vectors of 16 bytes */
	/* has a ModRM byte (the index sets this if an operand or a condition implies it) */
	MODRM = 1 << 9,
	ABSENT = 1 << 10, /* there is no such instruction */
	CC = 1 << 11,	  /* the opcode's low four bits are the condition */
	FM = 1 << 12,	  /* moves one floating-point number */
	FP = 1 << 13,	  /* computes with one floating-point number, which may be in memory */
};

struct x86_row {
	u8 map; /* enum x86_map */
	u8 opcode;
	u8 more; /* the row is also for this number of following opcodes */
	u8 encodings;
	u8 prefixes;
	u8 digit;    /* ModRM.reg must be this number - 1; 0: any */
	u8 rm;	     /* ModRM.rm must be this number - 1; 0: any */
	u8 op;	     /* enum insn_op */
	u8 flow;     /* enum insn_flow */
	u8 implicit; /* enum x86_implicit */
	u8 lanes;    /* enum x86_lanes */
	u16 flags;
	u16 operands[5];
};

#define ROW_ONE(code)	     .map = MAP_1, .opcode = (code), .encodings = LEG, .prefixes = ANY
#define ROW_TWO(code)	     .map = MAP_0F, .opcode = (code), .encodings = LEG, .prefixes = ANY
#define ROW(m, code, enc, p) .map = MAP_##m, .opcode = (code), .encodings = (enc), .prefixes = (p)
#define DIGIT(n)	     .digit = (n) + 1
#define RM(n)		     .rm = (n) + 1
#define TO(last)	     .more = (last)
#define DOES(name)	     .op = INSN_##name
#define OPS(...)	     .operands = { __VA_ARGS__ }

extern const struct x86_row x86_general[], x86_vector[];
extern const u32 x86_nr_general, x86_nr_vector;

#endif
