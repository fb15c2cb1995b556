// SPDX-License-Identifier: GPL-2.0-or-later
/* The tool compare: two recordings by the same keys. */
#include <string.h>

#include "ask/ask_private.h"
#include "compare/keys.h"
#include "fields/identity.h"
#include "pages/compared.h"
#include "perfdata/read/reader.h"

#define DEFAULT_KEYS "symbol"

static struct compare_options compare_options(void)
{
	return (struct compare_options){ .nr_sides = 2, .per = PER_SHARE };
}

/* An explorer of the recording that keeps, beside the sums, how much they vary. */
static bool add_side(struct explorer *e, u32 side, struct ask_file *f, const char *keys,
		     GError **error)
{
	const struct compare_options co = compare_options();
	const struct compare_recording recording = { perfdata_path(session_perfdata(f->session)), 0,
						     0 };
	struct columns *columns = compare_columns_new(keys, f->report.lexicon, error);
	struct profile_options po = { 0 };

	if (!columns)
		return false;
	po.clusters = compare_clusters_kind(&co, false, columns->needs);
	chain_options_init(&po.chain);
	columns_free(columns);
	compared_add(e, side,
		     explorer_new(&(struct explorer_options){
			     .session = f->session,
			     .lexicon = f->report.lexicon,
			     .columns = { .sort = keys,
					  .sort_default = COLUMNS_DEFAULT_SORT,
					  .families = FIELD_NORMAL | FIELD_MEMORY,
					  .lexicon = f->report.lexicon },
			     .profile = po,
			     .pages = { .session = &f->options.session },
		     }),
		     &recording);
	return true;
}

/* Functions and members of a row's handle: in another build they have other suffixes and offsets. */
static bool is_of_build(const struct term *t)
{
	return t->exact && (t->exact[0] == '[' || !strcmp(t->field->name, "typeoff"));
}

/* Conditions of a handle of one recording say what is the same thing in the other one. */
static void add_terms(struct explorer_question *q, const GArray *terms)
{
	for (u32 i = 0; i < terms->len; i++) {
		const struct term *t = terms_at(terms, i);
		struct term copy = { .field = t->field, .part = g_strdup(t->part) };

		if (is_of_build(t))
			copy.same = identity_new(t->field, t->exact);
		else
			copy.exact = g_strdup(t->exact);
		terms_add(q->terms, &copy);
	}
}

static bool add_answer(struct asking *a, struct explorer *e, const char *keys, GError **error)
{
	struct explorer_question q;
	struct explorer_answer *answer;
	bool ok = false;

	explorer_question_init(&q, explorer_options(e));
	add_terms(&q, a->terms);
	explorer_question_set_sort(&q, keys);
	answer = explorer_ask(e, &q, error);
	if (answer) {
		g_autoptr(GPtrArray) names = explorer_keys(answer);
		struct answer_look look = { .within = a->within };

		g_ptr_array_add(names, NULL);
		look.keys = (const char *const *)names->pdata;
		ok = asking_add_pages(a, explorer_pages(answer), &look, error);
	}
	explorer_answer_free(answer);
	explorer_question_release(&q);
	return ok;
}

bool tool_compare(struct asking *a, GError **error)
{
	const char *with = asking_argument(a, "with"),
		   *keys = asking_argument(a, "keys") ?: DEFAULT_KEYS;
	struct ask_file *other = with ? ask_file_named(a->ask, with, error) : NULL;
	char *labels[] = { (char *)a->file->path, other ? (char *)other->path : NULL, NULL };
	struct compared_options co = { .compare = compare_options(),
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
	     add_answer(a, e, keys, error);
	explorer_free(e);
	return ok;
}
