// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/stdio/pages.h"

#include <string.h>

#include "view/stdio/bodies.h"
#include "view/stdio/stdio.h"

/* Pages with their own format, including heading and end. */
static const struct {
	const char *kind;
	void (*print)(const struct page *page, const struct view_options *options, FILE *out);
} bodies[] = {
	{ "type", stdio_print_type },
	{ "code", stdio_print_code },
	{ "code-beside", stdio_print_code_beside },
	{ "types-beside", stdio_print_types_beside },
	{ "why", stdio_print_why },
	{ "type-stat", stdio_print_type_stat },
	{ "insn-stat", stdio_print_insn_stat },
	{ "tasks", stdio_print_tasks },
	{ "maps", stdio_print_tasks },
	{ "stats", stdio_print_stats },
	{ "timeline", stdio_print_timeline },
	{ "critical", stdio_print_critical },
	{ "critical-lost", stdio_print_critical },
	{ "critical-bounds", stdio_print_critical },
	{ "critical-path", stdio_print_critical },
	{ "critical-spans", stdio_print_critical },
	{ "critical-threads", stdio_print_critical },
};

static bool print_page(const struct pages *pages, const struct page *page,
		       const struct view_options *options, FILE *out, GError **error)
{
	for (u32 i = 0; i < ARRAY_SIZE(bodies); i++) {
		if (strcmp(bodies[i].kind, page->kind ?: pages->kind))
			continue;
		bodies[i].print(page, options, out);
		return true;
	}
	if (!options->quiet)
		stdio_print_notes(&page->notes, out);
	if (!stdio_print_rows(page->rows, options, out, error))
		return false;
	fputs("\n\n", out);
	return true;
}

bool stdio_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		       GError **error)
{
	bool ok = true;

	if (!options->quiet)
		stdio_print_notes(&pages->notes, out);
	for (u32 i = 0; ok && i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);

		ok = !page || print_page(pages, page, options, out, error);
		page_free(page);
	}
	if (!ok)
		return false;
	if (!options->quiet)
		stdio_print_notes(&pages->closing, out);
	fflush(out);
	stdio_print_pages_remarks(pages, options);
	return true;
}

static bool has_error(const struct notes *remarks)
{
	for (u32 i = 0; i < remarks->list->len; i++)
		if (notes_at(remarks, i)->kind == NOTE_ERROR)
			return true;
	return false;
}

void stdio_print_pages_remarks(struct pages *pages, const struct view_options *options)
{
	struct notes remarks;

	notes_init(&remarks);
	pages_remark(pages, &remarks);
	if (!options->quiet || has_error(&remarks))
		stdio_print_remarks(&remarks, options->beside);
	notes_release(&remarks);
}
