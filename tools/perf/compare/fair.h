/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is a comparison fair? If one side was recorded by another event, on another processor or from a program of another
 * compiler, then a difference may be that of the measurement. fair_take() gathers the facts of each recording,
 * fair_sentences() says in which of them the sides differ.
 */
#ifndef COMPARE_FAIR_H
#define COMPARE_FAIR_H

#include <glib.h>

#include "base/types.h"

struct fair;
struct profile;
struct session;

struct fair *fair_new(u32 nr_sides);
void fair_free(struct fair *fair);

/*
 * Facts of a recording whose samples were read. @profile has the key "dso" among its groups. With @debug, the debug
 * information of files with a large share of the samples is read, too, for the compiler's options.
 */
void fair_take(struct fair *fair, u32 side, struct session *session, const struct profile *profile,
	       bool debug);

/* char *: what makes the comparison unfair, the gravest first. To be freed. */
GPtrArray *fair_sentences(const struct fair *fair);

#endif
