// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/mem/mem_dump.h"

#include <string.h>

#include "base/text.h"
#include "dso/dso.h"
#include "fields/fields.h"
#include "options/recording.h"
#include "perfdata/event.h"

struct mem_dump {
	const struct mem_dump_options *o;
	const struct field *page_size;
	GString *line;
	FILE *out;
};

#define HEX "%#" G_GINT64_MODIFIER "x"

static void append_values(const struct mem_dump *d, const struct place *place)
{
	const struct sample *sample = place->sample;
	const char *by = d->o->separator ?: " ";

	g_string_append_printf(d->line, "%d%s%d%s" HEX "%s" HEX "%s", (s32)place->event->id.pid, by,
			       (s32)place->event->id.tid, by, place->ip->va, by, place->addr->va,
			       by);
	if (d->o->phys_data)
		g_string_append_printf(d->line, HEX "%s", sample->phys_addr, by);
	if (d->o->data_page_size) {
		d->page_size->print(d->page_size, NULL, sample->data_page_size, d->line);
		g_string_append(d->line, by);
	}
	g_string_append_printf(d->line, "%" G_GUINT64_FORMAT "%s" HEX "%s", sample->weight, by,
			       sample->data_src, by);
}

static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	const struct mem_dump *d = arg;
	const char *object = place->ip->dso ? dso_long_name(place->ip->dso) : "???";
	const char *name = code_name(place->ip) ?: "???";

	if (filtered || !place->addr)
		return true;
	g_string_truncate(d->line, 0);
	append_values(d, place);
	text_append_shown(d->line, object, strlen(object), false);
	g_string_append_c(d->line, ':');
	text_append_shown(d->line, name, strlen(name), false);
	fprintf(d->out, "%s\n", d->line->str);
	return true;
}

bool mem_dump(const struct mem_dump_options *o, FILE *out, GError **error)
{
	struct session *session = session_open(&o->session, error);
	g_autoptr(GString) line = g_string_new(NULL);
	struct mem_dump dump = { o,
				 fields_find("data_page_size", FIELD_MEMORY | FIELD_NORMAL, NULL),
				 line, out };
	bool ok;

	if (!session)
		return false;
	fprintf(out, "# PID, TID, IP, ADDR%s%s, LOCAL WEIGHT, DSRC, SYMBOL\n",
		o->phys_data ? ", PHYS ADDR" : "", o->data_page_size ? ", DATA PAGE SIZE" : "");
	ok = session_each_sample(session, NEED_ADDR | NEED_SYMBOL | NEED_THREAD | NEED_SAMPLE, take,
				 &dump, error);
	if (ok)
		recording_tell_cut(session_perfdata(session));
	session_close(session);
	return ok;
}
