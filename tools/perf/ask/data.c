// SPDX-License-Identifier: GPL-2.0-or-later
/* The tools about data types and code: fields, code, derive. */
#include <string.h>

#include "ask/ask_private.h"
#include "dso/dso.h"

static struct annotator *make_annotator(const struct asking *a, const char *type)
{
	return annotator_new(&(struct annotator_options){
		.session = a->file->session,
		.lexicon = a->file->report.lexicon,
		.only = a->terms,
		.skip_empty = true,
		.look = { .pattern = type,
			  .layout = true,
			  .before = a->file->options.types.skid != SKID_SAMPLED,
			  .full_paths = true },
	});
}

/* Adds the pages, which it takes over; without any it says what there is none of. */
static bool add(struct asking *a, struct pages *pages, const struct answer_look *look,
		const char *what, const char *name, GError **error)
{
	bool ok = pages != NULL;

	if (ok && !pages->nr)
		ok = error_set(
			error, PERF_ERROR_ABSENT,
			"no sample touches %s%s%s: fields lists the types, or those of a type",
			what, name ? " " : "", name ?: "");
	ok = ok && asking_add_pages(a, pages, look, error);
	pages_free(pages);
	return ok;
}

/* With data types, or for functions to be found by name. */
static bool read_samples(const struct asking *a, struct annotator *annotator, bool types,
			 GError **error)
{
	if (!annotator_read(annotator, types, NULL, error))
		return false;
	if (annotator_samples(annotator))
		return true;
	return error_set(error, PERF_ERROR_ABSENT, "no samples%s",
			 a->within ? " match the conditions" : "");
}

bool tool_fields(struct asking *a, GError **error)
{
	g_autoptr(GPtrArray) type_keys = g_ptr_array_new();
	const char *type = asking_argument(a, "type");
	struct annotator *annotator = make_annotator(a, type);
	bool ok = read_samples(a, annotator, true, error);

	g_ptr_array_add(type_keys, (void *)"type");
	if (ok && type)
		ok = add(a, annotator_types(annotator, error),
			 &(struct answer_look){ .skip_zero = true }, "a data type", type, error);
	else if (ok)
		ok = add(a,
			 annotator_touches(annotator,
					   &(struct touch_pages_options){ .by = TOUCHES_BY_TYPE },
					   NULL, error),
			 &(struct answer_look){ .within = a->within, .keys = type_keys },
			 "a data type", NULL, error);
	annotator_free(annotator);
	return ok;
}

/* A row's "[.] main" names the function main. */
static const char *bare_symbol(const char *text)
{
	return text[0] == '[' && text[1] && g_str_has_prefix(text + 2, "] ") ? text + 4 : text;
}

static struct pages *function_pages(struct annotator *annotator, const char *symbol, GError **error)
{
	struct about about = { 0 };

	if (annotator_find_function(annotator, symbol, &about) && about.symbol)
		return annotator_function(annotator, about.dso, about.symbol, true, error);
	error_set(error, PERF_ERROR_ABSENT,
		  "no function '%s' has samples: top keys=symbol lists those that have", symbol);
	return NULL;
}

bool tool_code(struct asking *a, GError **error)
{
	const char *type = asking_argument(a, "type"), *symbol = asking_argument(a, "symbol");
	const struct answer_look look = { .skip_zero = true, .by_share = true };
	struct annotator *annotator;
	bool ok;

	if (!type == !symbol)
		return error_set(error, PERF_ERROR_USAGE, "code: give either type or symbol");
	annotator = make_annotator(a, type);
	ok = read_samples(a, annotator, type != NULL, error);
	if (ok && type)
		ok = add(a,
			 annotator_touches(annotator,
					   &(struct touch_pages_options){
						   .by = TOUCHES_BY_CODE,
						   .field = asking_argument(a, "field") },
					   NULL, error),
			 &look, "that field of", type, error);
	else if (ok)
		ok = add(a, function_pages(annotator, bare_symbol(symbol), error), &look,
			 "the code of", symbol, error);
	annotator_free(annotator);
	return ok;
}

/* "place+0x1c" -> "place" and 0x1c; without an offset 0. */
static char *split_place(const char *place, u64 *offset)
{
	const char *plus = strrchr(place, '+');
	char *end;

	*offset = 0;
	if (!plus || !plus[1])
		return g_strdup(place);
	*offset = g_ascii_strtoull(plus + 1, &end, 16);
	return *end ? g_strdup(place) : g_strndup(place, (gsize)(plus - place));
}

static struct pages *place_pages(struct annotator *annotator, const char *place, GError **error)
{
	u64 offset;
	g_autofree char *function = split_place(place, &offset);
	struct about about = { 0 };

	if (annotator_find_function(annotator, function, &about) && about.symbol &&
	    offset < about.symbol->end - about.symbol->start)
		return annotator_why(annotator, about.dso, about.symbol->start + offset);
	error_set(
		error, PERF_ERROR_ABSENT,
		"no function with samples has an instruction '%s': give FUNCTION+0xOFFSET as code "
		"lists them",
		place);
	return NULL;
}

bool tool_derive(struct asking *a, GError **error)
{
	const char *type = asking_argument(a, "type"), *place = asking_argument(a, "place");
	struct annotator *annotator;
	struct pages *pages;
	bool ok;

	if (!type == !place)
		return error_set(error, PERF_ERROR_USAGE, "derive: give either place or type");
	annotator = make_annotator(a, type);
	ok = read_samples(a, annotator, true, error) &&
	     (type || read_samples(a, annotator, false, error));
	if (ok) {
		pages = place ? place_pages(annotator, bare_symbol(place), error)
			      : annotator_why_of(annotator,
						 &(struct touch_pages_options){
							 .by = TOUCHES_BY_CODE,
							 .field = asking_argument(a, "field") },
						 error);
		ok = add(a, pages, &(struct answer_look){ 0 }, "that field of", type, error);
	}
	annotator_free(annotator);
	return ok;
}
