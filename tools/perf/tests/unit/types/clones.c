// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Parameters that gcc makes of others (.isra, .constprop), and what va_arg() takes from registers: only the callers
 * tell what they are. See flow.c for the marks; a line whose mark names nothing that could be there must have no type.
 *
 * @locals struct message* | struct reader* | struct point* | struct size* | void* | long | long int | int | unsigned int | struct __va_list_tag
 */
#include <stdarg.h>
#include <stddef.h>

#define NOINLINE __attribute__((noinline))

struct message {
	struct message *next;
	int severity;
	char text[36];
};

struct point {
	int line, column;
};

struct size {
	long width;
	int height;
};

struct reader {
	struct message *messages;
	long lines;
	struct point at;
	struct size size;
	void *any;
};

/* Of the reader its member is left. Called once, and jumped to once. */
NOINLINE static long worst(const struct reader *r, long least)
{
	long severity = r->messages->severity; // @gcc struct message +0x8 (severity) | struct reader +0 (messages)

	for (const struct message *m = r->messages->next; m; m = m->next) // @type struct message +0 (next) | struct reader +0 (messages)
		severity = m->severity > severity ? m->severity : severity; // @gcc struct message +0x8 (severity)
	return severity > least ? severity : least;
}

/* All callers pass points, one of them a member of a structure. */
NOINLINE static long sum_of(int n, ...)
{
	va_list ap;
	long sum = 0;

	va_start(ap, n); // @type struct __va_list_tag +0 (gp_offset) | struct __va_list_tag +0x4 (fp_offset) | struct __va_list_tag +0x8 (overflow_arg_area) | struct __va_list_tag +0x10 (reg_save_area) | (varargs save area) | (stack spill)
	for (int i = 0; i < n; i++)
		sum += va_arg(ap, struct point *)->column; // @gcc struct point +0x4 (column) | struct reader +0x14 (at.column) | struct __va_list_tag +0 (gp_offset) | struct __va_list_tag +0x8 (overflow_arg_area) | struct __va_list_tag +0x10 (reg_save_area) | (varargs save area)
	va_end(ap);
	return sum;
}

/* Of the callers one passes a point, the other a size: nothing may be claimed. */
NOINLINE static int first_of(int n, ...)
{
	va_list ap;
	int first;

	va_start(ap, n); // @type struct __va_list_tag +0 (gp_offset) | struct __va_list_tag +0x4 (fp_offset) | struct __va_list_tag +0x8 (overflow_arg_area) | struct __va_list_tag +0x10 (reg_save_area) | (varargs save area) | (stack spill)
	first = *va_arg(ap, int *) * n; // @type int | struct __va_list_tag +0 (gp_offset) | struct __va_list_tag +0x8 (overflow_arg_area) | struct __va_list_tag +0x10 (reg_save_area) | (varargs save area)
	va_end(ap);
	return first;
}

/* One caller does not know what it passes. */
NOINLINE static long doubtful(int n, ...)
{
	va_list ap;
	long found;

	va_start(ap, n); // @type struct __va_list_tag +0 (gp_offset) | struct __va_list_tag +0x4 (fp_offset) | struct __va_list_tag +0x8 (overflow_arg_area) | struct __va_list_tag +0x10 (reg_save_area) | (varargs save area) | (stack spill)
	found = va_arg(ap, struct size *)->height + n; // @type struct size +0x8 (height) | struct __va_list_tag +0 (gp_offset) | struct __va_list_tag +0x8 (overflow_arg_area) | struct __va_list_tag +0x10 (reg_save_area) | (varargs save area)
	va_end(ap);
	return found;
}

NOINLINE /* What the callers pass is an object, but its bytes are read one after another. */
NOINLINE static unsigned int sum_bytes(const void *object, long size)
{
	const unsigned char *byte = object;
	unsigned int sum = 0;

	do
		sum = sum * 31 + *byte++; // @type unsigned char +0 (no field)
	while (--size);
	return sum;
}

NOINLINE long read_all(struct reader *r, struct reader *other)
{
	long sum = worst(r, 3); // @type struct reader +0 (messages) | struct message +0 (next)

	sum += sum_of(2, &r->at, &other->at) + sum_bytes(r, sizeof(*r)) + sum_bytes(other, sizeof(*r));
	sum += first_of(3, &r->at.line) + first_of(3, (int *)&other->size.width);
	sum += doubtful(1, &r->size) + doubtful(1, r->any); // @type struct reader +0x28 (any)
	return sum;
}

NOINLINE long read_one(struct reader *r, struct point *p, struct point *q)
{
	r->lines += sum_of(2, p, q); // @type struct reader +0x8 (lines)
	return worst(r, 3); // @type struct reader +0 (messages) | struct message +0 (next)
}

int main(int argc, char **argv)
{
	(void)argv;
	return argc > 99 ? (int)(read_all(NULL, NULL) + read_one(NULL, NULL, NULL)) : 0;
}
