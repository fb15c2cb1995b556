// SPDX-License-Identifier: GPL-2.0-or-later
/* A tiny configuration reader: what calls return, pass through and are passed. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

struct position {
	int line, column;
};

struct setting {
	struct setting *next;
	char *key, *value;
	struct position where;
};

struct section {
	char name[16];
	struct setting *settings;
	struct section *next;
	int nr;
};

struct reader {
	const char *at, *end;
	struct position where;
	struct section *sections;
	struct message *messages;
	jmp_buf *bail;
};

struct message {
	struct message *next;
	int severity;
	char text[48];
};

typedef struct section *(*lookup_fn)(struct reader *, const char *);

struct access {
	lookup_fn lookup;
	struct setting *(*find)(const struct section *, const char *);
	int uses;
};

__attribute__((noinline)) static struct section *find_section(struct reader *r, const char *name)
{
	for (struct section *s = r->sections; s; s = s->next)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

__attribute__((noinline)) static struct section *get_section(struct reader *r, const char *name)
{
	struct section *s = find_section(r, name);

	if (s)
		return s;
	s = create(struct section);
	strncpy(s->name, name, sizeof(s->name) - 1);
	s->next = r->sections;
	return r->sections = s;
}

__attribute__((noinline)) static struct setting *find_setting(const struct section *s,
							      const char *key)
{
	struct setting *at = s->settings;

	while (at && strcmp(at->key, key))
		at = at->next;
	return at;
}

static char *copy(const char *from, size_t size)
{
	char *to = new_array(char, size + 1);

	return memcpy(to, from, size);
}

__attribute__((noinline)) static struct message *say(struct reader *r, int severity,
						     const char *fmt, ...)
{
	struct message *m = create(struct message);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(m->text, sizeof(m->text), fmt, ap);
	va_end(ap);
	m->severity = severity;
	m->next = r->messages;
	r->messages = m;
	return m;
}

__attribute__((noinline)) static long sum_of(int n, ...)
{
	va_list ap;
	long sum = 0;

	va_start(ap, n);
	for (int i = 0; i < n; i++)
		sum += va_arg(ap, struct position *)->line;
	va_end(ap);
	return sum;
}

__attribute__((noinline, noreturn)) static void give_up(struct reader *r, const char *why)
{
	say(r, 3, "%s in line %d", why, r->where.line);
	longjmp(*r->bail, 1);
}

static const char *skip(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p;
}

static void read_line(struct reader *r, struct section **current)
{
	const char *eol = memchr(r->at, '\n', (size_t)(r->end - r->at));
	const char *p, *equals;
	struct setting *setting;
	char name[16];

	if (!eol)
		eol = r->end;
	p = skip(r->at, eol);
	r->where.line++;
	if (*p == '[') {
		const char *close = memchr(p, ']', (size_t)(eol - p));

		if (!close || close - p > 15)
			give_up(r, "bad section");
		memcpy(name, p + 1, (size_t)(close - p - 1));
		name[close - p - 1] = '\0';
		(*current = get_section(r, name))->nr++;
	} else if ((equals = memchr(p, '=', (size_t)(eol - p)))) {
		setting = create(struct setting);
		setting->key = copy(p, (size_t)(equals - p));
		setting->value = copy(equals + 1, (size_t)(eol - equals - 1));
		setting->where = r->where;
		setting->where.column = (int)(p - r->at);
		setting->next = (*current)->settings;
		(*current)->settings = setting;
		(*current)->nr++;
	} else if (p < eol) {
		say(r, 1, "nothing at %d", r->where.line)->severity++;
	}
	r->at = eol < r->end ? eol + 1 : eol;
}

__attribute__((noinline)) static struct setting *lookup(struct access *access, struct reader *r,
							const char *section, const char *key)
{
	struct section *s = access->lookup(r, section);

	access->uses++;
	return s ? access->find(s, key) : NULL;
}

__attribute__((noinline)) static struct position *where_of(struct access *a, struct reader *r,
							   const char *s, const char *k)
{
	return &lookup(a, r, s, k)->where;
}

/* Seven arguments: the last lies on the stack. */
__attribute__((noinline)) static long mix(struct section *a, struct setting *b, int c, int d, int e,
					  long f, struct position *g, struct reader *h)
{
	return a->nr + b->where.line + c * d + e + f + g->line +
	       (h->messages ? h->messages->severity : 0);
}

int main(void)
{
	static const char text[] =
		"[main]\nthreads=4\nhost=localhost\n\n[log]\nlevel=3\nrubbish\nfile=/tmp/log\n"
		"[main]\ncolour=blue\n[this is much too long\n";
	struct access *access = create(struct access);
	struct reader *r = create(struct reader);
	struct section *current = get_section(r, "main");
	struct position *where;
	struct setting *s;
	jmp_buf bail;
	long sum;

	access->lookup = find_section;
	access->find = find_setting;
	r->at = text;
	r->end = text + sizeof(text) - 1;
	r->bail = &bail;
	if (!setjmp(bail))
		while (r->at < r->end)
			read_line(r, &current);
	s = lookup(access, r, "log", "level");
	where = where_of(access, r, "main", "host");
	sum = mix(find_section(r, "log"), s, 2, 3, 4, 5, where, r);
	sum += sum_of(3, &s->where, where, where_of(access, r, "log", "file"));
	sum += atoi(strchr(s->value, '3')) +
	       atoi(find_setting(get_section(r, "main"), "threads")->value);
	printf("%ld %d %s %d\n", sum, access->uses, r->messages->text,
	       strrchr(where_of(access, r, "main", "colour") ? "a=b" : "", '=') != NULL);
	return 0;
}
