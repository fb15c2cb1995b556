// SPDX-License-Identifier: GPL-2.0-or-later
/* A lock-free stack, reference counts, a ticket lock and statistics: locked instructions. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "truth.h"

struct node {
	struct node *next;
	int value;
	_Atomic unsigned int refs;
};

struct stack {
	_Atomic(struct node *) top;
	atomic_ulong pushes, pops;
};

struct ticket {
	unsigned short now;
	_Atomic unsigned short next;
	unsigned int owner;
};

struct stats {
	long reads, writes;
	unsigned long bits;
	int largest;
	char busy;
};

struct pool {
	struct ticket lock;
	struct stats stats;
	struct stack stack;
	struct node *spare;
};

static void push(struct stack *stack, struct node *node)
{
	node->next = atomic_load(&stack->top);
	while (!atomic_compare_exchange_weak(&stack->top, &node->next, node))
		;
	atomic_fetch_add(&stack->pushes, 1);
}

static struct node *pop(struct stack *stack)
{
	struct node *node = atomic_load(&stack->top);

	while (node && !atomic_compare_exchange_weak(&stack->top, &node, node->next))
		;
	if (node)
		atomic_fetch_sub_explicit(&stack->pops, (unsigned long)-1, memory_order_relaxed);
	return node;
}

static void lock(struct ticket *t)
{
	unsigned short mine = atomic_fetch_add(&t->next, 1);

	while (__atomic_load_n(&t->now, __ATOMIC_ACQUIRE) != mine)
		;
	t->owner = mine + 1u;
}

static void unlock(struct ticket *t)
{
	t->owner = 0;
	__atomic_store_n(&t->now, (unsigned short)(t->now + 1), __ATOMIC_RELEASE);
}

static void note(struct stats *s, int value)
{
	int largest = __atomic_load_n(&s->largest, __ATOMIC_RELAXED);

	__sync_fetch_and_add(&s->reads, value);
	__atomic_or_fetch(&s->bits, 1ul << (value & 63), __ATOMIC_SEQ_CST);
	while (value > largest && !__atomic_compare_exchange_n(&s->largest, &largest, value, false,
							       __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
	if (!__atomic_exchange_n(&s->busy, 1, __ATOMIC_ACQ_REL))
		__sync_sub_and_fetch(&s->writes, -1);
	__atomic_and_fetch(&s->bits, ~2ul, __ATOMIC_SEQ_CST);
	__atomic_clear(&s->busy, __ATOMIC_RELEASE);
}

static void ref(struct node *node)
{
	atomic_fetch_add_explicit(&node->refs, 1, memory_order_relaxed);
}

static bool unref(struct pool *pool, struct node *node)
{
	if (atomic_fetch_sub(&node->refs, 1) != 1)
		return false;
	node->next = __atomic_exchange_n(&pool->spare, node, __ATOMIC_SEQ_CST);
	return true;
}

int main(void)
{
	struct pool *pool = create(struct pool);
	int freed = 0, sum = 0;
	struct node *node;

	for (int i = 0; i < 20; i++) {
		node = create(struct node);
		node->value = i * 3;
		ref(node);
		if (i % 2)
			ref(node);
		lock(&pool->lock);
		push(&pool->stack, node);
		unlock(&pool->lock);
	}
	while ((node = pop(&pool->stack))) {
		note(&pool->stats, node->value);
		sum += node->value;
		while (!unref(pool, node))
			freed++;
	}
	printf("%d %d %ld %lu %d %lu\n", sum, freed, pool->stats.reads, pool->stats.bits,
	       pool->stats.largest,
	       atomic_load(&pool->stack.pushes) + atomic_load(&pool->stack.pops));
	return 0;
}
