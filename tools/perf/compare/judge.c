// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which differences are certain?
 *
 * A row has x samples of n on a side. If samples were independent, x would vary as a count of rare events does. They are
 * not: a thread does one thing for a while, requests are of different sizes, a run is hot or cold. So samples come in clusters
 * (threads, requests, or whole recordings), and a row's factor says how much more its sums vary from cluster to cluster than independent samples
 * would:
 *
 *	threads of 100 samples each, 20 of them in f(), on average:	count noise of a thread 4
 *	f() has 20, 21, 18, 22 samples				factor 1 (less is taken as 1)
 *	f() has 40, 0, 39, 1						factor 25: intervals 5 times as wide
 *
 * A row has few clusters, and its own factor is a bad estimate. All rows together have a good one of what is usual. The
 * factor that counts is the mean of both, in which the usual one has the weight of PRIOR clusters (as in empirical Bayes
 * methods for many small samples). Student's distribution with that many degrees of freedom gives the interval.
 *
 * With 1,000 rows and no difference at all, 50 rows are outside of their intervals of 95 %. So a row needs more than that to be
 * certain. The limit for the probability of chance is divided among the rows by their samples (a weighted form of Benjamini
 * and Hochberg's rule). How many samples a row has on both sides together does not tell how they are divided between the
 * sides, so this is allowed:
 *
 *	f() has 20 % of all samples	limit 0.2 x 0.2 %, as if there were 5 rows
 *	g() has 0.01 %			limit 0.0001 x 0.2 %, as if there were 10,000
 *
 * So rows that are too small to show a difference do not take the limit away from those that can.
 *
 * The limit of 0.2 % is for one comparison, but its user makes many: with 1 %, of 100 comparisons without a difference,
 * one would show a row that is called certain. Where few of the true differences are large enough to be found, these are
 * much of all that is called certain (8 to 10 % of it in pairs of 60 functions of which one to three grow).
 */
#include <math.h>
#include <string.h>

#include "compare/noise.h"
#include "compare/private.h"

#define PRIOR	      4.0
#define CERTAIN	      0.002
#define CERTAIN_TOTAL 0.01 /* of the total, which is a single row */
#define INTERVAL      0.05
#define T_STEPS	      256
/*
 * The exact test makes a row less certain, never more. So a row whose probability without it, by its part of the limit, is ten
 * times what is certain needs none.
 */
#define PLAIN_NOISE (10 * CERTAIN)

/* How much a row varies from cluster to cluster, and how much independent samples would. */
struct spread {
	double found, expected;
	double freedom; /* effective number of clusters, less one */
};

/* What is needed of one side or stratum. */
struct stratum {
	double sum, squares; /* of the exposures of its clusters */
	bool per_request;    /* exposures are requests, see cluster_exposure() */
};

struct judge {
	struct comparison *c;
	struct compare_event *event;
	enum compare_cluster cluster;
	double *exposures;     /* per side: what values are per */
	double *rates;	       /* per side: samples in a period of 1 */
	double *run_exposures; /* per run */
	GArray *strata;	       /* struct stratum */
	GArray *spreads;       /* struct spread per row */
	double usual; /* factor of all rows; for runs and sums, what it grows by with each sample */
	u32 *runs_of; /* per side */
	double t[T_STEPS + 2]; /* see t_of(); 0: not computed yet */
};

static bool is_share(const struct judge *j)
{
	return j->c->options.per == PER_SHARE;
}

static const struct compare_run *run_at(const struct comparison *c, u32 i)
{
	return g_ptr_array_index(c->runs, i);
}

/* Of the first event that counts CPU time; 0: none does. */
static double cpu_seconds(const struct comparison *c, u32 run)
{
	for (u32 i = 0; i < c->events->len; i++) {
		const struct compare_event *e = g_ptr_array_index(c->events, i);

		if (e->is_cpu && run < e->own->run_sums->len)
			return (double)g_array_index(e->own->run_sums, struct compare_sum, run)
				       .period /
			       1e9;
	}
	return 0;
}

/* What values of @run are per; shares: its samples' periods. */
static double exposure_of(const struct judge *j, u32 run)
{
	const GArray *sums = j->event->own->run_sums;

	switch (j->c->options.per) {
	case PER_SECOND:
		return run_at(j->c, run)->is.seconds;
	case PER_TOTAL:
		return 1;
	case PER_CPU_SECOND:
		return cpu_seconds(j->c, run);
	case PER_REQUEST:
		if (!j->c->options.requests)
			return run_at(j->c, run)->is.requests;
		return j->c->options.split < 0 ? j->c->options.requests[run] : 0;
	default:
		return run < sums->len ? (double)g_array_index(sums, struct compare_sum, run).period
				       : 0;
	}
}

static void count_exposures(struct judge *j)
{
	const struct compare_options *o = &j->c->options;

	for (u32 i = 0; i < j->c->runs->len; i++) {
		u32 side = run_at(j->c, i)->side;

		j->run_exposures[i] = exposure_of(j, i);
		if (o->split < 0) {
			j->exposures[side] += j->run_exposures[i];
			j->runs_of[side]++;
			continue;
		}
		for (u32 s = 0; s < o->nr_sides; s++)
			j->exposures[s] += j->run_exposures[i];
	}
	for (u32 s = 0; s < o->nr_sides; s++) {
		const struct compare_sum *all = &j->event->totals[s];

		if (is_share(j))
			j->exposures[s] = (double)all->period;
		if (o->per == PER_REQUEST && o->split >= 0)
			j->exposures[s] = o->requests[s];
		j->rates[s] = all->period ? (double)all->samples / (double)all->period : 0;
	}
}

/* The stratum of a cluster, and its exposure in samples. Runs: a side is a stratum. */
static u32 stratum_of(const struct judge *j, const struct cluster *cluster)
{
	return j->cluster == CLUSTER_RUN ? cluster->side : cluster->stratum;
}

/* Values are per request, and so are the clusters. */
static bool is_per_request(const struct judge *j, const struct cluster *cluster)
{
	return j->cluster == CLUSTER_REQUEST && cluster->of_requests &&
	       j->c->options.per == PER_REQUEST;
}

static double requests_of(const struct judge *j, const struct cluster *cluster)
{
	return j->c->options.split < 0 ? j->run_exposures[cluster->run]
				       : j->exposures[cluster->side];
}

/*
 * A share varies around the rate of the row in the samples of its cluster. A value per request varies around its mean, and so the
 * size of requests varies, too: their number is the exposure. Requests without samples have no cluster, so equal parts of them
 * belong to each (@unseen).
 */
static double cluster_exposure(const struct judge *j, const struct cluster *cluster)
{
	if (j->cluster == CLUSTER_RUN && !is_share(j))
		return j->run_exposures[cluster->run];
	if (is_per_request(j, cluster))
		return cluster->requests + cluster->unseen;
	return (double)cluster->sum.period * j->rates[cluster->side];
}

/* The clusters of a stratum lie side by side. */
static void spread_unseen(const struct judge *j)
{
	GArray *clusters = j->event->own->clusters;

	for (u32 i = 0; i < clusters->len; i += CLUSTERS_A_STRATUM) {
		struct cluster *c = &g_array_index(clusters, struct cluster, i);
		double seen = 0, unseen;

		for (u32 k = 0; k < CLUSTERS_A_STRATUM; k++)
			seen += c[k].requests;
		unseen = MAX(0, requests_of(j, c) - seen);
		for (u32 k = 0; is_per_request(j, c) && k < CLUSTERS_A_STRATUM; k++)
			c[k].unseen = unseen / CLUSTERS_A_STRATUM;
	}
}

/* With whole recordings as clusters, all threads of one are one. */
static void join_threads(struct judge *j)
{
	struct compare_event_own *own = j->event->own;
	GArray *joined = g_array_new(FALSE, TRUE, sizeof(struct cluster));

	g_array_set_size(joined, j->c->runs->len);
	for (u32 i = 0; i < joined->len; i++) {
		struct cluster *c = &g_array_index(joined, struct cluster, i);

		c->run = i;
		c->side = run_at(j->c, i)->side;
		if (i < own->run_sums->len)
			c->sum = g_array_index(own->run_sums, struct compare_sum, i);
	}
	for (u32 i = 0; i < own->parts->len; i++) {
		struct cluster_part *p = &g_array_index(own->parts, struct cluster_part, i);

		p->cluster = g_array_index(own->clusters, struct cluster, p->cluster).run;
	}
	g_array_unref(own->clusters);
	own->clusters = joined;
}

static void sum_strata(struct judge *j)
{
	const GArray *clusters = j->event->own->clusters;

	if (j->cluster == CLUSTER_REQUEST)
		spread_unseen(j);
	for (u32 i = 0; i < clusters->len; i++) {
		const struct cluster *c = &g_array_index(clusters, struct cluster, i);
		u32 at = stratum_of(j, c);
		struct stratum *s;
		double exposure = cluster_exposure(j, c);

		if (at >= j->strata->len)
			g_array_set_size(j->strata, at + 1);
		s = &g_array_index(j->strata, struct stratum, at);
		s->sum += exposure;
		s->squares += exposure * exposure;
		s->per_request = is_per_request(j, c);
	}
}

/* A row's sums in the clusters of one stratum, while its parts are gone through. */
struct inside {
	double sum, squares, products; /* x, x^2, x e: of clusters with samples of the row */
};

/*
 * The row varies around its rate r: the sum of (x - r e)^2 over all clusters, also those without samples of the row,
 * is sum x^2 - 2 r sum x e + r^2 sum e^2.
 */
static void add_spread(const struct judge *j, const struct inside *in, const struct stratum *s,
		       struct spread *out)
{
	double rate = s->sum > 0 ? in->sum / s->sum : 0;
	double kish = s->squares > 0 ? s->sum * s->sum / s->squares : 0;
	/* Of the samples of its cluster. */
	bool is_part = is_share(j) || (j->cluster != CLUSTER_RUN && !s->per_request);
	double free = is_part ? MAX(0, 1 - rate) : 1;

	if (kish < 1.5)
		return;
	out->found += in->squares - 2 * rate * in->products + rate * rate * s->squares;
	out->expected += in->sum * free * (1 - 1 / kish);
	out->freedom += kish - 1;
}

/* The parts are those of one row, or of the total. @inside has room for each stratum, and is zero before and after. */
static void add_row_spread(struct judge *j, const struct cluster_part *parts, u32 nr,
			   struct inside *inside, struct spread *out)
{
	const GArray *clusters = j->event->own->clusters;

	for (u32 i = 0; i < nr; i++) {
		const struct cluster *c =
			&g_array_index(clusters, struct cluster, parts[i].cluster);
		double x = (double)parts[i].sum.period * j->rates[c->side];
		struct inside *in = &inside[stratum_of(j, c)];

		in->sum += x;
		in->squares += x * x;
		in->products += x * cluster_exposure(j, c);
	}
	for (u32 i = 0; i < nr; i++) {
		u32 at = stratum_of(j, &g_array_index(clusters, struct cluster, parts[i].cluster));

		if (!(inside[at].sum > 0))
			continue;
		add_spread(j, &inside[at], &g_array_index(j->strata, struct stratum, at), out);
		memset(&inside[at], 0, sizeof(inside[at]));
	}
}

static bool grows_with_size(const struct judge *j)
{
	return j->cluster == CLUSTER_RUN && !is_share(j);
}

static double samples_of(const struct compare_row *row, u32 nr_sides)
{
	double all = 0;

	for (u32 s = 0; s < nr_sides; s++)
		all += (double)row->sums[s].samples;
	return all;
}

static void measure_spreads(struct judge *j)
{
	const GArray *parts = j->event->own->parts;
	const struct cluster_part *all = (const struct cluster_part *)(const void *)parts->data;
	g_autofree struct inside *inside = g_new0(struct inside, j->strata->len + 1);
	double found = 0, expected = 0;

	g_array_set_size(j->spreads, j->event->rows->len);
	for (u32 from = 0, to; from < parts->len; from = to) {
		struct spread *s = &g_array_index(j->spreads, struct spread, all[from].row);
		const struct compare_row *row = compare_row_at(j->event, all[from].row);
		double size = samples_of(row, j->c->options.nr_sides) / j->c->runs->len;

		for (to = from + 1; to < parts->len && all[to].row == all[from].row; to++)
			;
		add_row_spread(j, all + from, to - from, inside, s);
		found += s->found - (grows_with_size(j) ? s->expected : 0);
		expected += s->expected * (grows_with_size(j) ? size : 1);
	}
	j->usual = expected > 0 ? MAX(0, found / expected) : 0;
}

/* By how much the variance is larger than that of independent samples; out: degrees of freedom. */
static double factor_of(const struct judge *j, const struct spread *s, double size, double *freedom)
{
	double usual = grows_with_size(j) ? 1 + j->usual * size : j->usual;
	double own = s->expected > 0 ? s->found / s->expected : usual;

	if (s->freedom <= 0) {
		*freedom = NOISE_MANY;
		return MAX(1, usual);
	}
	*freedom = PRIOR + s->freedom;
	return MAX(1, (PRIOR * usual + s->freedom * own) / *freedom);
}

static double value_of(const struct judge *j, const struct compare_sum *sum, u32 side)
{
	return j->exposures[side] > 0 ? (double)sum->period / j->exposures[side] : 0;
}

/* The variance of a value by the counts alone. A row without samples might as well have had one. */
static double count_variance(const struct judge *j, const struct compare_row *row, u32 side)
{
	double samples = (double)MAX(row->sums[side].samples, 1);
	double value = row->sums[side].samples ? row->values[side]
					       : (j->rates[side] > 0 && j->exposures[side] > 0
							  ? 1 / j->rates[side] / j->exposures[side]
							  : 0);

	return value * value / samples * (is_share(j) ? MAX(0, 1 - value) : 1);
}

/*
 * The exact test with counts divided by the factor: correct also for rows of few samples, for which the normal
 * distribution calls too much certain. A share above a half is tested by the other samples.
 */
static double counts_p(const struct judge *j, const struct compare_row *row, u32 side,
		       double factor)
{
	double x[2], e[2], part = 0;
	const u32 sides[] = { 0, side };

	for (u32 i = 0; i < 2; i++) {
		u32 s = sides[i];

		x[i] = (double)row->sums[s].period * j->rates[s];
		e[i] = j->exposures[s] * j->rates[s];
	}
	if (!(e[0] > 0) || !(e[1] > 0))
		return 1;
	if (is_share(j)) {
		part = (x[0] + x[1]) / (e[0] + e[1]);
		for (u32 i = 0; part > 0.5 && i < 2; i++)
			x[i] = MAX(0, e[i] - x[i]);
		part = MIN(part, 1 - part);
	}
	factor *= MAX(1 - part, 0.5);
	return noise_counts_p(x[0] / factor, e[0], x[1] / factor, e[1]);
}

static double t_at(struct judge *j, u32 step)
{
	if (j->t[step] == 0)
		j->t[step] = noise_t_of(INTERVAL, step ? T_STEPS / (double)step : NOISE_MANY);
	return j->t[step];
}

/*
 * Student's t of the interval. Each row has another number of degrees of freedom, and the inverse of the distribution takes
 * long, so it is interpolated between degrees of 256, 128, 85.3, 64 ... 1: as a function of 1 / freedom it is nearly straight
 * (within 0.002 % of the exact value).
 */
static double t_of(struct judge *j, double freedom)
{
	double at = freedom >= NOISE_MANY ? 0 : T_STEPS / MAX(freedom, 1);
	u32 step = (u32)at;

	if (freedom < 1)
		return noise_t_of(INTERVAL, freedom);
	return t_at(j, step) + (at - step) * (t_at(j, step + 1) - t_at(j, step));
}

/* @weight: the row's part of the limit, see weight_of(). */
static void judge_row(struct judge *j, struct compare_row *row, const struct spread *spread,
		      u32 side, double weight)
{
	struct compare_verdict *v = &row->verdicts[side];
	double size = (double)(row->sums[0].samples + row->sums[side].samples) /
		      MAX(1, j->runs_of[0] + j->runs_of[side]);
	double freedom, factor = factor_of(j, spread, size, &freedom);
	double error = sqrt(factor * (count_variance(j, row, 0) + count_variance(j, row, side)));

	v->difference = row->values[side] - row->values[0];
	v->margin = error * t_of(j, freedom);
	v->single_p = error > 0 ? noise_t_p(v->difference / error, freedom) : 1;
	if (v->single_p < PLAIN_NOISE * weight)
		v->single_p = MAX(v->single_p, counts_p(j, row, side, factor));
}

static double samples_on(const struct compare_row *row, u32 side)
{
	return (double)(row->sums[0].samples + row->sums[side].samples);
}

/* The part of the limit that a row has: 1 if all have as many samples as this one. */
static double weight_of(const struct compare_event *event, const struct compare_row *row, u32 side,
			double all)
{
	return all > 0 ? samples_on(row, side) * event->rows->len / all : 0;
}

static double samples_of_all(const struct compare_event *event, u32 side)
{
	double all = 0;

	for (u32 i = 0; i < event->rows->len; i++)
		all += samples_on(compare_row_at(event, i), side);
	return all;
}

static void judge_side(struct judge *j, u32 side)
{
	const GPtrArray *rows = j->event->rows;
	g_autofree double *p = g_new0(double, rows->len + 1);
	double all = samples_of_all(j->event, side);
	bool may_be = !j->event->is_wait || j->cluster == CLUSTER_RUN;

	for (u32 i = 0; i < rows->len; i++) {
		struct compare_row *row = g_ptr_array_index(rows, i);
		double weight = weight_of(j->event, row, side, all);

		judge_row(j, row, &g_array_index(j->spreads, struct spread, i), side, weight);
		p[i] = weight > 0 ? row->verdicts[side].single_p / weight : 1;
	}
	noise_adjust(p, rows->len);
	for (u32 i = 0; i < rows->len; i++) {
		struct compare_row *row = g_ptr_array_index(rows, i);

		row->verdicts[side].p = p[i];
		row->verdicts[side].certain = may_be && p[i] <= CERTAIN;
	}
}

static void judge_rows(struct judge *j)
{
	u32 nr_sides = j->c->options.nr_sides;

	for (u32 i = 0; i < j->event->rows->len; i++) {
		struct compare_row *row = g_ptr_array_index(j->event->rows, i);

		for (u32 s = 0; s < nr_sides; s++)
			row->values[s] = value_of(j, &row->sums[s], s);
	}
	for (u32 s = 1; s < nr_sides; s++)
		judge_side(j, s);
}

/*
 * The total as a row. How much it varies from recording to recording is known only with several of them: within one, it
 * is nearly constant.
 */
static void judge_total(struct judge *j)
{
	u32 nr_sides = j->c->options.nr_sides;
	struct compare_row *row = g_new0(struct compare_row, 1);
	struct spread spread = { 0 };
	g_autofree struct inside *inside = g_new0(struct inside, j->strata->len + 1);
	g_autoptr(GArray) parts = g_array_new(FALSE, TRUE, sizeof(struct cluster_part));

	row->sums = g_memdup2(j->event->shown, nr_sides * sizeof(*row->sums));
	row->values = g_new0(double, nr_sides);
	row->verdicts = g_new0(struct compare_verdict, nr_sides);
	j->event->total = row;
	for (u32 s = 0; s < nr_sides; s++)
		row->values[s] = value_of(j, &row->sums[s], s);
	for (u32 i = 0; j->cluster == CLUSTER_RUN && i < j->event->own->run_shown->len; i++) {
		struct cluster_part part = {
			.cluster = i,
			.sum = g_array_index(j->event->own->run_shown, struct compare_sum, i),
		};

		g_array_append_val(parts, part);
	}
	add_row_spread(j, (const struct cluster_part *)(const void *)parts->data, parts->len,
		       inside, &spread);
	for (u32 s = 1; s < nr_sides; s++) {
		struct compare_verdict *v = &row->verdicts[s];

		judge_row(j, row, &spread, s, 1);
		v->p = v->single_p;
		v->certain = j->cluster == CLUSTER_RUN && v->p <= CERTAIN_TOTAL;
	}
}

/* With a single request, how much requests differ is not known. */
static enum compare_cluster choose_part(const struct judge *j)
{
	const GArray *clusters = j->event->own->clusters;
	g_autofree u32 *requests = g_new0(u32, j->c->options.nr_sides);
	u32 most = 0, others = 0;

	for (u32 i = 0; i < clusters->len; i++) {
		const struct cluster *c = &g_array_index(clusters, struct cluster, i);

		if (!c->sum.samples)
			continue;
		others += !c->of_requests;
		requests[c->side] += c->of_requests;
		most = MAX(most, requests[c->side]);
	}
	if (most > 1)
		return CLUSTER_REQUEST;
	return others || !most ? CLUSTER_THREAD : CLUSTER_NONE;
}

static enum compare_cluster choose_cluster(const struct judge *j)
{
	enum compare_cluster wanted = j->c->options.cluster;
	bool several = j->c->options.split < 0;

	for (u32 s = 0; s < j->c->options.nr_sides; s++)
		several &= j->runs_of[s] > 1;
	if (wanted == CLUSTER_NONE || wanted == CLUSTER_RUN)
		return wanted;
	if (wanted == CLUSTER_AUTO && several)
		return CLUSTER_RUN;
	return choose_part(j);
}

enum clusters_kind compare_clusters_kind(const struct compare_options *o, bool several, u32 needs)
{
	switch (o->cluster) {
	case CLUSTER_THREAD:
		return CLUSTERS_THREADS;
	case CLUSTER_REQUEST:
		return CLUSTERS_REQUESTS;
	case CLUSTER_AUTO:
		if (several)
			return CLUSTERS_ONE;
		return needs & (NEED_ACTIVITY | NEED_CLASS | NEED_CRITICAL) ||
				       (o->per == PER_REQUEST && !o->requests)
			       ? CLUSTERS_REQUESTS
			       : CLUSTERS_THREADS;
	default:
		return CLUSTERS_ONE;
	}
}

static void judge_event(struct comparison *c, struct compare_event *event)
{
	u32 nr_sides = c->options.nr_sides;
	struct judge j = { .c = c, .event = event };

	j.exposures = g_new0(double, nr_sides);
	j.rates = g_new0(double, nr_sides);
	j.runs_of = g_new0(u32, nr_sides);
	j.run_exposures = g_new0(double, c->runs->len);
	j.strata = g_array_new(FALSE, TRUE, sizeof(struct stratum));
	j.spreads = g_array_new(FALSE, TRUE, sizeof(struct spread));
	count_exposures(&j);
	event->cluster = j.cluster = choose_cluster(&j);
	if (j.cluster == CLUSTER_RUN)
		join_threads(&j);
	compare_sort_parts(event);
	g_array_set_size(j.spreads, event->rows->len);
	if (j.cluster != CLUSTER_NONE) {
		sum_strata(&j);
		measure_spreads(&j);
	}
	judge_rows(&j);
	if (!is_share(&j))
		judge_total(&j);
	g_free(j.exposures);
	g_free(j.rates);
	g_free(j.runs_of);
	g_free(j.run_exposures);
	g_array_unref(j.strata);
	g_array_unref(j.spreads);
}

static bool check_seconds(const struct comparison *c, GError **error)
{
	for (u32 i = 0; i < c->runs->len; i++)
		if (!(run_at(c, i)->is.seconds > 0))
			return error_set(error, PERF_ERROR_ABSENT,
					 "%s: its samples have no times, so values per second are "
					 "not known: use --per=share or --per=total",
					 run_at(c, i)->is.path);
	return true;
}

static bool check_cpu_seconds(const struct comparison *c, GError **error)
{
	for (u32 i = 0; i < c->runs->len; i++)
		if (!(cpu_seconds(c, i) > 0))
			return error_set(
				error, PERF_ERROR_ABSENT,
				"%s: no event of it counts CPU time (cpu-clock, task-clock), so "
				"values per CPU second are not known",
				run_at(c, i)->is.path);
	return true;
}

bool comparison_judge(struct comparison *c, GError **error)
{
	if (c->options.per == PER_CPU_SECOND && !check_cpu_seconds(c, error))
		return false;
	if (c->options.per == PER_SECOND && !check_seconds(c, error))
		return false;
	for (u32 i = 0; i < c->events->len; i++)
		judge_event(c, g_ptr_array_index(c->events, i));
	return true;
}

bool compare_is_certain(const struct comparison *c, const struct compare_row *row)
{
	bool certain = false;

	for (u32 i = 1; i < c->options.nr_sides; i++)
		certain |= row->verdicts[i].certain;
	return certain;
}

double comparison_needed(const struct compare_event *event, const struct compare_row *row, u32 side)
{
	double weight = weight_of(event, row, side, samples_of_all(event, side));
	double now = noise_t_of(MAX(row->verdicts[side].single_p, 1e-300), NOISE_MANY);
	double needed = noise_t_of(CERTAIN * weight / MAX(1, event->rows->len), NOISE_MANY);

	return now > 0 && weight > 0 ? MAX(1, needed * needed / (now * now)) : INFINITY;
}
