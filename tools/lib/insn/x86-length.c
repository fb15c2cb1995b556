// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86-64 instructions that capstone does not know (version 4: gathers, mask moves, much
 * of AVX-512, shadow stacks), read from the encoding alone.
 *
 * All of them are regular: prefixes, an opcode in a map, ModRM, perhaps a SIB byte, a
 * displacement and an 8-bit immediate (Intel SDM volume 2, chapter 2). That gives the
 * length, without which the rest of a function would be read out of step, and the memory
 * operand. Registers written are then a superset: the register of the ModRM byte taken both
 * as a general and as a vector register. An EVEX displacement of 8 bits is scaled by a
 * factor that depends on the opcode; such an operand is left unsaid.
 */
#include "base/cursor.h"
#include "insn/arch.h"

enum encoding { LEGACY, VEX, EVEX };

struct fields {
	struct cursor code;
	enum encoding encoding;
	u8 map; /* 1: 0f, 2: 0f38, 3: 0f3a, 5 and 6: EVEX's */
	u8 opcode;
	u8 simd;	/* 0: none, 1: 66, 2: f3, 3: f2 */
	u8 vector_size; /* bytes, by VEX.L or EVEX.L'L */
	u8 segment;
	bool w, broadcast;
	u8 reg_high, index_high, base_high; /* what the prefix adds to the register numbers */
	u8 vector_high;			    /* EVEX.V': the fifth bit of a vector index */
};

static void read_prefixes(struct fields *f)
{
	while (cursor_left(&f->code)) {
		u8 byte = *f->code.pos;

		if (byte == 0x64)
			f->segment = INSN_SEG_FS;
		else if (byte == 0x65)
			f->segment = INSN_SEG_GS;
		else if (byte == 0x66 || byte == 0xf2 || byte == 0xf3)
			f->simd = byte == 0x66 ? 1 : byte == 0xf3 ? 2 : 3;
		else if (byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x26 &&
			 byte != 0x67 && byte != 0xf0)
			return;
		f->code.pos++;
	}
}

static bool read_vex(struct fields *f, u8 first)
{
	u8 one = cursor_u8(&f->code), two;

	f->encoding = VEX;
	f->reg_high = one & 0x80 ? 0 : 8;
	if (first == 0xc5) {
		f->map = 1;
		two = one & 0x7f;
	} else {
		two = cursor_u8(&f->code);
		f->index_high = one & 0x40 ? 0 : 8;
		f->base_high = one & 0x20 ? 0 : 8;
		f->map = one & 0x1f;
		f->w = two & 0x80;
	}
	f->simd = two & 3;
	f->vector_size = two & 4 ? 32 : 16;
	f->opcode = cursor_u8(&f->code);
	return f->map >= 1 && f->map <= 3;
}

static bool read_evex(struct fields *f)
{
	u8 one = cursor_u8(&f->code), two = cursor_u8(&f->code), three = cursor_u8(&f->code);

	f->encoding = EVEX;
	f->reg_high = (one & 0x80 ? 0 : 8) + (one & 0x10 ? 0 : 16);
	f->index_high = one & 0x40 ? 0 : 8;
	f->base_high = one & 0x20 ? 0 : 8;
	f->map = one & 7;
	f->w = two & 0x80;
	f->simd = two & 3;
	f->vector_size = 16 << (three >> 5 & 3);
	f->broadcast = three & 0x10;
	f->vector_high = three & 8 ? 0 : 16;
	f->opcode = cursor_u8(&f->code);
	return f->map >= 1 && f->map <= 6 && f->map != 4 && (two & 4);
}

static bool read_legacy(struct fields *f, u8 first)
{
	u8 byte = first;

	if ((byte & 0xf0) == 0x40) {
		f->w = byte & 8;
		f->reg_high = byte & 4 ? 8 : 0;
		f->index_high = byte & 2 ? 8 : 0;
		f->base_high = byte & 1 ? 8 : 0;
		byte = cursor_u8(&f->code);
	}
	if (byte != 0x0f)
		return false;
	f->map = 1;
	f->vector_size = 16;
	f->opcode = cursor_u8(&f->code);
	if (f->opcode == 0x38 || f->opcode == 0x3a) {
		f->map = f->opcode == 0x38 ? 2 : 3;
		f->opcode = cursor_u8(&f->code);
	}
	return true;
}

static bool has_immediate(const struct fields *f)
{
	if (f->map == 3)
		return true;
	return f->map == 1 && ((f->opcode >= 0x70 && f->opcode <= 0x73) || f->opcode == 0xc2 ||
			       (f->opcode >= 0xc4 && f->opcode <= 0xc6) || f->opcode == 0xa4 ||
			       f->opcode == 0xac || f->opcode == 0xba);
}

static bool is_store(const struct fields *f)
{
	static const u8 map1[] = { 0x11, 0x13, 0x17, 0x29, 0x2b, 0x7e, 0x7f, 0x91, 0xd6, 0xe7 };
	static const u8 map2[] = { 0x2e, 0x2f, 0x63, 0x8a, 0x8b, 0x8e,
				   0xa0, 0xa1, 0xa2, 0xa3, 0xf6, 0xf9 };
	static const u8 map3[] = { 0x14, 0x15, 0x16, 0x17, 0x19, 0x1b, 0x1d, 0x39, 0x3b };
	const u8 *list = f->map == 1 ? map1 : f->map == 2 ? map2 : map3;
	size_t size = f->map == 1   ? sizeof(map1)
		      : f->map == 2 ? sizeof(map2)
		      : f->map == 3 ? sizeof(map3)
				    : 0;

	/* vmovq's load, and the moves that narrow a vector's elements. */
	if (f->map == 1 && f->opcode == 0x7e && f->simd == 2)
		return false;
	if (f->encoding == EVEX && f->map == 2 && f->simd == 2 && f->opcode >= 0x10 &&
	    f->opcode <= 0x35 && (f->opcode & 0xf) <= 5)
		return true;
	return memchr(list, f->opcode, size) != NULL;
}

static bool has_vector_index(const struct fields *f)
{
	return f->encoding != LEGACY && f->map == 2 &&
	       ((f->opcode >= 0x90 && f->opcode <= 0x93) ||
		(f->opcode >= 0xa0 && f->opcode <= 0xa3) || f->opcode == 0xc6 || f->opcode == 0xc7);
}

static u8 general(u8 number)
{
	/* The encoding's order to DWARF's. */
	static const u8 low[8] = { X86_RAX, X86_RCX, X86_RDX, X86_RBX,
				   X86_RSP, X86_RBP, X86_RSI, X86_RDI };

	return number < 8 ? low[number] : number;
}

static u8 vector(u8 number)
{
	return number < 16 ? X86_XMM0 + number : X86_XMM16 + (number - 16);
}

static void mark(u64 *set, u8 reg)
{
	if (reg < INSN_NR_REGS)
		set[reg / 64] |= (u64)1 << (reg % 64);
}

/* The address of a ModRM byte with mod < 3. *@unsaid: the displacement has a scale unknown here. */
static void read_address(struct fields *f, u8 modrm, struct insn_operand *op, bool *unsaid)
{
	u8 mod = modrm >> 6, rm = modrm & 7, sib = rm == 4 ? cursor_u8(&f->code) : 0;

	op->kind = INSN_MEM;
	op->mem = (struct insn_mem){
		.segment = f->segment, .base = INSN_NO_REG, .index = INSN_NO_REG, .scale = 1
	};
	if (rm == 4) {
		u8 index = (sib >> 3 & 7) + f->index_high, base = sib & 7;

		op->mem.scale = (u8)(1 << (sib >> 6));
		if (has_vector_index(f))
			op->mem.index = vector(index + f->vector_high);
		else if (index != 4)
			op->mem.index = general(index);
		if (base == 5 && mod == 0)
			mod = 4; /* a 32-bit displacement and no base */
		else
			op->mem.base = general(base + f->base_high);
	} else if (rm == 5 && mod == 0) {
		op->relative = true;
		mod = 4;
	} else {
		op->mem.base = general(rm + f->base_high);
	}
	if (mod == 1) {
		op->mem.disp = (s8)cursor_u8(&f->code);
		*unsaid = f->encoding == EVEX && op->mem.disp;
	} else if (mod >= 2) {
		op->mem.disp = (s32)cursor_u32(&f->code);
	}
}

bool insn_x86_fallback(const u8 *code, size_t left, struct insn *out)
{
	struct fields f = { .code = cursor_of(code, left < 15 ? left : 15) };
	struct insn_operand op = { 0 };
	bool known, unsaid = false;
	u8 first, modrm, reg;

	read_prefixes(&f);
	first = cursor_u8(&f.code);
	if (first == 0xc4 || first == 0xc5)
		known = read_vex(&f, first);
	else if (first == 0x62)
		known = read_evex(&f);
	else
		known = read_legacy(&f, first);
	if (!known || f.code.failed)
		return false;
	modrm = cursor_u8(&f.code);
	if (modrm >> 6 != 3)
		read_address(&f, modrm, &op, &unsaid);
	if (has_immediate(&f))
		cursor_u8(&f.code);
	if (f.code.failed)
		return false;
	out->size = (u8)(f.code.pos - code);
	if (unsaid)
		return false;
	reg = (modrm >> 3 & 7) + f.reg_high;
	mark(out->writes, general(reg & 15));
	mark(out->writes, vector(reg & 31));
	if (op.kind != INSN_MEM) {
		mark(out->writes, general((modrm & 7) + f.base_high));
		mark(out->writes, vector((modrm & 7) + f.base_high));
		return true;
	}
	op.access = is_store(&f) ? INSN_WRITE : INSN_READ;
	op.width = f.broadcast ? (f.w ? 8 : 4) : f.vector_size;
	if (f.map == 2 && (f.opcode == 0x1a || f.opcode == 0x5a))
		op.width = 16; /* vbroadcastf128, vbroadcasti128 */
	if (f.encoding == VEX && f.map == 1 && (f.opcode & 0xfe) == 0x90)
		op.width = f.w ? (f.simd ? 4 : 8) : (f.simd ? 1 : 2); /* kmov */
	if (op.relative)
		op.mem.disp = (s64)((u64)op.mem.disp + out->vaddr + out->size);
	mark(out->reads, op.mem.base);
	mark(out->reads, op.mem.index);
	if (has_vector_index(&f)) {
		out->op = INSN_GATHER;
		op.width = 0;
	}
	out->operands[out->nr_operands++] = op;
	return true;
}
