// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where is the section of per-CPU variables? Example, Linux 6.18:
 *
 *	code	ffffffff8104a010: 65 48 8b 05 e8 4f 5c 02	mov %gs:0x25c4fe8(%rip),%rax
 *		its operand is at ffffffff8104a018 + 0x25c4fe8 = ffffffff8360f000
 *	BTF	[126610] DATASEC '.data..percpu': '__stack_chk_guard' at 0x19000
 *	guess	the operand is __stack_chk_guard: the section is at ffffffff835f6000
 *
 * Each operand is taken for one of a few variables that all code uses. A guess must be the start of a page. The guess
 * counts by which most operands are at the start of a variable. Before Linux 6.15, the section is at 0.
 */
#include <string.h>

#include "base/search.h"
#include "btf/to_dwarf.h"

#define PAGE	     4096
#define MAX_OPERANDS (1 << 16)
#define MAX_GUESSES  64
#define MAX_LENGTH   12 /* bytes of such an instruction */

static const char *const anchors[] = { "__stack_chk_guard", "current_task", "pcpu_hot",
				       "this_cpu_off" };

struct percpu_section {
	GArray *starts; /* u32: offsets of variables, sorted */
	u32 anchors[ARRAY_SIZE(anchors)];
	u32 nr_anchors;
};

static int compare_offsets(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

static int compare_addresses(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

static void add_variable(struct percpu_section *s, const char *name, u32 offset)
{
	g_array_append_val(s->starts, offset);
	for (u32 i = 0; i < ARRAY_SIZE(anchors); i++)
		if (!strcmp(name, anchors[i]) && s->nr_anchors < ARRAY_SIZE(anchors))
			s->anchors[s->nr_anchors++] = offset;
}

static void read_section(const struct btf *btf, struct percpu_section *s)
{
	for (u32 id = 1; id < btf_nr_types(btf); id++) {
		const struct btf_type *type = btf_type(btf, id);
		const struct btf_var_secinfo *vars = (const void *)(type + 1);

		if (btf_kind(type) != BTF_KIND_DATASEC ||
		    strcmp(btf_name(btf, type->name_off), ".data..percpu") != 0)
			continue;
		for (u32 i = 0; i < BTF_INFO_VLEN(type->info); i++)
			add_variable(s, btf_name(btf, btf_type(btf, vars[i].type)->name_off),
				     vars[i].offset);
	}
	g_array_sort(s->starts, compare_offsets);
}

/* Instructions that often have a per-CPU operand, by opcode, with the bytes of the constant behind it. */
static const struct {
	u8 opcode, constant;
} forms[] = {
	{ 0x8b, 0 }, { 0x89, 0 }, { 0x03, 0 }, { 0x01, 0 }, { 0x2b, 0 }, { 0x3b, 0 }, { 0x39, 0 },
	{ 0x63, 0 }, { 0x85, 0 }, { 0xff, 0 }, { 0x80, 1 }, { 0x83, 1 }, { 0x81, 4 }, { 0xc7, 4 },
};

/* The length of the instruction at @at, from its %gs prefix on, if it is one of these with disp32(%rip); 0: it is not. */
static u32 percpu_length(const u8 *at)
{
	u32 rex = (at[1] & 0xf0) == 0x40;

	if (at[0] != 0x65 || (at[2 + rex] & 0xc7) != 0x05)
		return 0;
	for (u32 i = 0; i < ARRAY_SIZE(forms); i++)
		if (at[1 + rex] == forms[i].opcode)
			return 1 + rex + 2 + 4 + forms[i].constant;
	return 0;
}

static void find_operands(const struct btf_text *text, GArray *operands)
{
	for (size_t i = 0; i + MAX_LENGTH <= text->size && operands->len < MAX_OPERANDS; i++) {
		const u8 *at = text->bytes + i;
		u32 length = percpu_length(at);
		s32 distance;
		u64 operand;

		if (!length)
			continue;
		memcpy(&distance, at + ((at[1] & 0xf0) == 0x40) + 3, sizeof(distance));
		operand = text->vaddr + i + length + (u64)(s64)distance;
		g_array_append_val(operands, operand);
	}
}

/* How many operands are at the start of a variable if the section is at @base? */
static u32 fitting(const struct percpu_section *s, const GArray *operands, u64 base)
{
	const u32 *starts = (const u32 *)(const void *)s->starts->data;
	u32 nr = s->starts->len, fit = 0;

	for (u32 i = 0; i < operands->len; i++) {
		u64 offset = g_array_index(operands, u64, i) - base;
		u32 at = SEARCH(j, 0, nr, starts[j] < offset);

		fit += at < nr && starts[at] == offset;
	}
	return fit;
}

static void try_base(const struct percpu_section *s, const GArray *operands, u64 base, u64 *best,
		     u32 *most)
{
	u32 fit = fitting(s, operands, base);

	if (fit > *most) {
		*most = fit;
		*best = base;
	}
}

bool btf_percpu_base(const struct btf *btf, const struct btf_text *texts, u32 nr, u64 *base)
{
	struct percpu_section s = { .starts = g_array_new(FALSE, FALSE, sizeof(u32)) };
	g_autoptr(GArray) operands = g_array_new(FALSE, FALSE, sizeof(u64));
	u32 most = 0, guesses = 0;

	read_section(btf, &s);
	for (u32 i = 0; i < nr; i++)
		find_operands(&texts[i], operands);
	g_array_sort(operands, compare_addresses);
	try_base(&s, operands, 0, base, &most);
	for (u32 i = 0; i < operands->len; i++) {
		u64 operand = g_array_index(operands, u64, i);

		if (i && operand == g_array_index(operands, u64, i - 1))
			continue;
		for (u32 a = 0; a < s.nr_anchors; a++)
			if ((operand - s.anchors[a]) % PAGE == 0 && guesses++ < MAX_GUESSES)
				try_base(&s, operands, operand - s.anchors[a], base, &most);
	}
	g_array_unref(s.starts);
	/* By chance, a wrong base fits a few operands. */
	return most >= 2 && most > operands->len / 2;
}
