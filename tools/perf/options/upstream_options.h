/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Upstream's options that this perf does not need, or that only the kernel's perf can do. Scripts and habits contain
 * them, so both kinds are rows of a command's table:
 *
 *	NO_EFFECT_OPTION(AT(upstream), 0, "objdump", "path", "instructions are decoded without objdump"),
 *	NEXT_PERF_OPTIONAL(AT(upstream), 0, "itrace", "opts", "decode hardware traces, by the next perf"),
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

/*
 * Rows of a command's table. @at is the offset of its struct upstream_options, @s the short name or 0. An option takes an
 * argument, an optional one takes one that is attached, a flag none.
 */
#define UPSTREAM_ROW(at, s, name, arg, help, ...)                                                  \
	{                                                                                          \
		s, name, OPT_CALL, arg, help, at, __VA_ARGS__                                      \
	}

/* Without effect: -v prints @why. */
#define NO_EFFECT_OPTION(at, s, name, arg, why)                                                    \
	UPSTREAM_ROW(at, s, name, arg, "no effect: " why, .call = upstream_option_ignore)
#define NO_EFFECT_OPTIONAL(at, s, name, arg, why)                                                  \
	UPSTREAM_ROW(at, s, name, arg, "no effect: " why, .fallback = "",                          \
		     .call = upstream_option_ignore)
#define NO_EFFECT_FLAG(at, s, name, why)                                                           \
	UPSTREAM_ROW(at, s, name, NULL, "no effect: " why, .flags = OPT_NO_ARG,                    \
		     .call = upstream_option_ignore)

/* The next perf on PATH runs the command. */
#define NEXT_PERF_OPTION(at, s, name, arg, help)                                                   \
	UPSTREAM_ROW(at, s, name, arg, help, .call = upstream_option_hand_on)
#define NEXT_PERF_OPTIONAL(at, s, name, arg, help)                                                 \
	UPSTREAM_ROW(at, s, name, arg, help, .fallback = "", .call = upstream_option_hand_on)
#define NEXT_PERF_FLAG(at, s, name, help)                                                          \
	UPSTREAM_ROW(at, s, name, NULL, help, .flags = OPT_NO_ARG, .call = upstream_option_hand_on)

/* Those that several commands have. */
#define ADDR2LINE_OPTION_ROW(at)                                                                   \
	NO_EFFECT_OPTION(at, 0, "addr2line", "path", "source lines are read without addr2line")
#define OBJDUMP_OPTION_ROW(at)                                                                     \
	NO_EFFECT_OPTION(at, 0, "objdump", "path", "instructions are decoded without objdump")
#define MODULES_OPTION_ROW(at)                                                                     \
	NO_EFFECT_FLAG(at, 'm', "modules", "modules' symbols are always looked for")
#define UNWIND_STYLE_OPTION_ROW(at)                                                                \
	NO_EFFECT_OPTION(at, 0, "unwind-style", "style", "perf has its own unwinder")
#define ITRACE_OPTION_ROW(at)                                                                      \
	NEXT_PERF_OPTIONAL(at, 0, "itrace", "opts",                                                \
			   "decode hardware traces: the next perf on PATH runs the command")
#define STITCH_LBR_OPTION_ROW(at)                                                                  \
	NEXT_PERF_FLAG(at, 0, "stitch-lbr",                                                        \
		       "join call chains that the processor kept only in part, by the next perf")
#define BRANCH_HISTORY_OPTION_ROW(at)                                                              \
	NEXT_PERF_FLAG(at, 0, "branch-history",                                                    \
		       "show the last branches as a part of call chains, by the next perf")
#define GUESTMOUNT_OPTION_ROW(at)                                                                  \
	NEXT_PERF_OPTION(at, 0, "guestmount", "directory",                                         \
			 "directory where guests are mounted, for the next perf")
/* Of commands that record. */
#define SYNTHESIZE_OPTION_ROWS(at)                                                                 \
	NO_EFFECT_OPTION(at, 0, "num-thread-synthesize", "n",                                      \
			 "existing processes are read by one thread"),                             \
		NO_EFFECT_OPTION(at, 0, "proc-map-timeout", "ms", "all mappings are always read")

#endif
