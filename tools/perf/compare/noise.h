/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic of chance: how likely is a difference of two counts if both have the same cause?
 *
 * A count of samples is a count of rare events: with 100 samples, 120 the next time are no surprise. The functions
 * here answer by distributions of the textbooks. They know neither samples nor rows.
 */
#ifndef COMPARE_NOISE_H
#define COMPARE_NOISE_H

#include "base/types.h"

/* A number of degrees of freedom from which on Student's distribution is taken as the normal one. */
#define NOISE_MANY 1e6

/*
 * The probability that two counts with one rate differ at least as much as @x in the exposure @ex and @y in @ey do, in
 * either direction: the exact test that, given their sum, x is binomial. Counts may be fractions.
 */
double noise_counts_p(double x, double ex, double y, double ey);

/* The probability that |t| is at least this, with @df degrees of freedom. */
double noise_t_p(double t, double df);

/* The t that is exceeded, in either direction, with the probability @p. */
double noise_t_of(double p, double df);

/*
 * Replaces each of the @nr probabilities by the rate of false discoveries (Benjamini and Hochberg) if this one and all
 * smaller ones are called discoveries.
 */
void noise_adjust(double *p, u32 nr);

#endif
