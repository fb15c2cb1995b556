// SPDX-License-Identifier: GPL-2.0-or-later
/* queries ROWS ROUNDS: a database in memory, whose rows are looked up in no order, joined, and changed. Prints what they add up to. */
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

static sqlite3_int64 run(sqlite3_stmt *stmt, sqlite3_int64 key)
{
	sqlite3_int64 sum = 0;

	sqlite3_bind_int64(stmt, 1, key);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		sum += sqlite3_column_int64(stmt, 0);
	sqlite3_reset(stmt);
	return sum;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL)) {
		fprintf(stderr, "%s\n", sqlite3_errmsg(db));
		exit(1);
	}
	return stmt;
}

int main(int argc, char **argv)
{
	long rows = argc > 1 ? atol(argv[1]) : 100000, rounds = argc > 2 ? atol(argv[2]) : 4;
	sqlite3_stmt *insert, *one, *join, *change;
	sqlite3_int64 sum = 0;
	unsigned seed = 1;
	sqlite3 *db;

	if (sqlite3_open(":memory:", &db) ||
	    sqlite3_exec(
		    db,
		    "create table item(id integer primary key, owner int, price int, name text);"
		    "create index owners on item(owner); begin",
		    NULL, NULL, NULL))
		return 1;
	insert = prepare(db,
			 "insert into item values(?1, ?1 * 7919 % 10007, ?1 % 97, 'item ' || ?1)");
	one = prepare(db, "select price + length(name) from item where id = ?1");
	join = prepare(db, "select sum(price) from item where owner = ?1");
	change = prepare(db, "update item set price = price + 1 where id = ?1");
	for (long i = 1; i <= rows; i++)
		run(insert, i);
	for (long i = 0; i < rows * rounds; i++) {
		seed = seed * 1103515245 + 12345;
		sum += run(one, seed / 16 % rows + 1);
		if (i % 8 == 0)
			sum += run(join, seed / 16 % 10007);
		if (i % 8 == 4)
			run(change, seed / 16 % rows + 1);
	}
	printf("%lld\n", sum);
	return 0;
}
