// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/labels.h"

#include <string.h>

#include "activity/identity.h"
#include "activity/process.h"
#include "base/table.h"
#include "fields/containers.h"
#include "fields/fields.h"
#include "fields/waits.h"
#include "session/named.h"
#include "session/session.h"
#include "typeflow/typeflow.h"

#define NONE "-" /* what keys of waits print if there is no value */

const char *const exchange_label_names[NR_EXCHANGE_LABELS] = {
	[LABEL_SPAN_NAME] = "span_name", [LABEL_SERVICE] = "service",
	[LABEL_CONTAINER] = "container", [LABEL_POD] = "pod",
	[LABEL_ACTIVITY] = "activity",	 [LABEL_TYPE] = "type",
	[LABEL_FIELD] = "field",	 [LABEL_STATE] = "state",
	[LABEL_SYSCALL] = "syscall",	 [LABEL_WCHAN] = "wchan",
	[LABEL_LOCK] = "lock",
};

/* Labels that are the texts of sort keys. */
static const struct label_field {
	enum exchange_label label;
	const char *field;
	bool of_waits; /* only for samples of thread states; else only for those that access a known type */
} label_fields[] = {
	{ LABEL_TYPE, "type", false },	{ LABEL_FIELD, "typeoff", false },
	{ LABEL_STATE, "state", true }, { LABEL_SYSCALL, "syscall", true },
	{ LABEL_WCHAN, "wchan", true }, { LABEL_LOCK, "lock", true },
};

void exchange_labels_init(struct exchange_labels *l, struct session *session)
{
	*l = (struct exchange_labels){ .lexicon = lexicon_new(session),
				       .memos = g_new0(struct container_memo, CONTAINER_MEMOS) };
	for (u32 i = 0; i < ARRAY_SIZE(label_fields); i++) {
		enum exchange_label label = label_fields[i].label;

		l->fields[label] = fields_find(label_fields[i].field, FIELD_NORMAL, NULL);
		l->texts[label] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	}
}

void exchange_labels_release(struct exchange_labels *l)
{
	for (u32 i = 0; i < NR_EXCHANGE_LABELS; i++)
		g_clear_pointer(&l->texts[i], g_hash_table_unref);
	g_free(l->memos);
	lexicon_free(l->lexicon);
}

static u32 field_text(struct exchange_labels *l, struct exchange *x, enum exchange_label label,
		      const struct place *place)
{
	const struct field *field = l->fields[label];
	u64 key = field->key(field, l->lexicon, place);
	u32 text = GPOINTER_TO_UINT(g_hash_table_lookup(l->texts[label], &key));
	g_autoptr(GString) out = NULL;

	if (text)
		return text;
	out = g_string_new(NULL);
	field_print(field, l->lexicon, key, out);
	text = exchange_text(&x->tables, out->str);
	g_hash_table_insert(l->texts[label], g_memdup2(&key, sizeof(key)), GUINT_TO_POINTER(text));
	return text;
}

static void set_activity(struct exchange *x, const struct place *place, u32 *out)
{
	const struct activity *a = place->activity;
	const struct spans *spans = session_spans(x->session);
	const struct span *span = activity_has_ids(a) ? named_span(spans, a, a->span_id) : NULL;
	const char *service = a && a->process ? a->process->service : NULL;
	char text[ACTIVITY_TEXT_MAX];

	if (a && activity_has_value(a))
		out[LABEL_ACTIVITY] = exchange_text(&x->tables, activity_print(a, text));
	if (span)
		out[LABEL_SPAN_NAME] = exchange_text(&x->tables, spans_name(spans, span));
	if (!service && span)
		service = spans_service(spans, span);
	out[LABEL_SERVICE] = exchange_text(&x->tables, service);
}

static struct container_memo containers_of(struct exchange *x, const struct place *place,
					   u64 cgroup, const void *process)
{
	char name[CGROUP_NAME_SIZE];
	struct container_memo memo = { cgroup, process, session_index(place->session), 0, 0 };

	memo.container = 1 + exchange_text(&x->tables, container_of_place(place, name));
	memo.pod = 1 + exchange_text(&x->tables, pod_of_place(place, name));
	return memo;
}

static void set_container(struct exchange_labels *l, struct exchange *x, const struct place *place,
			  u32 *out)
{
	u64 cgroup = container_cgroup_id(place);
	const void *process = place->activity ? place->activity->process : NULL;
	struct container_memo *memo;

	if (!cgroup && !process)
		return;
	memo = &l->memos[table_mix(cgroup, (uintptr_t)process) % CONTAINER_MEMOS];
	if (!memo->container || memo->cgroup != cgroup || memo->process != process ||
	    memo->file != session_index(place->session))
		*memo = containers_of(x, place, cgroup, process);
	out[LABEL_CONTAINER] = memo->container - 1;
	out[LABEL_POD] = memo->pod - 1;
}

void exchange_labels_of(struct exchange_labels *l, struct exchange *x, const struct place *place,
			u32 out[NR_EXCHANGE_LABELS])
{
	bool waits = wait_is_event(place->evsel), typed = place->access && place->access->type;

	for (u32 i = 0; i < ARRAY_SIZE(label_fields); i++) {
		const struct label_field *f = &label_fields[i];
		u32 text = (f->of_waits ? waits : typed) ? field_text(l, x, f->label, place) : 0;

		if (text && strcmp(intern_text(x->tables.texts, text), NONE))
			out[f->label] = text;
	}
	set_activity(x, place, out);
	set_container(l, x, place, out);
}
