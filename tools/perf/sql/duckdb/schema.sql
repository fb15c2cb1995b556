-- SPDX-License-Identifier: GPL-2.0-or-later
-- Views of the tables that `perf data convert --to=parquet FOLDER` wrote. Run DuckDB in FOLDER. What hosts have in common
-- (stacks, locations, types, spans) is in several files, and there once.
CREATE OR REPLACE VIEW samples AS SELECT * FROM read_parquet('samples/*.parquet');
CREATE OR REPLACE VIEW stacks AS SELECT DISTINCT ON (stack_id) * FROM read_parquet('stacks/*.parquet');
CREATE OR REPLACE VIEW locations AS SELECT DISTINCT ON (location_id) * FROM read_parquet('locations/*.parquet');
CREATE OR REPLACE VIEW types AS SELECT DISTINCT * FROM read_parquet('types/*.parquet');
CREATE OR REPLACE VIEW spans AS SELECT DISTINCT ON (trace_id, span_id) * FROM read_parquet('spans/*.parquet');
CREATE OR REPLACE VIEW pushes AS SELECT DISTINCT ON (push_id) * FROM read_parquet('pushes/*.parquet');
CREATE OR REPLACE VIEW events AS SELECT DISTINCT ON (push_id, event) * FROM read_parquet('events/*.parquet');
CREATE OR REPLACE VIEW hosts AS SELECT DISTINCT * FROM read_parquet('hosts/*.parquet');
