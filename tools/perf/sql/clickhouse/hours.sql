-- SPDX-License-Identifier: GPL-2.0-or-later
-- Each service by the hour.
-- --param_event=...: the event whose weight is added up
SELECT service, toDateTime(intDiv(time, 3600000000000) * 3600, 'UTC') AS hour, sum(weight) AS total, count(DISTINCT host) AS hosts
FROM samples
WHERE event = {event:String}
GROUP BY service, hour
ORDER BY service, hour;
