// SPDX-License-Identifier: GPL-2.0-or-later
#include "term/screen.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "term/private.h"

static const struct glyph blank = { .base = ' ', .width = 1 };

void screen_resize(struct screen *s, u32 rows, u32 columns)
{
	s->rows = MIN(rows, SCREEN_MAX);
	s->columns = MIN(columns, SCREEN_MAX);
	g_free(s->glyphs);
	s->glyphs = g_new(struct glyph, (gsize)s->rows * s->columns + 1);
	screen_clear(s);
}

void screen_release(struct screen *s)
{
	g_clear_pointer(&s->glyphs, g_free);
}

void screen_free(struct screen *s)
{
	if (s)
		s->ops->free(s);
}

u32 screen_rows(const struct screen *s)
{
	return s->rows;
}

u32 screen_columns(const struct screen *s)
{
	return s->columns;
}

void screen_clear(struct screen *s)
{
	for (u32 i = 0; i < s->rows * s->columns; i++)
		s->glyphs[i] = blank;
}

void screen_show(struct screen *s)
{
	s->ops->show(s);
}

void screen_repaint(struct screen *s)
{
	if (s->ops->repaint)
		s->ops->repaint(s);
}

struct screen_input screen_wait(struct screen *s, int timeout_ms)
{
	return s->ops->wait(s, timeout_ms);
}

bool screen_interrupted(struct screen *s)
{
	return s->ops->interrupted(s);
}

static struct glyph *glyph_at(const struct screen *s, u32 row, u32 column)
{
	return &s->glyphs[row * s->columns + column];
}

const struct glyph *screen_glyph(const struct screen *s, u32 row, u32 column)
{
	return row < s->rows && column < s->columns ? glyph_at(s, row, column) : NULL;
}

void screen_reverse(struct screen *s, u32 row, u32 from, u32 to)
{
	for (u32 c = from; row < s->rows && c < MIN(to, s->columns); c++)
		glyph_at(s, row, c)->reverse = true;
}

/* If writing at @column overwrites one half of a wide character, the other half becomes a blank. */
static void split_wide(struct screen *s, u32 row, u32 column)
{
	struct glyph *right;

	if (!column || column >= s->columns)
		return;
	right = glyph_at(s, row, column);
	if (right->width)
		return;
	right->base = right[-1].base = ' ';
	right->width = right[-1].width = 1;
	memset(right[-1].marks, 0, sizeof(right[-1].marks));
}

static void put(struct screen *s, u32 row, u32 column, u32 c, u8 width, enum ink ink)
{
	split_wide(s, row, column);
	split_wide(s, row, column + width);
	*glyph_at(s, row, column) = (struct glyph){ .base = c, .width = width, .ink = (u8)ink };
	if (width == 2)
		*glyph_at(s, row, column + 1) = (struct glyph){ .ink = (u8)ink };
}

static bool is_visible(const struct pen *pen, s32 column)
{
	return pen->row < pen->screen->rows && column >= (s32)pen->from && column < (s32)pen->to;
}

static void add_mark(struct pen *pen, u32 c)
{
	struct glyph *g;

	if (!is_visible(pen, pen->at - 1))
		return;
	g = glyph_at(pen->screen, pen->row, (u32)pen->at - 1);
	if (!g->width && pen->at > 1)
		g--;
	for (u32 i = 0; i < GLYPH_MARKS; i++) {
		if (g->marks[i])
			continue;
		g->marks[i] = c;
		return;
	}
}

static void pen_char(struct pen *pen, enum ink ink, u32 c)
{
	u32 width = g_unichar_iswide(c) ? 2 : 1;

	if (g_unichar_iszerowidth(c)) {
		/* Joiners are dropped: some terminals join the cells and others do not, so columns would differ. */
		if (g_unichar_ismark(c))
			add_mark(pen, c);
		return;
	}
	if (is_visible(pen, pen->at) && is_visible(pen, pen->at + (s32)width - 1))
		put(pen->screen, pen->row, (u32)pen->at, c, (u8)width, ink);
	else if (width == 2)
		for (s32 i = pen->at; i < pen->at + 2; i++)
			if (is_visible(pen, i))
				put(pen->screen, pen->row, (u32)i, ' ', 1, ink);
	pen->at += (s32)width;
}

struct pen pen_between(struct screen *s, u32 row, u32 from, u32 to)
{
	/* A terminal may scroll if its last cell is written. */
	u32 edge = s->columns && row + 1 == s->rows ? s->columns - 1 : s->columns;

	from = MIN(from, edge);
	return (struct pen){ s, row, (s32)from, from, MIN(to, edge) };
}

struct pen pen_at(struct screen *s, u32 row, u32 column)
{
	return pen_between(s, row, column, s->columns);
}

void pen_bytes(struct pen *pen, enum ink ink, const char *text, size_t size)
{
	g_autoptr(GString) shown = NULL;
	const char *at, *end;

	/* More bytes than any row can show. */
	size = strnlen(text, MIN(size, 16 * SCREEN_MAX));
	shown = g_string_sized_new(size);
	text_append_shown(shown, text, size, false);
	end = shown->str + shown->len;
	for (at = shown->str; at < end && pen->at < (s32)pen->to; at = g_utf8_next_char(at))
		pen_char(pen, ink, g_utf8_get_char(at));
	/* Combining marks after the last character that fits belong to it. */
	for (; at < end && g_unichar_iszerowidth(g_utf8_get_char(at)); at = g_utf8_next_char(at))
		pen_char(pen, ink, g_utf8_get_char(at));
}

void pen_text(struct pen *pen, enum ink ink, const char *text)
{
	pen_bytes(pen, ink, text, SIZE_MAX);
}

void pen_last(struct pen *pen, enum ink ink, const char *raw)
{
	g_autofree char *text = text_shown(raw);
	bool fits = pen->at + (s32)text_columns(text, strlen(text)) <= (s32)pen->to;

	pen_text(pen, ink, text);
	if (fits || pen->to <= pen->from)
		return;
	pen->at = (s32)pen->to - 1;
	pen_char(pen, ink, 0x2026);
}

void pen_printf(struct pen *pen, enum ink ink, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	pen_text(pen, ink, text);
}

void pen_repeat(struct pen *pen, enum ink ink, u32 c, u32 nr)
{
	for (u32 i = 0; i < nr && pen->at < (s32)pen->to; i++)
		pen_char(pen, ink, c);
}

void pen_move(struct pen *pen, u32 column)
{
	if (pen->at < (s32)column)
		pen_repeat(pen, INK_PLAIN, ' ', (u32)((s32)column - pen->at));
}

void pen_end(struct pen *pen)
{
	pen_move(pen, pen->to);
}

void pen_fit(struct pen *pen, enum ink ink, const char *raw, u32 columns, bool right)
{
	g_autofree char *made = text_is_shown(raw) ? NULL : text_shown(raw);
	const char *text = made ?: raw;
	size_t size = strlen(text);
	u32 needs = text_columns(text, size);
	s32 end = pen->at + (s32)columns;

	if (needs <= columns) {
		if (right)
			pen_repeat(pen, INK_PLAIN, ' ', columns - needs);
		pen_bytes(pen, ink, text, size);
	} else if (columns) {
		g_autoptr(GString) cut = g_string_new(NULL);

		text_append_cut(cut, text, columns, (columns - 1) / 2);
		pen_bytes(pen, ink, cut->str, cut->len);
	}
	pen_move(pen, end < 0 ? 0 : (u32)end);
}

/* The substitute for a character on terminals without UTF-8. */
static char ascii_for(u32 c)
{
	static const struct {
		u32 c;
		char ascii;
	} table[] = {
		{ 0x2026, '~' }, /* ellipsis */ { 0x203a, '>' },   /* single angle quotes */
		{ 0x2039, '<' }, { 0x25b8, '+' },		   /* triangles: can be unfolded */
		{ 0x25be, '-' }, /* unfolded */ { 0x25b2, '^' },   /* sorted upwards */
		{ 0x25bc, 'v' }, { 0x258c, '#' },		   /* left half block */
		{ 0x00b7, '.' }, /* middle dot */ { 0x2190, '<' }, /* arrows */
		{ 0x2191, '^' }, { 0x2192, '>' },
		{ 0x2193, 'v' },
	};

	for (u32 i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].c == c)
			return table[i].ascii;
	if (c >= 0x2500 && c < 0x2580) /* lines: horizontal, vertical, corners */
		return c <= 0x2501 || c == 0x2550 ? '-' : c <= 0x2503 || c == 0x2551 ? '|' : '+';
	if (c >= 0x2580 && c < 0x25a0) /* bars of eighths: a full one, or less than a half */
		return c <= 0x258b ? '#' : '.';
	return '?';
}

void glyph_append(const struct glyph *g, bool ascii, GString *out)
{
	if (!g->width)
		return;
	if (ascii && g->base >= 0x80) {
		g_string_append_c(out, ascii_for(g->base));
		if (g->width == 2)
			g_string_append_c(out, '?');
		return;
	}
	g_string_append_unichar(out, g->base);
	for (u32 i = 0; i < GLYPH_MARKS && g->marks[i] && !ascii; i++)
		g_string_append_unichar(out, g->marks[i]);
}
