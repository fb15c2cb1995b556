// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/upstream_options.h"

#include <stdio.h>

#include "options/next_perf.h"

static struct upstream_options *options_of(const struct option_row *row, void *opts)
{
	return (struct upstream_options *)((char *)opts + row->offset);
}

bool upstream_option_ignore(const struct option_row *row, const char *arg, bool unset, void *opts,
			    GError **error)
{
	struct upstream_options *o = options_of(row, opts);

	(void)arg;
	(void)unset;
	(void)error;
	if (o->nr_ignored < ARRAY_SIZE(o->ignored))
		o->ignored[o->nr_ignored++] = row;
	return true;
}

bool upstream_option_hand_on(const struct option_row *row, const char *arg, bool unset, void *opts,
			     GError **error)
{
	struct upstream_options *o = options_of(row, opts);

	(void)arg;
	(void)error;
	if (!unset && !o->foreign)
		o->foreign = row;
	return true;
}

char **upstream_words(int argc, char **argv)
{
	char **words = g_new0(char *, (gsize)argc + 1);

	for (int i = 0; i < argc; i++)
		words[i] = argv[i];
	return words;
}

int upstream_hand_on(const struct config *config, const struct options_spec *spec, const char *what,
		     char *const *words)
{
	g_autofree char *package = next_perf_package();
	bool fallback = config_get_bool(config, "perf.fallback", true);

	if (fallback)
		next_perf_exec(words, words);
	return options_wrong(spec, "%s of the kernel's perf, %s%s", what,
			     fallback
				     ? "but it is not on PATH: "
				     : "but --no-fallback or perf.fallback=false forbids to run it",
			     fallback ? package : "");
}

int upstream_options_settle(const struct upstream_options *o, const struct config *config,
			    const struct options_spec *spec, char *const *words, bool verbose)
{
	const struct option_row *foreign = o->foreign;

	if (foreign) {
		g_autofree char *what =
			foreign->name ? g_strdup_printf("--%s is an option", foreign->name)
				      : g_strdup_printf("-%c is an option", foreign->short_name);

		return upstream_hand_on(config, spec, what, words);
	}
	for (u32 i = 0; verbose && i < o->nr_ignored; i++)
		fprintf(stderr, "note: --%s has %s\n", o->ignored[i]->name, o->ignored[i]->help);
	return 0;
}
