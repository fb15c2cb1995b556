/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lines and rows of samples share. */
#ifndef VIEW_SCRIPT_PRIVATE_H
#define VIEW_SCRIPT_PRIVATE_H

#include "fields/fields.h"
#include "view/script/line.h"

struct script_printer {
	struct session *session;
	struct machine *machine;
	struct lexicon *lexicon;
	const struct script_columns *columns;
	struct script_line_options options;
	struct trace_formats *formats; /* NULL: the file has none */
	struct insn_decoder *decoder;  /* NULL: none for this architecture */
	char **stop_bt;
	GArray *wanted; /* u64 by evsel's idx */
	struct memo *memo;
	int name_width;
	bool has_chain; /* some event samples call chains: names are not padded then */
	u64 first_time, last_time;
	s64 wall_offset; /* ns from the recording's clock to the time of day */
	bool has_wall;
};

/* head.c */
/* Whether some event's samples have the column. */
bool script_wants(const struct script_printer *printer, enum script_column column);

/* Comm, pid, tid, cpu, misc and time: the start of samples' and other records' lines. */
struct script_line_head {
	const char *comm;
	bool lasting; /* comm is, as long as the session */
	u32 pid, tid, cpu;
	u64 time;
	u16 misc;
	u32 type;
};

void script_print_line_head(struct script_printer *printer, const struct script_line_head *head,
			    u64 wanted, GString *out);
void script_print_time_of_day(struct script_printer *printer, u64 time, GString *out);

/* By --reltime and --deltatime; asked once per sample. */
u64 script_shown_time(struct script_printer *printer, u64 time);

/* line.c */
/* The columns to print of @place's event; false: there are none, nor sort keys. */
bool script_wanted(struct script_printer *printer, const struct place *place, u64 *wanted);

/* Frames of the call chain, by --stop-bt. */
u32 script_chain_length(const struct script_printer *printer, const struct place *place);

/* "file.c:12" of frame @i, white space around it, or nothing. */
void script_print_frame_line(struct script_printer *printer, const struct place *place, u32 i,
			     GString *out);

struct lexicon *script_lexicon(struct script_printer *printer);

/* The text of one column alone, of those that are no part of another. */
void script_print_column(struct script_printer *printer, const struct place *place,
			 enum script_column column, GString *out);

#endif
