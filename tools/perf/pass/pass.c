// SPDX-License-Identifier: GPL-2.0-or-later
#include "pass/pass.h"

#include "perfdata/write/encode.h"

bool pass_on(struct pass *p, const struct event *ev, GError **error)
{
	return p->next->ops->take(p->next, ev, error);
}

bool pass_on_made(struct pass *p, const struct event *ev, const struct evsel *evsel, GError **error)
{
	struct event made = *ev;

	if (!p->record)
		p->record = g_byte_array_new();
	g_byte_array_set_size(p->record, 0);
	if (!event_encode(ev, evsel, p->record, error))
		return false;
	made.raw = (const void *)p->record->data;
	made.size = (u16)p->record->len;
	return pass_on(p, &made, error);
}

const struct evsel *pass_evsel(const struct pass *p, const struct event *ev)
{
	return g_ptr_array_index(p->evsels, ev->evsel ? ev->evsel->idx : 0);
}

void pass_free(struct pass *p)
{
	if (!p)
		return;
	g_clear_pointer(&p->record, g_byte_array_unref);
	g_clear_pointer(&p->evsels, g_ptr_array_unref);
	p->ops->free(p);
}
