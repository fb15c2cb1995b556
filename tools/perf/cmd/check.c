// SPDX-License-Identifier: GPL-2.0-or-later
/* perf check: prints whether this build has a feature, for scripts. */
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "cli/options.h"
#include "cmd/cmd.h"

struct check_options {
	bool quiet;
};

static const struct option_row rows[] = {
	{ 'q', "quiet", OPT_FLAG, NULL, "print nothing, only set the exit status",
	  offsetof(struct check_options, quiet) },
};
static const char *const usage[] = { "perf check [<options>] feature <feature_list>", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

/*
 * Upstream's names and macros for its optional features, and the feature of our build that does the same; NULL: none.
 */
static const struct {
	const char *name, *macro, *ours;
} features[] = {
	{ "aio", "HAVE_AIO_SUPPORT", NULL },
	{ "bpf", "HAVE_LIBBPF_SUPPORT", "bpf" },
	{ "bpf_skeletons", "HAVE_BPF_SKEL", "bpf" },
	{ "debuginfod", "HAVE_DEBUGINFOD_SUPPORT", "debuginfod" },
	{ "dwarf", "HAVE_LIBDW_SUPPORT", "libdw" },
	{ "dwarf_getlocations", "HAVE_LIBDW_SUPPORT", "libdw" },
	{ "dwarf-unwind", "HAVE_DWARF_UNWIND_SUPPORT", NULL },
	{ "libbfd", "HAVE_LIBBFD_SUPPORT", NULL },
	{ "babeltrace2-ctf-writer", "HAVE_BABELTRACE2_CTF_WRITER_SUPPORT", NULL },
	{ "libbpf-strings", "HAVE_LIBBPF_STRINGS_SUPPORT", NULL },
	{ "libcapstone", "HAVE_LIBCAPSTONE_SUPPORT", "capstone" },
	{ "libdw-dwarf-unwind", "HAVE_LIBDW_SUPPORT", NULL },
	{ "libelf", "HAVE_LIBELF_SUPPORT", "libelf" },
	{ "libLLVM", "HAVE_LIBLLVM_SUPPORT", NULL },
	{ "libnuma", "HAVE_LIBNUMA_SUPPORT", NULL },
	{ "libopencsd", "HAVE_CSTRACE_SUPPORT", NULL },
	{ "libperl", "HAVE_LIBPERL_SUPPORT", NULL },
	{ "libpfm4", "HAVE_LIBPFM", NULL },
	{ "libpython", "HAVE_LIBPYTHON_SUPPORT", NULL },
	{ "libslang", "HAVE_SLANG_SUPPORT", NULL },
	{ "libtraceevent", "HAVE_LIBTRACEEVENT", "libtraceevent" },
	{ "libunwind", "HAVE_LIBUNWIND_SUPPORT", NULL },
	{ "lzma", "HAVE_LZMA_SUPPORT", "liblzma" },
	{ "numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", NULL },
	{ "zlib", "HAVE_ZLIB_SUPPORT", NULL },
	{ "zstd", "HAVE_ZSTD_SUPPORT", "libzstd" },
	{ "rust", "HAVE_RUST_SUPPORT", NULL },
};

static bool build_has(const char *name)
{
	for (const struct build_feature *f = build_features; name && f->name; f++)
		if (!strcmp(f->name, name))
			return f->on;
	return false;
}

static bool has(const char *name, bool quiet)
{
	for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
		bool on = build_has(features[i].ours);

		if (g_ascii_strcasecmp(name, features[i].name) &&
		    g_ascii_strcasecmp(name, features[i].macro))
			continue;
		if (!quiet)
			printf("%22s: [ %-3s ]  # %s\n", features[i].name, on ? "on" : "OFF",
			       features[i].macro);
		return on;
	}
	if (!quiet)
		fprintf(stderr,
			"Unknown feature '%s', please use 'perf version --build-options' to see "
			"which ones are available.\n",
			name);
	return false;
}

static int check_run(const struct config *config, int argc, char **argv)
{
	struct check_options opts = { 0 };
	g_auto(GStrv) names = NULL;
	bool all = true;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (!argc || strcmp(argv[0], "feature"))
		return options_wrong(
			&spec, argc ? "unknown subcommand: %s" : "expected a subcommand: feature%s",
			argc ? argv[0] : "");
	if (argc != 2)
		return options_wrong(&spec, "'perf check feature' takes one list of features");
	names = g_strsplit(argv[1], ",", -1);
	for (char **name = names; *name; name++)
		if (**name)
			all &= has(*name, opts.quiet);
	return !all;
}

const struct command cmd_check = { "check", "Say whether this build has a feature", check_run };
