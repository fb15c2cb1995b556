/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables that `perf data convert --to=parquet` and `--to=native` write, and their columns (Documentation/tables.md
 * says what each means). Tables of hosts, days and builds can be put together: numbers of places are hashes of what they
 * are (content_id.h). A column that has nothing to say is 0 or "".
 */
#ifndef EXPORT_EXCHANGE_ROW_TABLES_H
#define EXPORT_EXCHANGE_ROW_TABLES_H

#include "columnar/rowset.h"

#define ROW_TABLES_SCHEMA "1" /* changes when a column changes its meaning or its name */

enum row_table {
	TABLE_SAMPLES,
	TABLE_STACKS,
	TABLE_LOCATIONS,
	TABLE_TYPES,
	TABLE_SPANS,
	TABLE_PUSHES,
	TABLE_EVENTS,
	TABLE_HOSTS,
	NR_ROW_TABLES,
};

struct row_table_spec {
	const char *name;
	const struct column_spec *columns;
	u32 nr_columns, most_rows; /* most_rows: in a row group or block */
};

extern const struct row_table_spec row_tables[NR_ROW_TABLES];

enum samples_column {
	SAMPLES_TIME,
	SAMPLES_HOST,
	SAMPLES_SERVICE,
	SAMPLES_CONTAINER,
	SAMPLES_POD,
	SAMPLES_EVENT,
	SAMPLES_COMM,
	SAMPLES_PID,
	SAMPLES_TID,
	SAMPLES_CPU,
	SAMPLES_WEIGHT,
	SAMPLES_STATE,
	SAMPLES_SYSCALL,
	SAMPLES_WCHAN,
	SAMPLES_LOCK,
	SAMPLES_TRACE_ID,
	SAMPLES_SPAN_ID,
	SAMPLES_OPERATION,
	SAMPLES_ACTIVITY,
	SAMPLES_TYPE,
	SAMPLES_FIELD,
	SAMPLES_DSO,
	SAMPLES_BUILD_ID,
	SAMPLES_SYMBOL,
	SAMPLES_LEAF_ID,
	SAMPLES_STACK_ID,
	SAMPLES_PUSH_ID,
	NR_SAMPLES_COLUMNS,
};

enum stacks_column { STACKS_ID, STACKS_FRAMES, NR_STACKS_COLUMNS };

enum locations_column {
	LOCATIONS_ID,
	LOCATIONS_BUILD_ID,
	LOCATIONS_DSO,
	LOCATIONS_ADDRESS,
	LOCATIONS_DEPTH,
	LOCATIONS_SYMBOL,
	LOCATIONS_FILE,
	LOCATIONS_LINE,
	NR_LOCATIONS_COLUMNS,
};

enum types_column {
	TYPES_BUILD_ID,
	TYPES_TYPE,
	TYPES_SIZE,
	TYPES_FIELD,
	TYPES_OFFSET,
	TYPES_LENGTH,
	NR_TYPES_COLUMNS,
};

enum spans_column {
	SPANS_TRACE_ID,
	SPANS_SPAN_ID,
	SPANS_PARENT_ID,
	SPANS_SERVICE,
	SPANS_OPERATION,
	SPANS_START,
	SPANS_DURATION,
	SPANS_STATUS,
	SPANS_KIND,
	NR_SPANS_COLUMNS,
};

enum pushes_column {
	PUSHES_ID,
	PUSHES_HOST,
	PUSHES_FIRST,
	PUSHES_LAST,
	PUSHES_ROWS,
	PUSHES_LOST,
	PUSHES_LOST_RECORDS,
	PUSHES_CLOCK,
	PUSHES_SCHEMA,
	PUSHES_VERSION,
	PUSHES_CLOCK_OFFSET,
	PUSHES_DROPPED_FILES,
	PUSHES_DROPPED_BYTES,
	NR_PUSHES_COLUMNS,
};

enum events_column {
	EVENTS_PUSH_ID,
	EVENTS_EVENT,
	EVENTS_UNIT,
	EVENTS_ROWS,
	EVENTS_WEIGHT,
	EVENTS_PERIOD,
	EVENTS_FREQUENCY,
	NR_EVENTS_COLUMNS,
};

enum hosts_column {
	HOSTS_HOST,
	HOSTS_ARCH,
	HOSTS_KERNEL,
	HOSTS_CPU_MODEL,
	HOSTS_CPUS,
	HOSTS_MEMORY,
	NR_HOSTS_COLUMNS,
};

#endif
