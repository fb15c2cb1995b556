-- SPDX-License-Identifier: GPL-2.0-or-later
-- What each operation of each service cost.
-- --param_event=...: the event whose weight is added up
SELECT service, operation, sum(weight) AS total
FROM samples
WHERE event = {event:String}
GROUP BY service, operation
ORDER BY total DESC, service, operation;
