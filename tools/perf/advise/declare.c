// SPDX-License-Identifier: GPL-2.0-or-later
/* Members as C writes them. Debug information has no text of declarations, so a pointer to a function has only its kind. */
#include <inttypes.h>
#include <string.h>

#include "advise/advice.h"

#define MOST_DIMENSIONS 8u

/* "[4][2]" of int[4][2]; a flexible one has "[]". out: the type of the elements. */
static const struct type *append_dimensions(const struct type *type, GString *out)
{
	for (u32 i = 0; i < MOST_DIMENSIONS && type->kind == TYPE_ARRAY && !type->vector; i++) {
		const struct type *element = type_target(type);

		if (type->size && element->size)
			g_string_append_printf(out, "[%" PRIu64 "]", type->size / element->size);
		else
			g_string_append(out, "[]");
		type = element;
	}
	return type;
}

static void declare(const struct type *type, const char *name, u16 bits, GString *out)
{
	g_autoptr(GString) dimensions = g_string_new(NULL);
	const char *text = type_shown_name(append_dimensions(type, dimensions));
	size_t size = strlen(text);
	const char *blank = !*name || (size && text[size - 1] == '*') ? "" : " ";

	g_string_append_printf(out, "%s%s%s%s", text, blank, name, dimensions->str);
	if (bits)
		g_string_append_printf(out, " : %u", bits);
}

void advice_declare(const struct advice_list *list, u32 part, GString *out)
{
	const struct advise_part *p = advise_part(&list->parts, part);
	const struct member *m = advise_part_member(&list->parts, part);

	if (m->base)
		g_string_append(out, ": ");
	for (u32 i = 0; i < p->nr; i++) {
		if (i)
			g_string_append_c(out, ' ');
		declare(m[i].type, m[i].name ?: "", m[i].bit_size, out);
		if (!m->base)
			g_string_append_c(out, ';');
	}
}
