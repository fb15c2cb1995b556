/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries about the code and data of a session's samples; the answers are pages. A command asks one query; a browser
 * asks one after the other, with rows of one answer (about.h) in the next query. Samples are read at the first query
 * that needs them: without data types, with data types, and again for each key by which they are grouped.
 */
#ifndef PAGES_ANNOTATOR_H
#define PAGES_ANNOTATOR_H

#include "pages/base/about.h"
#include "pages/code/touch_pages.h"

struct annotator_options {
	struct session *session;
	struct lexicon *lexicon; /* of @only; NULL: it makes its own */
	const GArray *only;	 /* struct term: only samples that match all; copied */
	bool insns;		 /* count instructions by mnemonic, with types */
	bool skip_empty;	 /* leave out events without samples */
	bool part_of_name; /* --symbols may be the end of a symbol's name if no symbol has this name */
	/* Options for pages; the annotator fills in what it knows itself. */
	struct annotate_pages_options look;
};

struct annotator;

/* The objects in @options are copied, or must outlive the annotator. */
struct annotator *annotator_new(const struct annotator_options *options);
/*
 * An annotator for only the samples whose key @key is @value; @a was queried by this key before. @a must outlive it.
 */
struct annotator *annotator_narrowed(const struct annotator *a, const char *key, u64 value);
/*
 * An annotator for the samples so far, including new ones: it has read nothing yet. Does not need @a.
 */
struct annotator *annotator_anew(const struct annotator *a);
/* Call it after all pages were freed. */
void annotator_free(struct annotator *annotator);

struct session *annotator_session(const struct annotator *annotator);

/* Applies to later pages. */
struct annotate_pages_options *annotator_look(struct annotator *annotator);

/* Reads the samples for the queries below: with @types for those about types; @key as below. */
bool annotator_read(struct annotator *a, bool types, const char *key, GError **error);

/*
 * The answers, to be freed. NULL with @error if the samples cannot be read, or @key is invalid. An empty answer has
 * no pages.
 */

/* The functions with samples; with @with_types also the data types of their accesses. */
struct pages *annotator_code(struct annotator *a, bool with_types, GError **error);
/* One function, with or without samples. */
struct pages *annotator_function(struct annotator *a, struct dso *dso, const struct symbol *symbol,
				 bool with_types, GError **error);
struct pages *annotator_types(struct annotator *a, GError **error);
/*
 * Other layouts of the types (advice_pages.h). If samples have data addresses, it reads them once more, for what threads share, unless they
 * come by a pipe.
 */
struct pages *annotator_advice(struct annotator *a, GError **error);
/* The same of @types, which the caller has counted, and which must outlive the pages. */
struct pages *annotator_advice_of(struct annotator *a, struct type_profiles *types, GError **error);
/* @key: for TOUCHES_BY_KEY, in the form of -s; else NULL. */
struct pages *annotator_touches(struct annotator *a, const struct touch_pages_options *touch,
				const char *key, GError **error);
/*
 * The type among those of samples that equals @type. @type may come from a page of code, which has its own types.
 * Returns @type if no sample touches it.
 */
const struct type *annotator_type(const struct annotator *a, const struct type *type);
/* Finds a function with samples by its name, in the file or as shown, and fills the code fields of @out. */
bool annotator_find_function(const struct annotator *a, const char *name, struct about *out);
/* How the data type of the instruction was found. */
struct pages *annotator_why(struct annotator *a, struct dso *dso, u64 vaddr);
/* The same for the instructions in @touch, by code: one page each, the hottest first. */
struct pages *annotator_why_of(struct annotator *a, const struct touch_pages_options *touch,
			       GError **error);

/* Number of samples that match all filters, as far as they have been read. */
u64 annotator_samples(const struct annotator *a);

#endif
