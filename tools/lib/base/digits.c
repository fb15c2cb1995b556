// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/digits.h"

#include <math.h>
#include <string.h>

#define MOST 24 /* digits of 64 bits, and a sign */

static void pad(GString *out, char with, u32 have, u32 width)
{
	size_t at = out->len;

	if (have >= width)
		return;
	g_string_set_size(out, at + width - have);
	memset(out->str + at, with, width - have);
}

/* The digits of @value stand at the end of @text; returns how many. */
static u32 spell(u64 value, u32 base, char text[MOST])
{
	u32 n = 0;

	do {
		text[MOST - ++n] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	return n;
}

static u32 spell_signed(s64 value, char text[MOST])
{
	u32 n = spell(value < 0 ? -(u64)value : (u64)value, 10, text);

	if (value < 0)
		text[MOST - ++n] = '-';
	return n;
}

static void put(GString *out, const char text[MOST], u32 n)
{
	g_string_append_len(out, text + MOST - n, n);
}

void digits_dec(GString *out, u64 value, u32 width)
{
	char text[MOST];
	u32 n = spell(value, 10, text);

	pad(out, ' ', n, width);
	put(out, text, n);
}

void digits_signed(GString *out, s64 value, u32 width)
{
	char text[MOST];
	u32 n = spell_signed(value, text);

	pad(out, ' ', n, width);
	put(out, text, n);
}

void digits_left(GString *out, s64 value, u32 width)
{
	char text[MOST];
	u32 n = spell_signed(value, text);

	put(out, text, n);
	pad(out, ' ', n, width);
}

void digits_zeros(GString *out, u64 value, u32 width)
{
	char text[MOST];
	u32 n = spell(value, 10, text);

	pad(out, '0', n, width);
	put(out, text, n);
}

void digits_hex(GString *out, u64 value, u32 width)
{
	char text[MOST];
	u32 n = spell(value, 16, text);

	pad(out, ' ', n, width);
	put(out, text, n);
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
	g_string_append_c(out, '.');
	digits_zeros(out, number % 100, 2);
}

void digits_text(GString *out, const char *text, u32 width)
{
	size_t n = strlen(text);

	pad(out, ' ', (u32)MIN(n, width), width);
	g_string_append_len(out, text, (gssize)n);
}
