/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command-line options. A command has one const table of its options. The table is used for parsing, for `-h`, for
 * `--list-opts` and `--list-opts=X` (the options, and the words that X takes, for shell completion), and for the check
 * that the man page names all options. The command itself interprets arguments such as events and sort keys.
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
 * The syntax is that of upstream perf: `-i file`, `-ifile`, `--input file`, `--input=file`, any unique prefix of a long
 * name, bundles (-fv), `--` as the end of the options. If an option is given twice, the last one counts. --no-X resets
 * the option X. If the option's own name is no-X, --X resets it.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <glib.h>
#include <stdio.h>

#include "base/types.h"

/* The type of the value at row.offset in the command's options, and the value that --no-X stores there. */
enum opt_kind {
	OPT_FLAG,   /* bool: true; no: false */
	OPT_COUNT,  /* int: one more each time; no: 0 */
	OPT_STRING, /* const char *, pointing into argv; no: NULL */
	OPT_LIST, /* GPtrArray * of const char *, created at first use; no: emptied. The command frees it */
	OPT_INT,    /* int, decimal, may be negative; no: 0 */
	OPT_U64,    /* u64, decimal or 0x; no: 0 */
	OPT_DOUBLE, /* double; no: 0 */
	OPT_SIZE,   /* u64 bytes, from a number and B, K, M or G; no: 0 */
	OPT_CALL,   /* row.call stores it */
};

enum opt_flags {
	OPT_HIDDEN = 1 << 0,	/* works, but is not listed by -h nor --list-opts */
	OPT_NO_NEGATE = 1 << 1, /* there is no --no-X */
	/* For rows with a fallback: the next word is the argument (`report -g caller`), unless it starts with '-' or
	 * cannot be an argument. Without this flag, an optional argument must be attached (-z3). */
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
	const char *fallback; /* the value if no argument is given; NULL: it must be given */
	size_t set_offset; /* offset of a bool that says if the option was given; 0: no such bool */
	u32 flags;	   /* enum opt_flags */
	/* For OPT_CALL. @arg is NULL if @unset (--no-X), and for OPT_NO_ARG. An error's message is printed after
	 * "option `X': ". */
	bool (*call)(const struct option_row *row, const char *arg, bool unset, void *opts,
		     GError **error);
	/* Words that -h appends to the help, wrapped (the known sort keys). g_free() them. */
	char *(*words)(void);
};

struct options_spec {
	const char *const *usage; /* lines such as "perf evlist [<options>]", NULL at the end */
	const struct option_row *rows;
	size_t nr_rows;
	bool stop_at_argument; /* the first word that is no option ends the options (record COMMAND) */
	/* A word that is no option is an error, and the usage is printed. */
	bool no_arguments;
};

/* Exit status of a wrong command line, and of -h: upstream's. */
#define OPTIONS_EXIT_USAGE 129

/*
 * Parses (*argv)[1..] into @opts. The caller stores the defaults in @opts before. True: *argc and *argv are the words
 * that are no options, without the command's name. False: the command must return *status at once; the error or the
 * usage has been printed.
 */
bool options_parse(const struct options_spec *spec, int *argc, char ***argv, void *opts,
		   int *status);

/* Prints the usage. @word: print only the options whose name contains it; NULL: all. */
void options_usage(const struct options_spec *spec, const char *word, FILE *out);

/*
 * Reports a wrong command line: prints " Error: <message>" on stderr, and says where the options are listed.
 * Returns OPTIONS_EXIT_USAGE, so that a command can `return options_wrong(...)`.
 */
int options_wrong(const struct options_spec *spec, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

/* A rule about options that need or exclude each other. */
struct option_rule {
	bool broken;
	const char *message;
};

/* options_wrong() with the message of the first broken rule; 0: none is broken. */
int options_check(const struct options_spec *spec, const struct option_rule *rules, u32 nr);

/*
 * Parses sizes and times of options. Size: "4K" -> 4096, suffixes B K M G (powers of 1024, in upper or lower case).
 * Time: "10s" -> 10, suffixes s m h d. False: the text is malformed or the value too large, or @need_suffix is set and
 * the size has no suffix.
 */
bool options_parse_size(const char *text, bool need_suffix, u64 *bytes);
bool options_parse_seconds(const char *text, u64 *seconds);

#endif
