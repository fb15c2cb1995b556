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
	u64 shown_time; /* of the present row of cells */
	struct script_second second;
	s64 wall_offset; /* ns from the recording's clock to the time of day */
	bool has_wall;
};

/* table.c */
/* Columns that one function prints together. */
#define SCRIPT_BRANCHES                                                                            \
	(COLUMN_BIT(COLUMN_BRSTACK) | COLUMN_BIT(COLUMN_BRSTACKSYM) | COLUMN_BIT(COLUMN_BRSTACKOFF))
#define SCRIPT_BLOCKS                                                                              \
	(COLUMN_BIT(COLUMN_BRSTACKINSN) | COLUMN_BIT(COLUMN_BRSTACKINSNLEN) |                      \
	 COLUMN_BIT(COLUMN_BRSTACKDISASM))

/* What is known of a column. */
struct script_column_row {
	const char *name;
	u64 sample_bits;       /* the sample needs one of these bits in sample_type; 0: none */
	const char *attribute; /* upstream's word in the error; NULL: the column is left empty */
	const char *option;    /* the option of record that adds it */
	u32 needs;	       /* enum place_need */
	/*
	 * In a line: appends the column, and those of @with, which are next to it. @wanted: all columns of the line. NULL:
	 * the head of the line or the block of the address has it.
	 */
	void (*print)(struct script_printer *p, const struct place *place, u64 wanted,
		      GString *out);
	u64 with;
	/*
	 * As a cell of a sample: by the report's sort key @key, by cell(), or else what print() appends. @kind is for columns
	 * without a key. The words of a CELL_TEXT are appended to @text.
	 */
	const char *key;
	enum cell_kind kind;
	struct cell (*cell)(struct script_printer *p, const struct place *place, GString *text);
	/* As a cell of frame @i of the call chain; NULL: frames have none. */
	struct cell (*frame)(struct script_printer *p, const struct place *place, u32 i,
			     GString *text);
};

const struct script_column_row *script_column_row(enum script_column column);

/* Appends those columns of @which that are @wanted and have a print(), in their order. */
void script_print_columns(struct script_printer *p, const struct place *place, u64 which,
			  u64 wanted, GString *out);

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

/* frames.c */
/* False with @error: those of the file are malformed. */
bool script_prepare_formats(struct script_printer *printer, GError **error);
/* The formats of tracepoints; NULL: the file has none, so far. */
struct trace_formats *script_formats(struct script_printer *printer);

/* A call chain ends here, by --stop-bt. */
bool script_is_stop(const struct script_printer *printer, const struct code *code);
/* The number of frames of the call chain that are printed. */
u32 script_chain_length(const struct script_printer *printer, const struct place *place);

/* "file.c:12" of the code, or of frame @i, with white space around it; or nothing. */
void script_print_source_line(struct script_printer *printer, const struct code *code,
			      GString *out);
void script_print_frame_line(struct script_printer *printer, const struct place *place, u32 i,
			     GString *out);

#endif
