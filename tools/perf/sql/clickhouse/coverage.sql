-- SPDX-License-Identifier: GPL-2.0-or-later
-- What is there, and what is missing: read it before any other report. A sample without span, type or symbol is no
-- error, but no report by span, type or symbol has it. lost: samples that
-- the kernel counted as lost; lost_records: records of any kind that did not fit into the buffers, which older kernels count alone.
SELECT s.host, s.event, s.total, p.lost, p.lost_records, s.with_span, s.with_type, s.with_symbol
FROM (SELECT host, event, sum(weight) AS total,
		sum(CASE WHEN span_id != 0 THEN weight ELSE 0 END) * 1e0 / sum(weight) AS with_span,
		sum(CASE WHEN type != '' THEN weight ELSE 0 END) * 1e0 / sum(weight) AS with_type,
		sum(CASE WHEN symbol != '' THEN weight ELSE 0 END) * 1e0 / sum(weight) AS with_symbol
	FROM samples GROUP BY host, event) AS s
LEFT JOIN (SELECT host, sum(lost) AS lost, sum(lost_records) AS lost_records FROM pushes FINAL GROUP BY host) AS p ON p.host = s.host
ORDER BY s.host, s.event;
