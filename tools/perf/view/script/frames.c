// SPDX-License-Identifier: GPL-2.0-or-later
/* What lines and cells show of a call chain's frames, and the formats of tracepoints. */
#include <string.h>

#include "base/intern.h"
#include "dso/dso.h"
#include "dso/lines.h"
#include "perfdata/read/reader.h"
#include "resolve/trace.h"
#include "session/session.h"
#include "view/script/private.h"

bool script_prepare_formats(struct script_printer *p, GError **error)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(p->session));

	if (p->formats || !info->tracing_data)
		return true;
	p->formats = trace_formats_new(info->tracing_data, error);
	if (p->formats)
		trace_formats_resolve(p->formats, session_resolver(p->session));
	return p->formats != NULL;
}

struct trace_formats *script_formats(struct script_printer *p)
{
	if (!p->formats)
		script_prepare_formats(p, NULL);
	return p->formats;
}

bool script_is_stop(const struct script_printer *p, const struct code *code)
{
	g_autofree char *bare = NULL;

	if (!p->stop_bt || !code->symbol || !code->dso)
		return false;
	bare = dso_symbol_bare_name(code->symbol);
	return g_strv_contains((const char *const *)p->stop_bt,
			       dso_symbol_name(code->dso, code->symbol)) ||
	       (bare && g_strv_contains((const char *const *)p->stop_bt, bare));
}

/*
 * Inlined calls and the function around them are frames with the same address. The innermost frame has the line of the
 * address. Each further frame has the line of its call.
 */
static bool print_call_line(const struct script_printer *p, const struct place *place, u32 i,
			    GString *out)
{
	const struct code *code = place->chain[i];
	const struct source_frame *frames;
	u32 inner = 0, nr;
	const char *name;

	while (inner < i && place->chain[i - inner - 1]->inlined &&
	       place->chain[i - inner - 1]->va == code->va)
		inner++;
	if (!inner && !code->inlined)
		return false;
	nr = dso_frames(code->dso, code_insn_vaddr(code), &frames);
	if (inner >= nr || !frames[inner].file || !frames[inner].line)
		return false;
	name = p->lexicon->full_source_path ? NULL : strrchr(frames[inner].file, '/');
	g_string_append_printf(out, "\n  %s:%u", name ? name + 1 : frames[inner].file,
			       frames[inner].line);
	return true;
}

void script_print_source_line(struct script_printer *p, const struct code *code, GString *out)
{
	u32 line = lexicon_line_or_address(p->lexicon, code);

	if (line)
		g_string_append_printf(out, "\n  %s", intern_text(p->lexicon->texts, line));
}

u32 script_chain_length(const struct script_printer *p, const struct place *place)
{
	u32 nr = 0;

	while (nr < place->nr_chain && !script_is_stop(p, place->chain[nr]))
		nr++;
	return MIN(nr + 1, place->nr_chain);
}

void script_print_frame_line(struct script_printer *p, const struct place *place, u32 i,
			     GString *out)
{
	if (!print_call_line(p, place, i, out))
		script_print_source_line(p, place->chain[i], out);
}
