-- SPDX-License-Identifier: GPL-2.0-or-later
-- Functions whose share of their program differs most between its builds. Builds with fewer than 200 samples of the event are
-- left out: their shares are not known well enough.
-- SET VARIABLE event = '...': the event whose weight is added up
SELECT dso, symbol, min(share) AS least, max(share) AS greatest, count(*) AS builds
FROM (SELECT f.dso AS dso, f.symbol AS symbol, f.total * 1e0 / b.total AS share
	FROM (SELECT dso, symbol, build_id, sum(weight) AS total FROM samples WHERE event = getvariable('event') GROUP BY dso, symbol, build_id) AS f
	JOIN (SELECT build_id, sum(weight) AS total FROM samples WHERE event = getvariable('event') AND build_id != ''
		GROUP BY build_id HAVING count(*) >= 200) AS b ON b.build_id = f.build_id) AS shares
GROUP BY dso, symbol
ORDER BY max(share) - min(share) DESC, dso, symbol
LIMIT 100;
