// SPDX-License-Identifier: GPL-2.0-or-later
#include "compare/noise.h"

#include <glib.h>
#include <math.h>

static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/*
 * The continued fraction of the incomplete beta function, by Lentz' method: each step multiplies the value by the
 * quotient of two numerators and denominators, which are kept away from 0. It converges fast for x below the mean.
 */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), value;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	value = d;
	for (u32 i = 1; i < 10000; i++) {
		double m = i, before = value;
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		const double terms[] = { even, odd };

		for (u32 k = 0; k < 2; k++) {
			d = 1 + terms[k] * d;
			c = 1 + terms[k] / c;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = fabs(c) < tiny ? tiny : c;
			value *= c * d;
		}
		if (fabs(value / before - 1) < 1e-12)
			break;
	}
	return value;
}

/* The regularized incomplete beta function: the probability that a beta variable is at most @x. */
static double beta_below(double a, double b, double x)
{
	double front;

	if (x <= 0 || a <= 0)
		return a <= 0 ? 1 : 0;
	if (x >= 1 || b <= 0)
		return b <= 0 ? 0 : 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* From this sum of counts on, the binomial distribution is taken as a normal one: the fraction would need many steps. */
#define LARGE_COUNTS 1e6

static double large_counts_p(double x, double y, double part)
{
	double all = x + y;

	return noise_t_p((x - all * part) / sqrt(all * part * (1 - part)), NOISE_MANY);
}

/* The tail in which x is: that of small counts, or of large ones. A binomial tail is a value of the beta function, so counts need not be whole. */
static double tail_p(double x, double y, double part, bool small)
{
	return small ? beta_below(y, x + 1, 1 - part) : beta_below(x, y + 1, part);
}

/* The smaller tail is the one in which x is, but for counts near to what is expected: there, both are tried. */
double noise_counts_p(double x, double ex, double y, double ey)
{
	double part = ex / (ex + ey), tail;
	bool small = x < part * (x + y);

	if (x + y <= 0 || !(part > 0 && part < 1))
		return 1;
	if (x + y > LARGE_COUNTS)
		return large_counts_p(x, y, part);
	tail = tail_p(x, y, part, small);
	if (tail > 0.3)
		tail = MIN(tail, tail_p(x, y, part, !small));
	return MIN(1, 2 * tail);
}

double noise_t_p(double t, double df)
{
	if (df >= NOISE_MANY)
		return erfc(fabs(t) / M_SQRT2);
	return beta_below(df / 2, 0.5, df / (df + t * t));
}

double noise_t_of(double p, double df)
{
	double low = 0, high = 2;

	while (noise_t_p(high, df) > p && high < 1e9)
		high *= 2;
	for (u32 i = 0; i < 200 && high - low > 1e-9 * high; i++) {
		double middle = (low + high) / 2;

		if (noise_t_p(middle, df) > p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

static int by_value(const void *a, const void *b)
{
	double x = **(double *const *)a, y = **(double *const *)b;

	return x < y ? -1 : x > y;
}

void noise_adjust(double *p, u32 nr)
{
	g_autofree double **order = g_new(double *, nr + 1);
	double least = 1;

	for (u32 i = 0; i < nr; i++)
		order[i] = p + i;
	qsort(order, nr, sizeof(*order), by_value);
	for (u32 i = nr; i-- > 0;) {
		least = MIN(least, *order[i] * nr / (i + 1));
		*order[i] = least;
	}
}
