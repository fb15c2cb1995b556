/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages of `perf annotate`: one per type with its members, or one per function with its instructions; for each
 * event or group of events.
 */
#ifndef PAGES_ANNOTATE_PAGES_H
#define PAGES_ANNOTATE_PAGES_H

#include "annotate/code.h"
#include "annotate/type.h"
#include "insn/insn.h"
#include "pages/base/page.h"

struct evsel;
struct session;

/*
 * The base of shares: bit 0: all samples instead of the function or type; bit 1: the number of samples instead of
 * their periods.
 */
enum annotate_percent {
	PERCENT_LOCAL_PERIOD,
	PERCENT_GLOBAL_PERIOD,
	PERCENT_LOCAL_HITS,
	PERCENT_GLOBAL_HITS,
	PERCENT_NR,
};

/* "local period", in upstream's words. */
const char *annotate_percent_name(enum annotate_percent percent);

struct annotate_function {
	struct dso *dso;
	const struct symbol *symbol;
};

struct annotate_pages_options {
	const GPtrArray *evsels; /* const struct evsel *: by event */
	const bool *empty;	 /* by event: leave out its column; NULL: none */
	bool group;		 /* all events side by side */
	const char *event;	 /* only pages of this event or its group; NULL: of all */
	/* For the remarks. */
	struct session *session;
	const GArray *without_debug; /* samples by dso_id() */
	u64 without_memory, by_btf, samples;
	bool before; /* --why: with the instructions to which samples of an instruction are charged */
	enum annotate_percent percent;
	double percent_limit; /* leave out rows with less than this share of the first event */
	/* For pages of types. */
	const char *pattern;	 /* only types that match this name; NULL: all */
	const struct type *type; /* only this one; NULL: all */
	bool layout;		 /* members by offset, with holes and padding as rows */
	u32 cache_line_size;	 /* bytes */
	bool type_stat;		 /* a page of --type-stat first */
	GHashTable *insns;	 /* a page of --insn-stat before the types; NULL: not wanted */
	const char *baseline;	 /* the recording that they are of, if not the report's own */
	bool short_names;	 /* types without template and generic arguments */
	/* For pages of code. */
	const struct annotate_function
		*function; /* only this one, even without samples; NULL: all */
	struct insn_decoder *decoder;
	struct typeflow *types;	   /* adds each instruction's data type; NULL: not wanted */
	bool intel;		   /* instructions in Intel's syntax */
	const char *source_prefix; /* as sources_new() */
	u32 source_strip;
	bool pseudo_types; /* also pseudo types such as "(stack operation)" */
	bool full_paths;
};

/* The objects in @options, and the profiles, belong to the caller and must outlive the pages. */
struct pages *type_pages_new(struct type_profiles *profiles,
			     const struct annotate_pages_options *options);
struct pages *code_pages_new(struct code_profiles *profiles,
			     const struct annotate_pages_options *options);

/* The number of pages of types; pages of statistics come before them. */
u32 type_pages_nr(const struct pages *pages);

/* The page of @type; if NULL, of the first type that matches @pattern; -1: none. */
s64 type_pages_find(const struct pages *pages, const struct type *type, const char *pattern);

/* The name of the type of page @i, as shown; "": the page is not of a type. Valid as long as the pages. */
const char *type_pages_name(const struct pages *pages, u32 i);

/* The event of page @i, or those of its group, as in its facts. To be freed. */
char *type_pages_event(const struct pages *pages, u32 i);
char *code_pages_event(const struct pages *pages, u32 i);

/* out: the function of page @i. */
void code_pages_function(const struct pages *pages, u32 i, struct annotate_function *out);

/* Changes the base of percentages of these pages, and of @page, which is one of them. */
void code_pages_look(struct pages *pages, struct page *page, enum annotate_percent percent);

/* Number of functions without available code, in the pages opened so far. */
u32 code_pages_without(const struct pages *pages);

/* Columns of both kinds: values with a part per event, then these. */
enum { ANNOTATE_SHARE, ANNOTATE_SAMPLES, ANNOTATE_NR_VALUES };
/* Reads and writes, in the same two forms. */
enum {
	TYPE_READS = ANNOTATE_NR_VALUES,
	TYPE_READ_SAMPLES,
	TYPE_WRITES,
	TYPE_WRITE_SAMPLES,
	TYPE_NR_VALUES,
};
enum {
	TYPE_OFFSET = TYPE_NR_VALUES,
	TYPE_SIZE,
	TYPE_TYPE,
	TYPE_MEMBER,
	TYPE_BITS,
	TYPE_LINE, /* number of the cache line that starts at it, if the type starts at one */
	TYPE_MARK, /* "hot": one of the smallest set of members with 3/4 of all; "hole"; "padding" */
	TYPE_NR_COLUMNS,
};
/* Samples that name the instruction, wherever they are charged, in the same two forms. */
enum { CODE_SAMPLED = ANNOTATE_NR_VALUES, CODE_SAMPLED_SAMPLES, CODE_NR_VALUES };
enum {
	CODE_ADDRESS = CODE_NR_VALUES,
	CODE_BYTES,
	CODE_INSTRUCTION,
	CODE_REFERENCES,
	CODE_FILE,
	CODE_LINE,
	CODE_SOURCE,
	CODE_FLOW,   /* "jump", "branch" (conditional), "call", "return", "stop" */
	CODE_TARGET, /* for a jump or call whose target is in the instruction */
	CODE_TYPE,   /* the following only with options->types */
	CODE_OFFSET,
	CODE_MEMBER,
	CODE_ACCESS, /* "read", "write", "read, write" */
	CODE_NR_COLUMNS,
};

#endif
