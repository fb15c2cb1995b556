-- What the sqlite3 shell does again and again while its memory is watched.
PRAGMA synchronous = OFF;
DROP TABLE IF EXISTS place;
DROP TABLE IF EXISTS visit;
CREATE TABLE place(id INTEGER PRIMARY KEY, name TEXT, height REAL, parent INTEGER);
CREATE TABLE visit(place INTEGER, at INTEGER, note TEXT, UNIQUE(place, at));
CREATE INDEX visit_at ON visit(at, place);
CREATE TRIGGER visited AFTER INSERT ON visit WHEN new.at % 97 = 0 BEGIN UPDATE place SET height = height + 1 WHERE id = new.place; END;
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
	INSERT INTO place SELECT i, 'place ' || hex(i * 7919), i * 1.5, i / 2 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
	INSERT OR IGNORE INTO visit SELECT i * 7919 % 2000, i, printf('%d-%s', i, char(65 + i % 26)) FROM n;
COMMIT;
SELECT count(*), avg(height), max(note) FROM visit JOIN place ON place.id = visit.place WHERE name LIKE '%A%' GROUP BY parent % 10;
WITH RECURSIVE up(id, depth) AS (SELECT 1999, 0 UNION ALL SELECT parent, depth + 1 FROM place JOIN up ON place.id = up.id)
	SELECT * FROM up;
SELECT a.name, (SELECT count(*) FROM visit v WHERE v.place = a.id AND v.at BETWEEN 100 AND 9000) FROM place a ORDER BY a.height DESC, 2 LIMIT 50;
SELECT name, rank() OVER (PARTITION BY parent % 7 ORDER BY height) FROM place WHERE id % 3 = 0 LIMIT 100;
SELECT DISTINCT substr(note, 1, 3) FROM visit UNION SELECT upper(name) FROM place EXCEPT SELECT 'x' ORDER BY 1;
UPDATE visit SET note = note || '!' WHERE at IN (SELECT at FROM visit WHERE place % 11 = 0);
DELETE FROM visit WHERE at % 13 = 0;
SELECT json_extract('{"a":[1,2,{"b":3}]}', '$.a[2].b') + sum(length(note)) FROM visit;
SELECT count(*) FROM place x, place y WHERE x.id = y.parent AND y.height > x.height;
