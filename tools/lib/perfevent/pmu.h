/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a PMU's folder in sysfs: its type number, the bits of its terms in the config words (format/), its named events
 * (events/), and its CPUs.
 */
#ifndef PERFEVENT_PMU_H
#define PERFEVENT_PMU_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"
#include "perfevent/paths.h"

struct pmu {
	char *name;
	u32 type;
	bool core;    /* "cpu", or a folder with a file `cpus`: counts instructions of threads */
	bool uncore;  /* has a cpumask: counts no single thread */
	GArray *cpus; /* u32, or NULL */
	char *dir;
};

/* The PMU called @name. NULL: there is none, or its type is not a number. */
struct pmu *pmu_load(const struct kernel_paths *paths, const char *name);
void pmu_free(struct pmu *pmu);
typedef struct pmu pmu_auto;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(pmu_auto, pmu_free)

/* All names, sorted, as owned strings. */
GPtrArray *pmu_names(const struct kernel_paths *paths);

/*
 * The PMUs that @name[0..@len) stands for: the one with that name; if there is none, NAME_0,
 * NAME_1, ...; if there are none, and it is a glob, those that it matches. May be empty. Elements
 * are owned struct pmu *.
 */
GPtrArray *pmu_match(const struct kernel_paths *paths, const char *name, size_t len);

/*
 * True if the machine has events whose samples state accesses to memory: address, level, latency. These are mem-loads of Intel and POWER,
 * AMD's IBS of operations, Arm's SPE.
 */
bool pmu_any_states_accesses(const struct kernel_paths *paths);

/* The names in format/ or events/ (no .unit and the like), sorted, owned. */
GPtrArray *pmu_format_names(const struct pmu *pmu);
GPtrArray *pmu_event_names(const struct pmu *pmu);

enum pmu_put {
	PMU_PUT_OK,
	PMU_PUT_ABSENT,	 /* no such term */
	PMU_PUT_TOO_BIG, /* more bits than the term has; *max tells */
	PMU_PUT_BAD,	 /* the format file is not understood */
};

/* Puts @value into config[0..3] where format/@term says. */
enum pmu_put pmu_put_term(const struct pmu *pmu, const char *term, u64 value, u64 config[4],
			  u64 *max);

/* The text of events/@name ("event=0x3c,umask=1"), to be freed; NULL: no such event. */
char *pmu_event(const struct pmu *pmu, const char *name);

/* The text of events/NAME.unit, to be freed, or NULL; .scale or 1. */
char *pmu_event_unit(const struct pmu *pmu, const char *name);
double pmu_event_scale(const struct pmu *pmu, const char *name);

#endif
