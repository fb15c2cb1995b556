// SPDX-License-Identifier: GPL-2.0-or-later
/* A reader of settings: tokens, a stack of sections, tagged values, expressions by precedence. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

enum type { NUMBER, STRING, LIST, SECTION };

struct value {
	enum type type;
	int line;
	union {
		double number;
		struct {
			char *text;
			size_t length;
		} string;
		struct {
			struct value **items;
			unsigned int nr, room;
		} list;
		struct section *section;
	} u;
};

struct entry {
	char key[16];
	struct value *value;
};

struct section {
	struct section *outer;
	unsigned int nr;
	struct entry entries[6];
};

struct token {
	int kind; /* '0', '"', 'a' or the character itself */
	const char *start, *end;
};

struct reader {
	const char *at, *end;
	int line;
	struct token token, ahead;
	int have_ahead;
	double operands[8];
	char operators[8];
	int nr_operands, nr_operators;
	struct section *open[4];
	int depth;
};

static void lex(struct reader *r, struct token *t)
{
	while (r->at < r->end && isspace((unsigned char)*r->at))
		if (*r->at++ == '\n')
			r->line++;
	t->start = r->at;
	if (r->at == r->end) {
		t->kind = 0;
	} else if (isdigit((unsigned char)*r->at)) {
		t->kind = '0';
		while (r->at < r->end && (isdigit((unsigned char)*r->at) || *r->at == '.'))
			r->at++;
	} else if (isalpha((unsigned char)*r->at)) {
		t->kind = 'a';
		while (r->at < r->end && isalnum((unsigned char)*r->at))
			r->at++;
	} else if (*r->at == '"') {
		t->kind = '"';
		t->start = ++r->at;
		while (r->at < r->end && *r->at != '"')
			r->at++;
		t->end = r->at++;
		return;
	} else {
		t->kind = *r->at++;
	}
	t->end = r->at;
}

__attribute__((noinline)) static int next(struct reader *r)
{
	if (r->have_ahead) {
		r->token = r->ahead;
		r->have_ahead = 0;
	} else {
		lex(r, &r->token);
	}
	return r->token.kind;
}

__attribute__((noinline)) static int peek(struct reader *r)
{
	if (!r->have_ahead) {
		lex(r, &r->ahead);
		r->have_ahead = 1;
	}
	return r->ahead.kind;
}

static int strength(char op)
{
	return op == '*' || op == '/' ? 2 : op == '+' || op == '-' ? 1 : 0;
}

__attribute__((noinline)) static void reduce(struct reader *r)
{
	double b = r->operands[--r->nr_operands], *a = &r->operands[r->nr_operands - 1];

	switch (r->operators[--r->nr_operators]) {
	case '+':
		*a += b;
		break;
	case '-':
		*a -= b;
		break;
	case '*':
		*a *= b;
		break;
	default:
		*a /= b;
	}
}

__attribute__((noinline)) static double expression(struct reader *r)
{
	int floor = r->nr_operators;

	for (;;) {
		r->operands[r->nr_operands++] = strtod(r->token.start, NULL);
		if (!strength((char)peek(r)))
			break;
		next(r);
		while (r->nr_operators > floor &&
		       strength(r->operators[r->nr_operators - 1]) >= strength((char)r->token.kind))
			reduce(r);
		r->operators[r->nr_operators++] = (char)r->token.kind;
		next(r);
	}
	while (r->nr_operators > floor)
		reduce(r);
	return r->operands[--r->nr_operands];
}

static struct value *value(struct reader *r);

__attribute__((noinline)) static void append(struct value *list, struct value *item)
{
	if (list->u.list.nr == list->u.list.room) {
		unsigned int room = list->u.list.room ? 2 * list->u.list.room : 2;
		struct value **items = new_array(struct value *, room);

		for (unsigned int i = 0; i < list->u.list.nr; i++)
			items[i] = list->u.list.items[i];
		truth_free(list->u.list.items);
		list->u.list.items = items;
		list->u.list.room = room;
	}
	list->u.list.items[list->u.list.nr++] = item;
}

__attribute__((noinline)) static struct section *section(struct reader *r)
{
	struct section *s = create(struct section);

	s->outer = r->depth ? r->open[r->depth - 1] : NULL;
	r->open[r->depth++] = s;
	while (next(r) == 'a' && s->nr < 6) {
		struct entry *e = &s->entries[s->nr++];
		size_t n = (size_t)(r->token.end - r->token.start);

		memcpy(e->key, r->token.start, n < 15 ? n : 15);
		next(r);
		next(r);
		e->value = value(r);
	}
	r->depth--;
	return s;
}

__attribute__((noinline)) static struct value *value(struct reader *r)
{
	struct value *v = create(struct value);

	v->line = r->line;
	switch (r->token.kind) {
	case '"':
		v->type = STRING;
		v->u.string.length = (size_t)(r->token.end - r->token.start);
		v->u.string.text = new_array(char, v->u.string.length + 1);
		memcpy(v->u.string.text, r->token.start, v->u.string.length);
		break;
	case '[':
		v->type = LIST;
		while (next(r) != ']')
			append(v, value(r));
		break;
	case '{':
		v->type = SECTION;
		v->u.section = section(r);
		break;
	default:
		v->type = NUMBER;
		v->u.number = expression(r);
	}
	return v;
}

__attribute__((noinline)) static double weigh(const struct value *v)
{
	double sum = v->line;

	switch (v->type) {
	case NUMBER:
		return v->u.number;
	case STRING:
		for (size_t i = 0; i < v->u.string.length; i++)
			sum += v->u.string.text[i] == 'e';
		return sum;
	case LIST:
		for (unsigned int i = v->u.list.nr; i--;)
			sum += weigh(v->u.list.items[i]);
		return sum;
	default:
		for (const struct entry *e = v->u.section->entries;
		     e < v->u.section->entries + v->u.section->nr; e++)
			sum += weigh(e->value) + e->key[0];
		return sum;
	}
}

__attribute__((noinline)) static const struct value *look_up(const struct section *s,
							     const char *path)
{
	while (s) {
		unsigned int i;
		size_t n = strcspn(path, ".");

		for (i = 0; i < s->nr; i++)
			if (!strncmp(s->entries[i].key, path, n) && !s->entries[i].key[n])
				break;
		if (i == s->nr)
			return NULL;
		if (!path[n])
			return s->entries[i].value;
		path += n + 1;
		s = s->entries[i].value->type == SECTION ? s->entries[i].value->u.section : NULL;
	}
	return NULL;
}

int main(void)
{
	static const char text[] = "size = 3 + 4 * 2\n"
				   "name = \"the element\"\n"
				   "list = [1 2 6 / 3 \"three\" [4 5 - 1]]\n"
				   "inner = { a = 7 b = { c = 8 d = \"deep\" } }\n"
				   "last = 1 - 2 * 3 + 10\n";
	struct reader *r = create(struct reader);
	const struct value *v;
	struct section *s;
	double sum = 0;

	r->at = text;
	r->end = text + sizeof(text) - 1;
	s = section(r);
	for (unsigned int i = 0; i < s->nr; i++)
		sum += weigh(s->entries[i].value);
	v = look_up(s, "inner.b.c");
	printf("%.2f %.0f %d\n", sum, v ? weigh(v) : -1, r->line);
	return 0;
}
