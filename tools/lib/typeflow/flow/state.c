// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The registers are an array, the slots a sorted array without overlaps. A slot is what one store wrote: eight bytes,
 * or fewer if it was a number of a known type of that size (a narrow slot). All other stores only remove slots.
 *
 *	instruction			slots afterwards, by offset from the CFA; %rbp is CFA-16
 *	mov %rax,-0x10(%rbp)		-32: ADDRESS(struct node, 0)
 *	mov %ecx,-0x8(%rbp)		-32: ..., -24: NUMBER(int), narrow, 4 bytes
 *	mov %rdx,-0x18(%rbp)		-40: ..., -32: ..., -24: ...
 *	movb $0,-0xf(%rbp)		-40: ..., -24: ...: byte -31 was in the slot at -32
 *	movups %xmm0,-0x18(%rbp)	-40: the low half of %xmm0, -24: ...: 16 bytes from -40 on were removed first
 *
 * There are two kinds of states. A working state has room for all slots; transfer functions change it. A kept state,
 * at the start of a block, is just large enough and lives in a pool. A join may change the values of a kept state and
 * remove slots of it, but never adds one: a slot that only one path has is not known behind the join.
 *
 * Limit: STATE_SLOTS slots. A store when all are in use is not remembered, so a later load gets the variable's type, or
 * none.
 */
#include <string.h>

#include "base/search.h"
#include "typeflow/flow/state.h"

#define CHUNK_SIZE ((size_t)32 << 10)

struct state *state_new(u32 nr_regs)
{
	struct state *state = g_malloc0(sizeof(*state) + STATE_REGS * sizeof(*state->regs));

	state->nr_regs = nr_regs;
	state->slots = g_new(struct stack_slot, STATE_SLOTS);
	return state;
}

void state_free(struct state *state)
{
	if (!state)
		return;
	g_free(state->slots);
	g_free(state);
}

void state_copy(struct state *to, const struct state *from)
{
	to->escaped = from->escaped;
	to->nr_slots = from->nr_slots;
	to->nr_regs = from->nr_regs;
	memcpy(to->regs, from->regs, from->nr_regs * sizeof(*to->regs));
	if (from->nr_slots)
		memcpy(to->slots, from->slots, from->nr_slots * sizeof(*to->slots));
}

/* @size: bytes behind this head. */
struct state_chunk {
	struct state_chunk *next;
	size_t size;
};

static void *take(struct state_pool *pool, size_t size)
{
	struct state_chunk *chunk = pool->chunks;

	if (pool->left < size) {
		size_t room = MAX(CHUNK_SIZE, size);

		chunk = g_malloc(sizeof(*chunk) + room);
		*chunk = (struct state_chunk){ .next = pool->chunks, .size = room };
		pool->chunks = chunk;
		pool->left = room;
	}
	pool->left -= size;
	return (char *)(chunk + 1) + chunk->size - pool->left - size;
}

struct state *state_keep(struct state_pool *pool, const struct state *from)
{
	size_t head = sizeof(*from) + from->nr_regs * sizeof(*from->regs);
	struct state *state = take(pool, head + from->nr_slots * sizeof(*from->slots));

	state->slots = (struct stack_slot *)(void *)((char *)state + head);
	state_copy(state, from);
	return state;
}

void state_pool_clear(struct state_pool *pool)
{
	while (pool->chunks) {
		struct state_chunk *next = pool->chunks->next;

		g_free(pool->chunks);
		pool->chunks = next;
	}
	pool->left = 0;
}

/* The first slot at or after @offset. */
static u32 slot_index(const struct state *state, s64 offset)
{
	return SEARCH(i, 0, state->nr_slots, state->slots[i].offset < offset);
}

/* Only a slot of the same start and kind: a part of a stored value is not known. */
static const struct value *find_slot(const struct state *state, s64 offset, bool narrow)
{
	u32 at = slot_index(state, offset);
	const struct stack_slot *slot = &state->slots[at];

	return at < state->nr_slots && slot->offset == offset && slot_is_narrow(slot) == narrow
		       ? &slot->value
		       : NULL;
}

const struct value *state_slot(const struct state *state, s64 offset)
{
	return find_slot(state, offset, false);
}

const struct value *state_narrow_slot(const struct state *state, s64 offset)
{
	return find_slot(state, offset, true);
}

static s64 slot_end(const struct stack_slot *slot)
{
	return slot->offset + (slot_is_narrow(slot) ? (s64)slot->value.type->size : 8);
}

/*
 * A slot from up to seven bytes before @offset may reach into the range. Ends rise with offsets, as slots do not
 * overlap.
 */
void state_drop_slots(struct state *state, s64 offset, u64 size)
{
	u32 first = slot_index(state, offset > INT64_MIN + 7 ? offset - 7 : offset), end;
	s64 high;

	if (__builtin_add_overflow(offset, size, &high))
		high = INT64_MAX;
	while (first < state->nr_slots && slot_end(&state->slots[first]) <= offset)
		first++;
	end = first;
	while (end < state->nr_slots && state->slots[end].offset < high)
		end++;
	if (end == first)
		return;
	memmove(&state->slots[first], &state->slots[end],
		(state->nr_slots - end) * sizeof(*state->slots));
	state->nr_slots -= end - first;
}

static void set_slot(struct state *state, s64 offset, const struct value *value, u64 size)
{
	u32 at = slot_index(state, offset);

	/* A slot of the same size is there: replace its value. */
	if (at < state->nr_slots && state->slots[at].offset == offset &&
	    slot_end(&state->slots[at]) == offset + (s64)size) {
		state->slots[at].value = *value;
		return;
	}
	state_drop_slots(state, offset, size);
	if (state->nr_slots == STATE_SLOTS)
		return;
	at = slot_index(state, offset);
	memmove(&state->slots[at + 1], &state->slots[at],
		(state->nr_slots - at) * sizeof(*state->slots));
	state->slots[at].offset = offset;
	state->slots[at].value = *value;
	state->nr_slots++;
}

void state_set_slot(struct state *state, s64 offset, const struct value *value)
{
	set_slot(state, offset, value, 8);
}

void state_set_narrow_slot(struct state *state, s64 offset, const struct value *number)
{
	struct value narrow = *number;

	narrow.detail = SLOT_NARROW;
	set_slot(state, offset, &narrow, narrow.type->size);
}
