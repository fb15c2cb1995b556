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

/* Writes the decimal digits of @value, at least one, so that they end before @end. Returns the first digit. */
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

/* Appends the text from @at to the end of @text, right-aligned: @pad fills it up to @width. */
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

/* Up to 9 digits, as fractions of a second and CPU numbers have: all pairs are stored where they belong. */
static void put_zeros(char *to, u32 value, u32 width)
{
	while (width >= 2) {
		width -= 2;
		memcpy(to + width, pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (width)
		to[0] = (char)('0' + value);
}

void digits_zeros(GString *out, u64 value, u32 width)
{
	static const u32 over[] = { 0,	    10,	     100,      1000,	  10000,
				    100000, 1000000, 10000000, 100000000, 1000000000 };
	char text[MOST];

	/* Without a width, 0 has a digit all the same. */
	if (width < ARRAY_SIZE(over) && value < over[width]) {
		put_zeros(append_room(out, width), (u32)value, width);
		append_done(out, width);
		return;
	}
	put_right(out, text, spell(text + MOST, value), '0', width);
}

/* Eight hexadecimal digits: spreads the nibbles over bytes, highest first, then converts all bytes at once. */
static void spell_nibbles(u32 value, char to[8])
{
	const u64 ones = 0x0101010101010101ull;
	u64 x = value, letters;

	x = (x | x << 16) & 0x0000ffff0000ffffull;
	x = (x | x << 8) & 0x00ff00ff00ff00ffull;
	x = (x | x << 4) & 0x0f0f0f0f0f0f0f0full;
	letters = (x + ones * 6) >> 4 & ones; /* 1 for 10 to 15 */
	x = __builtin_bswap64(x + ones * '0' + letters * ('a' - '0' - 10));
	memcpy(to, &x, sizeof(x));
}

static void spell_hex(u64 value, char to[16])
{
	spell_nibbles((u32)(value >> 32), to);
	spell_nibbles((u32)value, to + 8);
}

void digits_hex(GString *out, u64 value, u32 width)
{
	u32 nr = value ? (67 - (u32)__builtin_clzll(value)) / 4 : 1, size = MAX(nr, width);
	char text[16], *to;

	if (width > sizeof(text)) {
		append_many(out, (s64)width - (s64)sizeof(text), ' ');
		size = width = sizeof(text);
	}
	/* Stores of a fixed size are fast. They write more than @size bytes, so there must be room for them. */
	to = append_room(out, size + sizeof(text));
	if (nr <= 8)
		spell_nibbles((u32)value << 4 * (8 - nr), text);
	else
		spell_hex(value << 4 * (sizeof(text) - nr), text);
	memset(to, ' ', sizeof(text));
	memcpy(to + size - nr, text, sizeof(text));
	append_done(out, size);
}

void digits_address(GString *out, u64 value)
{
	if (value)
		append_bytes(out, "0x", 2);
	spell_hex(value, append_room(out, 16));
	append_done(out, 16);
}

/*
 * printf() rounds the exact value. This function rounds value * 100, whose last bit may be wrong. If that bit could
 * change the result, printf() is used.
 */
void digits_fixed(GString *out, double value, u32 decimals)
{
	static const u32 scales[] = { 1, 10, 100 };
	u32 scale = scales[MIN(decimals, 2)];
	double scaled = value * scale, rest;
	u64 number;

	rest = scaled < 1e11 && scaled >= 0 ? scaled - (double)(u64)scaled : 0.5;
	/* What lies between two results, printf() rounds by all of its bits. */
	if (signbit(value) || (rest > 0.4999 && rest < 0.5001)) {
		g_string_append_printf(out, "%.*f", (int)MIN(decimals, 2), value);
		return;
	}
	number = (u64)scaled + (rest > 0.5);
	digits_dec(out, number / scale, 0);
	if (scale > 1)
		append_char(out, '.');
	if (scale == 10)
		append_char(out, (char)('0' + number % 10));
	else if (scale == 100)
		append_bytes(out, pairs + 2 * (number % 100), 2);
}

void digits_text(GString *out, const char *text, u32 width)
{
	size_t size = strlen(text);

	if (size < width)
		append_many(out, (s64)(width - size), ' ');
	append_bytes(out, text, size);
}
