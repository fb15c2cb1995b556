-- SPDX-License-Identifier: GPL-2.0-or-later
-- Each service by the hour.
-- SET VARIABLE event = '...': the event whose weight is added up
SELECT service, make_timestamp(CAST(time // 3600000000000 * 3600000000 AS BIGINT)) AS hour, sum(weight) AS total, count(DISTINCT host) AS hosts
FROM samples
WHERE event = getvariable('event')
GROUP BY service, hour
ORDER BY service, hour;
