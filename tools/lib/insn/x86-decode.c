// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The x86-64 decoder: prefixes, an opcode in a map, perhaps ModRM, SIB, displacement and
 * immediates (Intel SDM volume 2, chapter 2), read against the rows of x86-general.c and
 * x86-vector.c.
 *
 * The rows are written for people, one per instruction and encoding. For the machine they
 * are indexed once per decoder: by encoding, map, mandatory prefix and opcode there is a
 * chain of the rows that fit, of which most have one row and a group has one per digit.
 *
 * An encoding without a row (XOP, whatever comes after this was written) still has a length
 * where it is VEX's or EVEX's, without which the rest of a function would be read out of
 * step. Of such an instruction is said that it may do anything to the registers and memory
 * that it names.
 */
#include <string.h>

#include "base/cursor.h"
#include "insn/x86-decode.h"
#include "insn/x86-row.h"

#define MAX_SIZE 15 /* SDM volume 2, section 2.3.11 */

struct link {
	const struct x86_row *row;
	u16 next; /* in links, 0: none */
	bool modrm;
	u8 nr_operands;
	u16 memory; /* the operand that ModRM.rm names, 0: none */
};

struct x86_index {
	u16 first[NR_ENCODINGS][NR_MAPS][NR_SIMD][256]; /* in links */
	GArray *links;					/* struct link; number 0 is unused */
};

/* What the instruction's bytes say before its row is known, and sizes that follow from it. */
struct fields {
	const u8 *pos, *end;
	bool failed;
	u8 encoding, map, simd, opcode;
	bool rex, w, lock, repeat, opsize, notrack, broadcast, masked, zeroing;
	u8 mask, segment;
	u8 reg_high, index_high, base_high, rm_high; /* added to the numbers in ModRM and SIB */
	u8 vvvv, index_v;
	u8 mod, reg, rm;
	u16 vector; /* bytes */
	u8 operand; /* bytes: the operand size */
	struct insn_mem mem;
	bool relative;
	u8 immediate; /* the last one of a byte */
};

#define GPR(n) ((u64)1 << (n))
#define RAX    GPR(X86_RAX)
#define RDX    GPR(X86_RDX)
#define RCX    GPR(X86_RCX)
#define RBX    GPR(X86_RBX)
#define RSP    GPR(X86_RSP)
#define RBP    GPR(X86_RBP)
#define R11    GPR(11)
#define FLAGS  GPR(X86_RFLAGS)
#define XMM0   GPR(X86_XMM0)
#define XMMS   ((u64)0xffff << X86_XMM0)
#define X87S   ((u64)0xffff << X86_ST0) /* st0-7 and mm0-7 are the same registers */

static const struct {
	u64 reads, writes;
} implicit[NR_IMPLICIT] = {
	[IMPLICIT_AX] = { RAX, RAX },
	[IMPLICIT_MUL] = { RAX, RAX | RDX },
	[IMPLICIT_DIV] = { RAX | RDX, RAX | RDX },
	[IMPLICIT_CMPXCHG] = { RAX, RAX },
	[IMPLICIT_CMPXCHG8] = { RAX | RDX | RBX | RCX, RAX | RDX },
	[IMPLICIT_LOOP] = { RCX, RCX },
	[IMPLICIT_JCXZ] = { RCX, 0 },
	[IMPLICIT_ENTER] = { RBP | RSP, RBP | RSP },
	[IMPLICIT_MAKES_RAX] = { 0, RAX },
	[IMPLICIT_TAKES_RAX] = { RAX, 0 },
	[IMPLICIT_TSC] = { 0, RAX | RDX },
	[IMPLICIT_RDTSCP] = { 0, RAX | RDX | RCX },
	[IMPLICIT_RDMSR] = { RCX, RAX | RDX },
	[IMPLICIT_WRMSR] = { RCX | RAX | RDX, 0 },
	[IMPLICIT_CPUID] = { RAX | RCX, RAX | RBX | RCX | RDX },
	[IMPLICIT_SYSCALL] = { RAX, RAX | RCX | R11 },
	[IMPLICIT_SYSRET] = { RCX | R11, FLAGS },
	[IMPLICIT_MONITOR] = { RAX | RCX | RDX | RBX, 0 },
	[IMPLICIT_XSAVE] = { RAX | RDX, 0 },
	[IMPLICIT_XRSTOR] = { RAX | RDX, XMMS | X87S },
	[IMPLICIT_VECTORS] = { 0, XMMS },
	[IMPLICIT_XMM0] = { XMM0, 0 },
	[IMPLICIT_MULX] = { RDX, 0 },
	[IMPLICIT_ESTRI] = { RAX | RDX, RCX },
	[IMPLICIT_ESTRM] = { RAX | RDX, XMM0 },
	[IMPLICIT_ISTRI] = { 0, RCX },
	[IMPLICIT_ISTRM] = { 0, XMM0 },
	[IMPLICIT_X87] = { X87S, X87S },
	[IMPLICIT_GS] = { 0, GPR(X86_GS) },
};

static const u16 fixed_sizes[NR_FIXED_SIZES] = {
	[SIZE_0] = 0,	[SIZE_1] = 1,	[SIZE_2] = 2,	  [SIZE_4] = 4,
	[SIZE_8] = 8,	[SIZE_10] = 10, [SIZE_16] = 16,	  [SIZE_28] = 28,
	[SIZE_32] = 32, [SIZE_64] = 64, [SIZE_108] = 108, [SIZE_512] = 512,
};

static bool is_rm(u16 operand)
{
	static const u32 set = 1u << AT_E | 1u << AT_W | 1u << AT_Q | 1u << AT_KE | 1u << AT_T;

	return set >> OPERAND_WHERE(operand) & 1;
}

static bool names_modrm(u16 operand)
{
	static const u32 set = 1u << AT_G | 1u << AT_V | 1u << AT_P | 1u << AT_KG | 1u << AT_S |
			       1u << AT_CR;

	return is_rm(operand) || set >> OPERAND_WHERE(operand) & 1;
}

static struct link link_of(const struct x86_row *row)
{
	struct link link = {
		.row = row,
		.modrm = row->digit || row->rm || row->flags & (MODRM | MEM | REG),
	};

	for (u32 i = 0; i < ARRAY_SIZE(row->operands) && row->operands[i]; i++) {
		link.modrm |= names_modrm(row->operands[i]);
		if (is_rm(row->operands[i]))
			link.memory = row->operands[i];
		link.nr_operands++;
	}
	return link;
}

static void index_row(struct x86_index *index, const struct x86_row *row, u32 encoding, u32 simd)
{
	for (u32 code = row->opcode; code <= row->opcode + (u32)row->more; code++) {
		u16 *at = &index->first[encoding][row->map][simd][code & 0xff];
		struct link link = link_of(row);

		while (*at)
			at = &g_array_index(index->links, struct link, *at).next;
		*at = (u16)index->links->len;
		g_array_append_val(index->links, link);
	}
}

static void index_rows(struct x86_index *index, const struct x86_row *rows, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		for (u32 encoding = 0; encoding < NR_ENCODINGS; encoding++)
			for (u32 simd = 0; simd < NR_SIMD; simd++)
				if (rows[i].encodings >> encoding & 1 &&
				    rows[i].prefixes >> simd & 1)
					index_row(index, &rows[i], encoding, simd);
}

void *insn_x86_open(void)
{
	struct x86_index *index = g_new0(struct x86_index, 1);
	struct link none = { 0 };

	index->links = g_array_new(false, true, sizeof(struct link));
	g_array_set_size(index->links, 8192);
	g_array_set_size(index->links, 0);
	g_array_append_val(index->links, none);
	index_rows(index, x86_general, x86_nr_general);
	index_rows(index, x86_vector, x86_nr_vector);
	return index;
}

void insn_x86_close(void *opened)
{
	struct x86_index *index = opened;

	g_array_free(index->links, true);
	g_free(index);
}

static inline u8 next_u8(struct fields *f)
{
	if (f->pos == f->end) {
		f->failed = true;
		return 0;
	}
	return *f->pos++;
}

/* A little-endian number of 1, 2, 4 or 8 bytes with its sign. */
static s64 next_number(struct fields *f, u32 size)
{
	struct cursor cursor = cursor_of(f->pos, (size_t)(f->end - f->pos));
	s64 value;

	switch (size) {
	case 1:
		value = (s8)cursor_u8(&cursor);
		break;
	case 2:
		value = (s16)cursor_u16(&cursor);
		break;
	case 4:
		value = (s32)cursor_u32(&cursor);
		break;
	default:
		value = (s64)cursor_u64(&cursor);
		break;
	}
	f->failed |= cursor.failed;
	f->pos = cursor.pos;
	return value;
}

/* The legacy prefixes; returns the first byte after them, which a REX may have preceded. */
static u8 read_prefixes(struct fields *f)
{
	u8 rex = 0;

	for (;;) {
		u8 byte = next_u8(f);

		if ((byte & 0xf0) == 0x40) {
			rex = byte; /* counts only right before the opcode */
			continue;
		}
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
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x67:
			break;
		default:
			f->rex = rex;
			f->w = rex & 8;
			f->reg_high = rex & 4 ? 8 : 0;
			f->index_high = rex & 2 ? 8 : 0;
			f->base_high = f->rm_high = rex & 1 ? 8 : 0;
			if (!f->simd && f->opsize)
				f->simd = SIMD_66;
			return byte;
		}
		rex = 0;
		if (f->failed)
			return 0;
	}
}

static void read_vex(struct fields *f, u8 first)
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

static void read_evex(struct fields *f)
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

static void read_legacy(struct fields *f, u8 first)
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

/* Up to the opcode; the rest of the bytes depends on the row. */
static bool read_opcode(struct fields *f)
{
	u8 first = read_prefixes(f);

	if (first == 0xc4 || first == 0xc5)
		read_vex(f, first);
	else if (first == 0x62)
		read_evex(f);
	else
		read_legacy(f, first);
	f->operand = f->w ? 8 : f->opsize ? 2 : 4;
	return !f->failed;
}

static bool row_fits(const struct x86_row *row, const struct fields *f)
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

/* Reads ModRM, if there is one, as far as it takes part in the choice. NULL: no such row. */
static const struct link *find_row(const struct x86_index *index, struct fields *f)
{
	u32 at = f->map < NR_MAPS ? index->first[f->encoding][f->map][f->simd][f->opcode] : 0;
	const struct link *links = (const struct link *)(void *)index->links->data;

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

/* In bytes, for a memory operand or a general register. */
static u16 size_of(const struct fields *f, u8 size, bool memory)
{
	if (size < NR_FIXED_SIZES)
		return fixed_sizes[size];
	switch (size) {
	case SIZE_V:
		return f->operand;
	case SIZE_Z:
		return f->operand == 2 ? 2 : 4;
	case SIZE_Y:
		return f->w ? 8 : 4;
	case SIZE_STACK:
		return f->operand == 2 ? 2 : 8;
	case SIZE_HALF_V:
		return f->operand / 2;
	case SIZE_V2:
		return memory ? 2 : f->operand;
	case SIZE_D1:
		return memory ? 1 : 4;
	case SIZE_D2:
		return memory ? 2 : 4;
	case SIZE_2Y:
		return f->w ? 16 : 8;
	case SIZE_FAR:
		return f->operand + 2;
	case SIZE_X2:
		return f->vector / 2;
	case SIZE_X4:
		return f->vector / 4;
	case SIZE_X8:
		return f->vector / 8;
	case SIZE_DUP:
		return f->vector == 16 ? 8 : f->vector;
	default:
		return f->vector;
	}
}

/* A vector's memory operand of which one element is read and repeated (EVEX.b). */
static u16 memory_size(const struct fields *f, u16 operand)
{
	if (f->broadcast && OPERAND_WHERE(operand) == AT_W)
		return f->map == MAP_5 || f->map == MAP_6 ? 2 : f->w ? 8 : 4;
	return size_of(f, OPERAND_SIZE(operand), true);
}

static u8 general(u8 number)
{
	/* The encoding's order to DWARF's. */
	static const u8 low[8] = { X86_RAX, X86_RCX, X86_RDX, X86_RBX,
				   X86_RSP, X86_RBP, X86_RSI, X86_RDI };

	return number < 8 ? low[number] : number & 15;
}

static u8 vector(u8 number)
{
	return (u8)(number < 16 ? X86_XMM0 + number : X86_XMM16 + (number & 15));
}

/*
 * SIB and displacement of a ModRM byte with mod < 3 (SDM volume 2, tables 2-2, 2-3, 2-7).
 * @unit: what a displacement of a byte counts in.
 */
static void read_address(struct fields *f, bool vector_index, u16 unit)
{
	struct insn_mem *mem = &f->mem;
	u8 mod = f->mod;

	*mem = (struct insn_mem){
		.segment = f->segment, .base = INSN_NO_REG, .index = INSN_NO_REG, .scale = 1
	};
	if (f->rm == 4) {
		u8 sib = next_u8(f), index = (sib >> 3 & 7) + f->index_high, base = sib & 7;

		if (vector_index)
			mem->index = vector(index + f->index_v);
		else if (index != 4)
			mem->index = general(index);
		if (mem->index != INSN_NO_REG)
			mem->scale = (u8)(1 << (sib >> 6));
		if (base == 5 && mod == 0)
			mod = 2; /* a 32-bit displacement and no base */
		else
			mem->base = general(base + f->base_high);
	} else if (f->rm == 5 && mod == 0) {
		f->relative = true;
		mod = 2;
	} else {
		mem->base = general(f->rm + f->base_high);
	}
	if (mod == 1)
		mem->disp = next_number(f, 1) * (f->encoding == ENC_EVEX ? unit : 1);
	else if (mod == 2)
		mem->disp = next_number(f, 4);
}

static inline void mark(u64 *set, u8 reg)
{
	if (reg < INSN_NR_REGS)
		set[reg / 64] |= (u64)1 << (reg % 64);
}

static void set_register(struct insn_operand *op, u8 reg, u16 width)
{
	op->kind = INSN_REG;
	op->reg = reg;
	op->width = width;
}

/* Without a REX prefix bytes 4 to 7 are the second bytes of the first four registers. */
static void set_general(const struct fields *f, struct insn_operand *op, u8 number, u16 width)
{
	op->high = width == 1 && !f->rex && f->encoding == ENC_LEGACY && number >= 4;
	set_register(op, general(op->high ? number - 4 : number), width);
}

static void set_vector(struct insn_operand *op, u8 number, u16 width)
{
	set_register(op, vector(number), width > 16 ? width : 16);
}

static void set_memory(struct fields *f, struct insn_operand *op, u8 base, u8 segment, u16 width)
{
	op->kind = INSN_MEM;
	op->width = width;
	op->mem = (struct insn_mem){
		.segment = segment, .base = base, .index = INSN_NO_REG, .scale = 1
	};
}

static void set_immediate(struct fields *f, struct insn_operand *op, u16 size, bool is_signed)
{
	op->kind = INSN_IMM;
	op->width = size;
	op->imm = next_number(f, size);
	if (!is_signed)
		op->imm &= size == 1 ? 0xff : 0xffff;
	f->immediate = (u8)op->imm;
}

/* ModRM.rm as memory, else as a register of the kind that the row says. */
static void set_rm(struct fields *f, struct insn_operand *op, u16 operand)
{
	if (f->mod != 3) {
		op->kind = INSN_MEM;
		op->width = memory_size(f, operand);
		op->mem = f->mem;
		op->relative = f->relative;
		return;
	}
	switch (OPERAND_WHERE(operand)) {
	case AT_W:
		set_vector(op, f->rm + f->rm_high, size_of(f, OPERAND_SIZE(operand), false));
		break;
	case AT_Q:
		set_register(op, X86_MM0 + f->rm, 8);
		break;
	case AT_KE:
		set_register(op, X86_K0 + f->rm, 8);
		break;
	default:
		set_general(f, op, f->rm + f->base_high, size_of(f, OPERAND_SIZE(operand), false));
		break;
	}
}

/* Everything but ModRM.rm. */
static void set_operand(struct fields *f, struct insn_operand *op, u16 operand)
{
	u8 size = OPERAND_SIZE(operand);
	u16 width = size_of(f, size, false);

	switch (OPERAND_WHERE(operand)) {
	case AT_G:
		set_general(f, op, f->reg + (f->reg_high & 8), width);
		break;
	case AT_B:
		set_register(op, general(f->vvvv & 15), width);
		break;
	case AT_Z:
		set_general(f, op, (f->opcode & 7) + f->base_high, width);
		break;
	case AT_AX:
		set_register(op, X86_RAX, width);
		break;
	case AT_CX:
		set_register(op, X86_RCX, width);
		break;
	case AT_DX:
		set_register(op, X86_RDX, width);
		break;
	case AT_V:
		set_vector(op, f->reg + f->reg_high, width);
		break;
	case AT_H:
		set_vector(op, f->vvvv, width);
		break;
	case AT_L:
		set_vector(op, next_u8(f) >> 4, width);
		break;
	case AT_P:
		set_register(op, X86_MM0 + f->reg, 8);
		break;
	case AT_KG:
		set_register(op, X86_K0 + f->reg, 8);
		break;
	case AT_KH:
		set_register(op, X86_K0 + (f->vvvv & 7), 8);
		break;
	case AT_S:
		set_register(op, f->reg < 6 ? X86_ES + f->reg : INSN_NO_REG, width);
		break;
	case AT_FS:
	case AT_GS:
		set_register(op, OPERAND_WHERE(operand) == AT_FS ? X86_FS : X86_GS, width);
		break;
	case AT_CR:
		set_register(op, INSN_NO_REG, width);
		break;
	case AT_ONE:
		op->kind = INSN_IMM;
		op->width = 1;
		op->imm = 1;
		break;
	case AT_O:
		set_memory(f, op, INSN_NO_REG, f->segment, width);
		op->mem.disp = next_number(f, 8);
		break;
	case AT_X:
		set_memory(f, op, X86_RSI, f->segment, width);
		break;
	case AT_Y:
		set_memory(f, op, X86_RDI, INSN_SEG_NONE, width);
		break;
	case AT_XLAT:
		set_memory(f, op, X86_RBX, f->segment, width);
		op->mem.index = X86_RAX;
		break;
	default:
		set_immediate(f, op, width, OPERAND_WHERE(operand) != AT_U);
		break;
	}
}

static void note_operand(struct insn *out, const struct insn_operand *op)
{
	if (op->kind == INSN_REG) {
		if (op->access & INSN_READ)
			mark(out->reads, op->reg);
		if (op->access & INSN_WRITE)
			mark(out->writes, op->reg);
	} else if (op->kind == INSN_MEM) {
		mark(out->reads, op->mem.base);
		mark(out->reads, op->mem.index);
	}
}

static void read_operands(struct fields *f, const struct x86_row *row, u32 nr, struct insn *out)
{
	bool merges = false;

	for (u32 i = 0; i < nr; i++) {
		u16 operand = row->operands[i];
		struct insn_operand *op;

		if (OPERAND_WHERE(operand) == AT_H && f->encoding == ENC_LEGACY) {
			merges = true; /* with the first operand in its place */
			continue;
		}
		op = &out->operands[out->nr_operands++];
		op->access = OPERAND_ACCESS(operand);
		op->implicit = OPERAND_HIDDEN(operand);
		if (is_rm(operand))
			set_rm(f, op, operand);
		else
			set_operand(f, op, operand);
	}
	/* So does a vector of which a mask leaves elements alone. */
	merges |= f->mask && !f->zeroing && out->operands[0].kind == INSN_REG &&
		  out->operands[0].reg < X86_K0;
	if (merges && out->nr_operands)
		out->operands[0].access |= INSN_READ | INSN_WRITE;
	for (u32 i = 0; i < out->nr_operands; i++)
		note_operand(out, &out->operands[i]);
	if (f->mask)
		mark(out->reads, X86_K0 + f->mask);
}

/* What an instruction does to the stack by its nature. */
static void add_stack(const struct fields *f, struct insn *out)
{
	struct insn_operand *op = &out->operands[out->nr_operands];
	u16 width = f->operand == 2 ? 2 : 8;

	*op = (struct insn_operand){ .kind = INSN_MEM,
				     .access = INSN_READ,
				     .width = 8,
				     .implicit = true,
				     .mem = { .base = X86_RSP, .index = INSN_NO_REG, .scale = 1 } };
	switch (out->op) {
	case INSN_PUSH:
	case INSN_POP:
		op->width = width;
		break;
	case INSN_LEAVE:
		op->mem.base = X86_RBP;
		mark(out->writes, X86_RBP);
		break;
	default:
		break;
	}
	if (out->op != INSN_POP && out->op != INSN_LEAVE && out->op != INSN_RETURNS) {
		op->access = INSN_WRITE;
		op->mem.disp = -(s64)op->width;
	}
	out->nr_operands++;
	mark(out->reads, op->mem.base);
	mark(out->writes, X86_RSP);
	mark(out->reads, X86_RSP);
	out->stack_op = true;
}

static void add_string(const struct fields *f, struct insn *out)
{
	for (u32 i = 0; i < out->nr_operands; i++)
		if (out->operands[i].kind == INSN_MEM)
			mark(out->writes, out->operands[i].mem.base);
	out->rep = f->repeat;
	if (f->repeat) {
		mark(out->reads, X86_RCX);
		mark(out->writes, X86_RCX);
	}
	mark(out->reads, X86_RFLAGS); /* the direction */
}

static void set_move(const struct fields *f, const struct x86_row *row, struct insn *out)
{
	if (f->mask)
		out->op = INSN_OTHER;
	else if (out->operands[0].kind == INSN_REG &&
		 out->operands[1].width < out->operands[0].width &&
		 out->operands[1].kind != INSN_IMM)
		out->extends = row->flags & SX ? INSN_EXTEND_SIGN : INSN_EXTEND_ZERO;
}

static void set_zero(struct insn *out)
{
	const struct insn_operand *a = &out->operands[out->nr_operands > 2 ? 1 : 0], *b = a + 1;

	out->zero = a->kind == INSN_REG && b->kind == INSN_REG && a->reg == b->reg &&
		    a->high == b->high;
}

/*
 * A constant stands for what it is extended to at the operation's width; only in sums it is
 * left with its sign, so that add and sub say how far.
 */
static void cut_constant(struct insn *out)
{
	u16 width = out->operands[0].width;

	if (out->op == INSN_ADD || out->op == INSN_SUB || out->op == INSN_ADC ||
	    out->op == INSN_SBB || width >= 8)
		return;
	for (u32 i = 1; i < out->nr_operands; i++)
		if (out->operands[i].kind == INSN_IMM)
			out->operands[i].imm &= ((s64)1 << (8 * width)) - 1;
}

static void add_effects(const struct fields *f, const struct x86_row *row, struct insn *out)
{
	out->reads[0] |= implicit[row->implicit].reads | (row->flags & RF ? FLAGS : 0);
	out->writes[0] |= implicit[row->implicit].writes | (row->flags & WF ? FLAGS : 0);
	if (row->flags & CC)
		out->cond = (f->opcode & 15) + 1;
	cut_constant(out);
	switch (out->op) {
	case INSN_MOV:
		set_move(f, row, out);
		break;
	case INSN_PUSH:
	case INSN_POP:
	case INSN_CALLS:
	case INSN_RETURNS:
	case INSN_LEAVE:
		add_stack(f, out);
		break;
	case INSN_STRING:
		add_string(f, out);
		break;
	default:
		if (row->implicit == IMPLICIT_ENTER)
			add_stack(f, out);
		break;
	}
	if (row->lanes && !f->mask && !f->broadcast)
		insn_x86_lanes(row->lanes, f->immediate, out);
	if (row->flags & SAME0 && !f->mask)
		set_zero(out);
}

/* Targets, of jumps and of operands, that count from the end of the instruction. */
static void set_flow(const struct fields *f, const struct x86_row *row, struct insn *out)
{
	u64 next = out->vaddr + out->size;

	for (u32 i = 0; i < out->nr_operands; i++)
		if (out->operands[i].relative)
			out->operands[i].mem.disp = (s64)((u64)out->operands[i].mem.disp + next);
	out->flow = row->flow;
	if (row->flow == INSN_NEXT || row->flow == INSN_RET || row->flow == INSN_STOP)
		return;
	if (OPERAND_WHERE(row->operands[0]) == AT_J) {
		out->operands[0].imm = (s64)(next + (u64)out->operands[0].imm);
		out->operands[0].width = 8;
		out->target = (u64)out->operands[0].imm;
	} else {
		out->indirect = true;
		out->notrack = f->notrack;
	}
	if (row->implicit == IMPLICIT_LOOP || row->implicit == IMPLICIT_JCXZ)
		out->cond = INSN_COND_RCX;
}

/* VEX and EVEX without a row: a ModRM byte, and a byte more in the maps that end in one. */
static bool read_unknown(struct fields *f, struct insn *out)
{
	static const struct x86_row row = { .operands = { RW(Wx), RW(Vx), RW(Hx) } };
	bool scaled;
	u8 modrm;

	if (f->encoding == ENC_LEGACY ? f->map != MAP_0F38 && f->map != MAP_0F3A
				      : f->map < MAP_0F || f->map >= NR_MAPS || f->map == MAP_4) {
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
	mark(out->writes, general(f->reg + (f->reg_high & 8)));
	if (f->mod == 3)
		mark(out->writes, general(f->rm + f->base_high));
	mark(out->writes, general(f->vvvv & 15));
	if (f->map == MAP_0F3A)
		next_u8(f);
	return !f->failed && !scaled;
}

bool insn_x86_decode(const void *opened, const u8 *code, size_t left, u64 vaddr, struct insn *out)
{
	struct fields f = { .pos = code, .end = code + (left < MAX_SIZE ? left : MAX_SIZE) };
	const struct link *link = NULL;
	const struct x86_row *row;
	bool known = true;

	memset(out, 0, sizeof(*out));
	out->vaddr = vaddr;
	if (read_opcode(&f))
		link = find_row(opened, &f);
	if (f.failed)
		return false;
	row = link ? link->row : NULL;
	out->vex = f.encoding != ENC_LEGACY;
	if (row) {
		out->op = row->op;
		out->lock = f.lock;
		f.pos += link->modrm;
		/* Rounding stands where the length does, which is then the longest. */
		if (f.broadcast && f.mod == 3)
			f.vector = 64;
		if (link->modrm && f.mod != 3)
			read_address(&f, row->op == INSN_GATHER, memory_size(&f, link->memory));
		read_operands(&f, row, link->nr_operands, out);
	} else {
		known = read_unknown(&f, out);
	}
	if (f.failed)
		return false;
	out->size = (u8)(f.pos - code);
	if (row) {
		add_effects(&f, row, out);
		set_flow(&f, row, out);
	}
	return known;
}
