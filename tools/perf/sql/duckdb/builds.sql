-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two builds of a program: the share of each function in the first, in the second, and the difference.
-- SET VARIABLE event = '...': the event whose weight is added up
-- SET VARIABLE first = '...': build-id in hex
-- SET VARIABLE second = '...': build-id in hex
SELECT symbol, before / nullif(before_all, 0) AS before_share, after / nullif(after_all, 0) AS after_share,
	after / nullif(after_all, 0) - before / nullif(before_all, 0) AS difference
FROM (SELECT symbol, sum(CASE WHEN build_id = getvariable('first') THEN weight ELSE 0 END) * 1e0 AS before,
		sum(CASE WHEN build_id = getvariable('second') THEN weight ELSE 0 END) * 1e0 AS after
	FROM samples WHERE event = getvariable('event') AND build_id IN (getvariable('first'), getvariable('second')) GROUP BY symbol) AS f
CROSS JOIN (SELECT sum(CASE WHEN build_id = getvariable('first') THEN weight ELSE 0 END) * 1e0 AS before_all,
		sum(CASE WHEN build_id = getvariable('second') THEN weight ELSE 0 END) * 1e0 AS after_all
	FROM samples WHERE event = getvariable('event') AND build_id IN (getvariable('first'), getvariable('second'))) AS a
ORDER BY abs(difference) DESC, symbol;
