-- SPDX-License-Identifier: GPL-2.0-or-later
-- What each operation of each service cost.
-- SET VARIABLE event = '...': the event whose weight is added up
SELECT service, operation, sum(weight) AS total
FROM samples
WHERE event = getvariable('event')
GROUP BY service, operation
ORDER BY total DESC, service, operation;
