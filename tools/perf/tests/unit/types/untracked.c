// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Variables that gcc does not track: what va_arg() returns. By the debug information each is in one register of the
 * whole function, which holds much else. The marks are those of flow.c.
 *
 * @locals int | char** | unsigned int | size_t | unsigned long | char* | unsigned char* | struct text* | struct value* | struct counter* | struct __va_list_tag*
 */
#include <stdarg.h>
#include <stddef.h>

#define NOINLINE __attribute__((noinline))

struct text {
	size_t length;
	const char *bytes;
};

struct value {
	unsigned int length, valid;
	const unsigned char *bytes;
};

struct counter {
	long hits, misses;
};

struct counter counters[4];

NOINLINE size_t put(char *to, const char *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i]; // @type char +0 (no field)
	return n;
}

NOINLINE struct counter *count(int format)
{
	struct counter *c = &counters[format & 3];

	c->hits++; // @must struct counter +0 (hits)
	return c;
}

static char *hex(char *to, const char *last, const unsigned char *from, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	while (n-- && to < last - 1) {
		*to++ = digits[*from >> 4]; // @type unsigned char +0 (no field) | char +0 (no field) | char[] +0 (no field) | char[] +0x1 (no field)
		*to++ = digits[*from++ & 15]; // @type unsigned char +0 (no field) | char +0 (no field) | char[] +0 (no field)
	}
	return to;
}

NOINLINE char *print(char *to, const char *last, const char *format, va_list args)
{
	struct text *t;
	struct value *v;

	for (; *format && to < last; format++) { // @type char +0 (no field)
		if (*format != '%') { // @type char +0 (no field)
			*to++ = *format; // @type char +0 (no field)
			continue;
		}
		switch (*++format) { // @type char +0 (no field)
		case 't':
			t = va_arg(args, struct text *); // @type ~struct text* +0 (no field) | struct __va_list_tag +0 (gp_offset) | struct __va_list_tag +0x8 (overflow_arg_area) | struct __va_list_tag +0x10 (reg_save_area)
			to += put(to, t->bytes, t->length); // @type struct text +0 (length) | struct text +0x8 (bytes)
			break;
		case 'v':
			v = va_arg(args, struct value *); // @type ~struct value* +0 (no field) | struct __va_list_tag +0 (gp_offset) | struct __va_list_tag +0x8 (overflow_arg_area) | struct __va_list_tag +0x10 (reg_save_area)
			to = hex(to, last, v->bytes, v->length); // @type struct value +0 (length) | struct value +0x8 (bytes)
			break;
		case 'm':
			count(*format)->misses++; // @type struct counter +0x8 (misses) | char +0 (no field)
			break;
		}
	}
	return to;
}

NOINLINE char *format(char *to, const char *last, const char *text, ...)
{
	va_list args;

	va_start(args, text); // @type struct __va_list_tag (one of several) | struct __va_list_tag +0 (gp_offset) | struct __va_list_tag +0x4 (fp_offset) | struct __va_list_tag +0x8 (overflow_arg_area) | struct __va_list_tag +0x10 (reg_save_area)
	to = print(to, last, text, args);
	va_end(args);
	return to;
}

int main(int argc, char **argv)
{
	char to[64];
	struct text t = { (size_t)argc, argv[0] }; // @type struct text +0 (length) | struct text +0x8 (bytes) | char* +0 (no field)
	struct value v = { 1, 0, (const unsigned char *)argv[0] }; // @type struct value (one of several) | struct value +0 (length) | struct value +0x4 (valid) | struct value +0x8 (bytes) | char* +0 (no field)

	return (int)(format(to, to + sizeof(to), "%t %v %m", &t, &v) - to); // @type struct value (one of several)
}
