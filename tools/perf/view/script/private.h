/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by lines and rows of samples. */
#ifndef VIEW_SCRIPT_PRIVATE_H
#define VIEW_SCRIPT_PRIVATE_H

#include "fields/fields.h"
#include "view/script/line.h"

/* "   12." of the second from @start on. */
struct script_second {
	u64 start;   /* ns */
	size_t size; /* 0: none yet */
	char text[24];
};

struct script_printer {
	struct session *session;
	struct machine *machine;
	struct lexicon *lexicon;
	const struct script_columns *columns;
	struct script_line_options options;
	struct trace_formats *formats; /* NULL: the file has none */
	struct insn_decoder *decoder;  /* NULL: none for this architecture */
	char **stop_bt;
	GArray *wanted; /* u64 by the evsel's idx */
	struct memo *memo;
	int name_width;
	bool has_chain; /* some event samples call chains: then names are not padded */
	u64 first_time, last_time;
	struct script_second second;
	s64 wall_offset; /* ns from the recording's clock to the time of day */
	bool has_wall;
};

/* head.c */
/* Do samples of some event have the column? */
bool script_wants(const struct script_printer *printer, enum script_column column);

/* The start of the lines of samples and other records: comm, pid, tid, cpu, misc and time. */
struct script_line_head {
	const char *comm;
	bool lasting; /* @comm is valid as long as the session */
	u32 pid, tid, cpu;
	u64 time;
	u16 misc;
	u32 type;
};

void script_print_line_head(struct script_printer *printer, const struct script_line_head *head,
			    u64 wanted, GString *out);
void script_print_time_of_day(struct script_printer *printer, u64 time, GString *out);

/* The time to print, by --reltime and --deltatime. Call it once per sample. */
u64 script_shown_time(struct script_printer *printer, u64 time);

/* line.c */
/* The columns for @place's event. False: there are neither columns nor sort keys. */
bool script_wanted(struct script_printer *printer, const struct place *place, u64 *wanted);

/* The number of frames of the call chain that are printed, by --stop-bt. */
u32 script_chain_length(const struct script_printer *printer, const struct place *place);

/* "file.c:12" of frame @i, with white space around it; or nothing. */
void script_print_frame_line(struct script_printer *printer, const struct place *place, u32 i,
			     GString *out);

struct lexicon *script_lexicon(struct script_printer *printer);

/* The text of one column. Only for columns that are not part of another one. */
void script_print_column(struct script_printer *printer, const struct place *place,
			 enum script_column column, GString *out);

#endif
