// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/annotate/annotate_beside.h"

#include <stdio.h>

#include "pages/code/beside_pages.h"

static struct pages *ask(const struct annotate_beside *o, struct annotator *annotator,
			 GError **error)
{
	return o->types ? annotator_types(annotator, error)
			: annotator_code(annotator, false, error);
}

bool annotate_beside_print(const struct annotate_beside *o, struct annotator *before,
			   struct annotator *now, u32 *nr, GError **error)
{
	struct pages *pages = ask(o, now, error), *old = pages ? ask(o, before, error) : NULL;
	bool ok;

	if (!old) {
		pages_free(pages);
		return false;
	}
	pages = o->types ? beside_type_pages_new(old, pages) : beside_code_pages_new(old, pages);
	*nr = pages->nr;
	ok = o->view->print(pages, o->look, stdout, error);
	pages_free(pages);
	return ok;
}
