/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which cache line a sample's data address is on, so that what processes share is one line, and what they do not is several. */
#ifndef SHARING_LINE_ID_H
#define SHARING_LINE_ID_H

#include "base/intern.h"
#include "resolve/place.h"

struct line_id {
	u64 line; /* address; of a shared file: the offset in it */
	u32 file; /* of memory that processes share: text of its identity; else 0 */
	u32 pid;  /* 0: of the kernel, or of a file */
};

/*
 * The line of @place->addr. Processes may map a file at different addresses; what they share has the same offset in it. out: *@va, the
 * address, or that offset.
 */
struct line_id line_id_of(const struct place *place, u32 line_size, struct intern *texts, u64 *va);

#endif
