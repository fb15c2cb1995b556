/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes blocks of ClickHouse's format Native, which servers of all versions since 18.16 read (INSERT INTO table FORMAT Native, over
 * HTTP, or clickhouse-client's standard input). A block is a varint with the number of columns and one with the
 * number of rows; then each column: its name and type as texts, and its values one after the other. A text is a varint
 * with its size, and its bytes.
 *
 *	COLUMN_U32, COLUMN_S32, COLUMN_U64	UInt32, Int32, UInt64: the numbers
 *	COLUMN_ID16				FixedString(16): the bytes
 *	COLUMN_LIST				Array(UInt64): each row's end (u64), then the values of all rows
 *	COLUMN_TEXT				LowCardinality(String): the block's different texts, then a number for each row
 */
#ifndef CLICKHOUSE_NATIVE_H
#define CLICKHOUSE_NATIVE_H

#include <stdio.h>

#include "columnar/rowset.h"

/* Writes @rows as one block; without rows, nothing. Errors of writing stay in @out (ferror()). */
void native_write(FILE *out, const struct rowset *rows);

/* "LowCardinality(String)", ...: the type of a column, as CREATE TABLE has it. */
const char *native_type(enum column_kind kind);

#endif
