// SPDX-License-Identifier: GPL-2.0-or-later
/* What test_dwarf asks about: values of every class of the ABI, calls, globals. */
#include <stdarg.h>
#include <stdlib.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline, used))
#else
#define NOINLINE __attribute__((noinline, noclone, used))
#endif

struct mixed {
	double first;
	long second;
};

struct reversed {
	long first;
	double second;
};

struct large {
	long a, b, c;
};

typedef struct mixed *(*operation)(int, struct large *);

struct large table[4] = { { 1, 2, 3 } };
struct mixed origin = { 1.0, 2 };

NOINLINE struct reversed mixed(struct mixed m, int k)
{
	return (struct reversed){ m.second + k, m.first };
}

NOINLINE struct large large(struct large l, int k)
{
	l.a += k;
	return l;
}

NOINLINE float many(long a, char *b, long c, long d, long e, long f, long g, double h,
		    long double i, int j)
{
	return (float)(a + *b + c + d + e + f + g + h + (double)i + j);
}

NOINLINE void report(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	origin.second += va_arg(args, int);
	va_end(args);
}

__attribute__((noreturn)) NOINLINE void give_up(int how)
{
	origin.second = how;
	exit(how);
}

NOINLINE struct mixed *through(operation op, struct large *l)
{
	return op(1, l);
}

NOINLINE long take(struct large *l, int k)
{
	l->a += k;
	return l->b;
}

NOINLINE long caller(struct large *l)
{
	return take(l, 42) + 1;
}

static struct mixed *pick(int k, struct large *l)
{
	origin.second += l->a + k;
	return &origin;
}

int main(int argc, char **argv)
{
	char c = (char)argc;
	struct reversed r = mixed(origin, argc);
	struct large l = large(table[argc & 3], argc);
	float f = many(1, &c, 2, 3, 4, 5, 6, 7.0, 8.0L, argc);

	report("%d", argc);
	if (caller(&l) > 100000 && through(pick, &l)->second == 3 && r.first > 4 && f > 3)
		give_up(argc);
	return 0;
}

struct reals {
	double first, second;
};

struct wide {
	long first, second;
};

NOINLINE struct reals reals(struct reals r, struct wide w, float f)
{
	return (struct reals){ r.second + f, r.first + (double)w.first };
}

NOINLINE struct wide wide(struct wide w, struct reals r)
{
	return (struct wide){ w.second, (long)r.second };
}

struct uneven {
	float first, second, third;
};

struct narrow {
	int first, second, third;
};

NOINLINE struct uneven uneven(struct uneven u, struct narrow n)
{
	return (struct uneven){ u.second, u.third, u.first + (float)n.third };
}

NOINLINE long double precise(long double x, double y)
{
	return x + y;
}
