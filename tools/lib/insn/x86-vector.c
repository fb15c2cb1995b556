// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rows of opcodes on vector registers: MMX, SSE, AVX, AVX-512, AES, SHA (Intel SDM volume 2, appendix A, tables A-3 to
 * A-5; for EVEX chapters 3 to 5, because the appendix lacks its opcodes). If a legacy and a VEX form differ only in the
 * operand in VEX.vvvv, one row describes both (x86-row.h, AT_H). In EVEX, a one-byte displacement is multiplied by the
 * memory operand's size (section 2.7.5), so sizes must be exact. If several rows match, the first one is used.
 */
#include "insn/x86-row.h"

// clang-format off
/* Arithmetic: packed and scalar, single and double precision: no prefix, 66, f3, f2. */
#define ARITH(code)									\
	{ ROW(0F, code, LVE, NP | P66), OPS(W(Vx), R(Hx), R(Wx)) },			\
	{ ROW(0F, code, LVE, PF3), OPS(W(Vo), R(Ho), R(Wd)), .flags = FP },		\
	{ ROW(0F, code, LVE, PF2), OPS(W(Vo), R(Ho), R(Wq)), .flags = FP }

/* With 66 on vector registers, without it on MMX registers. */
#define INTEGER(code, last, enc, f)							\
	{ ROW(0F, code, enc, P66), TO(last), OPS(W(Vx), R(Hx), R(Wx)), .flags = (f) },	\
	{ ROW(0F, code, LEG, NP), TO(last), OPS(RW(Pq), R(Qq)), .flags = (f) }
#define INTEGER38(code, last, enc)							\
	{ ROW(0F38, code, enc, P66), TO(last), OPS(W(Vx), R(Hx), R(Wx)) },		\
	{ ROW(0F38, code, LEG, NP), TO(last), OPS(RW(Pq), R(Qq)) }

/* Fused multiply-add, packed and scalar. */
#define FMA(code)									\
	{ ROW(0F38, (code) + 0, VE, P66), TO(2), OPS(RW(Vx), R(Hx), R(Wx)) },		\
	{ ROW(0F38, (code) + 3, VE, P66), OPS(RW(Vo), R(Ho), R(Wy)), .flags = FP },	\
	{ ROW(0F38, (code) + 4, VE, P66), OPS(RW(Vx), R(Hx), R(Wx)) },			\
	{ ROW(0F38, (code) + 5, VE, P66), OPS(RW(Vo), R(Ho), R(Wy)), .flags = FP },	\
	{ ROW(0F38, (code) + 6, VE, P66), OPS(RW(Vx), R(Hx), R(Wx)) },			\
	{ ROW(0F38, (code) + 7, VE, P66), OPS(RW(Vo), R(Ho), R(Wy)), .flags = FP },	\
	{ ROW(0F38, (code) + 8, VE, P66), OPS(RW(Vx), R(Hx), R(Wx)) },			\
	{ ROW(0F38, (code) + 9, VE, P66), OPS(RW(Vo), R(Ho), R(Wy)), .flags = FP }

/* Loads that widen each element, and AVX-512 stores that narrow it: byte and word, byte and dword, and so on. */
#define WIDEN(code)									\
	{ ROW(0F38, (code) + 0, LVE, P66), OPS(W(Vx), R(Wh)) },				\
	{ ROW(0F38, (code) + 1, LVE, P66), OPS(W(Vx), R(Wf)) },				\
	{ ROW(0F38, (code) + 2, LVE, P66), OPS(W(Vx), R(We)) },				\
	{ ROW(0F38, (code) + 3, LVE, P66), OPS(W(Vx), R(Wh)) },				\
	{ ROW(0F38, (code) + 4, LVE, P66), OPS(W(Vx), R(Wf)) },				\
	{ ROW(0F38, (code) + 5, LVE, P66), OPS(W(Vx), R(Wh)) }
#define NARROW(code)									\
	{ ROW(0F38, (code) + 0, EVEX, PF3), OPS(W(Wh), R(Vx)) },			\
	{ ROW(0F38, (code) + 1, EVEX, PF3), OPS(W(Wf), R(Vx)) },			\
	{ ROW(0F38, (code) + 2, EVEX, PF3), OPS(W(We), R(Vx)) },			\
	{ ROW(0F38, (code) + 3, EVEX, PF3), OPS(W(Wh), R(Vx)) },			\
	{ ROW(0F38, (code) + 4, EVEX, PF3), OPS(W(Wf), R(Vx)) },			\
	{ ROW(0F38, (code) + 5, EVEX, PF3), OPS(W(Wh), R(Vx)) }

/* Shifts by a constant. */
#define SHIFTS(code, n, l)								\
	{ ROW(0F, code, LVE, P66), DIGIT(n), OPS(W(Hx), R(Wx), R(Ub)), .lanes = LANES_##l },	\
	{ ROW(0F, code, LEG, NP), DIGIT(n), OPS(RW(Qq), R(Ub)), .flags = REG }

const struct x86_row x86_vector[] = {
	{ ROW(0F, 0x10, LVE, NP | P66), DOES(MOV), OPS(W(Vx), R(Wx)) },
	{ ROW(0F, 0x10, LVE, PF3), DOES(MOV), OPS(W(Vo), R(Wd)), .flags = MEM | FM },
	{ ROW(0F, 0x10, LVE, PF2), DOES(MOV), OPS(W(Vo), R(Wq)), .flags = MEM | FM },
	{ ROW(0F, 0x10, LVE, PF3), OPS(W(Vo), R(Ho), R(Wo)), .lanes = LANES_MERGE_LOW4 },
	{ ROW(0F, 0x10, LVE, PF2), OPS(W(Vo), R(Ho), R(Wo)), .lanes = LANES_LOW },
	{ ROW(0F, 0x11, LVE, NP | P66), DOES(MOV), OPS(W(Wx), R(Vx)) },
	{ ROW(0F, 0x11, LVE, PF3), DOES(MOV), OPS(W(Wd), R(Vo)), .flags = MEM | FM },
	{ ROW(0F, 0x11, LVE, PF2), DOES(MOV), OPS(W(Wq), R(Vo)), .flags = MEM | FM },
	{ ROW(0F, 0x11, LVE, PF3), OPS(W(Wo), R(Ho), R(Vo)), .lanes = LANES_MERGE_LOW4 },
	{ ROW(0F, 0x11, LVE, PF2), OPS(W(Wo), R(Ho), R(Vo)), .lanes = LANES_LOW },
	{ ROW(0F, 0x12, LVE, NP | P66), OPS(W(Vo), R(Ho), R(Wq)), .flags = MEM, .lanes = LANES_LOW },
	{ ROW(0F, 0x12, LVE, NP), OPS(W(Vo), R(Ho), R(Wo)), .lanes = LANES_HIGH_LOW },
	{ ROW(0F, 0x12, LVE, PF3), OPS(W(Vx), R(Wx)) },
	{ ROW(0F, 0x12, LVE, PF2), OPS(W(Vx), R(Wdup)), .lanes = LANES_DUP },
	{ ROW(0F, 0x13, LVE, NP | P66), DOES(MOV), OPS(W(Wq), R(Vo)), .flags = MEM },
	{ ROW(0F, 0x14, LVE, NP), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F, 0x14, LVE, P66), OPS(W(Vx), R(Hx), R(Wx)), .lanes = LANES_HIGH },
	{ ROW(0F, 0x15, LVE, NP), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F, 0x15, LVE, P66), OPS(W(Vx), R(Hx), R(Wx)), .lanes = LANES_UNPACK_HIGH },
	{ ROW(0F, 0x16, LVE, NP | P66), OPS(W(Vo), R(Ho), R(Wq)), .flags = MEM, .lanes = LANES_HIGH },
	{ ROW(0F, 0x16, LVE, NP), OPS(W(Vo), R(Ho), R(Wo)), .lanes = LANES_HIGH },
	{ ROW(0F, 0x16, LVE, PF3), OPS(W(Vx), R(Wx)) },
	{ ROW(0F, 0x17, LVE, NP | P66), OPS(W(Wq), R(Vo)), .flags = MEM, .lanes = LANES_STORE_HIGH },
	{ ROW(0F, 0x28, LVE, NP | P66), DOES(MOV), OPS(W(Vx), R(Wx)) },
	{ ROW(0F, 0x29, LVE, NP | P66), DOES(MOV), OPS(W(Wx), R(Vx)) },
	{ ROW(0F, 0x2a, LEG, NP | P66), OPS(RW(Vo), R(Qq)) },
	{ ROW(0F, 0x2a, LVE, PF3 | PF2), OPS(W(Vo), R(Ho), R(Ey)) },
	{ ROW(0F, 0x2b, LVE, NP | P66), DOES(MOV), OPS(W(Wx), R(Vx)), .flags = MEM },
	{ ROW(0F, 0x2c, LEG, NP), TO(1), OPS(W(Pq), R(Wq)) },
	{ ROW(0F, 0x2c, LEG, P66), TO(1), OPS(W(Pq), R(Wo)) },
	{ ROW(0F, 0x2c, LVE, PF3), TO(1), OPS(W(Gy), R(Wd)), .flags = FP },
	{ ROW(0F, 0x2c, LVE, PF2), TO(1), OPS(W(Gy), R(Wq)), .flags = FP },
	{ ROW(0F, 0x2e, LVE, NP), TO(1), OPS(R(Vo), R(Wd)), .flags = WF | FP },
	{ ROW(0F, 0x2e, LVE, P66), TO(1), OPS(R(Vo), R(Wq)), .flags = WF | FP },
	{ ROW(0F, 0x50, LV, NP | P66), OPS(W(Gd), R(Wx)), .flags = REG },
	{ ROW(0F, 0x51, LVE, NP | P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F, 0x51, LVE, PF3), OPS(W(Vo), R(Ho), R(Wd)), .flags = FP },
	{ ROW(0F, 0x51, LVE, PF2), OPS(W(Vo), R(Ho), R(Wq)), .flags = FP },
	{ ROW(0F, 0x52, LV, NP), TO(1), OPS(W(Vx), R(Wx)) },
	{ ROW(0F, 0x52, LV, PF3), TO(1), OPS(W(Vo), R(Ho), R(Wd)) },
	{ ROW(0F, 0x57, LVE, NP | P66), OPS(W(Vx), R(Hx), R(Wx)), .flags = SAME0 },
	{ ROW(0F, 0x54, LVE, NP | P66), DOES(VECTOR_AND), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F, 0x55, LVE, NP | P66), TO(1), OPS(W(Vx), R(Hx), R(Wx)) },
	ARITH(0x58), ARITH(0x59), ARITH(0x5c), ARITH(0x5d), ARITH(0x5e), ARITH(0x5f),
	{ ROW(0F, 0x5a, LVE, NP), OPS(W(Vx), R(Wh)) },
	{ ROW(0F, 0x5a, LVE, P66), OPS(W(Vh), R(Wx)) },
	{ ROW(0F, 0x5a, LVE, PF3), OPS(W(Vo), R(Ho), R(Wd)), .flags = FP },
	{ ROW(0F, 0x5a, LVE, PF2), OPS(W(Vo), R(Ho), R(Wq)), .flags = FP },
	{ ROW(0F, 0x5b, EVEX, NP), OPS(W(Vh), R(Wx)), .flags = W1 },
	{ ROW(0F, 0x5b, LVE, NP | P66 | PF3), OPS(W(Vx), R(Wx)) },
	{ ROW(0F, 0x60, LEG, NP), TO(2), OPS(RW(Pq), R(Qd)) },
	INTEGER(0x60, 11, LVE, 0),
	{ ROW(0F, 0x6c, LVE, P66), OPS(W(Vx), R(Hx), R(Wx)), .lanes = LANES_HIGH },
	{ ROW(0F, 0x6d, LVE, P66), OPS(W(Vx), R(Hx), R(Wx)), .lanes = LANES_UNPACK_HIGH },
	{ ROW(0F, 0x6e, LVE, P66), DOES(MOV), OPS(W(Vo), R(Ey)) },
	{ ROW(0F, 0x6e, LEG, NP), DOES(MOV), OPS(W(Pq), R(Ey)) },
	{ ROW(0F, 0x6f, LEG, NP), DOES(MOV), OPS(W(Pq), R(Qq)) },
	{ ROW(0F, 0x6f, LVE, P66 | PF3), DOES(MOV), OPS(W(Vx), R(Wx)) },
	{ ROW(0F, 0x6f, EVEX, PF2), DOES(MOV), OPS(W(Vx), R(Wx)) },
	{ ROW(0F, 0x70, LEG, NP), OPS(W(Pq), R(Qq), R(Ub)) },
	{ ROW(0F, 0x70, LVE, P66), OPS(W(Vx), R(Wx), R(Ub)), .lanes = LANES_SHUFFLE_4 },
	{ ROW(0F, 0x70, LVE, PF3 | PF2), OPS(W(Vx), R(Wx), R(Ub)) },
	SHIFTS(0x71, 2, NONE), SHIFTS(0x71, 4, NONE), SHIFTS(0x71, 6, NONE),
	SHIFTS(0x72, 2, NONE), SHIFTS(0x72, 4, NONE), SHIFTS(0x72, 6, NONE),
	SHIFTS(0x73, 2, NONE), SHIFTS(0x73, 6, NONE),
	{ ROW(0F, 0x72, EVEX, P66), DIGIT(0), OPS(W(Hx), R(Wx), R(Ub)) },
	{ ROW(0F, 0x72, EVEX, P66), DIGIT(1), OPS(W(Hx), R(Wx), R(Ub)) },
	{ ROW(0F, 0x73, LVE, P66), DIGIT(3), OPS(W(Hx), R(Wx), R(Ub)), .lanes = LANES_SHIFT_RIGHT },
	{ ROW(0F, 0x73, LVE, P66), DIGIT(7), OPS(W(Hx), R(Wx), R(Ub)), .lanes = LANES_SHIFT_LEFT },
	{ ROW(0F, 0x74, EVEX, P66), TO(2), OPS(W(KG), R(Hx), R(Wx)) },
	INTEGER(0x74, 2, LV, 0),
	{ ROW(0F, 0x77, LEG, NP), .implicit = IMPLICIT_X87 },
	{ ROW(0F, 0x77, VEX, NP), .implicit = IMPLICIT_VECTORS },
	{ ROW(0F, 0x78, LEG, P66), OPS(RW(Vo), R(Ub), R(Ub)), .flags = REG | MODRM }, /* extrq */
	{ ROW(0F, 0x78, LEG, PF2), OPS(RW(Vo), R(Wo), R(Ub), R(Ub)), .flags = REG }, /* insertq */
	{ ROW(0F, 0x79, LEG, P66 | PF2), OPS(RW(Vo), R(Wo)), .flags = REG },
	{ ROW(0F, 0x78, EVEX, NP), TO(1), OPS(W(Vx), R(Wx)), .flags = W0 },
	{ ROW(0F, 0x78, EVEX, NP), TO(1), OPS(W(Vh), R(Wx)), .flags = W1 },
	{ ROW(0F, 0x78, EVEX, P66), TO(3), OPS(W(Vx), R(Wh)), .flags = W0 },
	{ ROW(0F, 0x78, EVEX, P66), TO(3), OPS(W(Vx), R(Wx)), .flags = W1 },
	{ ROW(0F, 0x78, EVEX, PF3), TO(1), OPS(W(Gy), R(Wd)) },
	{ ROW(0F, 0x78, EVEX, PF2), TO(1), OPS(W(Gy), R(Wq)) },
	{ ROW(0F, 0x7a, EVEX, PF3), OPS(W(Vx), R(Wh)), .flags = W0 },
	{ ROW(0F, 0x7a, EVEX, PF3), OPS(W(Vx), R(Wx)), .flags = W1 },
	{ ROW(0F, 0x7a, EVEX, PF2), OPS(W(Vx), R(Wx)), .flags = W0 },
	{ ROW(0F, 0x7a, EVEX, PF2), OPS(W(Vh), R(Wx)), .flags = W1 },
	{ ROW(0F, 0x7b, EVEX, PF3 | PF2), OPS(W(Vo), R(Ho), R(Ey)) },
	{ ROW(0F, 0x7c, LV, P66 | PF2), TO(1), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F, 0x7e, LVE, P66), DOES(MOV), OPS(W(Ey), R(Vo)) },
	{ ROW(0F, 0x7e, LEG, NP), DOES(MOV), OPS(W(Ey), R(Pq)) },
	{ ROW(0F, 0x7e, LVE, PF3), DOES(MOV), OPS(W(Vo), R(Wq)), .flags = MEM },
	{ ROW(0F, 0x7e, LVE, PF3), OPS(W(Vo), R(Wq)), .lanes = LANES_ZERO_HIGH },
	{ ROW(0F, 0x7f, LEG, NP), DOES(MOV), OPS(W(Qq), R(Pq)) },
	{ ROW(0F, 0x7f, LVE, P66 | PF3), DOES(MOV), OPS(W(Wx), R(Vx)) },
	{ ROW(0F, 0x7f, EVEX, PF2), DOES(MOV), OPS(W(Wx), R(Vx)) },
	{ ROW(0F, 0xc2, EVEX, NP | P66), OPS(W(KG), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F, 0xc2, EVEX, PF3), OPS(W(KG), R(Ho), R(Wd), R(Ub)) },
	{ ROW(0F, 0xc2, EVEX, PF2), OPS(W(KG), R(Ho), R(Wq), R(Ub)) },
	{ ROW(0F, 0xc2, LV, NP | P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F, 0xc2, LV, PF3), OPS(W(Vo), R(Ho), R(Wd), R(Ub)) },
	{ ROW(0F, 0xc2, LV, PF2), OPS(W(Vo), R(Ho), R(Wq), R(Ub)) },
	{ ROW(0F, 0xc4, LVE, P66), OPS(W(Vo), R(Ho), R(Edw), R(Ub)) },
	{ ROW(0F, 0xc4, LEG, NP), OPS(RW(Pq), R(Edw), R(Ub)) },
	{ ROW(0F, 0xc5, LVE, P66), OPS(W(Gd), R(Wo), R(Ub)), .flags = REG },
	{ ROW(0F, 0xc5, LEG, NP), OPS(W(Gd), R(Qq), R(Ub)), .flags = REG },
	{ ROW(0F, 0xc6, LVE, NP), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F, 0xc6, LVE, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)), .lanes = LANES_SHUFFLE_8 },
	{ ROW(0F, 0xd0, LV, P66 | PF2), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F, 0xd1, LVE, P66), TO(2), OPS(W(Vx), R(Hx), R(Wo)) },
	{ ROW(0F, 0xe1, LVE, P66), TO(1), OPS(W(Vx), R(Hx), R(Wo)) },
	{ ROW(0F, 0xf1, LVE, P66), TO(2), OPS(W(Vx), R(Hx), R(Wo)) },
	{ ROW(0F, 0xd6, LVE, P66), DOES(MOV), OPS(W(Wq), R(Vo)), .flags = MEM },
	{ ROW(0F, 0xd6, LVE, P66), OPS(W(Wq), R(Vo)), .lanes = LANES_ZERO_HIGH },
	{ ROW(0F, 0xd6, LEG, PF3), OPS(W(Vo), R(Qq)), .flags = REG },
	{ ROW(0F, 0xd6, LEG, PF2), OPS(W(Pq), R(Wo)), .flags = REG },
	{ ROW(0F, 0xd7, LV, P66), OPS(W(Gd), R(Wx)), .flags = REG },
	{ ROW(0F, 0xd7, LEG, NP), OPS(W(Gd), R(Qq)), .flags = REG },
	{ ROW(0F, 0xe6, LVE, P66 | PF2), OPS(W(Vh), R(Wx)) },
	{ ROW(0F, 0xe6, EVEX, PF3), OPS(W(Vx), R(Wx)), .flags = W1 },
	{ ROW(0F, 0xe6, LVE, PF3), OPS(W(Vx), R(Wh)) },
	{ ROW(0F, 0xe7, LVE, P66), DOES(MOV), OPS(W(Wx), R(Vx)), .flags = MEM },
	{ ROW(0F, 0xe7, LEG, NP), DOES(MOV), OPS(W(Qq), R(Pq)), .flags = MEM },
	{ ROW(0F, 0xf0, LV, PF2), DOES(MOV), OPS(W(Vx), R(Wx)), .flags = MEM },
	{ ROW(0F, 0xf7, LV, P66), OPS(R(Vo), R(Wo), W(AT(Y, 16))), .flags = REG },
	{ ROW(0F, 0xf7, LEG, NP), OPS(R(Pq), R(Qq), W(AT(Y, 8))), .flags = REG },
	INTEGER(0xef, 0, LVE, SAME0),
	INTEGER(0xf8, 3, LVE, SAME0),
	INTEGER(0xd1, 4, LVE, 0),
	{ ROW(0F, 0xdb, LVE, P66), DOES(VECTOR_AND), OPS(W(Vx), R(Hx), R(Wx)) },
	INTEGER(0xd8, 13, LVE, 0),
	INTEGER(0xe8, 6, LVE, 0),
	INTEGER(0xf1, 5, LVE, 0),
	INTEGER(0xfc, 2, LVE, 0),

	{ ROW(0F38, 0x10, EVEX, P66), TO(2), OPS(W(Vx), R(Hx), R(Wx)), .flags = W1 },
	{ ROW(0F38, 0x14, EVEX, P66), TO(1), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x13, VE, P66), OPS(W(Vx), R(Wh)) },
	{ ROW(0F38, 0x10, LEG, P66), OPS(RW(Vo), R(Wo)), .implicit = IMPLICIT_XMM0 },
	{ ROW(0F38, 0x14, LEG, P66), TO(1), OPS(RW(Vo), R(Wo)), .implicit = IMPLICIT_XMM0 },
	INTEGER38(0x00, 11, LVE),
	{ ROW(0F38, 0x0c, VE, P66), TO(1), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x0e, VEX, P66), TO(1), OPS(R(Vx), R(Wx)), .flags = WF },
	{ ROW(0F38, 0x16, VE, P66), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x17, LV, P66), OPS(R(Vx), R(Wx)), .flags = WF },
	{ ROW(0F38, 0x18, VE, P66), OPS(W(Vx), R(Wd)) },
	{ ROW(0F38, 0x19, VE, P66), OPS(W(Vx), R(Wq)), .lanes = LANES_SPREAD_8 },
	{ ROW(0F38, 0x1a, VE, P66), OPS(W(Vx), R(Wo)), .flags = MEM, .lanes = LANES_SPREAD_16 },
	{ ROW(0F38, 0x1b, EVEX, P66), OPS(W(Vx), R(Wqq)), .flags = MEM },
	{ ROW(0F38, 0x1c, LVE, P66), TO(2), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0x1c, LEG, NP), TO(2), OPS(W(Pq), R(Qq)) },
	{ ROW(0F38, 0x1f, EVEX, P66), OPS(W(Vx), R(Wx)) },
	WIDEN(0x20), WIDEN(0x30),
	NARROW(0x10), NARROW(0x20), NARROW(0x30),
	{ ROW(0F38, 0x26, EVEX, P66 | PF3), TO(1), OPS(W(KG), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x28, EVEX, PF3), OPS(W(Vx), R(KEq)), .flags = REG },
	{ ROW(0F38, 0x38, EVEX, PF3), OPS(W(Vx), R(KEq)), .flags = REG },
	{ ROW(0F38, 0x29, EVEX, PF3), OPS(W(KG), R(Wx)), .flags = REG },
	{ ROW(0F38, 0x39, EVEX, PF3), OPS(W(KG), R(Wx)), .flags = REG },
	{ ROW(0F38, 0x2a, EVEX, PF3), OPS(W(Vx), R(KEq)), .flags = REG },
	{ ROW(0F38, 0x3a, EVEX, PF3), OPS(W(Vx), R(KEq)), .flags = REG },
	{ ROW(0F38, 0x29, EVEX, P66), OPS(W(KG), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x37, EVEX, P66), OPS(W(KG), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x28, LVE, P66), TO(1), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x2a, LVE, P66), DOES(MOV), OPS(W(Vx), R(Wx)), .flags = MEM },
	{ ROW(0F38, 0x2b, LVE, P66), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x2c, EVEX, P66), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x2d, EVEX, P66), OPS(W(Vo), R(Ho), R(Wy)) },
	{ ROW(0F38, 0x2c, VEX, P66), TO(1), OPS(W(Vx), R(Hx), R(Wx)), .flags = MEM },
	{ ROW(0F38, 0x2e, VEX, P66), TO(1), OPS(W(Wx), R(Hx), R(Vx)), .flags = MEM },
	{ ROW(0F38, 0x36, VE, P66), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x37, LV, P66), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x38, LVE, P66), TO(8), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x41, LV, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0x42, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0x43, EVEX, P66), OPS(W(Vo), R(Ho), R(Wy)) },
	{ ROW(0F38, 0x44, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0x45, VE, P66), TO(2), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x4c, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0x4d, EVEX, P66), OPS(W(Vo), R(Ho), R(Wy)) },
	{ ROW(0F38, 0x4e, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0x4f, EVEX, P66), OPS(W(Vo), R(Ho), R(Wy)) },
	{ ROW(0F38, 0x50, VE, P66), TO(3), OPS(RW(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x50, VE, NP | PF3 | PF2), TO(3), OPS(RW(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x54, EVEX, P66), TO(1), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0x58, VE, P66), OPS(W(Vx), R(Wd)) },
	{ ROW(0F38, 0x59, VE, P66), OPS(W(Vx), R(Wq)), .lanes = LANES_SPREAD_8 },
	{ ROW(0F38, 0x5a, VE, P66), OPS(W(Vx), R(Wo)), .flags = MEM, .lanes = LANES_SPREAD_16 },
	{ ROW(0F38, 0x5b, EVEX, P66), OPS(W(Vx), R(Wqq)), .flags = MEM },
	/* Elements selected by a mask are adjacent in memory: at most the vector's size. */
	{ ROW(0F38, 0x62, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0x63, EVEX, P66), OPS(W(Wx), R(Vx)) },
	{ ROW(0F38, 0x88, EVEX, P66), TO(1), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0x8a, EVEX, P66), TO(1), OPS(W(Wx), R(Vx)) },
	{ ROW(0F38, 0x64, EVEX, P66), TO(2), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x68, EVEX, PF2), OPS(W(KG), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x70, EVEX, P66), TO(3), OPS(RW(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x72, VE, PF3), OPS(W(Vh), R(Wx)) },
	{ ROW(0F38, 0x72, EVEX, PF2), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x75, EVEX, P66), TO(2), OPS(RW(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x78, VE, P66), OPS(W(Vx), R(Wb)) },
	{ ROW(0F38, 0x79, VE, P66), OPS(W(Vx), R(Ww)) },
	{ ROW(0F38, 0x7a, EVEX, P66), TO(1), OPS(W(Vx), R(Ed)), .flags = REG },
	{ ROW(0F38, 0x7c, EVEX, P66), OPS(W(Vx), R(Ey)), .flags = REG | W0 },
	{ ROW(0F38, 0x7c, EVEX, P66), OPS(W(Vx), R(Ey)), .flags = REG, .lanes = LANES_SPREAD_8 },
	{ ROW(0F38, 0x7d, EVEX, P66), TO(2), OPS(RW(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x83, EVEX, P66), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x8c, VEX, P66), OPS(W(Vx), R(Hx), R(Wx)), .flags = MEM },
	{ ROW(0F38, 0x8e, VEX, P66), OPS(W(Wx), R(Hx), R(Vx)), .flags = MEM },
	{ ROW(0F38, 0x8d, EVEX, P66), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0x8f, EVEX, P66), OPS(W(KG), R(Hx), R(Wx)) },
	/* A gather clears its mask. */
	{ ROW(0F38, 0x90, VEX, P66), TO(3), DOES(GATHER), OPS(RW(Vx), R(Ty), RW(Hx)), .flags = MEM },
	{ ROW(0F38, 0x90, EVEX, P66), TO(3), DOES(GATHER), OPS(RW(Vx), R(Ty)), .flags = MEM },
	{ ROW(0F38, 0xa0, EVEX, P66), TO(3), DOES(GATHER), OPS(W(Ty), R(Vx)), .flags = MEM },
	{ ROW(0F38, 0xc6, EVEX, P66), TO(1), DOES(GATHER), OPS(R(Ty)), .flags = MEM },
	FMA(0x96), FMA(0xa6), FMA(0xb6),
	{ ROW(0F38, 0xb0, VEX, ANY), OPS(W(Vx), R(Wx)), .flags = MEM }, /* AVX-NE-CONVERT */
	{ ROW(0F38, 0xb1, VEX, P66 | PF3), OPS(W(Vx), R(Ww)), .flags = MEM },
	{ ROW(0F38, 0xb4, VE, P66), TO(1), OPS(RW(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0xc4, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0xc8, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0xca, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0xcc, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0xcb, EVEX, P66), OPS(W(Vo), R(Ho), R(Wy)) },
	{ ROW(0F38, 0xcd, EVEX, P66), OPS(W(Vo), R(Ho), R(Wy)) },
	{ ROW(0F38, 0xcb, LEG, NP), OPS(RW(Vo), R(Wo)), .implicit = IMPLICIT_XMM0 },
	{ ROW(0F38, 0xc8, LEG, NP), TO(5), OPS(RW(Vo), R(Wo)) },
	{ ROW(0F38, 0xcf, LVE, P66), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(0F38, 0xdb, LV, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(0F38, 0xdc, LVE, P66), TO(3), OPS(W(Vx), R(Hx), R(Wx)) },

	{ ROW(0F3A, 0x00, VE, P66), TO(1), OPS(W(Vx), R(Wx), R(Ub)), .flags = W1, .lanes = LANES_PERMUTE },
	{ ROW(0F3A, 0x02, VEX, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)), .lanes = LANES_BLEND_4 },
	{ ROW(0F3A, 0x03, EVEX, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x04, VE, P66), TO(1), OPS(W(Vx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x06, VEX, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)), .lanes = LANES_PERMUTE_16 },
	{ ROW(0F3A, 0x46, VEX, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)), .lanes = LANES_PERMUTE_16 },
	{ ROW(0F3A, 0x08, EVEX, NP), OPS(W(Vx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x0a, EVEX, NP), OPS(W(Vo), R(Ho), R(Ww), R(Ub)) },
	{ ROW(0F3A, 0x08, LVE, P66), TO(1), OPS(W(Vx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x0a, LVE, P66), OPS(W(Vo), R(Ho), R(Wd), R(Ub)) },
	{ ROW(0F3A, 0x0b, LVE, P66), OPS(W(Vo), R(Ho), R(Wq), R(Ub)) },
	{ ROW(0F3A, 0x0d, LV, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)), .lanes = LANES_BLEND_8 },
	{ ROW(0F3A, 0x0f, LVE, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)), .lanes = LANES_ALIGN },
	{ ROW(0F3A, 0x0c, LV, P66), TO(2), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x0f, LEG, NP), OPS(RW(Pq), R(Qq), R(Ub)) },
	{ ROW(0F3A, 0x14, LVE, P66), OPS(W(Edb), R(Vo), R(Ub)) },
	{ ROW(0F3A, 0x15, LVE, P66), OPS(W(Edw), R(Vo), R(Ub)) },
	{ ROW(0F3A, 0x16, LVE, P66), OPS(W(Ey), R(Vo), R(Ub)), .flags = W1, .lanes = LANES_EXTRACT_8 },
	{ ROW(0F3A, 0x16, LVE, P66), OPS(W(Ey), R(Vo), R(Ub)) },
	{ ROW(0F3A, 0x17, LVE, P66), OPS(W(Ed), R(Vo), R(Ub)) },
	{ ROW(0F3A, 0x18, VE, P66), OPS(W(Vx), R(Hx), R(Wo), R(Ub)), .lanes = LANES_INSERT_16 },
	{ ROW(0F3A, 0x38, VE, P66), OPS(W(Vx), R(Hx), R(Wo), R(Ub)), .lanes = LANES_INSERT_16 },
	{ ROW(0F3A, 0x19, VE, P66), OPS(W(Wo), R(Vx), R(Ub)), .lanes = LANES_EXTRACT_16 },
	{ ROW(0F3A, 0x39, VE, P66), OPS(W(Wo), R(Vx), R(Ub)), .lanes = LANES_EXTRACT_16 },
	{ ROW(0F3A, 0x1a, EVEX, P66), OPS(W(Vx), R(Hx), R(Wqq), R(Ub)) },
	{ ROW(0F3A, 0x3a, EVEX, P66), OPS(W(Vx), R(Hx), R(Wqq), R(Ub)) },
	{ ROW(0F3A, 0x1b, EVEX, P66), OPS(W(Wqq), R(Vx), R(Ub)) },
	{ ROW(0F3A, 0x3b, EVEX, P66), OPS(W(Wqq), R(Vx), R(Ub)) },
	{ ROW(0F3A, 0x1d, VE, P66), OPS(W(Wh), R(Vx), R(Ub)) },
	{ ROW(0F3A, 0x1e, EVEX, P66), TO(1), OPS(W(KG), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x3e, EVEX, P66), TO(1), OPS(W(KG), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x20, LVE, P66), OPS(W(Vo), R(Ho), R(Edb), R(Ub)) },
	{ ROW(0F3A, 0x21, LVE, P66), OPS(W(Vo), R(Ho), R(Wd), R(Ub)) },
	{ ROW(0F3A, 0x22, LVE, P66), OPS(W(Vo), R(Ho), R(Ey), R(Ub)), .flags = W1, .lanes = LANES_INSERT_8 },
	{ ROW(0F3A, 0x22, LVE, P66), OPS(W(Vo), R(Ho), R(Ey), R(Ub)) },
	{ ROW(0F3A, 0x23, EVEX, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x43, EVEX, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x25, EVEX, P66), OPS(RW(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x26, EVEX, P66), OPS(W(Vx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x26, EVEX, NP), OPS(W(Vx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x27, EVEX, P66), OPS(W(Vo), R(Ho), R(Wy), R(Ub)) },
	{ ROW(0F3A, 0x27, EVEX, NP), OPS(W(Vo), R(Ho), R(Ww), R(Ub)) },
	{ ROW(0F3A, 0x3f, EVEX, P66), OPS(W(KG), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x40, LV, P66), TO(2), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x42, EVEX, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x44, LVE, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x48, VEX, P66), TO(1), OPS(W(Vx), R(Hx), R(Wx), R(Lx)), .flags = W0 },
	{ ROW(0F3A, 0x48, VEX, P66), TO(1), OPS(W(Vx), R(Hx), R(Lx), R(Wx)), .flags = W1 },
	{ ROW(0F3A, 0x4a, VEX, P66), TO(2), OPS(W(Vx), R(Hx), R(Wx), R(Lx)) },
	{ ROW(0F3A, 0x50, EVEX, P66), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x51, EVEX, P66), OPS(W(Vo), R(Ho), R(Wy), R(Ub)) },
	{ ROW(0F3A, 0x54, EVEX, P66), OPS(RW(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x55, EVEX, P66), OPS(RW(Vo), R(Ho), R(Wy), R(Ub)) },
	{ ROW(0F3A, 0x56, EVEX, NP | P66), OPS(W(Vx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x57, EVEX, P66), OPS(W(Vo), R(Ho), R(Wy), R(Ub)) },
	{ ROW(0F3A, 0x57, EVEX, NP), OPS(W(Vo), R(Ho), R(Ww), R(Ub)) },
	{ ROW(0F3A, 0x60, LV, P66), OPS(R(Vo), R(Wo), R(Ub)), .implicit = IMPLICIT_ESTRM, .flags = WF },
	{ ROW(0F3A, 0x61, LV, P66), OPS(R(Vo), R(Wo), R(Ub)), .implicit = IMPLICIT_ESTRI, .flags = WF },
	{ ROW(0F3A, 0x62, LV, P66), OPS(R(Vo), R(Wo), R(Ub)), .implicit = IMPLICIT_ISTRM, .flags = WF },
	{ ROW(0F3A, 0x63, LV, P66), OPS(R(Vo), R(Wo), R(Ub)), .implicit = IMPLICIT_ISTRI, .flags = WF },
	{ ROW(0F3A, 0x66, EVEX, NP | P66), OPS(W(KG), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0x67, EVEX, P66), OPS(W(KG), R(Wy), R(Ub)) },
	{ ROW(0F3A, 0x67, EVEX, NP), OPS(W(KG), R(Ww), R(Ub)) },
	{ ROW(0F3A, 0x70, EVEX, P66), TO(3), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0xc2, EVEX, NP), OPS(W(KG), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0xc2, EVEX, PF3), OPS(W(KG), R(Ho), R(Ww), R(Ub)) },
	{ ROW(0F3A, 0xcc, LEG, NP), OPS(RW(Vo), R(Wo), R(Ub)) },
	{ ROW(0F3A, 0xce, LVE, P66), TO(1), OPS(W(Vx), R(Hx), R(Wx), R(Ub)) },
	{ ROW(0F3A, 0xdf, LV, P66), OPS(W(Vo), R(Wo), R(Ub)) },
	/* FMA4: W tells which source may be memory. */
	{ ROW(0F3A, 0x5c, VEX, P66), TO(3), OPS(W(Vx), R(Hx), R(Wx), R(Lx)), .flags = W0 },
	{ ROW(0F3A, 0x5c, VEX, P66), TO(3), OPS(W(Vx), R(Hx), R(Lx), R(Wx)), .flags = W1 },

#define FMA4(code)									\
	{ ROW(0F3A, (code) + 0, VEX, P66), TO(1), OPS(W(Vx), R(Hx), R(Wx), R(Lx)), .flags = W0 }, \
	{ ROW(0F3A, (code) + 0, VEX, P66), TO(1), OPS(W(Vx), R(Hx), R(Lx), R(Wx)), .flags = W1 }, \
	{ ROW(0F3A, (code) + 2, VEX, P66), OPS(W(Vo), R(Ho), R(Wd), R(Lx)), .flags = W0 },	\
	{ ROW(0F3A, (code) + 2, VEX, P66), OPS(W(Vo), R(Ho), R(Lx), R(Wd)), .flags = W1 },	\
	{ ROW(0F3A, (code) + 3, VEX, P66), OPS(W(Vo), R(Ho), R(Wq), R(Lx)), .flags = W0 },	\
	{ ROW(0F3A, (code) + 3, VEX, P66), OPS(W(Vo), R(Ho), R(Lx), R(Wq)), .flags = W1 }
	FMA4(0x68), FMA4(0x6c), FMA4(0x78), FMA4(0x7c),

	/* AVX512-FP16: the arithmetic of map 0f, for 2-byte numbers. */
	{ ROW(5, 0x10, EVEX, PF3), DOES(MOV), OPS(W(Vo), R(Ww)), .flags = MEM },
	{ ROW(5, 0x10, EVEX, PF3), OPS(W(Vo), R(Ho), R(Wo)), .lanes = LANES_MERGE_LOW4 },
	{ ROW(5, 0x11, EVEX, PF3), DOES(MOV), OPS(W(Ww), R(Vo)), .flags = MEM },
	{ ROW(5, 0x11, EVEX, PF3), OPS(W(Wo), R(Ho), R(Vo)), .lanes = LANES_MERGE_LOW4 },
	{ ROW(5, 0x1d, EVEX, NP), OPS(W(Vo), R(Ho), R(Wd)) },
	{ ROW(5, 0x1d, EVEX, P66), OPS(W(Vh), R(Wx)) },
	{ ROW(5, 0x2a, EVEX, PF3), OPS(W(Vo), R(Ho), R(Ey)) },
	{ ROW(5, 0x7b, EVEX, PF3), OPS(W(Vo), R(Ho), R(Ey)) },
	{ ROW(5, 0x2c, EVEX, PF3), TO(1), OPS(W(Gy), R(Ww)) },
	{ ROW(5, 0x78, EVEX, PF3), TO(1), OPS(W(Gy), R(Ww)) },
	{ ROW(5, 0x2e, EVEX, NP), TO(1), OPS(R(Vo), R(Ww)), .flags = WF },
	{ ROW(5, 0x51, EVEX, NP), OPS(W(Vx), R(Wx)) },
	{ ROW(5, 0x51, EVEX, PF3), OPS(W(Vo), R(Ho), R(Ww)) },
	{ ROW(5, 0x58, EVEX, NP), TO(1), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(5, 0x58, EVEX, PF3), TO(1), OPS(W(Vo), R(Ho), R(Ww)) },
	{ ROW(5, 0x5c, EVEX, NP), TO(3), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(5, 0x5c, EVEX, PF3), TO(3), OPS(W(Vo), R(Ho), R(Ww)) },
	{ ROW(5, 0x5a, EVEX, NP), OPS(W(Vx), R(Wf)) },
	{ ROW(5, 0x5a, EVEX, P66), OPS(W(Vf), R(Wx)) },
	{ ROW(5, 0x5a, EVEX, PF3), OPS(W(Vo), R(Ho), R(Ww)) },
	{ ROW(5, 0x5a, EVEX, PF2), OPS(W(Vo), R(Ho), R(Wq)) },
	{ ROW(5, 0x5b, EVEX, NP), OPS(W(Vh), R(Wx)), .flags = W0 },
	{ ROW(5, 0x5b, EVEX, NP), OPS(W(Vf), R(Wx)), .flags = W1 },
	{ ROW(5, 0x5b, EVEX, P66 | PF3), OPS(W(Vx), R(Wh)) },
	{ ROW(5, 0x6e, EVEX, P66), DOES(MOV), OPS(W(Vo), R(Edw)) },
	{ ROW(5, 0x7e, EVEX, P66), DOES(MOV), OPS(W(Edw), R(Vo)) },
	{ ROW(5, 0x78, EVEX, NP), TO(1), OPS(W(Vx), R(Wh)) },
	{ ROW(5, 0x78, EVEX, P66), TO(3), OPS(W(Vx), R(Wf)) },
	{ ROW(5, 0x7a, EVEX, PF2), OPS(W(Vh), R(Wx)), .flags = W0 },
	{ ROW(5, 0x7a, EVEX, PF2), OPS(W(Vf), R(Wx)), .flags = W1 },
	{ ROW(5, 0x7c, EVEX, NP | P66), TO(1), OPS(W(Vx), R(Wx)) },
	{ ROW(5, 0x7d, EVEX, PF3 | PF2), OPS(W(Vx), R(Wx)) },
	{ ROW(6, 0x13, EVEX, NP), OPS(W(Vo), R(Ho), R(Ww)) },
	{ ROW(6, 0x13, EVEX, P66), OPS(W(Vx), R(Wh)) },
	{ ROW(6, 0x2c, EVEX, P66), OPS(W(Vx), R(Hx), R(Wx)) },
	{ ROW(6, 0x2d, EVEX, P66), OPS(W(Vo), R(Ho), R(Ww)) },
	{ ROW(6, 0x42, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(6, 0x43, EVEX, P66), OPS(W(Vo), R(Ho), R(Ww)) },
	{ ROW(6, 0x4c, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(6, 0x4d, EVEX, P66), OPS(W(Vo), R(Ho), R(Ww)) },
	{ ROW(6, 0x4e, EVEX, P66), OPS(W(Vx), R(Wx)) },
	{ ROW(6, 0x4f, EVEX, P66), OPS(W(Vo), R(Ho), R(Ww)) },
	{ ROW(6, 0x56, EVEX, PF3 | PF2), OPS(RW(Vx), R(Hx), R(Wx)) },
	{ ROW(6, 0xd6, EVEX, PF3 | PF2), OPS(RW(Vx), R(Hx), R(Wx)) },
	{ ROW(6, 0x57, EVEX, PF3 | PF2), OPS(RW(Vo), R(Ho), R(Wd)) },
	{ ROW(6, 0xd7, EVEX, PF3 | PF2), OPS(RW(Vo), R(Ho), R(Wd)) },

#define FMA_HALF(code)									\
	{ ROW(6, (code) + 0, EVEX, P66), TO(2), OPS(RW(Vx), R(Hx), R(Wx)) },		\
	{ ROW(6, (code) + 3, EVEX, P66), OPS(RW(Vo), R(Ho), R(Ww)) },			\
	{ ROW(6, (code) + 4, EVEX, P66), OPS(RW(Vx), R(Hx), R(Wx)) },			\
	{ ROW(6, (code) + 5, EVEX, P66), OPS(RW(Vo), R(Ho), R(Ww)) },			\
	{ ROW(6, (code) + 6, EVEX, P66), OPS(RW(Vx), R(Hx), R(Wx)) },			\
	{ ROW(6, (code) + 7, EVEX, P66), OPS(RW(Vo), R(Ho), R(Ww)) },			\
	{ ROW(6, (code) + 8, EVEX, P66), OPS(RW(Vx), R(Hx), R(Wx)) },			\
	{ ROW(6, (code) + 9, EVEX, P66), OPS(RW(Vo), R(Ho), R(Ww)) }
	FMA_HALF(0x96), FMA_HALF(0xa6), FMA_HALF(0xb6),
};

const u32 x86_nr_vector = ARRAY_SIZE(x86_vector);
