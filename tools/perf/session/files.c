// SPDX-License-Identifier: GPL-2.0-or-later
/* Accessors to the parts of a session. */
#include "session/private.h"

struct perfdata *session_perfdata(struct session *s)
{
	return s->file->pd;
}

struct machine *session_machine(struct session *s)
{
	return s->file->machine;
}

struct packed *session_packed(const struct session *s)
{
	return s->file->packed;
}

struct dsos *session_dsos(struct session *s)
{
	return s->file->dsos;
}

struct resolver *session_resolver(struct session *s)
{
	return s->resolver;
}

const struct spans *session_spans(const struct session *s)
{
	return s->set->spans;
}

u32 session_nr_files(const struct session *s)
{
	return s->index ? 1 : s->set->files->len;
}

struct session *session_file(struct session *s, u32 i)
{
	return i ? g_ptr_array_index(s->set->files, i) : s;
}

u32 session_index(const struct session *s)
{
	return s->index;
}

bool session_has_wall(const struct session *s)
{
	return s->set->has_wall;
}

const char *session_host(const struct session *s)
{
	return perfdata_info(s->file->pd)->hostname ?: perfdata_path(s->file->pd);
}

const struct session_counts *session_counts(const struct session *s)
{
	return &s->file->counts;
}

u64 session_kept_end(const struct session *s)
{
	return kept_end(s->file->kept);
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
