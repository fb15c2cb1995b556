/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums the samples of a session by instruction of a function, and by member of a data type. Make an annotation, read
 * all samples once, then look at it (pages/code/annotate_pages.h).
 */
#ifndef ANNOTATE_ANNOTATION_H
#define ANNOTATE_ANNOTATION_H

#include "annotate/code.h"
#include "annotate/type.h"
#include "fields/term.h"
#include "insn/insn.h"
#include "session/session.h"

struct annotation_options {
	struct session *session;
	bool types;		 /* sum by type */
	bool code;		 /* sum by instruction */
	bool insns;		 /* with @types: count instructions by mnemonic */
	struct lexicon *lexicon; /* lexicon of the fields below; NULL: no fields */
	const struct field *by;	 /* touch.by is the key of this field; NULL: it is 0 */
	const GArray *only;	 /* struct term: only samples that match all of them */
};

/* For a mnemonic: how many samples of its instructions have a type. */
struct insn_count {
	char name[32];
	u64 good, bad;
};

struct annotation {
	struct annotation_options options;
	struct insn_decoder *decoder; /* NULL: this build has no decoder */
	/* Made at the first sample, when all events are known. */
	struct type_profiles *types;
	struct code_profiles *code;
	GHashTable *insns;     /* name -> struct insn_count * */
	GArray *without_debug; /* number of samples by dso_id(), for notes_add_absent() */
	u64 without_memory;    /* late samples of instructions without a memory access */
	u64 by_btf;	       /* samples of code whose types are by BTF */
	u64 samples;	       /* samples that pass all filters */
	u32 nr_events;
};

/* Copies @options->only. All else that @options points to belongs to the caller and must outlive the annotation. */
struct annotation *annotation_new(const struct annotation_options *options);
void annotation_free(struct annotation *annotation);

/* Reads all samples. A second call is allowed only if the first one took no sample. */
bool annotation_read(struct annotation *annotation, GError **error);

#endif
