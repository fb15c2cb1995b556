-- SPDX-License-Identifier: GPL-2.0-or-later
-- A service as folded stacks, for flame graphs: sums by stack first, so that few rows are joined.
-- --param_event=...: the event whose weight is added up
-- --param_service=...: the service
SELECT stack, sum(total) AS weight
FROM (SELECT arrayStringConcat(arrayReverse(arrayMap(x -> x.2, arraySort(groupArray((f.depth, if(l.symbol = '', '[unknown]', l.symbol)))))), ';') AS stack,
		any(f.total) AS total
	FROM (SELECT stack_id, total, location_id, depth
		FROM (SELECT s.stack_id AS stack_id, s.total AS total, t.frames AS frames
			FROM (SELECT stack_id, sum(weight) AS total FROM samples WHERE event = {event:String} AND service = {service:String}
				GROUP BY stack_id) AS s
			INNER JOIN (SELECT stack_id, frames FROM stacks FINAL) AS t ON t.stack_id = s.stack_id)
		ARRAY JOIN frames AS location_id, arrayEnumerate(frames) AS depth) AS f
	INNER JOIN (SELECT location_id, symbol FROM locations FINAL) AS l ON l.location_id = f.location_id
	GROUP BY f.stack_id) AS folded
GROUP BY stack
ORDER BY weight DESC, stack;
