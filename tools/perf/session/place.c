// SPDX-License-Identifier: GPL-2.0-or-later
/* The place of one sample: what it is of, and whether it is shown. */
#include "activity/label_ids.h"
#include "perfdata/evsel.h"
#include "perfdata/wall.h"
#include "session/chained.h"
#include "session/named.h"
#include "session/private.h"

/* Switch records may come late or be lost: never below one, nor above the machine's CPUs. */
static u32 parallelism_at(const struct session *s, u64 time)
{
	u32 nr_cpus = perfdata_info(s->file->pd)->nrcpus_available;

	return (u32)CLAMP(machine_running(s->file->machine, time), 1,
			  nr_cpus ? nr_cpus : INT32_MAX);
}

struct data_types *session_types(struct session *s)
{
	if (!s->data_types)
		s->data_types = data_types_new(perfdata_info(s->file->pd)->cpuid,
					       s->options.type_min,
					       s->options.skid != SKID_SAMPLED);
	return s->data_types;
}

static bool note_is(const struct session *s, const char *key, const char *value)
{
	return g_strcmp0(perfdata_info_note(perfdata_info(s->file->pd), key), value) == 0;
}

static enum cpu_context context_of(struct session *s, const struct place *place)
{
	return contexts_find(s->contexts, s->resolver, place, note_is(s, "tls.source", "bpf"),
			     note_is(s, "tls.context", "counted"));
}

/* Fills what the bytes of @sample contain, and what follows from them. */
static void decode_activity(struct session *s, u32 pid, u64 time, const struct sample *sample,
			    struct activity *activity)
{
	const struct activity_id_names names = { s->options.trace_names, s->options.span_names };

	activities_find(s->file->activities, sample, pid, time, activity);
	activity_take_label_ids(activity, &names);
	named_complete(s->set->spans, activity);
}

static void find_activity(struct session *s, const struct place *place, struct activity *activity)
{
	decode_activity(s, place->thread->pid, place->time, place->sample, activity);
	if (!s->options.charge_interrupts && cpu_context_interrupts(place->context))
		activity_interrupt(activity);
}

void session_owner_activity(struct session *s, const struct place *place,
			    const struct wall_lock *lock, const void *data,
			    struct activity *activity)
{
	u32 size = lock->activity_size;
	struct sample sample = { .type = place->sample->type, .tls = { size, data, size } };
	u32 pid = wall_lock_owner_pid(lock) ?: place->thread->pid;

	decode_activity(s, pid, place->time, &sample, activity);
}

void session_append_lock(struct session *s, const struct place *place, const struct wall_lock *lock,
			 GString *out)
{
	if (!s->lock_names)
		s->lock_names = lock_names_new(s->file->machine, session_types(s));
	lock_names_append(s->lock_names, place, lock, out);
}

bool session_data_variable(const struct place *place, struct pointee *out)
{
	const struct code *addr = place->addr, *ip = place->ip;

	if (!addr || !addr->dso)
		return false;
	return data_types_variable(session_types(place->session), addr->dso, addr->vaddr,
				   ip->dso == addr->dso ? ip->vaddr : 0, out);
}

const struct code *session_beside(const struct session *s, u64 number)
{
	return beside_code(s->beside, number);
}

const struct activity *session_beside_activity(const struct session *s, u64 number)
{
	return beside_activity(s->beside, number);
}

/* Fills what other files of the resolver's room do. */
static void complete(struct session *s, u32 needs, struct place *place, struct activity *activity)
{
	if (needs & NEED_PARALLELISM)
		place->parallelism = parallelism_at(s, place->time);
	if (needs & (NEED_CONTEXT | NEED_ACTIVITY))
		place->context = context_of(s, place);
	if (needs & NEED_ACTIVITY) {
		find_activity(s, place, activity);
		place->activity = activity;
	}
}

const struct event *session_counted(const struct session *s, const struct event *event,
				    struct event *room)
{
	if (!event->evsel)
		return NULL;
	if (filter_drops_none(s->filter))
		return event;
	if (!wall_is_stretch(event->evsel->name))
		return filter_drops(s->filter, event->id.time, event->id.cpu) ? NULL : event;
	if (filter_drops_cpu(s->filter, event->id.cpu))
		return NULL;
	*room = *event;
	return filter_clip(s->filter, &room->id.time, &room->sample.period) ? room : NULL;
}

bool session_counts_head(const struct session *s, struct sample_head *head)
{
	if (!head->evsel)
		return false;
	if (!wall_is_stretch(head->evsel->name))
		return !filter_drops(s->filter, head->time, head->cpu);
	return !filter_drops_cpu(s->filter, head->cpu) &&
	       filter_clip(s->filter, &head->time, &head->period);
}

#define CHAIN_PARTS (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_STACK_USER)

/* With its complete chain, if chains are needed. */
static const struct event *with_chain(struct session *s, const struct event *event, u32 needs)
{
	if (!(needs & (NEED_CHAIN | NEED_PARENT)) ||
	    !(event->evsel->attr.sample_type & CHAIN_PARTS))
		return event;
	if (!s->chained)
		s->chained = chained_new(s, &s->ends);
	return chained_event(s->chained, event);
}

u32 session_place(struct session *s, const struct event *event, u32 needs, struct place *place,
		  struct activity *activity)
{
	event = with_chain(s, event, needs);
	if (needs & NEED_ADDR && charging_addresses(event->evsel))
		needs |= NEED_WAITED;
	if (needs & NEED_CHARGE && event->sample.nr_branches)
		needs |= NEED_BRANCH;
	resolver_place(s->resolver, event, needs, place);
	place->session = s;
	place->to_wall = s->file->to_wall;
	if (needs & NEED_CHARGE) {
		if (!s->charging)
			s->charging = charging_new(s, session_types(s));
		charging_take(s->charging, needs, place);
	}
	complete(s, needs, place, activity);
	if (filter_passes_all(s->filter))
		return 0;
	return filter_thread(s->filter, place) | filter_code(s->filter, place->ip) |
	       filter_activity(s->filter, s->set->spans, place->activity);
}
