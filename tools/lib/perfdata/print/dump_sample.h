/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the fields of a sample for dump.c. */
#ifndef PERFDATA_DUMP_SAMPLE_H
#define PERFDATA_DUMP_SAMPLE_H

#include <stdio.h>

#include "perfdata/event.h"
#include "perfdata/read/reader.h"

/* What follows the record's name. */
void dump_sample(const struct perfdata *pd, const struct event *ev, FILE *out);

/* Parts of samples that other records have, too. */
void dump_chain(const u64 *ips, u64 nr, FILE *out);
void dump_read_values(const struct sample_read *read, FILE *out);

#endif
