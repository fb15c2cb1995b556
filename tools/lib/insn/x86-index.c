// SPDX-License-Identifier: GPL-2.0-or-later
#include "insn/x86-index.h"

#include "insn/x86-fields.h"

static const u16 fixed_sizes[NR_FIXED_SIZES] = {
	[SIZE_0] = 0,	[SIZE_1] = 1,	[SIZE_2] = 2,	  [SIZE_4] = 4,
	[SIZE_8] = 8,	[SIZE_10] = 10, [SIZE_16] = 16,	  [SIZE_28] = 28,
	[SIZE_32] = 32, [SIZE_64] = 64, [SIZE_108] = 108, [SIZE_512] = 512,
};

const struct x86_place x86_places[] = {
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

static struct x86_link link_of(const struct x86_row *row)
{
	struct x86_link link = {
		.row = row,
		.modrm = row->digit || row->rm || row->flags & (MODRM | MEM | REG),
	};

	for (u32 i = 0; i < ARRAY_SIZE(row->operands) && row->operands[i]; i++) {
		u8 source = x86_places[OPERAND_WHERE(row->operands[i])].source;

		link.modrm |= source == SOURCE_RM || source == SOURCE_REG;
		if (source == SOURCE_RM)
			link.memory = row->operands[i];
		link.nr_operands++;
	}
	return link;
}

/* @link: of @row. */
static void index_row(struct x86_index *index, const struct x86_row *row,
		      const struct x86_link *link, u32 encoding, u32 simd)
{
	for (u32 code = row->opcode; code <= row->opcode + (u32)row->more; code++) {
		u16 *at = &index->first[encoding][row->map][simd][code & 0xff];

		while (*at)
			at = &g_array_index(index->links, struct x86_link, *at).next;
		*at = (u16)index->links->len;
		g_array_append_vals(index->links, link, 1);
	}
}

static void index_rows(struct x86_index *index, const struct x86_row *rows, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		struct x86_link link = link_of(&rows[i]);

		for (u32 encoding = 0; encoding < NR_ENCODINGS; encoding++)
			for (u32 simd = 0; simd < NR_SIMD; simd++)
				if (rows[i].encodings >> encoding & 1 &&
				    rows[i].prefixes >> simd & 1)
					index_row(index, &rows[i], &link, encoding, simd);
	}
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

struct x86_index *x86_index_new(void)
{
	struct x86_index *index = g_new0(struct x86_index, 1);
	struct x86_link none = { 0 };

	index->links = g_array_new(false, true, sizeof(struct x86_link));
	g_array_set_size(index->links, 8192);
	g_array_set_size(index->links, 0);
	g_array_append_val(index->links, none);
	index_sizes(index);
	index_rows(index, x86_general, x86_nr_general);
	index_rows(index, x86_vector, x86_nr_vector);
	return index;
}

void x86_index_free(struct x86_index *index)
{
	g_array_free(index->links, true);
	g_free(index);
}
