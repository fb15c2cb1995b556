// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers of samples with a data type, in upstream's formats (annotate --type-stat, --insn-stat). */
#include <inttypes.h>

#include "base/percent.h"
#include "pages/code/type_stats.h"
#include "view/stdio/bodies.h"

#define RULE "-----------------------------------------------------------\n"

static u64 fact(const struct page *page, const char *name)
{
	return notes_find(&page->notes, name)->value.number;
}

static void print_sum(u64 total, u64 good, FILE *out)
{
	fprintf(out, "total %" PRIu64 ", ok %" PRIu64 " (%.1f%%), bad %" PRIu64 " (%.1f%%)\n",
		total, good, percent_of(good, total), total - good,
		percent_of(total - good, total));
}

/* Prints the rows with a type (@known), or those without. */
static void print_reasons(struct rows *rows, bool known, FILE *out)
{
	g_autoptr(GString) word = g_string_new(NULL), text = g_string_new(NULL);
	struct row row = rows->ops->first(rows, (struct row){ ROW_NONE });

	for (; row.kind != ROW_NONE; row = rows->ops->next(rows, row)) {
		struct cell cell;

		g_string_truncate(word, 0);
		g_string_truncate(text, 0);
		rows->ops->text(rows, row, TYPE_STAT_KNOWN, 0, word);
		if (known != (*word->str == 'y'))
			continue;
		g_string_truncate(word, 0);
		rows->ops->cell(rows, row, TYPE_STAT_SHARE, 0, &cell);
		rows->ops->text(rows, row, TYPE_STAT_WORD, 0, word);
		rows->ops->text(rows, row, TYPE_STAT_TEXT, 0, text);
		fprintf(out, "%10" PRIu64 " : %-12s %5.1f%%  %s\n", cell.number, word->str,
			cell.real, text->str);
	}
}

void stdio_print_type_stat(const struct page *page, const struct view_options *options, FILE *out)
{
	u64 total = fact(page, "samples"), typed = fact(page, "typed");
	u64 named = fact(page, "named"), none = fact(page, "no_memory"),
	    moved = fact(page, "moved");

	fprintf(out, "Annotate data type stats:\n");
	print_sum(total, fact(page, "known"), out);
	fprintf(out,
		"with a type %" PRIu64 " (%.1f%%), with a pseudo type %" PRIu64
		" (%.1f%%), no memory access %" PRIu64 " (%.1f%%)\n" RULE,
		typed, percent_of(typed, total), named, percent_of(named, total), none,
		percent_of(none, total));
	print_reasons(page->rows, false, out);
	fprintf(out, "\nHow the others are known:\n" RULE);
	print_reasons(page->rows, true, out);
	if (moved)
		fprintf(out,
			"\n%10" PRIu64
			" : %-12s %5.1f%%  of all: by the instruction executed before "
			"the sampled one (--skid)\n",
			moved, "moved", percent_of(moved, total));
	fputc('\n', out);
}

void stdio_print_insn_stat(const struct page *page, const struct view_options *options, FILE *out)
{
	g_autoptr(GString) name = g_string_new(NULL);
	struct rows *rows = page->rows;
	struct row row = rows->ops->first(rows, (struct row){ ROW_NONE });
	u64 sum = fact(page, "good") + fact(page, "bad");

	fprintf(out, "Annotate Instruction stats\n");
	print_sum(sum, fact(page, "good"), out);
	fprintf(out, "\n  %-20s: %5s %5s\n" RULE, "Name/opcode", "Good", "Bad");
	for (; row.kind != ROW_NONE; row = rows->ops->next(rows, row)) {
		struct cell good, bad;

		g_string_truncate(name, 0);
		rows->ops->text(rows, row, INSN_STAT_NAME, 0, name);
		rows->ops->cell(rows, row, INSN_STAT_GOOD, 0, &good);
		rows->ops->cell(rows, row, INSN_STAT_BAD, 0, &bad);
		fprintf(out, "  %-20s: %5" PRIu64 " %5" PRIu64 "\n", name->str, good.number,
			bad.number);
	}
	fputc('\n', out);
}
