// SPDX-License-Identifier: GPL-2.0-or-later
/* Accessors to the parts of a session. */
#include "session/private.h"

struct perfdata *session_perfdata(struct session *s)
{
	return s->pd;
}

struct machine *session_machine(struct session *s)
{
	return s->machine;
}

struct packed *session_packed(const struct session *s)
{
	return s->packed;
}

struct dsos *session_dsos(struct session *s)
{
	return s->dsos;
}

struct resolver *session_resolver(struct session *s)
{
	return s->resolver;
}

const struct spans *session_spans(const struct session *s)
{
	return s->first->spans;
}

u32 session_nr_files(const struct session *s)
{
	return 1 + (s->beside ? s->beside->len : 0);
}

struct session *session_file(struct session *s, u32 i)
{
	return i ? g_ptr_array_index(s->beside, i - 1) : s;
}

u32 session_index(const struct session *s)
{
	return s->index;
}

bool session_has_wall(const struct session *s)
{
	return s->has_wall;
}

const char *session_host(const struct session *s)
{
	return perfdata_info(s->pd)->hostname ?: perfdata_path(s->pd);
}

const struct session_counts *session_counts(const struct session *s)
{
	return &s->counts;
}

u64 session_kept_end(const struct session *s)
{
	return kept_end(s->kept);
}

void session_widen_symbols(struct session *s)
{
	for (u32 i = 0; i < session_nr_files(s); i++)
		filter_widen_symbols(session_file(s, i)->filter);
}

void session_take_outermost_parent(struct session *s)
{
	for (u32 i = 0; i < session_nr_files(s); i++)
		resolver_take_outermost_parent(session_file(s, i)->resolver);
}

bool session_found_by_part(struct session *s)
{
	for (u32 i = 0; i < session_nr_files(s); i++)
		if (filter_found_by_part(session_file(s, i)->filter))
			return true;
	return false;
}

u32 session_filter_code(struct session *s, const struct code *code)
{
	return filter_code(s->filter, code);
}
