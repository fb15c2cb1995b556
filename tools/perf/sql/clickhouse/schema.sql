-- SPDX-License-Identifier: GPL-2.0-or-later
-- Tables of a ClickHouse server for what `perf data convert --to=native` writes. samples is in the order in which reports ask for it,
-- with a partition for each day. Rows of the other tables may arrive several times: equal ones become one when parts are
-- merged, and the reports do not count them twice.
CREATE TABLE IF NOT EXISTS samples (
	time UInt64 CODEC(Delta, ZSTD), host LowCardinality(String), service LowCardinality(String),
	container LowCardinality(String), pod LowCardinality(String), event LowCardinality(String),
	comm LowCardinality(String), pid UInt32, tid UInt32, cpu Int32, weight UInt64, state LowCardinality(String),
	syscall LowCardinality(String), wchan LowCardinality(String), lock LowCardinality(String), trace_id FixedString(16), span_id UInt64,
	operation LowCardinality(String), activity LowCardinality(String), type LowCardinality(String), field LowCardinality(String),
	dso LowCardinality(String), build_id LowCardinality(String), symbol LowCardinality(String), leaf_id UInt64, stack_id UInt64,
	push_id UInt64,
	INDEX by_trace trace_id TYPE bloom_filter GRANULARITY 4
) ENGINE = MergeTree PARTITION BY intDiv(time, 86400000000000) ORDER BY (service, operation, time);
CREATE TABLE IF NOT EXISTS stacks (stack_id UInt64, frames Array(UInt64)) ENGINE = ReplacingMergeTree ORDER BY stack_id;
CREATE TABLE IF NOT EXISTS locations (
	location_id UInt64, build_id LowCardinality(String), dso LowCardinality(String), address UInt64, depth UInt32, symbol LowCardinality(String),
	file LowCardinality(String), line UInt32
) ENGINE = ReplacingMergeTree ORDER BY location_id;
CREATE TABLE IF NOT EXISTS types (
	build_id LowCardinality(String), type LowCardinality(String), size UInt64, field LowCardinality(String), offset UInt64, length UInt64
) ENGINE = ReplacingMergeTree ORDER BY (build_id, type, size, offset, length, field);
CREATE TABLE IF NOT EXISTS spans (
	trace_id FixedString(16), span_id UInt64, parent_id UInt64, service LowCardinality(String), operation LowCardinality(String),
	start UInt64, duration UInt64, status LowCardinality(String), kind LowCardinality(String)
) ENGINE = ReplacingMergeTree ORDER BY (trace_id, span_id);
CREATE TABLE IF NOT EXISTS pushes (
	push_id UInt64, host LowCardinality(String), first UInt64, last UInt64, rows UInt64, lost UInt64, lost_records UInt64,
	clock LowCardinality(String), schema LowCardinality(String), version LowCardinality(String), clock_offset Int32,
	dropped_files UInt64, dropped_bytes UInt64
) ENGINE = ReplacingMergeTree ORDER BY push_id;
CREATE TABLE IF NOT EXISTS events (
	push_id UInt64, event LowCardinality(String), unit LowCardinality(String), rows UInt64, weight UInt64, period UInt64,
	frequency UInt64
) ENGINE = ReplacingMergeTree ORDER BY (push_id, event);
CREATE TABLE IF NOT EXISTS hosts (
	host LowCardinality(String), arch LowCardinality(String), kernel LowCardinality(String), cpu_model LowCardinality(String), cpus UInt32,
	memory UInt64
) ENGINE = ReplacingMergeTree ORDER BY (host, kernel);
