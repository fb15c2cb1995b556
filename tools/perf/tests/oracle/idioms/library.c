// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the C library hands out: errno, the tables of <ctype.h>, its streams and the environment. Compilers declare
 * them not at all, or only with the functions that the source calls by these names.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "truth.h"

extern char **environ;

struct word {
	char text[24];
	int length, kind;
	struct word *next;
};

struct source {
	const char *at, *end;
	long line;
	int last_error;
	FILE *to;
};

struct box {
	void *what;
	int weight;
};

/* errno is read behind a call, and set before one. */
__attribute__((noinline)) static int number(struct source *s, long *value)
{
	char *end;

	errno = 0;
	*value = strtol(s->at, &end, 10);
	if (errno == ERANGE) {
		s->last_error = errno;
		return -1;
	}
	if (end == s->at)
		errno = EINVAL;
	s->at = end;
	return errno ? -1 : 0;
}

/* The address of errno is kept over a loop with calls. */
__attribute__((noinline)) static int tries(struct source *s, int n)
{
	int failed = 0;

	for (int i = 0; i < n; i++) {
		long v;

		errno = i & 1 ? ENOENT : 0;
		if (number(s, &v) && errno != EINVAL)
			failed++;
	}
	return failed;
}

/* A table of flags, by a signed character; the table's address is kept in a register. */
__attribute__((noinline)) static struct word *words(struct source *s)
{
	struct word *first = NULL, **last = &first;

	while (s->at < s->end) {
		struct word *w;
		int n = 0;

		while (s->at < s->end && isspace((unsigned char)*s->at))
			s->line += *s->at++ == '\n';
		if (s->at == s->end)
			break;
		w = create(struct word);
		while (s->at < s->end && !isspace((unsigned char)*s->at) && n < 23)
			w->text[n++] = *s->at++;
		w->length = n;
		w->kind = isdigit((unsigned char)w->text[0])   ? 1
			  : ispunct((unsigned char)w->text[0]) ? 2
							       : 0;
		*last = w;
		last = &w->next;
	}
	return first;
}

/* The tables of numbers for upper and lower case, inlined by <ctype.h> where it is optimized. */
__attribute__((noinline)) static int fold(struct word *w)
{
	int changed = 0;

	for (; w; w = w->next) {
		for (int i = 0; i < w->length; i++)
			w->text[i] = (char)tolower((unsigned char)w->text[i]);
		if (isalpha((unsigned char)w->text[0])) {
			int c = toupper((unsigned char)w->text[0]);

			changed += c != w->text[0];
			w->text[0] = (char)c;
		}
	}
	return changed;
}

/* The stream is loaded from the library's variable, through a slot of the GOT or from a copy. */
__attribute__((noinline)) static int say(struct source *s, int level, const char *text)
{
	FILE *to = level > 1 ? stderr : stdout;

	if (level > 2)
		fputs(text, to);
	s->to = to;
	return fputs(text, s->to ? s->to : stderr);
}

__attribute__((noinline)) static int variables(const char *prefix)
{
	int n = 0;

	for (char **e = environ; e && *e; e++)
		if ((*e)[0] == prefix[0] && !strncmp(*e, prefix, strlen(prefix)))
			n++;
	return n;
}

__attribute__((noinline)) static int options(int argc, char **argv)
{
	int n = 0, c;

	optind = 1;
	opterr = 0;
	while ((c = getopt(argc, argv, "ab:")) >= 0)
		n += c == 'b' ? optarg[0] - '0' : 1;
	return n * 16 + optind;
}

/* Nothing but the call tells what a box holds. */
__attribute__((noinline)) static int heaviest(struct box *boxes, int n)
{
	int best = 0;

	for (int i = 0; i < n; i++) {
		char *text = boxes[i].what;

		if (text[0] == '#')
			continue;
		boxes[i].weight = (int)strlen(boxes[i].what);
		if (boxes[i].weight > boxes[best].weight)
			best = i;
	}
	return best;
}

static void name_the_librarys(void)
{
	truth_object(__errno_location(), 4, "int", 3, 1);
	truth_object(*__ctype_b_loc() - 128, 384 * 2, "unsigned short", 14, 384);
	truth_object(*__ctype_tolower_loc() - 128, 384 * 4, "int", 3, 384);
	truth_object(*__ctype_toupper_loc() - 128, 384 * 4, "int", 3, 384);
	truth_object(__ctype_b_loc(), 8, "unsigned short*", 15, 1);
	truth_object(&stderr, 8, "FILE*", 5, 1);
	truth_object(&stdout, 8, "FILE*", 5, 1);
	truth_object(&environ, 8, "char**", 6, 1);
	truth_object(&optarg, 8, "char*", 5, 1);
	truth_object(&optind, 4, "int", 3, 1);
	truth_object(&opterr, 4, "int", 3, 1);
}

int main(void)
{
	static const char text[] = "  12 apples, 7 Pears\n99999999999999999999 kiwi ; Fig\n";
	char *argv[] = { "library", "-a", "-b7", "rest", NULL };
	struct source *s = create(struct source);
	struct box *boxes = new_array(struct box, 4);
	struct word *w;
	long v = 0;
	int changed, failed, said, nr_vars, nr_options;

	name_the_librarys();
	setenv("ORACLE_A", "1", 1);
	s->at = text;
	s->end = text + sizeof(text) - 1;
	w = words(s);
	changed = fold(w);
	s->at = "99999999999999999999";
	failed = number(s, &v) + tries(s, 4);
	said = say(s, 0, "") + say(s, 2, "");
	nr_vars = variables("ORACLE_A") > 0;
	nr_options = options(4, argv);
	for (int i = 0; i < 4; i++, w = w->next)
		boxes[i].what = w->text;
	printf("%d %d %d %d %d %d\n", changed, failed, said >= 0, nr_vars, nr_options,
	       heaviest(boxes, 4));
	return 0;
}
