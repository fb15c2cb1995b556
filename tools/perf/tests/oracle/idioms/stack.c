// SPDX-License-Identifier: GPL-2.0-or-later
/* Parsing with everything on the stack: objects, arrays, alloca, more values than registers. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct token {
	int kind, line;
	const char *text;
	unsigned int length;
};

struct scope {
	struct scope *outer;
	struct token names[6];
	int nr, level;
};

struct matrix {
	double m[4][4] __attribute__((aligned(32)));
	int rows;
};

struct totals {
	long words, digits, others, lines;
};

struct series {
	long a, b, c, d, e, f, g, h, i, j, k, l;
	long *out;
};

__attribute__((noinline)) static void declare(struct scope *scope, const struct token *t)
{
	if (scope->nr < 6)
		scope->names[scope->nr++] = *t;
}

__attribute__((noinline)) static const struct token *find(const struct scope *scope,
							  const char *text, unsigned int length)
{
	for (; scope; scope = scope->outer)
		for (int i = 0; i < scope->nr; i++)
			if (scope->names[i].length == length &&
			    !memcmp(scope->names[i].text, text, length))
				return &scope->names[i];
	return NULL;
}

__attribute__((noinline)) static const char *next(const char *p, struct token *t,
						  struct totals *totals)
{
	while (*p == ' ' || *p == '\n') {
		if (*p == '\n') {
			t->line++;
			totals->lines++;
		}
		p++;
	}
	t->text = p;
	t->kind = *p >= 'a' && *p <= 'z' ? 1 : *p >= '0' && *p <= '9' ? 2 : *p ? 3 : 0;
	switch (t->kind) {
	case 1:
		totals->words++;
		break;
	case 2:
		totals->digits++;
		break;
	default:
		totals->others++;
	}
	while (*p && *p != ' ' && *p != '\n' && (t->kind != 3 || p == t->text))
		p++;
	t->length = (unsigned int)(p - t->text);
	return p;
}

static int parse(const char *p, struct scope *outer, struct totals *totals, const char **rest)
{
	struct scope scope = { .outer = outer, .level = outer ? outer->level + 1 : 0 };
	struct token t = { .line = outer ? outer->names[0].line : 1 };
	int found = 0;

	for (p = next(p, &t, totals); t.kind; p = next(p, &t, totals)) {
		if (t.kind == 3 && *t.text == '{') {
			found += parse(p, &scope, totals, &p);
		} else if (t.kind == 3 && *t.text == '}') {
			break;
		} else if (t.kind == 1) {
			const struct token *known = find(&scope, t.text, t.length);

			if (known)
				found += known->line + scope.level;
			else
				declare(&scope, &t);
		}
	}
	*rest = p;
	return found;
}

__attribute__((noinline)) static long sum_copies(const struct token *tokens, int n)
{
	struct token *copy =
		memset(alloca((size_t)n * sizeof(*copy)), 0, (size_t)n * sizeof(*copy));
	int order[n];
	long sum = 0;

	truth_object(copy, (size_t)n * sizeof(*copy), "struct token", 12, (size_t)n);
	truth_object(order, sizeof(order), "int", 3, (size_t)n);
	for (int i = 0; i < n; i++) {
		copy[i] = tokens[n - 1 - i];
		order[i] = (i * 3) % n;
	}
	for (int i = 0; i < n; i++)
		sum += copy[order[i]].line * (i + 1) + (long)copy[i].length;
	return sum;
}

__attribute__((noinline)) static void multiply(struct matrix *out, const struct matrix *a,
					       const struct matrix *b)
{
	struct matrix tmp;

	tmp.rows = a->rows;
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) {
			tmp.m[i][j] = 0;
			for (int k = 0; k < 4; k++)
				tmp.m[i][j] += a->m[i][k] * b->m[k][j];
		}
	*out = tmp;
}

/* More live values than registers, so that some live in slots for a while. */
__attribute__((noinline)) static long pressure(const struct series *s, const struct totals *t,
					       struct token *tok, int n)
{
	long a = s->a, b = s->b, c = s->c, d = s->d, e = s->e, f = s->f, g = s->g, h = s->h,
	     i = s->i, j = s->j;
	const char *text = tok->text;

	for (int at = 0; at < n; at++) {
		a += b ^ t->words;
		b += c * t->digits;
		c += d ^ (long)tok->length;
		d += e + text[at % 3];
		e ^= f + s->k;
		f += g * t->lines;
		g ^= h + s->l;
		h += i;
		i ^= j + tok->line;
		j += a;
		s->out[at] = a + e;
	}
	tok->kind = (int)a;
	return a + b + c + d + e + f + g + h + i + j;
}

int main(void)
{
	struct totals totals = { 0, 0, 0, 0 };
	struct token tokens[5] = { { 1, 1, "one", 3 },
				   { 1, 2, "two", 3 },
				   { 2, 3, "333", 3 },
				   { 1, 4, "four", 4 },
				   { 3, 5, "{", 1 } };
	struct matrix a = { .rows = 4 }, b = { .rows = 4 }, c;
	struct series s = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, NULL };
	const char *rest;
	int found = parse("let a b { c a\n b { d 12 c }\n } a d } x", NULL, &totals, &rest);
	long sum;

	for (int i = 0; i < 16; i++) {
		a.m[i / 4][i % 4] = i;
		b.m[i % 4][i / 4] = i + 1;
	}
	multiply(&c, &a, &b);
	s.out = new_array(long, 8);
	sum = pressure(&s, &totals, &tokens[1], 8);
	printf("%d %ld %ld %.1f %ld %ld\n", found, totals.words, sum_copies(tokens, 5), c.m[2][3],
	       sum, s.out[7]);
	return 0;
}
