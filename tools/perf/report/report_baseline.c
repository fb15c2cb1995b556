// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/report_baseline.h"

#include "perfdata/read/reader.h"
#include "report/compared_report.h"

#define SMALL 0.5 /* percent: smaller rows within noise are one row */

struct baseline {
	struct compared_report_options options;
	GPtrArray *sides; /* struct compared_side * */
	char **labels;
};

static struct compared_side *side_new(const struct report_options *o)
{
	struct compared_side *side = g_new0(struct compared_side, 1);

	side->paths = g_ptr_array_new_with_free_func(g_free);
	side->time = o->session.filter.time;
	return side;
}

/* The recordings of --baseline: files, and those in folders. */
static struct compared_side *old_side(const struct report_options *o, GError **error)
{
	struct recordings recordings = { 0 };
	struct compared_side *side;

	if (!recordings_choose(&recordings, o->baselines, NULL, o->session.force, error))
		return NULL;
	side = side_new(o);
	for (u32 i = 0; i < recordings.paths->len; i++)
		g_ptr_array_add(side->paths, g_strdup(recordings.paths->pdata[i]));
	recordings_release(&recordings);
	return side;
}

static struct compared_side *new_side(const struct report_options *o)
{
	struct compared_side *side = side_new(o);

	g_ptr_array_add(side->paths, g_strdup(o->session.input ?: perfdata_default_path()));
	for (u32 i = 0; i < o->beside->len; i++)
		g_ptr_array_add(side->paths, g_strdup(o->beside->pdata[i]));
	return side;
}

static bool begin(struct baseline *b, const struct report_options *o, GError **error)
{
	struct compared_side *old = old_side(o, error);

	b->sides = g_ptr_array_new_with_free_func(compared_side_free);
	if (!old)
		return false;
	g_ptr_array_add(b->sides, old);
	g_ptr_array_add(b->sides, new_side(o));
	b->labels = g_new0(char *, 3);
	for (u32 i = 0; i < 2; i++)
		b->labels[i] = compared_side_label(b->sides->pdata[i]);
	b->options = (struct compared_report_options){
		.session = &o->session,
		.sides = b->sides,
		.compare = { .nr_sides = 2,
			     .relative = o->pages.relative,
			     .chains = o->chain_given },
		.sort = o->sort ?: o->sort_default,
		.critical = o->critical,
		.slowest = o->slowest,
		.short_types = o->types.short_names,
		.quiet = o->quiet,
		.fair = true,
		.look = { .method = METHOD_DELTA_ABS,
			  .order = -1,
			  .all = o->verbose > 0,
			  .machine = !o->view->is_text,
			  .separated = o->separator,
			  .least = o->least_given ? o->least : SMALL,
			  .labels = b->labels },
		.view = o->view,
		.print = o->look,
		.code_pages = &o->code_look,
	};
	return true;
}

static void end(struct baseline *b)
{
	g_ptr_array_unref(b->sides);
	g_strfreev(b->labels);
}

bool report_baseline_print(const struct report_options *o, GError **error)
{
	struct baseline b = { 0 };
	bool ok = begin(&b, o, error);

	if (ok) {
		struct compared_report *r = compared_report_new(&b.options);

		ok = compared_report_read(r, error) && compared_report_print(r, error);
		compared_report_free(r);
	}
	end(&b);
	return ok;
}

bool report_baseline_browse(const struct report_options *o, struct screen *screen, GError **error)
{
	struct baseline b = { 0 };
	bool ok = begin(&b, o, error) && compared_report_browse(&b.options, screen, error);

	end(&b);
	return ok;
}
