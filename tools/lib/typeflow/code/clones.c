// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A search in the bytes of all code, without decoding: a relative call or jump is found by its opcode and by the
 * target that the distance behind it leads to. A short jump cannot be far from its target, so those are only searched for
 * near the clones.
 *
 *	e8 d2 ff ff ff	call	(also e9, jmp; 0f 80 to 0f 8f, jcc)
 *	eb d5		jmp	(also 70 to 7f, jcc); the target is at most 128 bytes away
 *
 * Example: mix.isra.0 is at 1150, so @targets is { 1150 }.
 *
 *	1180: e8 cb ff ff ff		call: ends at 1185, 1185 - 35 = 1150: site { 1150, 1185 }
 *	1190: e8 6b 02 00 00		call: leads to 1400, which is no clone
 *	119a: 48 8d 3d e8 01 00 00	lea: its e8 at 119d is taken for a call, which leads to no clone
 *
 * Every such byte is tried, as it is not known where instructions begin. No call is missed by that. A site that is none is
 * rare: its four bytes must lead to a clone by accident. The caller decodes the function around each site and compares
 * the target of each instruction, so a false site costs time, and no answer is wrong.
 */
#include <string.h>

#include "base/search.h"
#include "dwarf/protos.h"
#include "typeflow/code/clones.h"

#define FILTER_BITS (1u << 15)

struct site {
	u64 target, end; /* vaddr; @end is behind the call or jump, like its return address */
};

struct clones {
	bool read;	 /* the arrays exist */
	GArray *targets; /* u64, sorted: the clones of the object */
	GArray *sites;	 /* struct site, sorted */
	GArray *found;	 /* u64: the last answer */
	u8 *filter; /* FILTER_BITS; while sites are read: a target has its bit set, most others have not */
};

struct clones *clones_new(void)
{
	return g_new0(struct clones, 1);
}

void clones_free(struct clones *clones)
{
	if (clones && clones->read) {
		g_array_unref(clones->targets);
		g_array_unref(clones->sites);
		g_array_unref(clones->found);
	}
	g_free(clones);
}

static int compare_targets(const void *pa, const void *pb)
{
	const u64 *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

static int compare_sites(const void *pa, const void *pb)
{
	const struct site *a = pa, *b = pb;

	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

static u32 filter_bit(u64 target)
{
	return (u32)(target ^ target >> 15) % FILTER_BITS;
}

static void read_targets(struct clones *clones, struct dso *dso)
{
	for (u32 i = 0; i < dso_nr_symbols(dso); i++) {
		const struct symbol *symbol = dso_symbol(dso, i);

		if (symbol && symbol->raw && proto_is_altered(symbol->raw))
			g_array_append_val(clones->targets, symbol->start);
	}
	g_array_sort(clones->targets, compare_targets);
	for (u32 i = 0; i < clones->targets->len; i++) {
		u32 bit = filter_bit(g_array_index(clones->targets, u64, i));

		clones->filter[bit / 8] |= (u8)(1 << bit % 8);
	}
}

static u32 first_target(const struct clones *clones, u64 vaddr)
{
	return SEARCH(i, 0, clones->targets->len, g_array_index(clones->targets, u64, i) < vaddr);
}

static void add_site(struct clones *clones, u64 target, u64 end)
{
	struct site site = { .target = target, .end = end };
	u32 bit = filter_bit(target), at;

	if (!(clones->filter[bit / 8] >> bit % 8 & 1))
		return;
	at = first_target(clones, target);

	if (at < clones->targets->len && g_array_index(clones->targets, u64, at) == target)
		g_array_append_val(clones->sites, site);
}

/* Code whose first byte is at @va. */
struct code_range {
	const u8 *code;
	u64 va, size;
};

/* @i: of the opcode, or of the second byte of 0f 8x. The distance counts from the end of the instruction. */
static void take_long(struct clones *clones, const struct code_range *r, u64 i)
{
	s32 distance;

	if (i + 5 > r->size)
		return;
	memcpy(&distance, r->code + i + 1, sizeof(distance));
	add_site(clones, r->va + i + 5 + (u64)(s64)distance, r->va + i + 5);
}

/* Long calls and jumps that begin with byte @first. */
static void read_long(struct clones *clones, const struct code_range *r, u8 first)
{
	const u8 *end = r->code + r->size, *at = r->code;

	while ((at = memchr(at, first, (size_t)(end - at))) && ++at < end) {
		if (first != 0x0f)
			take_long(clones, r, (u64)(at - 1 - r->code));
		else if (*at >> 4 == 8)
			take_long(clones, r, (u64)(at - r->code));
	}
}

/* Short jumps, from 128 bytes before a clone to 127 behind it: that is where the instruction ends. */
static void read_short(struct clones *clones, const struct code_range *r)
{
	u32 near = first_target(clones, r->va > 128 ? r->va - 128 : 0);
	u64 i = 0;

	for (; near < clones->targets->len; near++) {
		u64 target = g_array_index(clones->targets, u64, near);

		if (target > r->va + 129)
			i = MAX(i, target - 129 - r->va);
		for (; i + 1 < r->size && r->va + i + 2 <= target + 128; i++) {
			u64 end = r->va + i + 2;

			if (r->code[i] >> 4 == 7 || r->code[i] == 0xeb)
				add_site(clones, end + (u64)(s64)(s8)r->code[i + 1], end);
		}
		if (i + 1 >= r->size)
			break;
	}
}

static void read_code(struct clones *clones, struct dso *dso, u64 low, u64 high)
{
	size_t left;
	const u8 *code = dso_code(dso, low, &left);
	struct code_range r = { code, low, code ? MIN(high - low, left) : 0 };

	if (!r.size)
		return;
	read_long(clones, &r, 0xe8);
	read_long(clones, &r, 0xe9);
	read_long(clones, &r, 0x0f);
	read_short(clones, &r);
}

static void read_all(struct clones *clones, struct dso *dso, const struct data_image *image)
{
	u64 low, high;

	clones->read = true;
	clones->targets = g_array_new(false, false, sizeof(u64));
	clones->sites = g_array_new(false, false, sizeof(struct site));
	clones->found = g_array_new(false, false, sizeof(u64));
	clones->filter = g_malloc0(FILTER_BITS / 8);
	read_targets(clones, dso);
	for (u32 i = 0; data_image_code(image, i, &low, &high); i++)
		read_code(clones, dso, low, high);
	g_clear_pointer(&clones->filter, g_free);
	g_array_sort(clones->sites, compare_sites);
}

const u64 *clones_sites(struct clones *clones, struct dso *dso, const struct data_image *image,
			u64 target, u32 *nr)
{
	u32 at;

	if (!clones->read)
		read_all(clones, dso, image);
	g_array_set_size(clones->found, 0);
	at = SEARCH(i, 0, clones->sites->len,
		    g_array_index(clones->sites, struct site, i).target < target);
	for (; at < clones->sites->len; at++) {
		const struct site *site = &g_array_index(clones->sites, struct site, at);

		if (site->target != target)
			break;
		g_array_append_val(clones->found, site->end);
	}
	*nr = clones->found->len;
	return (const u64 *)(void *)clones->found->data;
}
