// SPDX-License-Identifier: GPL-2.0-or-later
/* A store of two tables in the folder that is given: inserts, cursors, several values of a key, deletes and an abort. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lmdb.h"

#define MUST(call)                                                                                 \
	do {                                                                                       \
		int rc_ = (call);                                                                  \
		if (rc_) {                                                                         \
			fprintf(stderr, "%s: %s\n", #call, mdb_strerror(rc_));                     \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static long sum;

static MDB_val text(char *buffer, const char *format, int number)
{
	int length = snprintf(buffer, 400, format, number);

	return (MDB_val){ (size_t)length, buffer };
}

static void fill(MDB_env *env, MDB_dbi *people, MDB_dbi *tags)
{
	char k[400], v[400];
	MDB_txn *txn;

	MUST(mdb_txn_begin(env, NULL, 0, &txn));
	MUST(mdb_dbi_open(txn, "people", MDB_CREATE, people));
	MUST(mdb_dbi_open(txn, "tags", MDB_CREATE | MDB_DUPSORT, tags));
	for (int i = 0; i < 300; i++) {
		MDB_val key = text(k, "person %04d", i * 7919 % 1000), tag;
		MDB_val data = text(v, i % 50 ? "%d is a number" : "%0390d", i);

		MUST(mdb_put(txn, *people, &key, &data, 0));
		tag = text(v, "tag %d", i % 5);
		MUST(mdb_put(txn, *tags, &tag, &key, 0));
	}
	MUST(mdb_txn_commit(txn));
}

static void walk(MDB_txn *txn, MDB_dbi dbi, MDB_cursor_op first, MDB_cursor_op next)
{
	MDB_cursor *cursor;
	MDB_val key, data;

	MUST(mdb_cursor_open(txn, dbi, &cursor));
	for (int rc = mdb_cursor_get(cursor, &key, &data, first); !rc;
	     rc = mdb_cursor_get(cursor, &key, &data, next))
		sum += (long)key.mv_size + ((char *)data.mv_data)[0];
	mdb_cursor_close(cursor);
}

static void change(MDB_env *env, MDB_dbi people, MDB_dbi tags)
{
	char k[400], v[400];
	MDB_txn *txn, *child;
	MDB_cursor *cursor;
	MDB_val key, data;
	MDB_stat stat;
	size_t nr;

	MUST(mdb_txn_begin(env, NULL, 0, &txn));
	for (int i = 0; i < 300; i += 3) {
		key = text(k, "person %04d", i * 7919 % 1000);
		MUST(mdb_get(txn, people, &key, &data));
		sum += (long)data.mv_size;
		MUST(mdb_del(txn, people, &key, NULL));
	}
	walk(txn, people, MDB_LAST, MDB_PREV);
	MUST(mdb_txn_begin(env, txn, 0, &child));
	key = text(k, "tag %d", 2);
	MUST(mdb_cursor_open(child, tags, &cursor));
	MUST(mdb_cursor_get(cursor, &key, &data, MDB_SET));
	MUST(mdb_cursor_count(cursor, &nr));
	MUST(mdb_cursor_del(cursor, 0));
	data = text(v, "person %04d", 5);
	MUST(mdb_cursor_put(cursor, &key, &data, 0));
	mdb_cursor_close(cursor);
	MUST(mdb_stat(child, tags, &stat));
	mdb_txn_abort(child);
	MUST(mdb_drop(txn, tags, 0));
	MUST(mdb_txn_commit(txn));
	sum += (long)(nr + stat.ms_entries);
}

int main(int argc, char **argv)
{
	MDB_dbi people, tags;
	MDB_env *env;
	MDB_txn *txn;

	if (argc < 2)
		return 2;
	MUST(mdb_env_create(&env));
	MUST(mdb_env_set_maxdbs(env, 4));
	MUST(mdb_env_set_mapsize(env, 4 << 20));
	MUST(mdb_env_open(env, argv[1], MDB_NOSYNC | MDB_NOSUBDIR, 0600));
	fill(env, &people, &tags);
	MUST(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
	walk(txn, people, MDB_FIRST, MDB_NEXT);
	walk(txn, tags, MDB_FIRST, MDB_NEXT_NODUP);
	walk(txn, tags, MDB_LAST, MDB_PREV);
	mdb_txn_abort(txn);
	change(env, people, tags);
	mdb_env_close(env);
	printf("%ld\n", sum);
	return 0;
}
