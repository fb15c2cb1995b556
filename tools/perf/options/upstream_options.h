/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Upstream's options that this perf does not need, or that only the kernel's perf can do. Scripts and habits contain
 * them, so both kinds are rows of a command's table:
 *
 *	{ 0, "objdump", OPT_CALL, "path", "no effect: instructions are decoded without objdump",
 *	  AT(upstream), .call = upstream_option_ignore },
 *	{ 0, "itrace", OPT_CALL, "opts", "decode hardware traces, by the next perf on PATH",
 *	  AT(upstream), .fallback = "", .call = upstream_option_hand_on },
 *
 * The help of an ignored option says why: -v prints it. For the other kind, the next perf runs the whole command.
 */
#ifndef OPTIONS_UPSTREAM_OPTIONS_H
#define OPTIONS_UPSTREAM_OPTIONS_H

#include "cli/config.h"
#include "cli/options.h"

/* At row->offset of the command's options; all 0 at first. */
struct upstream_options {
	const struct option_row *ignored[16]; /* the first ones given that have no effect */
	u32 nr_ignored;
	const struct option_row
		*foreign; /* the first that only the kernel's perf does; NULL: none */
};

bool upstream_option_ignore(const struct option_row *row, const char *arg, bool unset, void *opts,
			    GError **error);
/* --no-X of such an option is accepted: it is what this perf does. */
bool upstream_option_hand_on(const struct option_row *row, const char *arg, bool unset, void *opts,
			     GError **error);

/*
 * The words of a command line as the user ordered them, for upstream_options_settle(): options_parse() changes the
 * order. To be freed; the words are not copied.
 */
char **upstream_words(int argc, char **argv);

/*
 * After parsing: runs the next perf with @words if an option needs it, and reports ignored options if @verbose.
 * Returns 0, or an exit status after a message.
 */
int upstream_options_settle(const struct upstream_options *o, const struct config *config,
			    const struct options_spec *spec, char *const *words, bool verbose);

/* Runs the next perf with @words. Returns only if that is not possible, with an exit status after a message. */
int upstream_hand_on(const struct config *config, const struct options_spec *spec, const char *what,
		     char *const *words);

/* Without effect: the option of report, annotate, script and top for source lines. */
#define ADDR2LINE_OPTION_ROW(at)                                                                   \
	{                                                                                          \
		0, "addr2line", OPT_CALL, "path",                                                  \
			"no effect: source lines are read without addr2line", at,                  \
			.call = upstream_option_ignore                                             \
	}

#define ITRACE_OPTION_ROW(at)                                                                      \
	{                                                                                          \
		0, "itrace", OPT_CALL, "opts",                                                     \
			"decode hardware traces: the next perf on PATH runs the command", at,      \
			.fallback = "", .call = upstream_option_hand_on                            \
	}

#endif
