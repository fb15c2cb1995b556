// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The best alignment of two sequences, by a table of scores: best[i][j] is the score of what is behind line i of the one and line j
 * of the other one. A pair of equal lines counts 3, of lines that are alike 2. Example, with a row for each line of `a`:
 *
 *		 x	 y	(end)
 *	x	[3+3]	 3	 0	x = x, then go to (y, y)
 *	y	 3	[3]	 0	y = y
 *	(end)	 0	 0	 0
 *
 * Only the way that each cell goes is kept, one byte; of the scores two rows.
 */
#include "pages/code/align.h"

#define EQUAL 3
#define ALIKE 2
/* Cells of the table: 16 MB. Functions of 4,000 instructions. */
#define MAX_CELLS (1u << 24)

enum way { WAY_PAIR, WAY_A, WAY_B };

static const struct align_line *at(const GArray *lines, u32 i)
{
	return &g_array_index(lines, struct align_line, i);
}

static u32 score(const struct align_line *a, const struct align_line *b)
{
	return a->equal == b->equal ? EQUAL : a->alike == b->alike ? ALIKE : 0;
}

static void add(GArray *pairs, u32 a, u32 b)
{
	g_array_append_val(pairs, ((struct align_pair){ a, b }));
}

/* The part of both listings that is not an equal beginning or an equal end. */
struct middle {
	const GArray *a, *b;
	u32 from, to_a, to_b;
	u8 *ways; /* by line of a, then of b */
};

static u32 width_of(const struct middle *m)
{
	return m->to_b - m->from;
}

static void fill(struct middle *m)
{
	u32 height = m->to_a - m->from, width = width_of(m);
	g_autofree u32 *below = g_new0(u32, width + 1), *row = g_new0(u32, width + 1);

	for (u32 i = height; i--;) {
		u32 *next = below;

		for (u32 j = width; j--;) {
			u32 pair = score(at(m->a, m->from + i), at(m->b, m->from + j));
			u32 best = pair ? pair + below[j + 1] : 0;
			enum way way = WAY_PAIR;

			/* If nothing is lost, lines of a come before those of b. */
			if (!pair || below[j] > best) {
				best = below[j];
				way = WAY_A;
			}
			if (row[j + 1] > best) {
				best = row[j + 1];
				way = WAY_B;
			}
			row[j] = best;
			m->ways[(size_t)i * width + j] = (u8)way;
		}
		below = row;
		row = next;
	}
}

static void follow(const struct middle *m, GArray *pairs)
{
	u32 i = m->from, j = m->from;

	while (i < m->to_a && j < m->to_b) {
		enum way way = m->ways ? m->ways[(size_t)(i - m->from) * width_of(m) + j - m->from]
				       : WAY_A;

		add(pairs, way == WAY_B ? ALIGN_NONE : i, way == WAY_A ? ALIGN_NONE : j);
		i += way != WAY_B;
		j += way != WAY_A;
	}
	while (i < m->to_a)
		add(pairs, i++, ALIGN_NONE);
	while (j < m->to_b)
		add(pairs, ALIGN_NONE, j++);
}

GArray *align_lines(const GArray *a, const GArray *b, bool *whole)
{
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct align_pair));
	struct middle m = { .a = a, .b = b, .to_a = a->len, .to_b = b->len };
	u32 end;

	while (m.from < MIN(a->len, b->len) && at(a, m.from)->equal == at(b, m.from)->equal)
		m.from++;
	while (m.to_a > m.from && m.to_b > m.from &&
	       at(a, m.to_a - 1)->equal == at(b, m.to_b - 1)->equal) {
		m.to_a--;
		m.to_b--;
	}
	for (u32 i = 0; i < m.from; i++)
		add(pairs, i, i);
	*whole = (u64)(m.to_a - m.from) * width_of(&m) <= MAX_CELLS;
	if (*whole) {
		m.ways = g_malloc((size_t)(m.to_a - m.from) * width_of(&m) + 1);
		fill(&m);
	}
	follow(&m, pairs);
	end = a->len - m.to_a;
	for (u32 i = 0; i < end; i++)
		add(pairs, m.to_a + i, m.to_b + i);
	g_free(m.ways);
	return pairs;
}
