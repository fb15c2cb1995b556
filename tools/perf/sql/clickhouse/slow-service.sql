-- SPDX-License-Identifier: GPL-2.0-or-later
-- What the 1,000 slowest spans of a service did: on a CPU, or waiting for what.
-- --param_service=...: the service
SELECT event, state, syscall, wchan, sum(weight) AS total
FROM samples
WHERE service = {service:String} AND (trace_id, span_id) IN
	(SELECT trace_id, span_id FROM spans FINAL WHERE service = {service:String} ORDER BY duration DESC LIMIT 1000)
GROUP BY event, state, syscall, wchan
ORDER BY total DESC, event, state, syscall, wchan;
