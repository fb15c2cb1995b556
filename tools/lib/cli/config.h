/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What do the user's configuration files say? perfconfig files in upstream's syntax are read into
 * a list of keys and values, which does not change after that. A command has a const table of the
 * keys that it honours, as it has one of its options, and applies it to its options before the
 * command line is parsed: so the command line wins.
 *
 *	[report]                      # a comment; ';' starts one, too
 *		sort_order = dso, \   # the value goes on in the next line
 *			sym
 *		percent-limit = "0.5" # quotes keep # ; and spaces; \" \\ \t \n \b within values
 *	[call-graph "x"]
 *		key = value           # is call-graph.x.key
 *
 * Files, the later ones winning: the system's, then the user's (~/.perfconfig). $PERF_CONFIG names
 * the only one to be read, $PERF_CONFIG_NOSYSTEM and $PERF_CONFIG_NOGLOBAL leave one out.
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "base/error.h"
#include "base/types.h"

struct config;

/* Which files: all that count, or one of them alone. */
enum config_scope { CONFIG_ALL, CONFIG_USER, CONFIG_SYSTEM };

struct config_item {
	char *section; /* "call-graph", in lower case */
	char *name;    /* "order"; "x.order" of [call-graph "x"] */
	char *value;
	const char *file; /* where it was set last; the config's */
};

/*
 * Reads the files. What is wrong with one is said on stderr with its name and line; what stands in
 * front of the mistake counts, and what follows it does not (upstream's behaviour). A user's file
 * that belongs to somebody else (neither this user nor root) is named and left out.
 */
struct config *config_load(enum config_scope scope);
struct config *config_copy(const struct config *config);
void config_free(struct config *config);

/* The file that is read and written for @scope (CONFIG_ALL: written, the user's); NULL: no HOME. */
char *config_path(enum config_scope scope);

/* The items, of one section side by side, in the order in which sections and names came up. */
u32 config_nr(const struct config *config);
const struct config_item *config_item(const struct config *config, u32 i);

/* The value of "section.name"; NULL: nowhere set. */
const char *config_get(const struct config *config, const char *key);

/* The truth of "section.name"; @otherwise where it is not set, or is not a truth value. */
bool config_get_bool(const struct config *config, const char *key, bool otherwise);

/* "yes", "on", "true" or a number that is not 0; false where @text is none of this. */
bool config_parse_bool(const char *text, bool *out);

/* Upstream's integers: decimal, 0x or 0 in front, and k, m or g behind. */
bool config_parse_u64(const char *text, u64 *out);

/*
 * Sets "section.name" in the files' text and writes @path anew, as upstream does: all in one form,
 * without comments. Items that do not come from @path are not written into it.
 */
bool config_set(struct config *config, const char *path, const char *key, const char *value,
		GError **error);
bool config_save(const struct config *config, const char *path, GError **error);

/* What a key makes of its value, at row.offset in the command's options. */
enum config_kind {
	CONFIG_BOOL,   /* bool */
	CONFIG_NOT,    /* bool: the opposite */
	CONFIG_U64,    /* u64 */
	CONFIG_DOUBLE, /* double */
	CONFIG_STRING, /* const char *, the config's */
	CONFIG_CALL,   /* whatever row.call makes of it */
	CONFIG_UNUSED, /* upstream's key, without an effect here: row.why */
};

struct config_row {
	const char *key; /* "report.children"; "colors.*" is each key of a section */
	enum config_kind kind;
	size_t offset;
	bool (*call)(const struct config_row *row, const char *value, void *opts, GError **error);
	const char *why;
};

/*
 * Brings what @config says of @rows into @opts. A number or truth value that is none is named on
 * stderr and left out, as upstream does. False where a row's call refuses its value: it has been
 * said, and the command ends with CONFIG_EXIT_BAD.
 */
bool config_apply(const struct config *config, const struct config_row *rows, size_t nr_rows,
		  void *opts);
#define CONFIG_EXIT_BAD 255

/* For -v: the keys that are set in the sections of @rows and have no effect, one line each. */
void config_note_unused(const struct config *config, const struct config_row *rows, size_t nr_rows);

#endif
