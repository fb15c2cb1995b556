// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/notes.h"

#include <string.h>

#include "base/text.h"
#include "dso/dso.h"
#include "dso/dsos.h"

#define TRACE_DIGITS 32
#define SPAN_DIGITS  16

/* Is @text the beginning of an id: hexadecimal digits, but too few? */
static bool is_cut_id(const char *text, size_t digits)
{
	size_t len = strspn(text, "0123456789abcdefABCDEF");

	return len && !text[len] && len < digits;
}

static bool asks_for_names(const struct session_filter *f)
{
	for (u32 i = 0; f->spans && i < f->spans->len; i++)
		if (!is_cut_id(f->spans->pdata[i], SPAN_DIGITS + 1))
			return true;
	return false;
}

/* A hint about the option to try next; NULL: no hint fits. */
static const char *hint_of(const struct session_options *o)
{
	const struct session_filter *f = &o->filter;

	if (f->symbol_part && g_file_test(f->symbol_part, G_FILE_TEST_EXISTS))
		return "a file to read is given with -i";
	if (f->traces && is_cut_id(f->traces, TRACE_DIGITS))
		return "a trace id has 32 digits; -s trace_id lists them";
	if (f->spans && f->spans->len && is_cut_id(f->spans->pdata[0], SPAN_DIGITS))
		return "a span id has 16 digits; -s span_id lists them";
	if (asks_for_names(f) && (!o->span_files || !o->span_files->len))
		return "names of spans come from the files of --spans";
	return NULL;
}

void notes_add_filter(struct notes *notes, const struct session_options *o)
{
	const struct session_filter *f = &o->filter;
	const struct {
		const void *given;
		const char *name;
	} filters[] = {
		{ f->comms, "--comms" },
		{ f->dsos, "--dsos" },
		{ f->symbols, "--symbols" },
		{ f->pids, "--pid" },
		{ f->tids, "--tid" },
		{ f->cpus, "--cpu" },
		{ f->time, "--time" },
		{ f->parallelism, "--parallelism" },
		{ f->traces, "--trace" },
		{ f->spans, "--span" },
		{ f->sockets, "--socket-filter" },
		{ f->labels, "--label" },
		{ f->switch_on, "--switch-on" },
		{ f->switch_off, "--switch-off" },
	};
	g_autoptr(GString) names = g_string_new(NULL);
	const char *hint = hint_of(o);

	for (u32 i = 0; i < ARRAY_SIZE(filters); i++)
		if (filters[i].given)
			g_string_append_printf(names, "%s%s", names->len ? ", " : "",
					       filters[i].name);
	if (f->symbol_part)
		g_string_append_printf(names, "%sthe symbol '%s'", names->len ? ", " : "",
				       f->symbol_part);
	if (!names->len)
		return;
	notes_add(notes, NOTE_WARNING, "no sample matches %s%s%s", names->str, hint ? ": " : "",
		  hint ?: "");
}

void notes_add_header_hint(struct notes *notes)
{
	notes_add(
		notes, NOTE_HINT,
		"To display the perf.data header info, please use --header/--header-only options.")
		->gap = GAP_BELOW;
}

/* A note names an object if this percentage of the samples lacked something in it. */
#define NOTE_SHARE 50

void notes_add_absent(struct notes *notes, struct dsos *dsos, const GArray *counts, u64 all,
		      const char *what, struct dso_absence (*why)(struct dso *dso))
{
	for (u32 id = 0; id < counts->len; id++) {
		u64 nr = g_array_index(counts, u64, id);
		struct dso_absence absence;

		if (!nr || nr * NOTE_SHARE < all)
			continue;
		absence = why(dsos_at(dsos, id));
		if (absence.why != DSO_PRESENT)
			notes_add(notes, NOTE_REMARK, "%" G_GUINT64_FORMAT " sample%s no %s: %s",
				  nr, nr == 1 ? " has" : "s have", what, absence.text);
	}
}

/* In percent: from this share of samples without a memory access on, a note says so. */
#define NOTE_NO_MEMORY 10

void notes_add_no_memory(struct notes *notes, u64 nr, u64 all, bool skid)
{
	if (!nr || nr * 100 / all < NOTE_NO_MEMORY)
		return;
	notes_add(notes, NOTE_REMARK,
		  "%" G_GUINT64_FORMAT " %% of the samples are on instructions that access no "
		  "memory: %s",
		  nr * 100 / all,
		  skid ? "--skid found no single access before them"
		       : "a timer or counter interrupts a little after the instruction that "
			 "waited; --skid charges such a sample to the memory access just before "
			 "it");
}

void notes_add_cut(struct notes *notes, const struct perfdata *file)
{
	const struct perfdata_counts *counts = perfdata_counts(file);

	if (counts->cut && perfdata_position(file) < perfdata_size(file))
		notes_add(notes, NOTE_REMARK,
			  "the recorder runs, was killed, or the disk was full: what it writes "
			  "last is missing");
	else if (counts->cut && counts->cut_bytes)
		notes_add(
			notes, NOTE_REMARK,
			"the recorder runs, was killed, or the disk was full: all it wrote is read "
			"except %" G_GUINT64_FORMAT " byte%s of an incomplete last record",
			counts->cut_bytes, text_plural(counts->cut_bytes));
	else if (counts->cut)
		notes_add(notes, NOTE_REMARK,
			  "the recorder runs, was killed, or the disk was full: all it wrote is "
			  "read");
}

void notes_add_losses(struct notes *notes, struct session *file)
{
	const struct session_counts *counts = session_counts(file);

	if (counts->lost_chunks)
		notes_add(notes, NOTE_REMARK,
			  "the recorder lost %" G_GUINT64_FORMAT " event%s in %" G_GUINT64_FORMAT
			  " place%s: record with a lower -F or a larger -m",
			  counts->lost_events, text_plural(counts->lost_events),
			  counts->lost_chunks, text_plural(counts->lost_chunks));
	if (perfdata_counts(session_perfdata(file))->no_build_ids)
		notes_add(notes, NOTE_REMARK,
			  "the file's table of build-ids is damaged: programs are used without a "
			  "check of their build-ids");
	notes_add_cut(notes, session_perfdata(file));
}
