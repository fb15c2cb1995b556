// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/digits.h"

#include <math.h>
#include <string.h>

#include "base/append.h"

#define MOST 24 /* digits of 64 bits, and a sign */

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

/* Digits of @value that end before @end, at least one: where they begin. */
static char *spell(char *end, u64 value)
{
	while (value >= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (value < 10) {
		*--end = (char)('0' + value);
		return end;
	}
	end -= 2;
	memcpy(end, pairs + 2 * value, 2);
	return end;
}

static char *spell_signed(char *end, s64 value)
{
	char *at = spell(end, value < 0 ? -(u64)value : (u64)value);

	if (value < 0)
		*--at = '-';
	return at;
}

/* What stands from @at to the end of @text, with @pad in front up to @width. */
static void put_right(GString *out, const char text[MOST], const char *at, char pad, u32 width)
{
	size_t size = (size_t)(text + MOST - at);

	if (size < width)
		append_many(out, (s64)(width - size), pad);
	append_bytes(out, at, size);
}

void digits_dec(GString *out, u64 value, u32 width)
{
	char text[MOST];

	put_right(out, text, spell(text + MOST, value), ' ', width);
}

void digits_signed(GString *out, s64 value, u32 width)
{
	char text[MOST];

	put_right(out, text, spell_signed(text + MOST, value), ' ', width);
}

void digits_left(GString *out, s64 value, u32 width)
{
	char text[MOST], *at = spell_signed(text + MOST, value);
	size_t size = (size_t)(text + MOST - at);

	append_bytes(out, at, size);
	if (size < width)
		append_many(out, (s64)(width - size), ' ');
}

void digits_zeros(GString *out, u64 value, u32 width)
{
	char text[MOST];

	put_right(out, text, spell(text + MOST, value), '0', width);
}

void digits_hex(GString *out, u64 value, u32 width)
{
	u32 nr = value ? (67 - (u32)__builtin_clzll(value)) / 4 : 1, size = MAX(nr, width);
	char *to = append_room(out, size);

	memset(to, ' ', size - nr);
	for (u32 i = size; i > size - nr; value >>= 4)
		to[--i] = "0123456789abcdef"[value & 15];
	append_done(out, size);
}

/*
 * printf() rounds the exact value, and here it is the product that is rounded, whose last bit may be
 * wrong. Where so little could matter, printf() is asked.
 */
void digits_hundredths(GString *out, double value)
{
	double hundredths = value * 100, whole, rest;
	u64 number;

	if (signbit(value) || !(value < 1e9)) {
		g_string_append_printf(out, "%.2f", value);
		return;
	}
	whole = (double)(u64)hundredths;
	rest = hundredths - whole;
	if (rest > 0.4999 && rest < 0.5001) {
		g_string_append_printf(out, "%.2f", value);
		return;
	}
	number = (u64)hundredths + (rest > 0.5);
	digits_dec(out, number / 100, 0);
	append_char(out, '.');
	append_bytes(out, pairs + 2 * (number % 100), 2);
}

void digits_text(GString *out, const char *text, u32 width)
{
	size_t size = strlen(text);

	if (size < width)
		append_many(out, (s64)(width - size), ' ');
	append_bytes(out, text, size);
}
