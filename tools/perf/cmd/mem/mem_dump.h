/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf mem report -D: a line for each sample that has a data address. */
#ifndef CMD_MEM_DUMP_H
#define CMD_MEM_DUMP_H

#include <stdio.h>

#include "session/session.h"

struct mem_dump_options {
	struct session_options session;
	const char *separator; /* NULL: a blank */
	bool phys_data, data_page_size;
};

bool mem_dump(const struct mem_dump_options *options, FILE *out, GError **error);

#endif
