// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws the lines of a function's code. code_keys.c handles keys. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "view/tui/code_view.h"

#define TYPE_ROOM 28 /* columns for a data type, on a screen of 80 */
#define INSN_MOST 56 /* limit of columns for address and instruction before a type */

/* Widths of a line's columns. They depend on the options and on the screen. */
struct code_room {
	u32 value, nr_parts;
	u32 values; /* columns of all values: of both kinds, if samples that name an instruction are shown */
	u32 lanes, arrows; /* lanes for jumps; columns that they take */
	u32 address;
	bool types;
	u32 insn; /* columns of address and instruction, if types follow */
};

static struct code_room room_of(const struct code_view *v, u32 columns)
{
	const struct tui_annotate *a = v->annotate.a;
	struct code_room room = { .value = annotate_value_width(a) };
	struct rows_column column;
	u32 needs;
	u64 last = v->lines->addresses[v->lines->nr_insns ? v->lines->nr_insns - 1 : 0];

	v->page->rows->ops->column(v->page->rows, ANNOTATE_SHARE, &column);
	room.nr_parts = MIN(column.nr_parts, MAX(1, columns / 3 / (room.value + 1)));
	room.values = room.nr_parts * (room.value + 1) * (a->sampled ? 2 : 1);
	room.lanes = !a->arrows || columns < 50 ? 0 : columns < 100 ? 3 : UINT32_MAX;
	room.arrows = jumps_width(v->lines->jumps, room.lanes);
	if (a->simple && !a->full_addresses)
		last -= v->lines->start;
	for (room.address = 1; last >>= 4; room.address++)
		;
	room.types = a->types && columns >= 70;
	needs = 3 + room.values + room.arrows;
	room.insn = MIN(columns - MIN(columns, needs + TYPE_ROOM), INSN_MOST);
	return room;
}

void code_draw_titles(struct rows_view *view, struct pen *pen)
{
	const struct code_view *v = code_view_of(&view->view);
	struct code_room room = room_of(v, screen_columns(pen->screen));

	pen_fit(pen, INK_HEADING, annotate_value_title(v->annotate.a),
		room.nr_parts * (room.value + 1) - 1, true);
	if (v->annotate.a->sampled)
		pen_fit(pen, INK_HEADING, "Sampled", room.nr_parts * (room.value + 1), true);
	pen_text(pen, INK_ARROW, " │");
	pen_repeat(pen, INK_PLAIN, ' ', room.arrows);
	pen_text(pen, INK_HEADING,
		 v->annotate.a->source ? " Source / instruction" : " Instruction");
	if (!room.types)
		return;
	pen_move(pen, 3 + room.values + room.arrows + room.insn);
	pen_text(pen, INK_HEADING, "Type and field");
}

/* @column: ANNOTATE_SHARE or CODE_SAMPLED. */
static void draw_parts(const struct code_view *v, const struct code_room *room, u32 insn,
		       bool source, u32 column, struct pen *pen)
{
	for (u32 part = 0; part < room->nr_parts; part++) {
		if (source)
			pen_repeat(pen, INK_PLAIN, ' ', room->value);
		else
			annotate_draw_value(v->annotate.a, v->page->rows,
					    code_lines_row(v->lines, insn), column, part,
					    room->value, true, pen);
		pen_text(pen, INK_PLAIN, " ");
	}
}

static void draw_values(const struct code_view *v, const struct code_room *room, u32 insn,
			bool source, struct pen *pen)
{
	draw_parts(v, room, insn, source, ANNOTATE_SHARE, pen);
	if (v->annotate.a->sampled)
		draw_parts(v, room, insn, source, CODE_SAMPLED, pen);
	pen_text(pen, INK_ARROW, "│");
}

static void draw_arrows(struct code_view *v, const struct code_room *room, u32 insn, bool source,
			struct pen *pen)
{
	if (!room->arrows)
		return;
	g_string_truncate(v->text, 0);
	jumps_append(v->lines->jumps, insn, source, room->lanes, v->text);
	pen_text(pen, INK_ARROW, v->text->str);
}

static void draw_source(struct code_view *v, const struct code_room *room, u32 insn,
			struct pen *pen)
{
	const struct tui_annotate *a = v->annotate.a;
	u64 line = code_lines_number(v->lines, insn, CODE_LINE);
	const char *text;

	code_lines_text(v->lines, insn, CODE_SOURCE, v->text);
	if (a->line_numbers)
		pen_printf(pen, INK_FAINT, " %-*" PRIu64, (int)MAX(room->address, 4), line);
	for (text = v->text->str; g_ascii_isspace(*text); text++)
		;
	if (*text) {
		pen_text(pen, INK_SOURCE, " ");
		pen_last(pen, INK_SOURCE, text);
		return;
	}
	code_lines_text(v->lines, insn, CODE_FILE, v->text);
	text = strrchr(v->text->str, '/');
	pen_printf(pen, INK_SOURCE, " %s:%" PRIu64, text ? text + 1 : v->text->str, line);
}

static bool has_address(const struct code_view *v, u32 insn, const struct about *about)
{
	const struct tui_annotate *a = v->annotate.a;

	return !a->simple || a->offset_level >= 2 || jumps_sources(v->lines->jumps, insn) ||
	       (a->offset_level == 1 && about->calls);
}

static void draw_address(const struct code_view *v, const struct code_room *room, u32 insn,
			 const struct about *about, struct pen *pen)
{
	const struct tui_annotate *a = v->annotate.a;
	u64 address = v->lines->addresses[insn];
	u32 sources = jumps_sources(v->lines->jumps, insn);

	if (a->simple && !a->full_addresses)
		address -= v->lines->start;
	if (a->jump_counts && sources)
		pen_printf(pen, sources > 1 ? INK_WARM : INK_FAINT, "%3u ", sources);
	else if (a->jump_counts)
		pen_repeat(pen, INK_PLAIN, ' ', 4);
	if (has_address(v, insn, about))
		pen_printf(pen, INK_FAINT, " %*" PRIx64 ": ", (int)room->address, address);
	else
		pen_repeat(pen, INK_PLAIN, ' ', room->address + 3);
}

/* Appends "je     58", "call   malloc": the target as line or name instead of an address. */
static bool append_flow(const struct code_view *v, u32 insn, const struct about *about,
			GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	size_t mnemonic;
	char *name;

	code_lines_text(v->lines, insn, CODE_INSTRUCTION, text);
	mnemonic = strcspn(text->str, " ");
	g_string_append_printf(out, "%-6.*s ", (int)mnemonic, text->str);
	if (about->target >= v->lines->start && !about->calls && code_view_has(v, about->target)) {
		g_string_append_printf(out, "%" PRIx64, about->target - v->lines->start);
		return true;
	}
	code_lines_text(v->lines, insn, CODE_REFERENCES, text);
	name = strchr(text->str, '<');
	if (!name)
		return false;
	g_string_append(out, name + 1);
	if (out->str[out->len - 1] == '>')
		g_string_truncate(out, out->len - 1);
	return true;
}

void code_append_insn(struct code_view *v, u32 insn, const struct about *about, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (v->annotate.a->simple && about->target && append_flow(v, insn, about, out))
		return;
	g_string_truncate(out, 0);
	if (v->annotate.a->look.raw_bytes) {
		code_lines_text(v->lines, insn, CODE_BYTES, text);
		g_string_append_printf(out, "%-24s ", text->str);
	}
	code_lines_text(v->lines, insn, CODE_INSTRUCTION, text);
	g_string_append(out, text->str);
	code_lines_text(v->lines, insn, CODE_REFERENCES, text);
	g_string_append(out, text->str);
}

/* The arrow for the instruction's control flow: down, up, into another function, return. */
static const char *glyph_of(struct code_view *v, u32 insn, const struct about *about)
{
	code_lines_text(v->lines, insn, CODE_FLOW, v->text);
	if (!strcmp(v->text->str, "call"))
		return "→ ";
	if (!strcmp(v->text->str, "return"))
		return "← ";
	if (!about->target)
		return "  ";
	if (!code_view_has(v, about->target))
		return "→ ";
	return about->target > v->lines->addresses[insn] ? "↓ " : "↑ ";
}

void code_append_type(struct code_view *v, u32 insn, GString *out)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct rows *rows = v->page->rows;
	struct cell cell;

	code_lines_text(v->lines, insn, CODE_TYPE, text);
	if (!text->len)
		return;
	g_string_append(out, text->str);
	rows->ops->cell(rows, code_lines_row(v->lines, insn), CODE_OFFSET, 0, &cell);
	if (cell.kind != CELL_NONE && cell.number)
		g_string_append_printf(out, " +%#" PRIx64, cell.number);
	code_lines_text(v->lines, insn, CODE_MEMBER, text);
	if (text->len)
		g_string_append_printf(out, " (%s)", text->str);
}

static bool is_hottest(const struct code_view *v, u32 insn)
{
	const GArray *hot = v->lines->hot;

	return hot->len && g_array_index(hot, u32, 0) == insn;
}

static void draw_insn(struct code_view *v, const struct code_room *room, u32 insn, struct pen *pen)
{
	struct about about = { 0 };
	u32 end;

	v->page->about(v->page, code_lines_row(v->lines, insn), &about);
	end = (u32)pen->at + room->insn;
	draw_address(v, room, insn, &about, pen);
	if (v->annotate.a->simple)
		pen_text(pen, INK_ARROW, glyph_of(v, insn, &about));
	g_string_truncate(v->text, 0);
	code_append_insn(v, insn, &about, v->text);
	if (room->types)
		code_fit(v->text, end - MIN(end, (u32)pen->at + 1));
	if (!room->types) {
		pen_last(pen, is_hottest(v, insn) ? INK_GLOW : INK_PLAIN, v->text->str);
		return;
	}
	pen_text(pen, is_hottest(v, insn) ? INK_GLOW : INK_PLAIN, v->text->str);
	pen_move(pen, end);
	g_string_truncate(v->text, 0);
	code_append_type(v, insn, v->text);
	pen_last(pen, INK_NAME, v->text->str);
}

void code_draw_row(struct rows_view *view, const struct visible_row *shown, struct pen *pen)
{
	struct code_view *v = code_view_of(&view->view);
	struct code_line line = code_lines_at(view->page, shown->row);
	struct code_room room = room_of(v, screen_columns(pen->screen));
	u32 from = pen->from;

	draw_values(v, &room, line.insn, line.source, pen);
	draw_arrows(v, &room, line.insn, line.source, pen);
	pen->from = (u32)pen->at;
	pen->at -= (s32)view->left * 8; /* scrolled with Left and Right */
	if (line.source)
		draw_source(v, &room, line.insn, pen);
	else
		draw_insn(v, &room, line.insn, pen);
	pen->from = from;
}
