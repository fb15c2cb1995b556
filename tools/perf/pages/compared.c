// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/compared.h"

#include <string.h>

#include "compare/fair.h"
#include "compare/functions.h"
#include "compare/keys.h"
#include "fields/identity.h"
#include "pages/explorer_private.h"

struct compared_part {
	u32 side;
	struct compare_recording recording; /* owns its path */
	struct explorer *explorer;
	bool is_known; /* fair knows it */
};

struct compared {
	struct explorer base;
	struct compared_options co;
	GArray *parts; /* struct compared_part */
	struct fair *fair;
};

struct compared_answer {
	struct explorer_answer base;
	GPtrArray *keys;   /* const struct field * */
	GPtrArray *groups; /* those that can be asked for: without that of chains */
	struct comparison *comparison;
	struct compare_view look;
	char *first; /* the column by which rows are sorted; NULL: by what is certain */
};

static struct compared *of(const struct explorer *e)
{
	return container_of(e, struct compared, base);
}

static struct compared_answer *answer_of(const struct explorer_answer *a)
{
	return container_of(a, struct compared_answer, base);
}

static struct compared_part *part_at(const struct compared *c, u32 i)
{
	return &g_array_index(c->parts, struct compared_part, i);
}

static void free_explorer(struct explorer *e)
{
	g_array_unref(of(e)->parts);
	fair_free(of(e)->fair);
	g_free(of(e));
}

static void part_clear(void *arg)
{
	struct compared_part *part = arg;

	explorer_free(part->explorer);
	g_free((char *)part->recording.path);
}

static void set_watch(struct explorer *e, const struct progress_watch *watch)
{
	for (u32 i = 0; i < of(e)->parts->len; i++)
		explorer_set_watch(part_at(of(e), i)->explorer, watch);
}

static void free_answer(struct explorer_answer *base)
{
	struct compared_answer *a = answer_of(base);

	comparison_free(a->comparison);
	g_clear_pointer(&a->keys, g_ptr_array_unref);
	g_clear_pointer(&a->groups, g_ptr_array_unref);
	g_free(a->first);
	g_free(a);
}

/* Makes the comparison when the first profile has told what the keys are. */
static bool begin(struct compared *c, struct compared_answer *a, const struct explorer_question *q,
		  const struct profile *profile, GError **error)
{
	struct compare_options options = c->co.compare;
	const struct columns *columns = profile->options.columns;

	a->keys = compare_keys_new(q->sort ? q->sort : c->co.sort, options.chains, profile->lexicon,
				   error);
	if (!a->keys)
		return false;
	a->groups = g_ptr_array_new();
	for (u32 i = 0; i < a->keys->len - options.chains; i++)
		g_ptr_array_add(a->groups, a->keys->pdata[i]);
	options.split = -1;
	if (c->co.split_key && !compare_find_split(c->co.split_key, columns, &options.split, error))
		return false;
	options.keys = a->keys;
	options.relative = q->relative;
	a->comparison = comparison_new(&options);
	return true;
}

/* The part's answer. NULL with @error. */
static struct explorer_answer *ask_part(struct compared *c, const struct explorer_question *q,
					struct compared_part *part, GError **error)
{
	const char *sort = q->sort ? q->sort : c->co.sort;
	g_autofree char *keys = compare_keys_with(sort, c->co.split_key);
	struct explorer_question asked = *q;

	asked.sort = keys;
	asked.first = NULL;
	asked.no_children = true;
	return explorer_ask(part->explorer, &asked, error);
}

static bool take(struct compared *c, struct compared_answer *a, struct compared_part *part,
		 const struct profile *profile, struct compare_names *names, GError **error)
{
	bool ok =
		comparison_take(a->comparison, part->side, profile, names, &part->recording, error);

	if (ok && c->co.fair && !part->is_known)
		fair_take(c->fair, part->side, explorer_options(part->explorer)->session, profile,
			  true);
	part->is_known = true;
	return ok;
}

static bool take_all(struct compared *c, struct compared_answer *a,
		     const struct explorer_question *q, const GPtrArray *answers, GError **error)
{
	g_autoptr(GPtrArray)
		names = g_ptr_array_new_with_free_func((GDestroyNotify)compare_names_free);
	bool ok = begin(c, a, q, explorer_answer_profile(answers->pdata[0]), error);

	for (u32 i = 0; ok && i < answers->len; i++) {
		g_ptr_array_add(names,
				compare_names_new(explorer_answer_profile(answers->pdata[i])));
		comparison_learn(a->comparison, part_at(c, i)->side, names->pdata[i]);
	}
	for (u32 i = 0; ok && i < answers->len; i++)
		ok = take(c, a, part_at(c, i), explorer_answer_profile(answers->pdata[i]),
			  names->pdata[i], error);
	return ok;
}

static bool compare_parts(struct compared *c, struct compared_answer *a,
			  const struct explorer_question *q, GError **error)
{
	g_autoptr(GPtrArray)
		answers = g_ptr_array_new_with_free_func((GDestroyNotify)explorer_answer_free);

	for (u32 i = 0; i < c->parts->len; i++) {
		struct explorer_answer *answer = ask_part(c, q, part_at(c, i), error);

		if (!answer)
			return false;
		g_ptr_array_add(answers, answer);
	}
	return take_all(c, a, q, answers, error) && comparison_judge(a->comparison, error);
}

static void add_unfair(const struct compared *c, struct pages *pages)
{
	g_autoptr(GPtrArray) sentences = fair_sentences(c->fair);

	for (u32 i = 0; i < sentences->len; i++)
		notes_add(&pages->notes, NOTE_WARNING, "Not the same on both sides: %s",
			  (char *)sentences->pdata[i]);
}

static struct explorer_answer *ask(struct explorer *e, const struct explorer_question *q,
				   GError **error)
{
	struct compared *c = of(e);
	struct compared_answer *a = g_new0(struct compared_answer, 1);
	bool ok = true;

	a->base.explorer = e;
	a->first = g_strdup(q->first);
	if (q->tree)
		ok = error_set(error, PERF_ERROR_USAGE,
			       "spans below spans are of one recording: see this row's menu");
	ok = ok && compare_parts(c, a, q, error);
	if (!ok) {
		free_answer(&a->base);
		return NULL;
	}
	a->look = c->co.look;
	a->look.least = q->least;
	a->look.first = a->first;
	a->base.pages = compare_pages_new(a->comparison, &a->look);
	add_unfair(c, a->base.pages);
	return &a->base;
}

static s32 sorted_column(const struct explorer_answer *a, const struct page *page)
{
	const char *first = answer_of(a)->first;
	bool many = answer_of(a)->comparison->options.nr_sides > 2;

	return rows_find_column(page->rows, first ? first : many ? "bar_1" : "bar");
}

/* What is folded and what shares are of changes what is judged. */
static bool look(struct explorer_answer *a, struct page *page, bool relative, double least)
{
	return false;
}

static struct explorer_status status(const struct explorer_answer *a, u32 page)
{
	const struct comparison *c = answer_of(a)->comparison;
	const struct compare_event *event = compare_pages_event(a->pages, page);
	struct explorer_status s = { .activity = -1, .type = -1, .nr = event->rows->len };

	s.old = event->totals[0].samples;
	for (u32 i = 1; i < c->options.nr_sides; i++)
		s.all += event->totals[i].samples;
	s.shown = s.all;
	for (u32 i = 0; i < event->rows->len; i++)
		s.certain += compare_is_certain(c, compare_row_at(event, i));
	return s;
}

static bool term_of(const struct explorer_answer *a, const struct page *page, struct row row,
		    const struct field *field, struct term *out)
{
	const struct compared_answer *c = answer_of(a);
	const struct compare_row *compared = compare_page_row(page, row);

	for (u32 i = 0; compared && i < c->groups->len; i++) {
		const struct field *key = c->groups->pdata[i];
		const char *text;

		if (strcmp(key->name, field->name) != 0)
			continue;
		text = comparison_plain_text(c->comparison, compared->texts[i]);
		*out = (struct term){ .field = field,
				      .same = identity_new(field, text),
				      .text = g_strdup(text) };
		return true;
	}
	return false;
}

static bool path_of(const struct explorer_answer *a, const struct page *page, struct row row,
		    struct term *out)
{
	return false;
}

static const GPtrArray *groups(const struct explorer_answer *a)
{
	return answer_of(a)->groups;
}

struct explorer *compared_new(const struct compared_options *co)
{
	static const struct explorer_ops ops = {
		.free = free_explorer,
		.set_watch = set_watch,
		.ask = ask,
		.free_answer = free_answer,
		.sorted_column = sorted_column,
		.look = look,
		.status = status,
		.term_of = term_of,
		.path_of = path_of,
		.groups = groups,
	};
	struct compared *c = g_new0(struct compared, 1);

	c->base.ops = &ops;
	c->base.o.pages.least = co->look.least;
	c->base.o.pages.relative = co->compare.relative;
	c->co = *co;
	c->parts = g_array_new(FALSE, FALSE, sizeof(struct compared_part));
	g_array_set_clear_func(c->parts, part_clear);
	c->fair = fair_new(co->compare.nr_sides);
	return &c->base;
}

void compared_add(struct explorer *e, u32 side, struct explorer *explorer,
		  const struct compare_recording *recording)
{
	struct compared_part part = { side, *recording, explorer };

	part.recording.path = g_strdup(recording->path);
	g_array_append_val(of(e)->parts, part);
}

static bool is_compared(const struct explorer *e)
{
	return e->ops->ask == ask;
}

u32 explorer_nr_parts(const struct explorer *e)
{
	return is_compared(e) ? of(e)->parts->len : 0;
}

struct explorer *explorer_part(const struct explorer *e, u32 i)
{
	return part_at(of(e), i)->explorer;
}

u32 compared_side(const struct explorer *e, u32 i)
{
	return part_at(of(e), i)->side;
}

const char *compared_path(const struct explorer *e, u32 i)
{
	return part_at(of(e), i)->recording.path;
}
