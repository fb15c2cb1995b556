// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/cell.h"

#include <stddef.h>

static const struct {
	const char *name, *unit;
} kinds[CELL_NR_KINDS] = {
	[CELL_TEXT] = { "text", NULL },	      [CELL_NONE] = { "none", NULL },
	[CELL_COUNT] = { "count", NULL },     [CELL_ID] = { "id", NULL },
	[CELL_AVERAGE] = { "average", NULL }, [CELL_SHARE] = { "share", "percent" },
	[CELL_TIME] = { "time", "ns" },	      [CELL_ADDRESS] = { "address", NULL },
	[CELL_BYTES] = { "bytes", "bytes" },
};

const char *cell_kind_name(enum cell_kind kind)
{
	return kinds[kind].name;
}

const char *cell_kind_unit(enum cell_kind kind)
{
	return kinds[kind].unit;
}
