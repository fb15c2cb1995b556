// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/notes/notes.h"

#include <string.h>

#include "base/percent.h"
#include "base/text.h"
#include "dso/dso.h"
#include "dso/dsos.h"
#include "perfdata/skid.h"
#include "resolve/data_address.h"

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

bool notes_is_large(u64 nr, u64 all)
{
	return nr && nr * NOTE_SHARE >= all;
}

static bool lacks_list(const struct dso *dso, const struct dso_absence *absence)
{
	return dso_kind(dso) == DSO_JIT && absence->why == DSO_NO_FILE;
}

#define NOTE_OBJECTS 3 /* at most so many are named */

/* Names of packages that one command installs, one beside the other: those of a distribution's archive of debug packages apart. */
struct missing_packages {
	const char *install;
	GString *names[2]; /* by in_archive */
};

/* The packages of objects without debug information. */
static void note_package(struct missing_packages *m, struct dso *dso)
{
	struct debug_package package = { 0 };

	if (!dso_debug_package(dso, &package))
		return;
	if (!m->install)
		m->install = package.install;
	if (m->install == package.install) {
		GString *names = m->names[package.in_archive] = m->names[package.in_archive]
									?: g_string_new(NULL);
		g_auto(GStrv) known = g_strsplit(names->str, " ", -1);

		if (!g_strv_contains((const char *const *)known, package.name))
			g_string_append_printf(names, "%s%s", names->len ? " " : "", package.name);
	}
	package_clear(&package);
}

static void add_packages(struct notes *notes, struct missing_packages *m)
{
	if (m->names[false])
		notes_add(notes, NOTE_REMARK, "packages have debug information of these: %s %s",
			  m->install, m->names[false]->str);
	if (m->names[true])
		notes_add(notes, NOTE_REMARK,
			  "packages of the distribution's debug archive have debug information of "
			  "these (perf-report(1) says how to add it): %s %s",
			  m->install, m->names[true]->str);
	for (u32 i = 0; i < ARRAY_SIZE(m->names); i++)
		if (m->names[i])
			g_string_free(m->names[i], TRUE);
}

static int largest_first(const void *a, const void *b, void *counts)
{
	u64 nr_a = g_array_index((GArray *)counts, u64, *(const u32 *)a);
	u64 nr_b = g_array_index((GArray *)counts, u64, *(const u32 *)b);

	return nr_a < nr_b ? 1 : nr_a > nr_b ? -1 : 0;
}

/* The ids of dsos of which @counts has a large share of @all, the largest first. Free with g_array_unref(). */
static GArray *large_ones(const GArray *counts, u64 all)
{
	GArray *ids = g_array_new(FALSE, FALSE, sizeof(u32));

	for (u32 id = 0; id < counts->len; id++)
		if (notes_is_large(g_array_index(counts, u64, id), all))
			g_array_append_val(ids, id);
	g_array_sort_with_data(ids, largest_first, (void *)counts);
	return ids;
}

void notes_add_absent(struct notes *notes, struct dsos *dsos, const GArray *counts, u64 all,
		      const char *what, struct dso_absence (*why)(struct dso *dso))
{
	g_autoptr(GArray) ids = large_ones(counts, all);
	struct missing_packages packages = { 0 };
	u32 left = NOTE_OBJECTS;

	for (u32 i = 0; left && i < ids->len; i++) {
		struct dso *dso = dsos_at(dsos, g_array_index(ids, u32, i));
		u64 nr = g_array_index(counts, u64, dso_id(dso));
		struct dso_absence absence = why(dso);

		if (absence.why == DSO_PRESENT || lacks_list(dso, &absence))
			continue;
		left--;
		notes_add(notes, NOTE_REMARK, "%" G_GUINT64_FORMAT " sample%s no %s: %s", nr,
			  nr == 1 ? " has" : "s have", what, absence.text);
		if (absence.why == DSO_NO_DEBUG_INFO)
			note_package(&packages, dso);
	}
	add_packages(notes, &packages);
}

void notes_add_by_btf(struct notes *notes, u64 nr, u64 all)
{
	if (notes_is_large(nr, all))
		notes_add(notes, NOTE_REMARK,
			  "%.1f %% of the samples have their data types by BTF: no locals, no "
			  "globals "
			  "(with the kernel's debug package, more of them have a type)",
			  percent_of(nr, all));
}

/* In percent: from this share of samples without a memory access on, a note says so. */
#define NOTE_NO_MEMORY 10

void notes_add_no_memory(struct notes *notes, u64 nr, u64 all)
{
	if (!nr || nr * 100 / all < NOTE_NO_MEMORY)
		return;
	notes_add(notes, NOTE_REMARK,
		  "%" G_GUINT64_FORMAT " %% of the samples are on instructions that access no "
		  "memory: a timer or counter interrupts after the instruction that waited; "
		  "without --skid=sampled, such a sample is charged to that instruction",
		  nr * 100 / all);
}

/* In percent, as above. */
#define NOTE_MOVED  1
#define NOTE_MASKED 5

void notes_add_charged(struct notes *notes, u64 moved, u64 masked, u64 all)
{
	if (moved && moved * 100 / all >= NOTE_MOVED)
		notes_add(notes, NOTE_REMARK,
			  "%" G_GUINT64_FORMAT
			  " %% of the samples are charged to a call in another "
			  "function than the one that they name: --skid=sampled shows that one",
			  moved * 100 / all);
	if (masked && masked * 100 / all >= NOTE_MASKED)
		notes_add(
			notes, NOTE_REMARK,
			"%" G_GUINT64_FORMAT " %% of the samples are of kernel code that ran with "
			"interrupts off: a timer can interrupt it only where they are switched on "
			"again, so its instructions are not known",
			masked * 100 / all);
}

void notes_add_addresses(struct notes *notes, const u64 *counts, u64 all)
{
	static const char *const texts[NR_ADDRESS_HOW] = {
		[ADDRESS_EVENT] = "stated by the event",
		[ADDRESS_COMPUTED] = "computed from registers",
		[ADDRESS_OVERWRITTEN] = "not known: the instruction overwrote its base or index",
		[ADDRESS_NO_ACCESS] = "without a memory access",
		[ADDRESS_THREAD] = "relative to a segment, whose base is not sampled",
		[ADDRESS_UNCLEAR] = "not known: it is unclear which instruction waited",
		[ADDRESS_NONE] = "without an address",
	};
	g_autoptr(GString) text = g_string_new(NULL);

	if (all && counts[ADDRESS_NONE] == all) {
		notes_add(notes, NOTE_REMARK,
			  "no sample has a data address or registers: perf record -d records them");
		return;
	}
	for (u32 how = 1; how <= NR_ADDRESS_HOW; how++) {
		u32 i = how % NR_ADDRESS_HOW; /* ADDRESS_NONE last */

		if (counts[i])
			g_string_append_printf(text, "%s%.1f %% %s", text->len ? ", " : "",
					       percent_of(counts[i], all), texts[i]);
	}
	if (text->len && counts[ADDRESS_EVENT] < all)
		notes_add(notes, NOTE_REMARK, "Data addresses: %s", text->str);
}

static bool has_text(const struct notes *notes, const char *text)
{
	for (u32 i = 0; i < notes->list->len; i++)
		if (!g_strcmp0(notes_at(notes, i)->text, text))
			return true;
	return false;
}

static char *skid_text(const char *event, const struct skid_measure *m)
{
	enum skid_place place = skid_measure_place(m);
	const char *words = skid_place_words(place);
	g_autofree char *counts = NULL;

	if (place == SKID_UNKNOWN)
		return g_strdup_printf("Samples of %s are taken to %s: it was not measured on that "
				       "machine",
				       event, skid_place_words(SKID_AFTER));
	if (place == SKID_MIXED)
		counts = skid_measure_text(m);
	else
		counts = g_strdup_printf("%u of %u", place == SKID_AT ? m->nr_at : m->nr_after,
					 m->nr);
	return g_strdup_printf("Samples of %s %s (%s, measured on that machine)", event, words,
			       counts);
}

/* NULL: it is there already. */
static struct note *add_skid(struct notes *notes, enum skid_kind kind, const struct skid_measure *m,
			     enum note_gap gap)
{
	g_autofree char *text = skid_text(skid_kind_name(kind), m), *value = NULL;
	struct note *note;

	if (has_text(notes, text))
		return NULL;
	value = m->nr ? skid_measure_text(m) : g_strdup("not measured");
	note = notes_add_words(notes, skid_kind_note(kind), value);
	note_set_text(note, gap, "%s", text);
	return note;
}

static bool has_kind(const struct perfdata *file, enum skid_kind kind)
{
	const GPtrArray *evsels = perfdata_evsels(file);

	for (u32 i = 0; i < evsels->len; i++)
		if (skid_kind_of(g_ptr_array_index(evsels, i)) == kind)
			return true;
	return false;
}

void notes_add_skid(struct notes *notes, const struct perfdata *file, const struct evsel *evsel)
{
	enum skid_kind kind = skid_kind_of(evsel);
	struct skid_measure m = { 0 };

	if (kind == SKID_NO_KIND || !has_kind(file, kind))
		return;
	perfdata_skid_find(perfdata_info(file), evsel, &m);
	add_skid(notes, kind, &m, GAP_BELOW);
}

void notes_add_measured_skid(struct notes *notes, const struct perfdata *file,
			     const struct evsel *evsel)
{
	enum skid_kind kind = skid_kind_of(evsel);
	struct skid_measure m;
	struct note *note;

	if (kind == SKID_NO_KIND || !perfdata_skid_find(perfdata_info(file), evsel, &m))
		return;
	note = add_skid(notes, kind, &m, GAP_NONE);
	if (note)
		note->kind = NOTE_REMARK;
}

const struct note *notes_find_skid(const struct notes *notes)
{
	const struct note *found = NULL;

	for (u32 kind = 0; kind < NR_SKID_KINDS && !found; kind++)
		found = notes_find(notes, skid_kind_note((enum skid_kind)kind));
	return found;
}

void notes_add_broken_chains(struct notes *notes, u64 nr, u64 all)
{
	if (!notes_is_large(nr, all))
		return;
	notes_add(notes, NOTE_REMARK,
		  "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
		  " call chains are cut where the frame pointer led to no caller: code without "
		  "frame pointers; record with --call-graph live",
		  nr, all);
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
	if (counts->lost_mixed)
		notes_add(notes, NOTE_REMARK,
			  "%" G_GUINT64_FORMAT " of the lost samples may be records of forks, "
			  "exits and mappings: the kernel counts them together",
			  counts->lost_mixed);
	if (perfdata_counts(session_perfdata(file))->no_build_ids)
		notes_add(notes, NOTE_REMARK,
			  "the file's table of build-ids is damaged: programs are used without a "
			  "check of their build-ids");
	notes_add_cut(notes, session_perfdata(file));
}
