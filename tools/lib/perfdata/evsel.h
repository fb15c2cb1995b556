/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One selected event: its attributes, its name, and the ids by which records refer to it. The attributes define the
 * layout of the event's records. The text of an event ("cycles:P", "sched:*") is parsed by perfevent.
 */
#ifndef PERFDATA_EVSEL_H
#define PERFDATA_EVSEL_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/abi.h"

struct sample;

struct evsel {
	u32 idx; /* its place among the file's events, from 0 */
	struct perf_event_attr attr;
	/* Parts of attr that the system header may lack; attr's own copy of them is unused. */
	u64 config3, config4;
	u16 sample_tls_user; /* bytes below the thread pointer; a multiple of 8 */

	char *name; /* as the user wrote it; never NULL once read from a file */
	u64 *ids;   /* one per open counter (CPU, thread); owned */
	u32 nr_ids;

	u32 leader;	  /* idx of the group's leader; its own idx where it has none */
	u32 nr_members;	  /* of the group with its leader, in the leader; else 1 */
	char *group_name; /* of the leader, or NULL: "{anon_group}" in upstream's files */

	char *unit;   /* "Joules", or NULL */
	double scale; /* 1.0 unless an EVENT_UPDATE record said otherwise */
	GArray *cpus; /* u32: the CPUs of its PMU where the file restricts them, or NULL */
};

/* An event with nothing set but its scale. */
struct evsel *evsel_new(void);
/*
 * An event that counts nothing. It is opened for the records that its other attributes request, which end in the time.
 */
struct evsel *evsel_new_dummy(void);
/* Such an event has no samples. */
bool evsel_is_dummy(const struct evsel *evsel);
/*
 * Does the event also have the records of forks, exits, names and mappings? Then the kernel's count of its lost samples
 * includes lost ones of these.
 */
bool evsel_has_side_records(const struct evsel *evsel);
struct evsel *evsel_copy(const struct evsel *from);
/*
 * A copy of @model whose records a BPF program writes (bpf_perf_event_output()), into the ring of @model: with its clock, its
 * watermark, and its count of losses. They have the sections of @sample_type, and RAW.
 */
struct evsel *evsel_copy_as_output(const struct evsel *model, u64 sample_type);
void evsel_free(struct evsel *evsel);

/*
 * attr to and from the bytes of a system call or file. evsel_attr_bytes() writes the
 * shortest of the kernel's sizes (at least PERF_ATTR_SIZE_VER7) that holds what is set, states it
 * in attr.size's place and returns it; @out has PERF_ATTR_SIZE_VER9 bytes.
 * evsel_set_attr_bytes() takes what @size bytes hold and zeroes the rest; it is false when
 * @size is below PERF_ATTR_SIZE_VER0. Bytes beyond those known here are dropped.
 */
u32 evsel_attr_bytes(const struct evsel *evsel, u8 out[PERF_ATTR_SIZE_VER9]);
bool evsel_set_attr_bytes(struct evsel *evsel, const void *bytes, u64 size);

/* cpu-clock, task-clock: samples at equal distances of time on a CPU. */
bool evsel_is_timer(const struct evsel *evsel);

/*
 * The period of a sample: its own, else the one that the event was recorded with. (With -F that is
 * the frequency; upstream counts such samples the same way.)
 */
u64 evsel_period(const struct evsel *evsel, const struct sample *sample);

/* True if samples may state more of an access to memory than its address: the level, the latency. No event of software does. */
bool evsel_may_state_access(const struct evsel *evsel);
/* True if samples have the weight of the access to memory, such as its latency. */
bool evsel_has_weight(const struct evsel *evsel);
/* What a sample counts in a profile of memory accesses: its weight, at least 1; of an event without weights, the period. */
u64 evsel_weight(const struct evsel *evsel, const struct sample *sample);

/* The name that the user gave the group, NULL: none. */
const char *evsel_group_name(const struct evsel *leader);
/*
 * How a heading names @nr events of @evsels (struct evsel *), of which @first is the leader: one
 * event is "cpu-clock", a group "anon group { cpu-clock, task-clock }", or with the name that the
 * user gave it in place of "anon group". The caller frees it.
 */
char *evsel_group_title(const GPtrArray *evsels, u32 first, u32 nr);

/* The name that perf gives an event with these attributes and no text: "cpu-clock:u". */
char *evsel_default_name(const struct evsel *evsel);

#endif
