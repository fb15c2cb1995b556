// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/mem/mem_words.h"

void mem_words_init(struct mem_words *words)
{
	words->words = g_ptr_array_new_with_free_func(g_free);
}

void mem_words_release(struct mem_words *words)
{
	g_ptr_array_unref(words->words);
}

void mem_words_add(struct mem_words *words, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(words->words, g_strdup_vprintf(format, args));
	va_end(args);
}

/* An option without an argument keeps none; a fallback stands for an argument that was not given. */
static bool pass_on(const struct option_row *row, const char *arg, bool unset, void *opts,
		    GError **error)
{
	struct mem_words *words = (struct mem_words *)((char *)opts + row->offset);
	bool with_arg = arg && arg != row->fallback;

	if (unset && g_str_has_prefix(row->name, "no-"))
		mem_words_add(words, "--%s", row->name + 3);
	else if (unset)
		mem_words_add(words, "--no-%s", row->name);
	else if (row->name)
		mem_words_add(words, "--%s%s%s", row->name, with_arg ? "=" : "",
			      with_arg ? arg : "");
	else
		mem_words_add(words, "-%c%s", row->short_name, with_arg ? arg : "");
	return true;
}

static const struct option_row *row_at(const GArray *rows, u32 i)
{
	return &g_array_index(rows, struct option_row, i);
}

static void add_row(GArray *rows, struct option_row row)
{
	for (u32 i = 0; i < rows->len; i++) {
		if (row.name && !g_strcmp0(row_at(rows, i)->name, row.name))
			return;
		if (row.short_name == row_at(rows, i)->short_name)
			row.short_name = 0;
	}
	if (row.name || row.short_name)
		g_array_append_val(rows, row);
}

/* A row that passes the option on. */
static struct option_row passing(const struct option_row *row, size_t at)
{
	struct option_row out = *row;

	if (row->kind == OPT_FLAG || row->kind == OPT_COUNT)
		out.flags |= OPT_NO_ARG;
	out.flags |= OPT_HIDDEN;
	out.kind = OPT_CALL;
	out.offset = at;
	out.set_offset = 0;
	out.call = pass_on;
	return out;
}

struct options_spec *mem_spec_new(const struct options_spec *const *parts, u32 nr,
				  const struct options_spec *other, size_t at)
{
	struct options_spec *spec = g_memdup2(parts[nr - 1], sizeof(*spec));
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct option_row));

	for (u32 p = 0; p < nr; p++)
		for (size_t i = 0; i < parts[p]->nr_rows; i++)
			add_row(rows, parts[p]->rows[i]);
	for (size_t i = 0; other && i < other->nr_rows; i++)
		add_row(rows, passing(&other->rows[i], at));
	spec->nr_rows = rows->len;
	spec->rows = (struct option_row *)g_array_free(rows, FALSE);
	return spec;
}

void mem_spec_free(struct options_spec *spec)
{
	g_free((void *)spec->rows);
	g_free(spec);
}
