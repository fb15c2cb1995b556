-- SPDX-License-Identifier: GPL-2.0-or-later
-- The same of the 1,000 slowest spans of all services.
SELECT service, event, state, syscall, wchan, sum(weight) AS total
FROM samples
WHERE (trace_id, span_id) IN (SELECT trace_id, span_id FROM spans FINAL ORDER BY duration DESC LIMIT 1000)
GROUP BY service, event, state, syscall, wchan
ORDER BY total DESC, service, event, state, syscall, wchan;
