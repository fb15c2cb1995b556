// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/row_blocks.h"

#include "clickhouse/native.h"
#include "export/exchange/exchange.h"
#include "export/exchange/row_mask.h"

struct block_writer {
	struct exchange_push *push;
	const struct row_table_spec *table;
};

void row_blocks_begin(struct exchange_push *push, struct intern *texts)
{
	if (push->mask)
		row_mask_begin(push->mask, texts);
}

static void *open_blocks(FILE *out, struct crew *crew, const struct row_table_spec *table,
			 void *push)
{
	struct block_writer *w = g_new(struct block_writer, 1);

	*w = (struct block_writer){ push, table };
	return w;
}

static void put_block(void *writer, struct rowset *rows)
{
	struct block_writer *w = writer;
	struct exchange_push *push = w->push;
	struct exchange_block block = { .table = (u32)(w->table - row_tables),
					.rows = rows->nr_rows,
					.offset = push->written };

	if (!rows->nr_rows)
		return;
	if (push->mask)
		row_mask_apply(push->mask, w->table, rows);
	native_write(push->out, rows);
	push->written = (u64)ftello(push->out);
	block.size = push->written - block.offset;
	g_array_append_val(push->blocks, block);
}

static void nothing(void *writer)
{
}

const struct row_writer row_blocks_writer = { ".native", open_blocks, put_block, nothing, g_free };
