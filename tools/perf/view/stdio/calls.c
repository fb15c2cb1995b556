// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call trees under a row:
 *
 *	            |
 *	            ---main			all samples have it: no percentage
 *	               |
 *	               |--60.00%--parse		a branch; read is below it
 *	               |          read
 *	               |
 *	                --40.00%--print		the last branch has no bar next to it
 *
 * At each level with further branches to come, there is a bar in that level's column.
 */
#include "cli/colour.h"
#include "view/stdio/private.h"

#define MARGIN	    12
#define LEVEL_WIDTH 10

struct tree {
	struct stdio *s;
	u32 margin;
	GByteArray *bars; /* by level: the column has a bar */
	bool fresh;	  /* nothing was printed yet */
};

static bool bar_at(const struct tree *t, u32 level)
{
	return level < t->bars->len && t->bars->data[level];
}

static void set_bar(struct tree *t, u32 level, bool on)
{
	while (t->bars->len <= level)
		g_byte_array_append(t->bars, (const u8 *)"", 1);
	t->bars->data[level] = on;
}

static void append_name(struct stdio *s, struct row row, u32 frame)
{
	s->rows->ops->frame(s->rows, row, frame, s->line);
}

static void append_in_colour(struct stdio *s, const struct rows_calls *calls)
{
	const char *colour = "";

	if (s->options->colour && calls->percent >= 0)
		colour = colour_of_percent(calls->percent);
	g_string_append_printf(s->line, "%s%s%s", colour, calls->value,
			       *colour ? COLOUR_RESET : "");
}

static void start_line(struct tree *t)
{
	stdio_pad(t->s, t->margin, ' ');
}

/* Prints the line above a branch: "|          |          ". */
static void print_bars(struct tree *t, u32 depth)
{
	start_line(t);
	for (u32 i = 0; i < depth; i++) {
		g_string_append_c(t->s->line, bar_at(t, i) ? '|' : ' ');
		stdio_pad(t->s, LEVEL_WIDTH, ' ');
	}
	g_string_append_c(t->s->line, '\n');
	stdio_flush(t->s);
}

static void print_frame(struct tree *t, struct row row, u32 depth, u32 frame,
			const struct rows_calls *calls)
{
	start_line(t);
	for (u32 i = 0; i < depth; i++) {
		g_string_append_c(t->s->line, bar_at(t, i) ? '|' : ' ');
		if (frame || i + 1 < depth) {
			stdio_pad(t->s, LEVEL_WIDTH, ' ');
			continue;
		}
		g_string_append(t->s->line, "--");
		append_in_colour(t->s, calls);
		g_string_append(t->s->line, "--");
	}
	append_name(t->s, row, frame);
	g_string_append_c(t->s->line, '\n');
	stdio_flush(t->s);
}

/* Prints the branch @row at @depth. @last: no bar next to it, from its first line on. */
static void print_branch(struct tree *t, struct row row, u32 depth, bool last)
{
	struct rows_calls calls;

	t->s->rows->ops->calls(t->s->rows, row, &calls);
	if (row.kind == ROW_CALLS)
		print_bars(t, depth);
	if (last)
		set_bar(t, depth - 1, false);
	for (u32 i = 0; i < calls.nr_frames; i++)
		print_frame(t, row, depth, i, &calls);
}

struct calls_level {
	struct row next; /* the sibling to print after all rows below */
	u32 nr_printed;
};

/*
 * Prints all branches below @parent. Has its own stack instead of recursion: a hostile file can nest thousands of
 * levels.
 */
static void print_branches(struct tree *t, struct row parent)
{
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(struct calls_level));
	struct rows *rows = t->s->rows;
	struct calls_level level = { rows->ops->first(rows, parent), 0 };

	g_array_append_val(levels, level);
	set_bar(t, 0, true);
	while (levels->len) {
		u32 depth = levels->len;
		struct calls_level *at = &g_array_index(levels, struct calls_level, depth - 1);
		struct row row = at->next;

		if (row.kind == ROW_NONE || (rows->max_calls && row.kind == ROW_CALLS &&
					     at->nr_printed == rows->max_calls)) {
			g_array_set_size(levels, depth - 1);
			continue;
		}
		at->nr_printed++;
		at->next = rows->ops->next(rows, row);
		print_branch(t, row, depth, at->next.kind == ROW_NONE);
		t->fresh = false;
		level = (struct calls_level){ rows->ops->first(rows, row), 0 };
		g_array_append_val(levels, level);
		set_bar(t, depth, true);
	}
}

/* Prints the frames that all of the row's samples have in common. Returns the row where branches start. */
static struct row print_trunk(struct tree *t, struct row row)
{
	struct rows *rows = t->s->rows;
	struct rows_calls calls;
	bool printed = false;

	rows->ops->calls(rows, row, &calls);
	for (u32 i = rows->skip_symbol; i < calls.nr_frames; i++) {
		if (rows->max_calls && i >= rows->max_calls)
			break;
		if (!printed) {
			start_line(t);
			g_string_append(t->s->line, "|\n");
			start_line(t);
			g_string_append(t->s->line, "---");
			t->margin += 3;
		} else {
			start_line(t);
		}
		printed = true;
		t->fresh = false;
		append_name(t->s, row, i);
		g_string_append_c(t->s->line, '\n');
	}
	stdio_flush(t->s);
	return row;
}

static void print_graph(struct stdio *s, struct row entry)
{
	struct tree t = { .s = s, .margin = MARGIN, .fresh = true };
	struct row row = s->rows->ops->first(s->rows, entry);
	struct rows_calls calls;

	if (row.kind == ROW_NONE)
		return;
	t.bars = g_byte_array_new();
	s->rows->ops->calls(s->rows, row, &calls);
	print_branches(&t, calls.all ? print_trunk(&t, row) : entry);
	if (!t.fresh)
		g_string_append_c(s->line, '\n');
	stdio_flush(s);
	g_byte_array_unref(t.bars);
}

static void print_flat(struct stdio *s, struct row row)
{
	struct rows_calls calls;

	s->rows->ops->calls(s->rows, row, &calls);
	g_string_append(s->line, "           ");
	append_in_colour(s, &calls);
	g_string_append_c(s->line, '\n');
	for (u32 i = 0; i < calls.nr_frames; i++) {
		g_string_append(s->line, "                ");
		append_name(s, row, i);
		g_string_append_c(s->line, '\n');
	}
	g_string_append_c(s->line, '\n');
}

static void print_folded(struct stdio *s, struct row row)
{
	const char *separator = s->options->separator ? s->options->separator : ";";
	struct rows_calls calls;

	s->rows->ops->calls(s->rows, row, &calls);
	append_in_colour(s, &calls);
	g_string_append_c(s->line, ' ');
	for (u32 i = 0; i < calls.nr_frames; i++) {
		g_string_append(s->line, i ? separator : "");
		append_name(s, row, i);
	}
	g_string_append_c(s->line, '\n');
}

void stdio_calls(struct stdio *s, struct row entry)
{
	struct row row;
	u32 nr = 0;

	if (s->rows->look == CALLS_GRAPH) {
		print_graph(s, entry);
		return;
	}
	row = s->rows->ops->first(s->rows, entry);
	for (; row.kind == ROW_CALLS; row = s->rows->ops->next(s->rows, row)) {
		if (s->rows->max_calls && nr++ == s->rows->max_calls)
			break;
		if (s->rows->look == CALLS_FLAT)
			print_flat(s, row);
		else
			print_folded(s, row);
		stdio_flush(s);
	}
}
