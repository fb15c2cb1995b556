-- SPDX-License-Identifier: GPL-2.0-or-later
-- Which fields of which types took the time, and on how many hosts.
-- SET VARIABLE event = '...': the event whose weight is added up
SELECT type, field, sum(weight) AS total, count(DISTINCT host) AS hosts
FROM samples
WHERE event = getvariable('event') AND type != ''
GROUP BY type, field
ORDER BY total DESC, type, field;
