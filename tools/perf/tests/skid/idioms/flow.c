// SPDX-License-Identifier: GPL-2.0-or-later
/* A cold access beside branches: before a jump, at a jump's target, in one of the ways to a join. */
#include "slow.h"

/* Ways are chosen by a number in a register, so that no access decides them. */
#define NEXT(x) ((x)*6364136223846793005ul + 1442695040888963407ul)

/* truth compare_register: struct node +0x8 (id) 100 */
TESTED struct node *compare_register(struct node *n, long steps)
{
	long key = steps << 40;

	KEEP(key);
	for (; steps; steps--) {
		if (n->id == key)
			n->value++;
		asm volatile("" : : : "memory");
		n->hot = steps;
		n = n->next;
	}
	return n;
}

/* truth compare_constant: struct node +0x8 (id) 100 */
TESTED struct node *compare_constant(struct node *n, long steps)
{
	for (; steps; steps--) {
		if (n->id == -5)
			n->value++;
		asm volatile("" : : : "memory");
		n->hot = steps;
		n = n->next;
	}
	return n;
}

/* truth test_bit: struct node +0x24 (flags) 100 */
TESTED struct node *test_bit(struct node *n, long steps)
{
	for (; steps; steps--) {
		if (n->flags & 0x40)
			n->value++;
		asm volatile("" : : : "memory");
		n->hot = steps;
		n = n->next;
	}
	return n;
}

/* truth jump_back: struct node +0x8 (id) 100 */
TESTED struct node *jump_back(struct node *n, long steps)
{
	do {
		long *value = &n->value;

		n = n->next;
		KEEP(n);
		USE(value);
	} while (--steps && n->id);
	return n;
}

/* The pointer waits for the line of the node before. truth loop_head: struct node +0x8 (id) 100 */
TESTED struct node *loop_head(struct node *n, long steps)
{
	while (n->id != -5) {
		asm volatile("" : : : "memory");
		if (!--steps)
			break;
		n = n->next;
	}
	return n;
}

/* truth loop_tail: struct node +0x20 (count) 100 */
TESTED struct node *loop_tail(struct node *n, long steps)
{
	long sum = 0;

	do {
		n = n->next;
		sum += steps;
		KEEP(sum);
		n->count++;
		asm volatile("" : : : "memory");
	} while (--steps);
	return n;
}

/* truth join_two: struct node +0x10 (value) 50, struct node +0x8 (id) 50 */
TESTED struct node *join_two(struct node *n, long steps)
{
	unsigned long x = (unsigned long)steps;
	long v;

	for (; steps; steps--) {
		x = NEXT(x);
		if (x >> 63) {
			v = n->value;
			KEEP(v);
			v ^= 1;
		} else {
			v = n->id;
			KEEP(v);
			v += 3;
		}
		KEEP(v);
		n->hot = v;
		n = n->next;
	}
	return n;
}

/* Both ways end in their wait. truth join_at_once: struct node +0x10 (value) 50, struct node +0x8 (id) 50 */
TESTED struct node *join_at_once(struct node *n, long steps)
{
	unsigned long x = (unsigned long)steps;
	long v;

	for (; steps; steps--) {
		x = NEXT(x);
		KEEP(x);
		if (x >> 63) {
			v = n->value;
			KEEP(v);
		} else {
			v = n->id;
			KEEP(v);
		}
		n->hot = v;
		asm volatile("" : : : "memory");
		n = n->next;
	}
	return n;
}

/* One way waits in itself, the other behind the join. truth join_fall: struct node +0x10 (value) 50, struct node +0 (next) 50 */
TESTED struct node *join_fall(struct node *n, long steps)
{
	unsigned long x = (unsigned long)steps;
	long v = 0;

	for (; steps; steps--) {
		x = NEXT(x);
		if (__builtin_expect(!!(x >> 63), 1)) {
			v = n->value;
			KEEP(v);
		}
		v++;
		KEEP(v);
		n = n->next;
	}
	return n;
}

/* truth join_jump: struct node +0x10 (value) 50, struct node +0 (next) 50 */
TESTED struct node *join_jump(struct node *n, long steps)
{
	unsigned long x = (unsigned long)steps;
	long v = 0;

	for (; steps; steps--) {
		x = NEXT(x);
		if (__builtin_expect(x >> 63, 0)) {
			v = n->value;
			KEEP(v);
		}
		v++;
		KEEP(v);
		n = n->next;
	}
	return n;
}

/* truth join_three: struct node +0x10 (value) 34, struct node +0x8 (id) 33, struct node +0x20 (count) 33 */
TESTED struct node *join_three(struct node *n, long steps)
{
	unsigned long x = (unsigned long)steps;
	long v;

	for (; steps; steps--) {
		unsigned way;

		x = NEXT(x);
		way = (unsigned)(x >> 32) % 3;
		if (way == 0) {
			v = n->value;
			KEEP(v);
		} else if (way == 1) {
			v = n->id;
			KEEP(v);
		} else {
			v = n->count;
			KEEP(v);
		}
		n->hot = v;
		asm volatile("" : : : "memory");
		n = n->next;
	}
	return n;
}

/* truth maximum: struct node +0x8 (id) 100 */
TESTED struct node *maximum(struct node *n, long steps)
{
	long best = 0;

	for (; steps; steps--) {
		best = n->id > best ? n->id : best;
		KEEP(best);
		USE(n->value);
		n = n->next;
	}
	return n;
}

/* By the instruction, whatever the compiler chooses. truth conditional_move: struct node +0x8 (id) 100 */
TESTED struct node *conditional_move(struct node *n, long steps)
{
	long v = 0;

	for (; steps; steps--) {
		asm volatile("test %1, %1\n\tcmovne %2, %0"
			     : "+r"(v)
			     : "r"(steps), "m"(n->id)
			     : "cc", "memory");
		n->value = v;
		n = n->next;
	}
	return n;
}

/* The table's jump comes behind the wait. All nodes have one kind, so that no jump is mispredicted. truth switch_key: struct node +0x28 (kind) 100 */
TESTED struct node *switch_key(struct node *n, long steps)
{
	for (; steps; steps--) {
		switch (n->kind) {
		case 0:
			n->value += 3;
			break;
		case 1:
			n->value ^= 5;
			break;
		case 2:
			n->count += 7;
			break;
		case 3:
			n->hot = 1;
			break;
		case 4:
			n->hot++;
			break;
		default:
			n->hot -= 9;
		}
		asm volatile("" : : : "memory");
		n = n->next;
	}
	return n;
}

/*
 * Each arm waits for its own field.
 * truth switch_arms: struct node +0x10 (value) 25, struct node +0x20 (count) 25, struct node +0x24 (flags) 25, struct node +0x38 (hot) 25
 */
TESTED struct node *switch_arms(struct node *n, long steps)
{
	unsigned long x = (unsigned long)steps;

	for (; steps; steps--) {
		x = NEXT(x);
		switch (x >> 62) {
		case 0:
			n->value++;
			break;
		case 1:
			n->count += 2;
			break;
		case 2:
			n->flags ^= 4;
			break;
		default:
			n->hot -= 3;
		}
		asm volatile("" : : : "memory");
		USE(n->id);
		n = n->next;
	}
	return n;
}

/* A jump's target from memory: the node has it. Without steps, the address of a label is asked. truth jump_memory: struct node +0x18 (leaf) 100 */
TESTED void *jump_memory(struct node *n, long steps)
{
	static void *const labels[] = { &&add, &&subtract };

	if (!steps)
		return labels[n != NULL];
	for (;;) {
		goto *(void *)n->leaf;
add:
		n->value++;
		return n;
subtract:
		n->value--;
		n = n->next;
		if (!--steps)
			return n;
	}
}

static void *jumping(void)
{
	struct node *first = nodes(), *n = first;
	struct leaf *label = jump_memory(first, 0);

	do {
		n->leaf = label;
		n = n->next;
	} while (n != first);
	return first;
}

#define WALK(name, start)                                                                          \
	{                                                                                          \
#name, (walk_fn *)(void *)name, start                                              \
	}
static const struct idiom idioms[] = {
	WALK(compare_register, nodes), WALK(compare_constant, nodes), WALK(test_bit, nodes),
	WALK(jump_back, nodes),	       WALK(loop_head, nodes),	      WALK(loop_tail, nodes),
	WALK(join_two, nodes),	       WALK(join_at_once, nodes),     WALK(join_fall, nodes),
	WALK(join_jump, nodes),	       WALK(join_three, nodes),	      WALK(maximum, nodes),
	WALK(conditional_move, nodes), WALK(switch_key, nodes),	      WALK(switch_arms, nodes),
	WALK(jump_memory, jumping),
};

int main(int argc, char **argv)
{
	return run_idiom(idioms, sizeof(idioms) / sizeof(*idioms), argc, argv);
}
