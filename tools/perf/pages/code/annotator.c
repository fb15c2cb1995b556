// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/code/annotator.h"

#include <string.h>

#include "fields/columns.h"
#include "pages/code/advice_pages.h"
#include "pages/code/why_pages.h"
#include "perfdata/read/reader.h"

/* One pass over all samples, with its options. */
struct annotator_reading {
	bool types;
	char *key;		 /* key that splits touches; NULL: none */
	struct columns *columns; /* the key's field is in the first group */
	struct annotation *annotation;
	bool *empty; /* by event */
};

struct annotator {
	struct annotator_options options;
	struct lexicon *own_lexicon;
	struct typeflow *typeflow; /* for types next to code; made at the first request */
	struct insn_decoder *decoder;
	GPtrArray *readings; /* struct annotator_reading * */
	GPtrArray *asked;    /* GArray * of struct why_place; pages refer to them */
	/* For advice; NULL until it is asked for. */
	GPtrArray *shared; /* struct sharing * */
	struct advise_values *values;
	struct lexicon *shared_lexicon;
};

static void reading_free(void *arg)
{
	struct annotator_reading *r = arg;

	annotation_free(r->annotation);
	columns_free(r->columns);
	g_free(r->key);
	g_free(r->empty);
	g_free(r);
}

static const struct perfdata_info *info_of(const struct annotator *a)
{
	return perfdata_info(session_perfdata(a->options.session));
}

static struct lexicon *make_lexicon(const struct annotator *a)
{
	struct lexicon *lexicon = lexicon_new(a->options.session);

	lexicon->full_source_path = a->options.look.full_paths;
	lexicon->short_types = a->options.look.short_names;
	if (info_of(a)->cache_line_size)
		lexicon->cache_line_size = info_of(a)->cache_line_size;
	return lexicon;
}

struct annotator *annotator_new(const struct annotator_options *options)
{
	struct annotator *a = g_new0(struct annotator, 1);

	a->options = *options;
	a->options.only = terms_copy(options->only);
	if (!a->options.lexicon)
		a->options.lexicon = a->own_lexicon = make_lexicon(a);
	a->options.look.cache_line_size = info_of(a)->cache_line_size;
	a->decoder = insn_decoder_new(INSN_X86_64, NULL);
	if (a->decoder && a->options.look.intel)
		insn_set_intel(a->decoder);
	a->readings = g_ptr_array_new_with_free_func(reading_free);
	a->asked = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	return a;
}

void annotator_free(struct annotator *a)
{
	if (!a)
		return;
	g_ptr_array_unref(a->readings);
	g_ptr_array_unref(a->asked);
	g_clear_pointer(&a->shared, g_ptr_array_unref);
	advise_values_free(a->values);
	lexicon_free(a->shared_lexicon);
	typeflow_free(a->typeflow);
	insn_decoder_free(a->decoder);
	lexicon_free(a->own_lexicon);
	g_array_unref((GArray *)a->options.only);
	g_free(a);
}

struct session *annotator_session(const struct annotator *a)
{
	return a->options.session;
}

struct annotate_pages_options *annotator_look(struct annotator *a)
{
	return &a->options.look;
}

u64 annotator_samples(const struct annotator *a)
{
	u64 most = 0;

	for (u32 i = 0; i < a->readings->len; i++) {
		const struct annotator_reading *r = a->readings->pdata[i];

		most = MAX(most, r->annotation->samples);
	}
	return most;
}

/* Finds the field that @key names. Names are as in -s. */
static bool find_key(const struct annotator *a, struct annotator_reading *r, const char *key,
		     const struct field **field, GError **error)
{
	struct columns_options options = { .sort = key,
					   .families = FIELD_NORMAL | FIELD_MEMORY,
					   .lexicon = a->options.lexicon };

	r->columns = columns_new(&options, error);
	if (!r->columns) {
		g_prefix_error(error, "--by: ");
		return false;
	}
	*field = r->columns->groups->pdata[0];
	if (r->columns->groups->len == 1)
		return true;
	return error_set(error, PERF_ERROR_USAGE, "--by: '%s': expected one sort key", key);
}

/*
 * Reads all samples. If no symbol has the given name, the name may be the last part of a symbol's name: then the
 * samples are read again. A pipe can be read only once, so parts of names match in the first pass.
 */
static bool read_all(const struct annotator *a, struct annotation *annotation, GError **error)
{
	struct session *session = a->options.session;
	bool once = perfdata_is_pipe(session_perfdata(session));

	if (once && a->options.part_of_name)
		session_widen_symbols(session);
	if (!annotation_read(annotation, error))
		return false;
	if (once || !a->options.part_of_name || annotation->samples)
		return true;
	session_widen_symbols(session);
	return annotation_read(annotation, error);
}

static struct annotator_reading *find_reading(const struct annotator *a, bool types,
					      const char *key)
{
	for (u32 i = 0; i < a->readings->len; i++) {
		struct annotator_reading *r = a->readings->pdata[i];

		if (r->types == types && !g_strcmp0(r->key, key))
			return r;
	}
	return NULL;
}

static struct annotator_reading *read_samples(struct annotator *a, bool types, const char *key,
					      GError **error)
{
	struct annotation_options options = {
		.session = a->options.session,
		.types = types,
		.code = !types,
		.insns = a->options.insns,
		.lexicon = a->options.lexicon,
		.only = a->options.only,
	};
	struct annotator_reading *r = find_reading(a, types, key);

	if (r)
		return r;
	r = g_new0(struct annotator_reading, 1);
	r->types = types;
	r->key = g_strdup(key);
	if (key && !find_key(a, r, key, &options.by, error)) {
		reading_free(r);
		return NULL;
	}
	r->annotation = annotation_new(&options);
	if (!read_all(a, r->annotation, error)) {
		reading_free(r);
		return NULL;
	}
	r->empty = g_new0(bool, r->annotation->nr_events + 1);
	for (u32 i = 0; i < r->annotation->nr_events; i++)
		r->empty[i] = !r->annotation->types->total[i].samples &&
			      !r->annotation->code->total[i].samples;
	g_ptr_array_add(a->readings, r);
	return r;
}

bool annotator_read(struct annotator *a, bool types, const char *key, GError **error)
{
	return read_samples(a, types, key, error) != NULL;
}

static struct typeflow *typeflow_of(struct annotator *a)
{
	if (!a->typeflow)
		a->typeflow = typeflow_new(insn_fusion_of(info_of(a)->cpuid), NULL);
	return a->typeflow;
}

static struct annotate_pages_options look_at(struct annotator *a, const struct annotator_reading *r)
{
	struct annotate_pages_options look = a->options.look;

	look.evsels = perfdata_evsels(session_perfdata(a->options.session));
	look.empty = a->options.skip_empty ? r->empty : NULL;
	look.session = a->options.session;
	look.without_debug = r->annotation->without_debug;
	look.without_memory = r->annotation->without_memory;
	look.by_btf = r->annotation->by_btf;
	look.samples = r->annotation->samples;
	look.insns = a->options.insns ? r->annotation->insns : NULL;
	look.decoder = a->decoder;
	return look;
}

static struct pages *make_code(struct annotator *a, bool with_types,
			       const struct annotate_function *function, GError **error)
{
	const struct annotator_reading *r = read_samples(a, false, NULL, error);
	struct annotate_pages_options look;

	if (!r)
		return NULL;
	look = look_at(a, r);
	look.types = with_types ? typeflow_of(a) : NULL;
	look.function = function;
	return code_pages_new(r->annotation->code, &look);
}

struct pages *annotator_code(struct annotator *a, bool with_types, GError **error)
{
	return make_code(a, with_types, NULL, error);
}

struct pages *annotator_function(struct annotator *a, struct dso *dso, const struct symbol *symbol,
				 bool with_types, GError **error)
{
	struct annotate_function function = { dso, symbol };

	return make_code(a, with_types, &function, error);
}

struct pages *annotator_types(struct annotator *a, GError **error)
{
	const struct annotator_reading *r = read_samples(a, true, NULL, error);
	struct annotate_pages_options look;

	if (!r)
		return NULL;
	look = look_at(a, r);
	return type_pages_new(r->annotation->types, &look);
}

/* What threads share, by event; and the values of members. */
struct shared {
	struct lexicon *lexicon;
	GPtrArray *events; /* struct sharing * */
	struct advise_values *values;
};

static bool take_shared(const struct place *place, u32 filtered, void *arg, GError **error)
{
	const struct shared *shared = arg;
	struct sharing *s = NULL;

	if (filtered)
		return true;
	for (u32 i = 0; i < shared->events->len && !s; i++)
		if (!strcmp(((struct sharing *)shared->events->pdata[i])->event,
			    place->evsel->name))
			s = shared->events->pdata[i];
	if (!s) {
		s = sharing_new(place->evsel->name, shared->lexicon);
		g_ptr_array_add(shared->events, s);
	}
	sharing_take(s, place);
	advise_values_take(shared->values, place);
	return true;
}

/* Some event states data addresses, or the registers from which they are computed. */
static bool has_addresses(const struct annotator *a)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(a->options.session));

	for (u32 i = 0; i < evsels->len; i++)
		if (((const struct evsel *)evsels->pdata[i])->attr.sample_type &
		    (PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_INTR))
			return true;
	return false;
}

static bool read_shared(struct annotator *a, GError **error)
{
	struct session *session = a->options.session;
	struct shared shared;

	if (a->shared)
		return true;
	a->shared = g_ptr_array_new_with_free_func((GDestroyNotify)sharing_free);
	if (perfdata_is_pipe(session_perfdata(session)) || !has_addresses(a))
		return true;
	a->shared_lexicon = lexicon_new(session);
	a->shared_lexicon->cache_line_size = info_of(a)->cache_line_size
						     ?: a->shared_lexicon->cache_line_size;
	a->values = advise_values_new(a->shared_lexicon);
	shared = (struct shared){ a->shared_lexicon, a->shared, a->values };
	if (!session_each_sample(session, sharing_needs, take_shared, &shared, error))
		return false;
	for (u32 i = 0; i < a->shared->len; i++)
		sharing_finish(a->shared->pdata[i], 1);
	return true;
}

struct pages *annotator_advice(struct annotator *a, GError **error)
{
	const struct annotator_reading *r = read_samples(a, true, NULL, error);
	struct annotate_pages_options look;

	if (!r || !read_shared(a, error))
		return NULL;
	look = look_at(a, r);
	return advice_pages_new(r->annotation->types, &look, typeflow_of(a),
				&(struct advice_evidence){ a->shared, a->values });
}

struct pages *annotator_advice_of(struct annotator *a, struct type_profiles *types, GError **error)
{
	struct annotate_pages_options look = a->options.look;

	if (!read_shared(a, error))
		return NULL;
	look.evsels = perfdata_evsels(session_perfdata(a->options.session));
	look.session = a->options.session;
	look.decoder = a->decoder;
	return advice_pages_new(types, &look, typeflow_of(a),
				&(struct advice_evidence){ a->shared, a->values });
}

struct pages *annotator_touches(struct annotator *a, const struct touch_pages_options *touch,
				const char *key, GError **error)
{
	const struct annotator_reading *r = read_samples(a, true, key, error);
	struct annotate_pages_options look;

	if (!r)
		return NULL;
	look = look_at(a, r);
	return touch_pages_new(r->annotation, &look, touch);
}

/* Takes ownership of @places. */
static struct pages *why_of_places(struct annotator *a, GArray *places)
{
	g_ptr_array_add(a->asked, places);
	return why_pages_new(places, typeflow_of(a), a->decoder, a->options.look.before);
}

struct pages *annotator_why(struct annotator *a, struct dso *dso, u64 vaddr)
{
	struct why_place place = { .dso = dso, .vaddr = vaddr };
	GArray *places = g_array_new(FALSE, FALSE, sizeof(place));

	g_array_append_val(places, place);
	return why_of_places(a, places);
}

#define MAX_PLACES 1000 /* limit of instructions explained in one page list */

static GArray *places_of(const struct page *page)
{
	GArray *places = g_array_new(FALSE, FALSE, sizeof(struct why_place));
	struct row rows[64];
	u32 nr;

	do {
		nr = page->rows->ops->window(page->rows, (struct row){ ROW_NONE }, places->len,
					     rows, ARRAY_SIZE(rows));
		for (u32 i = 0; i < nr; i++) {
			struct why_place place = { 0 };
			struct about about;
			struct cell samples;

			if (page->about(page, rows[i], &about))
				place = (struct why_place){ .dso = about.dso,
							    .vaddr = about.vaddr };
			page->rows->ops->cell(page->rows, rows[i], ANNOTATE_SAMPLES, 0, &samples);
			place.samples = samples.number;
			g_array_append_val(places, place);
		}
	} while (nr && places->len < MAX_PLACES);
	return places;
}

struct pages *annotator_why_of(struct annotator *a, const struct touch_pages_options *touch,
			       GError **error)
{
	struct pages *touches = annotator_touches(a, touch, NULL, error);
	struct page *page;
	GArray *places;

	if (!touches || !touches->nr)
		return touches;
	page = touches->ops->open(touches, 0);
	places = places_of(page);
	page_free(page);
	pages_free(touches);
	return why_of_places(a, places);
}

struct annotator *annotator_narrowed(const struct annotator *a, const char *key, u64 value)
{
	const struct annotator_reading *r = find_reading(a, true, key);
	struct annotator_options options = a->options;
	g_autoptr(GArray) only = terms_copy(options.only);

	terms_add(only, &(struct term){ r->columns->groups->pdata[0], value });
	options.only = only;
	return annotator_new(&options);
}

struct annotator *annotator_anew(const struct annotator *a)
{
	struct annotator_options options = a->options;

	if (a->own_lexicon)
		options.lexicon = NULL;
	options.look.pattern = NULL;
	return annotator_new(&options);
}

bool annotator_find_function(const struct annotator *a, const char *name, struct about *out)
{
	const struct annotator_reading *r = find_reading(a, false, NULL);
	const GPtrArray *profiles = r ? r->annotation->code->profiles : NULL;

	for (u32 i = 0; profiles && i < profiles->len; i++) {
		const struct code_profile *profile = profiles->pdata[i];

		if (strcmp(profile->symbol->raw, name) != 0 &&
		    strcmp(dso_symbol_name(profile->dso, profile->symbol), name) != 0)
			continue;
		*out = (struct about){ .dso = profile->dso,
				       .symbol = profile->symbol,
				       .vaddr = profile->symbol->start };
		return true;
	}
	return false;
}

const struct type *annotator_type(const struct annotator *a, const struct type *type)
{
	const struct type *same = NULL;

	for (u32 i = 0; i < a->readings->len; i++) {
		const struct annotator_reading *r = a->readings->pdata[i];
		const GPtrArray *profiles = r->annotation->types->profiles;

		for (u32 k = 0; k < profiles->len; k++) {
			const struct type *other =
				((struct type_profile *)profiles->pdata[k])->type;

			if (other == type)
				return type;
			if (!same && other->size == type->size &&
			    !strcmp(type_shown_name(other), type_shown_name(type)))
				same = other;
		}
	}
	return same ?: type;
}
