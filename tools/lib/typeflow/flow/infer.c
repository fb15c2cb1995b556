// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Uses of a value, recorded for its maker, and the types that are inferred from them.
 *
 *	struct item { long id, size; };		void item_free(struct item *);
 *	void drop(void *p, struct item *spare, int again)
 *	{
 *		struct item *i = again ? p : spare;
 *		total -= i->size;
 *		item_free(i);
 *	}
 *
 *	test   %edx,%edx
 *	cmove  %rsi,%rdi	%rdi: a new value M, the join of the entry's %rdi (SYMBOL) and %rsi
 *	mov    0x8(%rdi),%rax	no answer in this round
 *	sub    %rax,total(%rip)
 *	jmp    item_free	use: M is an argument of type struct item *
 *
 * infer_use() records (M, struct item, 0, USE_ARGUMENT). infer_decide() passes the uses of M on to the values that M
 * joins. Of two uses the higher rank wins. Of two uses of the same rank, the type that contains the other wins
 * (reconcile()); if neither contains the other, the value gets no type. infer_apply() gives M its type in the next
 * round.
 */
#include <string.h>

#include "typeflow/flow/infer.h"
#include "typeflow/layout/layout.h"

#define MAX_PASSES 6

/* The join @join merges the value of @from plus @delta. */
struct join_edge {
	u32 join, from;
	s64 delta;
};

static void guesses_init(struct guesses *guesses, u32 nr_makers)
{
	guesses->at = g_new0(u32, nr_makers);
	if (!guesses->list)
		guesses->list = g_array_new(false, false, sizeof(struct guess));
	for (u32 i = 0; i < guesses->list->len; i++)
		guesses->at[g_array_index(guesses->list, struct guess, i).maker] = i + 1;
}

static struct guess *guess_at(const struct guesses *guesses, u32 maker)
{
	u32 at = guesses->at[maker];

	return at ? &g_array_index(guesses->list, struct guess, at - 1) : NULL;
}

static void guess_add(struct guesses *guesses, const struct guess *guess)
{
	g_array_append_vals(guesses->list, guess, 1);
	guesses->at[guess->maker] = guesses->list->len;
}

struct infer *infer_new(u32 nr_insns, u32 nr_blocks)
{
	struct infer *infer = g_new0(struct infer, 1);

	infer->nr_insns = nr_insns;
	infer->nr_makers = 1 + nr_insns * MAKERS_PER_INSN + STATE_REGS + INFER_REGS * nr_blocks;
	infer->row_list = g_array_new(false, false, sizeof(struct array_pointer));
	infer->joins = g_array_new(false, false, sizeof(struct join_edge));
	infer->news = g_array_new(false, false, sizeof(struct infer_news));
	infer_unpack(infer);
	return infer;
}

/* True if there is a new one. */
static bool decide_rows(struct infer *infer)
{
	bool fresh = infer->nr_rows < infer->row_list->len;

	for (; infer->nr_rows < infer->row_list->len; infer->nr_rows++) {
		const struct array_pointer *row =
			&g_array_index(infer->row_list, struct array_pointer, infer->nr_rows);

		infer->rows[row->maker] |= ROW_NOTED | ROW_DECIDED;
		if (row->back)
			infer->rows[row->maker] |= ROW_NOTED_BACK | ROW_DECIDED_BACK;
		infer_add_news(infer, row->maker, true);
	}
	return fresh;
}

void infer_pack(struct infer *infer)
{
	g_clear_pointer(&infer->noted.at, g_free);
	g_clear_pointer(&infer->noted.list, g_array_unref);
	g_clear_pointer(&infer->decided.at, g_free);
	g_clear_pointer(&infer->rows, g_free);
	g_clear_pointer(&infer->doubts, g_free);
	g_clear_pointer(&infer->joins, g_array_unref);
	g_clear_pointer(&infer->loaded, g_hash_table_unref);
	g_clear_pointer(&infer->moved, g_hash_table_unref);
	g_clear_pointer(&infer->cursor_loads, g_array_unref);
}

void infer_unpack(struct infer *infer)
{
	guesses_init(&infer->noted, infer->nr_makers);
	guesses_init(&infer->decided, infer->nr_makers);
	if (!infer->joins)
		infer->joins = g_array_new(false, false, sizeof(struct join_edge));
	infer->rows = g_new0(u8, infer->nr_makers);
	infer->doubts = g_new0(u8, infer->nr_makers);
	infer->nr_rows = 0;
	decide_rows(infer);
	g_array_set_size(infer->news, 0);
}

void infer_free(struct infer *infer)
{
	if (!infer)
		return;
	g_clear_pointer(&infer->noted.list, g_array_unref);
	g_clear_pointer(&infer->joins, g_array_unref);
	g_free(infer->noted.at);
	g_free(infer->decided.at);
	g_array_unref(infer->decided.list);
	g_free(infer->rows);
	g_free(infer->doubts);
	g_array_unref(infer->row_list);
	g_array_unref(infer->news);
	if (infer->choices)
		g_hash_table_unref(infer->choices);
	if (infer->beside)
		g_hash_table_unref(infer->beside);
	if (infer->second)
		g_hash_table_unref(infer->second);
	g_clear_pointer(&infer->shapes, g_hash_table_unref);
	g_clear_pointer(&infer->loaded, g_hash_table_unref);
	g_clear_pointer(&infer->moved, g_hash_table_unref);
	infer_cursors_free(infer);
	g_free(infer);
}

u32 maker_is_insn(const struct infer *infer, u32 maker)
{
	return maker && maker <= infer->nr_insns * MAKERS_PER_INSN ? (maker - 1) / MAKERS_PER_INSN
								   : CFG_NONE;
}

u8 maker_is_entry(const struct infer *infer, u32 maker)
{
	u32 first = maker_entry(infer, 0);

	return maker >= first && maker < first + STATE_REGS ? (u8)(maker - first) : INSN_NO_REG;
}

u32 maker_is_join(const struct infer *infer, u32 maker)
{
	u32 first = maker_join(infer, 0, 0);

	return maker >= first && maker < infer->nr_makers ? (maker - first) / INFER_REGS : CFG_NONE;
}

/* Keeps in @known the type that contains the other. False: they contradict each other. */
static bool reconcile(struct guess *known, const struct guess *said)
{
	s64 distance;

	if (known->offset == said->offset && layout_same(known->type, said->type))
		return true;
	if (!__builtin_sub_overflow(known->offset, said->offset, &distance) &&
	    layout_contains(known->type, distance, said->type))
		return true;
	if (!__builtin_sub_overflow(said->offset, known->offset, &distance) &&
	    layout_contains(said->type, distance, known->type)) {
		known->type = said->type;
		known->offset = said->offset;
		return true;
	}
	/* Uses of different parts of a larger object: keep the one that is nearest to the value. */
	if (known->offset != said->offset && known->rank != USE_SOURCE) {
		if (ABS(said->offset) < ABS(known->offset)) {
			known->type = said->type;
			known->offset = said->offset;
		}
		return true;
	}
	return false;
}

/* True if the recorded use changed. */
static bool note(struct infer *infer, u32 maker, const struct guess *said)
{
	struct guess *known = guess_at(&infer->noted, maker), before;

	if (!known) {
		struct guess first = *said;

		first.maker = maker;
		guess_add(&infer->noted, &first);
		return true;
	}
	if (said->rank < known->rank || (said->rank == known->rank && known->conflict))
		return false;
	before = *known;
	if (said->rank > known->rank) {
		*known = *said;
		known->maker = maker;
	} else if (said->conflict || !reconcile(known, said)) {
		known->conflict = true;
	}
	return before.type != known->type || before.offset != known->offset ||
	       before.rank != known->rank || before.conflict != known->conflict;
}

/*
 * An address outside of the object is used as a pointer to another structure: that is what lies there.
 *
 *	p->ip = (const struct ipv4 *)(ether + 1);	add $14,%rax; mov %rax,0x18(%rbx)
 *	p->ip->ttl					movzbl 0x16(%rax): a struct ipv4 is 14 bytes behind the struct ether
 */
static void use_beside(struct infer *infer, const struct value *value, const struct type *type,
		       s64 offset)
{
	const struct type *known = value->kind == VALUE_ADDRESS ? type_strip(value->type) : NULL;
	struct value there = {
		.kind = VALUE_ADDRESS, .detail = ACCESS_INFERRED, .type = type, .offset = offset
	};

	if (!known || value->stride || !known->size || !type_is_compound(type_strip(type)) ||
	    (value->offset >= 0 && (u64)value->offset < known->size) ||
	    layout_ends_flexible(known) || layout_same(known, type))
		return;
	/* A member of another element: &stack[-1].value. */
	if (layout_contains(known, layout_fold(value->offset, known->size), type))
		return;
	infer_beside(infer, value, &there);
}

void infer_use(struct infer *infer, const struct value *value, const struct type *type, s64 offset,
	       enum use_rank rank)
{
	struct guess said = { .type = type, .rank = (u8)rank };
	const struct type *stripped = type_strip(type);

	/* A pointer to the next element is passed on, so the value points into an array. */
	if (value->kind == VALUE_ADDRESS && !value->stride && value->offset && !offset &&
	    stripped->size && value->offset % (s64)stripped->size == 0 &&
	    layout_same(value->type, type))
		infer_row(infer, value->maker, value->offset < 0);
	if (!value->maker || value->maker >= infer->nr_makers || !layout_is_object(type))
		return;
	use_beside(infer, value, type, offset);
	if (value->kind == VALUE_NUMBER ? value->offset != 0 || value->stride != 1
					: value->kind != VALUE_SYMBOL)
		return;
	if (value->kind == VALUE_SYMBOL && value->stride)
		return;
	if (__builtin_sub_overflow(offset, value->offset, &said.offset))
		return;
	/* A pointer to a number may be to a member of a structure. */
	if (!type_is_compound(stripped) && rank <= USE_ARGUMENT)
		return;
	if (!type_is_compound(stripped) && said.offset)
		return;
	note(infer, value->maker, &said);
}

/*
 * True for a place that holds only a number or a pointer: no structure @part begins there, or @part is a union that
 * holds a pointer.
 */
static bool is_place_alone(const struct value *value, const struct type *part)
{
	const struct type *leaf;
	bool ambiguous = false;

	if (!part)
		return value->offset >= 0 && layout_leaf(value->type, (u64)value->offset);
	if (type_strip(part)->kind != TYPE_UNION || !value->offset)
		return false;
	leaf = layout_content(part, 0, sizeof(u64), &ambiguous);
	return ambiguous || (leaf && leaf->kind == TYPE_POINTER);
}

/* One of an array of structures: `&p->cells[i]` is a cell, but `&p->cells[i].next` is no p. */
static bool is_element(const struct value *value)
{
	const struct type *type = type_strip(value->type);

	return type_is_compound(type) && type->size && value->stride % type->size == 0 &&
	       value->offset % (s64)type->size == 0;
}

void infer_source(struct infer *infer, u32 join, const struct value *value)
{
	struct join_edge edge = { .join = join, .from = value->maker, .delta = value->offset };
	struct guess said = { .rank = USE_SOURCE };

	if (value->kind == VALUE_SYMBOL && !value->stride && (value->maker != join || edge.delta) &&
	    value->maker < infer->nr_makers) {
		g_array_append_val(infer->joins, edge);
	} else if (value->kind == VALUE_ADDRESS && !value->stride &&
		   layout_is_object(value->type)) {
		/* The other values of the join need not lie in the same larger structure. */
		said.type = layout_part(value->type, value->offset);
		/*
		 * &set->root and &n->left are merged: the place of a pointer, in different structures or in a union.
		 */
		said.conflict = is_place_alone(value, said.type);
		if (said.type || said.conflict)
			note(infer, join, &said);
	} else if (value->stride && (value->kind == VALUE_SYMBOL ||
				     (value->kind == VALUE_ADDRESS && !is_element(value)))) {
		said.conflict = true;
		note(infer, join, &said);
	}
}

/*
 * `at = &set->root` and `at = &n->right` are merged, and the type of n is not known. The join is the place of a
 * pointer, so the type from one path tells nothing about the other path. Only a positive delta is doubted: a pointer
 * to a whole object is moved back to the object that contains it (container_of), not forward.
 */
static void doubt_places(struct infer *infer)
{
	for (u32 i = 0; i < infer->joins->len; i++) {
		const struct join_edge *edge = &g_array_index(infer->joins, struct join_edge, i);
		struct guess *of_join = guess_at(&infer->noted, edge->join);
		const struct type *leaf = NULL;

		if (edge->delta > 0 && of_join && of_join->rank == USE_SOURCE && of_join->type &&
		    edge->join != edge->from)
			leaf = layout_leaf(of_join->type, (u64)of_join->offset);
		if (leaf && leaf->kind == TYPE_POINTER)
			of_join->conflict = true;
	}
}

/*
 * A loop moves the pointer inside of an object, along an array or from byte to byte:
 *
 *	for (i = 0; i < panel->nr; i++) visit(panel->children[i]);	mov 0x10(%rdx),%rdi; add $8,%rdx
 *	do sum += *p++; while (--n);	p: a packet's bytes		movzbl (%rdi),%eax; add $1,%rdi
 */
static void note_steps(struct infer *infer)
{
	for (u32 i = 0; i < infer->joins->len; i++) {
		const struct join_edge *edge = &g_array_index(infer->joins, struct join_edge, i);
		struct guess *of_join =
			edge->join == edge->from ? guess_at(&infer->noted, edge->join) : NULL;
		u64 size = of_join && of_join->type ? type_strip(of_join->type)->size : 0;

		if (size && of_join->rank == USE_SOURCE && edge->delta % (s64)size)
			of_join->stride = stride_gcd(of_join->stride, (u64)ABS(edge->delta));
	}
}

/*
 * If the values of a join contradict each other, a join that merges this join gets no type from its other sources
 * either.
 *
 *	link = table ? &table[i].chain : &hash->first;		a join of two places
 *	do { elem = *link; ... link = &elem->next; } while (n--);	a join of that and of a place in an element
 */
static bool spread_conflicts(struct infer *infer)
{
	bool changed = false;

	for (u32 i = 0; i < infer->joins->len; i++) {
		const struct join_edge *edge = &g_array_index(infer->joins, struct join_edge, i);
		const struct guess *from = guess_at(&infer->noted, edge->from);
		const struct guess doubt = { .rank = USE_SOURCE, .conflict = true };

		if (from && from->conflict && from->rank == USE_SOURCE)
			changed |= note(infer, edge->join, &doubt);
	}
	return changed;
}

/* Passes the uses of a join on to each value that it merges. */
static bool spread(struct infer *infer)
{
	bool changed = false;

	for (u32 i = infer->joins->len; i-- > 0;) {
		struct join_edge *edge = &g_array_index(infer->joins, struct join_edge, i);
		const struct guess *of_join = guess_at(&infer->noted, edge->join);
		struct guess said;

		if (!of_join || of_join->conflict || of_join->rank == USE_SOURCE ||
		    edge->join == edge->from)
			continue;
		said = *of_join;
		if (__builtin_sub_overflow(said.offset, edge->delta, &said.offset))
			continue;
		if (said.rank > USE_ARGUMENT)
			said.rank = USE_ARGUMENT;
		changed |= note(infer, edge->from, &said);
	}
	return changed;
}

bool infer_starts_before(const struct infer *infer, u32 maker)
{
	const struct guess *guess =
		maker && maker < infer->nr_makers ? guess_at(&infer->decided, maker) : NULL;

	return guess && guess->offset < 0;
}

bool infer_decide(struct infer *infer)
{
	bool fresh = infer->fresh_view;

	infer->fresh_view = false;
	infer_choose(infer, note);
	doubt_places(infer);
	note_steps(infer);
	for (u32 pass = 0; pass < MAX_PASSES && spread_conflicts(infer); pass++)
		;
	for (u32 pass = 0; pass < MAX_PASSES && spread(infer); pass++)
		;
	infer_cursors_decide(infer);
	fresh |= decide_rows(infer);
	for (u32 i = 0; i < infer->noted.list->len; i++) {
		const struct guess *guess = &g_array_index(infer->noted.list, struct guess, i);

		infer->noted.at[guess->maker] = 0;
		infer->doubts[guess->maker] = guess->conflict && guess->rank != USE_SOURCE;
		if (guess->conflict || guess_at(&infer->decided, guess->maker))
			continue;
		guess_add(&infer->decided, guess);
		infer_add_news(infer, guess->maker, false);
		fresh = true;
	}
	g_array_set_size(infer->noted.list, 0);
	g_array_set_size(infer->joins, 0);
	return fresh;
}

void infer_apply(const struct infer *infer, struct value *value)
{
	const struct guess *guess;

	if ((value->kind != VALUE_SYMBOL && value->kind != VALUE_NUMBER) || !value->maker)
		return;
	guess = guess_at(&infer->decided, value->maker);
	if (!guess)
		return;
	if (value->kind == VALUE_NUMBER && (value->offset || value->stride != 1))
		return;
	*value = (struct value){
		.kind = VALUE_ADDRESS,
		.detail = ACCESS_INFERRED,
		.stride = value->kind == VALUE_SYMBOL ? stride_gcd(value->stride, guess->stride)
						      : 0,
		.maker = value->maker,
		.type = guess->type,
		.offset = (s64)((u64)guess->offset + (u64)value->offset),
	};
}
