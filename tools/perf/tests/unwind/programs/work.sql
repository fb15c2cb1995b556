-- SPDX-License-Identifier: GPL-2.0-or-later
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000)
	insert into t select i, hex(i * 7919 % 65537), i * 0.5 from n;
create index tb on t(b);
select count(*), sum(length(b)), avg(c) from t where b like '1%';
select b, count(*) from t group by substr(b, 1, 2) order by 2 desc limit 5;
select count(*) from t x join t y on y.b = x.b where x.a < 20000;
