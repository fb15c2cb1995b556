// SPDX-License-Identifier: GPL-2.0-or-later
#include "advise/uses.h"

#define MOST_CODE (1u << 20) /* bytes of one function */

/* A jump backwards: the loop from its target to itself. */
struct loop {
	u64 from, to;
};

struct code_walk {
	struct typeflow *types;
	struct insn_decoder *decoder;
	const struct advise_parts *parts;
	const struct type *asked; /* last asked for, and the answer */
	bool is_type;
	GHashTable *loops; /* const struct symbol * -> GArray of struct loop */
};

static void use_free(void *arg)
{
	struct advise_use *use = arg;

	g_array_unref(use->parts);
	g_free(use);
}

typedef void insn_fn(const struct insn *insn, void *arg);

/* All instructions from @from up to @to. */
static void each_insn(struct code_walk *w, struct dso *dso, u64 from, u64 to, insn_fn *fn,
		      void *arg)
{
	to = MIN(to, from + MOST_CODE);
	while (from < to) {
		size_t left = 0;
		const u8 *code = dso_code(dso, from, &left);
		struct insn insn;

		if (!code || !left)
			return;
		if (insn_decode(w->decoder, code, left, from, &insn))
			fn(&insn, arg);
		from += MAX(insn.size, 1);
	}
}

static void add_loop(const struct insn *insn, void *arg)
{
	struct loop loop = { insn->target, insn->vaddr };

	if ((insn->flow == INSN_COND || insn->flow == INSN_JUMP) && insn->target &&
	    insn->target <= insn->vaddr)
		g_array_append_val((GArray *)arg, loop);
}

static const GArray *loops_of(struct code_walk *w, struct dso *dso, const struct symbol *symbol)
{
	GArray *loops = g_hash_table_lookup(w->loops, symbol);

	if (loops)
		return loops;
	loops = g_array_new(FALSE, FALSE, sizeof(struct loop));
	g_hash_table_insert(w->loops, (void *)symbol, loops);
	each_insn(w, dso, symbol->start, symbol->end, add_loop, loops);
	return loops;
}

/*
 * The smallest loop around @vaddr, by addresses. Two jumps to one target are one loop with two ends: the farther one counts, so that a
 * `continue` does not hide the rest.
 */
static struct loop loop_around(const GArray *loops, const struct symbol *symbol, u64 vaddr)
{
	struct loop best = { symbol->start, symbol->end };

	for (u32 i = 0; i < loops->len; i++) {
		struct loop l = g_array_index(loops, struct loop, i);

		for (u32 j = 0; j < loops->len; j++) {
			const struct loop *other = &g_array_index(loops, struct loop, j);

			if (other->from == l.from)
				l.to = MAX(l.to, other->to);
		}
		if (l.from >= symbol->start && l.from <= vaddr && vaddr <= l.to &&
		    l.to - l.from < best.to - best.from)
			best = l;
	}
	return best;
}

struct filling {
	struct code_walk *walk;
	struct advise_use *use;
};

/* Most accesses of a function are of few types: the answer for the last one is kept. */
static bool is_type(struct code_walk *w, const struct type *type)
{
	if (type != w->asked) {
		w->asked = type;
		w->is_type = advise_parts_is(w->parts, type);
	}
	return w->is_type;
}

static void touch(struct advise_use *use, u32 part, u64 from, u64 to, u8 roles)
{
	struct use_part more = { part, from, to, roles };
	u32 i;

	for (i = 0; i < use->parts->len; i++) {
		struct use_part *p = &g_array_index(use->parts, struct use_part, i);

		if (p->part > part)
			break;
		if (p->part < part)
			continue;
		p->from = MIN(p->from, from);
		p->to = MAX(p->to, to);
		p->roles |= roles;
		return;
	}
	g_array_insert_val(use->parts, i, more);
}

/* An access may cover several parts, as a copy by vector registers does. */
static void touch_bytes(const struct advise_parts *parts, struct advise_use *use, u64 from, u64 to,
			u8 roles)
{
	for (u32 i = 0; i < parts->parts->len; i++) {
		const struct advise_part *p = advise_part(parts, i);
		u64 end = p->place == PART_LAST ? MAX(p->offset, to) : p->offset + p->size;

		if (from < end && p->offset < to)
			touch(use, i, MAX(from, p->offset) - p->offset, MIN(to, end) - p->offset,
			      roles);
		use->follows |= p->links && from == p->offset && roles & INSN_READ;
	}
}

static bool advances(const struct insn *insn, u64 size)
{
	const struct insn_operand *ops = insn->operands;

	if (insn->op == INSN_LEA)
		return ops[1].kind == INSN_MEM && ops[0].kind == INSN_REG &&
		       ops[1].mem.base == ops[0].reg && (u64)ops[1].mem.disp == size;
	return (insn->op == INSN_ADD || insn->op == INSN_SUB) && ops[0].kind == INSN_REG &&
	       ops[1].kind == INSN_IMM && ((u64)ops[1].imm == size || (u64)-ops[1].imm == size);
}

static void take_insn(const struct insn *insn, void *arg)
{
	const struct filling *f = arg;
	struct code_walk *w = f->walk;
	struct access access;
	bool memory = false;

	f->use->steps |= advances(insn, w->parts->size);
	for (u32 i = 0; i < insn->nr_operands; i++)
		memory |= insn->operands[i].kind == INSN_MEM && insn->operands[i].access;
	if (!memory || insn->stack_op ||
	    !typeflow_lookup(w->types, f->use->dso, insn->vaddr, &access) || !access.type ||
	    access.offset < 0 || !is_type(w, access.type))
		return;
	touch_bytes(w->parts, f->use, (u64)access.offset, (u64)access.offset + MAX(access.width, 1),
		    access.roles);
}

static struct advise_use *use_at(struct advise_uses *uses, struct code_walk *w,
				 const struct touch *t)
{
	struct loop loop = loop_around(loops_of(w, t->dso, t->symbol), t->symbol, t->vaddr);
	struct filling filling = { .walk = w };

	for (u32 i = 0; i < uses->uses->len; i++) {
		struct advise_use *use = g_ptr_array_index(uses->uses, i);

		if (use->dso == t->dso && use->from == loop.from && use->to == loop.to)
			return use;
	}
	filling.use = g_new0(struct advise_use, 1);
	*filling.use =
		(struct advise_use){ .dso = t->dso,
				     .symbol = t->symbol,
				     .from = loop.from,
				     .to = loop.to,
				     .loop = loop.to != t->symbol->end,
				     .parts = g_array_new(FALSE, FALSE, sizeof(struct use_part)) };
	each_insn(w, t->dso, loop.from, MIN(loop.to + 1, t->symbol->end), take_insn, &filling);
	g_ptr_array_add(uses->uses, filling.use);
	return filling.use;
}

static void add_touch(struct advise_uses *uses, struct code_walk *w, const struct touch *t,
		      const struct type_count *count)
{
	struct advise_use *use;

	uses->period += count->period;
	uses->samples += count->samples;
	if (!t->symbol || !w->decoder || t->offset < 0)
		return;
	use = use_at(uses, w, t);
	use->count.period += count->period;
	use->count.samples += count->samples;
	touch_bytes(w->parts, use, (u64)t->offset, (u64)t->offset + 1, t->roles);
}

static int compare_uses(const void *pa, const void *pb)
{
	const struct advise_use *a = *(struct advise_use *const *)pa;
	const struct advise_use *b = *(struct advise_use *const *)pb;

	if (a->count.period != b->count.period)
		return a->count.period > b->count.period ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

void advise_uses_init(struct advise_uses *uses, const struct type_profile *profile, u32 event,
		      const struct advise_parts *parts, struct typeflow *types,
		      struct insn_decoder *decoder)
{
	struct code_walk walk = { .types = types,
				  .decoder = decoder,
				  .parts = parts,
				  .loops = g_hash_table_new_full(NULL, NULL, NULL,
								 (GDestroyNotify)g_array_unref) };

	*uses = (struct advise_uses){ .uses = g_ptr_array_new_with_free_func(use_free) };
	for (u32 i = 0; i < profile->touches->len; i++) {
		const struct touch *t = g_ptr_array_index(profile->touches, i);

		if (t->counts[event].samples)
			add_touch(uses, &walk, t, &t->counts[event]);
	}
	g_ptr_array_sort(uses->uses, compare_uses);
	g_hash_table_unref(walk.loops);
}

void advise_uses_release(struct advise_uses *uses)
{
	g_ptr_array_unref(uses->uses);
}

const struct use_part *advise_use_part(const struct advise_use *use, u32 part)
{
	for (u32 i = 0; i < use->parts->len; i++) {
		const struct use_part *p = &g_array_index(use->parts, struct use_part, i);

		if (p->part == part)
			return p;
	}
	return NULL;
}

bool advise_is_touched(const struct advise_uses *uses, u32 part)
{
	for (u32 i = 0; i < uses->uses->len; i++)
		if (advise_use_part(advise_use(uses, i), part))
			return true;
	return false;
}
