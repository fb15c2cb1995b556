// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows of the one-byte opcodes, and of those opcodes in maps 0f, 0f38 and 0f3a that work on general registers, mask
 * registers and the x87 stack (Intel SDM volume 2, appendix A, tables; AMD APM volume 3, appendix A). If
 * several rows match, the first one is used.
 */
#include "insn/x86-row.h"

// clang-format off
#define ALU(code, name, access, f)							\
	{ ROW_ONE((code) + 0), DOES(name), OPS(access(Eb), R(Gb)), .flags = (f) },	\
	{ ROW_ONE((code) + 1), DOES(name), OPS(access(Ev), R(Gv)), .flags = (f) },	\
	{ ROW_ONE((code) + 2), DOES(name), OPS(access(Gb), R(Eb)), .flags = (f) },	\
	{ ROW_ONE((code) + 3), DOES(name), OPS(access(Gv), R(Ev)), .flags = (f) },	\
	{ ROW_ONE((code) + 4), DOES(name), OPS(access(AL), R(Ib)), .flags = (f) },	\
	{ ROW_ONE((code) + 5), DOES(name), OPS(access(rAX), R(Iz)), .flags = (f) },	\
	{ ROW_ONE(0x80), DIGIT((code) / 8), DOES(name), OPS(access(Eb), R(Ib)), .flags = (f) }, \
	{ ROW_ONE(0x81), DIGIT((code) / 8), DOES(name), OPS(access(Ev), R(Iz)), .flags = (f) }, \
	{ ROW_ONE(0x83), DIGIT((code) / 8), DOES(name), OPS(access(Ev), R(Ib)), .flags = (f) }

#define SHIFT(digit, name, f)								\
	{ ROW_ONE(0xc0), DIGIT(digit), DOES(name), OPS(RW(Eb), R(Ub)), .flags = (f) },	\
	{ ROW_ONE(0xc1), DIGIT(digit), DOES(name), OPS(RW(Ev), R(Ub)), .flags = (f) },	\
	{ ROW_ONE(0xd0), DIGIT(digit), DOES(name), OPS(RW(Eb), R(One)), .flags = (f) },	\
	{ ROW_ONE(0xd1), DIGIT(digit), DOES(name), OPS(RW(Ev), R(One)), .flags = (f) },	\
	{ ROW_ONE(0xd2), DIGIT(digit), DOES(name), OPS(RW(Eb), R(CL)), .flags = (f) },	\
	{ ROW_ONE(0xd3), DIGIT(digit), DOES(name), OPS(RW(Ev), R(CL)), .flags = (f) }

/* Memory forms: by opcode and ModRM.reg. */
#define X87(code, n, operand)								\
	{ ROW_ONE(code), DIGIT(n), OPS(operand), .implicit = IMPLICIT_X87, .flags = MEM }

const struct x86_row x86_general[] = {
	ALU(0x00, ADD, RW, WF),
	ALU(0x08, OR, RW, WF),
	ALU(0x10, ADC, RW, WF | RF),
	ALU(0x18, SBB, RW, WF | RF),
	ALU(0x20, AND, RW, WF),
	ALU(0x28, SUB, RW, WF | SAME0),
	ALU(0x30, XOR, RW, WF | SAME0),
	ALU(0x38, CMP, R, WF),
	{ ROW_ONE(0x50), TO(7), DOES(PUSH), OPS(R(Zs)) },
	{ ROW_ONE(0x58), TO(7), DOES(POP), OPS(W(Zs)) },
	{ ROW_ONE(0x63), DOES(MOV), OPS(W(Gv), R(Ed)), .flags = SX },
	{ ROW_ONE(0x68), DOES(PUSH), OPS(R(Iz)) },
	{ ROW_ONE(0x69), DOES(MUL), OPS(W(Gv), R(Ev), R(Iz)), .flags = WF },
	{ ROW_ONE(0x6a), DOES(PUSH), OPS(R(Ib)) },
	{ ROW_ONE(0x6b), DOES(MUL), OPS(W(Gv), R(Ev), R(Ib)), .flags = WF },
	{ ROW_ONE(0x6c), DOES(STRING), OPS(W(Yb), R(DX)) },
	{ ROW_ONE(0x6d), DOES(STRING), OPS(W(Yz), R(DX)) },
	{ ROW_ONE(0x6e), DOES(STRING), OPS(R(DX), R(Xb)) },
	{ ROW_ONE(0x6f), DOES(STRING), OPS(R(DX), R(Xz)) },
	{ ROW_ONE(0x70), TO(15), OPS(R(Jb)), .flow = INSN_COND, .flags = RF | CC },
	{ ROW_ONE(0x84), DOES(TEST), OPS(R(Eb), R(Gb)), .flags = WF },
	{ ROW_ONE(0x85), DOES(TEST), OPS(R(Ev), R(Gv)), .flags = WF },
	{ ROW_ONE(0x86), DOES(XCHG), OPS(RW(Eb), RW(Gb)) },
	{ ROW_ONE(0x87), DOES(XCHG), OPS(RW(Ev), RW(Gv)) },
	{ ROW_ONE(0x88), DOES(MOV), OPS(W(Eb), R(Gb)) },
	{ ROW_ONE(0x89), DOES(MOV), OPS(W(Ev), R(Gv)) },
	{ ROW_ONE(0x8a), DOES(MOV), OPS(W(Gb), R(Eb)) },
	{ ROW_ONE(0x8b), DOES(MOV), OPS(W(Gv), R(Ev)) },
	{ ROW_ONE(0x8c), DOES(MOV), OPS(W(Evw), R(Sw)) },
	{ ROW_ONE(0x8d), DOES(LEA), OPS(W(Gv), N(Ev)), .flags = MEM },
	{ ROW_ONE(0x8e), DOES(MOV), OPS(W(Sw), R(Ew)) },
	{ ROW_ONE(0x8f), DIGIT(0), DOES(POP), OPS(W(Es)) },
	{ ROW_ONE(0x90), DOES(NOP) }, /* with REX.B it is xchg with r8, as 0x91 */
	{ ROW_ONE(0x91), TO(6), DOES(XCHG), OPS(RW(rAX), RW(Zv)) },
	{ ROW_ONE(0x98), DOES(MOV), OPS(W(HIDDEN(rAX)), R(HIDDEN(hAX))), .flags = SX },
	{ ROW_ONE(0x99), DOES(SIGN), OPS(W(HIDDEN(rDX)), R(HIDDEN(rAX))) },
	{ ROW_ONE(0x9b) },
	{ ROW_ONE(0x9c), DOES(PUSH), .flags = RF },
	{ ROW_ONE(0x9d), DOES(POP), .flags = WF },
	{ ROW_ONE(0x9e), .implicit = IMPLICIT_TAKES_RAX, .flags = WF },
	{ ROW_ONE(0x9f), .implicit = IMPLICIT_MAKES_RAX, .flags = RF },
	{ ROW_ONE(0xa0), DOES(MOV), OPS(W(AL), R(Ob)) },
	{ ROW_ONE(0xa1), DOES(MOV), OPS(W(rAX), R(Ov)) },
	{ ROW_ONE(0xa2), DOES(MOV), OPS(W(Ob), R(AL)) },
	{ ROW_ONE(0xa3), DOES(MOV), OPS(W(Ov), R(rAX)) },
	{ ROW_ONE(0xa4), DOES(STRING), OPS(W(Yb), R(Xb)) },
	{ ROW_ONE(0xa5), DOES(STRING), OPS(W(Yv), R(Xv)) },
	{ ROW_ONE(0xa6), DOES(STRING), OPS(R(Xb), R(Yb)), .flags = WF },
	{ ROW_ONE(0xa7), DOES(STRING), OPS(R(Xv), R(Yv)), .flags = WF },
	{ ROW_ONE(0xa8), DOES(TEST), OPS(R(AL), R(Ib)), .flags = WF },
	{ ROW_ONE(0xa9), DOES(TEST), OPS(R(rAX), R(Iz)), .flags = WF },
	{ ROW_ONE(0xaa), DOES(STRING), OPS(W(Yb), R(AL)) },
	{ ROW_ONE(0xab), DOES(STRING), OPS(W(Yv), R(rAX)) },
	{ ROW_ONE(0xac), DOES(STRING), OPS(W(AL), R(Xb)) },
	{ ROW_ONE(0xad), DOES(STRING), OPS(W(rAX), R(Xv)) },
	{ ROW_ONE(0xae), DOES(STRING), OPS(R(AL), R(Yb)), .flags = WF },
	{ ROW_ONE(0xaf), DOES(STRING), OPS(R(rAX), R(Yv)), .flags = WF },
	{ ROW_ONE(0xb0), TO(7), DOES(MOV), OPS(W(Zb), R(Ib)) },
	{ ROW_ONE(0xb8), TO(7), DOES(MOV), OPS(W(Zv), R(Iv)) },
	SHIFT(0, ROTATE, WF),
	SHIFT(1, ROTATE, WF),
	SHIFT(2, ROTATE, WF | RF),
	SHIFT(3, ROTATE, WF | RF),
	SHIFT(4, SHL, WF),
	SHIFT(5, SHR, WF),
	SHIFT(6, SHL, WF),
	SHIFT(7, SAR, WF),
	{ ROW_ONE(0xc2), DOES(RETURNS), OPS(R(Uw)), .flow = INSN_RET },
	{ ROW_ONE(0xc3), DOES(RETURNS), .flow = INSN_RET },
	{ ROW_ONE(0xc6), DIGIT(0), DOES(MOV), OPS(W(Eb), R(Ib)) },
	{ ROW_ONE(0xc7), DIGIT(0), DOES(MOV), OPS(W(Ev), R(Iz)) },
	{ ROW_ONE(0xc6), DIGIT(7), RM(0), OPS(R(Ub)), .implicit = IMPLICIT_MAKES_RAX, .flags = REG }, /* xabort */
	{ ROW_ONE(0xc7), DIGIT(7), RM(0), OPS(R(Jz)), .implicit = IMPLICIT_MAKES_RAX,
	  .flow = INSN_COND, .flags = REG }, /* xbegin */
	{ ROW_ONE(0xc8), OPS(R(Uw), R(Ub)), .implicit = IMPLICIT_ENTER },
	{ ROW_ONE(0xc9), DOES(LEAVE) },
	{ ROW_ONE(0xca), DOES(RETURNS), OPS(R(Uw)), .flow = INSN_RET },
	{ ROW_ONE(0xcb), DOES(RETURNS), .flow = INSN_RET },
	{ ROW_ONE(0xcc), .flow = INSN_STOP },
	{ ROW_ONE(0xcd), OPS(R(Ub)) },
	{ ROW_ONE(0xcf), DOES(RETURNS), .flow = INSN_RET, .flags = WF },
	{ ROW_ONE(0xd7), OPS(R(XLAT)), .implicit = IMPLICIT_MAKES_RAX },
	{ ROW_ONE(0xe0), TO(1), OPS(R(Jb)), .implicit = IMPLICIT_LOOP, .flow = INSN_COND, .flags = RF },
	{ ROW_ONE(0xe2), OPS(R(Jb)), .implicit = IMPLICIT_LOOP, .flow = INSN_COND },
	{ ROW_ONE(0xe3), OPS(R(Jb)), .implicit = IMPLICIT_JCXZ, .flow = INSN_COND },
	{ ROW_ONE(0xe4), OPS(W(AL), R(Ub)) },
	{ ROW_ONE(0xe5), OPS(W(eAX), R(Ub)) },
	{ ROW_ONE(0xe6), OPS(R(Ub), R(AL)) },
	{ ROW_ONE(0xe7), OPS(R(Ub), R(eAX)) },
	{ ROW_ONE(0xe8), DOES(CALLS), OPS(R(Jz)), .flow = INSN_CALL },
	{ ROW_ONE(0xe9), DOES(JUMPS), OPS(R(Jz)), .flow = INSN_JUMP },
	{ ROW_ONE(0xeb), DOES(JUMPS), OPS(R(Jb)), .flow = INSN_JUMP },
	{ ROW_ONE(0xec), OPS(W(AL), R(DX)) },
	{ ROW_ONE(0xed), OPS(W(eAX), R(DX)) },
	{ ROW_ONE(0xee), OPS(R(DX), R(AL)) },
	{ ROW_ONE(0xef), OPS(R(DX), R(eAX)) },
	{ ROW_ONE(0xf1) },
	{ ROW_ONE(0xf4), .flow = INSN_STOP },
	{ ROW_ONE(0xf5), .flags = RF | WF },
	{ ROW_ONE(0xf6), DIGIT(0), DOES(TEST), OPS(R(Eb), R(Ib)), .flags = WF },
	{ ROW_ONE(0xf6), DIGIT(1), DOES(TEST), OPS(R(Eb), R(Ib)), .flags = WF },
	{ ROW_ONE(0xf6), DIGIT(2), DOES(NOT), OPS(RW(Eb)) },
	{ ROW_ONE(0xf6), DIGIT(3), DOES(NEG), OPS(RW(Eb)), .flags = WF },
	{ ROW_ONE(0xf6), DIGIT(4), DOES(MULWIDE), OPS(R(Eb)), .implicit = IMPLICIT_AX, .flags = WF },
	{ ROW_ONE(0xf6), DIGIT(5), DOES(MULWIDE), OPS(R(Eb)), .implicit = IMPLICIT_AX, .flags = WF },
	{ ROW_ONE(0xf6), DIGIT(6), DOES(DIV), OPS(R(Eb)), .implicit = IMPLICIT_AX, .flags = WF },
	{ ROW_ONE(0xf6), DIGIT(7), DOES(DIV), OPS(R(Eb)), .implicit = IMPLICIT_AX, .flags = WF },
	{ ROW_ONE(0xf7), DIGIT(0), DOES(TEST), OPS(R(Ev), R(Iz)), .flags = WF },
	{ ROW_ONE(0xf7), DIGIT(1), DOES(TEST), OPS(R(Ev), R(Iz)), .flags = WF },
	{ ROW_ONE(0xf7), DIGIT(2), DOES(NOT), OPS(RW(Ev)) },
	{ ROW_ONE(0xf7), DIGIT(3), DOES(NEG), OPS(RW(Ev)), .flags = WF },
	{ ROW_ONE(0xf7), DIGIT(4), DOES(MULWIDE), OPS(R(Ev)), .implicit = IMPLICIT_MUL, .flags = WF },
	{ ROW_ONE(0xf7), DIGIT(5), DOES(MULWIDE), OPS(R(Ev)), .implicit = IMPLICIT_MUL, .flags = WF },
	{ ROW_ONE(0xf7), DIGIT(6), DOES(DIV), OPS(R(Ev)), .implicit = IMPLICIT_DIV, .flags = WF },
	{ ROW_ONE(0xf7), DIGIT(7), DOES(DIV), OPS(R(Ev)), .implicit = IMPLICIT_DIV, .flags = WF },
	{ ROW_ONE(0xfb), DOES(IRQ_ON), .flags = WF },
	{ ROW_ONE(0xf8), TO(5), .flags = WF },
	{ ROW_ONE(0xfe), DIGIT(0), DOES(INC), OPS(RW(Eb)), .flags = WF },
	{ ROW_ONE(0xfe), DIGIT(1), DOES(DEC), OPS(RW(Eb)), .flags = WF },
	{ ROW_ONE(0xff), DIGIT(0), DOES(INC), OPS(RW(Ev)), .flags = WF },
	{ ROW_ONE(0xff), DIGIT(1), DOES(DEC), OPS(RW(Ev)), .flags = WF },
	{ ROW_ONE(0xff), DIGIT(2), DOES(CALLS), OPS(R(Eq)), .flow = INSN_CALL },
	{ ROW_ONE(0xff), DIGIT(3), DOES(CALLS), OPS(R(Mp)), .flow = INSN_CALL, .flags = MEM },
	{ ROW_ONE(0xff), DIGIT(4), DOES(JUMPS), OPS(R(Eq)), .flow = INSN_JUMP },
	{ ROW_ONE(0xff), DIGIT(5), DOES(JUMPS), OPS(R(Mp)), .flow = INSN_JUMP, .flags = MEM },
	{ ROW_ONE(0xff), DIGIT(6), DOES(PUSH), OPS(R(Es)) },

	X87(0xd8, 0, R(Ed)), X87(0xd8, 1, R(Ed)), X87(0xd8, 2, R(Ed)), X87(0xd8, 3, R(Ed)),
	X87(0xd8, 4, R(Ed)), X87(0xd8, 5, R(Ed)), X87(0xd8, 6, R(Ed)), X87(0xd8, 7, R(Ed)),
	X87(0xd9, 0, R(Ed)), X87(0xd9, 2, W(Ed)), X87(0xd9, 3, W(Ed)), X87(0xd9, 4, R(M28)),
	X87(0xd9, 5, R(Ew)), X87(0xd9, 6, W(M28)), X87(0xd9, 7, W(Ew)),
	X87(0xda, 0, R(Ed)), X87(0xda, 1, R(Ed)), X87(0xda, 2, R(Ed)), X87(0xda, 3, R(Ed)),
	X87(0xda, 4, R(Ed)), X87(0xda, 5, R(Ed)), X87(0xda, 6, R(Ed)), X87(0xda, 7, R(Ed)),
	X87(0xdb, 0, R(Ed)), X87(0xdb, 1, W(Ed)), X87(0xdb, 2, W(Ed)), X87(0xdb, 3, W(Ed)),
	X87(0xdb, 5, R(M10)), X87(0xdb, 7, W(M10)),
	X87(0xdc, 0, R(Eq)), X87(0xdc, 1, R(Eq)), X87(0xdc, 2, R(Eq)), X87(0xdc, 3, R(Eq)),
	X87(0xdc, 4, R(Eq)), X87(0xdc, 5, R(Eq)), X87(0xdc, 6, R(Eq)), X87(0xdc, 7, R(Eq)),
	X87(0xdd, 0, R(Eq)), X87(0xdd, 1, W(Eq)), X87(0xdd, 2, W(Eq)), X87(0xdd, 3, W(Eq)),
	X87(0xdd, 4, R(M108)), X87(0xdd, 6, W(M108)), X87(0xdd, 7, W(Ew)),
	X87(0xde, 0, R(Ew)), X87(0xde, 1, R(Ew)), X87(0xde, 2, R(Ew)), X87(0xde, 3, R(Ew)),
	X87(0xde, 4, R(Ew)), X87(0xde, 5, R(Ew)), X87(0xde, 6, R(Ew)), X87(0xde, 7, R(Ew)),
	X87(0xdf, 0, R(Ew)), X87(0xdf, 1, W(Ew)), X87(0xdf, 2, W(Ew)), X87(0xdf, 3, W(Ew)),
	X87(0xdf, 4, R(M10)), X87(0xdf, 5, R(Eq)), X87(0xdf, 6, W(M10)), X87(0xdf, 7, W(Eq)),
	{ ROW_ONE(0xdf), DIGIT(4), RM(0), OPS(W(AT(AX, 2))), .flags = REG }, /* fnstsw */
	{ ROW_ONE(0xda), DIGIT(0), TO(1), .implicit = IMPLICIT_X87, .flags = REG | RF },
	{ ROW_ONE(0xda), DIGIT(1), TO(1), .implicit = IMPLICIT_X87, .flags = REG | RF },
	{ ROW_ONE(0xda), DIGIT(2), TO(1), .implicit = IMPLICIT_X87, .flags = REG | RF },
	{ ROW_ONE(0xda), DIGIT(3), TO(1), .implicit = IMPLICIT_X87, .flags = REG | RF }, /* fcmov */
	{ ROW_ONE(0xdb), DIGIT(5), .implicit = IMPLICIT_X87, .flags = REG | WF },
	{ ROW_ONE(0xdb), DIGIT(6), .implicit = IMPLICIT_X87, .flags = REG | WF },
	{ ROW_ONE(0xdf), DIGIT(5), .implicit = IMPLICIT_X87, .flags = REG | WF },
	{ ROW_ONE(0xdf), DIGIT(6), .implicit = IMPLICIT_X87, .flags = REG | WF }, /* fcomi */
	{ ROW_ONE(0xd8), TO(7), .implicit = IMPLICIT_X87, .flags = REG },

	{ ROW_TWO(0x00), DIGIT(0), OPS(W(Evw)) },
	{ ROW_TWO(0x00), DIGIT(1), OPS(W(Evw)) },
	{ ROW_TWO(0x00), DIGIT(2), OPS(R(Ew)) },
	{ ROW_TWO(0x00), DIGIT(3), OPS(R(Ew)) },
	{ ROW_TWO(0x00), DIGIT(4), OPS(R(Ew)), .flags = WF },
	{ ROW_TWO(0x00), DIGIT(5), OPS(R(Ew)), .flags = WF },
	{ ROW_TWO(0x01), DIGIT(0), OPS(W(M10)), .flags = MEM },
	{ ROW_TWO(0x01), DIGIT(1), OPS(W(M10)), .flags = MEM },
	{ ROW_TWO(0x01), DIGIT(2), OPS(R(M10)), .flags = MEM },
	{ ROW_TWO(0x01), DIGIT(3), OPS(R(M10)), .flags = MEM },
	{ ROW_TWO(0x01), DIGIT(4), OPS(W(Evw)) },
	{ ROW(0F, 0x01, LEG, PF3), DIGIT(5), OPS(RW(Eq)), .flags = MEM }, /* rstorssp */
	{ ROW_TWO(0x01), DIGIT(6), OPS(R(Ew)) },
	{ ROW_TWO(0x01), DIGIT(7), OPS(N(Eb)), .flags = MEM }, /* invlpg */
	{ ROW_TWO(0x01), DIGIT(1), RM(0), .implicit = IMPLICIT_MONITOR, .flags = REG },
	{ ROW_TWO(0x01), DIGIT(1), RM(1), .implicit = IMPLICIT_MONITOR, .flags = REG },
	{ ROW_TWO(0x01), DIGIT(1), .flags = REG },
	{ ROW_TWO(0x01), DIGIT(2), RM(0), .implicit = IMPLICIT_RDMSR, .flags = REG }, /* xgetbv */
	{ ROW_TWO(0x01), DIGIT(2), RM(1), .implicit = IMPLICIT_WRMSR, .flags = REG }, /* xsetbv */
	{ ROW_TWO(0x01), DIGIT(2), RM(6), .flags = REG | WF }, /* xtest */
	{ ROW_TWO(0x01), DIGIT(5), RM(6), .implicit = IMPLICIT_RDMSR, .flags = REG }, /* rdpkru */
	{ ROW_TWO(0x01), DIGIT(5), RM(7), .implicit = IMPLICIT_WRMSR, .flags = REG }, /* wrpkru */
	{ ROW_TWO(0x01), DIGIT(7), RM(0), .implicit = IMPLICIT_GS, .flags = REG }, /* swapgs */
	{ ROW_TWO(0x01), DIGIT(7), RM(1), .implicit = IMPLICIT_RDTSCP, .flags = REG },
	{ ROW_TWO(0x01), DIGIT(7), .implicit = IMPLICIT_MONITOR, .flags = REG }, /* monitorx, clzero */
	/* Virtual machines, enclaves, SVM: other software decides which values are in the registers. */
	{ ROW_TWO(0x01), .implicit = IMPLICIT_CPUID, .flags = REG | WF },
	{ ROW_TWO(0x02), OPS(W(Gv), R(Evw)), .flags = WF },
	{ ROW_TWO(0x03), OPS(W(Gv), R(Evw)), .flags = WF },
	{ ROW_TWO(0x05), DOES(SYSCALL), .implicit = IMPLICIT_SYSCALL },
	{ ROW_TWO(0x06) },
	{ ROW_TWO(0x07), .implicit = IMPLICIT_SYSRET, .flow = INSN_RET },
	{ ROW_TWO(0x08), TO(1) },
	{ ROW_TWO(0x0b), .flow = INSN_STOP },
	{ ROW_TWO(0x0d), DOES(PREFETCH), OPS(R(Eb)), .flags = MEM },
	{ ROW_TWO(0x0d), DOES(NOP), OPS(N(Ev)), .flags = REG },
	{ ROW_TWO(0x0e), .implicit = IMPLICIT_X87 },
	{ ROW_TWO(0x0f), OPS(RW(Pq), R(Qq), R(Ub)) }, /* 3DNow!: the opcode comes last */
	{ ROW_TWO(0x18), DIGIT(0), DOES(PREFETCH), OPS(R(Eb)), .flags = MEM },
	{ ROW_TWO(0x18), DIGIT(1), DOES(PREFETCH), OPS(R(Eb)), .flags = MEM },
	{ ROW_TWO(0x18), DIGIT(2), DOES(PREFETCH), OPS(R(Eb)), .flags = MEM },
	{ ROW_TWO(0x18), DIGIT(3), DOES(PREFETCH), OPS(R(Eb)), .flags = MEM },
	{ ROW_TWO(0x18), DIGIT(6), DOES(PREFETCH), OPS(R(Eb)), .flags = MEM },
	{ ROW_TWO(0x18), DIGIT(7), DOES(PREFETCH), OPS(R(Eb)), .flags = MEM }, /* prefetchit */
	{ ROW(0F, 0x1e, LEG, PF3), DIGIT(1), OPS(W(Ey)), .flags = REG }, /* rdssp */
	{ ROW(0F, 0x1e, LEG, PF3), DIGIT(7), RM(2), .flags = REG }, /* endbr64 */
	{ ROW(0F, 0x1e, LEG, PF3), DIGIT(7), RM(3), .flags = REG }, /* endbr32 */
	{ ROW_TWO(0x18), TO(7), DOES(NOP), OPS(N(Ev)) },
	{ ROW_TWO(0x20), TO(1), OPS(W(Eq), R(CRq)), .flags = REG },
	{ ROW_TWO(0x22), TO(1), OPS(W(CRq), R(Eq)), .flags = REG },
	{ ROW_TWO(0x30), .implicit = IMPLICIT_WRMSR },
	{ ROW_TWO(0x31), .implicit = IMPLICIT_TSC },
	{ ROW_TWO(0x32), TO(1), .implicit = IMPLICIT_RDMSR },
	{ ROW_TWO(0x34) },
	{ ROW_TWO(0x35), .flow = INSN_RET },
	{ ROW_TWO(0x37), .implicit = IMPLICIT_CPUID },
	{ ROW_TWO(0x40), TO(15), DOES(CMOV), OPS(RW(Gv), R(Ev)), .flags = RF | CC },
	{ ROW(0F, 0x78, LEG, NP), OPS(W(Eq), R(Gq)), .flags = WF }, /* vmread */
	{ ROW(0F, 0x79, LEG, NP), OPS(R(Gq), R(Eq)), .flags = WF }, /* vmwrite */
	{ ROW_TWO(0x80), TO(15), OPS(R(Jz)), .flow = INSN_COND, .flags = RF | CC },
	{ ROW_TWO(0x90), TO(15), DOES(SETCC), OPS(W(Eb)), .flags = RF | CC },
	{ ROW_TWO(0xa0), DOES(PUSH), OPS(R(FSw)) },
	{ ROW_TWO(0xa1), DOES(POP), OPS(W(FSw)) },
	{ ROW_TWO(0xa2), .implicit = IMPLICIT_CPUID },
	{ ROW_TWO(0xa3), DOES(BT), OPS(R(Ev), R(Gv)), .flags = WF },
	{ ROW_TWO(0xa4), OPS(RW(Ev), R(Gv), R(Ub)), .flags = WF },
	{ ROW_TWO(0xa5), OPS(RW(Ev), R(Gv), R(CL)), .flags = WF },
	{ ROW_TWO(0xa8), DOES(PUSH), OPS(R(GSw)) },
	{ ROW_TWO(0xa9), DOES(POP), OPS(W(GSw)) },
	{ ROW_TWO(0xaa), .flow = INSN_RET },
	{ ROW_TWO(0xab), DOES(BTS), OPS(RW(Ev), R(Gv)), .flags = WF },
	{ ROW_TWO(0xac), OPS(RW(Ev), R(Gv), R(Ub)), .flags = WF },
	{ ROW_TWO(0xad), OPS(RW(Ev), R(Gv), R(CL)), .flags = WF },
	{ ROW(0F, 0xae, LEG, PF3), DIGIT(0), OPS(W(Ey)), .flags = REG }, /* rdfsbase */
	{ ROW(0F, 0xae, LEG, PF3), DIGIT(1), OPS(W(Ey)), .flags = REG },
	{ ROW(0F, 0xae, LEG, PF3), DIGIT(2), OPS(R(Ey)), .flags = REG },
	{ ROW(0F, 0xae, LEG, PF3), DIGIT(3), OPS(R(Ey)), .flags = REG },
	{ ROW(0F, 0xae, LEG, PF3), DIGIT(4), OPS(R(Ey)) }, /* ptwrite */
	{ ROW(0F, 0xae, LEG, PF3), DIGIT(5), OPS(R(Ey)), .flags = REG }, /* incssp */
	{ ROW(0F, 0xae, LEG, PF3), DIGIT(6), OPS(RW(Eq)), .flags = MEM }, /* clrssbsy */
	{ ROW(0F, 0xae, LEG, P66), DIGIT(6), OPS(R(Eb)), .flags = MEM }, /* clwb */
	{ ROW(0F, 0xae, LEG, P66 | PF3 | PF2), DIGIT(6), OPS(R(Ey)), .implicit = IMPLICIT_MONITOR,
	  .flags = REG | WF }, /* tpause, umonitor, umwait */
	{ ROW_TWO(0xae), DIGIT(0), OPS(W(M512)), .implicit = IMPLICIT_XSAVE, .flags = MEM },
	{ ROW_TWO(0xae), DIGIT(1), OPS(R(M512)), .implicit = IMPLICIT_XRSTOR, .flags = MEM },
	{ ROW(0F, 0xae, LV, ANY), DIGIT(2), OPS(R(Ed)), .flags = MEM }, /* ldmxcsr */
	{ ROW(0F, 0xae, LV, ANY), DIGIT(3), OPS(W(Ed)), .flags = MEM },
	{ ROW_TWO(0xae), DIGIT(4), OPS(W(Mx0)), .implicit = IMPLICIT_XSAVE, .flags = MEM },
	{ ROW_TWO(0xae), DIGIT(5), OPS(R(Mx0)), .implicit = IMPLICIT_XRSTOR, .flags = MEM },
	{ ROW_TWO(0xae), DIGIT(6), OPS(W(Mx0)), .implicit = IMPLICIT_XSAVE, .flags = MEM },
	{ ROW_TWO(0xae), DIGIT(7), OPS(R(Eb)), .flags = MEM }, /* clflush, clflushopt */
	{ ROW_TWO(0xae), .flags = REG }, /* lfence, mfence, sfence */
	{ ROW_TWO(0xaf), DOES(MUL), OPS(RW(Gv), R(Ev)), .flags = WF },
	{ ROW_TWO(0xb0), DOES(CMPXCHG), OPS(RW(Eb), R(Gb)), .implicit = IMPLICIT_CMPXCHG, .flags = WF },
	{ ROW_TWO(0xb1), DOES(CMPXCHG), OPS(RW(Ev), R(Gv)), .implicit = IMPLICIT_CMPXCHG, .flags = WF },
	{ ROW_TWO(0xb2), OPS(W(Gv), R(Mp)), .flags = MEM },
	{ ROW_TWO(0xb3), DOES(BTS), OPS(RW(Ev), R(Gv)), .flags = WF },
	{ ROW_TWO(0xb4), TO(1), OPS(W(Gv), R(Mp)), .flags = MEM },
	{ ROW_TWO(0xb6), DOES(MOV), OPS(W(Gv), R(Eb)) },
	{ ROW_TWO(0xb7), DOES(MOV), OPS(W(Gv), R(Ew)) },
	{ ROW(0F, 0xb8, LEG, PF3), DOES(COUNT), OPS(W(Gv), R(Ev)), .flags = WF },
	{ ROW_TWO(0xb9), OPS(N(Gv), N(Ev)), .flow = INSN_STOP }, /* ud1 */
	{ ROW_TWO(0xba), DIGIT(4), DOES(BT), OPS(R(Ev), R(Ub)), .flags = WF },
	{ ROW_TWO(0xba), DIGIT(5), DOES(BTS), OPS(RW(Ev), R(Ub)), .flags = WF },
	{ ROW_TWO(0xba), DIGIT(6), DOES(BTS), OPS(RW(Ev), R(Ub)), .flags = WF },
	{ ROW_TWO(0xba), DIGIT(7), DOES(BTS), OPS(RW(Ev), R(Ub)), .flags = WF },
	{ ROW_TWO(0xbb), DOES(BTS), OPS(RW(Ev), R(Gv)), .flags = WF },
	/* bsf and bsr of 0 leave the destination unchanged. */
	{ ROW(0F, 0xbc, LEG, PF3), TO(1), DOES(COUNT), OPS(W(Gv), R(Ev)), .flags = WF },
	{ ROW_TWO(0xbc), TO(1), DOES(COUNT), OPS(RW(Gv), R(Ev)), .flags = WF },
	{ ROW_TWO(0xbe), DOES(MOV), OPS(W(Gv), R(Eb)), .flags = SX },
	{ ROW_TWO(0xbf), DOES(MOV), OPS(W(Gv), R(Ew)), .flags = SX },
	{ ROW_TWO(0xc0), DOES(XADD), OPS(RW(Eb), RW(Gb)), .flags = WF },
	{ ROW_TWO(0xc1), DOES(XADD), OPS(RW(Ev), RW(Gv)), .flags = WF },
	{ ROW_TWO(0xc3), DOES(MOV), OPS(W(Ey), R(Gy)), .flags = MEM }, /* movnti */
	{ ROW_TWO(0xc7), DIGIT(1), OPS(RW(M2y)), .implicit = IMPLICIT_CMPXCHG8, .flags = MEM | WF },
	{ ROW_TWO(0xc7), DIGIT(3), OPS(R(Mx0)), .implicit = IMPLICIT_XRSTOR, .flags = MEM },
	{ ROW_TWO(0xc7), DIGIT(4), OPS(W(Mx0)), .implicit = IMPLICIT_XSAVE, .flags = MEM },
	{ ROW_TWO(0xc7), DIGIT(5), OPS(W(Mx0)), .implicit = IMPLICIT_XSAVE, .flags = MEM },
	{ ROW(0F, 0xc7, LEG, P66), DIGIT(6), OPS(W(Eq)), .flags = MEM | WF }, /* vmclear */
	{ ROW(0F, 0xc7, LEG, NP | PF3), DIGIT(6), OPS(R(Eq)), .flags = MEM | WF }, /* vmptrld, vmxon */
	{ ROW_TWO(0xc7), DIGIT(7), OPS(W(Eq)), .flags = MEM | WF }, /* vmptrst */
	{ ROW(0F, 0xc7, LEG, PF3), DIGIT(7), OPS(W(Eq)), .flags = REG }, /* rdpid */
	{ ROW(0F, 0xc7, LEG, PF3), DIGIT(6), OPS(R(Eq)), .flags = REG }, /* senduipi */
	{ ROW_TWO(0xc7), DIGIT(6), OPS(W(Ev)), .flags = REG | WF }, /* rdrand */
	{ ROW_TWO(0xc7), DIGIT(7), OPS(W(Ev)), .flags = REG | WF }, /* rdseed */
	{ ROW_TWO(0xc8), TO(7), DOES(BSWAP), OPS(RW(Zv)) },
	{ ROW_TWO(0xff), OPS(N(Gv), N(Ev)), .flow = INSN_STOP }, /* ud0 */

	{ ROW(0F38, 0x80, LEG, P66), TO(2), OPS(R(Gq), R(M16)), .flags = MEM | WF }, /* invept ... */
	{ ROW(0F38, 0xf0, LEG, PF2), OPS(RW(Gd), R(Eb)) }, /* crc32 */
	{ ROW(0F38, 0xf1, LEG, PF2), OPS(RW(Gd), R(Ev)) },
	{ ROW(0F38, 0xf0, LEG, NP | P66), DOES(BSWAP), OPS(W(Gv), R(Ev)), .flags = MEM }, /* movbe */
	{ ROW(0F38, 0xf1, LEG, NP | P66), DOES(BSWAP), OPS(W(Ev), R(Gv)), .flags = MEM },
	{ ROW(0F38, 0xf5, LEG, P66), OPS(W(Ey), R(Gy)), .flags = MEM }, /* wruss */
	{ ROW(0F38, 0xf6, LEG, NP), OPS(W(Ey), R(Gy)), .flags = MEM }, /* wrss */
	{ ROW(0F38, 0xf6, LEG, P66 | PF3), OPS(RW(Gy), R(Ey)), .flags = RF | WF }, /* adcx, adox */
	{ ROW(0F38, 0xf8, LEG, P66), OPS(R(Gq), R(M64)), .flags = MEM }, /* movdir64b */
	{ ROW(0F38, 0xf8, LEG, PF3 | PF2), OPS(R(Gq), R(M64)), .flags = MEM | WF }, /* enqcmd */
	{ ROW(0F38, 0xf9, LEG, NP), DOES(MOV), OPS(W(Ey), R(Gy)), .flags = MEM }, /* movdiri */

	{ ROW(0F38, 0xf2, VEX, NP), OPS(W(Gy), R(By), R(Ey)), .flags = WF }, /* andn */
	{ ROW(0F38, 0xf3, VEX, NP), DIGIT(1), OPS(W(By), R(Ey)), .flags = WF }, /* blsr */
	{ ROW(0F38, 0xf3, VEX, NP), DIGIT(2), OPS(W(By), R(Ey)), .flags = WF }, /* blsmsk */
	{ ROW(0F38, 0xf3, VEX, NP), DIGIT(3), OPS(W(By), R(Ey)), .flags = WF }, /* blsi */
	{ ROW(0F38, 0xf5, VEX, NP), OPS(W(Gy), R(Ey), R(By)), .flags = WF }, /* bzhi */
	{ ROW(0F38, 0xf5, VEX, PF3 | PF2), OPS(W(Gy), R(By), R(Ey)) }, /* pext, pdep */
	{ ROW(0F38, 0xf6, VEX, PF2), OPS(W(Gy), W(By), R(Ey)), .implicit = IMPLICIT_MULX },
	{ ROW(0F38, 0xf7, VEX, NP), OPS(W(Gy), R(Ey), R(By)), .flags = WF }, /* bextr */
	{ ROW(0F38, 0xf7, VEX, P66), DOES(SHL), OPS(W(Gy), R(Ey), R(By)) },
	{ ROW(0F38, 0xf7, VEX, PF3), DOES(SAR), OPS(W(Gy), R(Ey), R(By)) },
	{ ROW(0F38, 0xf7, VEX, PF2), DOES(SHR), OPS(W(Gy), R(Ey), R(By)) },
	{ ROW(0F3A, 0xf0, VEX, PF2), DOES(ROTATE), OPS(W(Gy), R(Ey), R(Ub)) }, /* rorx */
	/* Tiles: memory rows at a stride. The tile registers have no number here. */
	{ ROW(0F38, 0x49, VEX, NP), OPS(R(M64)), .flags = MEM },
	{ ROW(0F38, 0x49, VEX, P66), OPS(W(M64)), .flags = MEM },
	{ ROW(0F38, 0x49, VEX, NP | PF2), .flags = REG | MODRM },
	{ ROW(0F38, 0x4b, VEX, P66 | PF2), OPS(W(CRq), R(Mx0)), .flags = MEM },
	{ ROW(0F38, 0x4b, VEX, PF3), OPS(W(Mx0), R(CRq)), .flags = MEM },
	{ ROW(0F38, 0x5c, VEX, PF3), OPS(RW(CRq)), .flags = REG },
	{ ROW(0F38, 0x5e, VEX, ANY), OPS(RW(CRq)), .flags = REG },

	/* Mask registers: 16 bits without a prefix; W doubles the size, 66 halves it. */
	{ ROW(0F, 0x41, VEX, NP | P66), TO(1), OPS(W(KG), R(KH), R(KEq)), .flags = REG },
	{ ROW(0F, 0x45, VEX, NP | P66), TO(2), OPS(W(KG), R(KH), R(KEq)), .flags = REG },
	{ ROW(0F, 0x4a, VEX, NP | P66), TO(1), OPS(W(KG), R(KH), R(KEq)), .flags = REG },
	{ ROW(0F, 0x44, VEX, NP | P66), OPS(W(KG), R(KEq)), .flags = REG },
	{ ROW(0F, 0x90, VEX, NP), OPS(W(KG), R(KEw)), .flags = W0 },
	{ ROW(0F, 0x90, VEX, P66), OPS(W(KG), R(KEb)), .flags = W0 },
	{ ROW(0F, 0x90, VEX, NP), OPS(W(KG), R(KEq)), .flags = W1 },
	{ ROW(0F, 0x90, VEX, P66), OPS(W(KG), R(KEd)), .flags = W1 },
	{ ROW(0F, 0x91, VEX, NP), OPS(W(KEw), R(KG)), .flags = W0 | MEM },
	{ ROW(0F, 0x91, VEX, P66), OPS(W(KEb), R(KG)), .flags = W0 | MEM },
	{ ROW(0F, 0x91, VEX, NP), OPS(W(KEq), R(KG)), .flags = W1 | MEM },
	{ ROW(0F, 0x91, VEX, P66), OPS(W(KEd), R(KG)), .flags = W1 | MEM },
	{ ROW(0F, 0x92, VEX, NP | P66), OPS(W(KG), R(Ed)), .flags = REG },
	{ ROW(0F, 0x92, VEX, PF2), OPS(W(KG), R(Ey)), .flags = REG },
	{ ROW(0F, 0x93, VEX, NP | P66), OPS(W(Gd), R(KEq)), .flags = REG },
	{ ROW(0F, 0x93, VEX, PF2), OPS(W(Gy), R(KEq)), .flags = REG },
	{ ROW(0F, 0x98, VEX, NP | P66), TO(1), OPS(R(KG), R(KEq)), .flags = REG | WF },
	{ ROW(0F3A, 0x30, VEX, P66), TO(3), OPS(W(KG), R(KEq), R(Ub)), .flags = REG },
};

const u32 x86_nr_general = ARRAY_SIZE(x86_general);
