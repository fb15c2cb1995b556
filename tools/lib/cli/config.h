/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's configuration files. perfconfig files in upstream's syntax are read into a list of keys and values. The
 * list does not change after that. Each command has a const table of the keys that it honours. It applies this table to
 * its options before it parses the command line, so the command line has priority.
 *
 *	[report]                      # a comment; ';' starts one, too
 *		sort_order = dso, \   # the value goes on in the next line
 *			sym
 *		percent-limit = "0.5" # quotes keep # ; and spaces; \" \\ \t \n \b within values
 *	[call-graph "x"]
 *		key = value           # is call-graph.x.key
 *
 * Two files are read: the system's, then the user's (~/.perfconfig). Values of the later file have priority. If
 * $PERF_CONFIG is set, only the file that it names is read. $PERF_CONFIG_NOSYSTEM excludes the system's file,
 * $PERF_CONFIG_NOGLOBAL the user's.
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "base/error.h"
#include "base/types.h"

struct config;

/* Selects the files that are read: all, or only one. */
enum config_scope { CONFIG_ALL, CONFIG_USER, CONFIG_SYSTEM };

struct config_item {
	char *section; /* "call-graph", in lower case */
	char *name;    /* "order"; "x.order" of [call-graph "x"] */
	char *value;
	const char *file; /* the file that set it last; owned by the config */
};

/*
 * Reads the files. A syntax error is reported on stderr with the file's name and line. Keys before the error are used,
 * and keys after it are not, as in upstream. If the user's file belongs to neither this user nor root, a message names
 * it and it is not read.
 */
struct config *config_load(enum config_scope scope);
struct config *config_copy(const struct config *config);
void config_free(struct config *config);

/* The path of the file of @scope. CONFIG_ALL: the user's file, for writing. NULL: HOME is not set. */
char *config_path(enum config_scope scope);

/* The items, in the order in which sections and names first appeared. Items of one section are neighbours. */
u32 config_nr(const struct config *config);
const struct config_item *config_item(const struct config *config, u32 i);

/* The value of "section.name"; NULL: not set. */
const char *config_get(const struct config *config, const char *key);

/* The boolean value of "section.name"; @otherwise if it is not set, or is no boolean. */
bool config_get_bool(const struct config *config, const char *key, bool otherwise);

/*
 * Parses a boolean. True is "yes", "on", "true" or a number other than 0. The function returns false if @text is no
 * boolean.
 */
bool config_parse_bool(const char *text, bool *out);

/* Parses an integer as upstream does: decimal, hexadecimal with 0x, octal with 0; then optionally k, m or g. */
bool config_parse_u64(const char *text, u64 *out);

/*
 * Sets "section.name" and rewrites the file @path, as upstream does: in a uniform format and without comments. Items
 * that other files have set are not written.
 */
bool config_set(struct config *config, const char *path, const char *key, const char *value,
		GError **error);
bool config_save(const struct config *config, const char *path, GError **error);

/* The type of a key's value, which is stored at row.offset in the command's options. */
enum config_kind {
	CONFIG_BOOL,   /* bool */
	CONFIG_NOT,    /* bool: stores the negated value */
	CONFIG_U64,    /* u64 */
	CONFIG_DOUBLE, /* double */
	CONFIG_STRING, /* const char *, owned by the config */
	CONFIG_CALL,   /* row.call stores it */
	CONFIG_UNUSED, /* a key of upstream without an effect here; row.why says why */
};

struct config_row {
	const char *key; /* "report.children"; "colors.*" is every key of a section */
	enum config_kind kind;
	size_t offset;
	bool (*call)(const struct config_row *row, const char *value, void *opts, GError **error);
	const char *why;
};

/*
 * Stores the values that @config has for the keys of @rows into @opts. A malformed number or boolean is reported on
 * stderr and ignored, as in upstream. False: a row's call refused its value and reported that. Then the command exits
 * with CONFIG_EXIT_BAD.
 */
bool config_apply(const struct config *config, const struct config_row *rows, size_t nr_rows,
		  void *opts);
#define CONFIG_EXIT_BAD 255

/* For -v: prints each key that is set in a section of @rows but has no effect, one per line. */
void config_note_unused(const struct config *config, const struct config_row *rows, size_t nr_rows);

#endif
