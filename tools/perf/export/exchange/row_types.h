/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The members that samples access, by name, and the layouts of their types in each build: rows of the table types. */
#ifndef EXPORT_EXCHANGE_ROW_TYPES_H
#define EXPORT_EXCHANGE_ROW_TYPES_H

#include <glib.h>

#include "export/exchange/format.h"

struct row_files;

struct row_types {
	GArray *fields; /* u32 text of a member + 1, by the text that the label "field" has; 0: not asked yet */
	GHashTable *known; /* u64: the dso's number and the type's identity; those that have rows */
};

void row_types_init(struct row_types *t);
void row_types_release(struct row_types *t);

/* The member's path, "lru.next"; 0: the sample accesses no member of a known type, or one of several. */
u32 row_types_field(struct row_types *t, struct exchange_tables *tables,
		    const struct exchange_sample *s);

/* Writes the rows of the type that the sample accesses, unless they are written. @build_id: of the file with the code. */
void row_types_write(struct row_types *t, struct exchange_tables *tables, struct row_files *files,
		     const struct exchange_sample *s, u32 dso, u32 build_id);

#endif
