/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does one sample have of a field? For most fields that is the key by which samples are grouped. Of
 * some a row has more or less than a sample: a row's pid is a thread with its name, its period a sum, its
 * time rounded. So that a word means the same wherever single samples are shown, it is told here.
 */
#ifndef FIELDS_OF_SAMPLE_H
#define FIELDS_OF_SAMPLE_H

#include "fields/fields.h"

/* Typed; the words of a CELL_TEXT are appended to @text. */
typedef struct cell field_of_sample_fn(const struct field *field, struct lexicon *lexicon,
				       const struct place *place, GString *text);

struct field_of_sample {
	const struct field *field;
	enum cell_kind kind;
	const char *unit;
	field_of_sample_fn *cell;
};

/* What is to be called for each sample; needs are the field's. */
struct field_of_sample field_of_sample(const struct field *field);

/* Of an address of code: its symbol, the offset into it, its file, its line. */
struct cell code_symbol_cell(const struct code *code, GString *text);
struct cell code_offset_cell(const struct code *code);
struct cell code_dso_cell(const struct code *code, GString *text);

#endif
