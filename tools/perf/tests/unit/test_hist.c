// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/table.h"
#include "hist/chain.h"
#include "hist/hist.h"

/* Functions "a" to "z": a frame's code has the letter as its address and number. */
struct alphabet {
	struct code codes[26];
	struct stacks *stacks;
	struct hist *hist;
};

static struct alphabet *alphabet_new(bool children)
{
	struct alphabet *a = g_new0(struct alphabet, 1);

	for (u32 i = 0; i < 26; i++)
		a->codes[i] = (struct code){ .id = i + 1, .function = i + 1, .vaddr = 'a' + i };
	a->stacks = stacks_new(true);
	a->hist = hist_new(&(struct hist_options){ 1, 1, children });
	return a;
}

static void alphabet_free(struct alphabet *a)
{
	hist_free(a->hist);
	stacks_free(a->stacks);
	g_free(a);
}

/* The chain that @letters spell, in order of display. */
static u32 stack_of(struct alphabet *a, const char *letters)
{
	struct stack_frame frames[64];
	u32 nr = (u32)strlen(letters);

	for (u32 i = 0; i < nr; i++)
		frames[i] = (struct stack_frame){ &a->codes[letters[i] - 'a'],
						  a->codes[letters[i] - 'a'].function };
	return stacks_id(a->stacks, frames, nr);
}

/* A sample of function @letter that came by @chain. */
static void sample(struct alphabet *a, char letter, const char *chain, u64 period)
{
	u64 key = (u64)(letter - 'a' + 1);
	struct hist_weight w = { .samples = 1, .period = period };
	struct hist_entry *e = hist_add(a->hist, &key, 0, &w, NULL);

	e->shown = true;
	if (*chain)
		hist_add_stack(a->hist, e, 0, stack_of(a, chain), &w);
}

static const struct hist_entry *entry_of(const struct alphabet *a, char letter)
{
	for (u32 i = 0; i < hist_nr(a->hist); i++)
		if (hist_at(a->hist, i)->keys[0] == (u64)(letter - 'a' + 1))
			return hist_at(a->hist, i);
	return NULL;
}

static bool function_key(void *arg, const u64 *from, const struct stack_frame *frame, u64 *keys)
{
	keys[0] = frame->code->function;
	return true;
}

/* "abc 5{d 3,e 2}": frames, period and branches of each node. */
static void spell(const struct chain *c, u32 parent, GString *out)
{
	for (u32 i = c->nodes[parent].first; i; i = c->nodes[i].next) {
		g_string_append(out, out->len && out->str[out->len - 1] != '{' ? "," : "");
		for (u32 f = 0; f < c->nodes[i].nr_frames; f++)
			g_string_append_c(out, (char)c->nodes[i].frames[f]->code->vaddr);
		g_string_append_printf(out, " %" G_GUINT64_FORMAT, c->nodes[i].period);
		if (c->nodes[i].first) {
			g_string_append_c(out, '{');
			spell(c, i, out);
			g_string_append_c(out, '}');
		}
	}
}

static void assert_tree(const struct alphabet *a, char letter, enum chain_mode mode,
			double threshold, u64 total, const char *expect)
{
	struct chain_options options = { .mode = mode, .threshold = threshold };
	struct chain *c = chain_new(a->hist, a->stacks, entry_of(a, letter), &options, total);
	g_autoptr(GString) text = g_string_new(NULL);

	spell(c, 0, text);
	assert_string_equal(text->str, expect);
	assert_int_equal(chain_has_any(a->hist, a->stacks, entry_of(a, letter), &options, total),
			 c->nodes[0].first != 0);
	chain_free(c);
}

static void a_table_finds_what_was_put_in(void **state)
{
	struct table t;
	u32 found = 0;

	table_init(&t);
	for (u32 i = 0; i < 10000; i++)
		table_add(&t, i / 4 * 64, i); /* four to a hash, all at home in few slots */
	for (u32 hash = 0; hash < 2500; hash++) {
		u32 at = hash * 64;
		s64 i;

		while ((i = table_next(&t, hash * 64, &at)) >= 0) {
			assert_int_equal(i / 4, hash);
			found++;
		}
	}
	assert_int_equal(found, 10000);
	table_release(&t);
}

/* What is queued ends where hist_add() would have put it, in the same order. */
static void a_queue_changes_nothing(void **state)
{
	struct alphabet *now = alphabet_new(true), *later = alphabet_new(true);

	for (u32 i = 0; i < 5000; i++) {
		u64 key = i * 7919 % 1000;
		struct hist_row row = { .weight = { .samples = 1, .period = i },
					.shown = i % 3 == 0 };
		struct hist_entry *e = hist_add(now->hist, &key, 0, &row.weight, NULL);

		e->shown |= row.shown;
		row.stack = i % 2 ? stack_of(later, "abc") : 0;
		if (row.stack)
			hist_add_stack(now->hist, e, 0, stack_of(now, "abc"), &row.weight);
		hist_queue(later->hist, &key, &row);
	}
	hist_settle(later->hist);
	assert_int_equal(hist_nr(later->hist), 1000);
	for (u32 i = 0; i < 1000; i++) {
		const struct hist_entry *a = hist_at(now->hist, i), *b = hist_at(later->hist, i);
		const struct hist_stack *s = hist_next_stack(now->hist, a, NULL);
		const struct hist_stack *t = hist_next_stack(later->hist, b, NULL);

		assert_int_equal(a->keys[0], b->keys[0]);
		assert_memory_equal(a->self, b->self, sizeof(*a->self));
		assert_memory_equal(a->children, b->children, sizeof(*a->children));
		assert_int_equal(a->shown, b->shown);
		assert_int_equal(s != NULL, t != NULL);
		assert_true(!s || (s->period == t->period && s->samples == t->samples));
	}
	alphabet_free(now);
	alphabet_free(later);
}

/* Kept as arrays, chains are as equal, and come back frame by frame, as they are kept as a tree. */
static void chains_come_back_as_they_were(void **state)
{
	const char *const chains[] = { "abc", "bc", "c", "", "abcabc", "abd", "abc" };

	for (u32 suffixes = 0; suffixes < 2; suffixes++) {
		struct alphabet *a = alphabet_new(false);

		stacks_free(a->stacks);
		a->stacks = stacks_new(suffixes);
		for (u32 i = 0; i < G_N_ELEMENTS(chains); i++) {
			u32 id = stack_of(a, chains[i]);
			struct stack_walk walk = stacks_walk(a->stacks, id);
			const struct stack_frame *frame;
			g_autoptr(GString) text = g_string_new(NULL);

			while ((frame = stack_next(&walk)))
				g_string_append_c(text, (char)frame->code->vaddr);
			assert_string_equal(text->str, chains[i]);
			for (u32 k = 0; k < G_N_ELEMENTS(chains); k++)
				assert_int_equal(stack_of(a, chains[k]) == id,
						 !strcmp(chains[i], chains[k]));
		}
		alphabet_free(a);
	}
}

static void equal_chains_are_equal_numbers(void **state)
{
	struct alphabet *a = alphabet_new(false);
	u32 abc = stack_of(a, "abc");

	assert_int_equal(stack_of(a, ""), 0);
	assert_int_equal(stack_of(a, "abc"), abc);
	assert_int_not_equal(stack_of(a, "abd"), abc);
	assert_int_equal(stacks_rest(a->stacks, abc), stack_of(a, "bc"));
	assert_int_equal(stacks_depth(a->stacks, abc), 3);
	assert_ptr_equal(stacks_first(a->stacks, abc)->code, &a->codes[0]);
	alphabet_free(a);
}

static void samples_of_one_key_are_one_entry(void **state)
{
	struct alphabet *a = alphabet_new(false);

	sample(a, 'x', "", 3);
	sample(a, 'y', "", 5);
	sample(a, 'x', "", 4);
	assert_int_equal(hist_nr(a->hist), 2);
	assert_int_equal(entry_of(a, 'x')->self->period, 7);
	assert_int_equal(entry_of(a, 'x')->self->samples, 2);
	assert_int_equal(entry_of(a, 'y')->self->period, 5);
	alphabet_free(a);
}

static void thousands_of_keys_stay_apart(void **state)
{
	struct hist *h = hist_new(&(struct hist_options){ 3, 2, false });

	for (u64 round = 0; round < 2; round++) {
		for (u64 i = 0; i < 30000; i++) {
			u64 keys[3] = { i % 10, i / 10 % 300, i / 3000 };
			struct hist_weight w = { .samples = 1, .period = i };

			hist_add(h, keys, (u32)round, &w, NULL);
		}
	}
	assert_int_equal(hist_nr(h), 30000);
	for (u32 i = 0; i < hist_nr(h); i++) {
		const struct hist_entry *e = hist_at(h, i);

		assert_int_equal(e->self[0].period, i);
		assert_int_equal(e->self[1].period, i);
		assert_int_equal(e->self[1].samples, 1);
	}
	hist_free(h);
}

static void accesses_fade_with_their_entry(void **state)
{
	struct alphabet *from = alphabet_new(false), *to = alphabet_new(false);
	struct hist_entry *e;

	sample(from, 'a', "", 100);
	sample(from, 'b', "", 100);
	e = hist_at(from->hist, 1);
	hist_accesses(from->hist, e)->period[OP_LOAD] = 80;
	hist_accesses(from->hist, e)->period[CACHE_L2] = 60;
	assert_int_equal(hist_accesses_of(from->hist, hist_at(from->hist, 0), OP_LOAD), 0);
	sample(to, 'b', "", 10);
	hist_accesses(to->hist, hist_at(to->hist, 0))->period[OP_LOAD] = 10;
	hist_merge(to->hist, to->stacks, from->hist, from->stacks, 0.5);
	e = hist_at(to->hist, 0);
	assert_int_equal(hist_accesses_of(to->hist, e, OP_LOAD), 50);
	assert_int_equal(hist_accesses_of(to->hist, e, CACHE_L2), 30);
	assert_int_equal(hist_accesses_of(to->hist, hist_at(to->hist, 1), OP_LOAD), 0);
	alphabet_free(from);
	alphabet_free(to);
}

static void callers_are_charged_once_per_sample(void **state)
{
	struct alphabet *a = alphabet_new(true);

	sample(a, 'c', "cba", 10);  /* a calls b calls c */
	sample(a, 'c', "cbcba", 5); /* through b again */
	sample(a, 'd', "da", 1);
	hist_add_callers(a->hist, a->stacks, function_key, NULL);
	assert_int_equal(entry_of(a, 'a')->children->period, 16);
	assert_int_equal(entry_of(a, 'a')->self->period, 0);
	assert_int_equal(entry_of(a, 'b')->children->period, 15);
	assert_int_equal(entry_of(a, 'c')->children->period, 15);
	assert_int_equal(entry_of(a, 'c')->self->period, 15);
	assert_int_equal(entry_of(a, 'd')->children->period, 1);
	alphabet_free(a);
}

static void a_caller_has_the_rest_of_the_chain(void **state)
{
	struct alphabet *a = alphabet_new(true);

	sample(a, 'c', "cba", 10);
	sample(a, 'd', "dba", 5);
	hist_add_callers(a->hist, a->stacks, function_key, NULL);
	assert_tree(a, 'b', CHAIN_GRAPH, 0, 15, "ba 15");
	assert_tree(a, 'c', CHAIN_GRAPH, 0, 15, "cba 10");
	/* The function sampled is found by the same rule, whatever chain called it first. */
	sample(a, 'a', "", 1);
	assert_int_equal(entry_of(a, 'a')->self->period, 1);
	alphabet_free(a);
}

static void a_tree_forks_where_chains_part(void **state)
{
	struct alphabet *a = alphabet_new(false);

	sample(a, 'z', "zba", 3);
	sample(a, 'z', "zca", 5);
	sample(a, 'z', "zbd", 4);
	assert_tree(a, 'z', CHAIN_GRAPH, 0, 12, "z 12{b 7{d 4,a 3},ca 5}");
	alphabet_free(a);
}

static void a_chain_that_ends_on_the_way_splits_its_run(void **state)
{
	struct alphabet *a = alphabet_new(false);

	sample(a, 'z', "zba", 3);
	sample(a, 'z', "zb", 2);
	assert_tree(a, 'z', CHAIN_GRAPH, 0, 5, "zb 5{a 3}");
	alphabet_free(a);
}

static void the_threshold_is_of_the_whole_or_of_the_branch(void **state)
{
	struct alphabet *a = alphabet_new(false);

	sample(a, 'z', "za", 90);
	sample(a, 'z', "zb", 9);
	sample(a, 'z', "zc", 1);
	assert_tree(a, 'z', CHAIN_GRAPH, 1, 1000, "z 100{a 90}");
	assert_tree(a, 'z', CHAIN_FRACTAL, 5, 1000, "z 100{a 90,b 9}");
	alphabet_free(a);
}

static void equal_branches_stand_by_falling_address(void **state)
{
	struct alphabet *a = alphabet_new(false);

	sample(a, 'z', "za", 5);
	sample(a, 'z', "zc", 5);
	sample(a, 'z', "zb", 5);
	assert_tree(a, 'z', CHAIN_GRAPH, 0, 15, "z 15{c 5,b 5,a 5}");
	alphabet_free(a);
}

static void flat_chains_are_whole_ones(void **state)
{
	struct alphabet *a = alphabet_new(false);

	sample(a, 'z', "zba", 3);
	sample(a, 'z', "zca", 5);
	sample(a, 'z', "zb", 4);
	/* By what ends there; a chain shows with those that go on from it. */
	assert_tree(a, 'z', CHAIN_FLAT, 0, 12, "zca 5,zb 7,zba 3");
	assert_tree(a, 'z', CHAIN_FLAT, 30, 12, "zca 5,zb 7,zba 3");
	assert_tree(a, 'z', CHAIN_FLAT, 40, 12, "zca 5,zb 7");
	alphabet_free(a);
}

static void a_chain_of_thousands_is_no_recursion(void **state)
{
	struct alphabet *a = alphabet_new(true);
	g_autofree struct stack_frame *frames = g_new0(struct stack_frame, 60000);
	struct hist_weight w = { .samples = 1, .period = 1 };
	struct chain_options options = { .mode = CHAIN_GRAPH };
	u64 key = 1;
	struct hist_entry *e = hist_add(a->hist, &key, 0, &w, NULL);
	struct chain *c;

	for (u32 i = 0; i < 60000; i++)
		frames[i] = (struct stack_frame){ &a->codes[i % 26], a->codes[i % 26].function };
	hist_add_stack(a->hist, e, 0, stacks_id(a->stacks, frames, 60000), &w);
	hist_add_callers(a->hist, a->stacks, function_key, NULL);
	assert_int_equal(hist_nr(a->hist), 26);
	c = chain_new(a->hist, a->stacks, e, &options, 1);
	assert_int_equal(c->nodes[1].nr_frames, 60000);
	chain_free(c);
	alphabet_free(a);
}

static void the_words_of_g_come_in_any_order(void **state)
{
	struct chain_options o;
	GError *error = NULL;

	chain_options_init(&o);
	assert_int_equal(o.mode, CHAIN_GRAPH);
	assert_true(chain_options_parse(&o, "caller,fractal,2.5,7,address,count", &error));
	assert_int_equal(o.mode, CHAIN_FRACTAL);
	assert_true(o.caller && o.order_given);
	assert_int_equal(o.key, CHAIN_BY_ADDRESS);
	assert_int_equal(o.value, CHAIN_COUNT);
	assert_true(o.threshold == 2.5);
	assert_int_equal(o.print_limit, 7);
	assert_true(chain_options_parse(&o, "callee,fla", &error));
	assert_false(o.caller);
	assert_int_equal(o.mode, CHAIN_FLAT);
	assert_false(chain_options_parse(&o, "graph,sideways", &error));
	assert_non_null(strstr(error->message, "sideways"));
	g_clear_error(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_finds_what_was_put_in),
		cmocka_unit_test(a_queue_changes_nothing),
		cmocka_unit_test(chains_come_back_as_they_were),
		cmocka_unit_test(equal_chains_are_equal_numbers),
		cmocka_unit_test(samples_of_one_key_are_one_entry),
		cmocka_unit_test(thousands_of_keys_stay_apart),
		cmocka_unit_test(accesses_fade_with_their_entry),
		cmocka_unit_test(callers_are_charged_once_per_sample),
		cmocka_unit_test(a_caller_has_the_rest_of_the_chain),
		cmocka_unit_test(a_tree_forks_where_chains_part),
		cmocka_unit_test(a_chain_that_ends_on_the_way_splits_its_run),
		cmocka_unit_test(the_threshold_is_of_the_whole_or_of_the_branch),
		cmocka_unit_test(equal_branches_stand_by_falling_address),
		cmocka_unit_test(flat_chains_are_whole_ones),
		cmocka_unit_test(a_chain_of_thousands_is_no_recursion),
		cmocka_unit_test(the_words_of_g_come_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
