/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lines and rows of samples share. */
#ifndef VIEW_SCRIPT_PRIVATE_H
#define VIEW_SCRIPT_PRIVATE_H

#include "fields/fields.h"
#include "view/script/line.h"

/* The columns to print of @place's event; false: there are none, nor sort keys. */
bool script_wanted(struct script_printer *printer, const struct place *place, u64 *wanted);

/* Frames of the call chain, by --stop-bt. */
u32 script_chain_length(const struct script_printer *printer, const struct place *place);

/* "file.c:12" of frame @i, white space around it, or nothing. */
void script_print_frame_line(struct script_printer *printer, const struct place *place, u32 i,
			     GString *out);

/* By --reltime and --deltatime; asked once per sample. */
u64 script_shown_time(struct script_printer *printer, u64 time);

struct lexicon *script_lexicon(struct script_printer *printer);

/* The text of one column alone, of those that are no part of another. */
void script_print_column(struct script_printer *printer, const struct place *place,
			 enum script_column column, GString *out);

#endif
