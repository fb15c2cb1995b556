/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the rows of a push as blocks of ClickHouse's Native, and notes where each is (struct exchange_block). */
#ifndef EXPORT_EXCHANGE_ROW_BLOCKS_H
#define EXPORT_EXCHANGE_ROW_BLOCKS_H

#include "export/exchange/row_files.h"

struct exchange_push;

/* @texts: those of the rows. */
void row_blocks_begin(struct exchange_push *push, struct intern *texts);

/* Its argument is the struct exchange_push. */
extern const struct row_writer row_blocks_writer;

#endif
