// SPDX-License-Identifier: GPL-2.0-or-later
/* perf annotate: which instructions, and which members of which types, samples fell on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/colour.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cmd/annotate_why.h"
#include "cmd/cmd.h"
#include "cmd/config_keys.h"
#include "cmd/format_option.h"
#include "cmd/type_options.h"
#include "insn/insn.h"
#include "pages/annotate_pages.h"
#include "pages/notes.h"
#include "pages/type_stats.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "resolve/data.h"
#include "session/session.h"
#include "typeflow/typeflow.h"
#include "view/view.h"

struct annotate_options {
	struct session_options session;
	const char *input, *data_type, *colour, *why, *objdump;
	const char *format;
	const struct view *view;
	struct type_options types;
	bool by_type, type_stat, insn_stat, group, skip_empty, quiet;
	bool show_samples, show_period, stdio_given, code_with_type, raw_bytes, no_source,
		full_paths, print_lines;
	int verbose;
	double percent_limit;
};

#define AT(member) offsetof(struct annotate_options, member)

static const struct option_row rows[] = {
	{ 'C', "cpu", OPT_STRING, "cpu", "list of cpus to profile", AT(session.filter.cpus) },
	{ 'd', "dsos", OPT_STRING, "dso[,dso...]", "only consider symbols in these dsos",
	  AT(session.filter.dsos) },
	{ 'f', "force", OPT_FLAG, NULL, "read files of other owners, too", AT(session.force) },
	{ 'i', "input", OPT_STRING, "file", "input file name", AT(input) },
	{ 'k', "vmlinux", OPT_STRING, "file", "vmlinux pathname", AT(session.dso.vmlinux) },
	{ 'l', "print-line", OPT_FLAG, NULL, "print matching source lines", AT(print_lines) },
	{ 'n', "show-nr-samples", OPT_FLAG, NULL, "Show a column with the number of samples",
	  AT(show_samples) },
	{ 'P', "full-paths", OPT_FLAG, NULL, "Don't shorten the displayed pathnames",
	  AT(full_paths) },
	{ 'q', "quiet", OPT_FLAG, NULL, "do not show any warnings or messages", AT(quiet) },
	{ 's', "symbol", OPT_STRING, "symbol", "symbol to annotate", AT(session.filter.symbols) },
	{ 'v', "verbose", OPT_COUNT, NULL, "be more verbose", AT(verbose) },
	{ 0, "asm-raw", OPT_FLAG, NULL, "Display raw encoding of assembly instructions",
	  AT(raw_bytes) },
	{ 0, "code-with-type", OPT_FLAG, NULL,
	  "Show data type info in code annotation (memory instructions only)", AT(code_with_type) },
	{ 0, "data-type", OPT_STRING, "name", "Show data type annotate for the memory accesses",
	  AT(data_type), .fallback = "", .set_offset = AT(by_type) },
	{ 0, "demangle-kernel", OPT_FLAG, NULL, "Enable kernel symbol demangling",
	  AT(session.dso.demangle_kernel) },
	FORMAT_OPTION_ROW(AT(format)),
	{ 0, "group", OPT_FLAG, NULL, "Show all events together as one group", AT(group) },
	{ 0, "insn-stat", OPT_FLAG, NULL,
	  "Show how many samples of each instruction have a data type", AT(insn_stat) },
	{ 0, "no-demangle", OPT_FLAG, NULL, "Disable symbol demangling",
	  AT(session.dso.no_demangle) },
	{ 0, "no-source", OPT_FLAG, NULL, "Show instructions only", AT(no_source) },
	{ 0, "objdump", OPT_STRING, "path",
	  "accepted: instructions are decoded without another program", AT(objdump) },
	{ 0, "percent-limit", OPT_DOUBLE, "percent", "Don't show entries under that percent",
	  AT(percent_limit) },
	{ 0, "show-total-period", OPT_FLAG, NULL, "Show a column with the sum of periods",
	  AT(show_period) },
	{ 0, "skip-empty", OPT_FLAG, NULL, "Do not display events without samples",
	  AT(skip_empty) },
	{ 0, "stdio", OPT_FLAG, NULL, "Use the stdio interface", AT(stdio_given) },
	{ 0, "stdio-color", OPT_STRING, "mode", "'always', 'never' or 'auto' (default)",
	  AT(colour) },
	{ 0, "symfs", OPT_STRING, "directory", "Look for files relative to this directory",
	  AT(session.dso.symfs) },
	{ 0, "threads", OPT_INT, "n", "Read with so many threads (default: one for each CPU)",
	  AT(session.threads) },
	TYPE_OPTION_ROWS(AT(types)),
	{ 0, "type-stat", OPT_FLAG, NULL, "Show how many samples have a data type, and why not",
	  AT(type_stat) },
	{ 0, "why", OPT_STRING, "place",
	  "Show how the data type of the instruction at FUNCTION+OFFSET or at an address is "
	  "known",
	  AT(why) },
};

static const struct config_row config_rows[] = {
	{ "annotate.demangle", CONFIG_NOT, AT(session.dso.no_demangle) },
	{ "annotate.demangle_kernel", CONFIG_BOOL, AT(session.dso.demangle_kernel) },
	{ "annotate.hide_src_code", CONFIG_BOOL, AT(no_source) },
	{ "annotate.show_nr_samples", CONFIG_BOOL, AT(show_samples) },
	{ "annotate.show_total_period", CONFIG_BOOL, AT(show_period) },
	READER_CONFIG_ROWS,
};

static const char *const usage[] = { "perf annotate [<options>] [symbol_name]", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

struct annotation {
	struct session *session;
	const struct annotate_options *options;
	/* Made at the first sample, when all events are known. */
	struct type_profiles *types;
	struct code_profiles *code;
	struct insn_decoder *decoder;
	GArray *without_debug; /* samples by dso_id(), for notes_add_absent() */
	GHashTable *insns;     /* name -> struct insn_count * */
	u64 without_memory;    /* late samples of instructions that access nothing */
	u32 nr_events;
};

/* A place, for those of its samples that no filter keeps out. */
struct share {
	const struct code *ip;
	struct access access;
	u32 event;
	bool late; /* its event names instructions behind the one that took the time */
	bool left_out;
	struct type_count count;
};

static void count_insn(struct annotation *a, const struct share *share)
{
	const struct code *ip = share->ip;
	char name[32], operands[192];
	struct insn_count *count;
	const u8 *code;
	size_t left;

	code = ip->dso ? dso_code(ip->dso, ip->vaddr, &left) : NULL;
	if (!code || !left || !ip->symbol || !a->decoder)
		return;
	insn_text(a->decoder, code, left, ip->vaddr, name, operands);
	count = g_hash_table_lookup(a->insns, name);
	if (!count) {
		count = g_new0(struct insn_count, 1);
		g_strlcpy(count->name, name, sizeof(count->name));
		g_hash_table_insert(a->insns, count->name, count);
	}
	if (share->access.how != ACCESS_UNKNOWN)
		count->good += share->count.samples;
	else
		count->bad += share->count.samples;
}

/* When all events are known. */
static void begin_profiles(struct annotation *a)
{
	a->nr_events = perfdata_evsels(session_perfdata(a->session))->len;
	a->types = type_profiles_new(a->nr_events);
	a->code = code_profiles_new(a->nr_events);
}

static void take_share(struct annotation *a, const struct share *share)
{
	struct dso *dso = share->ip->dso;

	if (share->left_out || !share->count.samples)
		return;
	if (!a->options->by_type) {
		code_profiles_add(a->code, share->ip, share->event, &share->count);
		return;
	}
	type_profiles_add(a->types, &share->access, dso, share->event, &share->count);
	if (share->access.why == ACCESS_NO_DEBUGINFO && dso)
		absence_count(a->without_debug, dso, share->count.samples);
	if (share->access.why == ACCESS_NO_MEMORY && share->late)
		a->without_memory += share->count.samples;
	if (a->options->insn_stat)
		count_insn(a, share);
}

static struct share share_of(const struct annotation *a, const struct place *place, u32 filtered)
{
	struct share share = { .ip = place->ip, .event = place->evsel->idx };

	share.left_out = filtered || share.event >= a->nr_events;
	share.late = data_types_late(place->evsel);
	if (place->access)
		share.access = *place->access;
	return share;
}

static bool take_sample(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct annotation *a = arg;
	struct share share;

	if (!a->nr_events)
		begin_profiles(a);
	share = share_of(a, place, filtered);
	share.count = (struct type_count){ 1, evsel_period(place->evsel, place->sample) };
	take_share(a, &share);
	return true;
}

/* By numbers: each place once. */
struct annotation_feed {
	struct session_feed base;
	struct annotation *annotation;
	GArray *shares; /* struct share, by the number of where */
};

static struct annotation_feed *feed_of(struct session_feed *base)
{
	return container_of(base, struct annotation_feed, base);
}

static void take_where(struct session_feed *base, const struct place *place, u32 filtered)
{
	struct annotation_feed *f = feed_of(base);
	struct share share = share_of(f->annotation, place, filtered);

	g_array_append_val(f->shares, share);
}

static void take_who(struct session_feed *base, const struct place *place)
{
}

static void add_samples(struct session_feed *base, const struct session_share *shares, u32 nr)
{
	struct annotation_feed *f = feed_of(base);

	for (u32 i = 0; i < nr; i++) {
		struct share *share = &g_array_index(f->shares, struct share, shares[i].where);

		share->count.samples++;
		share->count.period += shares[i].period;
	}
}

static void take_all(struct session_feed *base)
{
	struct annotation_feed *f = feed_of(base);

	for (u32 i = 0; i < f->shares->len; i++)
		take_share(f->annotation, &g_array_index(f->shares, struct share, i));
	g_array_set_size(f->shares, 0);
}

static bool read_samples(struct annotation *a, u32 needs, GError **error)
{
	struct annotation_feed f = { .base = { .needs = needs,
					       .where = take_where,
					       .who = take_who,
					       .add = add_samples,
					       .forget = take_all },
				     .annotation = a };
	bool ok;

	if (!session_can_feed(a->session, needs))
		return session_each_sample(a->session, needs, take_sample, a, error);
	if (!a->nr_events)
		begin_profiles(a);
	f.shares = g_array_new(FALSE, FALSE, sizeof(struct share));
	ok = session_feed(a->session, &f.base, error);
	take_all(&f.base);
	g_array_unref(f.shares);
	return ok;
}

static enum view_values values_of(const struct annotate_options *o)
{
	return o->show_period ? VIEW_PERIOD : o->show_samples ? VIEW_SAMPLES : VIEW_PERCENT;
}

/* What to say where all functions with samples were left out. */
static bool without_code(u32 nr, GError **error)
{
	if (!nr)
		return error_set(error, PERF_ERROR_ABSENT,
				 "no sample is in a known function: perf report -s dso,sym "
				 "says where they are");
	return error_set(error, PERF_ERROR_ABSENT,
			 "%u function%s samples, but %s code is not here: it is "
			 "looked for where it was recorded, and below --symfs",
			 nr, nr == 1 ? " has" : "s have", nr == 1 ? "its" : "their");
}

static bool without_type(const struct annotate_options *o, GError **error)
{
	if (*o->data_type)
		return error_set(error, PERF_ERROR_ABSENT,
				 "no sample touches a data type called '%s'", o->data_type);
	return error_set(error, PERF_ERROR_ABSENT, "no sample has a data type%s",
			 o->type_stat ? "" : " (--type-stat says why)");
}

static bool print_code(struct annotation *a, struct annotate_pages_options *po,
		       const struct view_options *look, GError **error)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(a->session));
	struct pages *pages;
	bool ok;

	if (a->options->code_with_type)
		po->types = typeflow_new(insn_fusion_of(info->cpuid), NULL);
	pages = code_pages_new(a->code, po);
	ok = a->options->view->print(pages, look, stdout, error);
	if (ok && pages->nr <= code_pages_without(pages))
		ok = without_code(code_pages_without(pages), error);
	pages_free(pages);
	typeflow_free(po->types);
	return ok;
}

static bool print_types(struct annotation *a, const struct annotate_pages_options *po,
			const struct view_options *look, GError **error)
{
	const struct annotate_options *o = a->options;
	struct pages *pages = type_pages_new(a->types, po);
	bool ok;

	ok = o->view->print(pages, look, stdout, error);
	if (ok && !type_pages_nr(pages))
		ok = without_type(o, error);
	pages_free(pages);
	return ok;
}

static bool print_all(struct annotation *a, bool colour, u64 samples, GError **error)
{
	const struct annotate_options *o = a->options;
	g_autofree bool *empty = g_new0(bool, a->nr_events);
	struct annotate_pages_options po = {
		.evsels = perfdata_evsels(session_perfdata(a->session)),
		.empty = o->skip_empty ? empty : NULL,
		.group = o->group,
		.session = a->session,
		.without_debug = a->without_debug,
		.without_memory = a->without_memory,
		.samples = samples,
		.skid = o->types.skid,
		.percent_limit = o->percent_limit,
		.pattern = *o->data_type ? o->data_type : NULL,
		.type_stat = o->type_stat,
		.insns = o->insn_stat ? a->insns : NULL,
		.short_names = o->types.short_names || (o->types.for_terminal && !o->verbose),
		.decoder = a->decoder,
		.pseudo_types = o->verbose > 0,
		.full_paths = o->full_paths,
	};
	struct view_options look = {
		.values = values_of(o),
		.colour = colour,
		.quiet = o->quiet,
		.no_source = o->no_source,
		.full_paths = o->full_paths,
		.print_lines = o->print_lines,
		.raw_bytes = o->raw_bytes,
		.beside = stderr,
	};

	for (u32 i = 0; i < a->nr_events; i++)
		empty[i] = !a->types->total[i].samples && !a->code->total[i].samples;
	return o->by_type ? print_types(a, &po, &look, error) : print_code(a, &po, &look, error);
}

/* Upstream's words, where nothing was asked for in particular. */
static bool nothing(const struct annotate_options *o, GError **error)
{
	const char *path = o->input ?: perfdata_default_path();
	const char *symbols = o->session.filter.symbols;

	const char *hint = "perf report -s sym lists those that have some";

	if (o->by_type && !*o->data_type)
		hint = "a type's name is given as in --data-type=NAME";
	if (symbols)
		return error_set(error, PERF_ERROR_ABSENT, "%s: no samples in a function '%s' (%s)",
				 path, symbols, hint);
	return error_set(error, PERF_ERROR_ABSENT, "Error:\nThe %s data has no samples!", path);
}

static u64 nr_samples(const struct annotation *a)
{
	u64 samples = 0;

	for (u32 i = 0; i < a->nr_events; i++)
		samples += a->types->total[i].samples + a->code->total[i].samples;
	return samples;
}

/* A symbol that nothing is called may be the end of a name; what is read once asks at once. */
static bool collect(struct annotation *a, GError **error)
{
	u32 needs = NEED_SYMBOL | (a->options->by_type ? NEED_DATA_TYPE : 0);
	bool once = perfdata_is_pipe(session_perfdata(a->session));

	if (once)
		session_widen_symbols(a->session);
	if (!read_samples(a, needs, error))
		return false;
	if (once || !a->options->session.filter.symbols || nr_samples(a))
		return true;
	session_widen_symbols(a->session);
	return read_samples(a, needs, error);
}

static bool run(struct annotation *a, bool colour, GError **error)
{
	const struct annotate_options *o = a->options;
	u64 samples;

	if (o->why)
		return annotate_why(a->session, o->why, o->types.skid, o->view, error);
	if (!collect(a, error))
		return false;
	samples = nr_samples(a);
	if (!samples)
		return nothing(o, error);
	return print_all(a, colour, samples, error);
}

static int annotate_run(const struct config *config, int argc, char **argv)
{
	struct annotate_options opts = { .data_type = "" };
	enum colour_when when = COLOUR_AUTO;
	struct annotation annotation = { .options = &opts };
	g_autoptr(GError) error = NULL;
	struct pager pager = { 0 };
	int status;
	bool ok;

	if (!config_apply(config, config_rows, ARRAY_SIZE(config_rows), &opts))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (opts.verbose)
		config_note_unused(config, config_rows, ARRAY_SIZE(config_rows));
	if (argc > 1 || (argc && opts.session.filter.symbols))
		return options_wrong(&spec, "one symbol at a time");
	if (argc)
		opts.session.filter.symbols = argv[0];
	if (opts.colour && !colour_when_parse(opts.colour, &when))
		return options_wrong(&spec, "--stdio-color: not 'always', 'never' or 'auto'");
	opts.view = opts.format && !opts.stdio_given ? view_find(opts.format, &error) : &view_stdio;
	if (!opts.view)
		return options_wrong(&spec, "%s", error->message);
	if (!type_options_parse(&opts.types, &error))
		return options_wrong(&spec, "%s", error->message);
	opts.by_type |= opts.type_stat || opts.insn_stat;
	opts.session.type_min = opts.types.min;
	opts.session.skid = opts.types.skid;
	opts.session.input = opts.input;
	opts.session.dso.buildid_dir = getenv("PERF_BUILDID_DIR");
	opts.session.show_progress = !opts.quiet;
	pager_start(&pager);
	annotation.without_debug = g_array_new(FALSE, TRUE, sizeof(u64));
	annotation.insns = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	annotation.decoder = insn_decoder_new(INSN_X86_64, NULL);
	annotation.session = session_open(&opts.session, &error);
	ok = annotation.session &&
	     run(&annotation, colour_wanted(when, pager_in_use(&pager)), &error);
	type_profiles_free(annotation.types);
	code_profiles_free(annotation.code);
	insn_decoder_free(annotation.decoder);
	g_hash_table_unref(annotation.insns);
	g_array_unref(annotation.without_debug);
	session_close(annotation.session);
	fflush(stdout);
	if (!ok)
		fprintf(stderr, "%s\n", error->message);
	pager_finish(&pager);
	return ok ? 0 : 255;
}

const struct command cmd_annotate = {
	"annotate",
	"Read perf.data (created by perf record) and display annotated code or data types",
	annotate_run
};
