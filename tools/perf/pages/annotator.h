/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that can be asked about the code and the data of a session's samples, as pages: a
 * command asks one question, a person in front of a terminal one after the other, with rows of
 * one answer (about.h) in the next question. Samples are read at the first question that needs them:
 * without data types, with them, and once more for each key by which they are to be told apart.
 */
#ifndef PAGES_ANNOTATOR_H
#define PAGES_ANNOTATOR_H

#include "pages/about.h"
#include "pages/touch_pages.h"

struct annotator_options {
	struct session *session;
	struct lexicon *lexicon;	   /* of @only; NULL: makes one of its own */
	const struct annotation_key *only; /* only samples that have all of these keys; copied */
	u32 nr_only;
	bool insns;	   /* count instructions by mnemonic, with types */
	bool skip_empty;   /* leave out events without samples */
	bool part_of_name; /* --symbols may name the end of a symbol where there is no such */
	/* How pages are made; what the annotator knows itself is filled in. */
	struct annotate_pages_options look;
};

struct annotator;

/* What @options points to is copied or stays the caller's and outlives the annotator. */
struct annotator *annotator_new(const struct annotator_options *options);
/*
 * The same for those samples only for which the key called @key, by which @a has been asked already, is
 * @value. @a outlives it.
 */
struct annotator *annotator_narrowed(const struct annotator *a, const char *key, u64 value);
/* The same for samples that have come since: nothing is read yet. Does not need @a. */
struct annotator *annotator_anew(const struct annotator *a);
/* To be called when all pages have been freed. */
void annotator_free(struct annotator *annotator);

struct session *annotator_session(const struct annotator *annotator);

/* Of the pages that are asked for from now on. */
struct annotate_pages_options *annotator_look(struct annotator *annotator);

/* Reads what the questions below would: with @types for those about types; @key as below. */
bool annotator_read(struct annotator *a, bool types, const char *key, GError **error);

/*
 * The answers, to be freed. NULL with @error where the samples cannot be read, or @key is none.
 * Where there is nothing, they have no page.
 */

/* The functions that have samples; the data types of their accesses, where @with_types. */
struct pages *annotator_code(struct annotator *a, bool with_types, GError **error);
/* One function, whether it has samples or not. */
struct pages *annotator_function(struct annotator *a, struct dso *dso, const struct symbol *symbol,
				 bool with_types, GError **error);
struct pages *annotator_types(struct annotator *a, GError **error);
/* @key: of TOUCHES_BY_KEY, as -s has it; else NULL. */
struct pages *annotator_touches(struct annotator *a, const struct touch_pages_options *touch,
				const char *key, GError **error);
/*
 * The type of samples that is the same as @type, which may be of a page of code: those know types by
 * themselves. @type where no sample touches it.
 */
const struct type *annotator_type(const struct annotator *a, const struct type *type);
/* A function with samples by its name in the file: fills what @out says of code. */
bool annotator_find_function(const struct annotator *a, const char *raw_name, struct about *out);
/* How the data type of the instruction is known. */
struct pages *annotator_why(struct annotator *a, struct dso *dso, u64 vaddr);
/* The same of the instructions that @touch, by code, is about: a page each, the hottest one first. */
struct pages *annotator_why_of(struct annotator *a, const struct touch_pages_options *touch,
			       GError **error);

/* Samples that no filter keeps out, as far as they have been read. */
u64 annotator_samples(const struct annotator *a);

#endif
