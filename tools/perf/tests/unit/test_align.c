// SPDX-License-Identifier: GPL-2.0-or-later
/* Alignment of two listings: every line once, in order, and as many pairs as a search of all ways finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "forged.h"
#include "pages/code/align.h"

static GArray *lines_of(const char *text)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct align_line));

	/* "a" and "A" are alike, and not equal. */
	for (; *text; text++)
		g_array_append_val(lines, ((struct align_line){ (u32)(guchar)*text,
								(u32)g_ascii_tolower(*text) }));
	return lines;
}

/* "a=a b~B c- -d": pairs, lines that are alike, and lines of one side. */
static char *aligned(const char *first, const char *second)
{
	g_autoptr(GArray) a = lines_of(first), b = lines_of(second);
	bool whole;
	g_autoptr(GArray) pairs = align_lines(a, b, &whole);
	GString *out = g_string_new(NULL);

	assert_true(whole);
	for (u32 i = 0; i < pairs->len; i++) {
		struct align_pair pair = g_array_index(pairs, struct align_pair, i);
		char left = pair.a == ALIGN_NONE ? 0 : first[pair.a];
		char right = pair.b == ALIGN_NONE ? 0 : second[pair.b];

		if (i)
			g_string_append_c(out, ' ');
		if (left)
			g_string_append_c(out, left);
		g_string_append_c(out, left && right ? left == right ? '=' : '~' : '-');
		if (right)
			g_string_append_c(out, right);
	}
	return g_string_free(out, FALSE);
}

static void expect(const char *first, const char *second, const char *want)
{
	g_autofree char *got = aligned(first, second);

	assert_string_equal(got, want);
}

static void test_by_hand(void **state)
{
	expect("", "", "");
	expect("ab", "", "a- b-");
	expect("", "ab", "-a -b");
	expect("abc", "abc", "a=a b=b c=c");
	expect("abc", "ac", "a=a b- c=c");
	expect("ac", "abc", "a=a -b c=c");
	expect("aBc", "abc", "a=a B~b c=c");
	/* Another instruction in its place is no pair; what is gone comes first. */
	expect("axc", "ayc", "a=a x- -y c=c");
	/* An equal line further on is worth more than one that is alike. */
	expect("xA", "xaA", "x=x -a A=A");
	expect("xyz", "zxy", "-z x=x y=y z-");
}

#define LONGEST 6 /* lines: all ways of these are tried */

/* The best score of what begins at two places, by all ways; plus 1. 0: not tried yet. */
struct scores {
	u32 from[LONGEST + 1][LONGEST + 1];
};

static u32 best(struct scores *scores, const char *a, const char *b)
{
	u32 *known = &scores->from[strlen(a)][strlen(b)], most = 0;

	if (!*a || !*b || *known)
		return *known ? *known - 1 : 0;
	if (g_ascii_tolower(*a) == g_ascii_tolower(*b))
		most = (*a == *b ? 3 : 2) + best(scores, a + 1, b + 1);
	most = MAX(most, MAX(best(scores, a + 1, b), best(scores, a, b + 1)));
	*known = most + 1;
	return most;
}

static void check_random(u64 *seed)
{
	char texts[2][LONGEST + 1] = { 0 };
	g_autoptr(GArray) a = NULL, b = NULL, pairs = NULL;
	u32 next[2] = { 0 }, score = 0;
	struct scores scores = { 0 };
	bool whole;

	for (u32 side = 0; side < 2; side++)
		for (u64 i = forged_draw(seed, LONGEST + 1); i--;)
			texts[side][i] = "abAB"[forged_draw(seed, 4)];
	a = lines_of(texts[0]);
	b = lines_of(texts[1]);
	pairs = align_lines(a, b, &whole);
	for (u32 i = 0; i < pairs->len; i++) {
		struct align_pair pair = g_array_index(pairs, struct align_pair, i);

		if (pair.a != ALIGN_NONE)
			assert_int_equal(pair.a, next[0]++);
		if (pair.b != ALIGN_NONE)
			assert_int_equal(pair.b, next[1]++);
		if (pair.a == ALIGN_NONE || pair.b == ALIGN_NONE)
			continue;
		assert_int_equal(g_ascii_tolower(texts[0][pair.a]),
				 g_ascii_tolower(texts[1][pair.b]));
		score += texts[0][pair.a] == texts[1][pair.b] ? 3 : 2;
	}
	assert_int_equal(next[0], strlen(texts[0]));
	assert_int_equal(next[1], strlen(texts[1]));
	assert_int_equal(score, best(&scores, texts[0], texts[1]));
}

static void test_all_ways(void **state)
{
	u64 seed = 1;

	for (u32 i = 0; i < 2000; i++)
		check_random(&seed);
}

/* Too many lines that differ: the equal beginning and the equal end are still pairs, and each line is there. */
static void test_too_long(void **state)
{
	g_autoptr(GArray) a = g_array_new(FALSE, FALSE, sizeof(struct align_line));
	g_autoptr(GArray) b = g_array_new(FALSE, FALSE, sizeof(struct align_line));
	g_autoptr(GArray) pairs = NULL;
	bool whole;
	u32 both = 0;

	for (u32 i = 0; i < 10000; i++) {
		u32 same = i < 10 || i >= 9980 ? i : i + 20000;

		g_array_append_val(a, ((struct align_line){ i, i }));
		g_array_append_val(b, ((struct align_line){ same, same }));
	}
	pairs = align_lines(a, b, &whole);
	assert_false(whole);
	for (u32 i = 0; i < pairs->len; i++) {
		struct align_pair pair = g_array_index(pairs, struct align_pair, i);

		both += pair.a != ALIGN_NONE && pair.b != ALIGN_NONE;
	}
	assert_int_equal(both, 30);
	assert_int_equal(pairs->len, 20000 - 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_all_ways),
		cmocka_unit_test(test_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
