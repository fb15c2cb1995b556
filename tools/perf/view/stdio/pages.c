// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/stdio/pages.h"

#include "view/stdio/stdio.h"

void stdio_print_notes(const struct notes *notes, FILE *out)
{
	for (u32 i = 0; i < notes->list->len; i++) {
		const struct note *note = notes_at(notes, i);

		if (!note->text)
			continue;
		fprintf(out, "%s# %s\n%s", note->gap == GAP_AROUND ? "#\n" : "", note->text,
			note->gap == GAP_NONE ? "" : "#\n");
	}
}

bool stdio_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		       GError **error)
{
	if (!options->quiet)
		stdio_print_notes(&pages->notes, out);
	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);
		bool ok = true;

		if (page && !options->quiet)
			stdio_print_notes(&page->notes, out);
		if (page)
			ok = stdio_print_rows(page->rows, options, out, error);
		page_free(page);
		if (!ok)
			return false;
		fputs("\n\n", out);
	}
	if (!options->quiet)
		stdio_print_notes(&pages->closing, out);
	fflush(out);
	stdio_print_pages_remarks(pages, options);
	return true;
}

void stdio_print_pages_remarks(struct pages *pages, const struct view_options *options)
{
	struct notes remarks;

	notes_init(&remarks);
	pages_remark(pages, &remarks);
	if (!options->quiet || !pages->nr)
		stdio_print_remarks(&remarks, options->beside);
	notes_release(&remarks);
}

void stdio_print_remarks(const struct notes *remarks, FILE *out)
{
	static const char *const prefixes[NOTE_NR_KINDS] = {
		[NOTE_REMARK] = "note: ",
		[NOTE_WARNING] = "Warning: ",
		[NOTE_ERROR] = "Error:\n",
	};

	for (u32 i = 0; i < remarks->list->len; i++) {
		const struct note *note = notes_at(remarks, i);

		fprintf(out, "%s%s\n", prefixes[note->kind] ?: "", note->text);
	}
}
