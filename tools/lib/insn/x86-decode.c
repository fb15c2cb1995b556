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
#include "insn/x86-row.h"

#define MAX_SIZE 15 /* SDM volume 2, section 2.3.11 */

/* AMD's XOP: like VEX, but with another first byte and its own maps (APM volume 3, section 1.8). */
enum { MAP_XOP8 = 8, MAP_XOP9, MAP_XOPA };

struct link {
	const struct x86_row *row;
	u16 next; /* index in links; 0: none */
	bool modrm;
	u8 nr_operands;
	u16 memory; /* index of the operand in ModRM.rm; 0: none */
};

struct x86_index {
	u16 first[NR_ENCODINGS][NR_MAPS][NR_SIMD][256]; /* indexes in links */
	GArray *links;					/* struct link; number 0 is unused */
	/* Bytes of an operand, by [operand size][vector size][register, memory][enum x86_size]. */
	u16 sizes[3][3][2][NR_SIZES];
};

/* The bits of the instruction that hold a register's number. */
enum operand_source {
	SOURCE_OTHER, /* none: an immediate, an address */
	SOURCE_RM,
	SOURCE_REG,
	SOURCE_VVVV,
	SOURCE_OPCODE,
	SOURCE_IMMEDIATE,
	SOURCE_0,
	SOURCE_1,
	SOURCE_2,
	SOURCE_4,
	SOURCE_5,
	NR_SOURCES,
};

/* The facts known before the row is selected: prefixes, opcode, and the sizes that depend on them. */
struct fields {
	const u8 *pos, *end;
	bool failed;
	u8 encoding, map, simd, opcode;
	bool rex, w, lock, repeat, opsize, notrack, broadcast, masked, zeroing;
	u8 mask, segment;
	/* upper bits of the numbers in ModRM and SIB */
	u8 reg_high, index_high, base_high, rm_high;
	u8 vvvv, index_v;
	u8 mod, reg, rm;
	u16 vector;		      /* bytes */
	u8 operand;		      /* bytes: the operand size */
	const u16 (*sizes)[NR_SIZES]; /* bytes, by register or memory */
	u8 numbers[NR_SOURCES];
	struct insn_mem mem;
	bool relative;
	u8 immediate; /* the last immediate of one byte */
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

enum operand_class { GENERAL, VECTOR, MMX, MASK, SEGMENT, NAMELESS, NR_CLASSES };

static const struct operand_place {
	u8 source, class;
	u8 least; /* minimum width in bytes of a register operand */
} places[] = {
	[AT_E] = { SOURCE_RM, GENERAL, 0 },	   [AT_G] = { SOURCE_REG, GENERAL, 0 },
	[AT_B] = { SOURCE_VVVV, GENERAL, 0 },	   [AT_Z] = { SOURCE_OPCODE, GENERAL, 0 },
	[AT_AX] = { SOURCE_0, GENERAL, 0 },	   [AT_CX] = { SOURCE_1, GENERAL, 0 },
	[AT_DX] = { SOURCE_2, GENERAL, 0 },	   [AT_W] = { SOURCE_RM, VECTOR, 16 },
	[AT_V] = { SOURCE_REG, VECTOR, 16 },	   [AT_H] = { SOURCE_VVVV, VECTOR, 16 },
	[AT_L] = { SOURCE_IMMEDIATE, VECTOR, 16 }, [AT_Q] = { SOURCE_RM, MMX, 8 },
	[AT_P] = { SOURCE_REG, MMX, 8 },	   [AT_KE] = { SOURCE_RM, MASK, 8 },
	[AT_KG] = { SOURCE_REG, MASK, 8 },	   [AT_KH] = { SOURCE_VVVV, MASK, 8 },
	[AT_T] = { SOURCE_RM, VECTOR, 16 },	   [AT_S] = { SOURCE_REG, SEGMENT, 2 },
	[AT_FS] = { SOURCE_4, SEGMENT, 2 },	   [AT_GS] = { SOURCE_5, SEGMENT, 2 },
	[AT_CR] = { SOURCE_REG, NAMELESS, 8 },	   [AT_XLAT] = { SOURCE_OTHER, 0, 0 },
};

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

static struct link link_of(const struct x86_row *row)
{
	struct link link = {
		.row = row,
		.modrm = row->digit || row->rm || row->flags & (MODRM | MEM | REG),
	};

	for (u32 i = 0; i < ARRAY_SIZE(row->operands) && row->operands[i]; i++) {
		u8 source = places[OPERAND_WHERE(row->operands[i])].source;

		link.modrm |= source == SOURCE_RM || source == SOURCE_REG;
		if (source == SOURCE_RM)
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

/* Bytes of a memory operand or general register. Computed once per decoder. */
static u16 size_of(u8 size, u16 operand, u16 vector, bool memory)
{
	if (size < NR_FIXED_SIZES)
		return fixed_sizes[size];
	switch (size) {
	case SIZE_V:
		return operand;
	case SIZE_Z:
		return operand == 2 ? 2 : 4;
	case SIZE_Y:
		return operand == 8 ? 8 : 4;
	case SIZE_STACK:
		return operand == 2 ? 2 : 8;
	case SIZE_HALF_V:
		return operand / 2;
	case SIZE_V2:
		return memory ? 2 : operand;
	case SIZE_D1:
		return memory ? 1 : 4;
	case SIZE_D2:
		return memory ? 2 : 4;
	case SIZE_2Y:
		return operand == 8 ? 16 : 8;
	case SIZE_FAR:
		return operand + 2;
	case SIZE_X2:
		return vector / 2;
	case SIZE_X4:
		return vector / 4;
	case SIZE_X8:
		return vector / 8;
	case SIZE_DUP:
		return vector == 16 ? 8 : vector;
	default:
		return vector;
	}
}

static void index_sizes(struct x86_index *index)
{
	for (u32 i = 0; i < 3; i++)
		for (u32 j = 0; j < 3; j++)
			for (u8 size = 0; size < NR_SIZES; size++)
				for (u32 memory = 0; memory < 2; memory++)
					index->sizes[i][j][memory][size] =
						size_of(size, 2 << i, 16 << j, memory);
}

void *insn_x86_open(void)
{
	struct x86_index *index = g_new0(struct x86_index, 1);
	struct link none = { 0 };

	index->links = g_array_new(false, true, sizeof(struct link));
	g_array_set_size(index->links, 8192);
	g_array_set_size(index->links, 0);
	g_array_append_val(index->links, none);
	index_sizes(index);
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

/* Reads a little-endian signed number of 1, 2, 4 or 8 bytes. */
static inline s64 next_number(struct fields *f, u32 size)
{
	struct cursor cursor = cursor_of(f->pos, (size_t)(f->end - f->pos));
	s64 value = size == 1	? (s8)cursor_u8(&cursor)
		    : size == 4 ? (s32)cursor_u32(&cursor)
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

static void set_rex(struct fields *f, u8 rex)
{
	f->rex = rex;
	f->w = rex & 8;
	f->reg_high = rex << 1 & 8;
	f->index_high = rex << 2 & 8;
	f->base_high = f->rm_high = rex << 3 & 8;
}

/* Reads the legacy prefixes and REX. Returns the first byte after them. */
static u8 read_prefixes(struct fields *f)
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

/* Reads prefixes and opcode. The row tells the meaning of the bytes after them. */
static bool read_opcode(struct fields *f)
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

/* Selects the row. Reads ModRM if the row depends on ModRM.reg or ModRM.mod. NULL: there is no row. */
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

/* With EVEX.b (broadcast), memory has a single element, which is copied to all elements of the vector. */
static inline u16 memory_size(const struct fields *f, u16 operand)
{
	if (f->broadcast && OPERAND_WHERE(operand) == AT_W)
		return f->map == MAP_5 || f->map == MAP_6 ? 2 : f->w ? 8 : 4;
	return f->sizes[1][OPERAND_SIZE(operand)];
}

/*
 * Reads SIB and displacement of a ModRM byte with mod < 3 (SDM volume 2, tables 2-2, 2-3, 2-7). @unit: factor of a
 * one-byte displacement in EVEX (disp8*N); else 1.
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

static inline void mark(u64 *set, u8 reg)
{
	if (reg < INSN_NR_REGS)
		set[reg / 64] |= (u64)1 << (reg % 64);
}

/* Byte registers 4 to 7: ah, ch, dh, bh without a REX prefix; spl, bpl, sil, dil with one. */
static void set_register(const struct fields *f, const struct operand_place *place,
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

static void set_immediate(struct fields *f, struct insn_operand *op, bool is_signed)
{
	op->kind = INSN_IMM;
	op->imm = next_number(f, op->width);
	if (!is_signed)
		op->imm &= op->width == 1 ? 0xff : 0xffff;
	f->immediate = (u8)op->imm;
}

/* Sets operands that are not in a register number or ModRM.rm: immediates, fixed addresses. */
static void set_other(struct fields *f, struct insn_operand *op, u8 where)
{
	switch (where) {
	case AT_L:
		f->numbers[SOURCE_IMMEDIATE] = next_u8(f) >> 4;
		set_register(f, &places[AT_L], op, op->width);
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

static void set_operand(struct fields *f, struct insn_operand *op, u16 operand)
{
	const struct operand_place *place = &places[OPERAND_WHERE(operand)];

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
			mark(out->reads, op->reg);
		if (op->access & INSN_WRITE)
			mark(out->writes, op->reg);
	} else if (op->kind == INSN_MEM) {
		mark(out->reads, op->mem.base);
		mark(out->reads, op->mem.index);
	}
}

/* Collects the register numbers of all fields of the encoding. */
static void set_numbers(struct fields *f)
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

static void read_operands(struct fields *f, const struct x86_row *row, u32 nr, struct insn *out)
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
		mark(out->reads, X86_K0 + f->mask);
		if (row->op == INSN_GATHER)
			mark(out->writes, X86_K0 + f->mask); /* the instruction clears the mask */
		/* Merge masking keeps some elements of the destination, so it also reads the destination. */
		merges |= !f->zeroing && out->operands[0].kind == INSN_REG &&
			  out->operands[0].reg < X86_K0;
	}
	if (merges) {
		out->operands[0].access |= INSN_READ | INSN_WRITE;
		note_operand(out, &out->operands[0]);
	}
}

/* Adds the implicit stack operands of push, pop, call, ret, enter and leave. */
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
	mark(out->reads, X86_RFLAGS); /* the direction flag */
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
 * Truncates a sign-extended immediate to the operation's width: `or $-1,%al` has 0xff. In add and sub the sign is kept,
 * because the number is a distance: `add $-8,%rsp` has -8.
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
	if (out->nr_operands > 1)
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

/* Resolves jump targets and rip-relative operands. Both are relative to the end of the instruction. */
static void set_flow(const struct fields *f, const struct x86_row *row, struct insn *out)
{
	u64 next = out->vaddr + out->size;

	for (u32 i = 0; f->relative && i < out->nr_operands; i++)
		if (out->operands[i].relative)
			out->operands[i].mem.disp = (s64)((u64)out->operands[i].mem.disp + next);
	out->flow = row->flow;
	if (row->flow == INSN_NEXT || row->flow >= INSN_RET)
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

/* VEX or EVEX without a row: there is a ModRM byte, and in some maps an immediate byte. */
static bool read_unknown(struct fields *f, struct insn *out)
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
	mark(out->writes, registers[GENERAL][f->reg + f->reg_high]);
	if (f->mod == 3)
		mark(out->writes, registers[GENERAL][f->rm + f->base_high]);
	mark(out->writes, registers[GENERAL][f->vvvv]);
	if (f->map == MAP_0F3A || f->map == MAP_XOP8)
		next_u8(f);
	else if (f->map == MAP_XOPA)
		next_number(f, 4);
	return !f->failed && !scaled;
}

bool insn_x86_decode(const void *opened, const u8 *code, size_t left, u64 vaddr, struct insn *out)
{
	struct fields f = { .pos = code, .end = code + (left < MAX_SIZE ? left : MAX_SIZE) };
	const struct link *link = NULL;
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
	if (row) {
		add_effects(&f, row, out);
		set_flow(&f, row, out);
	}
	return known;
}
