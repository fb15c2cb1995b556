/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did the user ask for? A command's options are one const table; from it come the
 * parsing, `-h`, `--list-opts` and `--list-opts=X` (the options, and X's words, for shell
 * completion) and the check that the man page names them all. What an argument means (an
 * event, a sort key) is the command's.
 *
 *	struct list_options {
 *		const char *input;
 *		bool verbose;
 *	};
 *
 *	static const struct option_row rows[] = {
 *		{ 'i', "input", OPT_STRING, "file", "input file name",
 *		  offsetof(struct list_options, input) },
 *		{ 'v', "verbose", OPT_FLAG, NULL, "be more verbose",
 *		  offsetof(struct list_options, verbose) },
 *	};
 *	static const char *const usage[] = { "perf list [<options>]", NULL };
 *	static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };
 *
 *	struct list_options opts = { .input = "perf.data" };
 *	int status;
 *
 *	if (!options_parse(&spec, &argc, &argv, &opts, &status))
 *		return status;
 *
 * The habits are those of upstream perf: `-i file`, `-ifile`, `--input file`,
 * `--input=file`, any unique prefix of a long name, bundles (-fv), `--` ends the options,
 * the last of several wins. Each long name X can be taken back by --no-X, and a name that
 * starts with "no-" by leaving that out.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <glib.h>
#include <stdio.h>

#include "base/types.h"

/* What lies at row.offset in the command's options; what --no-X leaves there. */
enum opt_kind {
	OPT_FLAG,   /* bool: true; no: false */
	OPT_COUNT,  /* int: one more each time; no: 0 */
	OPT_STRING, /* const char *, pointing into argv; no: NULL */
	OPT_LIST,   /* GPtrArray * of const char *, made at first use, the command's; no: emptied */
	OPT_INT,    /* int, decimal, may be negative; no: 0 */
	OPT_U64,    /* u64, decimal or 0x; no: 0 */
	OPT_DOUBLE, /* double; no: 0 */
	OPT_SIZE,   /* u64 bytes, from a number and B, K, M or G; no: 0 */
	OPT_CALL,   /* whatever row.call makes of it */
};

enum opt_flags {
	OPT_HIDDEN = 1 << 0,	/* works, but is not listed by -h nor --list-opts */
	OPT_NO_NEGATE = 1 << 1, /* there is no --no-X */
	/* With a fallback: the next word is the argument, unless it is none or starts with '-'
	 * (`report -g caller`). Without this, an optional argument must be attached (-z3). */
	OPT_NEXT_WORD = 1 << 2,
	OPT_NO_ARG = 1 << 3, /* OPT_CALL only: takes no argument */
};

struct option_row {
	char short_name;  /* 0: none */
	const char *name; /* long name; NULL: none */
	enum opt_kind kind;
	const char *arg;      /* what -h calls the argument: "file" prints as <file> */
	const char *help;     /* lines after the first are indented by -h */
	size_t offset;	      /* of the value in the command's options */
	const char *fallback; /* makes the argument optional: the text taken when there is none */
	size_t set_offset;    /* of a bool that tells that the option was given; 0: not wanted */
	u32 flags;	      /* enum opt_flags */
	/* OPT_CALL: @arg is NULL when @unset (--no-X) and for OPT_NO_ARG. A failure's message
	 * is printed behind "option `X': ". */
	bool (*call)(const struct option_row *row, const char *arg, bool unset, void *opts,
		     GError **error);
	/* Words that -h appends to the help, wrapped (the known sort keys). g_free() them. */
	char *(*words)(void);
};

struct options_spec {
	const char *const *usage; /* lines such as "perf evlist [<options>]", NULL at the end */
	const struct option_row *rows;
	size_t nr_rows;
	bool stop_at_argument; /* the first word that is no option ends them (record COMMAND) */
	/* Words that are no options are an error, which prints the usage. */
	bool no_arguments;
};

/* Exit status of a wrong command line, and of -h: upstream's. */
#define OPTIONS_EXIT_USAGE 129

/*
 * Parses (*argv)[1..] into @opts, which holds the defaults. On true, *argc and *argv are
 * the words that are left over, without the command's name. On false the command returns
 * *status at once: what there was to say (a mistake, the usage) has been said.
 */
bool options_parse(const struct options_spec *spec, int *argc, char ***argv, void *opts,
		   int *status);

/* The usage; only of the options that @word is the name of, or part of, unless it is NULL. */
void options_usage(const struct options_spec *spec, const char *word, FILE *out);

/*
 * Says that the command line is wrong: one line on stderr, " Error: <message>" and where the
 * options are listed.
 * Returns OPTIONS_EXIT_USAGE, so that a command can `return options_wrong(...)`.
 */
int options_wrong(const struct options_spec *spec, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

/*
 * Sizes and times as options write them. "4K" -> 4096, suffixes B K M G (binary, either
 * case); "10s" -> 10, suffixes s m h d. False when the text is nothing of the kind, does
 * not fit, or (size) a plain number where @need_suffix.
 */
bool options_parse_size(const char *text, bool need_suffix, u64 *bytes);
bool options_parse_seconds(const char *text, u64 *seconds);

#endif
