-- SPDX-License-Identifier: GPL-2.0-or-later
-- A service as folded stacks, for flame graphs: sums by stack first, so that few rows are joined.
-- SET VARIABLE event = '...': the event whose weight is added up
-- SET VARIABLE service = '...': the service
SELECT stack, sum(total) AS weight
FROM (SELECT string_agg(CASE WHEN l.symbol = '' THEN '[unknown]' ELSE l.symbol END, ';' ORDER BY f.depth DESC) AS stack,
		any_value(f.total) AS total
	FROM (SELECT s.stack_id, s.total, unnest(t.frames) AS location_id, generate_subscripts(t.frames, 1) AS depth
		FROM (SELECT stack_id, sum(weight) AS total FROM samples WHERE event = getvariable('event') AND service = getvariable('service')
			GROUP BY stack_id) AS s
		JOIN stacks AS t ON t.stack_id = s.stack_id) AS f
	JOIN locations AS l ON l.location_id = f.location_id
	GROUP BY f.stack_id) AS folded
GROUP BY stack
ORDER BY weight DESC, stack;
