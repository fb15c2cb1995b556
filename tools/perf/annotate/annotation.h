/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples of a session, summed by what they touched: instructions of functions, and members of
 * types. It is made, reads all samples once, and is looked at (pages/annotate_pages.h).
 */
#ifndef ANNOTATE_ANNOTATION_H
#define ANNOTATE_ANNOTATION_H

#include "annotate/code.h"
#include "annotate/type.h"
#include "fields/fields.h"
#include "insn/insn.h"
#include "session/session.h"

/* Samples for which @field's key is @key. */
struct annotation_key {
	const struct field *field;
	u64 key;
	bool below;	  /* of field_activity_path: this path, or one below it */
	const char *part; /* casefolded: any key whose text contains it; NULL: the key */
};

struct annotation_options {
	struct session *session;
	bool types;			   /* sum by type */
	bool code;			   /* sum by instruction */
	bool insns;			   /* count instructions by mnemonic, with @types */
	struct lexicon *lexicon;	   /* of the fields below; NULL where there are none */
	const struct field *by;		   /* touch.by is its key; NULL: 0 */
	const struct annotation_key *only; /* only samples that have all of these keys */
	u32 nr_only;
};

/* How often an instruction's samples have a type, by mnemonic. */
struct insn_count {
	char name[32];
	u64 good, bad;
};

struct annotation {
	struct annotation_options options;
	struct insn_decoder *decoder; /* NULL: this build has none */
	/* Made when the first sample is read, when all events are known. */
	struct type_profiles *types;
	struct code_profiles *code;
	GHashTable *insns;     /* name -> struct insn_count * */
	GArray *without_debug; /* samples by dso_id(), for notes_add_absent() */
	u64 without_memory;    /* late samples of instructions that access nothing */
	u64 samples;	       /* that no filter keeps out */
	u32 nr_events;
};

/* What @options points to is copied or stays the caller's and outlives the annotation. */
struct annotation *annotation_new(const struct annotation_options *options);
void annotation_free(struct annotation *annotation);

/* Reads all samples. To be called again only where no sample was taken. */
bool annotation_read(struct annotation *annotation, GError **error);

#endif
