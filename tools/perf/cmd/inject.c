// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf inject: changes the records of a recording. Each option that changes something is a pass; the passes are in
 * the order in which they depend on each other (pass/pipeline.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/config.h"
#include "cli/options.h"
#include "cmd/cmd.h"
#include "cmd/inject_addresses.h"
#include "machine/machine.h"
#include "options/recording.h"
#include "options/upstream_options.h"
#include "pass/addresses.h"
#include "pass/build_ids.h"
#include "pass/callchains.h"
#include "pass/jit.h"
#include "pass/pipeline.h"
#include "pass/sched_stat.h"
#include "perfdata/read/reader.h"

struct inject_options {
	const char *input, *output, *vmlinux, *kallsyms, *known_build_ids, *unwind_style;
	const char *stats_format; /* NULL: no statistics */
	bool build_ids, buildid_all, mmap2, mmap2_all, sched_stat, force, ignore_vmlinux;
	bool convert_callchain, stats, jit, addresses;
	int verbose, max_stack, threads;
	struct upstream_options upstream;
};

#define AT(member) offsetof(struct inject_options, member)

static const struct option_row rows[] = {
	{ 0, "addresses", OPT_FLAG, NULL,
	  "give samples the data addresses that are computed from their registers", AT(addresses) },
	{ 'b', "build-ids", OPT_FLAG, NULL, "add the build-ids of files that samples hit",
	  AT(build_ids) },
	{ 0, "buildid-all", OPT_FLAG, NULL, "add the build-ids of all files", AT(buildid_all) },
	{ 'B', "mmap2-buildids", OPT_FLAG, NULL,
	  "drop mappings that no sample hits, give the others (MMAP2) their build-ids", AT(mmap2) },
	{ 0, "convert-callchain", OPT_FLAG, NULL,
	  "replace registers and copied stacks by call chains", AT(convert_callchain) },
	{ 'f', "force", OPT_FLAG, NULL, "read files of other owners, too", AT(force) },
	{ 0, "ignore-vmlinux", OPT_FLAG, NULL, "do not look for a vmlinux", AT(ignore_vmlinux) },
	{ 'i', "input", OPT_STRING, "file", "input file name; - is standard input", AT(input) },
	{ 'j', "jit", OPT_FLAG, NULL,
	  "write the code of jitdump files to ELF files, and add their mappings", AT(jit) },
	{ 0, "kallsyms", OPT_STRING, "file", "symbols of the recorded kernel", AT(kallsyms) },
	{ 0, "known-build-ids", OPT_STRING, "list",
	  "build-ids for given paths, 'HEX PATH,...', or '@file' with one a line",
	  AT(known_build_ids) },
	{ 0, "max-stack", OPT_INT, "n", "maximum number of frames of a call chain (127)",
	  AT(max_stack) },
	{ 0, "mmap2-buildid-all", OPT_FLAG, NULL, "give all mappings (MMAP2) their build-ids",
	  AT(mmap2_all) },
	{ 'o', "output", OPT_STRING, "file", "output file name; - is standard output", AT(output) },
	{ 's', "sched-stat", OPT_FLAG, NULL,
	  "merge sched_switch and sched_stat samples: where and how long threads slept",
	  AT(sched_stat) },
	{ 0, "stats", OPT_FLAG, NULL, "print on stderr how the stacks ended", AT(stats) },
	{ 0, "stats-format", OPT_STRING, "format",
	  "format of --stats: perf, or elfutils for eu-stacktrace's lines", AT(stats_format) },
	{ 0, "threads", OPT_INT, "n", "use n threads (default: one per CPU)", AT(threads) },
	{ 0, "unwind-style", OPT_STRING, "style",
	  "libdw or libunwind: accepted and ignored, perf has its own unwinder", AT(unwind_style) },
	{ 'v', "verbose", OPT_COUNT, NULL, "list the files that have no build-id", AT(verbose) },
	{ 'k', "vmlinux", OPT_STRING, "file", "the recorded kernel's ELF file", AT(vmlinux) },
	NEXT_PERF_FLAG(AT(upstream), 0, "aslr", "give addresses other values, by the next perf"),
	NEXT_PERF_OPTIONAL(AT(upstream), 0, "guest-data", "opts",
			   "add a guest's recording, by the next perf"),
	GUESTMOUNT_OPTION_ROW(AT(upstream)),
	ITRACE_OPTION_ROW(AT(upstream)),
	NEXT_PERF_FLAG(AT(upstream), 0, "strip", "with --itrace: leave out the trace itself"),
	NEXT_PERF_OPTIONAL(AT(upstream), 0, "vm-time-correlation", "opts",
			   "make the times of guests and host comparable, by the next perf"),
};

static const char *const usage[] = { "perf inject [<options>]", NULL };
static const struct options_spec spec = {
	.usage = usage, .rows = rows, .nr_rows = ARRAY_SIZE(rows), .no_arguments = true
};

/* State of one run. */
struct injection {
	const struct inject_options *opts;
	struct perfdata *pd;
	struct dsos *dsos;
	struct machine *machine; /* NULL: no pass asks */
	GPtrArray *passes;
	struct stack_tally *tally;
	struct inject_addresses *addresses;
	char *output_folder;
	struct pipeline_options pipeline;
};

static struct machine *machine_of(struct injection *in)
{
	const struct dso_options options = { .vmlinux = in->opts->vmlinux,
					     .kallsyms = in->opts->kallsyms,
					     .no_vmlinux = in->opts->ignore_vmlinux,
					     .force = in->opts->force };

	if (!in->machine) {
		in->dsos = dsos_new(&options);
		in->machine = machine_new(in->dsos);
		machine_know_contents(in->machine, perfdata_info(in->pd));
	}
	return in->machine;
}

static bool add_build_ids(struct injection *in, GError **error)
{
	const struct inject_options *o = in->opts;
	enum build_ids_mode mode = o->mmap2_all	    ? BUILD_IDS_MMAP2_ALL
				   : o->mmap2	    ? BUILD_IDS_MMAP2
				   : o->buildid_all ? BUILD_IDS_OF_ALL
						    : BUILD_IDS_OF_HITS;
	GHashTable *known = NULL;

	if (!o->mmap2_all && !o->mmap2 && !o->buildid_all && !o->build_ids)
		return true;
	if (o->known_build_ids) {
		known = build_ids_parse_known(o->known_build_ids, error);
		if (!known)
			return false;
	}
	/* Mappings precede the samples that hit them only if both are in order of time. */
	in->pipeline.by_time |= mode == BUILD_IDS_MMAP2;
	g_ptr_array_add(in->passes,
			build_ids_pass_new(machine_of(in), mode, known, o->verbose > 0));
	if (known)
		g_hash_table_unref(known);
	return true;
}

/* Records of a mapped file stay in memory; others are overwritten by the next one. */
static bool bytes_stay(const struct perfdata *pd)
{
	return !perfdata_is_pipe(pd) && !perfdata_info_has(perfdata_info(pd), FEAT_COMPRESSED);
}

static void add_callchains(struct injection *in)
{
	const struct callchains_options options = {
		.max_stack = (u32)in->opts->max_stack,
		.threads = (u32)in->opts->threads,
		.stays = bytes_stay(in->pd) && !in->opts->jit, /* a pass's own records do not */
	};

	if (!in->opts->convert_callchain)
		return;
	in->tally = stack_tally_new();
	g_ptr_array_add(in->passes, callchains_pass_new(machine_of(in), &options, in->tally));
}

/*
 * The machine gets the new mappings, so that stacks are unwound through compiled code by its call-frame information.
 */
static void add_jit(struct injection *in)
{
	struct jit_options options = { .force = in->opts->force, .verbose = in->opts->verbose > 0 };
	bool asked = in->opts->convert_callchain;

	if (!in->opts->jit)
		return;
	in->pipeline.by_time = true;
	if (strcmp(in->opts->output, "-") != 0)
		options.folder = in->output_folder = g_path_get_dirname(in->opts->output);
	if (asked && perfdata_is_pipe(in->pd))
		options.live = machine_of(in);
	g_ptr_array_add(in->passes, jit_pass_new(&options));
}

/* Addresses are those of the recording as it is, so this pass comes first. */
static bool add_addresses(struct injection *in, GError **error)
{
	const struct session_options options = {
		.input = in->opts->input,
		.force = in->opts->force,
		.unsplit = true,
		.dso = { .vmlinux = in->opts->vmlinux,
			 .kallsyms = in->opts->kallsyms,
			 .no_vmlinux = in->opts->ignore_vmlinux,
			 .buildid_dir = getenv("PERF_BUILDID_DIR") },
	};
	u64 nr, computed;

	if (!in->opts->addresses)
		return true;
	if (perfdata_is_pipe(in->pd) || !strcmp(in->opts->input, "-"))
		return error_set(error, PERF_ERROR_USAGE,
				 "--addresses reads the recording twice: it cannot be a pipe");
	in->addresses = inject_addresses_read(&options, error);
	if (!in->addresses)
		return false;
	nr = inject_addresses_nr(in->addresses, &computed);
	if (!computed)
		return error_set(
			error, PERF_ERROR_ABSENT,
			"--addresses: no address can be computed: perf record -d keeps the "
			"registers for that");
	if (in->opts->verbose)
		fprintf(stderr,
			"note: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
			" samples get a computed data address\n",
			computed, nr);
	g_ptr_array_add(in->passes, addresses_pass_new(inject_addresses_find, in->addresses));
	return true;
}

static bool add_passes(struct injection *in, GError **error)
{
	if (!add_addresses(in, error))
		return false;
	add_jit(in);
	add_callchains(in);
	if (in->opts->sched_stat) {
		in->pipeline.by_time = true;
		g_ptr_array_add(in->passes, sched_stat_pass_new(perfdata_info(in->pd)));
	}
	return add_build_ids(in, error);
}

static void print_stats(const struct injection *in)
{
	if (!in->tally || (!in->opts->stats && !in->opts->stats_format))
		return;
	if (g_strcmp0(in->opts->stats_format, "elfutils") == 0)
		stack_tally_print_elfutils(in->tally, in->machine, stderr);
	else
		stack_tally_print(in->tally, in->machine, stderr);
}

static bool inject(const struct inject_options *o, GError **error)
{
	struct injection in = { .opts = o, .pipeline = { .output = o->output } };
	bool good = false;

	if (strcmp(o->output, "-") == 0 && isatty(STDOUT_FILENO))
		return error_set(error, PERF_ERROR_USAGE,
				 "standard output is a terminal: name a file with -o, or a pipe");
	in.pd = recording_open(o->input, o->force, error);
	if (!in.pd)
		return false;
	in.passes = g_ptr_array_new_with_free_func((GDestroyNotify)pass_free);
	if (add_passes(&in, error)) {
		in.pipeline.machine = in.machine;
		good = pipeline_run(in.pd, &in.pipeline, in.passes, error);
	}
	if (good)
		print_stats(&in);
	g_ptr_array_unref(in.passes);
	stack_tally_free(in.tally);
	inject_addresses_free(in.addresses);
	g_free(in.output_folder);
	if (in.machine) {
		machine_free(in.machine);
		dsos_free(in.dsos);
	}
	recording_close(in.pd, good);
	return good;
}

static bool is_one_of(const char *word, const char *one, const char *other)
{
	return !word || strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

/* 0: the options make sense. */
static int check_options(const struct inject_options *o)
{
	if ((o->mmap2 || o->mmap2_all) &&
	    o->build_ids + o->buildid_all + o->mmap2 + o->mmap2_all > 1)
		return options_wrong(&spec, "-B and --mmap2-buildid-all cannot be used together, "
					    "nor with -b or --buildid-all");
	if (o->addresses && (o->mmap2 || o->sched_stat || o->jit))
		return options_wrong(&spec,
				     "--addresses cannot be used together with -B, -s or -j");
	if (!is_one_of(o->stats_format, "perf", "elfutils"))
		return options_wrong(&spec, "--stats-format: expected perf or elfutils, not '%s'",
				     o->stats_format);
	if (!is_one_of(o->unwind_style, "libdw", "libunwind"))
		return options_wrong(&spec, "--unwind-style: expected libdw or libunwind, not '%s'",
				     o->unwind_style);
	if (o->max_stack < 1 || o->max_stack > 4096)
		return options_wrong(&spec, "--max-stack: expected 1 to 4096");
	if (o->threads < 0 || o->threads > 1024)
		return options_wrong(&spec, "--threads: expected 0 to 1024");
	return 0;
}

static int inject_run(const struct config *config, int argc, char **argv)
{
	g_autofree char **words = upstream_words(argc, argv);
	struct inject_options opts = { .input = perfdata_default_path(),
				       .output = "-",
				       .max_stack = 127 };
	g_autoptr(GError) error = NULL;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	status = upstream_options_settle(&opts.upstream, config, &spec, words, opts.verbose);
	if (!status)
		status = check_options(&opts);
	if (status)
		return status;
	if (opts.known_build_ids &&
	    !(opts.build_ids || opts.buildid_all || opts.mmap2 || opts.mmap2_all))
		opts.build_ids = true;
	if (inject(&opts, &error))
		return 0;
	fprintf(stderr, "perf: %s\n", error->message);
	return 1;
}

const struct command cmd_inject = { "inject", "Add to the records of a recording", inject_run };
