// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/row_tables.h"

#define GROUP_ROWS (128u * 1024)
#define FEW_ROWS   (16u * 1024)

static const struct column_spec samples[NR_SAMPLES_COLUMNS] = {
	[SAMPLES_TIME] = { "time", COLUMN_U64, .rising = true },
	[SAMPLES_HOST] = { "host", COLUMN_TEXT },
	[SAMPLES_SERVICE] = { "service", COLUMN_TEXT },
	[SAMPLES_CONTAINER] = { "container", COLUMN_TEXT },
	[SAMPLES_POD] = { "pod", COLUMN_TEXT },
	[SAMPLES_EVENT] = { "event", COLUMN_TEXT },
	[SAMPLES_COMM] = { "comm", COLUMN_TEXT },
	[SAMPLES_PID] = { "pid", COLUMN_U32 },
	[SAMPLES_TID] = { "tid", COLUMN_U32 },
	[SAMPLES_CPU] = { "cpu", COLUMN_S32 },
	[SAMPLES_WEIGHT] = { "weight", COLUMN_U64 },
	[SAMPLES_STATE] = { "state", COLUMN_TEXT },
	[SAMPLES_SYSCALL] = { "syscall", COLUMN_TEXT },
	[SAMPLES_WCHAN] = { "wchan", COLUMN_TEXT },
	[SAMPLES_LOCK] = { "lock", COLUMN_TEXT },
	[SAMPLES_TRACE_ID] = { "trace_id", COLUMN_ID16 },
	[SAMPLES_SPAN_ID] = { "span_id", COLUMN_U64 },
	[SAMPLES_OPERATION] = { "operation", COLUMN_TEXT },
	[SAMPLES_ACTIVITY] = { "activity", COLUMN_TEXT },
	[SAMPLES_TYPE] = { "type", COLUMN_TEXT },
	[SAMPLES_FIELD] = { "field", COLUMN_TEXT },
	[SAMPLES_DSO] = { "dso", COLUMN_TEXT },
	[SAMPLES_BUILD_ID] = { "build_id", COLUMN_TEXT },
	[SAMPLES_SYMBOL] = { "symbol", COLUMN_TEXT },
	[SAMPLES_LEAF_ID] = { "leaf_id", COLUMN_U64 },
	[SAMPLES_STACK_ID] = { "stack_id", COLUMN_U64 },
	[SAMPLES_PUSH_ID] = { "push_id", COLUMN_U64 },
};

static const struct column_spec stacks[NR_STACKS_COLUMNS] = {
	[STACKS_ID] = { "stack_id", COLUMN_U64 },
	[STACKS_FRAMES] = { "frames", COLUMN_LIST },
};

static const struct column_spec locations[NR_LOCATIONS_COLUMNS] = {
	[LOCATIONS_ID] = { "location_id", COLUMN_U64 },
	[LOCATIONS_BUILD_ID] = { "build_id", COLUMN_TEXT },
	[LOCATIONS_DSO] = { "dso", COLUMN_TEXT },
	[LOCATIONS_ADDRESS] = { "address", COLUMN_U64 },
	[LOCATIONS_DEPTH] = { "depth", COLUMN_U32 },
	[LOCATIONS_SYMBOL] = { "symbol", COLUMN_TEXT },
	[LOCATIONS_FILE] = { "file", COLUMN_TEXT },
	[LOCATIONS_LINE] = { "line", COLUMN_U32 },
};

static const struct column_spec types[NR_TYPES_COLUMNS] = {
	[TYPES_BUILD_ID] = { "build_id", COLUMN_TEXT }, [TYPES_TYPE] = { "type", COLUMN_TEXT },
	[TYPES_SIZE] = { "size", COLUMN_U64 },		[TYPES_FIELD] = { "field", COLUMN_TEXT },
	[TYPES_OFFSET] = { "offset", COLUMN_U64 },	[TYPES_LENGTH] = { "length", COLUMN_U64 },
};

static const struct column_spec spans[NR_SPANS_COLUMNS] = {
	[SPANS_TRACE_ID] = { "trace_id", COLUMN_ID16 },
	[SPANS_SPAN_ID] = { "span_id", COLUMN_U64 },
	[SPANS_PARENT_ID] = { "parent_id", COLUMN_U64 },
	[SPANS_SERVICE] = { "service", COLUMN_TEXT },
	[SPANS_OPERATION] = { "operation", COLUMN_TEXT },
	[SPANS_START] = { "start", COLUMN_U64 },
	[SPANS_DURATION] = { "duration", COLUMN_U64 },
	[SPANS_STATUS] = { "status", COLUMN_TEXT },
	[SPANS_KIND] = { "kind", COLUMN_TEXT },
};

static const struct column_spec pushes[NR_PUSHES_COLUMNS] = {
	[PUSHES_ID] = { "push_id", COLUMN_U64 },
	[PUSHES_HOST] = { "host", COLUMN_TEXT },
	[PUSHES_FIRST] = { "first", COLUMN_U64 },
	[PUSHES_LAST] = { "last", COLUMN_U64 },
	[PUSHES_ROWS] = { "rows", COLUMN_U64 },
	[PUSHES_LOST] = { "lost", COLUMN_U64 },
	[PUSHES_LOST_RECORDS] = { "lost_records", COLUMN_U64 },
	[PUSHES_CLOCK] = { "clock", COLUMN_TEXT },
	[PUSHES_SCHEMA] = { "schema", COLUMN_TEXT },
	[PUSHES_VERSION] = { "version", COLUMN_TEXT },
	[PUSHES_CLOCK_OFFSET] = { "clock_offset", COLUMN_S32 },
	[PUSHES_DROPPED_FILES] = { "dropped_files", COLUMN_U64 },
	[PUSHES_DROPPED_BYTES] = { "dropped_bytes", COLUMN_U64 },
};

static const struct column_spec events[NR_EVENTS_COLUMNS] = {
	[EVENTS_PUSH_ID] = { "push_id", COLUMN_U64 },
	[EVENTS_EVENT] = { "event", COLUMN_TEXT },
	[EVENTS_UNIT] = { "unit", COLUMN_TEXT },
	[EVENTS_ROWS] = { "rows", COLUMN_U64 },
	[EVENTS_WEIGHT] = { "weight", COLUMN_U64 },
	[EVENTS_PERIOD] = { "period", COLUMN_U64 },
	[EVENTS_FREQUENCY] = { "frequency", COLUMN_U64 },
};

static const struct column_spec hosts[NR_HOSTS_COLUMNS] = {
	[HOSTS_HOST] = { "host", COLUMN_TEXT },
	[HOSTS_ARCH] = { "arch", COLUMN_TEXT },
	[HOSTS_KERNEL] = { "kernel", COLUMN_TEXT },
	[HOSTS_CPU_MODEL] = { "cpu_model", COLUMN_TEXT },
	[HOSTS_CPUS] = { "cpus", COLUMN_U32 },
	[HOSTS_MEMORY] = { "memory", COLUMN_U64 },
};

#define TABLE(columns, most_rows)                                                                  \
	{                                                                                          \
#columns, columns, ARRAY_SIZE(columns), most_rows                                  \
	}

const struct row_table_spec row_tables[NR_ROW_TABLES] = {
	[TABLE_SAMPLES] = TABLE(samples, GROUP_ROWS),
	[TABLE_STACKS] = TABLE(stacks, FEW_ROWS),
	[TABLE_LOCATIONS] = TABLE(locations, FEW_ROWS),
	[TABLE_TYPES] = TABLE(types, FEW_ROWS),
	[TABLE_SPANS] = TABLE(spans, GROUP_ROWS),
	[TABLE_PUSHES] = TABLE(pushes, 64),
	[TABLE_EVENTS] = TABLE(events, 256),
	[TABLE_HOSTS] = TABLE(hosts, 64),
};
