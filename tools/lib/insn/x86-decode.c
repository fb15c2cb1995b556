// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The x86-64 decoder. An instruction is prefixes, an opcode in an opcode map, and optionally ModRM,
 * SIB, displacement and immediates (Intel SDM volume 2, chapter 2). The opcode selects a row of
 * x86-general.c or x86-vector.c; the row says what the remaining bytes mean.
 *
 *	struct node *next(struct node *n) { return n->next; }	mov 8(%rdi),%rax = 48 8b 47 08
 *
 *	48	REX.W		operand size 8 bytes
 *	8b	opcode, map 1	row { ROW_ONE(0x8b), DOES(MOV), OPS(W(Gv), R(Ev)) }
 *	47	ModRM		mod 1: displacement of one byte; reg 0: rax; rm 7: rdi
 *	08	displacement	8
 *
 * Gv is the register in ModRM.reg and is written (W), Ev is the register or memory in ModRM.rm and
 * is read (R), both of the operand size (v). So the result is: INSN_MOV, writes rax, 8 bytes wide,
 * reads 8 bytes at rdi + 8.
 *
 * There is one row per instruction and encoding. They are indexed once per decoder: the key (encoding, map, mandatory
 * prefix, opcode) gives a list of candidate rows. Most lists have one row. If ModRM.reg is part of the opcode (group 1:
 * add, or, adc ...), the list has one row per value.
 *
 * An unknown VEX or EVEX encoding still gets its length, which depends only on the encoding. Without it, all
 * instructions after it would be decoded at wrong addresses. Such an instruction is reported as one that may read and
 * write all its register and memory operands.
 */
#include <string.h>

#include "base/cursor.h"
#include "insn/x86-decode.h"
#include "insn/x86-fields.h"
#include "insn/x86-index.h"

#define MAX_SIZE 15 /* SDM volume 2, section 2.3.11 */

/* AMD's XOP: like VEX, but with another first byte and its own maps (APM volume 3, section 1.8). */
enum { MAP_XOP8 = 8, MAP_XOP9, MAP_XOPA };

#define EIGHT(n)	(n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7
#define FOUR_TIMES(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#define INTEGERS	X86_RAX, X86_RCX, X86_RDX, X86_RBX, X86_RSP, X86_RBP, X86_RSI, X86_RDI, EIGHT(8)
#define SEGMENTS	X86_ES, X86_CS, X86_SS, X86_DS, X86_FS, X86_GS, INSN_NO_REG, INSN_NO_REG
#define NOTHING		INSN_NO_REG, INSN_NO_REG, INSN_NO_REG, INSN_NO_REG

/* DWARF numbers of the encoding's register numbers. A class ignores the bits that it does not use. */
static const u8 registers[NR_CLASSES][32] = {
	[GENERAL] = { INTEGERS, INTEGERS },
	[VECTOR] = { EIGHT(X86_XMM0), EIGHT(X86_XMM0 + 8), EIGHT(X86_XMM16), EIGHT(X86_XMM16 + 8) },
	[MMX] = { FOUR_TIMES(EIGHT(X86_MM0)) },
	[MASK] = { FOUR_TIMES(EIGHT(X86_K0)) },
	[SEGMENT] = { FOUR_TIMES(SEGMENTS) },
	[NAMELESS] = { FOUR_TIMES(NOTHING, NOTHING) },
};

void *insn_x86_open(void)
{
	return x86_index_new();
}

void insn_x86_close(void *opened)
{
	x86_index_free(opened);
}

static inline u8 next_u8(struct x86_fields *f)
{
	if (f->pos == f->end) {
		f->failed = true;
		return 0;
	}
	return *f->pos++;
}

/* Reads a little-endian signed number of 1, 2, 4 or 8 bytes. */
static inline s64 next_number(struct x86_fields *f, u32 size)
{
	struct cursor cursor;
	s64 value;

	if (size == 1)
		return (s8)next_u8(f);
	cursor = cursor_of(f->pos, (size_t)(f->end - f->pos));
	value = size == 4   ? (s32)cursor_u32(&cursor)
		: size == 2 ? (s16)cursor_u16(&cursor)
			    : (s64)cursor_u64(&cursor);
	f->failed |= cursor.failed;
	f->pos = cursor.pos;
	return value;
}

/* Is @byte a legacy prefix or a REX prefix? */
static inline bool is_prefix(u8 byte)
{
	static const u64 prefixes[4] = {
		(u64)1 << 0x26 | (u64)1 << 0x2e | (u64)1 << 0x36 | (u64)1 << 0x3e,
		0xffff | (u64)1 << 0x24 | (u64)1 << 0x25 | (u64)1 << 0x26 | (u64)1 << 0x27,
		0,
		(u64)1 << 0x30 | (u64)1 << 0x32 | (u64)1 << 0x33,
	};

	return prefixes[byte >> 6] >> (byte & 63) & 1;
}

static void set_rex(struct x86_fields *f, u8 rex)
{
	f->rex = rex;
	f->w = rex & 8;
	f->reg_high = rex << 1 & 8;
	f->index_high = rex << 2 & 8;
	f->base_high = f->rm_high = rex << 3 & 8;
}

/* Reads the legacy prefixes and REX. Returns the first byte after them. */
static u8 read_prefixes(struct x86_fields *f)
{
	u8 rex = 0, byte;

	for (byte = next_u8(f); is_prefix(byte); byte = next_u8(f)) {
		if ((byte & 0xf0) == 0x40) {
			rex = byte;
			continue;
		}
		rex = 0; /* a REX prefix is valid only directly before the opcode */
		switch (byte) {
		case 0x66:
			f->opsize = true;
			break;
		case 0xf2:
		case 0xf3:
			f->simd = byte == 0xf3 ? SIMD_F3 : SIMD_F2;
			f->repeat = true;
			break;
		case 0xf0:
			f->lock = true;
			break;
		case 0x64:
		case 0x65:
			f->segment = byte == 0x64 ? INSN_SEG_FS : INSN_SEG_GS;
			break;
		case 0x3e:
			f->notrack = true;
			break;
		default:
			break;
		}
	}
	if (rex)
		set_rex(f, rex);
	if (!f->simd && f->opsize)
		f->simd = SIMD_66;
	return byte;
}

static void read_vex(struct x86_fields *f, u8 first)
{
	u8 one = next_u8(f), two = one & 0x7f;

	f->encoding = ENC_VEX;
	f->map = MAP_0F;
	f->reg_high = one & 0x80 ? 0 : 8;
	f->index_high = f->base_high = 0;
	if (first == 0xc4) {
		two = next_u8(f);
		f->index_high = one & 0x40 ? 0 : 8;
		f->base_high = one & 0x20 ? 0 : 8;
		f->map = one & 0x1f;
		f->w = two & 0x80;
	}
	f->rm_high = f->base_high;
	f->simd = two & 3;
	f->vvvv = ~two >> 3 & 15;
	f->vector = two & 4 ? 32 : 16;
	f->opcode = next_u8(f);
}

static void read_evex(struct x86_fields *f)
{
	u8 one = next_u8(f), two = next_u8(f), three = next_u8(f);

	f->encoding = ENC_EVEX;
	f->reg_high = (u8)((one & 0x80 ? 0 : 8) + (one & 0x10 ? 0 : 16));
	f->index_high = one & 0x40 ? 0 : 8;
	f->base_high = one & 0x20 ? 0 : 8;
	f->rm_high = f->base_high + (one & 0x40 ? 0 : 16);
	f->map = one & 7;
	f->w = two & 0x80;
	f->simd = two & 3;
	f->index_v = three & 8 ? 0 : 16;
	f->vvvv = (u8)((~two >> 3 & 15) + f->index_v);
	f->vector = (u16)(16 << (three >> 5 & 3));
	f->broadcast = three & 0x10;
	f->mask = three & 7;
	f->zeroing = three & 0x80;
	f->failed |= !(two & 4) || f->vector > 64;
	f->opcode = next_u8(f);
}

static void read_legacy(struct x86_fields *f, u8 first)
{
	f->vector = 16;
	f->map = MAP_1;
	f->opcode = first;
	if (first != 0x0f)
		return;
	f->map = MAP_0F;
	f->opcode = next_u8(f);
	if (f->opcode == 0x38 || f->opcode == 0x3a) {
		f->map = f->opcode == 0x38 ? MAP_0F38 : MAP_0F3A;
		f->opcode = next_u8(f);
	}
}

/* Reads prefixes and opcode. The row tells the meaning of the bytes after them. */
static bool read_opcode(struct x86_fields *f)
{
	u8 first = read_prefixes(f);

	if (first == 0xc4 || first == 0xc5)
		read_vex(f, first);
	else if (first == 0x8f && f->pos < f->end && (*f->pos & 0x1f) >= MAP_XOP8)
		read_vex(f, 0xc4);
	else if (first == 0x62)
		read_evex(f);
	else
		read_legacy(f, first);
	f->operand = f->w ? 8 : f->opsize ? 2 : 4;
	return !f->failed;
}

static bool row_fits(const struct x86_row *row, const struct x86_fields *f)
{
	if (row->digit && (row->digit - 1) != f->reg)
		return false;
	if (row->flags & (MEM | REG | W0 | W1)) {
		if (row->flags & (f->mod == 3 ? MEM : REG))
			return false;
		if (row->flags & (f->w ? W0 : W1))
			return false;
	}
	return !row->rm || (row->rm - 1) == f->rm;
}

/* Selects the row. Reads ModRM if the row depends on ModRM.reg or ModRM.mod. NULL: there is no row. */
static const struct x86_link *find_row(const struct x86_index *index, struct x86_fields *f)
{
	u32 at = f->map < NR_MAPS ? index->first[f->encoding][f->map][f->simd][f->opcode] : 0;
	const struct x86_link *links = (const struct x86_link *)(void *)index->links->data;

	if (f->encoding == ENC_LEGACY && f->opcode == 0x90 && f->map == MAP_1 && f->base_high)
		at = index->first[ENC_LEGACY][MAP_1][f->simd][0x91];
	if (!at)
		return NULL;
	if (links[at].modrm) {
		u8 modrm = f->pos == f->end ? 0 : *f->pos;

		f->failed |= f->pos == f->end;
		f->mod = modrm >> 6;
		f->reg = modrm >> 3 & 7;
		f->rm = modrm & 7;
	}
	for (; at; at = links[at].next)
		if (row_fits(links[at].row, f))
			return &links[at];
	return NULL;
}

/* With EVEX.b (broadcast), memory has a single element, which is copied to all elements of the vector. */
static inline u16 memory_size(const struct x86_fields *f, u16 operand)
{
	if (f->broadcast && OPERAND_WHERE(operand) == AT_W)
		return f->map == MAP_5 || f->map == MAP_6 ? 2 : f->w ? 8 : 4;
	return f->sizes[1][OPERAND_SIZE(operand)];
}

/*
 * Reads SIB and displacement of a ModRM byte with mod < 3 (SDM volume 2, tables 2-2, 2-3, 2-7). @unit: factor of a
 * one-byte displacement in EVEX (disp8*N); else 1.
 */
static void read_address(struct x86_fields *f, bool vector_index, u16 unit)
{
	struct insn_mem *mem = &f->mem;
	u8 mod = f->mod;

	*mem = (struct insn_mem){
		.segment = f->segment, .base = INSN_NO_REG, .index = INSN_NO_REG, .scale = 1
	};
	if (f->rm == 4) {
		u8 sib = next_u8(f), index = (sib >> 3 & 7) + f->index_high, base = sib & 7;

		if (vector_index)
			mem->index = registers[VECTOR][index + f->index_v];
		else if (index != 4)
			mem->index = registers[GENERAL][index];
		if (mem->index != INSN_NO_REG)
			mem->scale = (u8)(1 << (sib >> 6));
		if (base == 5 && mod == 0)
			mod = 2; /* a 32-bit displacement and no base */
		else
			mem->base = registers[GENERAL][base + f->base_high];
	} else if (f->rm == 5 && mod == 0) {
		f->relative = true;
		mod = 2;
	} else {
		mem->base = registers[GENERAL][f->rm + f->base_high];
	}
	if (mod == 1)
		mem->disp = next_number(f, 1) * (f->encoding == ENC_EVEX ? unit : 1);
	else if (mod == 2)
		mem->disp = next_number(f, 4);
}

/* Byte registers 4 to 7: ah, ch, dh, bh without a REX prefix; spl, bpl, sil, dil with one. */
static void set_register(const struct x86_fields *f, const struct x86_place *place,
			 struct insn_operand *op, u16 width)
{
	u8 number = f->numbers[place->source];

	if (place->class == GENERAL && width == 1 && !f->rex && f->encoding == ENC_LEGACY &&
	    number >= 4) {
		op->high = true;
		number -= 4;
	}
	op->kind = INSN_REG;
	op->reg = registers[place->class][number & 31];
	op->width = width > place->least ? width : place->least;
}

static void set_memory(struct insn_operand *op, u8 base, u8 segment)
{
	op->kind = INSN_MEM;
	op->mem = (struct insn_mem){
		.segment = segment, .base = base, .index = INSN_NO_REG, .scale = 1
	};
}

static void set_immediate(struct x86_fields *f, struct insn_operand *op, bool is_signed)
{
	op->kind = INSN_IMM;
	op->imm = next_number(f, op->width);
	if (!is_signed)
		op->imm &= op->width == 1 ? 0xff : 0xffff;
	f->immediate = (u8)op->imm;
}

/* Sets operands that are not in a register number or ModRM.rm: immediates, fixed addresses. */
static void set_other(struct x86_fields *f, struct insn_operand *op, u8 where)
{
	switch (where) {
	case AT_L:
		f->numbers[SOURCE_IMMEDIATE] = next_u8(f) >> 4;
		set_register(f, &x86_places[AT_L], op, op->width);
		break;
	case AT_ONE:
		op->kind = INSN_IMM;
		op->imm = 1;
		break;
	case AT_O:
		set_memory(op, INSN_NO_REG, f->segment);
		op->mem.disp = next_number(f, 8);
		break;
	case AT_X:
		set_memory(op, X86_RSI, f->segment);
		break;
	case AT_Y:
		set_memory(op, X86_RDI, INSN_SEG_NONE);
		break;
	case AT_XLAT:
		set_memory(op, X86_RBX, f->segment);
		op->mem.index = X86_RAX;
		break;
	default:
		set_immediate(f, op, where != AT_U);
		break;
	}
}

static void set_operand(struct x86_fields *f, struct insn_operand *op, u16 operand)
{
	const struct x86_place *place = &x86_places[OPERAND_WHERE(operand)];

	*op = (struct insn_operand){
		.access = OPERAND_ACCESS(operand),
		.implicit = OPERAND_HIDDEN(operand),
		.width = f->sizes[0][OPERAND_SIZE(operand)],
	};
	if (place->source == SOURCE_RM && f->mod != 3) {
		op->kind = INSN_MEM;
		op->width = memory_size(f, operand);
		op->mem = f->mem;
		op->relative = f->relative;
	} else if (place->source != SOURCE_OTHER && place->source != SOURCE_IMMEDIATE) {
		set_register(f, place, op, op->width);
	} else {
		set_other(f, op, OPERAND_WHERE(operand));
	}
}

static inline void note_operand(struct insn *out, const struct insn_operand *op)
{
	if (op->kind == INSN_REG) {
		if (op->access & INSN_READ)
			x86_mark(out->reads, op->reg);
		if (op->access & INSN_WRITE)
			x86_mark(out->writes, op->reg);
	} else if (op->kind == INSN_MEM) {
		x86_mark(out->reads, op->mem.base);
		x86_mark(out->reads, op->mem.index);
	}
}

/* Collects the register numbers of all fields of the encoding. */
static void set_numbers(struct x86_fields *f)
{
	f->numbers[SOURCE_RM] = f->rm + f->rm_high;
	f->numbers[SOURCE_REG] = f->reg + f->reg_high;
	f->numbers[SOURCE_VVVV] = f->vvvv;
	f->numbers[SOURCE_OPCODE] = (f->opcode & 7) + f->base_high;
	f->numbers[SOURCE_0] = 0;
	f->numbers[SOURCE_1] = 1;
	f->numbers[SOURCE_2] = 2;
	f->numbers[SOURCE_4] = 4;
	f->numbers[SOURCE_5] = 5;
}

static void read_operands(struct x86_fields *f, const struct x86_row *row, u32 nr, struct insn *out)
{
	struct insn_operand *op = out->operands;
	bool merges = false;

	set_numbers(f);
	for (u32 i = 0; i < nr; i++) {
		if (OPERAND_WHERE(row->operands[i]) == AT_H && f->encoding == ENC_LEGACY) {
			merges = true; /* merges with the first operand's register */
			continue;
		}
		set_operand(f, op, row->operands[i]);
		note_operand(out, op++);
	}
	out->nr_operands = (u8)(op - out->operands);
	for (; op < out->operands + 3; op++)
		*op = (struct insn_operand){ 0 };
	if (f->mask) {
		x86_mark(out->reads, X86_K0 + f->mask);
		if (row->op == INSN_GATHER)
			x86_mark(out->writes,
				 X86_K0 + f->mask); /* the instruction clears the mask */
		/* Merge masking keeps some elements of the destination, so it also reads the destination. */
		merges |= !f->zeroing && out->operands[0].kind == INSN_REG &&
			  out->operands[0].reg < X86_K0;
	}
	if (merges) {
		out->operands[0].access |= INSN_READ | INSN_WRITE;
		note_operand(out, &out->operands[0]);
	}
}

/* VEX or EVEX without a row: there is a ModRM byte, and in some maps an immediate byte. */
static bool read_unknown(struct x86_fields *f, struct insn *out)
{
	static const struct x86_row row = { .operands = { RW(Wx), RW(Vx), RW(Hx) } };
	bool scaled;
	u8 modrm;

	if (f->encoding == ENC_LEGACY ? f->map != MAP_0F38 && f->map != MAP_0F3A
				      : f->map < MAP_0F || f->map == MAP_4 || f->map > MAP_XOPA) {
		f->failed = true;
		return false;
	}
	modrm = next_u8(f);
	f->mod = modrm >> 6;
	f->reg = modrm >> 3 & 7;
	f->rm = modrm & 7;
	if (f->mod != 3)
		read_address(f, false, 1);
	scaled = f->encoding == ENC_EVEX && f->mod == 1 && f->mem.disp;
	read_operands(f, &row, 3, out);
	x86_mark(out->writes, registers[GENERAL][f->reg + f->reg_high]);
	if (f->mod == 3)
		x86_mark(out->writes, registers[GENERAL][f->rm + f->base_high]);
	x86_mark(out->writes, registers[GENERAL][f->vvvv]);
	if (f->map == MAP_0F3A || f->map == MAP_XOP8)
		next_u8(f);
	else if (f->map == MAP_XOPA)
		next_number(f, 4);
	return !f->failed && !scaled;
}

bool insn_x86_decode(const void *opened, const u8 *code, size_t left, u64 vaddr, struct insn *out)
{
	struct x86_fields f = { .pos = code, .end = code + (left < MAX_SIZE ? left : MAX_SIZE) };
	const struct x86_link *link = NULL;
	const struct x86_row *row;
	bool known = true;

	memset(out, 0, offsetof(struct insn, operands));
	out->vaddr = vaddr;
	if (read_opcode(&f))
		link = find_row(opened, &f);
	if (f.failed)
		return false;
	/* With EVEX.b and register operands, the length bits are the rounding mode, and the vector has 64 bytes. */
	if (f.broadcast && link && link->modrm && f.mod == 3)
		f.vector = 64;
	f.sizes = ((const struct x86_index *)opened)->sizes[f.operand >> 2][f.vector >> 5];
	row = link ? link->row : NULL;
	out->vex = f.encoding != ENC_LEGACY;
	if (row) {
		out->op = row->op;
		out->floats = row->flags & FP	? INSN_FLOATS_COMPUTE
			      : row->flags & FM ? INSN_FLOATS_MOVE
						: INSN_FLOATS_NONE;
		out->lock = f.lock;
		f.pos += link->modrm;
		if (link->modrm && f.mod != 3)
			read_address(&f, row->op == INSN_GATHER, memory_size(&f, link->memory));
		read_operands(&f, row, link->nr_operands, out);
	} else {
		known = read_unknown(&f, out);
	}
	if (f.failed)
		return false;
	out->size = (u8)(f.pos - code);
	if (row)
		x86_add_effects(&f, row, out);
	return known;
}
