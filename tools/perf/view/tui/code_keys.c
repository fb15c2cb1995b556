// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys of the code browser. They have the meaning that they have in upstream perf. */
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "view/stdio/bodies.h"
#include "view/tui/code_view.h"

static struct code_line line_of(const struct code_view *v)
{
	return code_lines_at(v->annotate.rows.page, rows_view_row(&v->annotate.rows));
}

static void follow_call(struct code_view *v, struct tui *tui, const struct about *about)
{
	struct about target = { .dso = about->dso, .vaddr = about->target };
	g_autofree char *name = NULL;

	target.symbol = dso_find_symbol(about->dso, about->target);
	if (!target.symbol) {
		tui_warn(tui, "no function is known at %" PRIx64, about->target);
		return;
	}
	/* A stub in the procedure linkage table (PLT): its target is in another file. */
	name = g_strdup(target.symbol->raw);
	if (g_str_has_suffix(name, "@plt")) {
		name[strlen(name) - strlen("@plt")] = '\0';
		if (!annotator_find_function(v->annotate.a->annotator, name, &target)) {
			tui_say(tui, "%s is in another file, and has no samples", name);
			return;
		}
	}
	annotate_open(tui, v->annotate.a, OPEN_CODE, &target);
}

static void enter(struct tui_view *view, struct tui *tui, u32 key)
{
	struct code_view *v = code_view_of(view);
	u64 at = v->annotate.rows.cursor;
	struct about about;

	if (!annotate_view_about(&v->annotate, &about))
		return;
	if (line_of(v).source || !about.target) {
		annotate_menu_of(&v->annotate, tui, &about);
		return;
	}
	if (about.calls || !code_view_has(v, about.target)) {
		follow_call(v, tui, &about);
		return;
	}
	g_array_append_val(v->came_from, at);
	code_go(v, code_lines_insn(v->lines, about.target));
}

static void jump_back(struct tui_view *view, struct tui *tui, u32 key)
{
	struct code_view *v = code_view_of(view);
	u32 nr = v->came_from->len;

	if (!nr) {
		tui_say(tui, "no jump has been followed");
		return;
	}
	rows_view_go(&v->annotate.rows, g_array_index(v->came_from, u64, nr - 1));
	g_array_set_size(v->came_from, nr - 1);
}

static void hottest(struct tui_view *view, struct tui *tui, u32 key)
{
	struct code_view *v = code_view_of(view);
	u32 nr = v->lines->hot->len;

	if (!nr) {
		tui_say(tui, "no instruction has samples");
		return;
	}
	if (key == 'H')
		v->hot_at = 0;
	else
		v->hot_at = (v->hot_at + (key == KEY_TAB ? 1 : nr - 1)) % nr;
	code_go(v, g_array_index(v->lines->hot, u32, v->hot_at));
	tui_say(tui, "hot instruction %u of %u", v->hot_at + 1, nr);
}

static void other_symbol(struct tui_view *view, struct tui *tui, u32 key)
{
	struct code_view *v = code_view_of(view);
	u32 nr = v->annotate.pages->nr, at = v->at;

	/* Skip functions whose code cannot be read. */
	for (u32 i = 1; i < nr; i++) {
		at = (at + (key == '>' ? 1 : nr - 1)) % nr;
		if (code_show(v, tui, at)) {
			tui_say(tui, "function %u of %u", at + 1, nr);
			return;
		}
	}
	tui_say(tui, "there is no other function");
}

/* Searching. */

static bool has_text(struct code_view *v, struct code_line line)
{
	struct about about = { 0 };

	g_string_truncate(v->text, 0);
	if (line.source) {
		code_lines_text(v->lines, line.insn, CODE_SOURCE, v->text);
	} else {
		v->page->about(v->page, code_lines_row(v->lines, line.insn), &about);
		code_append_insn(v, line.insn, &about, v->text);
		g_string_append_c(v->text, ' ');
		code_append_type(v, line.insn, v->text);
	}
	return strcasestr(v->text->str, v->wanted);
}

#define LOOK_UP 4096 /* lines between two checks for ^C */

static void search(struct code_view *v, struct tui *tui, bool backwards)
{
	struct rows_view *rows = &v->annotate.rows;
	u64 nr = visible_nr(rows->visible), at = rows->cursor;
	struct visible_row row;

	for (u64 i = 1; i <= nr; i++) {
		at = (at + (backwards ? nr - 1 : 1)) % nr;
		visible_window(rows->visible, at, &row, 1);
		if (has_text(v, code_lines_at(rows->page, row.row))) {
			bool over = backwards ? at >= rows->cursor : at <= rows->cursor;

			rows_view_go(rows, at);
			if (over)
				tui_say(tui, "searched past the end");
			return;
		}
		if (i % LOOK_UP == 0 && !tui_busy(tui, "Searching", i, nr))
			return;
	}
	tui_say(tui, "'%s' not found", v->wanted);
}

static void ask(struct tui_view *view, struct tui *tui, u32 key)
{
	struct code_view *v = code_view_of(view);
	char *wanted = tui_ask(tui, key == '/' ? "Search:" : "Search backwards:", "");

	if (!wanted || !*wanted) {
		g_free(wanted);
		return;
	}
	g_free(v->wanted);
	v->wanted = wanted;
	v->backwards = key != '/';
	search(v, tui, v->backwards);
}

static void again(struct tui_view *view, struct tui *tui, u32 key)
{
	struct code_view *v = code_view_of(view);

	if (!v->wanted)
		tui_say(tui, "/ searches");
	else
		search(v, tui, key == 'n' ? v->backwards : !v->backwards);
}

/* Options of the view. */

static void toggle_source(struct tui_view *view, struct tui *tui, u32 key)
{
	struct code_view *v = code_view_of(view);
	u32 insn = line_of(v).insn;

	v->annotate.a->source = !v->annotate.a->source;
	code_relist(v, insn);
}

static void toggle(struct tui_view *view, struct tui *tui, u32 key)
{
	struct tui_annotate *a = annotate_view_of(view)->a;

	switch (key) {
	case 'o':
		a->simple = !a->simple;
		break;
	case 'O':
		a->offset_level = (a->offset_level + 1) % CODE_OFFSET_LEVELS;
		break;
	case 'f':
		a->full_addresses = !a->full_addresses;
		break;
	case 'k':
		a->line_numbers = !a->line_numbers;
		break;
	case 'j':
		a->arrows = !a->arrows;
		break;
	case 'J':
		a->jump_counts = !a->jump_counts;
		break;
	case 'S':
		a->sampled = !a->sampled;
		tui_say(tui, a->sampled ? "Sampled: samples that name the instruction, in percent "
					  "of those charged to "
					  "the function: their sum may pass 100"
					: "shares are of what waited");
		break;
	default:
		a->types = !a->types;
	}
}

static void next_values(struct tui_view *view, struct tui *tui, u32 key)
{
	annotate_next_values(annotate_view_of(view)->a, tui);
}

/* p: percent of the function or of all; b: by period or by samples. */
static void change_percent(struct tui_view *view, struct tui *tui, u32 key)
{
	struct code_view *v = code_view_of(view);
	struct annotate_pages_options *look = annotator_look(v->annotate.a->annotator);

	look->percent ^= key == 'p' ? PERCENT_GLOBAL_PERIOD ^ PERCENT_LOCAL_PERIOD
				    : PERCENT_LOCAL_HITS ^ PERCENT_LOCAL_PERIOD;
	code_pages_look(v->annotate.pages, v->page, look->percent);
	tui_say(tui, "percentages are of %s", annotate_percent_name(look->percent));
}

static void say_line(struct tui_view *view, struct tui *tui, u32 key)
{
	struct code_view *v = code_view_of(view);
	u32 insn = line_of(v).insn;
	u64 line = code_lines_number(v->lines, insn, CODE_LINE);

	code_lines_text(v->lines, insn, CODE_FILE, v->text);
	if (line)
		tui_say(tui, "%s:%" PRIu64, v->text->str, line);
	else
		tui_say(tui, "no source line is known");
}

static void print(struct tui_view *view, struct tui *tui, u32 key)
{
	struct code_view *v = code_view_of(view);
	const struct tui_annotate *a = v->annotate.a;
	struct view_options look = { .values = a->look.values,
				     .no_source = !a->source,
				     .raw_bytes = a->look.raw_bytes,
				     .sampled = a->sampled };
	g_autofree char *path = g_strdup_printf("%s.annotation", v->page->title);
	FILE *out;

	g_strdelimit(path, "/", '_');
	out = file_create_stream(path);
	if (out)
		stdio_print_code(v->page, &look, out);
	if (out && !fclose(out))
		tui_say(tui, "%s has been written", path);
	else
		tui_warn(tui, "%s: %s", path, g_strerror(errno));
}

const struct tui_key code_keys[] = {
	{ KEY_ENTER, 0, "follow", "follow the jump or the call; else actions for this row", enter },
	{ KEY_BACKSPACE, 0, NULL, "back to the jump that was followed", jump_back },
	{ 'H', 0, "hottest", "the hottest instruction", hottest },
	{ KEY_TAB, 0, NULL, "the next hottest one, the one before", hottest },
	{ KEY_BACK_TAB, 0, NULL, NULL, hottest },
	{ 'T', 0, "types", "data types on or off", toggle },
	{ 's', 0, "source", "source lines on or off", toggle_source },
	{ 'o', 0, "simple", "simplified jumps and offsets, or plain disassembly", toggle },
	{ '/', 0, "search", "search in instructions, source lines and types", ask },
	{ KEY_CTRL('R'), 0, NULL, "search backwards", ask },
	{ 'n', 0, NULL, "search again; N the other way", again },
	{ 'N', 0, NULL, NULL, again },
	{ '>', 0, NULL, "the next function or event, the one before", other_symbol },
	{ '<', 0, NULL, NULL, other_symbol },
	{ 'O', 0, NULL, "offsets of: targets of jumps, calls too, all", toggle },
	{ 'f', 0, NULL, "addresses as a whole, or from the function's start", toggle },
	{ 'k', 0, NULL, "numbers of source lines", toggle },
	{ 'l', 0, NULL, "which file and line this is", say_line },
	{ 'j', 0, NULL, "lines of jumps", toggle },
	{ 'J', 0, NULL, "how many jumps come here", toggle },
	{ 'S', 0, NULL, "samples by the address that they name, too", toggle },
	{ 't', 0, NULL, "values: percent, periods, samples", next_values },
	{ 'p', 0, NULL, "percentages of the function, or of all", change_percent },
	{ 'b', 0, NULL, "percentages of periods, or of numbers of samples", change_percent },
	{ 'P', 0, NULL, "print to FUNCTION.annotation", print },
	{ 0 },
};
