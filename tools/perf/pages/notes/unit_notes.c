// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/notes/unit_notes.h"

#include "dso/dso.h"
#include "pages/notes/notes.h"

#define MOST_NAMED 5u

struct bare_function {
	const struct code *code;
	u64 samples;
};

struct bare_object {
	const struct dso *dso;
	GArray *functions; /* struct bare_function */
	u64 samples;
};

static int most_first(const void *a, const void *b)
{
	const struct bare_function *x = a, *y = b;

	return x->samples > y->samples ? -1 : x->samples < y->samples;
}

static int largest_first(const void *a, const void *b)
{
	const struct bare_object *x = a, *y = b;

	return x->samples > y->samples ? -1 : x->samples < y->samples;
}

static void release(void *data)
{
	g_array_unref(((struct bare_object *)data)->functions);
}

static struct bare_object *object_of(GArray *objects, const struct dso *dso)
{
	struct bare_object new = { .dso = dso };

	for (u32 i = 0; i < objects->len; i++) {
		struct bare_object *o = &g_array_index(objects, struct bare_object, i);

		if (o->dso == dso)
			return o;
	}
	new.functions = g_array_new(FALSE, FALSE, sizeof(struct bare_function));
	g_array_append_val(objects, new);
	return &g_array_index(objects, struct bare_object, objects->len - 1);
}

static void add_line(struct notes *notes, const struct bare_object *o)
{
	g_autoptr(GString) names = g_string_new(NULL);
	u32 nr = o->functions->len;

	g_array_sort(o->functions, most_first);
	for (u32 i = 0; i < MIN(nr, MOST_NAMED); i++) {
		const struct bare_function *f =
			&g_array_index(o->functions, struct bare_function, i);

		g_string_append_printf(names, "%s%s (%" G_GUINT64_FORMAT ")", i ? ", " : "",
				       code_name(f->code), f->samples);
	}
	if (nr > MOST_NAMED)
		g_string_append_printf(names, " and %u more", nr - MOST_NAMED);
	notes_add(notes, NOTE_REMARK,
		  "%" G_GUINT64_FORMAT " sample%s no data type: parts of %s were compiled without "
		  "debug information: %s",
		  o->samples, o->samples == 1 ? " has" : "s have", dso_long_name(o->dso),
		  names->str);
}

void notes_add_unit_notes(struct notes *notes, struct session *session, const GArray *counts,
			  u64 all)
{
	g_autoptr(GArray) objects = g_array_new(FALSE, FALSE, sizeof(struct bare_object));

	g_array_set_clear_func(objects, release);
	for (u32 id = 1; id < counts->len; id++) {
		struct bare_function f = { .samples = g_array_index(counts, u64, id) };
		struct bare_object *o;

		if (!f.samples)
			continue;
		f.code = resolver_function(session_resolver(session), id);
		if (!f.code->dso || !code_name(f.code))
			continue;
		o = object_of(objects, f.code->dso);
		g_array_append_val(o->functions, f);
		o->samples += f.samples;
	}
	g_array_sort(objects, largest_first);
	for (u32 i = 0; i < objects->len; i++) {
		const struct bare_object *o = &g_array_index(objects, struct bare_object, i);

		if (notes_is_large(o->samples, all))
			add_line(notes, o);
	}
}
