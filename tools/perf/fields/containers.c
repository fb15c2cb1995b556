// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys of the container and the pod. */
#include "fields/containers.h"

#include <linux/perf_event.h>
#include <string.h>

#include "activity/process.h"
#include "fields/private.h"
#include "fields/waits.h"
#include "machine/machine.h"
#include "perfdata/event.h"
#include "resolve/activity.h"
#include "session/session.h"

#define SHORT_ID 12 /* digits that tools of containers show */

/* Samples of thread states have the cgroup's id in their raw data. */
u64 container_cgroup_id(const struct place *p)
{
	struct wait w;

	if (p->sample->type & PERF_SAMPLE_CGROUP && p->sample->cgroup)
		return p->sample->cgroup;
	return wait_of(p->evsel, p->sample, &w) ? w.raw.cgroup : 0;
}

static const char *path_of(const struct place *p)
{
	u64 id = container_cgroup_id(p);

	return id ? machine_cgroup(session_machine(p->session), id) : NULL;
}

/* NULL: the process does not publish it. */
static const char *published(const struct place *p, const char *key)
{
	const struct activity_process *process = p->activity ? p->activity->process : NULL;

	for (u32 i = 0; process && i < process->nr_attributes; i++)
		if (!strcmp(process->attributes[i].key, key))
			return *process->attributes[i].value ? process->attributes[i].value : NULL;
	return NULL;
}

const char *container_of_place(const struct place *p, char name[static CGROUP_NAME_SIZE])
{
	const char *id = published(p, "container.id"), *path = id ? NULL : path_of(p);

	name[0] = 0;
	if (path)
		cgroup_container(path, name);
	return id ?: name;
}

const char *pod_of_place(const struct place *p, char name[static CGROUP_NAME_SIZE])
{
	const char *pod = published(p, "k8s.pod.name") ?: published(p, "k8s.pod.uid");
	const char *path = pod ? NULL : path_of(p);

	name[0] = 0;
	if (path)
		cgroup_pod(path, name);
	return pod ?: name;
}

static u64 key_container(const struct field *field, struct lexicon *lex, const struct place *p)
{
	char name[CGROUP_NAME_SIZE];

	return intern_id(lex->texts, container_of_place(p, name));
}

static u64 key_pod(const struct field *field, struct lexicon *lex, const struct place *p)
{
	char name[CGROUP_NAME_SIZE];

	return intern_id(lex->texts, pod_of_place(p, name));
}

static bool is_long_id(const char *text)
{
	return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static void print_name(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	const char *text = intern_text(lex->texts, (u32)key);

	if (!*text)
		g_string_append(out, "N/A");
	else
		g_string_append_len(out, text, is_long_id(text) ? SHORT_ID : -1);
}

const struct field field_container = {
	.name = "container",
	.header = "Container",
	.family = FIELD_NORMAL,
	.needs = NEED_SAMPLE | NEED_ACTIVITY,
	.key = key_container,
	.order = order_texts,
	.print = print_name,
};

const struct field field_pod = {
	.name = "pod",
	.header = "Pod",
	.family = FIELD_NORMAL,
	.needs = NEED_SAMPLE | NEED_ACTIVITY,
	.key = key_pod,
	.order = order_texts,
	.print = print_name,
};
