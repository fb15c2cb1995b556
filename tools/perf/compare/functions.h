/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which functions of two builds are the same? Those of one name. But a program may have several: static functions of
 * different files. If debug information tells their files apart, each is compared with that of its file:
 *
 *	before			now			rows
 *	parse() of shop.c	parse() of shop.c	parse (shop.c)
 *	parse() of json.c	parse() of text.c	parse (text.c), was json.c
 *
 * The second one has moved: it is the only one that is left on each side. If more are left, they are new or gone. A function
 * whose name is the only one of its kind in all programs is the same in whatever file it is. A function of a header, which
 * many files include, is one.
 *
 * A recording gives its names before its rows are made:
 *
 *	compare_names_new()		reads them; several recordings may do that at once
 *	compare_functions_learn()	for the first recording of each side, if they are open at once, then for each recording
 *	compare_functions_tell()	for its functions
 *
 * A name keeps what it was when it was told first: if a later recording is the first with two functions of a name, they stay one.
 */
#ifndef COMPARE_FUNCTIONS_H
#define COMPARE_FUNCTIONS_H

#include "fields/fields.h"
#include "hist/profile.h"

/* What one recording says. */
struct compare_names;

/*
 * Reads which names of functions are those of several functions, of functions with at least a thousandth of the samples, or of
 * chains with them. To be freed before the profile's session.
 */
struct compare_names *compare_names_new(const struct profile *profile);
void compare_names_free(struct compare_names *names);

struct compare_functions;

struct compare_functions *compare_functions_new(void);
void compare_functions_free(struct compare_functions *f);

/* Learns the names of a recording of the old side, or of another one, once. */
void compare_functions_learn(struct compare_functions *f, bool old, struct compare_names *names);

/* The files of a function of which others have the name, without folders that they have in common. */
struct compare_function {
	const char *file;    /* "text.c" */
	const char *same_as; /* "json.c" if it has moved from there, else the same as @file */
};

/*
 * False: @code (NULL: none) is not in a function of which others have the name, or its file is not known. The texts live as
 * long as @f.
 */
bool compare_functions_tell(struct compare_functions *f, bool old, struct compare_names *names,
			    const struct code *code, struct compare_function *out);

#endif
