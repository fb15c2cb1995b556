// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pointers that are known to be to arrays. They are noted during a round, and decided at its end (infer_decide()).
 *
 *	for (i = 0; i < n; i++) sum += p[i].key;	the pointer p is to an array
 *	p[-1].key					also elements before it
 */
#include "typeflow/flow/infer.h"

void infer_add_news(struct infer *infer, u32 maker, bool address)
{
	struct infer_news news = { .maker = maker, .address = address };

	if (maker < infer->nr_makers)
		g_array_append_val(infer->news, news);
}

void infer_row(struct infer *infer, u32 maker, bool back)
{
	struct array_pointer row = { .maker = maker, .back = back };
	u8 bits = ROW_NOTED | (back ? ROW_NOTED_BACK : 0);

	if (!maker || maker >= infer->nr_makers || (infer->rows[maker] & bits) == bits)
		return;
	infer->rows[maker] |= bits;
	g_array_append_val(infer->row_list, row);
}

void infer_same_row(struct infer *infer, u32 from, u32 to)
{
	if (from && from < infer->nr_makers && infer->rows[from] & ROW_NOTED)
		infer_row(infer, to, infer->rows[from] & ROW_NOTED_BACK);
}

bool infer_is_row(const struct infer *infer, u32 maker, bool back)
{
	return maker && maker < infer->nr_makers &&
	       infer->rows[maker] & (back ? ROW_DECIDED_BACK : ROW_DECIDED);
}
