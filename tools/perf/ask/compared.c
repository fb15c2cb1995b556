// SPDX-License-Identifier: GPL-2.0-or-later
/* The tool compare: two recordings by the same keys. */
#include <string.h>

#include "ask/ask_private.h"
#include "compare/keys.h"
#include "fields/identity.h"
#include "pages/compared.h"
#include "perfdata/read/reader.h"

static const struct compare_options two_sides = { .nr_sides = 2, .per = PER_SHARE };

/* An explorer of the recording that keeps, beside the sums, how much they vary. */
static bool add_side(struct explorer *e, u32 side, struct ask_file *f, const char *keys,
		     GError **error)
{
	const struct compare_recording recording = { perfdata_path(session_perfdata(f->session)), 0,
						     0 };
	struct columns *columns = compare_columns_new(keys, f->report.lexicon, error);
	struct explorer_options o = *explorer_options(f->explorer);

	if (!columns)
		return false;
	o.columns = (struct columns_options){ .no_filler = true,
					      .sort = keys,
					      .sort_default = COLUMNS_DEFAULT_SORT,
					      .families = FIELD_NORMAL | FIELD_MEMORY,
					      .lexicon = f->report.lexicon };
	o.profile = (struct profile_options){ .clusters = compare_clusters_kind(&two_sides, false,
										columns->needs) };
	chain_options_init(&o.profile.chain);
	columns_free(columns);
	compared_add(e, side, explorer_new(&o), &recording);
	return true;
}

/* Functions and members of a row's handle: in another build they have other suffixes and offsets. */
static bool is_of_build(const struct term *t)
{
	return t->exact && (t->exact[0] == '[' || !strcmp(t->field->name, "typeoff"));
}

/* Conditions of a handle of one recording say what is the same thing in the other one. */
static GArray *same_terms(const GArray *from)
{
	GArray *terms = terms_copy(from);

	for (u32 i = 0; i < terms->len; i++) {
		struct term *t = &g_array_index(terms, struct term, i);

		if (!is_of_build(t))
			continue;
		t->same = identity_new(t->field, t->exact);
		g_clear_pointer(&t->exact, g_free);
	}
	return terms;
}

/* What has moved is shown as in the new recording, @other. */
static bool add_answer(struct asking *a, struct explorer *e, const char *keys,
		       const struct ask_file *other, GError **error)
{
	struct explorer_answer *answer = asking_explore(e, same_terms(a->terms), keys, error);
	g_autoptr(GPtrArray) names = answer ? explorer_keys(answer) : NULL;
	bool ok = answer && asking_add_pages(a, explorer_pages(answer),
					     &(struct answer_look){ .within = a->within,
								    .file = other->path,
								    .keys = names },
					     error);

	explorer_answer_free(answer);
	return ok;
}

bool tool_compare(struct asking *a, GError **error)
{
	const char *with = asking_argument(a, "with"),
		   *keys = asking_argument(a, "keys") ?: DEFAULT_KEYS;
	struct ask_file *other = with ? ask_file_named(a->ask, with, error) : NULL;
	char *labels[] = { (char *)a->file->path, other ? (char *)other->path : NULL, NULL };
	struct compared_options co = { .compare = two_sides,
				       .sort = keys,
				       .look = { .method = METHOD_DELTA_ABS,
						 .order = -1,
						 .machine = true,
						 .all = true,
						 .labels = labels },
				       .fair = true };
	struct explorer *e;
	bool ok;

	if (!with)
		return error_set(error, PERF_ERROR_USAGE,
				 "compare: give with, the other recording");
	if (!other)
		return false;
	e = compared_new(&co);
	ok = add_side(e, 0, a->file, keys, error) && add_side(e, 1, other, keys, error) &&
	     add_answer(a, e, keys, other, error);
	explorer_free(e);
	return ok;
}
