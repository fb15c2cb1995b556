/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The value of a field for a single sample. For most fields this is the key by which samples are grouped. For some
 * fields a row shows more or less than a sample: a row's pid is a thread with its name, its period is a sum, its time
 * is rounded. This module defines the values in one place, so that a field means the same wherever single samples are
 * shown.
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

/* The function to call for each sample. Its needs are those of the field. */
struct field_of_sample field_of_sample(const struct field *field);

/* Cells for a code address: the symbol, the offset into the symbol, the file. */
struct cell code_symbol_cell(const struct code *code, GString *text);
struct cell code_offset_cell(const struct code *code);
struct cell code_dso_cell(const struct code *code, GString *text);

#endif
