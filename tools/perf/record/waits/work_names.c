// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/waits/work_names.h"

#include <glib.h>

#include "dso/kallsyms.h"

struct work_function {
	u64 address;
	const char *name; /* in the text */
};

struct work_names {
	const char *kallsyms;
	char *text;
	GArray *functions; /* struct work_function, in order; NULL: not read yet */
};

struct work_names *work_names_new(const char *kallsyms)
{
	struct work_names *n = g_new0(struct work_names, 1);

	n->kallsyms = kallsyms;
	return n;
}

void work_names_free(struct work_names *n)
{
	if (!n)
		return;
	g_clear_pointer(&n->functions, g_array_unref);
	g_free(n->text);
	g_free(n);
}

static bool add(const struct kallsym *k, void *arg)
{
	const struct work_function f = { .address = k->va, .name = k->name };

	if (g_ascii_tolower(k->type) == 't' || g_ascii_tolower(k->type) == 'w')
		g_array_append_val((GArray *)arg, f);
	return true;
}

static gint by_address(gconstpointer pa, gconstpointer pb)
{
	const struct work_function *a = pa, *b = pb;

	return a->address < b->address ? -1 : a->address > b->address;
}

static void load(struct work_names *n)
{
	size_t size;

	n->functions = g_array_new(FALSE, FALSE, sizeof(struct work_function));
	n->text = kallsyms_read(n->kallsyms, &size, NULL);
	if (n->text)
		kallsyms_each(n->text, size, add, n->functions);
	g_array_sort(n->functions, by_address);
}

const char *work_names_find(struct work_names *n, u64 address)
{
	const struct work_function asked = { .address = address };
	guint at;

	if (!n->functions)
		load(n);
	if (!address || !g_array_binary_search(n->functions, &asked, by_address, &at))
		return NULL;
	return g_array_index(n->functions, struct work_function, at).name;
}
