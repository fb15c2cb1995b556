// SPDX-License-Identifier: GPL-2.0-or-later
/* A few tables in memory: inserts, an index, joins, grouping, updates, a view and a trigger. */
#include <stdio.h>

#include "sqlite3.h"

static int count(void *data, int nr, char **values, char **names)
{
	*(long *)data += values[0] ? values[0][0] + nr : 1;
	return 0;
}

int main(void)
{
	static const char *const statements[] = {
		"create table t(id integer primary key, name text, n real, grp int)",
		"create table g(grp int unique, label text not null default 'none')",
		"create table log(what text, id int)",
		"create trigger tr after update on t begin insert into log values('u', new.id); "
		"end",
		"begin",
		"with recursive c(x) as (select 1 union all select x + 1 from c where x < 60) "
		"insert into t select x, 'name ' || (x * 7919 % 100), x * 1.5, x % 7 from c",
		"insert into g select distinct grp, 'group ' || grp from t",
		"commit",
		"create index t_name on t(name, grp)",
		"select name, label from t join g using(grp) where n > 20 order by name desc limit "
		"20",
		"select grp, count(*), avg(n), group_concat(name) from t group by grp having "
		"count(*) > 3",
		"update t set n = n + 1, name = upper(name) where id % 5 = 0",
		"create view v as select label, sum(n) as s from t natural join g group by label",
		"select * from v where s > (select avg(n) from t) union select 'x', 1 except "
		"select 'y', 2",
		"delete from t where name like '%3%' or id in (select id from log limit 4)",
		"select count(*), min(name), max(n), typeof(n) from t left join log on log.id = "
		"t.id",
		"explain query plan select * from t where name between 'a' and 'n' and grp = 3",
		"select * from pragma_table_info('t'), json_each('[1,2,{\"a\":3}]')",
		"vacuum",
	};
	sqlite3 *db;
	long sum = 0;
	char *error = NULL;

	if (sqlite3_open(":memory:", &db))
		return 1;
	for (unsigned i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		if (sqlite3_exec(db, statements[i], count, &sum, &error))
			printf("%s: %s\n", statements[i], error);
	printf("%ld\n", sum);
	return sqlite3_close(db);
}
